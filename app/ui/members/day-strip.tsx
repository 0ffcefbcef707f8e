import { formatDay, monthShort, weekdayHeads, weekdayOf } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { AnyLink } from "../button.tsx";
import { classes } from "../class-names.ts";
import { Icon } from "../icon.tsx";

/** A day of a strip. `text`: "6 free". `struck`: nothing is free. `to`: what a press opens; without it the day cannot be chosen. */
export type StripDay = { date: string; text: string; struck?: boolean; chosen?: boolean; to?: string };

const CELL = "flex min-h-19 flex-col items-center justify-center rounded-md px-0.5 py-1 text-center leading-tight";

/**
 * The next days as one row or two, and perhaps a link as the last cell. Two columns at 200 % text.
 * @param props.today its weekday is "Today"
 */
export function DayStrip({
  label,
  days,
  today,
  more,
}: {
  label: string;
  days: StripDay[];
  today: string;
  more: { to: string; label: string } | null;
}) {
  return (
    <ul
      className="m-0 grid list-none grid-cols-[repeat(auto-fill,minmax(4.6em,1fr))] gap-2 p-0 desktop:grid-cols-8"
      aria-label={label}
      data-strip
    >
      {days.map((day) => (
        <li key={day.date} className="grid">
          <Day {...day} isToday={day.date === today} />
        </li>
      ))}
      {more && (
        <li className="grid">
          <AnyLink
            to={more.to}
            preventScrollReset
            className={classes(CELL, "border-[1.5px] border-dashed border-brand-strong text-sm font-bold text-brand-strong no-underline")}
          >
            <Icon name="calendar-days" /> {more.label}
          </AnyLink>
        </li>
      )}
    </ul>
  );
}

function Day({ date, text, struck, chosen, to, isToday }: StripDay & { isToday: boolean }) {
  const look = classes(
    CELL,
    chosen
      ? "bg-brand text-on-brand no-underline forced-colors:outline-3 forced-colors:outline-[Highlight]"
      : to && !struck
        ? "border-[1.5px] border-brand-strong bg-brand-soft text-ink no-underline hover:shadow-[inset_0_0_0_2px_var(--color-brand)]"
        : "bg-well text-ink-soft no-underline",
  );
  const inside = (
    <>
      <span className="text-sm" aria-hidden="true">
        {isToday ? m.ui_today() : weekdayHeads()[weekdayOf(date)]}
      </span>{" "}
      <span className="sr-only">
        {[isToday && m.ui_today(), formatDay(date), chosen && m.availability_day_chosen()].filter(Boolean).join(", ")},{" "}
      </span>
      <b className={classes("tabular-nums", struck && "line-through", (!to || struck) && !chosen && "font-normal")} aria-hidden="true">
        {`${Number(date.slice(8))} ${monthShort(date)}`}
      </b>{" "}
      <small className="text-sm">{text}</small>
    </>
  );
  return to ? (
    <AnyLink to={to} className={look} aria-current={chosen ? "date" : undefined}>
      {inside}
    </AnyLink>
  ) : (
    <span className={look} aria-current={chosen ? "date" : undefined}>
      {inside}
    </span>
  );
}
