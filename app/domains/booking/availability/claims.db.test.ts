/** What takes a time: seats, places and leave, also when many ask at once. */
import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { violatedConstraint } from "#app/db/client.server.ts";
import { appointments, availabilitySlots, hospitals, leaves, practiceHours, practices, slotClaims } from "#app/db/schema/index.ts";
import type { DomainError } from "#app/lib/domain-error.ts";
import { wishFor } from "../../../../tests/factories/booking.ts";
import {
  dayFromNow,
  addSlots as giveSlots,
  makeDoctor,
  makePatient,
  makeVisit,
  type TestDoctor,
} from "../../../../tests/factories/people.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { bookAppointment, findSlot } from "../appointments/book-appointment.server.ts";
import { changeAppointment, rescheduleAppointment } from "../appointments/change-appointment.server.ts";
import { getPatientAppointment } from "../appointments/patient-queries.server.ts";
import { addSlots, setDaySlots } from "./change-slots.server.ts";
import { listDaySlots, listMonthLoad, listTimes } from "./queries.server.ts";

const { db, ctx } = testDb();
const date = dayFromNow(6);
const guntur = { name: "Guntur Clinic", category: "Clinic", address: "Main Road", city: "Guntur", state: "Andhra Pradesh" } as const;

let doctor: TestDoctor;
let second: string;
beforeAll(async () => {
  doctor = await makeDoctor(db, { fee: 50_000 });
  const [place] = await db.insert(hospitals).values(guntur).returning({ id: hospitals.id });
  const [practice] = await db
    .insert(practices)
    .values({ doctorId: doctor.id, hospitalId: place!.id, fee: 30_000, slotMinutes: 20, patientsPerSlot: 3 })
    .returning({ id: practices.id });
  second = practice!.id;
});
const failure = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error as DomainError,
  );
const claimsAt = (time: string, of = doctor.id) =>
  db
    .select({ seat: slotClaims.seat, time: slotClaims.time })
    .from(slotClaims)
    .where(eq(slotClaims.doctorId, of))
    .then((rows) =>
      rows
        .filter((row) => row.time.startsWith(time))
        .map((row) => row.seat)
        .sort(),
    );

it("opens a first practice with each doctor, with the doctor's own id", async () => {
  const other = await makeDoctor(db);
  const rows = await db.select().from(practices).where(eq(practices.doctorId, other.id));
  expect(rows).toMatchObject([{ id: other.id, hospitalId: null, fee: null, slotMinutes: 30, patientsPerSlot: 1, state: "active" }]);
});

describe("seats", () => {
  it("books as many patients as a time has seats, and no more, when 30 press at once", async () => {
    await addSlots(ctx(doctor.actor), [{ date, times: ["18:00"] }], { practiceId: second });
    const patients = await Promise.all(Array.from({ length: 30 }, () => makePatient(db)));
    const results = await Promise.all(
      patients.map((p) => failure(bookAppointment(ctx(p.actor), wishFor(doctor.id, { date, time: "18:00" })))),
    );
    expect(results.filter((error) => error === null)).toHaveLength(3);
    expect(new Set(results.filter(Boolean).map((error) => error!.code))).toEqual(new Set(["slot-taken"]));
    expect(await claimsAt("18:00")).toEqual([1, 2, 3]);
    expect(await listDaySlots(ctx(null), doctor.id, date)).toEqual([{ time: "18:00", state: "booked" }]);
  });

  it("gives the seat of a cancelled visit to the next patient, also one in the middle", async () => {
    await addSlots(ctx(doctor.actor), [{ date, times: ["18:20"] }], { practiceId: second });
    const [first, middle, last, next] = await Promise.all(Array.from({ length: 4 }, () => makePatient(db)));
    const ids: string[] = [];
    for (const patient of [first!, middle!, last!])
      ids.push((await bookAppointment(ctx(patient.actor), wishFor(doctor.id, { date, time: "18:20" }))).id);
    await changeAppointment(ctx(middle!.actor), { id: ids[1]!, action: "cancel" });
    expect(await claimsAt("18:20")).toEqual([1, 3]);
    await bookAppointment(ctx(next!.actor), wishFor(doctor.id, { date, time: "18:20" }));
    expect(await claimsAt("18:20")).toEqual([1, 2, 3]);
  });

  it("gives one patient a time once, and two children of one phone two seats", async () => {
    await addSlots(ctx(doctor.actor), [{ date, times: ["18:40"] }], { practiceId: second });
    const parent = await makePatient(db);
    const book = (name: string) => bookAppointment(ctx(parent.actor), wishFor(doctor.id, { date, time: "18:40", name }));
    const twice = await Promise.all([book("Anu"), book("Anu"), book("Balu")]);
    expect(new Set(twice.map(({ id }) => id)).size).toBe(2);
    expect(await claimsAt("18:40")).toEqual([1, 2]);
    const slot = { doctorId: doctor.id, date, time: "18:40" };
    expect(await findSlot(ctx(parent.actor), slot)).toMatchObject({ problem: null, session: null });
    // The last seat, and a fourth child: the answer is never the booking of another child.
    await book("Chitra");
    expect((await failure(book("Devi")))?.code).toBe("slot-taken");
    expect((await book("Balu")).id).toBe(twice[2]!.id);
    expect(await findSlot(ctx(parent.actor), slot)).toMatchObject({ problem: { own: expect.any(String) } });
  });

  it("takes no seat for a cancelled visit, and follows one that is moved", async () => {
    const other = await makeDoctor(db);
    await giveSlots(
      db,
      other.id,
      ["09:00", "09:30"].map((time) => ({ date, time })),
    );
    const patient = await makePatient(db);
    await makeVisit(db, { patient, doctor: other }, { date, time: "09:00", status: "cancelled" });
    expect(await claimsAt("09:00", other.id)).toEqual([]);
    const id = await makeVisit(db, { patient, doctor: other }, { date, time: "09:00" });
    await rescheduleAppointment(ctx(patient.actor), { id, date, time: "09:30" });
    expect([await claimsAt("09:00", other.id), await claimsAt("09:30", other.id)]).toEqual([[], [1]]);
  });
});

