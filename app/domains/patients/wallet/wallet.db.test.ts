import { describe, expect, it } from "vitest";
import { violatedConstraint } from "#app/db/client.server.ts";
import { medicalRecords, walletEntries } from "#app/db/schema/index.ts";
import type { BookAppointment } from "#app/domains/booking/appointments/appointments.schema.ts";
import { bookAppointment } from "#app/domains/booking/appointments/book-appointment.server.ts";
import { changeAppointment, rescheduleAppointment } from "#app/domains/booking/appointments/change-appointment.server.ts";
import { getDoctorStats } from "#app/domains/practice/statistics/queries.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { randomToken } from "#app/lib/ids.server.ts";
import { dayFromNow, makeDoctor, makePatient, makeVisit, type Person, type TestDoctor } from "../../../../tests/factories/people.ts";
import { plain } from "../../../../tests/factories/plain.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { completeMission } from "./complete-mission.server.ts";
import { findWrongBalances, getWallet } from "./queries.server.ts";
import { redeemOffer } from "./redeem-offer.server.ts";
import { MISSIONS, OFFERS } from "./wallet.ts";

const { db, sql, ctx } = testDb();
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (e: unknown) => (e instanceof DomainError ? e.code : String(e)),
  );
const give = (patient: Person, points: number) =>
  db.insert(walletEntries).values({ patientId: patient.id, kind: "demo", about: "test", points });
const balance = async (patient: Person) => (await getWallet(ctx(patient.actor))).balance;
const redeem = (patient: Person, offer: string, key = randomToken()) => redeemOffer(ctx(patient.actor), { offer, key });

let times = 0;
const TIMES = Array.from({ length: 200 }, (_, i) => ({
  date: dayFromNow(4 + Math.floor(i / 18)),
  time: `${String(8 + Math.floor((i % 18) / 2)).padStart(2, "0")}:${i % 2 ? "30" : "00"}`,
}));
const newDoctor = (over: Parameters<typeof makeDoctor>[1] = {}) => makeDoctor(db, { slots: TIMES, ...over });
const book = (patient: Person, doctor: TestDoctor, slot = TIMES[times++ % TIMES.length]!) =>
  bookAppointment(ctx(patient.actor), {
    doctorId: doctor.id,
    ...slot,
    name: "Proof Patient",
    phone: patient.phone,
    age: 40,
    gender: "female",
    reason: "Routine Checkup",
    idempotencyKey: randomToken(),
    records: [],
  } as unknown as BookAppointment).then((booked) => booked.id);
const appointment = async (id: string) => (await sql`select fee::int, discount::int, status from appointments where id = ${id}`)[0];
/** A time when every visit of these tests has started. */
const LATER = new Date(`${dayFromNow(30)}T10:00:00+05:30`);
const complete = async (doctor: TestDoctor, id: string, now = LATER) => {
  for (const action of ["accept", "complete"] as const) await changeAppointment(ctx(doctor.actor, now), { id, action });
};

it("a new patient has a balance of zero", async () => {
  const patient = await makePatient(db);
  expect(await getWallet(ctx(patient.actor))).toMatchObject({ balance: 0, entries: [], codes: [] });
  for (const offer of OFFERS) expect(await codeOf(redeem(patient, offer.key))).toBe("conflict");
  for (const mission of MISSIONS) expect(await codeOf(completeMission(ctx(patient.actor), mission.key))).toBe("conflict");
  expect(await sql`select from wallet_entries where patient_id = ${patient.id}`).toHaveLength(0);
});

