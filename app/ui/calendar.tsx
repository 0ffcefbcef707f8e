/** A month as a table of links, and the slots of a day as radio buttons. */
import type { FormEvent, ReactNode } from "react";
import { formatTime, type PartOfDay, partOfDay, weekdayHeads } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { AnyLink, IconButton } from "./button.tsx";
import { classes } from "./class-names.ts";
import { Icon } from "./icon.tsx";

/** A day. `free` needs `to`; a day with `to` can be chosen. `label` replaces number and badges for screen readers. */
export type CalendarDay = {
  date: string;
  /** "none": no slots. */
  state: "free" | "full" | "past" | "none";
  today?: boolean;
  chosen?: boolean;
  to?: string;
  label?: string;
  /** Short texts below the number ("10:30"). Shows two, then the number of others. */
  badges?: string[];
};

/** The head of a month with links to the previous and next month; `null`: none. */
export function MonthHead({
  id,
  title,
  previous,
  next,
}: {
  id: string;
  title: string;
  previous: { to: string; label: string } | null;
  next: { to: string; label: string } | null;
}) {
  return (
    <div className="row flex-wrap mb-1">
      <h2 id={id} className="grow">
        {title}
      </h2>
      <MonthStep icon="chevron-left" step={previous} />
      <MonthStep icon="chevron-right" step={next} />
    </div>
  );
}
function MonthStep({ icon, step }: { icon: "chevron-left" | "chevron-right"; step: { to: string; label: string } | null }) {
  if (step) return <IconButton icon={icon} to={step.to} label={step.label} />;
  return (
    <span className="icon-btn opacity-35" aria-hidden="true">
      <Icon name={icon} />
    </span>
  );
}

