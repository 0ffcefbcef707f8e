/** What the doctor and the patient are notified of when a member of the place books, moves or cancels an appointment. */
import { and, eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { appointments, notifications, outboxMessages, users } from "#app/db/schema/index.ts";
import type { Actor } from "#app/domains/context.server.ts";
import { sendNotificationSms } from "#app/domains/platform/notifications/deliver.server.ts";
import type { NotificationKind } from "#app/domains/platform/notifications/kinds.ts";
import { wordsOf } from "#app/domains/platform/notifications/words.ts";
import { withLanguage } from "#app/lib/language.server.ts";
import { LANGUAGES } from "#app/lib/language.ts";
import { makeMember } from "../../../../tests/factories/members.ts";
import {
  addSlots,
  dayFromNow,
  makePatient,
  makeVisit,
  newPhone,
  type Person,
  type TestDoctor,
} from "../../../../tests/factories/people.ts";
import { makeClinic } from "../../../../tests/factories/queues.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { bookForCaller } from "./book-for-caller.server.ts";
import { changeAtPlace, moveAtPlace } from "./change-at-place.server.ts";
import { appointmentQueries } from "./send-reminders.server.ts";

const { db, ctx } = testDb();
const DATE = dayFromNow(6);
let patient: Person;
let doctor: TestDoctor;
let reception: Actor;
let hospitalId: string;
beforeEach(async () => {
  const clinic = await makeClinic(db);
  ({ doctor, reception } = clinic);
  hospitalId = clinic.place.id;
  patient = await makePatient(db);
  await addSlots(db, doctor.id, [
    { date: DATE, time: "10:00" },
    { date: DATE, time: "11:00" },
  ]);
});
const visit = () => makeVisit(db, { patient, doctor }, { date: DATE, time: "10:00", name: "Lakshmi Devi", status: "accepted" });
const noticesOf = async (userId: string) =>
  (await db.select().from(notifications).where(eq(notifications.userId, userId))).map(({ id, kind, params, targetPath }) => ({
    id,
    kind: kind as NotificationKind,
    params,
    targetPath,
  }));
/** Returns the only notification of a user, with its text in the three languages. */
async function onlyNotice(userId: string) {
  const notices = await noticesOf(userId);
  expect(notices).toHaveLength(1);
  const { kind, params, targetPath, id } = notices[0]!;
  const [en, te, hi] = LANGUAGES.map((language) => withLanguage(language, () => wordsOf(kind, params)));
  return { id, kind, targetPath, en: en!, te: te!, hi: hi! };
}
const book = (actor = reception, phone = newPhone()) =>
  bookForCaller(ctx(actor), {
    hospitalId,
    doctorId: doctor.id,
    at: { date: DATE, time: "10:00" },
    phone,
    name: "Lakshmi Devi",
    age: 54,
    gender: "female",
    idempotencyKey: "one-press",
  });
const cancel = (id: string, actor = reception) =>
  changeAtPlace(ctx(actor), { hospitalId, id, action: "cancel", reason: "unwell", note: "We call you." });
const move = (id: string, actor = reception) => moveAtPlace(ctx(actor), { hospitalId, id, at: { date: DATE, time: "11:00" } });

describe("the doctor", () => {
  it("is notified once of a booking, as booked by the clinic and not as a request", async () => {
    const phone = newPhone();
    const { id } = await book(reception, phone);
    await book(reception, phone);
    const notice = await onlyNotice(doctor.id);
    expect(notice).toMatchObject({ kind: "appointment-booked-by-clinic", targetPath: `/doctor/patient/${id}` });
    expect(notice.en.title).toBe("Appointment booked");
    expect(notice.en.message).toMatch(/^The clinic booked an appointment for Lakshmi Devi on \d+ \w+ \d{4} at 10:00 AM\.$/);
    expect(notice.te.message).toMatch(/Lakshmi Devi.*క్లినిక్ అపాయింట్‌మెంట్ బుక్ చేసింది\.$/);
    expect(notice.hi.message).toMatch(/^क्लिनिक ने Lakshmi Devi .*बुक किया।$/);
  });

  it("is notified once of a cancellation, as made by the clinic", async () => {
    const id = await visit();
    await cancel(id);
    const notice = await onlyNotice(doctor.id);
    expect(notice).toMatchObject({ kind: "appointment-cancelled", targetPath: `/doctor/patient/${id}` });
    expect(notice.en.message).toMatch(/^The clinic cancelled Lakshmi Devi's appointment with .* on \d+ \w+ \d{4} at 10:00 AM\.$/);
    expect(notice.te.message).toContain("క్లినిక్ రద్దు చేసింది");
    expect(notice.hi.message).toMatch(/^क्लिनिक ने .* रद्द किया।$/);
  });

  it("is notified once of a move, with both times", async () => {
    const id = await visit();
    await move(id);
    const notice = await onlyNotice(doctor.id);
    expect(notice).toMatchObject({ kind: "appointment-moved-by-clinic", targetPath: `/doctor/patient/${id}` });
    expect(notice.en.message).toMatch(/^The clinic moved Lakshmi Devi's appointment .* at 10:00 AM to .* at 11:00 AM\.$/);
    expect(notice.te.message).toContain("క్లినిక్");
    expect(notice.hi.message).toMatch(/^क्लिनिक ने .* पर कर दिया।$/);
  });

  it("is not notified of what they do at the desk themselves", async () => {
    const own = await makeMember(db, hospitalId, "owner", { actor: doctor.actor });
    const { id } = await book(own);
    await move(id, own);
    await cancel(id, own);
    expect(await noticesOf(doctor.id)).toEqual([]);
    const [{ patientId } = { patientId: "" }] = await db
      .select({ patientId: appointments.patientId })
      .from(appointments)
      .where(eq(appointments.id, id));
    const params = (await noticesOf(patientId)).map(({ params }) => params.by);
    expect(params).toEqual([undefined, undefined, undefined]);
  });
});

describe("the patient", () => {
  it("reads that the clinic cancelled and wrote, and not the doctor", async () => {
    await cancel(await visit());
    const notice = await onlyNotice(patient.id);
    expect(notice.kind).toBe("appointment-cancelled-by-doctor");
    expect(notice.en.message).toMatch(/^The clinic cancelled Lakshmi Devi's appointment with .* The clinic wrote you a message\./);
    expect(notice.te.message).toMatch(/క్లినిక్ రద్దు చేసింది.*క్లినిక్ మీకు సందేశం రాసింది/);
    expect(notice.hi.message).toMatch(/^क्लिनिक ने .*क्लिनिक ने आपको संदेश लिखा है/);
  });

  it.each([
    ["en", /was cancelled by the clinic\. Reason: /],
    ["te", /రద్దు \(క్లినిక్\): /],
    ["hi", /रद्द \(क्लिनिक\): /],
  ] as const)("reads in an SMS that the clinic cancelled (%s)", async (language, words) => {
    await db.update(users).set({ language }).where(eq(users.id, patient.id));
    await cancel(await visit());
    const { id } = await onlyNotice(patient.id);
    await sendNotificationSms(ctx(), id, appointmentQueries);
    const [sent] = await db
      .select({ body: outboxMessages.body })
      .from(outboxMessages)
      .where(and(eq(outboxMessages.to, patient.phone), eq(outboxMessages.channel, "sms")));
    expect(sent?.body).toMatch(words);
  });

  it("reads that the clinic moved the appointment", async () => {
    await move(await visit());
    const notice = await onlyNotice(patient.id);
    expect(notice.kind).toBe("appointment-moved");
    expect(notice.en.message).toMatch(
      /^The clinic moved .* at 11:00 AM\. If it does not suit you, you can cancel it until the new time\.$/,
    );
    expect(notice.te.message).toMatch(/క్లినిక్ .*రద్దు చేయవచ్చు\.$/);
    expect(notice.hi.message).toMatch(/^क्लिनिक ने .*रद्द कर सकते हैं।$/);
  });
});
