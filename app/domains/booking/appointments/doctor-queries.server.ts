import { and, asc, desc, eq, gte, inArray, lt, ne, type SQL, sql } from "drizzle-orm";
import { containsPhone, containsText } from "#app/db/contains-text.server.ts";
import { appointments, files, medicalRecords, patients } from "#app/db/schema/index.ts";
import { opened } from "#app/db/sealed.server.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { recordRead } from "#app/domains/platform/audit/record.server.ts";
import type { BookedAge } from "#app/domains/platform/users/age-words.ts";
import type { Eta, Token } from "#app/domains/token-words.ts";
import { openVisit } from "#app/domains/visit-time.server.ts";
import { actionsOfDoctor, type DoctorAction } from "#app/domains/visit-time.ts";
import { IS_INSIDE } from "#app/domains/waiting-room/queue/in-queue.server.ts";
import { listDayTokens, withExpected } from "#app/domains/waiting-room/token-page/row-estimates.server.ts";
import { type DateKey, type TimeKey, todayInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import type { AppointmentStatus, Gender, RecordType } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { documentsOpen, isPhotoOpen } from "./doctor-access.ts";
import { asRead, byUpload, missed, whoCancelled } from "./rows.server.ts";
import type { ScheduledVisit } from "./schedule-ics.ts";
import { countDay } from "./to-come.server.ts";

const TABS = ["upcoming", "completed", "cancelled"] as const;
export type AppointmentTab = (typeof TABS)[number];

/** The columns that name a visit to its doctor and decide its actions. */
const waitingRow = {
  id: appointments.id,
  date: appointments.date,
  time: appointments.time,
  token: appointments.token,
  expectedTime: appointments.expectedTime,
  status: appointments.status,
  patientName: appointments.patientName,
  completedAt: appointments.completedAt,
  inside: IS_INSIDE,
};
/** The columns of a visit of today on the dashboard. */
const todayRow = {
  ...waitingRow,
  reason: opened(appointments.reason),
  patientAge: appointments.patientAge,
  patientBirthDate: appointments.patientBirthDate,
  patientGender: appointments.patientGender,
};
/** The columns of an appointment in a doctor's lists. */
export const doctorRow = {
  ...todayRow,
  patientPhone: appointments.patientPhone,
  missed,
  // Written in full: drizzle omits the table in a one-table select, and `id` would be the record's.
  records: sql<number>`(select count(*)::int from medical_records r where r.appointment_id = appointments.id and appointments.status <> 'cancelled')`,
};
/** A visit that waits for its doctor. */
export type WaitingVisit = {
  id: string;
  date: DateKey;
  time: string;
  token: number | null;
  expectedTime: TimeKey | null;
  expected?: Eta;
  status: AppointmentStatus;
  patientName: string;
  /** Actions that the doctor can take now. */
  actions: DoctorAction[];
};
/** A visit of today. */
export type TodayVisit = WaitingVisit & BookedAge & { reason: string; patientGender: Gender };
export type DoctorAppointment = TodayVisit & { patientPhone: string; records: number; missed: boolean };
type RowOf<T extends WaitingVisit> = Omit<T, "actions"> & { completedAt: Date | null; inside: boolean };

/** Adds the actions that are allowed now to a doctor's row. */
export function asDoctorRow<T extends RowOf<WaitingVisit>>(ctx: Ctx, row: T) {
  const { completedAt, inside, ...shown } = asRead(row);
  return { ...shown, actions: actionsOfDoctor(ctx.now, row) };
}
const PAGE = 20;
/** Bounds the query. */
const MAX_WORDS = 6;

/**
 * Returns the condition for a doctor's search: each word is part of the patient's name in any case, or the digits are part of the
 * phone. Use it with a condition on the doctor: it reads the index `appointments_doctor_status` that contains names and phones.
 */
export function matchesPatient(text: string): SQL | undefined {
  const words = text.split(/\s+/).filter(Boolean).slice(0, MAX_WORDS);
  if (!words.length) return undefined;
  return containsPhone(appointments.patientPhone, text, 3) ?? and(...words.map((word) => containsText(appointments.patientName, word)));
}

/**
 * Returns a page of the acting doctor's appointments. Spec 000 §4: Upcoming is pending or accepted with a date on or after today
 * (soonest first); Completed and Cancelled are newest first. `unanswered`: open visits of past days, which are in no tab of the
 * specification; returned with the first page of Upcoming. `search` filters all of them.
 */
export async function listDoctorAppointments(ctx: Ctx<Actor>, input: { tab: AppointmentTab; page: number; search: string }) {
  const found = matchesPatient(input.search);
  const mine = and(eq(appointments.doctorId, ctx.actor.userId), found);
  const today = todayInIndia(ctx.now);
  const where =
    input.tab === "upcoming"
      ? and(mine, openVisit(appointments), gte(appointments.date, today))
      : and(mine, eq(appointments.status, input.tab));
  const order =
    input.tab === "upcoming"
      ? [asc(appointments.date), asc(appointments.time), asc(appointments.token)]
      : [desc(appointments.date), desc(appointments.time)];
  const [rows, unanswered, counts] = await Promise.all([
    ctx.db
      .select(doctorRow)
      .from(appointments)
      .where(where)
      .orderBy(...order)
      .limit(PAGE + 1)
      .offset((input.page - 1) * PAGE),
    input.tab === "upcoming" && input.page === 1
      ? ctx.db
          .select(doctorRow)
          .from(appointments)
          .where(and(mine, openVisit(appointments), lt(appointments.date, today)))
          .orderBy(asc(appointments.date), asc(appointments.time))
          .limit(PAGE)
      : Promise.resolve<RowOf<DoctorAppointment>[]>([]),
    countDoctorTabs(ctx, mine),
  ]);
  return {
    rows: await withExpected(
      ctx,
      rows.slice(0, PAGE).map((row) => asDoctorRow(ctx, row)),
    ),
    unanswered: unanswered.map((row) => asDoctorRow(ctx, row)),
    counts,
    hasMore: rows.length > PAGE,
  };
}

async function countDoctorTabs(ctx: Ctx<Actor>, mine: SQL | undefined): Promise<Record<AppointmentTab, number>> {
  const [row] = await ctx.db
    .select({
      upcoming: sql<number>`(count(*) filter (where ${openVisit(appointments)} and ${appointments.date} >= ${todayInIndia(ctx.now)}))::int`,
      completed: sql<number>`(count(*) filter (where ${appointments.status} = 'completed'))::int`,
      cancelled: sql<number>`(count(*) filter (where ${appointments.status} = 'cancelled'))::int`,
    })
    .from(appointments)
    .where(mine);
  return row ?? { upcoming: 0, completed: 0, cancelled: 0 };
}

/** The acting doctor's visits of a day, without cancelled ones. */
const ofDay = (ctx: Ctx<Actor>, date: DateKey) =>
  and(eq(appointments.doctorId, ctx.actor.userId), eq(appointments.date, date), ne(appointments.status, "cancelled"));
const inOrder = [asc(appointments.time), asc(appointments.token)];

/** Returns today's visits of the acting doctor in order of time, without cancelled ones, and how many are seen and to come: the figures of the dashboard. */
export async function readToday(ctx: Ctx<Actor>) {
  const found = await ctx.db
    .select({ ...todayRow, missed })
    .from(appointments)
    .where(ofDay(ctx, todayInIndia(ctx.now)))
    .orderBy(...inOrder);
  const rows = found.map((row) => asDoctorRow(ctx, row));
  return { rows, ...countDay(rows, await listDayTokens(ctx, rows), ctx.now) };
}

/**
 * Returns a day of the acting doctor for printing. Writes an audit row, because the sheet has the visit reasons of many patients.
 */
export async function readDaySheet(ctx: Ctx<Actor>, date: DateKey): Promise<DoctorAppointment[]> {
  const found = await ctx.db
    .select(doctorRow)
    .from(appointments)
    .where(ofDay(ctx, date))
    .orderBy(...inOrder);
  const rows = await withExpected(
    ctx,
    found.map((row) => asDoctorRow(ctx, row)),
  );
  if (rows.length)
    await recordRead(ctx, {
      action: "read-day-sheet",
      subjectType: "doctor",
      subjectId: ctx.actor.userId,
      personId: ctx.actor.userId,
      details: { date, appointments: rows.map((r) => r.id) },
    });
  // Audit rows for each patient: the log of their own data shows the printed list.
  const whose = rows.length
    ? await ctx.db
        .select({ id: appointments.id, personId: appointments.patientId })
        .from(appointments)
        .where(
          inArray(
            appointments.id,
            rows.map((r) => r.id),
          ),
        )
    : [];
  for (const { id, personId } of whose)
    await recordRead(ctx, { action: "read-appointment-on-sheet", subjectType: "appointment", subjectId: id, personId });
  return rows;
}

/** Upper bound: 18 visits a day in the six months that can be booked. */
const MOST_VISITS = 18 * 190;
/** Returns the acting doctor's open visits from today on, for an external calendar. */
export async function listSchedule(ctx: Ctx<Actor>): Promise<ScheduledVisit[]> {
  const rows = await ctx.db
    .select({
      id: appointments.id,
      date: appointments.date,
      time: sql<TimeKey>`coalesce(${appointments.expectedTime}, ${appointments.time})`,
      status: sql<ScheduledVisit["status"]>`${appointments.status}`,
      patientName: appointments.patientName,
      updatedAt: appointments.updatedAt,
    })
    .from(appointments)
    .where(and(eq(appointments.doctorId, ctx.actor.userId), openVisit(appointments), gte(appointments.date, todayInIndia(ctx.now))))
    .orderBy(asc(appointments.date), asc(appointments.time))
    .limit(MOST_VISITS);
  return rows.map(asRead);
}

/** Returns pending requests to the acting doctor, soonest first. */
export async function listWaiting(ctx: Ctx<Actor>, limit = 5): Promise<WaitingVisit[]> {
  const rows = await ctx.db
    .select(waitingRow)
    .from(appointments)
    .where(
      and(eq(appointments.doctorId, ctx.actor.userId), eq(appointments.status, "pending"), gte(appointments.date, todayInIndia(ctx.now))),
    )
    .orderBy(asc(appointments.date), asc(appointments.time))
    .limit(limit);
  return withExpected(
    ctx,
    rows.map((row) => asDoctorRow(ctx, row)),
  );
}

/**
 * Returns an appointment of the acting doctor with the patient's details and documents. Writes an audit row. @throws
 * DomainError("not-found")
 */
export async function readDoctorAppointment(ctx: Ctx<Actor>, id: string | undefined) {
  if (!isUuid(id)) throw new DomainError("not-found", m.appointments_no_data_text());
  const [row] = await ctx.db
    .select({
      ...doctorRow,
      patientId: appointments.patientId,
      bloodGroup: opened(appointments.bloodGroup),
      medicalHistory: opened(appointments.medicalHistory),
      patientNote: opened(appointments.patientNote),
      fee: appointments.fee,
      discount: appointments.discount,
      paymentMethod: appointments.paymentMethod,
      cancelledBy: whoCancelled,
      cancelReason: appointments.cancelReason,
      accountName: patients.name,
      photoFileId: patients.photoFileId,
      forCaller: appointments.forCaller,
    })
    .from(appointments)
    .innerJoin(patients, eq(patients.id, appointments.patientId))
    .where(and(eq(appointments.id, id), eq(appointments.doctorId, ctx.actor.userId)));
  if (!row) throw new DomainError("not-found", m.appointments_no_data_text());
  const documents: DoctorDocument[] = await ctx.db
    .select({
      fileId: medicalRecords.fileId,
      recordType: medicalRecords.recordType,
      description: opened(medicalRecords.description),
      uploadedAt: medicalRecords.createdAt,
      byteSize: files.byteSize,
      mediaType: files.mediaType,
      fileName: opened(files.originalName),
    })
    .from(medicalRecords)
    .innerJoin(files, eq(files.id, medicalRecords.fileId))
    .innerJoin(appointments, eq(appointments.id, medicalRecords.appointmentId))
    .where(and(eq(medicalRecords.appointmentId, id), documentsOpen))
    .orderBy(asc(medicalRecords.createdAt));
  documents.sort(byUpload);
  const { patientId, accountName, photoFileId, forCaller: _, ...shown } = asDoctorRow(ctx, row);
  await recordRead(ctx, { action: "read-appointment", subjectType: "appointment", subjectId: id, personId: patientId });
  // The photo shows the account's owner. Family members are booked under other names.
  const same = accountName !== null && accountName.trim().toLowerCase() === shown.patientName.trim().toLowerCase();
  return { ...shown, photoFileId: same && isPhotoOpen(ctx.now, row) ? photoFileId : null, documents };
}
export type DoctorDocument = {
  fileId: string;
  recordType: RecordType;
  description: string;
  uploadedAt: Date;
  byteSize: number;
  mediaType: string;
  fileName: string;
};

/**
 * Returns the next patient of the acting doctor's day after a visit: of the next open visit in order of time, otherwise of the
 * first one that is still open; null for none.
 */
export async function findNextOfDay(
  ctx: Ctx<Actor>,
  visit: { id: string; date: DateKey; time: string; token?: number | null },
): Promise<({ id: string; time: string; patientName: string } & Token) | null> {
  const [row] = await ctx.db
    .select({
      id: appointments.id,
      time: appointments.time,
      token: appointments.token,
      expectedTime: appointments.expectedTime,
      patientName: appointments.patientName,
    })
    .from(appointments)
    .where(
      and(
        eq(appointments.doctorId, ctx.actor.userId),
        eq(appointments.date, visit.date),
        openVisit(appointments),
        ne(appointments.id, visit.id),
      ),
    )
    .orderBy(
      sql`(${appointments.time}, coalesce(${appointments.token}, 0)) < (${visit.time}::time, ${visit.token ?? 0})`,
      asc(appointments.time),
      asc(appointments.token),
    )
    .limit(1);
  return row ? (await withExpected(ctx, [{ ...asRead(row), date: visit.date }]))[0]! : null;
}

/** Returns the acting doctor's appointment without documents, for the confirmation page. @throws DomainError("not-found") */
export async function getDoctorAppointment(ctx: Ctx<Actor>, id: string | undefined): Promise<DoctorAppointment> {
  if (!isUuid(id)) throw new DomainError("not-found");
  const [row] = await ctx.db
    .select(doctorRow)
    .from(appointments)
    .where(and(eq(appointments.id, id), eq(appointments.doctorId, ctx.actor.userId)));
  if (!row) throw new DomainError("not-found");
  return (await withExpected(ctx, [asDoctorRow(ctx, row)]))[0]!;
}
