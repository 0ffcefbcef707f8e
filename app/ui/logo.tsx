import { m } from "#app/paraglide/messages.js";
import { classes } from "./class-names.ts";

/** The leaf with the pulse, on 32 × 32. */
export const MARK =
  "M2 19.1 8.43 19.1 12.22 5.3 19.02 18.9 21.43 10.1 30 10.1V3.5A1.5 1.5 0 0 0 28.5 2H19A17 17 0 0 0 2 19.1ZM30 12.9 23.57 12.9 19.78 26.7 12.98 13.1 10.57 21.9 2 21.9V28.5A1.5 1.5 0 0 0 3.5 30H13A17 17 0 0 0 30 12.9Z";
const WORD =
  "M44 25V11.5M44 17a5.5 5.5 0 0 1 11 0v8M73.5 11.5V25M73.5 18.2a6.6 6.6 0 1 1-13.2 0 6.6 6.6 0 0 1 13.2 0M92 5v20M92 18.2a6.6 6.6 0 1 1-13.2 0 6.6 6.6 0 0 1 13.2 0M99 11.5V25";

/** The mark with the name; `mark`: the leaf alone. */
export function Logo({ mark, className }: { mark?: boolean; className?: string }) {
  return (
    <svg className={classes("logo", className)} viewBox={mark ? "0 0 32 32" : "0 0 106 32"} role="img" aria-label={m.common_app_name()}>
      <path className="k" d={MARK} />
      {!mark && <path className="word" d={WORD} />}
      {!mark && <path className="y word" d="M97 7.8V5.6A3.6 3.6 0 0 1 100.6 2h2.2v2.2A3.6 3.6 0 0 1 99.2 7.8Z" />}
    </svg>
  );
}

/** The beat marks where you are now, and nothing else. `short`: the pulse without its line. */
export function Beat({ short }: { short?: boolean }) {
  return <i className={short ? "beat short" : "beat"} />;
}
