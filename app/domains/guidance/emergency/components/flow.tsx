import type { ReactNode } from "react";
import { classes } from "#app/ui/class-names.ts";

/** A numbered list in large lines, for a user in a hurry. */
export const Flow = ({ children }: { children: ReactNode }) => <ol className="mt-2">{children}</ol>;

/** `number`: shown in a circle. `action`: the button at the end of the line. */
export function FlowItem({ number, action, children }: { number?: number; action?: ReactNode; children: ReactNode }) {
  return (
    <li className={classes("flex items-start gap-3.5 border-b border-line py-3", action ? "max-narrow:flex-wrap" : undefined)}>
      {number !== undefined && (
        <span className="grid size-[2.1em] flex-none place-items-center rounded-full border-2 border-line-strong font-bold">{number}</span>
      )}
      <div className="grow wrap-anywhere">{children}</div>
      {action}
    </li>
  );
}
