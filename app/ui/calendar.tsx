/** A month as a table of links, and the slots of a day as radio buttons. */
import type { FormEvent, ReactNode } from "react";
import { formatTime, type PartOfDay, partOfDay, weekdayHeads } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { AnyLink, IconButton } from "./button.tsx";
import { classes } from "./class-names.ts";
import { Icon } from "./icon.tsx";
import { Beat } from "./logo.tsx";
import { SlotPick } from "./members/pick.tsx";

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
    <table
      className="w-full table-fixed border-separate border-spacing-0.5 text-center tabular-nums"
      data-calendar
      aria-labelledby={labelledBy}
    >
      <thead>
        <tr>
          {weekdayHeads().map((head) => (
            <th key={head} scope="col" className="py-1 text-[min(var(--text-sm),4vw)] font-medium text-ink-soft">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a week is its place in the month
          <tr key={i} className={i < first ? "max-desktop:hidden" : undefined}>
            {week.map((day, weekday) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a day is its weekday
              <td key={weekday} className="p-0">
                {day && <Day {...day} />}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
const isGone = (week: (CalendarDay | null)[]) => week.every((day) => !day || (day.state === "past" && !day.chosen && !day.badges?.length));

function Day({ date, state, today, chosen, to, label, badges = [] }: CalendarDay) {
  const look = classes(
    "relative grid place-items-center rounded-md text-[min(1.125rem,5.7vw)]",
    badges.length > 0 ? "min-h-target py-1" : "h-target",
    today && (badges.length > 0 ? "pb-4" : "pb-1.5"),
    chosen
      ? "bg-brand text-on-brand forced-colors:outline-3 forced-colors:outline-[Highlight]"
      : classes(to ? "text-ink" : "text-ink-soft", state === "full" ? "bg-well" : to && "bg-brand-soft"),
    state === "past" ? "opacity-[0.82]" : to && "font-bold",
    to && "no-underline hover:shadow-[inset_0_0_0_2px_var(--color-brand)]",
    state === "full" && "line-through",
  );
  const badgeLook = "text-[min(var(--text-xs),3.2vw)] leading-control wrap-anywhere max-[17.5rem]:hidden";
  const inside: ReactNode = (
    <>
      <span aria-hidden={label ? true : undefined}>{Number(date.slice(8))}</span> {label && <span className="sr-only">{label}</span>}
      {badges.slice(0, 2).map((badge) => (
        <small key={badge} className={badgeLook} aria-hidden={label ? true : undefined}>
          {` ${badge}`}
        </small>
      ))}
      {badges.length > 2 && <small className={badgeLook} aria-hidden={label ? true : undefined}>{` +${badges.length - 2}`}</small>}
      {today && <Beat short className={classes("absolute bottom-0 h-[0.9rem] w-7 max-w-full", chosen && "text-inherit")} />}
    </>
  );
  return to ? (
    <AnyLink data-today={today || undefined} className={look} to={to} aria-current={chosen ? "date" : undefined}>
      {inside}
    </AnyLink>
  ) : (
    <span data-today={today || undefined} className={look} aria-current={chosen ? "date" : undefined}>
      {inside}
    </span>
  );
}

const KEY = "mr-1.5 inline-block align-[-0.15em]";

/** Legend of the calendar's colours. */
export function CalendarKey() {
  return (
    <p className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-sm text-ink-soft">
      <span>
        <i className={classes(KEY, "size-4 rounded-[0.25rem] bg-brand-soft")} />
        {m.ui_key_free()}
      </span>{" "}
      <span>
        <i className={classes(KEY, "size-4 rounded-[0.25rem] bg-brand")} />
        {m.ui_key_chosen()}
      </span>{" "}
      <span>
        <i className={classes(KEY, "size-4 rounded-[0.25rem] border border-line bg-well")} />
        {m.ui_key_full()}
      </span>{" "}
      <span>
        <Beat short className={classes(KEY, "h-[0.9rem] w-7")} />
        {m.ui_key_today()}
      </span>
    </p>
  );
}

/** A calendar and the times of a day beside each other on wide screens. */
export const CalendarColumns = ({ className, children }: { className?: string; children: ReactNode }) => (
  <div
    className={classes(
      "space-y-6 pb-6 desktop:grid desktop:grid-cols-2 desktop:gap-12 desktop:space-y-0 desktop:[&_h2]:flex desktop:[&_h2]:min-h-12 desktop:[&_h2]:items-center",
      // Days of 44 px on the narrowest phones, up to the edges of the screen.
      "max-[22.05rem]:[&_table]:-mx-gutter max-[22.05rem]:[&_table]:w-[calc(100%+2*var(--spacing-gutter))] max-[22.05rem]:[&_table]:border-spacing-x-px",
      className,
    )}
  >
    {children}
  </div>
);

/** As many slots in a row as fit. */
export const SlotGrid = ({ children }: { children: ReactNode }) => (
  <div className="grid grid-cols-[repeat(auto-fill,minmax(6.1em,1fr))] gap-2">{children}</div>
);

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
 * The slots of a day as radio buttons under Morning, Afternoon and Evening, with the number of free ones. The nth slot that can be
 * chosen has the id `slot-n`, for `<ChosenSlot>`.
 */
export function SlotPicker({ name, slots, chosen }: { name: string; slots: SlotChoice[]; chosen?: string | null }) {
  const free = slots.filter((slot) => !slot.taken);
  const parts = PARTS.map(({ part, name: nameOfPart }) => {
    const inPart = slots.filter((slot) => partOfDay(slot.time) === part);
    const freeInPart = inPart.filter((slot) => !slot.taken);
    if (inPart.length === 0) return null;
    return (
      <fieldset key={part} className="mt-3">
        <legend>
          {nameOfPart()}
          {freeInPart.length > 0 && (
            <span className="font-normal text-ink-soft">, {m.availability_day_free({ count: freeInPart.length })}</span>
          )}
        </legend>
        <SlotGrid>
          {inPart.map((slot) => (
            <SlotPick
              key={slot.time}
              className={slot.name ? "col-span-full" : undefined}
              inside={slot.name ? "py-2.5" : undefined}
              type="radio"
              id={slot.taken ? undefined : `slot-${free.indexOf(slot) + 1}`}
              name={name}
              value={slot.time}
              required
              onInvalid={setOwnMessage}
              onChange={askNoMore}
              defaultChecked={slot.time === chosen && !slot.taken}
              disabled={slot.taken}
            >
              {slot.taken ? (
                <>
                  <b className="font-normal line-through">{nameOf(slot)}</b> <small>{slot.why}</small>
                </>
              ) : (
                <>
                  {nameOf(slot)} {slot.hint && <small>{slot.hint}</small>}
                </>
              )}
            </SlotPick>
          ))}
        </SlotGrid>
      </fieldset>
    );
  });
  return <div className="desktop:grid desktop:grid-cols-3 desktop:items-start desktop:gap-x-8">{parts}</div>;
}

/**
 * Repeats the chosen slot of a `<SlotPicker>` in the same form, for example in a dock. CSS shows one of the texts, also without
 * JavaScript. All have one place, so that a choice moves nothing.
 * @param props.slots the text of each slot that can be chosen, in order
 * @param props.children shown until a slot is chosen
 */
export function ChosenSlot({ slots, children }: { slots: { time: string; text: ReactNode }[]; children: ReactNode }) {
  return (
    <div
      className="chosen grid grow *:col-start-1 *:row-start-1 *:self-center max-[22rem]:basis-full max-[22rem]:[&+.btn]:flex-1"
      aria-live="polite"
    >
      {slots.map(({ time, text }, i) => (
        // The classes are in app/styles/patients.css, for the 18 slots of a day.
        <p key={time} className={`invisible in-[form:has(#slot-${i + 1}:checked)]:visible`}>
          {text}
        </p>
      ))}
      <p className="in-[form:has([data-slot]_:checked)]:invisible">{children}</p>
    </div>
  );
}
