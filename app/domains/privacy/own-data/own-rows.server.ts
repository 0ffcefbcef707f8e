import { and, asc, eq, getTableColumns, isNotNull, isNull, ne, or, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Db } from "#app/db/client.server.ts";
import { beyond, inPages, ROWS_AT_ONCE } from "#app/db/in-pages.server.ts";
import {
  appointments,
  assistantChoices,
  auditLog,
  bookingDrafts,
  chatMessages,
  conversations,
  doctors,
  encounters,
  familyMembers,
  favourites,
  files,
  hospitals,
  medicalRecords,
  notificationEmails,
  notifications,
  ownRecords,
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
import { familyRow } from "#app/domains/patients/family/queries.server.ts";
import { storedFile } from "#app/domains/platform/files/stored-bytes.server.ts";
import { isNotificationKind } from "#app/domains/platform/notifications/kinds.ts";
import { wordsOf } from "#app/domains/platform/notifications/words.ts";

/** A query without its conditions. */
type Rows<Row> = { where(of: SQL | undefined): { orderBy(by: SQL): { limit(most: number): PromiseLike<Row[]> } } };

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
const listNotices = owned(notifications.userId, notifications.id, (db) => db.select().from(notifications));

/** Returns the path of a file in the zip. */
export const pathOf = (file: { id: string; purpose: string; mediaType: string }) =>
  `files/${file.purpose}-${file.id}.${ENDINGS[file.mediaType] ?? /\w*$/.exec(file.mediaType.split(";")[0] ?? "")?.[0] ?? "bin"}`;
const ENDINGS: Record<string, string> = {
  "image/jpeg": "jpg",
  "application/msword": "doc",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
};

/** All lists of data.json. Add new patient data here: tests/routes/own-data.test.ts checks it. */
export const SECTIONS: Record<string, (ctx: Ctx<Actor>) => AsyncIterable<unknown>> = {
  family: owned(familyMembers.patientId, familyMembers.id, (db) => db.select(familyRow).from(familyMembers)),
  appointments: owned(appointments.patientId, appointments.id, (db) =>
    db
      .select({
        id: appointments.id,
        doctor: doctors.fullName,
        hospital: hospitals.name,
        date: appointments.date,
        time: appointments.time,
        token: appointments.token,
        expectedTime: appointments.expectedTime,
        status: appointments.status,
        reason: opened(appointments.reason),
        patientName: appointments.patientName,
        patientPhone: appointments.patientPhone,
        patientAge: appointments.patientAge,
        patientBirthDate: appointments.patientBirthDate,
        patientGender: appointments.patientGender,
        bloodGroup: opened(appointments.bloodGroup),
        medicalHistory: opened(appointments.medicalHistory),
        patientNote: opened(appointments.patientNote),
        feePaise: appointments.fee,
        paymentReference: appointments.paymentReference,
        paymentMethod: appointments.paymentMethod,
        bookedAt: appointments.createdAt,
        acceptedAt: appointments.acceptedAt,
        completedAt: appointments.completedAt,
        cancelledAt: appointments.cancelledAt,
        cancelledBy: appointments.cancelledBy,
        cancelledAtDesk: appointments.cancelledAtDesk,
        cancelReason: appointments.cancelReason,
        missedAt: appointments.noShowAt,
        movedAt: appointments.movedAt,
        refundUntilHoursBefore: appointments.refundHours,
        refundOwed: appointments.refundOwed,
        payOnlineUntil: appointments.prepayUntil,
        cancelNote: opened(appointments.cancelNote),
        smsUpdates: appointments.smsUpdates,
        bookedByClinic: appointments.forCaller,
      })
      .from(appointments)
      .innerJoin(doctors, eq(doctors.id, appointments.doctorId))
      .leftJoin(hospitals, eq(hospitals.id, doctors.hospitalId)),
  ),
  payments: owned(appointments.patientId, payments.id, (db) =>
    db
      .select({
        id: payments.id,
        appointmentId: payments.appointmentId,
        method: payments.method,
        amountPaise: payments.amount,
        refundedPaise: payments.refunded,
        platformFeePaise: payments.platformFee,
        platformFeeRefundedPaise: payments.platformFeeRefunded,
        reference: opened(payments.reference),
        receivedAt: payments.receivedAt,
        receiptYear: receipts.financialYear,
        receiptNumber: receipts.number,
        receivedBy: receipts.merchantName,
      })
      .from(payments)
      .innerJoin(appointments, eq(appointments.id, payments.appointmentId))
      .innerJoin(receipts, eq(receipts.paymentId, payments.id)),
  ),
  platformFeeDocuments: owned(appointments.patientId, platformFeeDocuments.id, (db) =>
    db
      .select({
        id: platformFeeDocuments.id,
        kind: platformFeeDocuments.kind,
        paymentId: platformFeeDocuments.paymentId,
        refundId: platformFeeDocuments.refundId,
        financialYear: platformFeeDocuments.financialYear,
        number: platformFeeDocuments.number,
        amountPaise: platformFeeDocuments.amount,
        taxablePaise: platformFeeDocuments.taxable,
        tax: platformFeeDocuments.tax,
        invoicer: platformFeeDocuments.invoicer,
        gstin: platformFeeDocuments.gstin,
        issuedAt: platformFeeDocuments.issuedAt,
      })
      .from(platformFeeDocuments)
      .innerJoin(payments, eq(payments.id, platformFeeDocuments.paymentId))
      .innerJoin(appointments, eq(appointments.id, payments.appointmentId)),
  ),
  refunds: owned(appointments.patientId, refunds.id, (db) =>
    db
      .select({
        id: refunds.id,
        paymentId: refunds.paymentId,
        method: refunds.method,
        amountPaise: refunds.amount,
        platformFeePaise: refunds.platformFee,
        reason: refunds.reason,
        refundedAt: refunds.refundedAt,
        providerState: providerRefunds.state,
        settledAt: providerRefunds.settledAt,
        bankReference: providerRefunds.bankReference,
      })
      .from(refunds)
      .innerJoin(payments, eq(payments.id, refunds.paymentId))
      .innerJoin(appointments, eq(appointments.id, payments.appointmentId))
      .leftJoin(providerRefunds, eq(providerRefunds.refundId, refunds.id)),
  ),
  paymentOrders: owned(appointments.patientId, paymentOrders.id, (db) =>
    db
      .select({
        id: paymentOrders.id,
        appointmentId: paymentOrders.appointmentId,
        amountPaise: paymentOrders.amount,
        platformFeePaise: paymentOrders.platformFee,
        provider: paymentOrders.provider,
        state: paymentOrders.state,
        createdAt: paymentOrders.createdAt,
        expiresAt: paymentOrders.expiresAt,
      })
      .from(paymentOrders)
      .innerJoin(appointments, eq(appointments.id, paymentOrders.appointmentId)),
  ),
  visits: owned(encounters.patientId, encounters.id, (db) =>
    db
      .select({
        id: encounters.id,
        doctor: doctors.fullName,
        date: encounters.date,
        patient: opened(encounters.patient),
        followUpOn: encounters.followUpOn,
        followUpReminded: encounters.followUpReminded,
        at: encounters.createdAt,
      })
      .from(encounters)
      .innerJoin(doctors, eq(doctors.id, encounters.doctorId)),
  ),
  signedDocuments: owned(
    encounters.patientId,
    visitDocuments.id,
    (db) =>
      db
        .select({
          id: visitDocuments.id,
          visitId: visitDocuments.encounterId,
          kind: visitDocuments.kind,
          state: visitDocuments.state,
          code: visitDocuments.code,
          content: opened(visitDocuments.content, visitDocuments.dataKey),
          sha256: visitDocuments.sha256,
          signature: visitDocuments.signature,
          keyId: visitDocuments.keyId,
          note: opened(visitNotes.content, visitNotes.dataKey),
          signedAt: visitDocuments.signedAt,
          endedAt: visitDocuments.endedAt,
        })
        .from(visitDocuments)
        .innerJoin(encounters, eq(encounters.id, visitDocuments.encounterId))
        .leftJoin(visitNotes, eq(visitNotes.documentId, visitDocuments.id)),
    // Drafts are the doctor's until they are signed.
    () => isNotNull(visitDocuments.signedAt),
  ),
  records: owned(appointments.patientId, medicalRecords.id, (db) =>
    db
      .select({
        id: medicalRecords.id,
        appointmentId: medicalRecords.appointmentId,
        fileId: medicalRecords.fileId,
        type: medicalRecords.recordType,
        description: opened(medicalRecords.description),
        addedAt: medicalRecords.createdAt,
      })
      .from(medicalRecords)
      .innerJoin(appointments, eq(appointments.id, medicalRecords.appointmentId)),
  ),
  ownDocuments: owned(ownRecords.patientId, ownRecords.id, (db) =>
    db
      .select({
        id: ownRecords.id,
        of: opened(ownRecords.personName),
        fileId: ownRecords.fileId,
        type: ownRecords.recordType,
        description: opened(ownRecords.description),
        date: ownRecords.date,
        resultOf: ownRecords.orderId,
        addedByPlace: ownRecords.fromPlace,
        addedAt: ownRecords.createdAt,
      })
      .from(ownRecords),
  ),
  recordPermissions: owned(recordPermissions.patientId, recordPermissions.id, (db) =>
    db
      .select({
        id: recordPermissions.id,
        of: opened(recordPermissions.personName),
        doctor: doctors.fullName,
        allowedAt: recordPermissions.allowedAt,
        until: recordPermissions.until,
        endedAt: recordPermissions.endedAt,
      })
      .from(recordPermissions)
      .innerJoin(doctors, eq(doctors.id, recordPermissions.doctorId)),
  ),
  recordLinks: owned(recordShares.patientId, recordShares.id, (db) =>
    db
      .select({
        id: recordShares.id,
        signedDocumentId: recordShares.documentId,
        ownDocumentId: recordShares.ownRecordId,
        recordId: recordShares.medicalRecordId,
        withName: recordShares.showsName,
        mostOpenings: recordShares.most,
        opened: recordShares.opened,
        lastOpenedAt: recordShares.lastOpenedAt,
        createdAt: recordShares.createdAt,
        expiresAt: recordShares.expiresAt,
        endedAt: recordShares.endedAt,
      })
      .from(recordShares),
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
      .select({
        doctorId: bookingDrafts.doctorId,
        typed: opened(bookingDrafts.values),
        documents: opened(bookingDrafts.records),
        at: bookingDrafts.updatedAt,
      })
      .from(bookingDrafts)
      .where(eq(bookingDrafts.patientId, ctx.actor.userId));
  },
  emailAddress: async function* (ctx) {
    yield* await ctx.db
      .select({ email: notificationEmails.email, notYetConfirmed: notificationEmails.pendingEmail, since: notificationEmails.updatedAt })
      .from(notificationEmails)
      .where(eq(notificationEmails.userId, ctx.actor.userId));
  },
  notifications: async function* (ctx) {
    for await (const { id, kind, params, createdAt, readAt, deletedAt } of listNotices(ctx))
      yield { id, ...(isNotificationKind(kind) ? wordsOf(kind, params) : { kind, params }), at: createdAt, readAt, deletedAt };
  },
  pushDevices: owned(pushSubscriptions.userId, pushSubscriptions.id, (db) =>
    db
      .select({
        id: pushSubscriptions.id,
        browser: pushSubscriptions.userAgent,
        address: opened(pushSubscriptions.address),
        since: pushSubscriptions.createdAt,
        lastSentAt: pushSubscriptions.lastSentAt,
      })
      .from(pushSubscriptions),
  ),
  waitlist: owned(waitlistEntries.patientId, waitlistEntries.id, (db) =>
    db
      .select({
        id: waitlistEntries.id,
        doctor: doctors.fullName,
        appointmentId: waitlistEntries.appointmentId,
        patientName: waitlistEntries.patientName,
        patientPhone: waitlistEntries.patientPhone,
        patientAge: waitlistEntries.patientAge,
        patientBirthDate: waitlistEntries.patientBirthDate,
        patientGender: waitlistEntries.patientGender,
        from: waitlistEntries.fromDate,
        until: waitlistEntries.untilDate,
        partsOfDay: waitlistEntries.parts,
        sms: waitlistEntries.sms,
        state: waitlistEntries.state,
        endedBecause: waitlistEntries.endReason,
        joinedAt: waitlistEntries.createdAt,
        endedAt: waitlistEntries.endedAt,
      })
      .from(waitlistEntries)
      .innerJoin(doctors, eq(doctors.id, waitlistEntries.doctorId)),
  ),
  waitlistOffers: owned(waitlistEntries.patientId, waitlistOffers.id, (db) =>
    db
      .select({
        id: waitlistOffers.id,
        waitlistId: waitlistOffers.entryId,
        date: waitlistOffers.date,
        time: waitlistOffers.time,
        state: waitlistOffers.state,
        endsAt: waitlistOffers.endsAt,
        freedDate: waitlistOffers.freedDate,
        freedTime: waitlistOffers.freedTime,
        offeredAt: waitlistOffers.createdAt,
        decidedAt: waitlistOffers.decidedAt,
      })
      .from(waitlistOffers)
      .innerJoin(waitlistEntries, eq(waitlistEntries.id, waitlistOffers.entryId)),
  ),
  favourites: owned(favourites.patientId, favourites.id, (db) =>
    db
      .select({ id: favourites.id, doctor: doctors.fullName, hospital: hospitals.name, since: favourites.createdAt })
      .from(favourites)
      .leftJoin(doctors, eq(doctors.id, favourites.doctorId))
      .leftJoin(hospitals, eq(hospitals.id, favourites.hospitalId)),
  ),
  reviews: owned(reviews.patientId, reviews.id, (db) =>
    db
      .select({
        id: reviews.id,
        doctor: doctors.fullName,
        appointmentId: reviews.appointmentId,
        status: reviews.status,
        stars: reviews.rating,
        words: reviews.words,
        hiddenBecause: reviews.hiddenReason,
        reply: reviews.reply,
        writtenAt: reviews.createdAt,
        editedAt: reviews.editedAt,
      })
      .from(reviews)
      .innerJoin(doctors, eq(doctors.id, reviews.doctorId)),
  ),
  reviewReports: owned(reviewReports.reporterId, reviewReports.id, (db) =>
    db
      .select({
        id: reviewReports.id,
        reviewId: reviewReports.reviewId,
        reason: reviewReports.reason,
        note: opened(reviewReports.note),
        at: reviewReports.createdAt,
      })
      .from(reviewReports),
  ),
  supportQuestions: owned(supportThreads.userId, supportThreads.id, (db) =>
    db
      .select({
        id: supportThreads.id,
        reference: supportThreads.reference,
        topic: supportThreads.topic,
        appointmentId: supportThreads.appointmentId,
        state: supportThreads.state,
        writtenAt: supportThreads.createdAt,
        lastMessageAt: supportThreads.lastMessageAt,
      })
      .from(supportThreads),
  ),
  supportMessages: owned(supportThreads.userId, supportMessages.id, (db) =>
    db
      .select({
        id: supportMessages.id,
        questionId: supportMessages.threadId,
        bySupport: supportMessages.bySupport,
        message: opened(supportMessages.content),
        at: supportMessages.createdAt,
      })
      .from(supportMessages)
      .innerJoin(supportThreads, eq(supportThreads.id, supportMessages.threadId)),
  ),
  points: owned(walletEntries.patientId, walletEntries.id, (db) =>
    db
      .select({
        id: walletEntries.id,
        kind: walletEntries.kind,
        about: walletEntries.about,
        points: walletEntries.points,
        at: walletEntries.createdAt,
      })
      .from(walletEntries),
  ),
  discountCodes: owned(walletCodes.patientId, walletCodes.id, (db) =>
    db
      .select({
        id: walletCodes.id,
        code: walletCodes.code,
        offer: walletCodes.offer,
        appointmentId: walletCodes.appointmentId,
        at: walletCodes.createdAt,
      })
      .from(walletCodes),
  ),
  tokens: owned(queueEntries.patientId, queueEntries.id, (db) =>
    db
      .select({
        id: queueEntries.id,
        doctor: doctors.fullName,
        date: queueSessions.date,
        part: queueSessions.part,
        number: queueEntries.number,
        kind: queueEntries.kind,
        state: queueEntries.state,
        priority: queueEntries.priority,
        appointmentId: queueEntries.appointmentId,
        name: opened(queueEntries.name),
        phone: opened(queueEntries.phone),
        age: queueEntries.age,
        birthDate: queueEntries.birthDate,
        gender: queueEntries.gender,
        expectedAt: queueEntries.dueAt,
        shownFrom: queueEntries.estimateLowAt,
        shownTo: queueEntries.estimateHighAt,
        travelMinutes: queueEntries.travelMinutes,
        noSms: queueEntries.smsStopped,
        arrivedAt: queueEntries.arrivedAt,
        calledAt: queueEntries.calledAt,
        withDoctorAt: queueEntries.withDoctorAt,
        doneAt: queueEntries.doneAt,
        skippedAt: queueEntries.skippedAt,
        leftAt: queueEntries.leftAt,
        missedAt: queueEntries.noShowAt,
        at: queueEntries.createdAt,
      })
      .from(queueEntries)
      .innerJoin(queueSessions, eq(queueSessions.id, queueEntries.sessionId))
      .innerJoin(doctors, eq(doctors.id, queueSessions.doctorId)),
  ),
  chats: owned(conversations.ownerId, chatMessages.seq, (db) =>
    db
      .select({
        id: chatMessages.seq,
        conversationId: chatMessages.conversationId,
        chat: opened(conversations.title),
        by: chatMessages.role,
        words: opened(chatMessages.content),
        fileId: chatMessages.fileId,
        state: chatMessages.state,
        answeredBy: chatMessages.by,
        at: chatMessages.createdAt,
      })
      .from(chatMessages)
      .innerJoin(conversations, eq(conversations.id, chatMessages.conversationId)),
  ),
  assistant: async function* (ctx) {
    yield* await ctx.db
      .select({ consentedAt: assistantChoices.consentedAt, helperOnly: assistantChoices.helperOnly })
      .from(assistantChoices)
      .where(eq(assistantChoices.userId, ctx.actor.userId));
  },
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
  whatIDid: owned(auditLog.actorId, auditLog.id, (db) =>
    db
      .select({
        id: auditLog.id,
        at: auditLog.at,
        action: auditLog.action,
        subject: auditLog.subjectType,
        subjectId: auditLog.subjectId,
        address: auditLog.ip,
      })
      .from(auditLog),
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
