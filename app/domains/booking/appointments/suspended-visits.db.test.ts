/** Coming visits of a suspended doctor: cancelled or moved by an administrator, with a message in the patient's language. */

import { and, eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import {
  appointmentProposals,
  appointments,
  auditLog,
  doctors,
  notifications,
  users,
  walletCodes,
  walletEntries,
} from "#app/db/schema/index.ts";
import type { Actor } from "#app/domains/context.server.ts";
import { reinstateDoctor } from "#app/domains/credentials/cases/reinstate-doctor.server.ts";
import { OFFERS } from "#app/domains/patients/wallet/wallet.ts";
import { sendNotificationEmail, sendNotificationSms } from "#app/domains/platform/delivery/deliver.server.ts";
import type { NotificationKind } from "#app/domains/platform/notifications/kinds.ts";
import { wordsOf } from "#app/domains/platform/notifications/words.ts";
import { timeInIndia, todayInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { withLanguage } from "#app/lib/language.server.ts";
import { paise } from "#app/lib/money.ts";
import {
  dayFromNow,
  makeDoctor,
  makePatient,
  makeStaff,
  makeVisit,
  type Person,
  type TestDoctor,
} from "../../../../tests/factories/people.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { changeAppointment } from "./change-appointment.server.ts";
import { getPatientAppointment } from "./patient-queries.server.ts";
import { appointmentQueries } from "./send-reminders.server.ts";
import { askToChooseAgain, cancelSuspendedVisits, listSuspendedVisits } from "./suspended-visits.server.ts";

const { db, ctx } = testDb();
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => (error instanceof DomainError ? error.code : error),
  );
const statusOf = async (id: string) => (await db.select().from(appointments).where(eq(appointments.id, id)))[0]!;
const noticesOf = (person: Person, kind: NotificationKind) =>
  db
    .select()
    .from(notifications)
    .where(and(eq(notifications.userId, person.id), eq(notifications.kind, kind)));
const audits = (action: string, id: string) => db.$count(auditLog, and(eq(auditLog.action, action), eq(auditLog.subjectId, id)));

let admin: Actor;
let doctor: TestDoctor;
let patient: Person;
let hour = 0;
const makeComing = (over: Parameters<typeof makeVisit>[2] = {}, of: Person = patient) =>
  makeVisit(db, { patient: of, doctor }, { time: `${10 + (hour++ % 8)}:00`, ...over });
const chosen = (...visits: string[]) => ({ doctorId: doctor.id, all: false, visits, reason: "doctor-left" as const });
const every = () => ({ ...chosen(), all: true });

beforeEach(async () => {
  admin = await makeStaff(db, "admin");
  doctor = await makeDoctor(db, { status: "suspended", name: "Dr. Away" });
  patient = await makePatient(db);
});

describe("cancelling", () => {
  it("cancels the chosen visits, logs each and leaves the others", async () => {
    const [one, other] = [await makeComing({ status: "accepted" }), await makeComing()];
    expect(await cancelSuspendedVisits(ctx(admin), chosen(one))).toEqual({ doctor: "Dr. Away", changed: 1, skipped: 0, left: 0 });
    expect(await statusOf(one)).toMatchObject({ status: "cancelled", cancelledBy: "admin", cancelledAt: expect.any(Date) });
    expect((await statusOf(other)).status).toBe("pending");
    expect(await audits("cancel-appointment", one)).toBe(1);
    expect((await listSuspendedVisits(ctx(admin), doctor.id)).rows.map(({ id }) => id)).toEqual([other]);
  });
  it("cancels all coming visits, and no past, completed or other doctor's visit", async () => {
    const other = await makeDoctor(db, { status: "suspended" });
    const coming = [await makeComing(), await makeComing({ status: "accepted" })];
    const rest = [
      await makeComing({ date: dayFromNow(-1) }),
      await makeComing({ status: "completed" }),
      await makeVisit(db, { patient, doctor: other }),
    ];
    const before = await Promise.all(rest.map(statusOf));
    expect(await cancelSuspendedVisits(ctx(admin), every())).toMatchObject({ changed: 2, skipped: 0 });
    for (const id of coming) expect((await statusOf(id)).status).toBe("cancelled");
    expect(await Promise.all(rest.map(statusOf))).toEqual(before);
    expect(await cancelSuspendedVisits(ctx(admin), chosen(...rest))).toMatchObject({ changed: 0, skipped: 3 });
  });
  it("notifies the patient in their language with the reason and a way to other doctors, by email and SMS too", async () => {
    const id = await makeComing({ name: "Sita" });
    await db.update(users).set({ language: "te", email: "sita@elsewhere.test" }).where(eq(users.id, patient.id));
    await cancelSuspendedVisits(ctx(admin), { ...chosen(id), note: "Call 0866 123." });
    const [notice] = await noticesOf(patient, "appointment-cancelled-for-you");
    expect(notice).toMatchObject({ type: "danger", targetPath: "/doctorspages/Cards-data?category=General" });
    const { message } = withLanguage("te", () => wordsOf("appointment-cancelled-for-you", notice!.params));
    for (const part of ["Sita", "Dr. Away", "పనిచేయడం లేదు", "Call 0866 123."]) expect(message).toContain(part);
    const sent: { to: string; body: string }[] = [];
    const send = async (one: { to: string; body: string }) => void sent.push(one);
    const delivering = { ...ctx(), integrations: { ...ctx().integrations, email: { send }, sms: { send } } } as never;
    await sendNotificationEmail(delivering, notice!.id, appointmentQueries);
    await sendNotificationSms(delivering, notice!.id, appointmentQueries);
    expect(sent.map(({ to }) => to)).toEqual(["sita@elsewhere.test", patient.phone]);
    expect(sent[0]!.body).toContain("పనిచేయడం లేదు");
    expect(sent[0]!.body).toContain("/doctorspages/Cards-data?category=General");
    expect(sent[1]!.body).not.toContain("Sita");
  });
  it("ends what the doctor proposed", async () => {
    const id = await makeComing({ status: "accepted" });
    const proposed = { appointmentId: id, options: [{ date: dayFromNow(9), time: "10:00" }], expiresAt: new Date(Date.now() + 86_400_000) };
    await db.insert(appointmentProposals).values(proposed);
    await cancelSuspendedVisits(ctx(admin), chosen(id));
    const [proposal] = await db.select().from(appointmentProposals).where(eq(appointmentProposals.appointmentId, id));
    expect(proposal).toMatchObject({ state: "lapsed", endedAt: expect.any(Date) });
  });
  it("returns the patient's wallet code, as a doctor's cancellation does", async () => {
    const id = await makeComing();
    const [entry] = await db.insert(walletEntries).values({ patientId: patient.id, kind: "demo", about: "test", points: 100 }).returning();
    const code = { offer: OFFERS[0]!.key, code: `NW-${id.slice(0, 8)}`, entryId: entry!.id, idempotencyKey: id };
    await db.insert(walletCodes).values({ ...code, patientId: patient.id, appointmentId: id, appliedAt: new Date() });
    await db
      .update(appointments)
      .set({ discount: paise(10_000) })
      .where(eq(appointments.id, id));
    await cancelSuspendedVisits(ctx(admin), chosen(id));
    const [returned] = await db.select().from(walletCodes).where(eq(walletCodes.patientId, patient.id));
    expect(returned).toMatchObject({ appointmentId: null, appliedAt: null });
    expect((await statusOf(id)).discount).toBe(0);
  });
  it("changes and sends nothing on a second press", async () => {
    const id = await makeComing();
    await cancelSuspendedVisits(ctx(admin), chosen(id));
    const before = await statusOf(id);
    expect(await cancelSuspendedVisits(ctx(admin), chosen(id))).toMatchObject({ changed: 0, skipped: 1 });
    expect(await statusOf(id)).toEqual(before);
    expect(await noticesOf(patient, "appointment-cancelled-for-you")).toHaveLength(1);
    expect(await audits("cancel-appointment", id)).toBe(1);
  });
  it("cancels once when two administrators and the patient cancel at the same moment", async () => {
    for (let round = 0; round < 5; round++) {
      const id = await makeComing({ date: dayFromNow(6 + round) });
      const second = await makeStaff(db, "admin");
      const outcomes = await Promise.all([
        refusal(changeAppointment(ctx(patient.actor), { id, action: "cancel" })),
        cancelSuspendedVisits(ctx(admin), chosen(id)).then(({ changed }) => changed),
        cancelSuspendedVisits(ctx(second), every()).then(({ changed }) => changed),
      ]);
      const byAdmins = Number(outcomes[1]) + Number(outcomes[2]);
      const byPatient = outcomes[0] === null ? 1 : 0;
      expect(byAdmins + byPatient).toBe(1);
      expect(outcomes[0]).toBe(byPatient ? null : "conflict");
      expect(await audits("cancel-appointment", id)).toBe(1);
      const notices = await noticesOf(patient, "appointment-cancelled-for-you");
      expect(notices.filter(({ params }) => params.appointment === id)).toHaveLength(byAdmins);
    }
  });
});

describe("asking to choose another doctor", () => {
  it("asks each patient once and leaves the visits booked", async () => {
    const [one, other] = [await makeComing(), await makeComing({ status: "accepted" })];
    expect(await askToChooseAgain(ctx(admin), chosen(one))).toMatchObject({ changed: 1, skipped: 0 });
    expect(await askToChooseAgain(ctx(admin), chosen(one))).toMatchObject({ changed: 0, skipped: 1 });
    const both = await Promise.all([askToChooseAgain(ctx(admin), every()), askToChooseAgain(ctx(admin), every())]);
    expect(both[0].changed + both[1].changed).toBe(1);
    const notices = await noticesOf(patient, "appointment-choose-again");
    expect(notices.map(({ params }) => params.appointment).sort()).toEqual([one, other].sort());
    expect([(await statusOf(one)).status, (await statusOf(other)).status]).toEqual(["pending", "accepted"]);
    for (const id of [one, other]) expect(await audits("ask-to-choose-again", id)).toBe(1);
    for (const row of (await listSuspendedVisits(ctx(admin), doctor.id)).rows) expect(row.askedAt).toBeInstanceOf(Date);
  });
});

describe("the patient", () => {
  it("cancels until the start while the doctor is suspended, else only a day ahead", async () => {
    const in10Hours = new Date(Date.now() + 10 * 3_600_000);
    const soon = { date: todayInIndia(in10Hours), time: timeInIndia(in10Hours) };
    const id = await makeComing({ ...soon, status: "accepted" });
    await db.update(doctors).set({ registrationStatus: "verified" }).where(eq(doctors.id, doctor.id));
    expect(await refusal(changeAppointment(ctx(patient.actor), { id, action: "cancel" }))).toBe("conflict");
    expect((await getPatientAppointment(ctx(patient.actor), id)).cancellable).toBe(false);
    await db.update(doctors).set({ registrationStatus: "suspended" }).where(eq(doctors.id, doctor.id));
    expect((await getPatientAppointment(ctx(patient.actor), id)).cancellable).toBe(true);
    await changeAppointment(ctx(patient.actor), { id, action: "cancel" });
    expect((await statusOf(id)).status).toBe("cancelled");
    const before = new Date(Date.now() - 3_600_000);
    const past = await makeComing({ date: todayInIndia(before), time: timeInIndia(before) });
    expect(await refusal(changeAppointment(ctx(patient.actor), { id: past, action: "cancel" }))).toBe("conflict");
  });
});

describe("both", () => {
  const commands = { cancelSuspendedVisits, askToChooseAgain };
  it.each(Object.entries(commands))("refuses %s for every role but administrators", async (_, command) => {
    const id = await makeComing();
    for (const actor of [patient.actor, doctor.actor, await makeStaff(db, "reviewer")])
      expect(await refusal(command(ctx(actor), chosen(id)))).toBe("forbidden");
    expect((await statusOf(id)).status).toBe("pending");
  });
  it.each(Object.entries(commands))("refuses %s for a doctor who is not suspended", async (_, command) => {
    const id = await makeComing();
    await db.update(doctors).set({ registrationStatus: "verified" }).where(eq(doctors.id, doctor.id));
    expect(await refusal(command(ctx(admin), chosen(id)))).toBe("conflict");
    expect((await statusOf(id)).status).toBe("pending");
    expect(await refusal(command(ctx(admin), { ...chosen(id), doctorId: patient.id }))).toBe("not-found");
    expect(await refusal(command(ctx(admin), { ...chosen(id), doctorId: "1; drop" }))).toBe("not-found");
  });
  it("never cancels for a doctor who is reinstated at the same moment", async () => {
    const id = await makeComing();
    const [cancelled, reinstated] = await Promise.all([
      refusal(cancelSuspendedVisits(ctx(admin), chosen(id))),
      refusal(reinstateDoctor(ctx({ ...admin, provenAt: new Date() }), { doctorId: doctor.id })),
    ]);
    const { status } = await statusOf(id);
    if (reinstated === null && cancelled === "conflict") expect(status).toBe("pending");
    else expect(status).toBe("cancelled");
  });
});
