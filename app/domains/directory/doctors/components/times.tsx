import type { ReactNode } from "react";
import { formatTime } from "#app/lib/dates.ts";
import { AnyLink } from "#app/ui/button.tsx";
import { classes } from "#app/ui/class-names.ts";

/** The next free times of a doctor, each a link to its booking. */
export const Times = ({ className, children }: { className?: string; children: ReactNode }) => (
  <p className={classes("times", className)}>{children}</p>
);

/** `day`: shown above the time. In Telugu "మధ్యాహ్నం" fits, and two links share a line of 320 px. */
export const TimeLink = ({ to, date, time, day }: { to: string; date: string; time: string; day?: string }) => (
  <AnyLink to={to} rel="nofollow">
    {day && <small>{day}</small>} <time dateTime={`${date}T${time}+05:30`}>{formatTime(time)}</time>
  </AnyLink>
);