it("a mission adds its points once, when it is really done", async () => {
  const patient = await makePatient(db, { name: "Lakshmi" });
  const doctor = await newDoctor();
  const done = (key: string) => codeOf(completeMission(ctx(patient.actor), key));
  expect(await done("profile")).toBe("conflict");
  await sql`update patients set date_of_birth = '1980-01-01', gender = 'female' where id = ${patient.id}`;
  expect(await done("profile")).toBeNull();
  expect(await done("profile")).toBeNull();
  expect(await balance(patient)).toBe(500);
  // An accepted or cancelled visit does not count.
  const first = await book(patient, doctor);
  await changeAppointment(ctx(doctor.actor), { id: first, action: "accept" });
  expect(await done("first-visit")).toBe("conflict");
  const [file] = await sql`insert into files (owner_id, purpose, status, storage_key, media_type, byte_size, original_name)
    values (${patient.id}, 'medical-record', 'attached', ${randomToken()}, 'image/jpeg', 10, 'scan.jpg') returning id`;
  await db.insert(medicalRecords).values({ appointmentId: first, fileId: file!.id, recordType: "other", description: plain("Scan") });
  expect(await done("papers")).toBe("conflict");
  await changeAppointment(ctx(doctor.actor, LATER), { id: first, action: "complete" });
  expect([await done("first-visit"), await done("papers"), await done("three-visits")]).toEqual([null, null, "conflict"]);
  const cancelled = await book(patient, doctor);
  await changeAppointment(ctx(doctor.actor), { id: cancelled, action: "cancel" });
  await complete(doctor, await book(patient, doctor));
  expect(await done("three-visits")).toBe("conflict");
  expect((await getWallet(ctx(patient.actor))).missions.map((m) => [m.key, m.current, m.completedOn !== null])).toEqual([
    ["three-visits", 2, false],
    ["profile", 3, true],
    ["first-visit", 1, true],
    ["papers", 1, true],
  ]);
  await complete(doctor, await book(patient, doctor));
  expect(await done("three-visits")).toBeNull();
  expect(await balance(patient)).toBe(2050);
  expect(await sql`select from audit_log where action = 'complete-mission' and person_id = ${patient.id}`).toHaveLength(4);
});

describe("points of a visit whose completion is undone", () => {
  const at = (ms: number) => new Date(LATER.getTime() + ms);
  const undo = (doctor: TestDoctor, id: string, ms: number) =>
    changeAppointment(ctx(doctor.actor, at(ms)), { id, action: "undo-complete" });
  const claim = (patient: Person, key: string, ms: number) => codeOf(completeMission(ctx(patient.actor, at(ms)), key));
  const entries = async (patient: Person) =>
    (await sql`select kind, about, points, round from wallet_entries where patient_id = ${patient.id} order by id`).map((row) => ({
      ...row,
    }));
  const earned = async (doctor: TestDoctor) => (await getDoctorStats(ctx(doctor.actor, at(0)), "6m")).totalEarnings;

  it("are reversed with an entry of their own, and can be earned again", async () => {
    const [patient, doctor] = [await makePatient(db), await newDoctor({ fee: 50_000 })];
    const id = await book(patient, doctor);
    await complete(doctor, id);
    expect(await earned(doctor)).toBe(50_000);
    expect(await claim(patient, "first-visit", 1000)).toBeNull();
    await undo(doctor, id, 2000);
    expect(await earned(doctor)).toBe(0);
    const [first, reversal] = [
      { kind: "mission", about: "first-visit", points: 500, round: 0 },
      { kind: "reversal", about: "first-visit", points: -500, round: 0 },
    ];
    expect(await entries(patient)).toEqual([first, reversal]);
    expect(await balance(patient)).toBe(0);
    expect((await getWallet(ctx(patient.actor))).missions.find((m) => m.key === "first-visit")).toMatchObject({
      current: 0,
      completedOn: null,
    });
    expect(await claim(patient, "first-visit", 3000)).toBe("conflict");
    const [log] = await sql`select details from audit_log where subject_id = ${id} and action = 'undo-complete-appointment'`;
    expect(log!.details).toMatchObject({ pointsReversed: 500 });
    await changeAppointment(ctx(doctor.actor, at(4000)), { id, action: "complete" });
    expect(await Promise.all([claim(patient, "first-visit", 5000), claim(patient, "first-visit", 5000)])).toEqual([null, null]);
    expect(await entries(patient)).toEqual([first, reversal, { ...first, round: 1 }]);
    expect(await balance(patient)).toBe(500);
    await undo(doctor, id, 6000);
    expect(await balance(patient)).toBe(0);
    expect(await findWrongBalances(ctx())).toEqual([]);
  });
  it("leaves points of an earlier visit, and points that were spent", async () => {
    const [patient, doctor] = [await makePatient(db), await newDoctor()];
    const [first, second] = [await book(patient, doctor), await book(patient, doctor)];
    await complete(doctor, first);
    expect(await claim(patient, "first-visit", 100)).toBeNull();
    await complete(doctor, second, at(1000));
    await undo(doctor, second, 2000);
    expect(await balance(patient)).toBe(500);
    await give(patient, 500);
    expect(await codeOf(redeem(patient, "visit-100"))).toBeNull();
    await undo(doctor, first, 3000);
    expect(await balance(patient)).toBe(0);
    expect((await entries(patient)).map((row) => row.kind)).toEqual(["mission", "demo", "offer"]);
    // Nothing is earned a second time.
    await changeAppointment(ctx(doctor.actor, at(4000)), { id: first, action: "complete" });
    expect(await claim(patient, "first-visit", 5000)).toBeNull();
    expect(await balance(patient)).toBe(0);
  });
  it("a claim and an undo at once leave no points without a visit", async () => {
    for (let round = 0; round < 6; round++) {
      const [patient, doctor] = [await makePatient(db), await newDoctor()];
      const id = await book(patient, doctor);
      await complete(doctor, id);
      const claiming = () => claim(patient, "first-visit", 1000);
      await Promise.all(round % 2 ? [claiming(), undo(doctor, id, 2000)] : [undo(doctor, id, 2000), claiming()]);
      expect(await balance(patient)).toBe(0);
    }
    expect(await findWrongBalances(ctx())).toEqual([]);
  });
});

