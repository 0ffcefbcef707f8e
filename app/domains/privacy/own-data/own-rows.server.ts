import { and, asc, eq, getTableColumns, isNotNull, isNull, ne, or, type SQL, sql } from "drizzle-orm";
import type { PgColumn, PgSelect, PgTable } from "drizzle-orm/pg-core";
import type { Db } from "#app/db/client.server.ts";
import { beyond, inPages, ROWS_AT_ONCE } from "#app/db/in-pages.server.ts";
import {
  appointments,
  assistantChoices,
  auditLog,
  bookingDrafts,
  chatMessages,
  clinicPatients,
  consents,
  conversations,
  doctors,
  encounters,
  familyMembers,
  favourites,
  files,
  hospitals,
  inboundMessages,
  medicalRecords,
  messageThreads,
  notificationEmails,
  notifications,
  outboundMessages,
  ownRecords,
  pastAppointments,
  paymentOrders,
  payments,
  platformFeeDocuments,
  providerRefunds,
  pushSubscriptions,
  queueEntries,
  queueSessions,
  receipts,
  recordPermissions,
  recordShares,
  refunds,
  reviewReports,
  reviews,
  sessions,
  supportMessages,
  supportThreads,
  visitDocuments,
  visitNotes,
  waitlistEntries,
  waitlistOffers,
  walletCodes,
  walletEntries,
} from "#app/db/schema/index.ts";
import { opened } from "#app/db/sealed.server.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { storedFile } from "#app/domains/platform/files/stored-bytes.server.ts";
import { isNotificationKind } from "#app/domains/platform/notifications/kinds.ts";
import { wordsOf } from "#app/domains/platform/notifications/words.ts";
import { ownerOf, shownColumns } from "./policies.server.ts";

/** A query without its conditions. */
type Rows<Row> = { where(of: SQL | undefined): { orderBy(by: SQL): PromiseLike<Row[]> & { limit(most: number): PromiseLike<Row[]> } } };

/** Yields the rows of a table whose `owner` is the acting patient, in the order of `id`. */
const owned =
  <Row extends { id: string | number }>(
    owner: PgColumn,
    id: PgColumn,
    select: (db: Db) => Rows<Row>,
    also?: (me: string) => SQL | undefined,
  ) =>
  ({ db, actor: { userId } }: Ctx<Actor>): AsyncGenerator<Row> =>
    inPages((after) =>
      select(db)
        .where(and(eq(owner, userId), also?.(userId), beyond(id, after)))
        .orderBy(asc(id))
        .limit(ROWS_AT_ONCE),
    );

export const listFiles = owned(files.ownerId, files.id, (db) =>
  db.select({ ...getTableColumns(files), ...storedFile, originalName: opened(files.originalName) }).from(files),
);
/** Returns the path of a file in the zip. */
export const pathOf = (file: { id: string; purpose: string; mediaType: string }) =>
  `files/${file.purpose}-${file.id}.${ENDINGS[file.mediaType] ?? /\w*$/.exec(file.mediaType.split(";")[0] ?? "")?.[0] ?? "bin"}`;
const ENDINGS: Record<string, string> = {
  "image/jpeg": "jpg",
  "application/msword": "doc",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
};

type Row = { id: string | number } & Record<string, unknown>;
type More = {
  /** Further fields, beside what the policy of the table shows. */
  also?: Record<string, PgColumn | SQL>;
  /** A query of the table and of those that lead to its owner. */
  join?: (query: PgSelect) => PgSelect;
  where?: SQL;
  /** The order of rows without an id. */
  by?: PgColumn;
};

/** Yields what the download shows of the acting patient's rows of a table (db/schema/policy.ts), by id where it shows one. */
function rowsOf(table: PgTable, { also = {}, join, where, by }: More = {}): (ctx: Ctx<Actor>) => AsyncGenerator<Row> {
  const { id, ...shown } = shownColumns(table);
  const { column: owner, joins } = ownerOf(table);
  const select = (db: Db) => {
    let query: PgSelect = db
      .select({ ...(id && { id }), ...also, ...shown })
      .from(table)
      .$dynamic();
    for (const { table: parent, on } of joins) query = query.innerJoin(parent, on);
    return (join?.(query) ?? query) as unknown as Rows<Row>;
  };
  if (id) return owned(owner, id as PgColumn, select, () => where);
  return async function* ({ db, actor }) {
    yield* await select(db)
      .where(eq(owner, actor.userId))
      .orderBy(asc(by ?? owner));
  };
}
const ofDoctor = (doctorId: PgColumn): More => ({
  also: { doctor: doctors.fullName },
  join: (query) => query.innerJoin(doctors, eq(doctors.id, doctorId)),
});

