import { classes } from "../class-names.ts";

/** The look of a message of a conversation; `mine`: of the reader. */
export const bubble = (mine?: boolean, ...others: (string | false | undefined)[]) =>
  classes(
    "w-fit max-w-[85%] px-4 py-3 wrap-anywhere",
    mine ? "ml-auto rounded-[1.25rem_1.25rem_0.25rem] bg-brand-soft" : "rounded-[0.25rem_1.25rem_1.25rem] border border-line bg-card",
    ...others,
  );
