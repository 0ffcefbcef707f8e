/** Deleting an account on a real database: what is deleted, what remains, and concurrent requests. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { and, desc, eq, getTableColumns } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import {
  appointments,
  assistantChoices,
  auditLog,
  bookingDrafts,
  doctors,
  familyMembers,
  favourites,
  files,
  medicalRecords,
  notificationEmails,
  notifications,
  outboxMessages,
  patients,
  reviewReports,
  reviews,
  sessions,
  userSettings,
  users,
  walletEntries,
} from "#app/db/schema/index.ts";
import { opened } from "#app/db/sealed.server.ts";
import { bookAppointment } from "#app/domains/booking/appointments/book-appointment.server.ts";
import { saveBookingDraft } from "#app/domains/booking/appointments/booking-draft.server.ts";
import { changeAppointment } from "#app/domains/booking/appointments/change-appointment.server.ts";
import { reportReview } from "#app/domains/booking/reviews/report-review.server.ts";
import { saveReview } from "#app/domains/booking/reviews/save-review.server.ts";
import { addFavourite } from "#app/domains/directory/favourites/change-favourites.server.ts";
import { addQuestion } from "#app/domains/guidance/assistant/add-question.server.ts";
import { chooseAnswerer, consent } from "#app/domains/guidance/assistant/choose-answerer.server.ts";
import { rememberFamilyMember } from "#app/domains/patients/family/save-family.server.ts";
import { savePatientProfile } from "#app/domains/patients/profile/save-profile.server.ts";
import { completeMission } from "#app/domains/patients/wallet/complete-mission.server.ts";
import { redeemOffer } from "#app/domains/patients/wallet/redeem-offer.server.ts";
import { OFFERS } from "#app/domains/patients/wallet/wallet.ts";
import { startChallenge } from "#app/domains/platform/accounts/otp.server.ts";
import { findSession } from "#app/domains/platform/accounts/queries.server.ts";
import { openSession } from "#app/domains/platform/accounts/sessions.server.ts";
import { verifyPatientLogin } from "#app/domains/platform/accounts/verify-patient-login.server.ts";
import { storeFile as storeUpload } from "#app/domains/platform/files/store-file.server.ts";
import { sweepFiles } from "#app/domains/platform/files/sweep-files.server.ts";
import { defaultPlace, savePlace } from "#app/domains/platform/location/choose-place.server.ts";
import { requestNotificationEmail } from "#app/domains/platform/settings/notification-email.server.ts";
import { saveSettings } from "#app/domains/platform/settings/save-settings.server.ts";
import { integrations } from "#app/integrations/live.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { hashToken, randomToken } from "#app/lib/ids.server.ts";
import { env } from "#app/runtime/env.server.ts";
import {
  dayFromNow,
  makeDoctor,
  makePatient,
  makeVisit,
  newPhone,
  type Person,
  type TestDoctor,
} from "../../../../tests/factories/people.ts";
import { plain } from "../../../../tests/factories/plain.ts";
import { notify } from "../../../../tests/setup/record.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { countVisitsToCome, deleteAccount } from "./delete-account.server.ts";

const { db, ctx } = testDb();
const NAME = "Secretia Patientova";
let me: Person;
let doctor: TestDoctor;
beforeEach(async () => {
  me = await makePatient(db, { name: NAME });
  doctor = await makeDoctor(db, {
    slots: [
      { date: dayFromNow(3), time: "10:00" },
      { date: dayFromNow(4), time: "10:00" },
    ],
  });
});
/** Returns the files in the store of this test file. */
const storedFiles = () =>
  (existsSync(join(env().dataDir, "files")) ? (readdirSync(join(env().dataDir, "files"), { recursive: true }) as string[]) : [])
    .filter((name) => name.includes("/"))
    .sort();
const statusOf = async (id: string) => (await db.select({ s: users.status }).from(users).where(eq(users.id, id)))[0]?.s;
const visit = async (id: string) =>
  (
    await db
      .select({ ...getTableColumns(appointments), reason: opened(appointments.reason) })
      .from(appointments)
      .where(eq(appointments.id, id))
  )[0]!;
/** Returns the code in the newest message to this phone. */
async function codeFor(phone: string): Promise<string> {
  const [sent] = await db
    .select({ body: outboxMessages.body })
    .from(outboxMessages)
    .where(eq(outboxMessages.to, phone))
    .orderBy(desc(outboxMessages.sentAt))
    .limit(1);
  return /\b\d{6}\b/.exec(sent!.body)![0];
}

