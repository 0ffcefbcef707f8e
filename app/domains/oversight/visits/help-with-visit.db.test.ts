/** Changes of appointments by administrators at the request of a patient or a doctor. */
import { beforeEach, describe, expect, it } from "vitest";
import { changeAppointment } from "#app/domains/booking/appointments/change-appointment.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { randomToken } from "#app/lib/ids.server.ts";
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
import { cancelForUser, getVisitToHelp, listTimesToHelp, moveForUser } from "./help-with-visit.server.ts";

const { db, sql, ctx } = testDb();
const admin = await makeStaff(db, "admin");
const day = dayFromNow(5);
let patient: Person;
let doctor: TestDoctor;
beforeEach(async () => {
  patient = await makePatient(db);
  doctor = await makeDoctor(db, { slots: ["10:00", "11:00", "12:00"].map((time) => ({ date: day, time })) });
});
const book = (over: Parameters<typeof makeVisit>[2] = {}) => makeVisit(db, { patient, doctor }, { date: day, time: "10:00", ...over });
const stateOf = async (id: string) =>
  (
    await sql`select status, cancelled_by, cancel_reason, refund_owed, date::text, to_char(time, 'HH24:MI') as time from appointments where id = ${id}`
  )[0]!;
const noticesOf = async (who: Person) =>
  (await sql`select kind from notifications where user_id = ${who.id} order by created_at, kind`).map(({ kind }) => kind);
const asked = (askedBy: "patient" | "doctor") => ({ askedBy, why: "Called us" });

