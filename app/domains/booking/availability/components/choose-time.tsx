import type { Minute } from "#app/domains/visit-time.ts";
import {
  addDays,
  formatDay,
  formatDayLong,
  formatDayShort,
  formatMonth,
  formatTime,
  monthGrid,
  monthOf,
  shortTime,
} from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { CalendarGrid, CalendarKey, ChosenSlot, MonthHead, SlotPicker } from "#app/ui/calendar.tsx";
import { DayStrip } from "#app/ui/members/day-strip.tsx";
import { Note } from "#app/ui/pieces.tsx";
import type { SessionOffer } from "../session-offer.ts";
import { sessionWord } from "../session-word.ts";

type Load = { date: string; free: number; total: number; tokens: boolean };
export type ChooseTimeProps = {
  view: {
    today: string;
    strip: Load[];
    /** Days of the strip without times on which the doctor is on leave. */
    away: string[];
    month: { key: string; days: Load[]; previous: string | null; next: string | null } | null;
    date: string | null;
    slots: { time: string; state: "free" | "booked"; session?: SessionOffer }[];
    isOver: boolean;
    changeableFrom: Minute;
  };
  /** Returns the URL of this page for another month or day. */
  address: (change: { month?: string; date?: string }) => string;
  /** Returns the URL of the waitlist of a full day. */
  waitlist?: (date: string) => string;
  chosen?: string | null;
  /** The appointment that is moved: its day and time are marked. */
  own?: { date: string; time: string };
};

/** The strip shows today and the six days after it. */
const DAYS = 7;

const offerWord = ({ left, next, about }: SessionOffer) =>
  `${m.availability_tokens_left({ count: left })}. ${m.availability_next_token({ number: next, time: formatTime(about) })}`;

/** Returns the title of a page with `ChooseTime`. It contains the choice, so that screen readers announce a change. */
export function timeTitle(page: string, { month, date, slots }: ChooseTimeProps["view"]) {
  const shown = date ? `${formatDay(date)}, ${m.availability_day_free({ count: freeOf(slots).length })}` : month && formatMonth(month.key);
  return [{ title: m.ui_title({ page: [page, shown].filter(Boolean).join(" · ") }) }];
}

const freeOf = (slots: ChooseTimeProps["view"]["slots"]) => slots.filter((slot) => slot.state === "free");

/** The next days as links, the month on request, and the free slots of the chosen day as radio buttons. A day is a page load. */
export function ChooseTime(props: ChooseTimeProps) {
  const { view, chosen, own } = props;
  const { date, slots } = view;
  const free = freeOf(slots);
  // Of the booked ones only what the patient knows: their own, and a choice that another patient was faster with.
  const shown = slots.filter((slot) => slot.state === "free" || slot.time === chosen || (date === own?.date && slot.time === own.time));
  return (
    <div className="space-y-5 pb-6">
      <section aria-labelledby="h-day">
        <h2 id="h-day" className="mb-3 text-xl">
          {m.availability_when()}
        </h2>
        <Strip {...props} />
        {view.month && <Month {...props} month={view.month} />}
      </section>
      {/* A new key resets the chosen slot when the day changes. */}
      <section aria-labelledby="h-time" key={date}>
        <h2 id="h-time">
          {date === null
            ? m.availability_choose_day()
            : free.length > 0
              ? m.availability_day_times({ day: formatDayLong(date), count: free.length })
              : formatDayLong(date)}
        </h2>
        {date === null ? (
          <Note className="mt-3">
            <p>{m.availability_select_date()}</p>
            <p className="text-ink-soft">{m.availability_month_none()}</p>
          </Note>
        ) : slots.length > 0 ? (
          <>
            {free.length === 0 && <Note className="mt-3">{m.availability_all_booked()}</Note>}
            <SlotPicker
              name="time"
              slots={shown.map((s) => ({
                time: s.time,
                ...(s.session && { name: sessionWord(s.time, s.session), hint: offerWord(s.session) }),
                ...(s.state === "booked" && { taken: true, why: m.availability_slot_booked() }),
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
    </div>
  );
}

/** Today and the six days after it. A full day opens its waitlist, if it has one. The month can be hidden while one of them can be chosen. */
function Strip({ view: { today, strip, away, month, date }, address, waitlist, own }: ChooseTimeProps) {
  const load = new Map(strip.map((day) => [day.date, day]));
  const days = Array.from({ length: DAYS }, (_, i) => addDays(today, i)).map((day) => {
    const { free = 0, total = 0, tokens = false } = load.get(day) ?? {};
    const isFull = free === 0 && total > 0;
    const isOwn = day === own?.date;
    const to = isFull && !isOwn && waitlist && !tokens ? waitlist(day) : total > 0 || isOwn ? address({ date: day }) : null;
    return {
      date: day,
      text: isOwn
        ? m.availability_own()
        : isFull
          ? m.availability_strip_full()
          : free
            ? m.availability_day_free({ count: free })
            : away.includes(day)
              ? m.availability_strip_closed()
              : m.availability_strip_none(),
      struck: isFull && !isOwn,
      chosen: day === date,
      ...(to !== null && { to }),
    };
  });
  // A later day would open the month again.
  const kept = date !== null && date <= days.at(-1)!.date ? date : strip.find((day) => day.free > 0)?.date;
  const hide = kept ? { to: address({ date: kept }), label: m.availability_hide_month() } : null;
  const show = { to: address({ month: monthOf(date ?? today), ...(date && { date }) }), label: m.availability_show_month() };
  return <DayStrip label={m.availability_days()} days={days} today={today} more={month ? hide : show} />;
}

/** A month of links. Its days keep it open. */
function Month({ view: { today, date }, month, address, own }: ChooseTimeProps & { month: NonNullable<ChooseTimeProps["view"]["month"]> }) {
  const load = new Map(month.days.map((d) => [d.date, d]));
  const step = (to: string | null) => (to ? { to: address({ month: to }), label: formatMonth(to) } : null);
  const weeks = monthGrid(month.key).map((week) =>
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
        ...(state === "free" || isChosen || day === own?.date ? { to: address({ month: month.key, date: day }) } : {}),
      } as const;
    }),
  );
  return (
    <div className="mt-4 max-w-md" id="month">
      <MonthHead id="h-month" title={formatMonth(month.key)} previous={step(month.previous)} next={step(month.next)} />
      <CalendarGrid labelledBy="h-month" weeks={weeks} />
      <CalendarKey />
    </div>
  );
}

/**
 * The dock's text of a page with `ChooseTime`: the chosen day and time, and until when the patient can change it.
 * @param props.note second line until a time is chosen
 */
export function ChosenTime({ view: { date, slots, changeableFrom }, note }: { view: ChooseTimeProps["view"]; note: string }) {
  const free = date === null ? [] : freeOf(slots);
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
