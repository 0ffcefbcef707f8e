/** The waitlist and other times that a doctor proposes, for apps. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { m } from "#app/paraglide/messages.js";
import { addSlots, dayFromNow, makeDoctor, makePatient, makeVisit, type Person, type TestDoctor } from "../factories/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";
import { ApiClient } from "./client.ts";
import { tokenFor } from "./people.ts";

const DAY = dayFromNow(6);
const NEXT = dayFromNow(7);
let server: TestServer;
let visitor: ApiClient;
beforeAll(async () => {
  server = await startServer({ seed: false });
  visitor = await ApiClient.of(server.url);
});
afterAll(() => server?.stop());
afterEach(() => server.clock.set(0));

let doctor: TestDoctor;
let [booked, waiting]: Person[] = [] as never;
let [asDoctor, asBooked, asWaiting]: ApiClient[] = [] as never;
let visit: string;
beforeEach(async () => {
  doctor = await makeDoctor(server.db, { name: "Dr. Busy", slots: [{ date: DAY, time: "10:00" }] });
  [booked, waiting] = [await makePatient(server.db, { name: "Booked" }), await makePatient(server.db, { name: "Waiting" })];
  [asDoctor, asBooked, asWaiting] = await Promise.all(
    [doctor, booked, waiting].map(async ({ id }) => visitor.as(await tokenFor(server, id))),
  );
  visit = await makeVisit(server.db, { patient: booked!, doctor }, { date: DAY, time: "10:00" });
});
const person = { age: 34, gender: "female" as const };
const wish = (over: object = {}) => ({ body: { doctorId: doctor.id, date: DAY, days: 0 as const, ...person, ...over } });
const entries = async (client = asWaiting!) => (await client.call("listWaitlist")).body.entries;
const cancel = () => asBooked!.call("cancelAppointment", { params: { id: visit } });

describe("the waitlist", () => {
  it("offers the freed time, which is taken once and is then an appointment", async () => {
    const { body } = await asWaiting!.call("joinWaitlistCall", wish());
    expect(await entries()).toMatchObject([
      { id: body.entry.id, state: "waiting", doctorName: "Dr. Busy", patientName: "Waiting", place: 1, from: DAY, until: DAY, offer: null },
    ]);
    await cancel();
    const [entry] = await entries();
    expect(entry!.offer).toMatchObject({ date: DAY, time: "10:00 AM", isOver: false });
    const params = { id: entry!.offer!.id };
    await asBooked!.refused("takeOfferCall", { params }, 404, m.error_not_found());
    const [one, two] = await Promise.all([asWaiting!.call("takeOfferCall", { params }), asWaiting!.call("takeOfferCall", { params })]);
    expect(one!.body.appointment).toEqual(two!.body.appointment);
    expect((await asWaiting!.call("listOwnAppointments")).body.appointments).toMatchObject([
      { id: one!.body.appointment.id, date: DAY, time: "10:00 AM", status: "pending" },
    ]);
    expect((await entries())[0]).toMatchObject({ state: "taken", appointment: { id: one!.body.appointment.id, time: "10:00 AM" } });
  });

  it("refuses an offer after its end, and one whose time was removed, with a way to go on", async () => {
    await asWaiting!.call("joinWaitlistCall", wish({ sms: true, parts: ["morning"] }));
    await cancel();
    const first = (await entries())[0]!.offer!.id;
    // An offer of the night is sent at 7:00 AM and lasts until 9:00 AM. One that was not sent would be sent now, with a new end.
    await server.sql`update waitlist_offers set notified_at = send_at where id = ${first}`;
    server.clock.set(13 * 3_600_000);
    await asWaiting!.refused("takeOfferCall", { params: { id: first } }, 409, m.waitlist_offer_over());
    await asWaiting!.refused("passOfferCall", { params: { id: first } }, 409, m.waitlist_offer_over());
    server.clock.set(0);
    await addSlots(server.db, doctor.id, [{ date: DAY, time: "11:00" }]);
    await makeVisit(server.db, { patient: booked!, doctor }, { date: DAY, time: "11:00" }).then((id) =>
      asBooked!.call("cancelAppointment", { params: { id } }),
    );
    const second = (await entries())[0]!.offer!;
    expect(second.time).toBe("11:00 AM");
    await asDoctor!.call("deleteAvailability", { params: { doctorIdOrDate: DAY } });
    await asWaiting!.refused("takeOfferCall", { params: { id: second.id } }, 409, m.waitlist_offer_withdrawn());
    expect((await entries())[0]).toMatchObject({ state: "waiting", offer: null });
  });

  it("moves a later appointment, and goes to the next patient after a pass and after leaving", async () => {
    await addSlots(server.db, doctor.id, [{ date: NEXT, time: "09:00" }]);
    const later = await makeVisit(server.db, { patient: waiting!, doctor }, { date: NEXT, time: "09:00", status: "accepted" });
    const { body } = await asWaiting!.call("joinWaitlistCall", wish({ appointmentId: later }));
    await cancel();
    const offer = (await entries())[0]!.offer!;
    await asWaiting!.call("passOfferCall", { params: { id: offer.id } });
    expect((await entries())[0]).toMatchObject({ state: "waiting", appointment: { id: later, date: NEXT } });
    await asBooked!.refused("leaveWaitlistCall", { params: { id: body.entry.id } }, 404, m.error_not_found());
    for (let press = 0; press < 2; press++) await asWaiting!.call("leaveWaitlistCall", { params: { id: body.entry.id } });
    expect((await entries())[0]).toMatchObject({ state: "ended", endReason: "left" });
  });

  it("is refused while a free time suits, twice for one person, and without the details that the profile lacks", async () => {
    await asWaiting!.refused("joinWaitlistCall", wish({ age: undefined }), 400, m.appointments_fill_required());
    await asWaiting!.call("joinWaitlistCall", wish());
    await asWaiting!.refused("joinWaitlistCall", wish(), 409, m.waitlist_already());
    await cancel();
    await asWaiting!.call("passOfferCall", { params: { id: (await entries())[0]!.offer!.id } });
    const { body } = await asBooked!.send("joinWaitlistCall", wish());
    expect((body as { message: string }).message).toContain("is free now");
    await asBooked!.refused("joinWaitlistCall", wish({ doctorId: booked!.id }), 404, m.error_not_found());
  });
});

describe("a proposal", () => {
  const [nine, ten] = [
    { date: NEXT, time: "9:00 AM" },
    { date: NEXT, time: "10:00 AM" },
  ];
  const params = () => ({ id: visit });
  const propose = (times = [nine!, ten!]) => asDoctor!.call("proposeTimesCall", { params: params(), body: { times } });
  const open = async () => (await asBooked!.call("getProposal", { params: params() })).body.proposal;
  beforeEach(() =>
    addSlots(
      server.db,
      doctor.id,
      ["09:00", "10:00"].map((time) => ({ date: NEXT, time })),
    ),
  );

  it("is read, taken twice with one result, and moves the appointment", async () => {
    expect(await open()).toBeNull();
    await propose();
    const proposal = (await open())!;
    expect(proposal).toMatchObject({ times: [nine, ten], isAway: false, until: { date: DAY, time: "10:00 AM" } });
    const taken = { params: { id: visit, proposalId: proposal.id }, body: ten! };
    await asWaiting!.refused("takeProposalCall", taken, 404, m.error_not_found());
    for (let press = 0; press < 2; press++) await asBooked!.call("takeProposalCall", taken);
    expect((await asBooked!.call("listOwnAppointments")).body.appointments).toMatchObject([{ id: visit, ...ten, status: "accepted" }]);
    await asBooked!.refused("declineProposalCall", { params: taken.params }, 409, m.proposals_ended());
  });

  it("is refused for a time that is not free, and leaves out a time that was booked meanwhile", async () => {
    const taken = { date: NEXT, time: "8:00 AM" };
    const { status } = await asDoctor!.send("proposeTimesCall", { params: params(), body: { times: [taken] } });
    expect(status).toBe(409);
    await propose();
    await makeVisit(server.db, { patient: waiting!, doctor }, { date: NEXT, time: "09:00" });
    const proposal = (await open())!;
    expect(proposal.times).toEqual([ten]);
    const late = await asBooked!.send("takeProposalCall", { params: { id: visit, proposalId: proposal.id }, body: nine! });
    expect(late.status).toBe(409);
    await asBooked!.call("declineProposalCall", { params: { id: visit, proposalId: proposal.id } });
    expect(await open()).toBeNull();
    expect((await asBooked!.call("listOwnAppointments")).body.appointments).toMatchObject([{ date: DAY, time: "10:00 AM" }]);
  });
});
