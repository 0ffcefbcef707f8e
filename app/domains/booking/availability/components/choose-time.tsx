import type { Minute } from "#app/domains/visit-time.ts";
import { addDays, formatDay, formatDayLong, formatDayShort, formatMonth, formatTime, monthGrid, shortTime } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { CalendarColumns, CalendarGrid, CalendarKey, ChosenSlot, MonthHead, SlotPicker } from "#app/ui/calendar.tsx";
import { Note } from "#app/ui/pieces.tsx";
import type { SessionOffer } from "../session-offer.ts";
import { sessionWord } from "../session-word.ts";

export type ChooseTimeProps = {
  view: {
    month: string;
    today: string;
    days: { date: string; free: number; total: number }[];
    date: string | null;
    slots: { time: string; state: "free" | "booked"; session?: SessionOffer }[];
    isOver: boolean;
    changeableFrom: Minute;
    previous: string | null;
    next: string | null;
  };
  /** Returns the URL of this page for another month or day. */
  address: (change: { month?: string; date?: string }) => string;
  chosen?: string | null;
  /** The appointment that is moved: its day and time are marked. */
  own?: { date: string; time: string };
};

const offerWord = ({ left, next, about }: SessionOffer) =>
  `${m.availability_tokens_left({ count: left })}. ${m.availability_next_token({ number: next, time: formatTime(about) })}`;

/** Returns the title of a page with `ChooseTime`. It contains the choice, so that screen readers announce a change. */
export function timeTitle(page: string, { month, date, days }: ChooseTimeProps["view"]) {
  const free = days.find((day) => day.date === date)?.free ?? 0;
  const shown = date ? `${formatDay(date)}, ${m.availability_day_free({ count: free })}` : formatMonth(month);
  return [{ title: m.ui_title({ page: `${page} · ${shown}` }) }];
}

/** A month of links and the slots of the chosen day as radio buttons. A day is a page load. */
export function ChooseTime({ view, address, chosen, own }: ChooseTimeProps) {
  const { month, today, days, date, slots } = view;
  const load = new Map(days.map((d) => [d.date, d]));
  const step = (to: string | null) => (to ? { to: address({ month: to }), label: formatMonth(to) } : null);
  const weeks = monthGrid(month).map((week) =>
    week.map((day) => {
      if (!day) return null;
      const { free = 0, total = 0 } = load.get(day) ?? {};
      const state = day < today ? "past" : free > 0 ? "free" : total > 0 ? "full" : "none";
      const isChosen = day === date;
      const words = {
        past: m.availability_day_past(),
        free: m.availability_day_free({ count: free }),
        full: m.availability_day_full(),
        none: m.availability_day_none(),
      };
      const label = [
        day === today && m.ui_today(),
        formatDay(day),
        isChosen && m.availability_day_chosen(),
        day === own?.date && m.availability_own(),
        words[state],
      ]
        .filter(Boolean)
        .join(", ");
      return {
        date: day,
        state,
        today: day === today,
        chosen: isChosen,
        badges: day === own?.date ? [shortTime(own.time)] : [],
        label,
        ...(state === "free" || isChosen || day === own?.date ? { to: address({ date: day }) } : {}),
      } as const;
    }),
  );
  return (
    <CalendarColumns>
      <section aria-labelledby="h-month">
        <MonthHead id="h-month" title={formatMonth(month)} previous={step(view.previous)} next={step(view.next)} />
        <CalendarGrid labelledBy="h-month" weeks={weeks} />
        <CalendarKey />
      </section>
      {/* A new key resets the chosen slot when the day changes. */}
      <section aria-labelledby="h-time" key={date}>
        <h2 id="h-time">{date ? formatDayLong(date) : m.availability_choose_day()}</h2>
        {date === null ? (
          <Note className="mt-3">
            <p>{m.availability_select_date()}</p>
            <p className="text-ink-soft">{m.availability_month_none()}</p>
          </Note>
        ) : slots.length > 0 ? (
          <>
            {!slots.some((s) => s.state === "free") && <Note className="mt-3">{m.availability_all_booked()}</Note>}
            <SlotPicker
              name="time"
              slots={slots.map((s) => ({
                time: s.time,
                ...(s.session && { name: sessionWord(s.time, s.session), hint: offerWord(s.session) }),
                taken: s.state === "booked",
                ...(date === own?.date && s.time === own.time && { why: m.availability_own() }),
              }))}
              chosen={chosen ?? null}
            />
            {slots.some((s) => s.session) && <p className="text-sm text-ink-soft mt-2">{m.availability_token_note()}</p>}
          </>
        ) : (
          <Note className="mt-3">{view.isOver ? m.availability_day_over() : m.availability_no_slots()}</Note>
        )}
      </section>
    </CalendarColumns>
  );
}

/**
 * The dock's text of a page with `ChooseTime`: the chosen day and time, and until when the patient can change it.
 * @param props.note second line until a time is chosen
 */
export function ChosenTime({ view: { date, slots, changeableFrom }, note }: { view: ChooseTimeProps["view"]; note: string }) {
  const free = date === null ? [] : slots.filter((slot) => slot.state === "free");
  const rule = (time: string) =>
    `${date} ${time}` < `${changeableFrom.date} ${changeableFrom.time}`
      ? m.availability_cancel_only()
      : m.availability_change_until({ when: `${formatDayShort(addDays(date ?? "", -1))}, ${formatTime(time)}` });
  return (
    <ChosenSlot
      slots={free.map(({ time, session }) => ({
        time,
        text: (
          <>
            <b>{`${formatDayShort(date ?? "")}, ${session ? sessionWord(time, session) : formatTime(time)}`}</b>{" "}
            <small className="text-ink-soft">{rule(time)}</small>
          </>
        ),
      }))}
    >
      <b>{date ? formatDay(date) : m.availability_choose_day()}</b> <small className="text-ink-soft">{note}</small>
    </ChosenSlot>
  );
}
