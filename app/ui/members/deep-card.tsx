import type { ComponentProps } from "react";
import { classes } from "../class-names.ts";
import { Beat } from "../logo.tsx";

/** The filled button on this card. */
export const ON_DEEP = "border-white bg-white text-[#073b48]";

/** The one dark panel of a page: what comes next. `beat`: it is now, or the next visit. */
export const DeepCard = ({ beat, className, children, ...rest }: { beat?: boolean } & ComponentProps<"section">) => (
  <section
    {...rest}
    className={classes(
      "relative overflow-hidden rounded-[1.75rem_0.375rem] bg-deep px-4 pt-4 pb-4.5 text-on-deep [--color-ink-soft:var(--color-on-deep-soft)]",
      "[&_.go]:text-inherit [&_.go]:no-underline [&_time]:whitespace-normal",
      className,
    )}
    data-deep
  >
    {beat && <Beat className="-mx-4 -mt-1 mb-2 text-haldi [--x:1.6rem]" />}
    {children}
  </section>
);
