import type { ComponentProps } from "react";
import { classes } from "../class-names.ts";

/** A short choice, beside others in one row. */
export const SmallPick = ({ className, children, ...input }: ComponentProps<"input">) => (
  <label className={classes("pick", className)}>
    <input {...input} />
    <span className="min-h-target gap-2.5 px-3 py-1.5">{children}</span>
  </label>
);
