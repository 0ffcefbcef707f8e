import { type CSSProperties, useEffect } from "react";
import { href, useNavigate } from "react-router";
import { load } from "#app/http/load.server.ts";
import { publicPage } from "#app/http/public-page.ts";
import { seconds } from "#app/lib/durations.ts";
import { m } from "#app/paraglide/messages.js";
import { env } from "#app/runtime/env.server.ts";
import { FloatingLink, LinkButton } from "#app/ui/button.tsx";
import { classes } from "#app/ui/class-names.ts";
import type { PageHandle } from "#app/ui/document.tsx";
import { type Drawing, Illustration } from "#app/ui/illustration.tsx";
import { Languages } from "#app/ui/languages.tsx";
import { BrandLogo, BrandSide, SPLIT, Tagline } from "#app/ui/split-page.tsx";
import type { Route } from "./+types/splash.ts";

export const handle: PageHandle = { session: false, cache: 300, lite: true };

/** Five images of one second, the last for another second before the redirect (spec 000 §9). */
const STAY_SECONDS = 5;
/** On one ground line, one second each; the last stays. */
const SCENES: { drawing: Drawing; text: () => string }[] = [
  { drawing: "care", text: m.common_splash_1 },
  { drawing: "find", text: m.common_splash_2 },
  { drawing: "time", text: m.common_splash_3 },
  { drawing: "records", text: m.common_splash_4 },
  { drawing: "help", text: m.common_splash_5 },
];
const LAST = SCENES.length - 1;
const NEXT = href("/choose-role");

export const loader = load(() => ({ origin: env().appUrl.origin }));

/** Redirects without JavaScript. A `<meta>` would stay in the page after a client navigation. */
export const headers = () => ({ Refresh: `${STAY_SECONDS};url=${NEXT}` });

export default function SplashPage() {
  // The page itself has no scripts. This is for client navigations from other pages. `replace`: Back skips the splash.
  const navigate = useNavigate();
  useEffect(() => {
    const timer = setTimeout(() => navigate(NEXT, { replace: true }), seconds(STAY_SECONDS));
    return () => clearTimeout(timer);
  }, [navigate]);
  return (
    <div className={`flex min-h-screen flex-col ${SPLIT}`}>
      <BrandSide className="pt-12">
        <BrandLogo className="max-split:mx-auto max-split:mb-3 max-split:h-11" />
        <Tagline className="split:mt-auto">
          <b className="hidden text-3xl leading-[1.3] text-on-deep split:block">{m.common_app_name()}</b>
          {m.common_tagline()}
        </Tagline>
        <div className="mt-2 flex justify-center desktop:justify-start">
          <Languages from={NEXT} />
        </div>
      </BrandSide>
      <main id="main" className="flex min-w-0 flex-1 flex-col" tabIndex={-1}>
        <h1 className="sr-only">{m.common_title({ page: m.common_splash_title() })}</h1>
        <ol className="grid flex-1 content-center overflow-hidden pt-8 text-center">
          {SCENES.map(({ drawing, text }, n) => (
            <li
              key={drawing}
              className={classes("invisible col-start-1 row-start-1 animate-seen", n === LAST && "[animation-fill-mode:forwards]")}
              style={{ "--n": n } as CSSProperties}
            >
              <Illustration name={drawing} className="mb-6 max-w-80 overflow-visible split:max-w-104" />
              <p>{text()}</p>
            </li>
          ))}
        </ol>
        {/* Above "Skip", which would cover it in large text. */}
        <p className="px-gutter pb-24">
          <LinkButton to={href("/find-a-doctor")} variant="quiet" icon="search" className="pl-0">
            {m.front_first()}
          </LinkButton>
        </p>
        <FloatingLink to={NEXT} variant="second" iconEnd="arrow-right">
          {m.common_splash_skip()}
        </FloatingLink>
      </main>
    </div>
  );
}

export const meta: Route.MetaFunction = ({ loaderData }) =>
  publicPage({ title: m.common_splash_title(), description: m.common_tagline(), url: `${loaderData?.origin ?? ""}/` });
