import { href, Link } from "react-router";
import { asking } from "#app/domains/booking/appointments/components/asking.ts";
import { DoctorLine } from "#app/domains/booking/appointments/components/doctor-line.tsx";
import { findFreeTime } from "#app/domains/booking/waitlist/free-times.server.ts";
import { type FreeNow, joinWaitlist } from "#app/domains/booking/waitlist/join-waitlist.server.ts";
import { getJoinForm } from "#app/domains/booking/waitlist/queries.server.ts";
import { DAYS_AHEAD, firstDayOf } from "#app/domains/booking/waitlist/rules.ts";
import { JoinAddressSchema, JoinFormSchema } from "#app/domains/booking/waitlist/waitlist.schema.ts";
import { partWord, whenWord, wishWord } from "#app/domains/booking/waitlist/words.ts";
import { findBookableDoctor } from "#app/domains/directory/doctors/queries.server.ts";
import { birthDateFirst } from "#app/domains/platform/users/age.schema.ts";
import { BirthDateFold } from "#app/domains/platform/users/components/birth-date-fold.tsx";
import { genderOptions } from "#app/domains/platform/users/gender.ts";
import { isReschedulable } from "#app/domains/visit-time.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { submitForm } from "#app/http/submit-form.server.ts";
import { addDays, todayInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { MAX_LINE } from "#app/lib/text-limits.ts";
import { m } from "#app/paraglide/messages.js";
import type { PageHandle } from "#app/ui/document.tsx";
import { Checkbox, type Field, Form, RadioPicks, SubmitButton, TextField, useNadiForm } from "#app/ui/form.tsx";
import { Pick } from "#app/ui/members/pick.tsx";
import { Note, Optional } from "#app/ui/pieces.tsx";
import { Dock, Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/join.ts";

export const handle = { bar: false } satisfies PageHandle;

/** Reads doctor, day, place and appointment from the address. @throws DomainError("not-found") */
function askedIn(request: Request) {
  const asked = JoinAddressSchema.safeParse(Object.fromEntries(new URL(request.url).searchParams));
  if (!asked.success) throw new DomainError("not-found");
  return asked.data;
}

export const loader = loadOwn(async (ctx, { request }: Route.LoaderArgs) => {
  const asked = askedIn(request);
  const doctor = await findBookableDoctor(ctx, asked.doctorId);
  if (!doctor) throw new DomainError("not-found");
  const { severalPlaces: _, ...shown } = doctor;
  const today = todayInIndia(ctx.now);
  const from = firstDayOf(asked.date, today);
  const { visit, ...form } = await getJoinForm(ctx, asked);
  // An appointment too near to be moved waits for an offer.
  const isFreeHelpful = !visit || isReschedulable(ctx.now, { ...visit, doctorDelisted: false });
  const free = isFreeHelpful
    ? await findFreeTime(ctx, doctor.id, {
        practiceId: visit?.practiceId ?? asked.practiceId ?? null,
        fromDate: visit ? today : from,
        untilDate: visit?.date ?? addDays(from, USUAL_DAYS),
        parts: [],
        visit,
      })
    : null;
  // On a full day before a free one, that day alone is waited for: a wait for both would be refused.
  const days = free && asked.date === from && free.date > from ? 0 : USUAL_DAYS;
  return { doctor: shown, from, days, today, visit: visit && { id: visit.id, date: visit.date, time: visit.time }, free, ...form };
});

/** Days after the first that are chosen before the patient chooses. */
const USUAL_DAYS = 7;

export async function action({ context, request }: Route.ActionArgs) {
  return submitForm(request, birthDateFirst(JoinFormSchema), async (input) => {
    await joinWaitlist(actorCtxOf(context), { ...input, ...askedIn(request) });
    return redirectWithToast(href("/patient/waitlist"), m.waitlist_joined(), { stays: true });
  });
}

type Data = Route.ComponentProps["loaderData"];
type Fields = { who: string; name: string; age: string; dateOfBirth: string; gender: string; days: string; parts: string[]; sms: string };

type FieldsProps = { fields: Record<keyof Fields, Field> };

export default function JoinWaitlist({ loaderData, actionData }: Route.ComponentProps) {
  const { doctor, days, own, visit } = loaderData;
  const [form, fields] = useNadiForm<Fields>({
    id: "join",
    lastResult: actionData?.result ?? null,
    defaultValue: { who: "me", name: own.name ?? "", days: String(days), sms: "on" },
  });
  const refused = (actionData?.detail as FreeNow | undefined)?.free;
  const free = refused ?? loaderData.free;
  return (
    <Page
      wizard
      title={m.waitlist_join()}
      back={{ to: href("/details/doctor/:id", { id: doctor.id }), label: m.appointments_back_to_doctor() }}
    >
      <DoctorLine doctor={doctor} />
      <p className="text-ink-soft mt-2">{visit ? m.waitlist_join_earlier({ when: whenWord(visit) }) : m.waitlist_join_intro()}</p>
      <Form form={form} className="mt-2">
        {free && (
          <Note className="mb-3">
            {!refused && <p>{m.waitlist_book_free()}</p>}
            <Link
              className="inline-flex min-h-target-min items-center"
              to={
                visit
                  ? `${href("/patient/appointments/:id/reschedule", { id: visit.id })}?${new URLSearchParams(free)}`
                  : `${href("/patient/appointments/datetime")}?${new URLSearchParams({ doctorId: doctor.id, ...free })}`
              }
            >
              {m.waitlist_free_link({ when: whenWord(free) })}
            </Link>
          </Note>
        )}
        {visit ? <input type="hidden" name="days" value="30" /> : whoAndDays({ ...loaderData, fields })}
        <Parts fields={fields} />
        <Checkbox field={fields.sms} label={m.waitlist_sms()} />
        <p className="text-sm text-ink-soft">
          {m.waitlist_rule_order()} {m.waitlist_rule_length()}
        </p>
        <Dock>
          <SubmitButton size="lg" full>
            {m.waitlist_join()}
          </SubmitButton>
        </Dock>
      </Form>
    </Page>
  );
}

/** A function, not a component, because the summary of errors finds the labels of fields only in what the page wrote (ui/error-summary.tsx). */
const whoAndDays = ({ fields, own, family, from, today }: FieldsProps & Pick<Data, "own" | "family" | "from" | "today">) => (
  <>
    {family.length > 0 ? (
      <RadioPicks
        field={fields.who}
        label={m.family_for()}
        options={[{ value: "me", label: own.name ?? m.family_for_me() }, ...family.map(({ id, name }) => ({ value: id, label: name }))]}
      />
    ) : (
      <input type="hidden" name="who" value="me" />
    )}
    {!own.name && (
      <TextField
        field={asking(fields.name, m.own_name_required())}
        label={m.appointments_name()}
        autoComplete="name"
        maxLength={MAX_LINE}
      />
    )}
    {!own.hasAge && (
      <>
        <TextField field={asking(fields.age, m.family_age_required())} label={m.appointments_age()} inputMode="numeric" maxLength={3} />
        <BirthDateFold field={fields.dateOfBirth} label={m.own_birth()} age={fields.age} today={today} />
      </>
    )}
    {!own.hasGender && (
      <RadioPicks
        field={asking(fields.gender, m.family_gender_required())}
        label={m.appointments_gender()}
        columns
        options={genderOptions()}
      />
    )}
    <RadioPicks
      field={fields.days}
      label={m.waitlist_days()}
      options={DAYS_AHEAD.map((n) => ({
        value: String(n),
        label: wishWord({ fromDate: from, untilDate: addDays(from, n), parts: [] }),
      }))}
    />
  </>
);

/** The parts of the day that suit the patient. */
function Parts({ fields }: FieldsProps) {
  const chosen = fields.parts.initialValue;
  return (
    <fieldset className="field">
      <legend>
        {m.waitlist_parts()} <Optional />
      </legend>
      <p className="hint">{m.waitlist_parts_hint()}</p>
      <div className="grid gap-2.5 *:min-w-0">
        {(["morning", "afternoon", "evening"] as const).map((part) => (
          <Pick
            key={part}
            type="checkbox"
            name="parts"
            value={part}
            defaultChecked={Array.isArray(chosen) ? chosen.includes(part) : (chosen as unknown) === part}
          >
            <span>{partWord(part)}</span>
          </Pick>
        ))}
      </div>
    </fieldset>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.waitlist_join() }) }];