it("refuses every role but patients, and unknown missions and offers", async () => {
  const [patient, doctor] = [await makePatient(db), await newDoctor()];
  for (const key of ["nonsense", "", "constructor"]) {
    expect(await codeOf(completeMission(ctx(patient.actor), key))).toBe("not-found");
    expect(await codeOf(redeem(patient, key))).toBe("not-found");
  }
  expect(await codeOf(completeMission(ctx(doctor.actor), "profile"))).toBe("not-found");
  expect(await codeOf(redeemOffer(ctx(doctor.actor), { offer: "visit-100", key: "12345678" }))).toBe("not-found");
});

it("the ledger is append-only, and PostgreSQL refuses a negative balance", async () => {
  const patient = await makePatient(db);
  await give(patient, 700);
  const refusal = (work: Promise<unknown>) =>
    work.then(
      () => "done",
      (e: Error) => violatedConstraint(e) ?? e.message,
    );
  expect(await refusal(sql`update wallet_entries set points = 9000 where patient_id = ${patient.id}`)).toContain("append-only");
  expect(await refusal(sql`delete from wallet_entries where patient_id = ${patient.id}`)).toContain("append-only");
  expect(await refusal(sql`truncate wallet_entries cascade`)).toContain("append-only");
  const spend = (points: number) => db.insert(walletEntries).values({ patientId: patient.id, kind: "offer", about: "test", points });
  expect(await refusal(spend(-701))).toBe("wallets_not_negative");
  expect(await refusal(spend(5))).toBe("wallet_entries_sign");
  expect(await balance(patient)).toBe(700);
});

it("an offer spends its points once for each form, and its code applies to the next booking that fits", async () => {
  const patient = await makePatient(db);
  const heart = await newDoctor({ fee: 50_000, category: "Cardiology" });
  const dentist = await newDoctor({ fee: 20_000, category: "Dentistry" });
  const silent = await newDoctor({ fee: null, category: "Dentistry" });
  await give(patient, 3200);
  const key = randomToken();
  const first = await redeem(patient, "dentist-120", key);
  expect(first).toMatch(/^NW-[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}$/);
  expect(await redeem(patient, "dentist-120", key)).toBe(first);
  await redeem(patient, "visit-100");
  await redeem(patient, "visit-fifth");
  expect(await balance(patient)).toBe(200);
  // The points are spent: a retry returns its code, another redemption is refused.
  expect(await redeem(patient, "dentist-120", key)).toBe(first);
  expect(await codeOf(redeem(patient, "visit-100"))).toBe("conflict");

  // Without a fee no code applies. The dentist's code does not fit the cardiologist; the oldest code that fits is used first.
  expect(await appointment(await book(patient, silent))).toMatchObject({ fee: null, discount: 0 });
  const atHeart = await book(patient, heart);
  expect(await appointment(atHeart)).toMatchObject({ fee: 50_000, discount: 10_000 });
  const atDentist = await book(patient, dentist);
  expect(await appointment(atDentist)).toMatchObject({ fee: 20_000, discount: 12_000 });
  expect(await appointment(await book(patient, heart))).toMatchObject({ discount: 10_000 });
  expect(await appointment(await book(patient, heart))).toMatchObject({ discount: 0 });
  const { codes } = await getWallet(ctx(patient.actor));
  expect(codes.map((code) => code.visit !== null)).toEqual([true, true, true]);

  // A moved visit still has its code. A cancelled one returns it for the next booking.
  await rescheduleAppointment(ctx(patient.actor), { id: atHeart, ...TIMES[150]! });
  expect(await appointment(atHeart)).toMatchObject({ discount: 10_000 });
  await changeAppointment(ctx(patient.actor), { id: atHeart, action: "cancel" });
  await changeAppointment(ctx(dentist.actor), { id: atDentist, action: "cancel" });
  expect(await appointment(atHeart)).toMatchObject({ status: "cancelled", discount: 0 });
  expect((await getWallet(ctx(patient.actor))).codes.filter((code) => code.visit === null)).toHaveLength(2);
  const again = await book(patient, dentist);
  expect(await appointment(again)).toMatchObject({ discount: 12_000 });
  expect(await balance(patient)).toBe(200);

  // Nadi pays the discount: the doctor earns the full fee.
  await complete(dentist, again);
  expect((await getDoctorStats(ctx(dentist.actor, LATER), "6m")).completedAppointments).toBe(1);
  expect((await getDoctorStats(ctx(dentist.actor, LATER), "6m")).totalEarnings).toBe(20_000);
});