describe("two places", () => {
  it("books for the fee, the length and the place of the practice", async () => {
    await addSlots(ctx(doctor.actor), [{ date, times: ["19:00"] }], { practiceId: second });
    const patient = await makePatient(db);
    const { id } = await bookAppointment(ctx(patient.actor), wishFor(doctor.id, { date, time: "19:00" }));
    const [row] = await db.select().from(appointments).where(eq(appointments.id, id));
    expect(row).toMatchObject({ practiceId: second, fee: 30_000, minutes: 20 });
    expect(await getPatientAppointment(ctx(patient.actor), id)).toMatchObject({ hospitalName: "Guntur Clinic", city: "Guntur" });
  });

  it("opens no time in one place while the doctor is in the other", async () => {
    const same = await failure(addSlots(ctx(doctor.actor), [{ date, times: ["10:00", "19:00"] }]));
    const across = await failure(addSlots(ctx(doctor.actor), [{ date, times: ["18:30"] }]));
    expect([same?.code, across?.code]).toEqual(["conflict", "conflict"]);
    expect((await listDaySlots(ctx(null), doctor.id, date, doctor.id)).length).toBe(0);
    expect(
      violatedConstraint(await failure(db.insert(availabilitySlots).values({ doctorId: doctor.id, date, time: "18:30" }).execute())),
    ).toBe("availability_one_place_at_a_time");
  });

  it("refuses to open times of another doctor's practice", async () => {
    const other = await makeDoctor(db);
    const error = await failure(addSlots(ctx(other.actor), [{ date, times: ["09:00"] }], { practiceId: second }));
    expect(error?.code).toBe("not-found");
    expect((await failure(setDaySlots(ctx(other.actor), { date, slots: [], practiceId: second })))?.code).toBe("not-found");
  });

  it("reads all places without a practice, and one with it", async () => {
    const busy = await makeDoctor(db);
    const [place] = await db.insert(hospitals).values(guntur).returning({ id: hospitals.id });
    const [evening] = await db.insert(practices).values({ doctorId: busy.id, hospitalId: place!.id }).returning({ id: practices.id });
    await addSlots(ctx(busy.actor), [{ date, times: ["09:00"] }]);
    await addSlots(ctx(busy.actor), [{ date, times: ["19:00"] }], { practiceId: evening!.id });
    const times = async (practiceId?: string) =>
      (await listTimes(ctx(null), { doctorId: busy.id, practiceId, booked: false })).flatMap((day) => day.times.map(({ time }) => time));
    expect([await times(), await times(busy.id), await times(evening!.id)]).toEqual([["09:00", "19:00"], ["09:00"], ["19:00"]]);
    expect((await listMonthLoad(ctx(null), busy.id, date.slice(0, 7), evening!.id)).find((day) => day.date === date)).toEqual({
      date,
      free: 1,
      total: 1,
      tokens: false,
    });
    await setDaySlots(ctx(busy.actor), { date, slots: [] });
    expect(await times()).toEqual(["19:00"]);
  });

  it("moves an appointment within its practice only", async () => {
    const patient = await makePatient(db);
    await addSlots(ctx(doctor.actor), [{ date: dayFromNow(7), times: ["09:00"] }]);
    await addSlots(ctx(doctor.actor), [{ date: dayFromNow(7), times: ["19:00"] }], { practiceId: second });
    const { id } = await bookAppointment(ctx(patient.actor), wishFor(doctor.id, { date: dayFromNow(7), time: "19:00" }));
    const error = await failure(rescheduleAppointment(ctx(patient.actor), { id, date: dayFromNow(7), time: "09:00" }));
    expect(error?.code).toBe("slot-taken");
  });

  it("refuses weekly hours that overlap, in one place and in two", async () => {
    const span = (practiceId: string, from: string, until: string) =>
      failure(db.insert(practiceHours).values({ practiceId, doctorId: doctor.id, weekday: 1, from, until }).execute()).then(
        violatedConstraint,
      );
    expect(await span(doctor.id, "09:00", "13:00")).toBeNull();
    expect(await span(second, "13:00", "20:00")).toBeNull();
    expect(await span(second, "12:30", "13:00")).toBe("practice_hours_one_place_at_a_time");
    expect(await span(doctor.id, "08:00", "09:30")).toBe("practice_hours_one_place_at_a_time");
    expect(await span(doctor.id, "22:00", "21:00")).toBe("practice_hours_order");
  });
});

describe("leave", () => {
  it("opens no time on a day of leave until the leave is ended", async () => {
    const away = await makeDoctor(db);
    const [leave] = await db
      .insert(leaves)
      .values({ doctorId: away.id, from: date, until: dayFromNow(8) })
      .returning({ id: leaves.id });
    const add = () => failure(addSlots(ctx(away.actor), [{ date: dayFromNow(8), times: ["09:00"] }]));
    expect((await add())?.code).toBe("conflict");
    expect((await failure(setDaySlots(ctx(away.actor), { date, slots: ["09:00"] })))?.code).toBe("conflict");
    expect((await failure(setDaySlots(ctx(away.actor), { date, slots: [] })))?.code).toBeUndefined();
    await db.update(leaves).set({ endedAt: new Date() }).where(eq(leaves.id, leave!.id));
    expect(await add()).toBeNull();
  });
});
