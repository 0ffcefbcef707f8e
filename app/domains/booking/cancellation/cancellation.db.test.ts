/** The refund policy of doctors and places, and what each cancellation decides. */
import { sql as query } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import type { Actor } from "#app/domains/context.server.ts";
import { timeInIndia, todayInIndia } from "#app/lib/dates.ts";
import type { DomainError } from "#app/lib/domain-error.ts";
import { hours } from "#app/lib/durations.ts";
import { paise } from "#app/lib/money.ts";
import { addPlaceDoctor, makeMember, makePlace } from "../../../../tests/factories/members.ts";
import { makeDoctor, makePatient, makeStaff, makeVisit } from "../../../../tests/factories/people.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { cancelWithAccount, changeAppointment } from "../appointments/change-appointment.server.ts";
import { getPatientAppointment } from "../appointments/patient-queries.server.ts";
import { proposeTimes } from "../appointments/proposals.server.ts";
import { cancelSuspendedVisits } from "../appointments/suspended-visits.server.ts";
import { changeRuleWord } from "../appointments/words.ts";
import { getRefundPolicy, refundHoursAtBooking, setRefundPolicy } from "./policies.server.ts";
import { refundTerms } from "./refund-terms.server.ts";

const { db, sql, ctx } = testDb();
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: DomainError) => error.code,
  );
/** Inserts an appointment so many hours from now. */
async function visitIn(ahead: number, over: { status?: "pending" | "accepted"; policy?: number } = {}) {
  const [doctor, patient] = [await makeDoctor(db), await makePatient(db)];
  const at = new Date(Date.now() + hours(ahead));
  const id = await makeVisit(db, { doctor, patient }, { status: over.status ?? "accepted", date: todayInIndia(at), time: timeInIndia(at) });
  await sql`update appointments set refund_hours = ${over.policy ?? 24} where id = ${id}`;
  return { id, doctor, patient };
}
const owed = async (id: string) => (await sql`select status, refund_owed as owed from appointments where id = ${id}`)[0];

describe("a cancellation decides about the refund", () => {
  it("in full for the doctor, also within the hours of the policy", async () => {
    const { id, doctor } = await visitIn(2);
    await changeAppointment(ctx(doctor.actor), { id, action: "cancel" });
    expect(await owed(id)).toEqual({ status: "cancelled", owed: true });
  });
  it.each([
    ["a request", 2, { status: "pending" as const }, true],
    ["an accepted appointment in time", 30, {}, true],
    ["an accepted appointment too late", 2, {}, false],
    ["an accepted appointment in time for a more generous clinic", 3, { policy: 2 }, true],
  ])("%s of a patient who deletes the account", async (_, ahead, over, full) => {
    const { id, patient } = await visitIn(ahead, over);
    await db.transaction((tx) => cancelWithAccount({ ...ctx(patient.actor), db: tx }, id));
    expect(await owed(id)).toEqual({ status: "cancelled", owed: full });
  });
  it("in full for a patient whose appointment the doctor moved", async () => {
    const { id, patient } = await visitIn(2);
    await sql`update appointments set moved_at = now() where id = ${id}`;
    await changeAppointment(ctx(patient.actor), { id, action: "cancel" });
    expect(await owed(id)).toEqual({ status: "cancelled", owed: true });
  });
  it("in full for a patient whose doctor is away at that time, while other times wait for an answer", async () => {
    const { id, patient, doctor } = await visitIn(2);
    const as = ctx(patient.actor);
    expect((await getPatientAppointment(as, id)).cancellable).toBe(false);
    const option = { date: todayInIndia(new Date(Date.now() + hours(72))), time: "10:00" };
    await sql`insert into availability_slots (doctor_id, practice_id, date, time, minutes)
      select ${doctor.id}, practice_id, ${option.date}, ${option.time}, 30 from appointments where id = ${id}`;
    await proposeTimes(ctx(doctor.actor), { id, options: [option], away: "unwell" });
    const visit = await getPatientAppointment(as, id);
    expect(visit.cancellable).toBe(true);
    expect(changeRuleWord(visit)).toContain("You can cancel until");
    expect(refundTerms(visit, paise(50_000), new Date()).rows).toContainEqual([
      expect.stringMatching(/^You cancel by/),
      "You get ₹500 back",
    ]);
    await changeAppointment(as, { id, action: "cancel" });
    expect(await owed(id)).toEqual({ status: "cancelled", owed: true });
  });
  it("in full for a patient of a suspended doctor, and when an administrator cancels", async () => {
    const [own, other] = [await visitIn(2), await visitIn(3)];
    for (const { doctor } of [own, other]) await sql`update doctors set registration_status = 'suspended' where id = ${doctor.id}`;
    await changeAppointment(ctx(own.patient.actor), { id: own.id, action: "cancel" });
    const chosen = { doctorId: other.doctor.id, all: true, visits: [], reason: "doctor-left" as const };
    await cancelSuspendedVisits(ctx(await makeStaff(db, "admin")), chosen);
    for (const { id } of [own, other]) expect(await owed(id)).toEqual({ status: "cancelled", owed: true });
  });
});

