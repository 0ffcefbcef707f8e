import { useEffect } from "react";
import { href, useFetcher } from "react-router";
import { formatDay, formatDayShort, formatTime } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { AnyLink } from "#app/ui/button.tsx";
import { classes } from "#app/ui/class-names.ts";
import { Icon } from "#app/ui/icon.tsx";
import { Scroll } from "#app/ui/staff/table.tsx";
import { showToast } from "#app/ui/toast.tsx";
import { timesOf, type WeekDay } from "../week.ts";

type GridProps = { days: WeekDay[]; usual: readonly string[]; here: string; practiceId: string; now: { date: string; time: string } };

/** Seven days and their times. A press on a cell opens or closes it. */
export function WeekGrid({ days, usual, here, practiceId, now }: GridProps) {
  return (
    <Scroll label={m.week_title()} className="max-desktop:hidden">
      <table className="w-full min-w-176 table-fixed border-separate border-spacing-[3px] text-sm leading-tight">
        <thead>
          <tr>
            <th scope="col" className="p-px pb-1 align-top font-medium">
              <span className="sr-only">{m.agenda_time()}</span>
            </th>
            {days.map((day) => (
              <th key={day.date} scope="col" className="p-px pb-1 align-top font-medium">
                <b>{formatDayShort(day.date)}</b>{" "}
                <small className="block text-ink-soft">{m.week_open_count({ count: day.slots.length })}</small>{" "}
                <small className="block text-ink-soft">
                  {day.closed === "leave" ? m.week_leave() : m.week_booked_count({ count: day.booked.length })}
                </small>
                {day.away.length > 0 && <small className="block text-ink-soft">{leaveWord(day)}</small>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {timesOf(days, usual).map((time) => (
            <tr key={time}>
              <th scope="row" className="num p-px font-medium">
                {formatTime(time)}
              </th>
              {days.map((day) => (
                <td key={day.date} className="scroll-mt-24 p-0" id={`t-${day.date}-${time}`}>
                  <Cell
                    day={day}
                    time={time}
                    here={here}
                    practiceId={practiceId}
                    past={`${day.date} ${time}` < `${now.date} ${now.time}`}
                    canOpen={usual.includes(time)}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

/** Returns "Leave: Guntur Clinic". */
const leaveWord = (day: WeekDay): string => `${m.week_leave()}: ${day.away.join(", ")}`;

/** A session has more patients than fit a cell. */
const MOST_NAMES = 3;

const CELL = "flex min-h-target-min w-full items-center justify-center rounded-sm border-[1.5px] px-1 py-0.5";
const CLOSED = `${CELL} border-line bg-well text-ink-soft`;
const LEAVE = `${CELL} border-line text-ink-soft [background:repeating-linear-gradient(135deg,var(--color-haldi-soft)_0_6px,var(--color-line)_6px_8px)]`;
const BUTTON = `${CELL} cursor-pointer hover:border-brand`;
const BOOKED = "block min-h-target-min w-full truncate rounded-sm border-2 border-ink bg-card px-1 py-2.5 text-center text-ink";

type CellProps = { day: WeekDay; time: string; here: string; practiceId: string; past: boolean; canOpen: boolean };
function Cell({ day, time, here, practiceId, past, canOpen }: CellProps) {
  const fetcher = useFetcher<{ result?: { error?: Record<string, string[] | null> | null } }>();
  const problem = Object.values(fetcher.data?.result?.error ?? {}).flatMap((list) => list ?? [])[0];
  useEffect(() => {
    if (problem) showToast({ type: "error", message: problem });
  }, [problem]);
  const booked = day.booked.filter((one) => one.time === time);
  if (booked.length > MOST_NAMES)
    return (
      <AnyLink
        className={BOOKED}
        to={`${href("/doctor/appointments")}?${new URLSearchParams({ view: "agenda", day: day.date })}`}
        aria-label={`${formatDay(day.date)}, ${formatTime(time)}, ${m.week_booked_count({ count: booked.length })}`}
      >
        {m.week_booked_count({ count: booked.length })}
      </AnyLink>
    );
  if (booked.length)
    return booked.map(({ id, name }) => (
      <AnyLink key={id} className={BOOKED} to={href("/doctor/patient/:id", { id })}>
        <span className="sr-only">{m.week_booked_by()} </span>
        {name}
      </AnyLink>
    ));
  // Shows the result of the press before the server answers.
  const pressed = fetcher.formData?.get("intent");
  const open = pressed ? pressed === "open" : day.slots.includes(time);
  const place = open ? day.elsewhere[time] : undefined;
  const when = [formatDay(day.date), formatTime(time), place].filter(Boolean).join(", ");
  if (past || (!open && (day.closed || !canOpen)))
    return (
      <span className={day.closed === "leave" ? LEAVE : CLOSED}>
        <span className="sr-only">{open ? m.week_open() : day.closed === "leave" ? m.week_leave() : m.week_closed()}</span>
      </span>
    );
  return (
    <fetcher.Form method="post" action={here}>
      <input type="hidden" name="intent" value={open ? "close" : "open"} />
      <input type="hidden" name="date" value={day.date} />
      <input type="hidden" name="time" value={time} />
      <input type="hidden" name="practiceId" value={practiceId} />
      <button
        type="submit"
        className={`${BUTTON} ${open ? "border-brand bg-brand-soft text-brand-strong" : "border-line-strong bg-well text-ink-soft"}`}
        aria-label={open ? m.week_close_of({ when }) : m.week_open_of({ when })}
      >
        {open ? <Icon name="check" small /> : "–"}
        {place && <small className="block max-w-28 truncate">{place}</small>}
      </button>
    </fetcher.Form>
  );
}

const LINE = "flex min-h-14 flex-wrap items-center gap-x-3 border-b border-line text-inherit no-underline";

/** The same week for narrow screens: one line per day, which opens the page of that day. */
export function WeekLines({ days }: { days: WeekDay[] }) {
  return (
    <ul className="desktop:hidden">
      {days.map((day) => (
        <li key={day.date}>
          {day.closed === "past" || day.closed === "far" ? (
            <span className={classes(LINE, "text-ink-soft")}>
              <b className="w-26">{formatDayShort(day.date)}</b> <span className="grow">{dayLine(day)}</span>
            </span>
          ) : (
            <AnyLink className={LINE} to={href("/doctor/availability/change/:date", { date: day.date })}>
              <b className="w-26">{formatDayShort(day.date)}</b> <span className="grow">{dayLine(day)}</span>
              <Icon name="chevron-right" small />
            </AnyLink>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Returns "15 times, 2 booked, 9:00 AM to 5:00 PM". */
function dayLine(day: WeekDay): string {
  const [first, last] = [day.slots[0], day.slots.at(-1)];
  const parts = [
    day.closed === "leave" ? m.week_leave() : day.away.length > 0 && leaveWord(day),
    day.slots.length > 0 ? m.week_times({ count: day.slots.length }) : day.closed !== "leave" && m.week_closed(),
    day.booked.length > 0 && m.week_booked_count({ count: day.booked.length }),
    first && last && m.week_span({ from: formatTime(first), to: formatTime(last) }),
  ];
  return parts.filter(Boolean).join(", ");
}
