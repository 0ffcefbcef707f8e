import { useState } from "react";
import { formatTime, weekdayLong } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { classes } from "#app/ui/class-names.ts";
import { type Field, FieldError, Form, type NadiForm, SubmitButton } from "#app/ui/form.tsx";
import { Pick } from "#app/ui/members/pick.tsx";
import { Note } from "#app/ui/pieces.tsx";
import { SPANS } from "../hours.ts";
import { WEEK } from "./hours-list.tsx";

type SpanFields = { from: Field; until: Field };
type Props = {
  form: NadiForm;
  /** Three spans for each weekday, Sunday first. */
  spans: SpanFields[];
  /** The weekdays that are open. */
  open: readonly number[];
};

/** The weekly hours of a practice: a closed weekday has no fields, and a second part of the day is behind a link. Works without scripts. */
export function WeeklyHoursForm({ form, spans, open }: Props) {
  const first = WEEK.find((day) => open.includes(day));
  return (
    <Form form={form}>
      <input type="hidden" name="days" value="on" />
      {/* What Enter presses. */}
      <button type="submit" name="intent" value="save" className="sr-only" tabIndex={-1} aria-hidden="true" />
      {WEEK.map((day) => (
        <Weekday
          key={day}
          day={day}
          spans={spans.slice(day * SPANS, day * SPANS + SPANS)}
          isOpen={open.includes(day)}
          copies={day === (first ?? WEEK[0])}
        />
      ))}
      <Note className="my-3">{m.practices_hours_keep()}</Note>
      <SubmitButton name="intent" value="save" size="lg" full>
        {m.practices_hours_save()}
      </SubmitButton>
    </Form>
  );
}

type WeekdayProps = { day: number; spans: SpanFields[]; isOpen: boolean; copies: boolean };
function Weekday({ day, spans, isOpen, copies }: WeekdayProps) {
  const name = weekdayLong(day);
  return (
    <fieldset
      className={classes(
        "group grid gap-x-4 gap-y-2 border-b border-line py-2 desktop:grid-cols-[9rem_minmax(0,1fr)]",
        // A closed day is one line on a phone too, where it fits.
        "has-[input[name=open]:not(:checked)]:max-desktop:flex has-[input[name=open]:not(:checked)]:max-desktop:flex-wrap",
      )}
    >
      <legend className="sr-only">{name}</legend>
      <Pick type="checkbox" look="plain" name="open" value={day} defaultChecked={isOpen}>
        <b>{name}</b>
      </Pick>
      {/* A browser without :has() shows the fields of each weekday. */}
      <p className="hidden py-2 text-ink-soft group-has-[input[name=open]:not(:checked)]:block">{m.practices_closed_day()}</p>
      <div className="group-has-[input[name=open]:not(:checked)]:hidden">
        <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
          {spans.slice(0, 1).map((span) => (
            <SpanInputs key={span.from.name} day={name} span={span} part={1} />
          ))}
          <MoreInputs day={name} spans={spans.slice(1)} part={2} />
        </div>
        {copies && (
          <SubmitButton name="intent" value={`copy-${day}`} variant="second" size="sm" className="mt-2">
            {m.practices_hours_copy()}
          </SubmitButton>
        )}
      </div>
    </fieldset>
  );
}

/** A second part of the day, and below it a third, behind a link until it has times. */
function MoreInputs({ day, spans: [span, ...more], part }: { day: string; spans: SpanFields[]; part: number }) {
  const used = [span, ...more].some((one) => one && [one.from, one.until].some((field) => field.initialValue || field.errors));
  const [isOpen] = useState(used);
  if (!span) return null;
  return (
    <details open={isOpen} className="group/part">
      <summary className={classes("min-h-target-min content-center font-bold text-brand", part === 2 && "group-open/part:sr-only")}>
        {part === 2 ? m.practices_span_add() : m.practices_span_more()}
        <span className="sr-only">: {day}</span>
      </summary>
      <SpanInputs day={day} span={span} part={part} />
      <MoreInputs day={day} spans={more} part={part + 1} />
    </details>
  );
}

function SpanInputs({ day, span: { from, until }, part }: { day: string; span: SpanFields; part: number }) {
  const input = (field: Field, label: string) => (
    <input
      className="input num w-36"
      type="time"
      id={field.id}
      name={field.name}
      defaultValue={String(field.initialValue ?? "")}
      aria-label={label}
      aria-invalid={field.errors ? true : undefined}
      aria-describedby={field.errors ? field.errorId : undefined}
    />
  );
  return (
    <div>
      <div className="flex flex-wrap items-center gap-2">
        {input(from, m.practices_day_from({ day, part }))}
        <span>{m.practices_to()}</span>
        {input(until, m.practices_day_until({ day, part }))}
      </div>
      <FieldError field={from} />
      <FieldError field={until} />
    </div>
  );
}

export const changedDayWord = ({ times, until }: { times: number; until: string | null }): string =>
  until ? m.practices_day_times({ count: times, time: formatTime(until) }) : m.practices_closed_day();