it("refuses the code of another patient", async () => {
  const [rich, poor] = [await makePatient(db), await makePatient(db)];
  const doctor = await newDoctor();
  await give(rich, 1000);
  await redeem(rich, "visit-100");
  expect(await appointment(await book(poor, doctor))).toMatchObject({ discount: 0 });
  expect((await getWallet(ctx(poor.actor))).codes).toEqual([]);
});

it("two hundred redemptions at once spend exactly the balance", { timeout: 120_000 }, async () => {
  const patient = await makePatient(db);
  await give(patient, 7300);
  const codes = await Promise.all(Array.from({ length: 200 }, () => codeOf(redeem(patient, "visit-100"))));
  expect(codes.filter((code) => code === null)).toHaveLength(7);
  expect(codes.filter((code) => code === "conflict")).toHaveLength(193);
  expect(await balance(patient)).toBe(300);
  expect(await sql`select from wallet_codes where patient_id = ${patient.id}`).toHaveLength(7);
  expect(await findWrongBalances(ctx())).toEqual([]);
});

it("two hundred requests of one form are one redemption", { timeout: 120_000 }, async () => {
  const patient = await makePatient(db);
  await give(patient, 2000);
  const key = randomToken();
  const codes = await Promise.all(Array.from({ length: 200 }, () => redeem(patient, "visit-100", key)));
  expect(new Set(codes).size).toBe(1);
  expect(await balance(patient)).toBe(1000);
  expect(await findWrongBalances(ctx())).toEqual([]);
});

it("two hundred mission completions and redemptions at once leave an exact balance", { timeout: 120_000 }, async () => {
  const patient = await makePatient(db, { name: "Lakshmi" });
  await sql`update patients set date_of_birth = '1980-01-01', gender = 'female' where id = ${patient.id}`;
  const doctor = await newDoctor();
  for (let i = 0; i < 3; i++) await makeVisit(db, { patient, doctor }, { status: "completed", date: dayFromNow(-1 - i) });
  const work = Array.from({ length: 200 }, (_, i) =>
    i % 4 === 3
      ? codeOf(redeem(patient, "visit-100"))
      : codeOf(completeMission(ctx(patient.actor), ["profile", "first-visit", "three-visits"][i % 4]!)),
  );
  const codes = await Promise.all(work);
  expect(codes.filter((code) => code !== null && code !== "conflict")).toEqual([]);
  const redeemed = codes.filter((code, i) => i % 4 === 3 && code === null).length;
  expect(redeemed).toBeLessThanOrEqual(1);
  expect(await balance(patient)).toBe(1750 - 1000 * redeemed);
  expect(
    await sql`select about, count(*)::int from wallet_entries where patient_id = ${patient.id} and kind = 'mission' group by 1`,
  ).toHaveLength(3);
  expect(await findWrongBalances(ctx())).toEqual([]);
});

it("five codes and many bookings at once: each code is used once, and no booking has two", { timeout: 120_000 }, async () => {
  const doctor = await newDoctor();
  const patient = await makePatient(db);
  await give(patient, 5000);
  for (let i = 0; i < 5; i++) await redeem(patient, "visit-100");
  // Twelve at once, because the limit is twenty an hour.
  const ids = await Promise.all(TIMES.slice(0, 12).map((slot) => book(patient, doctor, slot)));
  const discounts = await Promise.all(ids.map(async (id) => (await appointment(id))!.discount as number));
  expect(discounts.filter((d) => d === 10_000)).toHaveLength(5);
  expect(discounts.filter((d) => d === 0)).toHaveLength(7);
  const used = await sql`select appointment_id from wallet_codes where patient_id = ${patient.id} and appointment_id is not null`;
  expect(new Set(used.map((row) => row.appointment_id)).size).toBe(5);
});