describe("cancels", () => {
  it.each(["patient", "doctor"] as const)("for the %s, notifies both sides and logs the request", async (askedBy) => {
    const id = await book();
    await cancelForUser(ctx(admin), { id, ...asked(askedBy), reason: "unwell" });
    expect(await stateOf(id)).toMatchObject({
      status: "cancelled",
      cancelled_by: askedBy,
      cancel_reason: askedBy === "doctor" ? "unwell" : null,
      refund_owed: true,
    });
    expect(await noticesOf(patient)).toEqual([askedBy === "doctor" ? "appointment-cancelled-by-doctor" : "appointment-cancelled-as-asked"]);
    expect(await noticesOf(doctor)).toEqual([askedBy === "doctor" ? "appointment-cancelled-as-asked" : "appointment-cancelled"]);
    const logged = await sql`select action, actor_id, person_id, details from audit_log where subject_id = ${id} order by id`;
    expect(logged.map(({ action }) => action)).toEqual(["cancel-appointment", "help-with-appointment"]);
    for (const row of logged) expect(row).toMatchObject({ actor_id: admin.userId, person_id: patient.id });
    expect(logged[1]!.details).toMatchObject({ askedBy, reason: "Called us" });
    expect(await sql`select kind, actor_id from domain_events where subject_id = ${id}`).toEqual([
      { kind: "appointment.cancel", actor_id: admin.userId },
    ]);
  });

  it("follows the refund policy of the side that asked, also where the patient no longer can cancel", async () => {
    const soon = new Date(`${day}T00:30:00+05:30`);
    const [late, away] = [await book({ status: "accepted" }), await book({ status: "accepted", time: "11:00" })];
    await expect(changeAppointment(ctx(patient.actor, soon), { id: late, action: "cancel" })).rejects.toThrow(DomainError);
    expect(await getVisitToHelp(ctx(admin, soon), late)).toMatchObject({ refund: "none", changeable: true });
    await cancelForUser(ctx(admin, soon), { id: late, ...asked("patient") });
    await cancelForUser(ctx(admin, soon), { id: away, ...asked("doctor") });
    expect(await stateOf(late)).toMatchObject({ status: "cancelled", refund_owed: false });
    expect(await stateOf(away)).toMatchObject({ status: "cancelled", refund_owed: true });
  });

  it("refuses an appointment that has started, and one that is closed", async () => {
    const id = await book({ status: "accepted" });
    const started = new Date(`${day}T10:00:00+05:30`);
    await expect(cancelForUser(ctx(admin, started), { id, ...asked("patient") })).rejects.toMatchObject({ code: "conflict" });
    expect(await getVisitToHelp(ctx(admin, started), id)).toMatchObject({ changeable: false });
    await cancelForUser(ctx(admin), { id, ...asked("patient") });
    await expect(cancelForUser(ctx(admin), { id, ...asked("patient") })).rejects.toMatchObject({ code: "conflict" });
    expect(await noticesOf(patient)).toEqual(["appointment-cancelled-as-asked"]);
  });

  it("lets one of an administrator and the patient win", async () => {
    for (let i = 0; i < 5; i++) {
      const id = await book({ time: "12:00" });
      const both = await Promise.allSettled([
        cancelForUser(ctx(admin), { id, ...asked("doctor") }),
        changeAppointment(ctx(patient.actor), { id, action: "cancel" }),
      ]);
      expect(both.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      expect(await sql`select from domain_events where subject_id = ${id}`).toHaveLength(1);
    }
  });
});

describe("moves", () => {
  it.each([
    ["patient", "pending", ["appointment-moved-as-asked"], ["appointment-rescheduled"]],
    ["doctor", "accepted", ["appointment-moved"], ["appointment-moved-as-asked"]],
  ] as const)("for the %s: it becomes %s, and both are notified", async (askedBy, status, ofPatient, ofDoctor) => {
    const id = await book({ status: "accepted" });
    const visit = await getVisitToHelp(ctx(admin), id);
    expect((await listTimesToHelp(ctx(admin), visit)).map(({ time }) => time)).toEqual(["11:00", "12:00"]);
    await moveForUser(ctx(admin), { id, ...asked(askedBy), to: { date: day, time: "11:00" } });
    expect(await stateOf(id)).toMatchObject({ status, date: day, time: "11:00" });
    expect(await noticesOf(patient)).toEqual(ofPatient);
    expect(await noticesOf(doctor)).toEqual(ofDoctor);
  });

  it("refuses a time that is taken, not offered or the same, and changes nothing", async () => {
    const id = await book({ status: "accepted" });
    await makeVisit(db, { patient: await makePatient(db), doctor }, { date: day, time: "11:00" });
    for (const askedBy of ["patient", "doctor"] as const)
      for (const time of ["11:00", "13:00", "10:00"])
        await expect(moveForUser(ctx(admin), { id, ...asked(askedBy), to: { date: day, time } })).rejects.toThrow(DomainError);
    expect(await stateOf(id)).toMatchObject({ status: "accepted", time: "10:00" });
    expect([...(await noticesOf(patient)), ...(await noticesOf(doctor))]).toEqual([]);
    expect(await sql`select from audit_log where subject_id = ${id}`).toHaveLength(0);
  });

  it("gives a free time to one of two appointments at once", async () => {
    const other = await makePatient(db);
    const ids = [await book(), await makeVisit(db, { patient: other, doctor }, { date: day, time: "12:00" })];
    const both = await Promise.allSettled(
      ids.map((id) => moveForUser(ctx(admin), { id, ...asked("patient"), to: { date: day, time: "11:00" } })),
    );
    expect(both.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });
});

it("is for administrators only, and shows no health data", async () => {
  const id = await book({ reason: "Secret illness" });
  expect(JSON.stringify(await getVisitToHelp(ctx(admin), id))).not.toContain("Secret illness");
  for (const actor of [patient.actor, doctor.actor, await makeStaff(db, "reviewer"), await makeStaff(db, "staff")]) {
    await expect(getVisitToHelp(ctx(actor), id)).rejects.toMatchObject({ code: "forbidden" });
    await expect(cancelForUser(ctx(actor), { id, ...asked("patient") })).rejects.toMatchObject({ code: "forbidden" });
    await expect(moveForUser(ctx(actor), { id, ...asked("doctor"), to: { date: day, time: "11:00" } })).rejects.toMatchObject({
      code: "forbidden",
    });
  }
  for (const bad of ["nonsense", randomToken(), "0192a0c4-0000-4000-8000-00000000000a"])
    await expect(getVisitToHelp(ctx(admin), bad)).rejects.toMatchObject({ code: "not-found" });
});
