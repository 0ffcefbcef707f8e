import { and, count, desc, eq, inArray, isNotNull } from "drizzle-orm";
import { inLanguage } from "#app/db/in-language.server.ts";
import { appointments, doctors, encounters, medicalRecords, ownRecords, payments, visitDocuments } from "#app/db/schema/index.ts";
import { opened } from "#app/db/sealed.server.ts";
import { areDocumentsOpen } from "#app/domains/booking/appointments/doctor-access.ts";
import { reasonWord } from "#app/domains/booking/appointments/words.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { personKeyOf } from "#app/domains/person-key.server.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import { language } from "#app/lib/language.ts";
import { m } from "#app/paraglide/messages.js";
import type { SignedContent } from "../documents/content.ts";
import { readSigned, signedRow } from "../documents/verify.server.ts";
import { certificateWord } from "../documents/words.ts";
import type { RecordPerson, TimelineEntry } from "./timeline.ts";

/** Most rows of each kind: the latest ones. */
const MOST = 500;

type Of = { patientId: string; person: Pick<RecordPerson, "key"> };
type Found = TimelineEntry & { at: number; words: string };

const doctorName = () => inLanguage(doctors.fullName, doctors.translations, "name", language());

/**
 * Returns the timeline of a person, the latest first: visits, signed documents, uploaded documents and receipts. The caller checks who may
 * see it. `words`: what the search finds.
 */
export async function readTimeline(ctx: Ctx, of: Of): Promise<(TimelineEntry & { words: string })[]> {
  const booked = await listBooked(ctx, of);
  const ids = booked.map(({ id }) => id);
  const [signed, attached, own, receipts] = await Promise.all([
    listSigned(ctx, of),
    listAttached(ctx, ids),
    listOwn(ctx, of),
    listReceipts(ctx, ids),
  ]);
  const results = await countResults(
    ctx,
    signed.flatMap(({ id, content }) => (content.kind === "order" ? [id] : [])),
  );
  const byId = new Map(booked.map((one) => [one.id, one]));
  const found: Found[] = [
    ...visitsOf(booked, signed),
    ...signed.map((one) => documentOf(one, results)),
    ...attached.flatMap((one) => {
      const visit = byId.get(one.appointmentId);
      if (!visit) return [];
      const doctor = { id: visit.doctorId, name: visit.doctor };
      const { id, fileId, type, title, at } = one;
      const entry = { kind: "document" as const, id, fileId, type, title, own: false, open: areDocumentsOpen(visit.status) };
      return [{ ...entry, doctor, date: todayInIndia(at), at: at.getTime(), words: `${title} ${visit.doctor}` }];
    }),
    ...own,
    ...receipts.flatMap(({ id, appointmentId, amount, at }) => {
      const visit = byId.get(appointmentId);
      if (!visit) return [];
      const doctor = { id: visit.doctorId, name: visit.doctor };
      return [{ kind: "receipt" as const, id, amount, doctor, date: todayInIndia(at), at: at.getTime(), words: visit.doctor }];
    }),
  ];
  return found.sort((a, b) => b.date.localeCompare(a.date) || b.at - a.at).map(({ at: _, ...entry }) => entry);
}

type Booked = Awaited<ReturnType<typeof listBooked>>[number];
/** Appointments have no key of the person: it is made from the name. */
async function listBooked(ctx: Ctx, { patientId, person }: Of) {
  const rows = await ctx.db
    .select({
      id: appointments.id,
      date: appointments.date,
      time: appointments.time,
      status: appointments.status,
      name: appointments.patientName,
      reason: opened(appointments.reason),
      doctorId: appointments.doctorId,
      doctor: doctorName(),
    })
    .from(appointments)
    .innerJoin(doctors, eq(doctors.id, appointments.doctorId))
    .where(eq(appointments.patientId, patientId))
    .orderBy(desc(appointments.date), desc(appointments.time))
    .limit(MOST);
  const keys = new Map<string, string>();
  for (const { name } of rows) if (!keys.has(name)) keys.set(name, await personKeyOf(ctx, patientId, name));
  return rows.filter(({ name }) => keys.get(name) === person.key);
}

type Signed = Awaited<ReturnType<typeof listSigned>>[number];
/** Signed prescriptions and certificates. A row whose signature does not match is left out. */
async function listSigned(ctx: Ctx, { patientId, person }: Of) {
  const rows = await ctx.db
    .select({
      ...signedRow,
      state: visitDocuments.state,
      endedAt: visitDocuments.endedAt,
      visitId: encounters.id,
      appointmentId: encounters.appointmentId,
      date: encounters.date,
      doctorId: encounters.doctorId,
      doctor: doctorName(),
      content: opened(visitDocuments.content, visitDocuments.dataKey),
    })
    .from(visitDocuments)
    .innerJoin(encounters, eq(encounters.id, visitDocuments.encounterId))
    .innerJoin(doctors, eq(doctors.id, encounters.doctorId))
    .where(and(eq(encounters.patientId, patientId), eq(encounters.personKey, person.key), isNotNull(visitDocuments.signedAt)))
    .orderBy(desc(encounters.date), desc(visitDocuments.signedAt))
    .limit(MOST);
  const read = await Promise.all(rows.map(async (row) => ({ row, content: await readSigned(ctx, row) })));
  return read.flatMap(({ row, content }) => (content ? [{ ...row, content }] : []));
}

