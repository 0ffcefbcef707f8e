import type { ComponentProps } from "react";
import { classes } from "../class-names.ts";
import { Facts } from "../pieces.tsx";

/** Facts whose values are amounts below each other. */
export const Amounts = ({ className, ...rest }: ComponentProps<typeof Facts>) => (
  <Facts {...rest} className={classes("grid-cols-[1fr_fit-content(60%)] [&_dd]:text-right [&_dd]:tabular-nums", className)} />
);