/** The weeks of a month, Sunday first; `null`: a day of another month. On a phone, past weeks at the start are hidden. `labelledBy`: the id of the head. */
export function CalendarGrid({ labelledBy, weeks }: { labelledBy: string; weeks: (CalendarDay | null)[][] }) {
  // Hides only weeks at the start: a gap between weeks would look like an error.
  const first = weeks.every((week) => week.every((day) => !day || day.state === "past")) ? 0 : weeks.findIndex((week) => !isGone(week));
  return (
    <table className="cal" aria-labelledby={labelledBy}>
      <thead>
        <tr>
          {weekdayHeads().map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a week is its place in the month
          <tr key={i} className={i < first ? "gone" : undefined}>
            {week.map((day, weekday) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a day is its weekday
              <td key={weekday}>{day && <Day {...day} />}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
const isGone = (week: (CalendarDay | null)[]) => week.every((day) => !day || (day.state === "past" && !day.chosen && !day.badges?.length));

function Day({ date, state, today, chosen, to, label, badges = [] }: CalendarDay) {
  const look = classes(state === "past" && "past", state === "full" && "full", today && "now", badges.length > 0 && "has");
  const inside: ReactNode = (
    <>
      <span aria-hidden={label ? true : undefined}>{Number(date.slice(8))}</span> {label && <span className="sr-only">{label}</span>}
      {badges.slice(0, 2).map((badge) => (
        <small key={badge} aria-hidden={label ? true : undefined}>
          {` ${badge}`}
        </small>
      ))}
      {badges.length > 2 && <small aria-hidden={label ? true : undefined}>{` +${badges.length - 2}`}</small>}
    </>
  );
  return to ? (
    <AnyLink className={look} to={to} aria-current={chosen ? "date" : undefined}>
      {inside}
    </AnyLink>
  ) : (
    <span className={look} aria-current={chosen ? "date" : undefined}>
      {inside}
    </span>
  );
}

/** Legend of the calendar's colours. */
export function CalendarKey() {
  return (
    <p className="key">
      <span>{m.ui_key_free()}</span> <span className="before:bg-brand">{m.ui_key_chosen()}</span>{" "}
      <span className="before:bg-well before:border before:border-line">{m.ui_key_full()}</span>{" "}
      <span className="k4">{m.ui_key_today()}</span>
    </p>
  );
}

/** A slot ("10:30"). `taken`: cannot be chosen, because of `why` or because it is booked. `name`: shown instead of the time, with a `hint` below. */
export type SlotChoice = { time: string; taken?: boolean; why?: string; name?: string; hint?: string };

const nameOf = ({ name, time }: SlotChoice) => name ?? formatTime(time);

const PARTS: { part: PartOfDay; name: () => string }[] = [
  { part: "morning", name: () => m.ui_morning() },
  { part: "afternoon", name: () => m.ui_afternoon() },
  { part: "evening", name: () => m.ui_evening() },
];

/** Sets the validation message in the page's language instead of the browser's. */
const setOwnMessage = ({ currentTarget }: FormEvent<HTMLInputElement>) => currentTarget.setCustomValidity(m.ui_choose_time());
function askNoMore({ currentTarget: { form, name } }: FormEvent<HTMLInputElement>) {
  for (const radio of form?.querySelectorAll<HTMLInputElement>(`input[name="${name}"]`) ?? []) radio.setCustomValidity("");
}

/**
 * The slots of a day as radio buttons under Morning, Afternoon and Evening. Booked ones are folded below. The nth slot that can be
 * chosen has the id `slot-n`, for `<ChosenSlot>`.
 */
export function SlotPicker({
  name,
  slots,
  chosen,
  describedBy,
}: {
  name: string;
  slots: SlotChoice[];
  chosen?: string | null;
  describedBy?: string;
}) {
  const free = slots.filter((slot) => !slot.taken);
  const booked = slots.filter((slot) => slot.taken && !slot.why);
  const parts = PARTS.map(({ part, name: nameOfPart }) => {
    const inPart = slots.filter((slot) => partOfDay(slot.time) === part && !booked.includes(slot));
    if (inPart.length === 0) return null;
    return (
      <fieldset key={part} className="part" aria-describedby={describedBy}>
        <legend>{nameOfPart()}</legend>
        <div className="slots">
          {inPart.map((slot) => (
            <label key={slot.time} className={slot.name ? "slot session" : "slot"}>
              <input
                type="radio"
                id={slot.taken ? undefined : `slot-${free.indexOf(slot) + 1}`}
                name={name}
                value={slot.time}
                required
                onInvalid={setOwnMessage}
                onChange={askNoMore}
                defaultChecked={slot.time === chosen && !slot.taken}
                disabled={slot.taken}
              />
              {slot.taken ? (
                <span>
                  <b>{nameOf(slot)}</b> <small>{slot.why}</small>
                </span>
              ) : (
                <span>
                  {nameOf(slot)} {slot.hint && <small>{slot.hint}</small>}
                </span>
              )}
            </label>
          ))}
        </div>
      </fieldset>
    );
  });
  return (
    <>
      {parts}
      {booked.length > 0 && (
        <details className="mt">
          <summary>{m.ui_slots_booked({ count: booked.length })}</summary>
          <p className="small soft">{booked.map(nameOf).join(", ")}</p>
        </details>
      )}
    </>
  );
}

/**
 * Repeats the chosen slot of a `<SlotPicker>` in the same form, for example in a dock. CSS shows one of the texts, also without
 * JavaScript. All have one place, so that a choice moves nothing.
 * @param props.slots the text of each slot that can be chosen, in order
 * @param props.children shown until a slot is chosen
 */
export function ChosenSlot({ slots, children }: { slots: { time: string; text: ReactNode }[]; children: ReactNode }) {
  return (
    <div className="grow chosen" aria-live="polite">
      {slots.map(({ time, text }, i) => (
        <p key={time} data-slot={i + 1}>
          {text}
        </p>
      ))}
      <p data-slot={0}>{children}</p>
    </div>
  );
}
