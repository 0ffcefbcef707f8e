import type { ReactNode } from "react";
import { classes } from "../class-names.ts";

/** The main part of a page, and beside it on wide screens what belongs to it. A column of several sections is a `<div>` or `<aside>`. */
export const TwoColumns = ({ className, children }: { className?: string; children: ReactNode }) => (
  <div
    className={classes(
      "[&>div:first-child>:first-child]:mt-0 desktop:grid desktop:grid-cols-[minmax(0,1fr)_20rem] desktop:items-start desktop:gap-6",
      "desktop:[&>:is(aside,div)>*+*]:mt-6 desktop:[&>:is(aside,div)>:first-child]:mt-0",
      className,
    )}
  >
    {children}
  </div>
);
/** A column that stays in sight. */
export const sticky = "desktop:sticky desktop:top-20";
