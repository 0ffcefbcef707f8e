/** Radio buttons and checkboxes that look like boxes. The native control lies over the box and stays what is pressed. */
import type { ComponentProps } from "react";
import { classes } from "../class-names.ts";

const INPUT = "peer absolute inset-0 m-0 size-full cursor-[inherit] opacity-0";
/** `focus-ring`: app/styles/members.css. */
const STATES = "peer-focus-visible:focus-ring forced-colors:peer-checked:[outline:3px_solid_Highlight]";

const FRAME =
  "items-center border-[1.5px] border-line-strong bg-card peer-checked:border-brand peer-checked:bg-brand-soft peer-checked:shadow-[inset_0_0_0_1px_var(--color-brand)]";
const LOOKS = {
  card: ["min-h-14 gap-3.5 px-4 py-3 max-narrow:gap-2 max-narrow:px-2", FRAME],
  /** Beside others in one row. */
  small: ["min-h-target gap-2.5 px-3 py-1.5", FRAME],
  /** Beside others, with a small mark. */
  column: ["min-h-14 gap-1.5 p-2", FRAME],
  /** Without a frame: a sentence that is agreed to, a list of many. */
  plain: ["min-h-14 items-start gap-3.5 py-2 max-narrow:gap-2 max-narrow:px-2"],
  /** The mark alone: its text is for screen readers. */
  mark: ["min-h-target-min items-center px-2.5"],
};
const RADIO = "before:rounded-full peer-checked:before:border-brand";
const LARGE_RADIO = "before:size-6 peer-checked:before:border-8";
const SMALL_RADIO = "before:size-5 peer-checked:before:border-[0.4rem]";
const CHECKBOX =
  "before:size-6 before:rounded-[0.375rem] peer-checked:before:border-0 peer-checked:before:bg-brand peer-checked:before:[-webkit-mask:var(--check)] peer-checked:before:[mask:var(--check)] forced-colors:peer-checked:before:bg-[Highlight] forced-colors:peer-checked:before:forced-color-adjust-none";

type PickProps = { type: "radio" | "checkbox" } & Omit<ComponentProps<"input">, "type">;

/** One choice: `type="radio"` of several, or a checkbox. */
export const Pick = ({ look = "card", className, children, ...input }: PickProps & { look?: keyof typeof LOOKS }) => (
  <label className={classes("relative block cursor-pointer", look === "column" && "min-w-min flex-[1_1_6.25rem]", className)}>
    <input {...input} className={INPUT} />
    <span
      className={classes(
        "flex h-full rounded-md max-narrow:wrap-anywhere *:min-w-0 before:flex-none before:border-2 before:border-line-strong before:bg-card",
        // A column is as wide as its longest word.
        look === "column" ? "*:wrap-break-word max-narrow:*:wrap-anywhere" : "*:wrap-anywhere",
        ...LOOKS[look],
        input.type === "radio" ? classes(RADIO, look === "column" ? SMALL_RADIO : LARGE_RADIO) : CHECKBOX,
        STATES,
      )}
    >
      {children}
    </span>
  </label>
);

const FREE = "border-line-strong bg-card font-bold peer-checked:border-brand peer-checked:bg-brand peer-checked:text-on-brand";
const TAKEN = "cursor-not-allowed border-transparent bg-well text-ink-soft";
/** A time of a day ("10:30"), with small text below. */
export const SlotPick = ({ className, inside, children, ...input }: PickProps & { inside?: string | undefined }) => (
  <label className={classes("relative block cursor-pointer", className)} data-slot>
    <input {...input} className={INPUT} />
    <span
      className={classes(
        "grid min-h-13 place-content-center rounded-md border-[1.5px] px-1.5 text-center leading-[var(--tight,1.15)] tabular-nums",
        "[&_small]:text-xs [&_small]:font-normal",
        input.disabled ? TAKEN : FREE,
        STATES,
        inside,
      )}
    >
      {children}
    </span>
  </label>
);
