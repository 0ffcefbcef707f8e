import type { ReactNode } from "react";
import { classes } from "../class-names.ts";
import { Icon, type IconName } from "../icon.tsx";

const COLORS = { done: "text-ok", now: "text-brand", todo: "text-line-strong", bad: "text-sos-strong" };

/** A step of an `<ol>`: its icon on the line that leads to the next. */
export const TrailStep = ({ state, icon, children }: { state: keyof typeof COLORS; icon: IconName; children: ReactNode }) => (
  <li
    className="relative pb-4 pl-9 desktop:pb-3 before:absolute before:top-2 before:-bottom-2 before:left-[0.7rem] before:w-0.5 before:bg-line last:before:hidden"
    aria-current={state === "now" ? "step" : undefined}
  >
    <Icon name={icon} className={classes("absolute top-0 left-0 bg-card", COLORS[state])} />
    {children}
  </li>
);
