import type { ComponentProps } from "react";
import { classes } from "../class-names.ts";

/** A list with a line between its entries. */
export const DividedList = ({ className, ...rest }: ComponentProps<"ul">) => (
  <ul {...rest} className={classes("divide-y divide-line *:py-3 *:last:pb-0", className)} />
);
