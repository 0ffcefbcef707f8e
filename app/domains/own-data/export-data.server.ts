import { and, asc, eq, gt, isNull, ne, or, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import {
  appointments,
  assistantChoices,
  auditLog,
  bookingDrafts,
  chatMessages,
  cities,
  conversations,
  doctors,
  familyMembers,
  favourites,
  files,
  hospitals,
  medicalRecords,
  notifications,
  patients,
  reviewReports,
  reviews,
  sessions,
  users,
  walletCodes,
  walletEntries,
} from "#app/db/schema/index.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { type ZipEntry, zipped } from "#app/lib/zip.server.ts";
import { recordAudit } from "../audit/record.server.ts";
import type { Actor, Ctx } from "../context.server.ts";
import { spendLimits } from "../limits/limit.server.ts";
import { isNotificationKind } from "../notifications/kinds.ts";
import { wordsOf } from "../notifications/words.ts";
import { getSettings } from "../settings/queries.server.ts";

/** Rows read at a time: the whole is never in memory. */
const PAGE = 200;

/**
 * Everything that is kept of the acting patient, as a zip: data.json and the files it names. It is read while it is sent,
 * page by page, so what changes meanwhile may be in one part and not in another.
 * @throws DomainError("too-many")
 */
export async function exportData(ctx: Ctx<Actor>): Promise<AsyncGenerator<Uint8Array>> {
  if (ctx.actor.role !== "patient") throw new DomainError("forbidden");
  const { userId } = ctx.actor;
  await spendLimits(ctx, [{ limit: "own-data", key: userId }]);
  await recordAudit(ctx, { action: "download-own-data", subjectType: "user", subjectId: userId, personId: userId });
  return zipped(entriesOf(ctx));
}

async function* entriesOf(ctx: Ctx<Actor>): AsyncGenerator<ZipEntry> {
  yield { name: "data.json", at: ctx.now, shrink: true, bytes: jsonOf(ctx) };
  for await (const file of listFiles(ctx)) {
    const bytes = await ctx.integrations.storage.get(file.storageKey);
    // A file that is gone from the store is in data.json all the same.
    if (bytes) yield { name: pathOf(file), at: file.createdAt, shrink: false, bytes: once(bytes) };
  }
}
async function* once(bytes: Uint8Array) {
  yield bytes;
}
/** Where a file lies in the zip. */
const pathOf = (file: { id: string; purpose: string; mediaType: string }) =>
  `files/${file.purpose}-${file.id}.${ENDINGS[file.mediaType] ?? /\w*$/.exec(file.mediaType.split(";")[0] ?? "")?.[0] ?? "bin"}`;
const ENDINGS: Record<string, string> = {
  "image/jpeg": "jpg",
  "application/msword": "doc",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
};

const text = new TextEncoder();
async function* jsonOf(ctx: Ctx<Actor>): AsyncGenerator<Uint8Array> {
  yield text.encode(`{\n"exportedAt": ${JSON.stringify(ctx.now)},\n"profile": ${JSON.stringify(await profileOf(ctx))}`);
  yield text.encode(`,\n"settings": ${JSON.stringify(await getSettings(ctx))}`);
  for (const [name, rows] of Object.entries(SECTIONS)) {
    yield text.encode(`,\n${JSON.stringify(name)}: [`);
    let first = true;
    for await (const row of rows(ctx)) {
      yield text.encode(`${first ? "" : ","}\n  ${JSON.stringify(row)}`);
      first = false;
    }
    yield text.encode("]");
  }
  yield text.encode("\n}\n");
}

async function profileOf(ctx: Ctx<Actor>) {
  const [row] = await ctx.db
    .select({
      id: users.id,
      phone: users.phone,
      language: users.language,
      since: users.createdAt,
      name: patients.name,
      dateOfBirth: patients.dateOfBirth,
      gender: patients.gender,
      photoFileId: patients.photoFileId,
      city: cities.name,
      latitude: patients.latitude,
      longitude: patients.longitude,
      accuracyMetres: patients.accuracy,
      placeFrom: patients.placeSource,
    })
    .from(users)
    .innerJoin(patients, eq(patients.id, users.id))
    .leftJoin(cities, eq(cities.id, patients.cityId))
    .where(eq(users.id, ctx.actor.userId));
  return row ?? null;
}

type Key = string | number;
/** Row by row, read in pages that begin after the key of the last row. */
async function* inPages<R extends { id: Key }>(read: (after: Key | null) => Promise<R[]>): AsyncGenerator<R> {
  let after: Key | null = null;
  for (;;) {
    const rows: R[] = await read(after);
    yield* rows;
    if (rows.length < PAGE) return;
    after = rows.at(-1)!.id;
  }
}
const beyond = (id: PgColumn, after: Key | null) => (after === null ? undefined : gt(id, after));

const listFiles = (ctx: Ctx<Actor>) =>
  inPages((after) =>
    ctx.db
      .select()
      .from(files)
      .where(and(eq(files.ownerId, ctx.actor.userId), beyond(files.id, after)))
      .orderBy(asc(files.id))
      .limit(PAGE),
  );

/** Every list of data.json. What a new room keeps of a patient belongs here: tests/routes/own-data.test.ts asks. */
const SECTIONS: Record<string, (ctx: Ctx<Actor>) => AsyncIterable<unknown>> = {
  family: (ctx) =>
    inPages((after) =>
      ctx.db
        .select()
        .from(familyMembers)
        .where(and(eq(familyMembers.patientId, ctx.actor.userId), beyond(familyMembers.id, after)))
        .orderBy(asc(familyMembers.id))
        .limit(PAGE),
    ),
  appointments: (ctx) =>
    inPages((after) =>
      ctx.db
        .select({
          id: appointments.id,
          doctor: doctors.fullName,
          hospital: hospitals.name,
          date: appointments.date,
          time: appointments.time,
          status: appointments.status,
          reason: appointments.reason,
          patientName: appointments.patientName,
          patientPhone: appointments.patientPhone,
          patientAge: appointments.patientAge,
          patientGender: appointments.patientGender,
          bloodGroup: appointments.bloodGroup,
          medicalHistory: appointments.medicalHistory,
          patientNote: appointments.patientNote,
          feePaise: appointments.fee,
          paymentReference: appointments.paymentReference,
          paymentMethod: appointments.paymentMethod,
          bookedAt: appointments.createdAt,
          acceptedAt: appointments.acceptedAt,
          completedAt: appointments.completedAt,
          cancelledAt: appointments.cancelledAt,
          cancelledBy: appointments.cancelledBy,
        })
        .from(appointments)
        .innerJoin(doctors, eq(doctors.id, appointments.doctorId))
        .leftJoin(hospitals, eq(hospitals.id, doctors.hospitalId))
        .where(and(eq(appointments.patientId, ctx.actor.userId), beyond(appointments.id, after)))
        .orderBy(asc(appointments.id))
        .limit(PAGE),
    ),
  records: (ctx) =>
    inPages((after) =>
      ctx.db
        .select({
          id: medicalRecords.id,
          appointmentId: medicalRecords.appointmentId,
          fileId: medicalRecords.fileId,
          type: medicalRecords.recordType,
          description: medicalRecords.description,
          addedAt: medicalRecords.createdAt,
        })
        .from(medicalRecords)
        .innerJoin(appointments, eq(appointments.id, medicalRecords.appointmentId))
        .where(and(eq(appointments.patientId, ctx.actor.userId), beyond(medicalRecords.id, after)))
        .orderBy(asc(medicalRecords.id))
        .limit(PAGE),
    ),
  files: async function* (ctx) {
    for await (const file of listFiles(ctx))
      yield {
        id: file.id,
        path: pathOf(file),
        name: file.originalName,
        kind: file.purpose,
        bytes: file.byteSize,
        storedAt: file.createdAt,
        attached: file.status === "attached",
      };
  },
  notBookedYet: async function* (ctx) {
    yield* await ctx.db
      .select({ doctorId: bookingDrafts.doctorId, typed: bookingDrafts.values, papers: bookingDrafts.records, at: bookingDrafts.updatedAt })
      .from(bookingDrafts)
      .where(eq(bookingDrafts.patientId, ctx.actor.userId));
  },
  notifications: async function* (ctx) {
    const rows = inPages((after) =>
      ctx.db
        .select()
        .from(notifications)
        .where(and(eq(notifications.userId, ctx.actor.userId), beyond(notifications.id, after)))
        .orderBy(asc(notifications.id))
        .limit(PAGE),
    );
    for await (const { id, kind, params, createdAt, readAt } of rows)
      yield { id, ...(isNotificationKind(kind) ? wordsOf(kind, params) : { kind, params }), at: createdAt, readAt };
  },
  favourites: (ctx) =>
    inPages((after) =>
      ctx.db
        .select({ id: favourites.id, doctor: doctors.fullName, hospital: hospitals.name, since: favourites.createdAt })
        .from(favourites)
        .leftJoin(doctors, eq(doctors.id, favourites.doctorId))
        .leftJoin(hospitals, eq(hospitals.id, favourites.hospitalId))
        .where(and(eq(favourites.patientId, ctx.actor.userId), beyond(favourites.id, after)))
        .orderBy(asc(favourites.id))
        .limit(PAGE),
    ),
  reviews: (ctx) =>
    inPages((after) =>
      ctx.db
        .select({
          id: reviews.id,
          doctor: doctors.fullName,
          appointmentId: reviews.appointmentId,
          status: reviews.status,
          stars: reviews.rating,
          words: reviews.words,
          hiddenBecause: reviews.hiddenReason,
          writtenAt: reviews.createdAt,
          editedAt: reviews.editedAt,
        })
        .from(reviews)
        .innerJoin(doctors, eq(doctors.id, reviews.doctorId))
        .where(and(eq(reviews.patientId, ctx.actor.userId), beyond(reviews.id, after)))
        .orderBy(asc(reviews.id))
        .limit(PAGE),
    ),
  reviewReports: (ctx) =>
    inPages((after) =>
      ctx.db
        .select({
          id: reviewReports.id,
          reviewId: reviewReports.reviewId,
          reason: reviewReports.reason,
          note: reviewReports.note,
          at: reviewReports.createdAt,
        })
        .from(reviewReports)
        .where(and(eq(reviewReports.reporterId, ctx.actor.userId), beyond(reviewReports.id, after)))
        .orderBy(asc(reviewReports.id))
        .limit(PAGE),
    ),
  points: (ctx) =>
    inPages((after) =>
      ctx.db
        .select({
          id: walletEntries.id,
          kind: walletEntries.kind,
          about: walletEntries.about,
          points: walletEntries.points,
          at: walletEntries.createdAt,
        })
        .from(walletEntries)
        .where(and(eq(walletEntries.patientId, ctx.actor.userId), beyond(walletEntries.id, after)))
        .orderBy(asc(walletEntries.id))
        .limit(PAGE),
    ),
  discountCodes: (ctx) =>
    inPages((after) =>
      ctx.db
        .select({
          id: walletCodes.id,
          code: walletCodes.code,
          offer: walletCodes.offer,
          appointmentId: walletCodes.appointmentId,
          at: walletCodes.createdAt,
        })
        .from(walletCodes)
        .where(and(eq(walletCodes.patientId, ctx.actor.userId), beyond(walletCodes.id, after)))
        .orderBy(asc(walletCodes.id))
        .limit(PAGE),
    ),
  chats: (ctx) =>
    inPages((after) =>
      ctx.db
        .select({
          id: chatMessages.seq,
          conversationId: chatMessages.conversationId,
          chat: conversations.title,
          by: chatMessages.role,
          words: chatMessages.content,
          fileId: chatMessages.fileId,
          state: chatMessages.state,
          answeredBy: chatMessages.by,
          at: chatMessages.createdAt,
        })
        .from(chatMessages)
        .innerJoin(conversations, eq(conversations.id, chatMessages.conversationId))
        .where(and(eq(conversations.ownerId, ctx.actor.userId), beyond(chatMessages.seq, after)))
        .orderBy(asc(chatMessages.seq))
        .limit(PAGE),
    ),
  assistant: async function* (ctx) {
    yield* await ctx.db
      .select({ consentedAt: assistantChoices.consentedAt, helperOnly: assistantChoices.helperOnly })
      .from(assistantChoices)
      .where(eq(assistantChoices.userId, ctx.actor.userId));
  },
  whoOpenedMyRecords: (ctx) =>
    inPages((after) =>
      ctx.db
        .select({
          id: auditLog.id,
          at: auditLog.at,
          action: auditLog.action,
          byRole: auditLog.actorRole,
          by: sql<
            string | null
          >`case when audit_log.actor_role = 'doctor' then (select d.full_name from doctors d where d.id = audit_log.actor_id) end`,
          subject: auditLog.subjectType,
          subjectId: auditLog.subjectId,
        })
        .from(auditLog)
        .where(
          and(
            eq(auditLog.personId, ctx.actor.userId),
            or(isNull(auditLog.actorId), ne(auditLog.actorId, ctx.actor.userId)),
            beyond(auditLog.id, after),
          ),
        )
        .orderBy(asc(auditLog.id))
        .limit(PAGE),
    ),
  whatIDid: (ctx) =>
    inPages((after) =>
      ctx.db
        .select({
          id: auditLog.id,
          at: auditLog.at,
          action: auditLog.action,
          subject: auditLog.subjectType,
          subjectId: auditLog.subjectId,
          address: auditLog.ip,
        })
        .from(auditLog)
        .where(and(eq(auditLog.actorId, ctx.actor.userId), beyond(auditLog.id, after)))
        .orderBy(asc(auditLog.id))
        .limit(PAGE),
    ),
  sessions: async function* (ctx) {
    yield* await ctx.db
      .select({
        since: sessions.createdAt,
        lastSeenAt: sessions.lastSeenAt,
        until: sessions.expiresAt,
        address: sessions.ip,
        browser: sessions.userAgent,
      })
      .from(sessions)
      .where(eq(sessions.userId, ctx.actor.userId))
      .orderBy(asc(sessions.createdAt));
  },
};
