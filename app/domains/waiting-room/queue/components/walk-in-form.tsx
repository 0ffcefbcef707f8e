import { useState } from "react";
import { BirthDateFold } from "#app/domains/platform/users/components/birth-date-fold.tsx";
import { MAX_LINE } from "#app/lib/text-limits.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { Form, PhoneField, SubmitButton, TextField, useNadiForm } from "#app/ui/form.tsx";
import { Note } from "#app/ui/pieces.tsx";
import type { KnownPerson } from "../known-person.ts";
import type { QueueSessionView, SameName } from "../queue-view.ts";
import { KnownPeople } from "./known-people.tsx";
import { SameNames } from "./same-names.tsx";

type Props = {
  session: QueueSessionView;
  formKey: string;
  result: Parameters<typeof useNadiForm>[0]["lastResult"];
  /** Known patients of the typed phone. */
  people: KnownPerson[] | null;
  /** Patients with the typed name, of whom the member chooses one. */
  same: SameName[] | null;
  given: Given | null;
};
/** The token that was just given. `sms`: its link goes to the phone. */
type Given = { number: number; name: string; sms: boolean; slip: string };

/** The token that a walk-in was given. */
export const GivenToken = ({ of: { number, name, sms, slip } }: { of: Given }) => (
  <Note tone="ok" className="mt-2" role="status">
    {m.queue_given({ number, name })} {sms && m.queue_given_sms()}{" "}
    <LinkButton to={slip} variant="second" size="sm" icon="file-text">
      {m.queue_slip()}
    </LinkButton>
  </Note>
);

/** Gives a walk-in a token: phone and name, or a known patient of the phone. */
export function WalkInForm({ session, formKey: fresh, result, people, same, given }: Props) {
  // Reloading the page's data must not empty the form while it is filled in: the page renders a new form for each token.
  const [formKey] = useState(fresh);
  const [form, fields] = useNadiForm<{ phone: string; name: string; age: string; dateOfBirth: string; who: string }>({
    id: "walk-in",
    lastResult: result ?? null,
  });
  const known = people && people.length > 0;
  return (
    <section className="card" aria-labelledby="walk-in-title">
      <h2 id="walk-in-title">{m.queue_walk_in_title()}</h2>
      {given && <GivenToken of={given} />}
      {/* Without scripts the answer opens at this card: on a phone it is below the lists. */}
      <Form form={form} action={`?session=${session.id}#walk-in-title`} className="mt-2" preventScrollReset>
        <input type="hidden" name="sessionId" value={session.id} />
        <input type="hidden" name="formKey" value={formKey} />
        <PhoneField field={fields.phone} label={m.queue_phone()} autoComplete="off" />
        {known && <KnownPeople field={fields.who} people={people} today={session.date} />}
        {people && !known && (
          <Note role="status" className="mt-2">
            {m.caller_unknown()}
          </Note>
        )}
        {same && <SameNames same={same} />}
        <TextField
          field={fields.name}
          label={known ? m.queue_another_name() : m.queue_name()}
          optional={Boolean(known)}
          autoComplete="off"
          maxLength={MAX_LINE}
        />
        <TextField field={fields.age} label={m.appointments_age()} optional inputMode="numeric" autoComplete="off" maxLength={3} />
        <BirthDateFold field={fields.dateOfBirth} label={m.own_birth()} age={fields.age} today={session.date} />
        <div className="mt-4 grid gap-1">
          {/* Enter sends the first button. */}
          <SubmitButton name="intent" value="add" variant="second" full>
            {m.queue_give({ number: session.nextNumber })}
          </SubmitButton>
          <SubmitButton name="intent" value="add-emergency" variant="quiet" size="sm" className="justify-start pl-0">
            {m.queue_emergency_first()}
          </SubmitButton>
          <SubmitButton name="intent" value="find" variant="quiet" size="sm" className="justify-start pl-0">
            {m.queue_find()}
          </SubmitButton>
        </div>
      </Form>
    </section>
  );
}
