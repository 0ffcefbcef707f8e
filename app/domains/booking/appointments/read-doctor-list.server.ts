import { and, asc, desc, eq, inArray } from "drizzle-orm";
import { appointments, medicalRecords, patients } from "#app/db/schema/index.ts";
import { opened } from "#app/db/sealed.server.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { recordReads } from "#app/domains/platform/audit/record.server.ts";
import { patientNameWord } from "#app/domains/platform/users/deleted-name.ts";
import type { AppointmentStatus, RecordType } from "#app/lib/vocabulary.ts";
import { areDocumentsOpen, isPhotoOpen } from "./doctor-access.ts";
import { byUpload, whoCancelled } from "./rows.server.ts";
import { reasonWord } from "./words.ts";

/**
 * Returns the acting doctor's appointments with the patients' details and documents, latest first, for apps (spec 000 §3). Writes
 * an audit row for each.
 * @param input `practiceId`: only those of one practice
 */
export async function readDoctorList(ctx: Ctx<Actor>, input: { practiceId?: string | undefined; limit: number; offset: number }) {
  const found = await ctx.db
    .select({
      id: appointments.id,
      practiceId: appointments.practiceId,
      date: appointments.date,
      time: appointments.time,
      status: appointments.status,
      cancelledBy: whoCancelled,
      reason: opened(appointments.reason),
      patientId: appointments.patientId,
      patientName: appointments.patientName,
      patientAge: appointments.patientAge,
      patientBirthDate: appointments.patientBirthDate,
      patientGender: appointments.patientGender,
      patientPhone: appointments.patientPhone,
      bloodGroup: opened(appointments.bloodGroup),
      medicalHistory: opened(appointments.medicalHistory),
      patientNote: opened(appointments.patientNote),
      accountName: patients.name,
      photoFileId: patients.photoFileId,
      forCaller: appointments.forCaller,
    })
    .from(appointments)
    .innerJoin(patients, eq(patients.id, appointments.patientId))
    .where(and(eq(appointments.doctorId, ctx.actor.userId), input.practiceId ? eq(appointments.practiceId, input.practiceId) : undefined))
    .orderBy(desc(appointments.date), desc(appointments.time), asc(appointments.id))
    .limit(input.limit + 1)
    .offset(input.offset);
  const rows = found.slice(0, input.limit);
  const documents = await listOpenDocuments(ctx, rows);
  await recordReads(
    ctx,
    rows.map((row) => ({ action: "read-appointment", subjectType: "appointment", subjectId: row.id, personId: row.patientId })),
  );
  const byVisit = Map.groupBy(documents.sort(byUpload), (document) => document.appointmentId);
  return {
    hasMore: found.length > input.limit,
    rows: rows.map(({ patientId: _, accountName, photoFileId, forCaller, ...row }) => {
      // The photo shows the account's owner. Family members are booked under other names.
      const same = accountName !== null && accountName.trim().toLowerCase() === row.patientName.trim().toLowerCase();
      const read = { time: row.time.slice(0, 5), patientName: patientNameWord(row.patientName), reason: reasonWord(row.reason) };
      return {
        ...row,
        ...read,
        photoFileId: same && isPhotoOpen(ctx.now, { ...row, forCaller }) ? photoFileId : null,
        documents: byVisit.get(row.id) ?? [],
      };
    }),
  };
}

/** Returns the documents of those appointments whose documents the doctor may open. */
async function listOpenDocuments(
  ctx: Ctx,
  visits: { id: string; status: AppointmentStatus }[],
): Promise<(AttachedDocument & { appointmentId: string })[]> {
  if (visits.length === 0) return [];
  return ctx.db
    .select({
      appointmentId: medicalRecords.appointmentId,
      fileId: medicalRecords.fileId,
      recordType: medicalRecords.recordType,
      description: opened(medicalRecords.description),
      uploadedAt: medicalRecords.createdAt,
    })
    .from(medicalRecords)
    .where(
      inArray(
        medicalRecords.appointmentId,
        visits.filter(({ status }) => areDocumentsOpen(status)).map((visit) => visit.id),
      ),
    )
    .orderBy(asc(medicalRecords.createdAt));
}

type AttachedDocument = { fileId: string; recordType: RecordType; description: string; uploadedAt: Date };
