import { MARK } from "#app/lib/mark.ts";
import { m } from "#app/paraglide/messages.js";
import { classes } from "./class-names.ts";

const WORD =
  "M44 25V11.5M44 17a5.5 5.5 0 0 1 11 0v8M73.5 11.5V25M73.5 18.2a6.6 6.6 0 1 1-13.2 0 6.6 6.6 0 0 1 13.2 0M92 5v20M92 18.2a6.6 6.6 0 1 1-13.2 0 6.6 6.6 0 0 1 13.2 0M99 11.5V25";

/** The letters, hidden in a folded side bar. */
const LETTERS = "folded:hidden";

/** The logo; `mark`: the leaf without the name. */
export function Logo({ mark, className }: { mark?: boolean; className?: string }) {
  return (
    <svg
      className={classes("h-8 w-auto flex-none self-start text-ink", className)}
      viewBox={mark ? "0 0 32 32" : "0 0 106 32"}
      fill="none"
      stroke="currentColor"
      strokeWidth="3.4"
      strokeLinecap="round"
      strokeLinejoin="round"
      role="img"
      aria-label={m.common_app_name()}
    >
      <path className="fill-brand stroke-none" d={MARK} />
      {!mark && <path className={LETTERS} d={WORD} />}
      {!mark && (
        <path
          className={classes(LETTERS, "fill-[#e09a00] stroke-none")}
          d="M97 7.8V5.6A3.6 3.6 0 0 1 100.6 2h2.2v2.2A3.6 3.6 0 0 1 99.2 7.8Z"
        />
      )}
    </svg>
  );
}

/** The pulse line, which marks the current place only. `short`: without the line. */
export const Beat = ({ short, className }: { short?: boolean; className?: string }) => (
  <i className={classes("beat", short && "short", className)} />
);
