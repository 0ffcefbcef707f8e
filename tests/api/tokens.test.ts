/** An app books a session of a practice that gives tokens, whose queue no member of staff has ever opened. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { instantInIndia } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { dayFromNow, makeDoctor, makePatient, newPhone, type TestDoctor, typed } from "../factories/people.ts";
import { makeTokenDoctor } from "../factories/tokens.ts";
import { startServer, type TestServer } from "../setup/server.ts";
import { ApiClient } from "./client.ts";
import { tokenFor } from "./people.ts";

const DAY = dayFromNow(1);
let server: TestServer;
let doctor: TestDoctor;
let visitor: ApiClient;
beforeAll(async () => {
  server = await startServer({ seed: false });
  doctor = await makeTokenDoctor({ db: server.db, now: new Date() } as never, { seats: 2 });
  visitor = await ApiClient.of(server.url);
});
afterAll(() => server?.stop());

const newClient = async () => visitor.as(await tokenFor(server, (await makePatient(server.db)).id));
const asDoctor = async (id = doctor.id) => visitor.as(await tokenFor(server, id));
const booking = (phone = newPhone()) => ({
  body: {
    doctor: doctor.id,
    date: DAY,
    time: "5:00 PM",
    patientInfo: { name: "Anjali Rao", phone: typed(phone), age: "41", gender: "Female" as const },
  },
});

describe("a session with tokens", () => {
  let first: ApiClient;
  it("is listed with the practice's mode, its length and that it gives tokens", async () => {
    first = await newClient();
    const { practices } = (await visitor.call("listPractices", { params: { doctorId: doctor.id } })).body;
    expect(practices).toMatchObject([{ mode: "tokens" }]);
    const { days } = (await first.call("getAvailability", { params: { doctorIdOrDate: doctor.id } })).body;
    expect(days.find(({ date }) => date === DAY)).toMatchObject({
      slots: ["5:00 PM"],
      times: [{ time: "5:00 PM", minutes: 180, tokens: true }],
    });
  });

  it("gives the next number and about when it is called, and one number for a repeated call", async () => {
    const phone = newPhone();
    const { appointment } = (await first.call("bookAppointmentCall", booking(phone))).body;
    expect(appointment).toMatchObject({ time: "5:00 PM", token: 1, expectedTime: "5:00 PM", status: "pending" });
    expect((await first.call("bookAppointmentCall", booking(phone))).body.appointment).toMatchObject({ id: appointment.id, token: 1 });
    expect((await first.call("listOwnAppointments")).body.appointments).toMatchObject([{ token: 1, expectedTime: "5:00 PM" }]);
    const { appointment: second } = (await (await newClient()).call("bookAppointmentCall", booking())).body;
    expect(second).toMatchObject({ token: 2, expectedTime: "6:30 PM" });
  });

  it("is refused when all tokens are taken, with other sessions", async () => {
    const late = await newClient();
    const { body } = await late.refused("bookAppointmentCall", booking(), 409, m.appointments_slot_taken());
    expect(JSON.stringify(body.errors)).toContain("5:00 PM");
    expect((await late.call("listOwnAppointments")).body.appointments).toEqual([]);
  });

  it("shows the patient's own token on its day, and the doctor the queue that was never opened", async () => {
    // An hour before it begins: late in the evening it would be over at the same time of the next day.
    server.clock.to(instantInIndia(DAY, "16:00").getTime());
    const { tokens } = (await first.call("listOwnTokensCall")).body;
    expect(tokens).toMatchObject([{ number: 1, state: "expected", session: "planned", ahead: 0, due: "5:00 PM" }]);
    expect((await (await newClient()).call("listOwnTokensCall")).body.tokens).toEqual([]);
    const staff = await asDoctor();
    const { sessions } = (await staff.call("listQueues")).body;
    expect(sessions).toMatchObject([{ date: DAY, part: "evening", state: "planned" }]);
    const { expected } = (await staff.call("getQueue", { params: { id: sessions[0]!.id } })).body;
    expect(expected.map(({ number }) => number)).toEqual([1, 2]);
    const stranger = await asDoctor((await makeDoctor(server.db)).id);
    await stranger.refused("getQueue", { params: { id: sessions[0]!.id } }, 404);
    server.clock.set(0);
  });
});