/** All lists of data.json, with what their tables show by policy. */
export const SECTIONS: Record<string, (ctx: Ctx<Actor>) => AsyncIterable<unknown>> = {
  family: rowsOf(familyMembers),
  appointments: rowsOf(appointments, {
    also: { doctor: doctors.fullName, hospital: hospitals.name },
    join: (query) =>
      query.innerJoin(doctors, eq(doctors.id, appointments.doctorId)).leftJoin(hospitals, eq(hospitals.id, doctors.hospitalId)),
  }),
  clinicRegisters: rowsOf(clinicPatients, {
    also: { hospital: hospitals.name, doctor: doctors.fullName },
    join: (query) =>
      query.leftJoin(hospitals, eq(hospitals.id, clinicPatients.hospitalId)).leftJoin(doctors, eq(doctors.id, clinicPatients.doctorId)),
  }),
  earlierAppointments: rowsOf(pastAppointments),
  payments: rowsOf(payments, {
    also: shownColumns(receipts),
    join: (query) => query.innerJoin(receipts, eq(receipts.paymentId, payments.id)),
  }),
  platformFeeDocuments: rowsOf(platformFeeDocuments),
  refunds: rowsOf(refunds, {
    also: shownColumns(providerRefunds),
    join: (query) => query.leftJoin(providerRefunds, eq(providerRefunds.refundId, refunds.id)),
  }),
  paymentOrders: rowsOf(paymentOrders),
  visits: rowsOf(encounters, ofDoctor(encounters.doctorId)),
  signedDocuments: rowsOf(visitDocuments, {
    also: shownColumns(visitNotes),
    join: (query) => query.leftJoin(visitNotes, eq(visitNotes.documentId, visitDocuments.id)),
    // Drafts are the doctor's until they are signed.
    where: isNotNull(visitDocuments.signedAt),
  }),
  records: rowsOf(medicalRecords),
  ownDocuments: rowsOf(ownRecords),
  recordPermissions: rowsOf(recordPermissions, ofDoctor(recordPermissions.doctorId)),
  recordLinks: rowsOf(recordShares),
  files: async function* (ctx) {
    for await (const { attached, mediaType, ...row } of rowsOf(files, { also: { mediaType: files.mediaType } })(ctx)) {
      const path = pathOf({ id: String(row.id), purpose: String(row.kind), mediaType: String(mediaType) });
      yield { ...row, path, attached: attached === "attached" };
    }
  },
  notBookedYet: rowsOf(bookingDrafts),
  emailAddress: rowsOf(notificationEmails),
  notifications: async function* (ctx) {
    for await (const { kind, params, ...row } of rowsOf(notifications)(ctx)) {
      const [name, values] = [String(kind), params as Record<string, string>];
      yield { ...row, ...(isNotificationKind(name) ? wordsOf(name, values) : { kind, params }) };
    }
  },
  pushDevices: rowsOf(pushSubscriptions),
  waitlist: rowsOf(waitlistEntries, ofDoctor(waitlistEntries.doctorId)),
  waitlistOffers: rowsOf(waitlistOffers),
  favourites: rowsOf(favourites, {
    also: { doctor: doctors.fullName, hospital: hospitals.name },
    join: (query) =>
      query.leftJoin(doctors, eq(doctors.id, favourites.doctorId)).leftJoin(hospitals, eq(hospitals.id, favourites.hospitalId)),
  }),
  reviews: rowsOf(reviews, ofDoctor(reviews.doctorId)),
  reviewReports: rowsOf(reviewReports),
  supportQuestions: rowsOf(supportThreads),
  supportMessages: rowsOf(supportMessages),
  messageConversations: rowsOf(messageThreads),
  messagesFromYou: rowsOf(inboundMessages),
  messagesToYou: rowsOf(outboundMessages),
  points: rowsOf(walletEntries),
  discountCodes: rowsOf(walletCodes),
  tokens: rowsOf(queueEntries, {
    also: { doctor: doctors.fullName, date: queueSessions.date, part: queueSessions.part },
    join: (query) =>
      query
        .innerJoin(queueSessions, eq(queueSessions.id, queueEntries.sessionId))
        .innerJoin(doctors, eq(doctors.id, queueSessions.doctorId)),
  }),
  chats: rowsOf(chatMessages, { also: shownColumns(conversations) }),
  assistant: rowsOf(assistantChoices),
  whoOpenedMyRecords: owned(
    auditLog.personId,
    auditLog.id,
    (db) =>
      db
        .select({
          id: auditLog.id,
          at: auditLog.at,
          action: auditLog.action,
          byRole: auditLog.actorRole,
          memberRole: auditLog.memberRole,
          ofPlace: sql<string | null>`(select h.name from hospitals h where h.id = audit_log.hospital_id)`,
          forDoctor: sql<string | null>`(select d.full_name from doctors d where d.id = audit_log.on_behalf_of)`,
          by: sql<
            string | null
          >`case when audit_log.actor_role = 'doctor' then (select d.full_name from doctors d where d.id = audit_log.actor_id) end`,
          subject: auditLog.subjectType,
          subjectId: auditLog.subjectId,
        })
        .from(auditLog),
    (me) => or(isNull(auditLog.actorId), ne(auditLog.actorId, me)),
  ),
  whatIDid: rowsOf(auditLog),
  consents: rowsOf(consents),
  sessions: rowsOf(sessions, { by: sessions.createdAt }),
};
