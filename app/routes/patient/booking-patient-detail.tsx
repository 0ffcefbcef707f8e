import { href } from "react-router";
import { BookingFormSchema, SlotSchema } from "#app/domains/booking/appointments/appointments.schema.ts";
import { bookAppointment, findSlot, type SlotTaken } from "#app/domains/booking/appointments/book-appointment.server.ts";
import { fillForPerson, getBookingDraft, saveBookingDraft } from "#app/domains/booking/appointments/booking-draft.server.ts";
import {
  chosenPerson,
  chosenSlot,
  draftOf,
  fillFromDraft,
  isBooking,
  isForChosen,
  withoutInvalid,
} from "#app/domains/booking/appointments/booking-form.server.ts";
import { otherTimeIntent, type SlotProblem as Problem } from "#app/domains/booking/appointments/choices.ts";
import { asking } from "#app/domains/booking/appointments/components/asking.ts";
import { BookingDocuments } from "#app/domains/booking/appointments/components/booking-documents.tsx";
import { bookingSteps } from "#app/domains/booking/appointments/components/doctor-line.tsx";
import { SlotProblem } from "#app/domains/booking/appointments/components/slot-problem.tsx";
import { changeRuleAtBooking } from "#app/domains/booking/appointments/words.ts";
import { findDoctorOfSlot } from "#app/domains/booking/availability/places.server.ts";
import { sessionWord } from "#app/domains/booking/availability/session-word.ts";
import { findBookableDoctor } from "#app/domains/directory/doctors/queries.server.ts";
import { platformFeeBeforeWord, prepaidWord } from "#app/domains/money/platform-fee/words.ts";
import { ForWhom, RememberPerson } from "#app/domains/patients/family/components/for-whom.tsx";
import { calledNames } from "#app/domains/patients/family/family.ts";
import { listFamily } from "#app/domains/patients/family/queries.server.ts";
import { rememberFamilyMember } from "#app/domains/patients/family/save-family.server.ts";
import { storeMedicalRecord } from "#app/domains/platform/files/store-medical-record.server.ts";
import { MAX_IMAGE_BYTES, MAX_RECORDS } from "#app/domains/platform/files/upload-limits.ts";
import { BirthDateFold } from "#app/domains/platform/users/components/birth-date-fold.tsx";
import { genderOptions } from "#app/domains/platform/users/gender.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectTo, redirectWithToast } from "#app/http/redirects.server.ts";
import { noteFault, orRefuse } from "#app/http/refusals.server.ts";
import { submitForm } from "#app/http/submit-form.server.ts";
import { formatDay, formatTime, todayInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { randomToken } from "#app/lib/ids.server.ts";
import { formatRupees } from "#app/lib/money.ts";
import { MAX_LINE } from "#app/lib/text-limits.ts";
import { BLOOD_GROUPS } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { Button } from "#app/ui/button.tsx";
import type { PageHandle } from "#app/ui/document.tsx";
import {
  Checkbox,
  type Field,
  Form,
  PhoneField,
  RadioPicks,
  SelectField,
  SubmitButton,
  TextArea,
  TextField,
  useNadiForm,
} from "#app/ui/form.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Steps } from "#app/ui/nav.tsx";
import { Note, Optional } from "#app/ui/pieces.tsx";
import { Dock, Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/booking-patient-detail.ts";

export const handle = { uploadMb: 64, bar: false } satisfies PageHandle;

/** Reads doctor and slot from the URL. Redirects to the first step if one is missing, and preserves the other. */
async function readPlace(ctx: ReturnType<typeof actorCtxOf>, request: Request) {
  const query = new URL(request.url).searchParams;
  const slot = SlotSchema.safeParse({ date: query.get("date") ?? "", time: query.get("time") ?? "" });
  const doctor = await (slot.success
    ? findDoctorOfSlot(ctx, { doctorId: query.get("doctorId"), ...slot.data })
    : findBookableDoctor(ctx, query.get("doctorId")));
  if (doctor && slot.success) return { doctor, ...slot.data };
  const known = new URLSearchParams();
  if (doctor) known.set("doctorId", doctor.id);
  const date = query.get("date");
  if (doctor && date) known.set("date", date);
  throw redirectWithToast(`${href("/patient/appointments/datetime")}${known.size ? `?${known}` : ""}`, m.appointments_details_missing(), {
    type: "error",
  });
}

export const loader = loadOwn(async (ctx, { request }: Route.LoaderArgs) => {
  const { doctor, date, time } = await readPlace(ctx, request);
  const [draft, family, { problem, session, prepaid: isPrepaid, refundHours }] = await Promise.all([
    getBookingDraft(ctx, doctor.id),
    listFamily(ctx),
    findSlot(ctx, { doctorId: doctor.id, date, time }),
  ]);
  const people = calledNames(family);
  const records = draft.records.map((record) => ({ ...record, isForChosen: isForChosen(record, draft.values) }));
  return {
    doctor,
    date,
    time,
    today: todayInIndia(ctx.now),
    changeRule: changeRuleAtBooking(ctx.now, { date, time, refundHours }),
    problem,
    session,
    isPrepaid,
    platformFee: ctx.integrations.payments?.platformFee?.amount ?? null,
    draft: { values: draft.values, records },
    people,
    idempotencyKey: randomToken(),
  };
});

const tooMany = () => m.appointments_too_many_records({ count: String(MAX_RECORDS) });

export async function action({ context, request }: Route.ActionArgs) {
  const ctx = actorCtxOf(context);
  const { doctor, date, time } = await orRefuse(() => readPlace(ctx, request));
  let chosen = false;
  let wish: ReturnType<typeof chosenSlot> = null;
  const formAt = (slot: { date: string; time: string }) =>
    `${href("/patient/appointments/patient-detail")}?${new URLSearchParams({ doctorId: doctor.id, date: slot.date, time: slot.time })}`;
  const here = formAt({ date, time });
  return submitForm(
    request,
    BookingFormSchema,
    async (input) => {
      if (wish === "calendar")
        return redirectTo(`${href("/patient/appointments/datetime")}?${new URLSearchParams({ doctorId: doctor.id, date })}`);
      if (wish) return redirectTo(formAt(wish));
      if (input.intent !== "book") return redirectTo(chosen ? `${here}#booking-who` : `${here}#documents`);
      const { remember, relation, ...details } = input;
      const { id } = await bookAppointment(ctx, { ...details, doctorId: doctor.id, date, time });
      const done = href("/patient/appointments/payment/:id", { id });
      if (!remember) return redirectWithToast(done, m.appointments_booked());
      try {
        await rememberFamilyMember(ctx, { ...details, relation });
      } catch (error) {
        // The visit is booked, even if the family member was not stored.
        if (noteFault(error, "remember")?.code === "conflict") return redirectWithToast(done, m.family_booked_full(), { type: "info" });
      }
      return redirectWithToast(done, m.appointments_booked());
    },
    {
      uploads: {
        field: "newRecords",
        maxFiles: MAX_RECORDS,
        tooMany,
        maxFileSize: 2 * MAX_IMAGE_BYTES,
        onFile: async (file) => {
          const { id, name } = await storeMedicalRecord(ctx, file);
          return JSON.stringify({ id, name });
        },
      },
      // Stores the typed values and received files first, also if the form is refused.
      prepare: async (formData) => {
        const draft = draftOf(formData);
        const whom = chosenPerson(formData);
        chosen = whom !== null;
        wish = chosenSlot(formData);
        if (whom !== null) draft.values = await fillForPerson(ctx, draft.values, whom);
        if (isBooking(formData)) draft.values = withoutInvalid(draft.values);
        const stored = await saveBookingDraft(ctx, doctor.id, draft);
        fillFromDraft(
          formData,
          stored.filter((record) => isForChosen(record, draft.values)),
        );
        // Documents over the limit are not stored: reports it before anything is booked.
        if (draft.records.length > MAX_RECORDS) return new DomainError("too-large", tooMany(), { fields: { newRecords: [tooMany()] } });
      },
    },
  );
}

type Fields = {
  name: string;
  phone: string;
  age: string;
  dateOfBirth: string;
  gender: string;
  bloodGroup: string;
  medicalHistory: string;
  note: string;
  reason: string;
  newRecords: string;
  records: string;
  relation: string;
  remember: boolean;
  smsUpdates: boolean;
};

type Data = Route.ComponentProps["loaderData"];
/** The parts with fields are functions, not components, because the summary of errors finds the labels of fields only in what the page wrote (ui/error-summary.tsx). */
type FieldsProps = { fields: Record<keyof Fields, Field> };

/** When the fee is paid, and what paying online adds. */
const HowToPay = ({ fee, platformFee }: Pick<Data, "platformFee"> & { fee: number }) => (
  <p className="text-sm text-ink-soft mb-3">
    {[m.appointments_pay_later(), platformFeeBeforeWord(fee ? platformFee : null)].filter(Boolean).join(" ")}
  </p>
);

const SmsLabel = () => (
  <>
    {m.appointments_sms()} <span className="hint mb-0">{m.appointments_sms_hint()}</span>
  </>
);

/** Another patient or time has another key, so that the fields start with the stored values. */
export default function BookingPatientDetail(props: Route.ComponentProps) {
  const { date, time, draft } = props.loaderData;
  return <BookingForm key={`${date} ${time} ${draft.values.filledAt}`} {...props} />;
}

function BookingForm({ loaderData, actionData }: Route.ComponentProps) {
  const { doctor, date, time, today, changeRule, draft, people } = loaderData;
  const [form, fields] = useNadiForm<Fields>({ id: "booking", lastResult: actionData?.result, defaultValue: draft.values });
  const taken = actionData?.detail as SlotTaken | undefined;
  const problem: Problem | null = taken?.nearest ? { own: null, sentence: "", nearest: taken.nearest } : loaderData.problem;
  const slotProblem = problem && (
    <TakenSlot doctor={doctor} date={date} problem={problem} explained={Boolean(taken?.nearest)} inForm={Boolean(actionData)} />
  );
  // The posted key: a form that was refused may have been booked already.
  const idempotencyKey = String(actionData?.result?.initialValue?.idempotencyKey ?? loaderData.idempotencyKey);
  return (
    <Page
      wizard
      title={m.appointments_book_title()}
      titleAs="p"
      back={{
        to: `${href("/patient/appointments/datetime")}?${new URLSearchParams({ doctorId: doctor.id, date, time })}`,
        label: m.appointments_back_to_times(),
      }}
    >
      <Steps label={m.appointments_steps()} steps={bookingSteps()} current={1} />
      <h1 className="mt-4">{m.appointments_detail_title()}</h1>
      {!slotProblem && <p className="text-ink-soft mb-3">{m.appointments_detail_prompt()}</p>}
      {slotProblem && !actionData ? (
        slotProblem
      ) : (
        <Form form={form} encType="multipart/form-data">
          {slotProblem}
          {/* Enter presses the first button of a form. */}
          <button
            type="submit"
            name="intent"
            value={slotProblem ? otherTimeIntent() : "book"}
            className="sr-only"
            tabIndex={-1}
            aria-hidden="true"
          />
          <input type="hidden" name="idempotencyKey" value={idempotencyKey} />
          {doctor.fee !== null && loaderData.isPrepaid && (
            <Note tone="warn" className="mb-3">
              {prepaidWord(loaderData.platformFee)}
            </Note>
          )}
          {visitFields({ fields, draft, people, today })}
          {extraFields({ fields, draft, isRefused: Boolean(actionData) })}
          <Checkbox field={fields.smsUpdates} label={<SmsLabel />} />
          <p className="text-sm text-ink-soft mb-3">{changeRule}</p>
          {doctor.fee !== null && !loaderData.isPrepaid && <HowToPay {...loaderData} fee={doctor.fee} />}
          <Dock>
            <Summary {...loaderData} isTaken={Boolean(slotProblem)} />
            <BookButton isTaken={Boolean(slotProblem)} />
          </Dock>
        </Form>
      )}
    </Page>
  );
}

/** Other times instead of one that cannot be booked. */
const TakenSlot = ({
  doctor,
  date,
  ...problem
}: Pick<Data, "doctor" | "date"> & Pick<Parameters<typeof SlotProblem>[0], "problem" | "explained" | "inForm">) => (
  <SlotProblem
    {...problem}
    address={(slot) => `${href("/patient/appointments/patient-detail")}?${new URLSearchParams({ doctorId: doctor.id, ...slot })}`}
    elsewhere={`${href("/patient/appointments/datetime")}?${new URLSearchParams({ doctorId: doctor.id, date })}`}
  />
);

const BookButton = ({ isTaken }: { isTaken: boolean }) =>
  isTaken ? (
    <Button type="submit" name="intent" value={otherTimeIntent()} size="lg">
      {m.appointments_other_times()}
    </Button>
  ) : (
    <SubmitButton name="intent" value="book" size="lg" pendingText={m.appointments_booking()}>
      {m.appointments_book()}
    </SubmitButton>
  );

/** For whom the visit is, and why. */
function visitFields({ fields, draft, people, today }: FieldsProps & Pick<Data, "draft" | "people" | "today">) {
  const isForOther = (draft.values.forWhom ?? "me") !== "me";
  return (
    <>
      <ForWhom people={people} chosen={draft.values.forWhom ?? "me"} filledAt={draft.values.filledAt} />
      <TextField
        field={asking(fields.name, m.family_name_required())}
        label={m.appointments_name()}
        autoComplete="name"
        maxLength={MAX_LINE}
        required
      />
      <PhoneField
        field={asking(fields.phone, m.appointments_phone_invalid())}
        label={m.appointments_phone()}
        hint={isForOther ? m.appointments_phone_other() : undefined}
        required
      />
      <TextField
        field={asking(fields.age, m.family_age_required())}
        label={m.appointments_age()}
        hint={m.appointments_age_hint()}
        inputMode="numeric"
        maxLength={3}
        required
      />
      <BirthDateFold field={fields.dateOfBirth} label={m.own_birth()} age={fields.age} today={today} />
      <RadioPicks
        field={asking(fields.gender, m.family_gender_required())}
        label={m.appointments_gender()}
        columns
        options={genderOptions()}
      />
      {draft.values.forWhom === "new" && <RememberPerson relation={fields.relation} remember={fields.remember} />}
      <TextField
        field={fields.reason}
        label={m.appointments_reason_visit()}
        optional
        placeholder={m.appointments_reason_default()}
        maxLength={500}
      />
    </>
  );
}

/** Health data and documents, open when one has a value or an error. */
function extraFields({ fields, draft, isRefused }: FieldsProps & Pick<Data, "draft"> & { isRefused: boolean }) {
  const extras = [fields.bloodGroup, fields.medicalHistory, fields.note];
  const isExtended =
    draft.records.length > 0 || [...extras, fields.newRecords, fields.records].some((field) => field.errors || field.initialValue);
  return (
    <details className="card field group [&>.field]:mt-4" id="documents" open={isExtended}>
      <summary className="flex min-h-target list-none items-center gap-3 p-0 [&::-webkit-details-marker]:hidden">
        <Icon name="file-text" />
        <span className="grow">
          {m.appointments_extras()} <Optional />
        </span>
        <Icon name="chevron-down" small className="group-open:rotate-180" />
      </summary>
      <SelectField
        field={fields.bloodGroup}
        label={m.appointments_blood_group()}
        placeholder={m.appointments_not_known()}
        options={BLOOD_GROUPS.map((value) => ({ value, label: value }))}
      />
      <TextArea field={fields.medicalHistory} label={m.appointments_history()} hint={m.appointments_history_hint()} maxLength={2000} />
      <TextField field={fields.note} label={m.appointments_note_label()} hint={m.appointments_note_hint()} maxLength={500} />
      <BookingDocuments records={draft.records} field={fields.newRecords} error={fields.records.errors} isRefused={isRefused} />
    </details>
  );
}

/** What is booked: the time, the doctor and the fee. */
const Summary = ({ doctor, date, time, session, isTaken }: Pick<Data, "doctor" | "date" | "time" | "session"> & { isTaken: boolean }) => (
  <p className="grow">
    <b>{isTaken ? m.appointments_slot_choose() : `${formatDay(date)}, ${session ? sessionWord(time, session) : formatTime(time)}`}</b>{" "}
    <small className="text-ink-soft">
      {[
        session && m.availability_next_token({ number: session.next, time: formatTime(session.about) }),
        doctor.name,
        doctor.severalPlaces && doctor.hospitalName,
        doctor.fee !== null && formatRupees(doctor.fee),
      ]
        .filter(Boolean)
        .join(", ")}
    </small>
  </p>
);

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.appointments_detail_title() }) }];