async function storeFile(purpose: "medical-record" | "patient-photo"): Promise<{ id: string; key: string }> {
  const key = `${purpose}/${hashToken(randomToken()).slice(0, 40)}`;
  await integrations().storage.put(key, Buffer.from("bytes"), "image/jpeg");
  const [row] = await db
    .insert(files)
    .values({
      ownerId: me.id,
      purpose,
      status: "attached",
      storageKey: key,
      mediaType: "image/jpeg",
      byteSize: 5,
      originalName: plain(NAME),
    })
    .returning();
  return { id: row!.id, key };
}
const booking = (date: string, key = randomToken()) => ({
  doctorId: doctor.id,
  date,
  time: "10:00",
  name: NAME,
  phone: me.phone,
  age: 30,
  gender: "female" as const,
  reason: "Cough",
  medicalHistory: "Asthma",
  records: [],
  idempotencyKey: key,
});

describe("what is deleted", () => {
  it("deletes everything that identifies the user, also in notifications of doctors, and the bytes of the files", async () => {
    const past = await makeVisit(
      db,
      { patient: me, doctor },
      { status: "completed", date: dayFromNow(-9), name: NAME, reason: "Fits", history: "HIV" },
    );
    const soon = await makeVisit(
      db,
      { patient: me, doctor },
      { status: "accepted", date: dayFromNow(1), time: "00:00", name: NAME, history: "HIV" },
    );
    await db.update(appointments).set({ patientBirthDate: "2026-05-04" }).where(eq(appointments.id, past));
    const [document, photo] = [await storeFile("medical-record"), await storeFile("patient-photo")];
    await db.insert(medicalRecords).values({ appointmentId: past, fileId: document.id, recordType: "xray", description: plain(NAME) });
    await db.update(patients).set({ photoFileId: photo.id, dateOfBirth: "1990-01-01", latitude: 16 }).where(eq(patients.id, me.id));
    await db.insert(favourites).values({ patientId: me.id, doctorId: doctor.id });
    await db.insert(notificationEmails).values({ userId: me.id, email: "me@demo.test" });
    await db.insert(userSettings).values({ userId: me.id, chosen: { notifications: { sms: true } } });
    await db.insert(bookingDrafts).values({ patientId: me.id, doctorId: doctor.id, values: plain(JSON.stringify({ name: NAME })) });
    await rememberFamilyMember(ctx(me.actor), { name: "Savitri", relation: "mother", age: 60, gender: "female" });
    await notify(
      ctx(),
      doctor.id,
      "appointment-booked",
      { patient: NAME, date: dayFromNow(1), time: "10:00", doctor: "D" },
      { page: "doctor-visit", id: soon },
    );
    await notify(
      ctx(),
      me.id,
      "appointment-accepted",
      { patient: NAME, date: dayFromNow(1), time: "10:00", doctor: "D" },
      { page: "patient-calendar" },
    );
    await db.insert(reviews).values({ appointmentId: past, patientId: me.id, doctorId: doctor.id, rating: 4, words: NAME });
    await db.update(doctors).set({ ratingSum: 4, ratingCount: 1 }).where(eq(doctors.id, doctor.id));
    const token = await openSession(ctx(), me.actor, "");
    expect(await countVisitsToCome(ctx(me.actor))).toBe(1);

    await deleteAccount(ctx(me.actor));

    expect(await visit(past)).toMatchObject({
      status: "completed",
      reason: "",
      fee: 50_000,
      patientName: "Deleted account",
      patientPhone: "",
      patientBirthDate: null,
      medicalHistory: null,
    });
    // Within a day of the visit the patient could not cancel it.
    expect(await visit(soon)).toMatchObject({ status: "cancelled", cancelledBy: "patient", patientName: "Deleted account" });
    expect(await db.select().from(users).where(eq(users.id, me.id))).toMatchObject([{ status: "deleted", phone: null, email: null }]);
    expect(await db.select().from(patients).where(eq(patients.id, me.id))).toMatchObject([
      { name: null, dateOfBirth: null, latitude: null, photoFileId: null },
    ]);
    expect(await db.select().from(doctors).where(eq(doctors.id, doctor.id))).toMatchObject([{ ratingSum: 0, ratingCount: 0 }]);
    expect(await db.select().from(reviews).where(eq(reviews.patientId, me.id))).toMatchObject([
      { status: "withdrawn", words: null, rating: null },
    ]);
    for (const [table, column] of [
      [files, files.ownerId],
      [familyMembers, familyMembers.patientId],
      [favourites, favourites.patientId],
      [userSettings, userSettings.userId],
      [notificationEmails, notificationEmails.userId],
      [bookingDrafts, bookingDrafts.patientId],
      [notifications, notifications.userId],
      [sessions, sessions.userId],
    ] as const)
      expect(await db.$count(table, eq(column, me.id))).toBe(0);
    for (const { key } of [document, photo]) expect(await integrations().storage.get(key)).toBeNull();
    expect(await findSession(ctx(), hashToken(token))).toBeNull();
    const notified = await db
      .select({ kind: notifications.kind, params: notifications.params })
      .from(notifications)
      .where(eq(notifications.userId, doctor.id));
    expect(notified.map((t) => [t.kind, t.params.patient]).sort()).toEqual([
      ["appointment-booked", "Deleted account"],
      ["appointment-cancelled", "Deleted account"],
    ]);
    expect(
      await db
        .select()
        .from(auditLog)
        .where(and(eq(auditLog.action, "delete-account"), eq(auditLog.personId, me.id))),
    ).toMatchObject([{ actorId: me.id, details: { visitsCancelled: 1, files: 2, sessionsEnded: 1 } }]);
  });

  it("leaves the data of other users", async () => {
    const other = await makePatient(db, { name: "Other" });
    const theirs = await makeVisit(db, { patient: other, doctor }, { name: "Other" });
    await deleteAccount(ctx(me.actor));
    expect(await visit(theirs)).toMatchObject({ patientName: "Other", status: "pending" });
    expect(await statusOf(other.id)).toBe("active");
    await expect(deleteAccount(ctx(doctor.actor))).rejects.toMatchObject({ code: "forbidden" });
    expect(await statusOf(doctor.id)).toBe("active");
  });

  it("files that cannot be deleted now are deleted by the sweep", async () => {
    const document = await storeFile("medical-record");
    const broken = { ...integrations().storage, remove: () => Promise.reject(new DomainError("unavailable")) };
    await deleteAccount({ ...ctx(me.actor), integrations: { ...integrations(), storage: broken } });
    expect(await integrations().storage.get(document.key)).not.toBeNull();
    await sweepFiles(ctx());
    expect(await integrations().storage.get(document.key)).toBeNull();
    expect(await db.$count(files, eq(files.ownerId, me.id))).toBe(0);
  });
});

