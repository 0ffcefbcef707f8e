/** Calls with a practice: a doctor at a place. Without one, writes mean the first practice and reads mean all of them. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { m } from "#app/paraglide/messages.js";
import { dayFromNow, makeDoctor, makePatient, type TestDoctor } from "../factories/people.ts";
import { makePractice } from "../factories/practices.ts";
import { startServer, type TestServer } from "../setup/server.ts";
import { ApiClient } from "./client.ts";
import { tokenFor } from "./people.ts";

const [DAY, OTHER_DAY] = [dayFromNow(5), dayFromNow(6)];
const UNKNOWN = "00000000-0000-4000-8000-000000000000";
let server: TestServer;
let [doctor, stranger]: TestDoctor[] = [] as never;
let [asDoctor, asPatient, visitor]: ApiClient[] = [] as never;
let [evening, closed, asked, foreign]: string[] = [] as never;
beforeAll(async () => {
  server = await startServer({ seed: false });
  const { db } = server;
  visitor = await ApiClient.of(server.url);
  [doctor, stranger] = [await makeDoctor(db, { fee: 50_000, slots: [{ date: DAY, time: "10:00" }] }), await makeDoctor(db)];
  evening = (await makePractice(db, doctor.id, { fee: 30_000, minutes: 20, slots: [{ date: DAY, time: "18:00" }] })).id;
  closed = (await makePractice(db, doctor.id, { state: "closed" })).id;
  asked = (await makePractice(db, doctor.id, { state: "asked" })).id;
  foreign = (await makePractice(db, stranger!.id)).id;
  await server.sql`insert into practice_hours (practice_id, doctor_id, weekday, "from", until) values (${evening!}, ${doctor.id}, 1, '18:00', '20:00')`;
  asDoctor = visitor.as(await tokenFor(server, doctor.id));
  asPatient = visitor.as(await tokenFor(server, (await makePatient(db)).id));
});
afterAll(() => server?.stop());

const booking = (time: string, over: { practiceId?: string; date?: string } = {}) => ({
  body: {
    doctor: doctor!.id,
    date: over.date ?? DAY,
    time,
    patientInfo: { name: "Anjali Rao", phone: "9876543210", age: "41", gender: "Female" as const },
    ...(over.practiceId && { practiceId: over.practiceId }),
  },
});
const dayOf = (date: string) => ({ doctorIdOrDate: date });
const timesOn = async (date: string) =>
  (
    await server.sql<
      { at: string }[]
    >`select to_char(time, 'HH24:MI') || case when practice_id = doctor_id then '' else ' evening' end as at
      from availability_slots where doctor_id = ${doctor!.id} and date = ${date} order by time`
  ).map(({ at }) => at);

describe("the practices of a doctor", () => {
  it("have place, fee and hours, the first one first", async () => {
    const { body } = await visitor!.call("listPractices", { params: { doctorId: doctor!.id } });
    expect(
      body.practices.map(({ id, isFirst, consultationFee, slotMinutes, state }) => [id, isFirst, consultationFee, slotMinutes, state]),
    ).toEqual([
      [doctor!.id, true, 500, 30, "active"],
      [evening, false, 300, 20, "active"],
    ]);
    expect(body.practices[0]).toMatchObject({ hospital: null, hours: [], location: { city: "Vijayawada" } });
    expect(body.practices[1]).toMatchObject({
      hospital: { hospitalName: expect.stringMatching(/./), hospitalAddress: expect.stringMatching(/./) },
      hours: [{ weekday: 1, from: "6:00 PM", until: "8:00 PM" }],
    });
  });
  it("list one that waits for its place to its doctor only", async () => {
    const ids = async (client: ApiClient) =>
      (await client.call("listPractices", { params: { doctorId: doctor!.id } })).body.practices.map(({ id }) => id);
    expect(await ids(asDoctor!)).toEqual([doctor!.id, evening, asked]);
    expect(await ids(asPatient!)).toEqual([doctor!.id, evening]);
  });
  it("of a doctor who is not verified are not found", async () => {
    const draft = await makeDoctor(server.db, { status: "suspended" });
    for (const id of [draft.id, UNKNOWN]) await visitor!.refused("listPractices", { params: { doctorId: id } }, 404, "Doctor not found");
    await visitor!.refused("listPractices", { params: { doctorId: "nonsense" } }, 400, "Doctor not found");
  });
});

describe("times", () => {
  it("are those of all practices, or of one", async () => {
    for (const client of [asPatient!, asDoctor!]) {
      const read = async (practiceId?: string) =>
        (await client.call("getAvailability", { params: dayOf(doctor!.id), query: { practiceId } })).body.days.find(
          ({ date }) => date === DAY,
        );
      expect(await read()).toEqual({
        date: DAY,
        slots: ["10:00 AM", "6:00 PM"],
        times: [
          { time: "10:00 AM", practiceId: doctor!.id, minutes: 30, tokens: false },
          { time: "6:00 PM", practiceId: evening, minutes: 20, tokens: false },
        ],
      });
      expect((await read(doctor!.id))?.slots).toEqual(["10:00 AM"]);
      expect((await read(evening))?.slots).toEqual(["6:00 PM"]);
    }
  });
  it("are added, replaced and deleted in one practice, and without a practice in the first", async () => {
    await asDoctor!.call("addAvailability", { body: { days: [{ date: OTHER_DAY, slots: ["9:00 AM"] }] } });
    const added = await asDoctor!.call("addAvailability", {
      body: { practiceId: evening, days: [{ date: OTHER_DAY, slots: ["6:20 PM", "6:40 PM"] }] },
    });
    expect(added.body.added).toBe(2);
    await asDoctor!.call("changeAvailability", { params: dayOf(OTHER_DAY), body: { practiceId: evening, slots: ["7:00 PM"] } });
    expect(await timesOn(OTHER_DAY)).toEqual(["09:00", "19:00 evening"]);
    await asDoctor!.call("changeAvailability", { params: dayOf(OTHER_DAY), body: { slots: ["9:30 AM"] } });
    expect(await timesOn(OTHER_DAY)).toEqual(["09:30", "19:00 evening"]);
    await asDoctor!.call("deleteAvailability", { params: dayOf(OTHER_DAY), query: { practiceId: evening } });
    expect(await timesOn(OTHER_DAY)).toEqual(["09:30"]);
    await asDoctor!.call("deleteAvailability", { params: dayOf(OTHER_DAY) });
    expect(await timesOn(OTHER_DAY)).toEqual([]);
  });
  it("are refused where they overlap, in one practice or in two, and outside the eighteen without a practice", async () => {
    const before = await timesOn(DAY);
    const add = (slots: string[], practiceId?: string) => ({ body: { days: [{ date: DAY, slots }], practiceId } });
    await asDoctor!.refused("addAvailability", add(["6:10 PM"], evening), 409, m.availability_overlaps({ minutes: 20 }));
    await asDoctor!.refused("addAvailability", add(["9:50 AM"], evening), 409, m.availability_elsewhere_overlaps());
    await asDoctor!.refused("addAvailability", add(["6:30 PM"]), 400, m.availability_slot_unknown());
    await asDoctor!.refused("addAvailability", add(["6:33 PM"], evening), 400, m.availability_time_malformed());
    expect(await timesOn(DAY)).toEqual(before);
  });
});

describe("appointments", () => {
  it("are booked in the practice of their time, with its fee", async () => {
    const first = (await asPatient!.call("bookAppointmentCall", booking("10:00 AM"))).body.appointment;
    const second = (await asPatient!.call("bookAppointmentCall", booking("6:00 PM", { practiceId: evening! }))).body.appointment;
    expect([first, second].map(({ practiceId, fee }) => [practiceId, fee])).toEqual([
      [doctor!.id, 500],
      [evening, 300],
    ]);
    const own = async (practiceId?: string) =>
      (await asPatient!.call("listOwnAppointments", { query: { practiceId } })).body.appointments.map((a) => [a.id, a.practiceId]);
    expect(await own()).toEqual([
      [first.id, doctor!.id],
      [second.id, evening],
    ]);
    expect(await own(evening)).toEqual([[second.id, evening]]);
    const theirs = async (practiceId?: string) =>
      (await asDoctor!.call("listDoctorAppointments", { query: { practiceId } })).body.appointments.map((a) => [a.id, a.practiceId]);
    expect((await theirs()).length).toBe(2);
    expect(await theirs(evening)).toEqual([[second.id, evening]]);
    expect(await theirs(closed)).toEqual([]);
  });
  it("are refused at a time of another practice, with the free times of the named one", async () => {
    await server.sql`insert into availability_slots (doctor_id, practice_id, date, time, minutes) values (${doctor!.id}, ${evening!}, ${DAY}, '19:00', 20)`;
    await server.sql`insert into availability_slots (doctor_id, date, time) values (${doctor!.id}, ${DAY}, '11:00')`;
    const answer = await asPatient!.refused("bookAppointmentCall", booking("11:00 AM", { practiceId: evening! }), 409);
    expect(JSON.stringify(answer.body.errors)).toContain("7:00 PM");
    expect(JSON.stringify(answer.body.errors)).not.toContain("11:00 AM");
  });
});

describe("a practice that cannot be used", () => {
  const book = (practiceId: string) => booking("6:00 PM", { practiceId });
  const add = (practiceId: string) => ({ body: { practiceId, days: [{ date: OTHER_DAY, slots: ["6:00 PM"] }] } });
  it("of another doctor is refused, like an unknown one", async () => {
    for (const practiceId of [foreign!, UNKNOWN]) {
      const free = { params: dayOf(doctor!.id), query: { practiceId } };
      const [mine, theirs] = [m.availability_place_unknown(), m.availability_place_not_of_doctor()];
      await asPatient!.refused("bookAppointmentCall", book(practiceId), 404, theirs);
      await asPatient!.refused("getAvailability", free, 404, theirs);
      await asDoctor!.refused("getAvailability", free, 404, mine);
      await asDoctor!.refused("addAvailability", add(practiceId), 404, mine);
      await asDoctor!.refused("changeAvailability", { params: dayOf(OTHER_DAY), body: { practiceId, slots: ["6:00 PM"] } }, 404, mine);
      await asDoctor!.refused("deleteAvailability", { params: dayOf(OTHER_DAY), query: { practiceId } }, 404, mine);
      await asDoctor!.refused("listDoctorAppointments", { query: { practiceId } }, 404, mine);
    }
  });
  it("is refused when it is closed, or waits for its place", async () => {
    await asPatient!.refused("bookAppointmentCall", book(closed!), 404, m.availability_place_closed());
    await asPatient!.refused("bookAppointmentCall", book(asked!), 404, m.availability_place_not_of_doctor());
    await asPatient!.refused(
      "getAvailability",
      { params: dayOf(doctor!.id), query: { practiceId: closed } },
      404,
      m.availability_place_closed(),
    );
    await asDoctor!.refused("addAvailability", add(closed!), 409, m.availability_place_closed());
    await asDoctor!.refused("addAvailability", add(asked!), 409, m.availability_place_waiting());
    expect(await timesOn(OTHER_DAY)).toEqual([]);
  });
  it("is refused as malformed beside its field", async () => {
    for (const [client, name, args] of [
      [asPatient!, "bookAppointmentCall", book("nonsense")],
      [asPatient!, "getAvailability", { params: dayOf(doctor!.id), query: { practiceId: "' or 1=1" } }],
      [asPatient!, "listOwnAppointments", { query: { practiceId: "1" } }],
      [asDoctor!, "listDoctorAppointments", { query: { practiceId: "1" } }],
      [asDoctor!, "addAvailability", add("nonsense")],
      [asDoctor!, "deleteAvailability", { params: dayOf(OTHER_DAY), query: { practiceId: "nonsense" } }],
    ] as const) {
      const { body } = await client.refused(name, args as never, 400, m.api_practice_malformed());
      expect(Object.keys(body.errors ?? {}), name).toEqual(["practiceId"]);
    }
  });
});
