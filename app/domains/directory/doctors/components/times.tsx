import type { ReactNode } from "react";
import { bookingPath } from "#app/lib/booking-paths.ts";
import { formatTime } from "#app/lib/dates.ts";
import { AnyLink } from "#app/ui/button.tsx";
import { classes } from "#app/ui/class-names.ts";
import { dayWord } from "../free-word.ts";

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

/** The next free times of a doctor. Each opens the last step before the booking. */
export const BookingTimes = ({
  doctorId,
  times,
  today,
  className,
}: {
  doctorId: string;
  times: { date: string; time: string }[];
  today: string;
  className?: string;
}) => (
  <Times {...(className && { className })}>
    {times.map(({ date, time }) => (
      <TimeLink key={date + time} to={bookingPath({ doctorId, date, time })} date={date} time={time} day={dayWord(date, today)} />
    ))}
  </Times>
);