describe("at the same moment", () => {
  it("refuses every write of an open session, and leaves nothing of the user", async () => {
    const done = await makeVisit(db, { patient: me, doctor }, { status: "completed" });
    const other = await makePatient(db);
    const theirs = await makeVisit(db, { patient: other, doctor }, { status: "completed", date: dayFromNow(-2) });
    await saveReview(ctx(other.actor), { appointmentId: theirs, rating: 1, words: "Slow." });
    const [review] = await db.select({ id: reviews.id }).from(reviews).where(eq(reviews.patientId, other.id));
    const late = ctx(me.actor);
    await deleteAccount(late);
    const bytesBefore = storedFiles();
    const writes: Record<string, () => Promise<unknown>> = {
      favourite: () => addFavourite(late, { kind: "doctor", id: doctor.id }),
      email: () => requestNotificationEmail(late, { email: "late@demo.test" }),
      settings: () => saveSettings(late, "notifications", { sms: false }),
      place: async () => savePlace(late, await defaultPlace(late)),
      draft: () => saveBookingDraft(late, doctor.id, { values: { name: NAME }, records: [] }),
      review: () => saveReview(late, { appointmentId: done, rating: 5, words: NAME }),
      report: () => reportReview(late, { id: review!.id, reason: "abuse", note: NAME }),
      consent: () => consent(late),
      answerer: () => chooseAnswerer(late, true),
      points: () => completeMission(late, "profile"),
      offer: () => redeemOffer(late, { offer: OFFERS[0].key, key: "late" }),
      question: () => addQuestion(late, { key: "late", message: NAME }),
      file: () => storeUpload(late, { purpose: "chat-file", name: NAME, bytes: new Uint8Array([1]), mediaType: "application/pdf" }),
    };
    for (const [name, write] of Object.entries(writes)) await expect(write(), name).rejects.toMatchObject({ code: "unauthenticated" });
    expect(storedFiles()).toEqual(bytesBefore);
    for (const rows of [
      db.$count(favourites, eq(favourites.patientId, me.id)),
      db.$count(notificationEmails, eq(notificationEmails.userId, me.id)),
      db.$count(userSettings, eq(userSettings.userId, me.id)),
      db.$count(bookingDrafts, eq(bookingDrafts.patientId, me.id)),
      db.$count(reviews, eq(reviews.patientId, me.id)),
      db.$count(files, eq(files.ownerId, me.id)),
      db.$count(reviewReports, eq(reviewReports.reporterId, me.id)),
      db.$count(assistantChoices, eq(assistantChoices.userId, me.id)),
      db.$count(walletEntries, eq(walletEntries.patientId, me.id)),
    ])
      expect(await rows).toBe(0);
  });

  it("a hundred requests are one deletion", async () => {
    await makeVisit(db, { patient: me, doctor }, { date: dayFromNow(8) });
    await Promise.all(Array.from({ length: 100 }, () => deleteAccount(ctx(me.actor))));
    expect(await db.$count(auditLog, and(eq(auditLog.action, "delete-account"), eq(auditLog.personId, me.id)))).toBe(1);
    expect(await db.$count(notifications, eq(notifications.userId, doctor.id))).toBe(1);
  });

  it("a booking is either cancelled with the account or refused, never left with a name", async () => {
    for (let round = 0; round < 12; round++) {
      const date = dayFromNow(20 + round);
      const who = await makePatient(db, { name: NAME });
      const busy = await makeDoctor(db, { slots: [{ date, time: "10:00" }] });
      const book = () => bookAppointment(ctx(who.actor), { ...booking(date), doctorId: busy.id });
      const [booked] = await Promise.allSettled(
        round % 2 ? [book(), deleteAccount(ctx(who.actor))] : [deleteAccount(ctx(who.actor)).then(() => undefined), book()].reverse(),
      );
      if (booked!.status === "rejected") expect(booked!.reason).toMatchObject({ code: "unauthenticated" });
      const left = await db.select().from(appointments).where(eq(appointments.patientId, who.id));
      for (const row of left) expect(row).toMatchObject({ status: "cancelled", patientName: "Deleted account", medicalHistory: null });
    }
    await deleteAccount(ctx(me.actor));
    await expect(bookAppointment(ctx(me.actor), booking(dayFromNow(3)))).rejects.toMatchObject({ code: "unauthenticated" });
  });

  it("a doctor who cancels or accepts the same visit gets a response, and it ends cancelled or completed", async () => {
    for (let round = 0; round < 6; round++) {
      const who = await makePatient(db, { name: NAME });
      const ids = [
        await makeVisit(db, { patient: who, doctor }, { date: dayFromNow(40 + round) }),
        await makeVisit(db, { patient: who, doctor }, { date: dayFromNow(60 + round) }),
      ];
      const results = await Promise.allSettled([
        changeAppointment(ctx(doctor.actor), { id: ids[0]!, action: "cancel" }),
        deleteAccount(ctx(who.actor)),
        changeAppointment(ctx(doctor.actor), { id: ids[1]!, action: "accept" }),
      ]);
      expect(results[1]!.status).toBe("fulfilled");
      for (const result of results) if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "conflict" });
      for (const id of ids) expect((await visit(id)).status).toBe("cancelled");
    }
  });

  it("writes nothing for a deleted user", async () => {
    await deleteAccount(ctx(me.actor));
    await expect(savePatientProfile(ctx(me.actor), { name: NAME, noAllergies: false, removePhoto: false })).rejects.toMatchObject({
      code: "unauthenticated",
    });
    await expect(rememberFamilyMember(ctx(me.actor), { name: "A", relation: "son", age: 3, gender: "male" })).rejects.toMatchObject({
      code: "unauthenticated",
    });
    expect(await db.select().from(patients).where(eq(patients.id, me.id))).toMatchObject([{ name: null }]);
  });

  it("a login at that moment opens the old account before or a new one after, never a deleted one", async () => {
    for (let round = 0; round < 6; round++) {
      const who = await makePatient(db, { phone: newPhone() });
      const { challengeId } = await startChallenge(ctx(), { purpose: "patient-login", phone: who.phone });
      const code = await codeFor(who.phone);
      const [login] = await Promise.allSettled([
        verifyPatientLogin(ctx(), { idHash: hashToken(challengeId), code, userAgent: "" }),
        deleteAccount(ctx(who.actor)),
      ]);
      if (login!.status === "fulfilled") {
        const { token, patientId } = (login as PromiseFulfilledResult<{ token: string; patientId: string }>).value;
        const session = await findSession(ctx(), hashToken(token));
        // Either the session ended with the account, or it belongs to a new account.
        expect(session === null).toBe(patientId === who.id);
      } else expect((login as PromiseRejectedResult).reason).toMatchObject({ code: "invalid" });
      expect(await statusOf(who.id)).toBe("deleted");
    }
  });
});

it("the phone starts a new account without old data", async () => {
  await makeVisit(db, { patient: me, doctor });
  await deleteAccount(ctx(me.actor));
  const { challengeId } = await startChallenge(ctx(), { purpose: "patient-login", phone: me.phone });
  const { patientId } = await verifyPatientLogin(ctx(), { idHash: hashToken(challengeId), code: await codeFor(me.phone), userAgent: "" });
  expect(patientId).not.toBe(me.id);
  expect(await statusOf(patientId)).toBe("active");
  expect(await db.$count(appointments, eq(appointments.patientId, patientId))).toBe(0);
});