describe("the refund policy", () => {
  it("is 24 hours, and a doctor may be more generous", async () => {
    const doctor = await makeDoctor(db);
    const own = { hospitalId: null };
    expect(await getRefundPolicy(ctx(doctor.actor), own)).toEqual({ hours: 24, prepay: false });
    for (const chosen of [2, 0, 6] as const) await setRefundPolicy(ctx(doctor.actor), { ...own, hours: chosen });
    expect(await getRefundPolicy(ctx(doctor.actor), own)).toEqual({ hours: 6, prepay: false });
    const audits = await sql`select details from audit_log where action = 'set-refund-policy' and subject_id = ${doctor.id} order by id`;
    expect(audits.map(({ details }) => details)).toEqual([{ refundHours: 2 }, { refundHours: 0 }, { refundHours: 6 }]);
    await expect(sql`update refund_policies set hours = 25 where merchant_id = ${doctor.id}`).rejects.toThrow("refund_policies_hours");
  });
  it("of a place applies to its doctors there, and only the owner sets it", async () => {
    const [place, elsewhere] = [await makePlace(db), await makePlace(db)];
    const doctor = await makeDoctor(db);
    await sql`update doctors set hospital_id = ${place.id} where id = ${doctor.id}`;
    await setRefundPolicy(ctx(doctor.actor), { hospitalId: null, hours: 12 });
    const [practice] = await sql<{ id: string }[]>`select id from practices where doctor_id = ${doctor.id} limit 1`;
    const given = async () => {
      const [row] = await db.execute<{ hours: number }>(
        query`select ${refundHoursAtBooking({ doctorId: doctor.id, practiceId: practice!.id })} as hours`,
      );
      return row!.hours;
    };
    expect(await given()).toBe(12);
    await addPlaceDoctor(db, place.id, doctor.id);
    expect(await given()).toBe(24);
    await setRefundPolicy(ctx(place.owner), { hospitalId: place.id, hours: 2 });
    expect(await given()).toBe(2);
    const refused: Actor[] = [
      await makeMember(db, place.id, "reception"),
      await makeMember(db, place.id, "billing"),
      await makeMember(db, place.id, "owner", { state: "ended" }),
      elsewhere.owner,
      doctor.actor,
    ];
    for (const actor of refused) {
      expect(await codeOf(setRefundPolicy(ctx(actor), { hospitalId: place.id, hours: 0 }))).toMatch(/not-found|forbidden/);
      expect(await codeOf(getRefundPolicy(ctx(actor), { hospitalId: place.id }))).toMatch(/not-found|forbidden/);
    }
    expect(await codeOf(setRefundPolicy(ctx(place.owner), { hospitalId: null, hours: 0 }))).toBe("forbidden");
    expect(await given()).toBe(2);
  });
});