/** Completed appointments, and consultations of which something was signed. */
function visitsOf(booked: Booked[], signed: Signed[]): Found[] {
  const prescriptions = new Map<string, SignedContent & { kind: "prescription" }>();
  for (const { visitId, content, state } of signed)
    if (content.kind === "prescription" && (state === "signed" || !prescriptions.has(visitId))) prescriptions.set(visitId, content);
  const visits = new Map<string, Found>();
  const add = (visit: { id: string; date: string; doctorId: string; doctor: string }, appointmentId: string | null, reason: string) => {
    const content = prescriptions.get(visit.id);
    const title = content?.diagnosis || reason;
    const doctor = { id: visit.doctorId, name: visit.doctor };
    const entry = { kind: "visit" as const, id: visit.id, date: visit.date, doctor, appointmentId, title };
    // Older than what was written in it on the same day.
    visits.set(visit.id, { ...entry, followUpOn: content?.followUpOn ?? null, at: -1, words: `${title} ${reason} ${visit.doctor}` });
  };
  for (const one of signed) if (!visits.has(one.visitId)) add({ ...one, id: one.visitId }, one.appointmentId, "");
  for (const one of booked)
    if (one.status === "completed" || visits.has(one.id)) add(one, one.id, reasonWord(one.reason) || m.appointments_not_specified());
  return [...visits.values()];
}

function documentOf({ id, visitId, state, date, doctorId, doctor: name, content, endedAt }: Signed, results: Map<string, number>): Found {
  const doctor = { id: doctorId, name };
  const common = { id, visitId, state, date, doctor, endedOn: endedAt && todayInIndia(endedAt), at: Date.parse(content.signedAt) };
  if (content.kind === "certificate")
    return { ...common, kind: "certificate", type: content.type, words: `${certificateWord(content.type)} ${name}` };
  if (content.kind === "order")
    return { ...common, kind: "order", tests: content.tests, results: results.get(id) ?? 0, words: [...content.tests, name].join(" ") };
  const medicines = content.lines.map((line) => line.name);
  return { ...common, kind: "prescription", medicines, words: [...medicines, content.diagnosis, name].join(" ") };
}

/** Returns how many results each order has. */
async function countResults(ctx: Ctx, orderIds: string[]): Promise<Map<string, number>> {
  if (!orderIds.length) return new Map();
  const rows = await ctx.db
    .select({ id: ownRecords.orderId, n: count() })
    .from(ownRecords)
    .where(inArray(ownRecords.orderId, orderIds))
    .groupBy(ownRecords.orderId);
  return new Map(rows.map(({ id, n }) => [id!, n]));
}

async function listAttached(ctx: Ctx, appointmentIds: string[]) {
  if (!appointmentIds.length) return [];
  return ctx.db
    .select({
      id: medicalRecords.id,
      appointmentId: medicalRecords.appointmentId,
      fileId: medicalRecords.fileId,
      type: medicalRecords.recordType,
      title: opened(medicalRecords.description),
      at: medicalRecords.createdAt,
    })
    .from(medicalRecords)
    .where(inArray(medicalRecords.appointmentId, appointmentIds))
    .orderBy(desc(medicalRecords.createdAt))
    .limit(MOST);
}

async function listOwn(ctx: Ctx, { patientId, person }: Of): Promise<Found[]> {
  const rows = await ctx.db
    .select({
      id: ownRecords.id,
      fileId: ownRecords.fileId,
      type: ownRecords.recordType,
      title: opened(ownRecords.description),
      date: ownRecords.date,
      fromPlace: ownRecords.fromPlace,
      at: ownRecords.createdAt,
      doctorId: doctors.id,
      name: doctorName(),
    })
    .from(ownRecords)
    .leftJoin(visitDocuments, eq(visitDocuments.id, ownRecords.orderId))
    .leftJoin(encounters, eq(encounters.id, visitDocuments.encounterId))
    .leftJoin(doctors, eq(doctors.id, encounters.doctorId))
    .where(and(eq(ownRecords.patientId, patientId), eq(ownRecords.personKey, person.key)))
    .orderBy(desc(ownRecords.date), desc(ownRecords.createdAt))
    .limit(MOST);
  return rows.map(({ at, doctorId, name, ...row }) => ({
    ...row,
    kind: "document",
    doctor: null,
    // The doctor who ordered the test.
    reader: doctorId === null ? null : { id: doctorId, name: name ?? "" },
    own: true,
    open: true,
    at: at.getTime(),
    words: row.title,
  }));
}

async function listReceipts(ctx: Ctx, appointmentIds: string[]) {
  if (!appointmentIds.length) return [];
  return ctx.db
    .select({ id: payments.id, appointmentId: payments.appointmentId, amount: payments.amount, at: payments.receivedAt })
    .from(payments)
    .where(inArray(payments.appointmentId, appointmentIds))
    .orderBy(desc(payments.receivedAt))
    .limit(MOST);
}
