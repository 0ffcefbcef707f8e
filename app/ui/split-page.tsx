/** Frame of pages without a bar: the brand beside the content on wide screens. */
import type { ReactNode } from "react";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "./button.tsx";
import { classes } from "./class-names.ts";
import { type Drawing, Illustration } from "./illustration.tsx";
import { Languages } from "./languages.tsx";
import { Logo } from "./logo.tsx";
import type { Back } from "./shell.tsx";
import { StatusLine } from "./toast.tsx";

/** The brand beside the content, on wide screens. */
export const SPLIT = "split:grid split:min-h-screen split:grid-cols-[5fr_6fr]";
/** Colours of a drawing or logo on the dark panel of a split page. */
const ON_DEEP =
  "split:[--color-brand:#8ad3df] split:[--color-brand-soft:#0f4e5d] split:[--color-card:var(--color-deep)] split:text-on-deep split:[&_.stroke-brand]:stroke-haldi";

/** The dark panel of a split page; plain above the content on a phone. */
export const BrandSide = ({ className, children }: { className: string; children: ReactNode }) => (
  <header className={classes("overflow-hidden px-gutter split:flex split:flex-col split:bg-deep split:p-10 split:text-on-deep", className)}>
    {children}
  </header>
);
export const BrandLogo = ({ className }: { className?: string }) => <Logo className={classes("split:h-11", ON_DEEP, className)} />;
export const Tagline = ({ className, children }: { className?: string | undefined; children: ReactNode }) => (
  <p
    className={classes(
      "text-center text-sm text-ink-soft split:max-w-[24ch] split:text-left split:text-lg split:text-on-deep-soft",
      className,
    )}
  >
    {children}
  </p>
);

/**
 * Frame of login and choice pages: the brand next to the content on wide screens. `lean`: no image on a phone. `float`: floating at
 * the bottom right.
 */
export function SplitPage({
  drawing,
  tagline,
  lean,
  back,
  float,
  languages = true,
  children,
}: {
  drawing: Drawing;
  tagline: string;
  lean?: boolean;
  back?: Back;
  float?: ReactNode;
  /** `false`: without the language switch. */
  languages?: boolean;
  children: ReactNode;
}) {
  return (
    <div className={SPLIT}>
      <BrandSide className="pt-4">
        <BrandLogo />
        <Illustration
          name={drawing}
          className={classes("max-w-[calc(60vh-15rem)] overflow-visible split:max-w-108", ON_DEEP, lean && "hidden split:block")}
        />
        <Tagline className={lean ? "hidden split:block" : undefined}>{tagline}</Tagline>
      </BrandSide>
      <div className="px-gutter pb-24 split:mx-auto split:flex split:w-full split:max-w-160 split:flex-col split:px-10 split:py-6">
        {back && (
          <nav aria-label={m.ui_back()}>
            <LinkButton className="pl-0" to={back.to} variant="quiet" size="sm" icon="arrow-left">
              {back.label ?? m.ui_back()}
            </LinkButton>
          </nav>
        )}
        <main
          id="main"
          className="pt-5 split:m-auto split:w-full split:max-w-120 split:self-center split:py-8 split:[--code-step:3.4rem] desktop:[--code-step:5.08rem]"
          tabIndex={-1}
        >
          <StatusLine className="mb-6" />
          {children}
          {languages && (
            <div className="mt-7">
              <Languages />
            </div>
          )}
        </main>
        {float}
      </div>
    </div>
  );
}
