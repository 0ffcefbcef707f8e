import { randomUUID } from "node:crypto";
import { z } from "zod";
import { BookAppointmentSchema, PatientDetailSchema } from "#app/domains/booking/appointments/appointments.schema.ts";
import { bookAppointment, type SlotTaken } from "#app/domains/booking/appointments/book-appointment.server.ts";
import {
  getPatientAppointment,
  type ListedAppointment,
  listPatientAppointments,
  type PatientAppointment,
} from "#app/domains/booking/appointments/patient-queries.server.ts";
import { listPracticesOfVisits } from "#app/domains/booking/appointments/practices-of-visits.server.ts";
import { requireBookablePractice } from "#app/domains/booking/availability/places.server.ts";
import { paymentLink } from "#app/domains/booking/payments/payment-options.ts";
import { findBookableDoctor } from "#app/domains/directory/doctors/queries.server.ts";
import { storeMedicalRecord } from "#app/domains/platform/files/store-medical-record.server.ts";
import { MAX_IMAGE_BYTES, MAX_RECORDS } from "#app/domains/platform/files/upload-limits.ts";
import { ageRequired, birthDateFirst, isAgeGiven } from "#app/domains/platform/users/age.schema.ts";
import { endpoint, Page } from "#app/http/api/endpoint.ts";
import { invalid } from "#app/http/submit-json.server.ts";
import { clockTime, formatDate, formatTime, instantInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { paise } from "#app/lib/money.ts";
import { GENDERS, RECORD_TYPES } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { env } from "#app/runtime/env.server.ts";
import { CancelledBy, Day, Done, done, Id, Instant, jsonText, PracticeId, Rupees, rupees, Span, Status, spanOf, Time } from "./wire.ts";

const group = "Appointments";

const OwnAppointment = z.object({
  _id: Id,
  id: Id,
  appointment_date: Day,
  date: Day,
  appointment_time: Time,
  time: Time,
  status: Status,
  doctor: Id,
  doctorId: Id,
  doctorName: z.string(),
  practiceId: Id.meta({ description: "Where the doctor sees the patient." }),
  token: z
    .number()
    .nullable()
    .meta({ description: "The number in the session, where the doctor gives tokens. `time` is then the start of the session." }),
  expectedTime: Time.nullable().meta({ description: "About when the token is called." }),
  expected: Span.nullable().meta({
    description: "When the token is called, as the queue expects it now. Null without a token, and when it is over.",
  }),
  specialization: z.string(),
  patientInfo: z.object({ name: z.string() }),
  reason: z.string(),
  cancelledBy: CancelledBy,
  cancellable: z.boolean().meta({ description: "The patient can cancel it now, and gets back everything that was paid." }),
  cancelUntil: Instant.nullable().meta({
    description:
      "The last minute to cancel it once the doctor has accepted it. Null when it has passed: then only until the doctor accepts.",
  }),
});
type Own = PatientAppointment & Pick<ListedAppointment, "cancelledBy" | "cancellable" | "cancelBy">;
const ownOf = (row: Own, practiceId: string): z.input<typeof OwnAppointment> => ({
  _id: row.id,
  id: row.id,
  appointment_date: row.date,
  date: row.date,
  appointment_time: clockTime(row.time),
  time: clockTime(row.time),
  status: row.status,
  doctor: row.doctorId,
  doctorId: row.doctorId,
  doctorName: row.doctorName,
  practiceId,
  token: row.token,
  expectedTime: row.expectedTime && clockTime(row.expectedTime),
  expected: row.expected ? spanOf(row.expected) : null,
  specialization: row.specialization,
  patientInfo: { name: row.patientName },
  reason: row.reason,
  cancelledBy: row.cancelledBy,
  cancellable: row.cancellable,
  cancelUntil: row.cancelBy && instantInIndia(row.cancelBy.date, row.cancelBy.time).toISOString(),
});

export const listOwnAppointments = endpoint({
  method: "GET",
  path: "/api/appointments/my",
  group,
  summary: "Lists the patient's bookings in order of time.",
  about: "Lists at most the 500 latest bookings. `practiceId` limits the list to one practice.",
  who: ["patient"],
  query: z.object({ practiceId: PracticeId }),
  answer: z.object({ success: z.literal(true), count: z.number(), appointments: z.array(OwnAppointment) }),
  list: { bound: 500, max: 100 },
  sentences: { noToken: () => m.api_not_authenticated(), failed: () => m.api_bookings_failed() },
  async run({ ctx, paging, query: { practiceId } }) {
    const [listed, practiceOf] = await Promise.all([listPatientAppointments(ctx), listPracticesOfVisits(ctx)]);
    const all = listed.flatMap((row) => {
      const practice = practiceOf.get(row.id);
      return practice && (!practiceId || practice === practiceId) ? [ownOf(row, practice)] : [];
    });
    const appointments = all.slice(paging.offset, paging.offset + paging.limit);
    const hasMore = all.length > paging.offset + paging.limit;
    return new Page({ success: true as const, count: appointments.length, appointments }, hasMore);
  },
});

const fill = () => m.appointments_fill_required();
const missing = () => m.api_booking_details_missing();
const given = PatientDetailSchema.shape;
/** The specification's names, validated by the rules of the page's form. */
const BookedFor = birthDateFirst(
  z
    .object(
      {
        name: given.name,
        phone: given.phone,
        age: z.preprocess((value) => (typeof value === "number" ? String(value) : value), given.age),
        dateOfBirth: given.dateOfBirth.meta({ description: "Takes the place of `age`. Needed for a child under 1 year." }),
        gender: z.preprocess((value) => (typeof value === "string" ? value.toLowerCase() : value), z.enum(GENDERS, { error: fill })),
        blood_group: z.preprocess((value) => value ?? undefined, given.bloodGroup),
        medical_history_summary: z.preprocess((value) => value ?? undefined, given.medicalHistory),
        note: z.preprocess((value) => value ?? undefined, given.note),
      },
      { error: fill },
    )
    .refine(isAgeGiven, ageRequired),
);
const Meta = z.object({
  originalname: z.string().max(300).default(""),
  record_type: z.enum(RECORD_TYPES).default("other"),
  description: z.string().trim().max(200).default(""),
});
const tooMany = () => m.appointments_too_many_records({ count: String(MAX_RECORDS) });

export const bookAppointmentCall = endpoint({
  method: "POST",
  path: "/api/appointments/book",
  group,
  summary: "Books a free time of a doctor for the patient, with up to eight medical records (pictures or PDF files).",
  about:
    "`patient` may be left out; it is the id of the caller. `medicalRecordsMeta` describes the files in their order. A time belongs to one practice, so `practiceId` may be left out. With it, a time of another practice is refused with 409. When the same patient books the same time again, the answer is the first booking.",
  who: ["patient"],
  body: z.object({
    patient: z.string().optional(),
    doctor: z.string({ error: () => m.appointments_doctor_missing() }).min(1, { error: () => m.appointments_doctor_missing() }),
    date: z.string({ error: missing }),
    time: z.string({ error: missing }),
    reason: given.reason,
    patientInfo: jsonText(BookedFor, fill),
    medicalRecords: z.array(z.string()).max(MAX_RECORDS, { error: tooMany }).default([]),
    medicalRecordsMeta: jsonText(
      z
        .array(Meta, { error: () => m.api_records_meta() })
        .max(MAX_RECORDS, { error: tooMany })
        .default([]),
    ),
    practiceId: PracticeId,
  }),
  uploadMb: 64,
  files: {
    names: ["medicalRecords"],
    many: ["medicalRecords"],
    // JPEG, PNG, WebP or PDF.
    media: "application/octet-stream",
    rules: (ctx) => ({
      field: "medicalRecords",
      maxFiles: MAX_RECORDS,
      tooMany,
      maxFileSize: 2 * MAX_IMAGE_BYTES,
      onFile: async ({ name, bytes }) => {
        const stored = await storeMedicalRecord(ctx, { name, bytes });
        return JSON.stringify({ id: stored.id, name });
      },
    }),
  },
  answer: Done.extend({
    appointment: OwnAppointment.extend({
      fee: Rupees,
      discount: z.number().meta({ description: "Discount of a wallet code, in rupees." }),
      toPay: Rupees,
      paymentReference: z.string(),
      payBefore: Instant.nullable().meta({
        description: "Until when the patient must pay online, where the doctor or place requires it; later the appointment is cancelled.",
      }),
    }),
    paymentLink: z.string().nullable().meta({ description: "The external payment page; null when none is configured." }),
  }),
  status: 201,
  creates: true,
  sentences: {
    noToken: () => m.appointments_patient_missing(),
    badToken: () => m.appointments_patient_missing(),
    wrongRole: () => m.appointments_patient_missing(),
    failed: () => m.api_booking_failed(),
  },
  async run({ ctx, body, key }) {
    if (body.patient !== undefined && body.patient !== ctx.actor.userId)
      throw new DomainError("forbidden", m.appointments_patient_missing());
    const doctor = await findBookableDoctor(ctx, body.doctor);
    if (!doctor) throw new DomainError("not-found", m.api_doctor_not_found());
    if (body.practiceId) await requireBookablePractice(ctx, { doctorId: doctor.id, practiceId: body.practiceId });
    const slot = z
      .object({ date: BookAppointmentSchema.shape.date, time: BookAppointmentSchema.shape.time })
      .safeParse({ date: body.date, time: body.time });
    if (!slot.success) throw renamed(slot.error);
    const { blood_group: bloodGroup, medical_history_summary: medicalHistory, ...person } = body.patientInfo;
    const { id } = await bookAppointment(ctx, {
      ...person,
      bloodGroup,
      medicalHistory,
      reason: body.reason,
      doctorId: doctor.id,
      practiceId: body.practiceId,
      ...slot.data,
      records: recordsOf(body.medicalRecords, body.medicalRecordsMeta),
      idempotencyKey: key ?? randomUUID(),
    }).catch(withNearest);
    const booked = await getPatientAppointment(ctx, id);
    const { payment } = env();
    // What a wallet's code takes off is not asked for; what it covers whole needs no payment.
    const toPay = booked.fee === null ? null : paise(Math.max(0, booked.fee - booked.discount));
    const due = toPay ? { reference: booked.paymentReference, fee: toPay, note: "" } : null;
    return {
      ...done(m.appointments_booked()),
      appointment: {
        ...ownOf(booked, booked.practiceId),
        fee: rupees(booked.fee),
        discount: booked.discount / 100,
        toPay: rupees(toPay),
        paymentReference: booked.paymentReference,
        payBefore: booked.prepayUntil?.toISOString() ?? null,
      },
      paymentLink: due && paymentLink(payment, due),
    };
  },
});

/** A date or time that is none is one that is missing. */
function renamed(error: z.ZodError): DomainError {
  const refusal = invalid(error);
  return new DomainError("invalid", m.appointments_details_missing(), {
    fields: Object.fromEntries(Object.keys(refusal.fields ?? {}).map((field) => [field, [m.appointments_details_missing()]])),
  });
}

/** Each file with its description: by its name where that is clear, else by its place. */
function recordsOf(files: string[], meta: z.output<typeof Meta>[]) {
  const left = [...meta];
  return files.map((file, i) => {
    const { id, name } = storedOf(file);
    const named = left.findIndex((m) => m.originalname === name);
    const described = named >= 0 ? left.splice(named, 1)[0] : meta[i]?.originalname === "" ? meta[i] : undefined;
    return {
      fileId: id,
      recordType: described?.record_type ?? ("other" as const),
      description: described?.description || name || undefined,
    };
  });
}

/** A text under the files' name is not from our upload handler when it does not have this form. */
function storedOf(text: string): { id: string; name: string } {
  try {
    const { id, name } = JSON.parse(text) as Record<string, unknown>;
    if (isUuid(id as string) && typeof name === "string") return { id: id as string, name: name.slice(0, 120) };
  } catch {}
  throw new DomainError("invalid", undefined, { fields: { medicalRecords: [m.api_file_field()] } });
}

/** A half hour that is gone: the free ones near it are listed beside the field. */
function withNearest(error: unknown): never {
  if (error instanceof DomainError && error.code === "slot-taken" && error.detail) {
    const { nearest } = error.detail as SlotTaken;
    const sentence = error.sentence ?? m.appointments_slot_taken();
    const times = nearest.map(({ date, time }) => `${formatDate(date)}, ${formatTime(time)}`).join("; ");
    throw new DomainError("slot-taken", sentence, {
      fields: { time: times ? [sentence, m.appointments_nearest_free({ times })] : [sentence] },
    });
  }
  throw error;
}
