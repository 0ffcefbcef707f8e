import type { ReactNode } from "react";
import { addDays, formatDayShort, formatTime, type PartOfDay, partOfDay } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { Button } from "#app/ui/button.tsx";
import { SlotGrid } from "#app/ui/calendar.tsx";
import { SlotPick } from "#app/ui/members/pick.tsx";
import { Note } from "#app/ui/pieces.tsx";
import { Toolbar, ToolbarChips, ToolbarField, ToolbarForm, toolbarInput } from "#app/ui/staff/toolbar.tsx";
import type { CallerView } from "../caller-times.ts";
import { timeValue } from "../proposal-times.ts";

type FreeDaysProps = {
  view: CallerView;
  /** The page's URL, without the day. */
  path: string;
  /** Fields of the page's URL. */
  fixed: Record<string, string>;
  /** The page's URL at another day. */
  address: (day: string) => string;
  children?: ReactNode;
};

/** The next days with free times, each with its weekday and how many are free, and a date for days further ahead. */
export const FreeDays = ({ view: { day, days, today }, path, fixed, address, children }: FreeDaysProps) => (
  <Toolbar>
    {children}
    <ToolbarChips
      label={m.caller_day()}
      chips={days.map(({ date, free }) => ({
        to: address(date),
        label: m.caller_day_free({ day: dayWord(date, today), count: free }),
        current: date === day,
      }))}
    />
    <ToolbarForm action={path} key={day}>
      {Object.entries(fixed).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <ToolbarField label={m.caller_other_day()}>
        <input className={toolbarInput} type="date" name="day" min={today} defaultValue={day ?? today} required />
      </ToolbarField>
      <Button type="submit" variant="second" size="sm">
        {m.agenda_do_show()}
        <span className="sr-only"> {m.caller_other_day()}</span>
      </Button>
    </ToolbarForm>
  </Toolbar>
);

/** Returns "Today", "Tomorrow" or the weekday and the day. */
export const dayWord = (date: string, today: string) =>
  date === today ? m.ui_today() : date === addDays(today, 1) ? m.ui_tomorrow() : formatDayShort(date);

const PARTS: Record<PartOfDay, () => string> = {
  morning: () => m.ui_morning(),
  afternoon: () => m.ui_afternoon(),
  evening: () => m.ui_evening(),
};

/** `value`: what the choice of a time sends, otherwise day and time. */
type ShownTimes = Pick<CallerView, "places"> & { times: (CallerView["times"][number] & { value?: string })[] };
type TimesProps = { view: ShownTimes; name: string; chosen: readonly string[]; several?: boolean; required?: boolean };

/** The free times of the shown day with their place where there are several, by part of day: radio buttons, or boxes where several can be chosen. */
export function FreeTimesOfDay({ view: { times, places }, name, chosen, several = false, required = false }: TimesProps) {
  if (!times.length) return <Note>{m.caller_day_full()}</Note>;
  return [...Map.groupBy(times, ({ time }) => partOfDay(time))].map(([part, own]) => (
    <div key={part} className="mt-3" role="group" aria-label={PARTS[part]()}>
      <p className="text-ink-soft">{PARTS[part]()}</p>
      <SlotGrid>
        {own.map((at) => (
          <SlotPick
            key={timeValue(at)}
            type={several ? "checkbox" : "radio"}
            name={name}
            value={at.value ?? timeValue(at)}
            defaultChecked={chosen.includes(at.value ?? timeValue(at))}
            required={required}
          >
            {formatTime(at.time)} {places && <small>{at.place ?? m.practices_no_place()}</small>}
          </SlotPick>
        ))}
      </SlotGrid>
    </div>
  ));
}
