import { formatDay, formatDayOfMonth, formatTime } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { FREE_TIMES, type FreeTime, timeValue } from "../proposal-times.ts";

type FreeTimeSelectProps = {
  id: string;
  name: string;
  label: string;
  free: FreeTime[];
  /** The chosen time. Without one the first entry is empty. */
  chosen?: FreeTime | undefined;
  /** Before each value. */
  prefix?: string;
  /** Label of the empty entry. */
  empty?: string;
};

/** A choice of free times by day, whose heading has the weekday: Telugu is too long for both on a phone. Names the place where there are several. */
export function FreeTimeSelect({ id, name, label, free, chosen, prefix = "", empty }: FreeTimeSelectProps) {
  // The last day of a full list may have more times than the list.
  const cut = free.length < FREE_TIMES ? undefined : free.at(-1)?.date;
  const several = new Set(free.map(({ practiceId }) => practiceId)).size > 1;
  return (
    <p className="field full">
      <label className="label" htmlFor={id}>
        {label}
      </label>
      <select className="input" id={id} name={name} defaultValue={chosen ? prefix + timeValue(chosen) : ""}>
        {empty !== undefined && <option value="">{empty}</option>}
        {[...Map.groupBy(free, ({ date }) => date)].map(([date, times]) => (
          <optgroup key={date} label={date === cut ? formatDay(date) : m.caller_day_free({ day: formatDay(date), count: times.length })}>
            {times.map((slot) => (
              <option key={slot.time} value={prefix + timeValue(slot)}>
                {[`${formatDayOfMonth(date)}, ${formatTime(slot.time)}`, several && slot.place].filter(Boolean).join(", ")}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
    </p>
  );
}
