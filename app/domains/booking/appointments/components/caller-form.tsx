import { type ComponentProps, type ReactNode, useState } from "react";
import { BirthDateFold } from "#app/domains/platform/users/components/birth-date-fold.tsx";
import { genderWord } from "#app/domains/platform/users/gender.ts";
import { KnownPeople } from "#app/domains/waiting-room/queue/components/known-people.tsx";
import type { KnownPerson } from "#app/domains/waiting-room/queue/known-person.ts";
import { formatDayLong } from "#app/lib/dates.ts";
import { MAX_LINE } from "#app/lib/text-limits.ts";
import { GENDERS } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { SlotGrid } from "#app/ui/calendar.tsx";
import { type Field, FieldError, Form, PhoneField, RadioPicks, SubmitButton, TextField, useNadiForm } from "#app/ui/form.tsx";
import { SlotPick } from "#app/ui/members/pick.tsx";
import { Note } from "#app/ui/pieces.tsx";
import { EmptyState } from "#app/ui/states.tsx";
import type { CallerView } from "../caller-times.ts";
import { type ProposedTime, timeValue, whenWord } from "../proposal-times.ts";
import { FreeDays, FreeTimesOfDay } from "./free-days.tsx";

type Result = Parameters<typeof useNadiForm>[0]["lastResult"];
export type CallerFormProps = {
  view: CallerView & { formKey: string };
  doctorId: string;
  /** The page's URL, without the day. */
  path: string;
  /** Fields of the page's URL. */
  fixed: Record<string, string>;
  /** The page's URL at another day. */
  address: (day: string) => string;
  /** Links to the other doctors. */
  choices?: ReactNode;
  answer: { result: Result; detail?: unknown } | undefined;
};
type Values = { phone: string; name: string; age: string; dateOfBirth: string; gender: string; at: string; who: string };

/** Books a free time for a patient on the phone: the time and four fields. Plain links and forms. */
export function CallerForm({ view, doctorId, path, fixed, address, choices, answer }: CallerFormProps) {
  // Reloading the page's data must not change the key of a form that is filled in.
  const [formKey] = useState(view.formKey);
  const [form, fields] = useNadiForm<Values>({ id: "caller", lastResult: answer?.result ?? null });
  const { nearest = [], people = null } = (answer?.detail ?? {}) as { nearest?: ProposedTime[]; people?: KnownPerson[] | null };
  const { days, today } = view;
  return (
    <div className="grid gap-4 *:min-w-0 desktop:grid-cols-[minmax(0,1fr)_24rem] desktop:grid-rows-[auto_auto_1fr] desktop:items-start">
      <FreeDays view={view} path={path} fixed={fixed} address={address}>
        {choices}
      </FreeDays>
      {days.length === 0 ? (
        <EmptyState drawing="no-appointments" title={m.caller_no_times()}>
          {m.caller_no_times_text()}
        </EmptyState>
      ) : (
        <Form form={form} className="grid gap-4 *:min-w-0 desktop:contents" preventScrollReset>
          <input type="hidden" name="doctorId" value={doctorId} />
          <input type="hidden" name="idempotencyKey" value={formKey} />
          <Times field={fields.at} view={view} nearest={nearest} />
          {/* Begins beside the days. A possible list of errors is the second row. */}
          <div className="card desktop:col-start-2 desktop:row-span-3 desktop:row-start-1">
            <h2>{m.caller_patient()}</h2>
            <PhoneField field={fields.phone} label={m.appointments_phone()} hint={m.caller_phone_hint()} autoComplete="off" required />
            <SubmitButton name="intent" value="find" variant="quiet" size="sm" icon="search" className="mt-0 mb-2 -ml-4">
              {m.caller_find()}
            </SubmitButton>
            {people && <People field={fields.who} people={people} today={today} />}
            <TextField
              field={fields.name}
              label={m.appointments_name()}
              autoComplete="off"
              maxLength={MAX_LINE}
              required={!people?.length}
            />
            <TextField
              field={fields.age}
              label={m.appointments_age()}
              inputMode="numeric"
              autoComplete="off"
              maxLength={3}
              required={!people?.length}
            />
            <BirthDateFold field={fields.dateOfBirth} label={m.own_birth()} age={fields.age} today={today} />
            <RadioPicks
              field={fields.gender}
              label={m.appointments_gender()}
              options={GENDERS.map((value) => ({ value, label: genderWord(value) }))}
              columns
            />
            <SubmitButton name="intent" value="book" full className="mt-2">
              {m.caller_book()}
            </SubmitButton>
            <p className="text-sm text-ink-soft mt-2">{m.caller_notified()}</p>
          </div>
        </Form>
      )}
    </div>
  );
}

/** The free times of the day; after a refusal also those nearest to the refused one. */
function Times({ field, view, nearest }: { field: Field; view: CallerView; nearest: ProposedTime[] }) {
  const other = nearest.filter(({ date }) => date !== view.day);
  const initial = typeof field.initialValue === "string" ? [field.initialValue] : [];
  return (
    <fieldset id={field.id} tabIndex={-1} className="field" aria-describedby={field.errors ? field.errorId : undefined}>
      <legend>
        <h2>{view.day ? formatDayLong(view.day) : m.caller_day()}</h2>
      </legend>
      <FieldError field={field} />
      <FreeTimesOfDay view={view} name={field.name} chosen={initial} required />
      {other.length > 0 && (
        <div className="mt-3" role="group" aria-label={m.caller_nearest()}>
          <p className="text-ink-soft">{m.caller_nearest()}</p>
          <SlotGrid>
            {other.map((at) => (
              <SlotPick key={timeValue(at)} type="radio" name={field.name} value={timeValue(at)} required>
                {whenWord(at)}
              </SlotPick>
            ))}
          </SlotGrid>
        </div>
      )}
    </fieldset>
  );
}

/** The known patients of the typed phone or name. */
const People = ({ people, ...list }: ComponentProps<typeof KnownPeople>) =>
  people.length ? (
    <KnownPeople people={people} {...list} />
  ) : (
    <Note role="status" className="mb-3">
      {m.caller_unknown()}
    </Note>
  );

/** The link to the form for a caller. */
export const BookCallerLink = ({ to }: { to: string }) => (
  <LinkButton to={to} size="sm" icon="phone">
    {m.caller_title()}
  </LinkButton>
);
