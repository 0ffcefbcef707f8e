/** How a place and a practice begin: a reviewer's hospital gets an owner and staff, and a verified doctor opens hours in one step. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { EventKind } from "#app/domains/platform/events/event-kinds.ts";
import { weekdayOf } from "#app/lib/dates.ts";
import { readable } from "../factories/booking.ts";
import { makeAdmin, makeHospital, makeReviewer } from "../factories/cases.ts";
import { addPlaceDoctor, makeMember, makePlace } from "../factories/members.ts";
import { dayFromNow, makeDoctor, newEmail, newPhone, typed } from "../factories/people.ts";
import { type Answer, Browser } from "../setup/http.ts";
import { loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";
import { expectEvents, expectEveryTransition, watchChanges } from "../setup/watch-changes.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ seed: false });
  await watchChanges(server);
});
afterAll(() => server?.stop());

/** Returns the link of an invitation from the email. */
async function linkTo(email: string): Promise<string> {
  const find = async () => (await server.outbox(email)).map(({ body }) => body.match(/\/join\/[\w-]+/)?.[0]).find(Boolean);
  await expect.poll(find, { timeout: 15_000 }).toBeTruthy();
  return (await find())!;
}

it("a reviewer becomes the owner of their hospital, invites a receptionist, and both sides accept a doctor", async () => {
  const hospital = await makeHospital(server.db);
  const reviewer = await makeReviewer(server.db);
  const [{ id: reviewerId } = { id: "" }] = await server.sql<{ id: string }[]>`select id from users where email = ${reviewer.email}`;
  await server.sql`insert into hospital_reviewers (hospital_id, user_id) values (${hospital.id}, ${reviewerId})`;
  const admin = await loginAs(server, { role: "admin", email: (await makeAdmin(server.db)).email });
  const owner = await loginAs(server, { role: "reviewer", email: reviewer.email });
  expect((await owner.get(`/clinic/${hospital.id}`)).status).toBe(404);

  const invited = await admin.post(`/admin/hospitals/${hospital.id}/owners`, { intent: "invite", email: reviewer.email });
  expect(invited.status, readable(invited.text)).toBe(303);
  const accepted = await owner.post(await linkTo(reviewer.email), { intent: "accept" });
  expect(accepted.status, readable(accepted.text)).toBe(303);
  expect(readable((await owner.get(`/clinic/${hospital.id}`)).text)).toContain("Invite");
  expect((await owner.get("/reviewer")).status).toBe(200);

  const email = newEmail();
  const invite = await owner.post(`/clinic/${hospital.id}/invite`, { email, role: "reception" });
  expect(invite.status, readable(invite.text)).toBe(303);
  const make = { intent: "make", name: "Divya Kolli", phone: typed(newPhone()), password: "four quiet mango trees" };
  const made = await new Browser(server.url).post(await linkTo(email), make);
  expect([made.status, made.location], readable(made.text)).toEqual([303, "/dual-doctor"]);

  const doctor = await makeDoctor(server.db, { name: "Dr. Leela Varma" });
  await server.sql`update doctors set hospital_id = ${hospital.id} where id = ${doctor.id}`;
  const asDoctor = await loginAs(server, { role: "doctor", email: doctor.email });
  const reception = await loginAs(server, { role: "staff", email });
  expect((await owner.post(`/clinic/${hospital.id}/doctors`, { intent: "claim", doctorId: doctor.id })).status).toBe(303);
  expect((await asDoctor.post("/clinic", { intent: "accept", hospitalId: hospital.id })).status).toBe(303);
  expect((await reception.get("/desk")).status).toBe(200);
  expect((await reception.get("/desk/waitlist")).status).toBe(200);

  // The owner suspends, resumes and removes the receptionist.
  const [{ id: memberId } = { id: "" }] = await server.sql<{ id: string }[]>`
    select m.id from memberships m join users u on u.id = m.user_id where u.email = ${email}`;
  const member = `/clinic/${hospital.id}/staff/${memberId}`;
  expect((await owner.post(member, { intent: "suspend" })).status).toBe(303);
  expect((await owner.post(member, { intent: "resume" })).status).toBe(303);
  expect((await owner.post(`${member}/end`)).status).toBe(303);

  // A doctor opens a practice at the place; the owner accepts and later removes the doctor.
  const terms = { fee: "300", slotMinutes: "20", patientsPerSlot: "1" };
  const asking = await makeDoctor(server.db, { name: "Dr. Asking Rao" });
  const asAsking = await loginAs(server, { role: "doctor", email: asking.email });
  expect((await asAsking.post("/doctor/practices/add", { hospitalId: hospital.id, ...terms })).status).toBe(303);
  expect((await owner.post(`/clinic/${hospital.id}/doctors`, { intent: "accept", doctorId: asking.id })).status).toBe(303);
  expect((await owner.post(`/clinic/${hospital.id}/doctors/${asking.id}/remove`)).status).toBe(303);
});

it("the only owner stays, and reads the reason once", async () => {
  const place = await makePlace(server.db);
  const [own] = await server.sql<{ id: string; email: string }[]>`
    select m.id, u.email from memberships m join users u on u.id = m.user_id where m.hospital_id = ${place.id} and m.role = 'owner'`;
  const owner = await loginAs(server, { role: "staff", email: own!.email });
  const { status, text } = await owner.post(`/clinic/${place.id}/staff/${own!.id}/end`);
  expect([status, text.match(/role="alert"/g)?.length], readable(text)).toEqual([409, 1]);
});

it("invitations, staff, doctors and practices of a place end from each of their states", async () => {
  const place = await makePlace(server.db);
  const [{ email: ofOwner } = { email: "" }] = await server.sql<
    { email: string }[]
  >`select email from users where id = ${place.owner.userId}`;
  const owner = await loginAs(server, { role: "staff", email: ofOwner });
  const ends = async (press: () => Promise<Answer>, kind: EventKind) => {
    await expectEvents(server);
    const { status, text } = await press();
    expect(status, readable(text)).toBe(303);
    expect(await expectEvents(server)).toEqual([kind]);
  };
  const invited = newEmail();
  await ends(async () => owner.post(`/clinic/${place.id}/invite`, { email: invited, role: "billing" }), "membership.invite");
  await ends(async () => new Browser(server.url).post(await linkTo(invited), { intent: "decline" }), "membership.end");
  const { memberId } = await makeMember(server.db, place.id, "reception", { state: "suspended" });
  await ends(async () => owner.post(`/clinic/${place.id}/staff/${memberId}/end`), "membership.end");

  // The doctor declines the place, and withdraws a request to it.
  const [claimed, asking] = [await makeDoctor(server.db), await makeDoctor(server.db)];
  const [asClaimed, asAsking] = [
    await loginAs(server, { role: "doctor", email: claimed.email }),
    await loginAs(server, { role: "doctor", email: asking.email }),
  ];
  await addPlaceDoctor(server.db, place.id, claimed.id, "claimed");
  await ends(async () => asClaimed.post("/clinic", { intent: "end", hospitalId: place.id }), "place-doctor.end");
  const terms = { hospitalId: place.id, fee: "300", slotMinutes: "20", patientsPerSlot: "1" };
  expect((await asAsking.post("/doctor/practices/add", terms)).status).toBe(303);
  const practice = async () =>
    (
      await server.sql<
        { id: string }[]
      >`select id from practices where doctor_id = ${asking.id} and id <> ${asking.id} and state <> 'closed'`
    )[0]!;
  await ends(async () => asAsking.post(`/doctor/practices/${(await practice()).id}/close`, { reason: "busy" }), "practice.close");
  await ends(async () => asAsking.post("/clinic", { intent: "end", hospitalId: place.id }), "place-doctor.end");

  // A practice that the place accepted.
  expect((await asAsking.post("/doctor/practices/add", terms)).status).toBe(303);
  expect((await owner.post(`/clinic/${place.id}/doctors`, { intent: "accept", doctorId: asking.id })).status).toBe(303);
  await ends(async () => asAsking.post(`/doctor/practices/${(await practice()).id}/close`, { reason: "busy" }), "practice.close");
});

it("a verified doctor without times opens the hours of the first practice in one step from the dashboard", async () => {
  const doctor = await makeDoctor(server.db);
  const me = await loginAs(server, { role: "doctor", email: doctor.email });
  const hours = `/doctor/practices/${doctor.id}/hours`;
  expect((await me.get("/doctor-dashboard")).text).toMatch(new RegExp(`href="${hours}"[^>]*>(?:(?!</a>).)*Set weekly hours`));
  expect((await me.get(hours)).status).toBe(200);
  const day = dayFromNow(7);
  const span = weekdayOf(day) * 3;
  const saved = await me.post(hours, { [`hours[${span}].from`]: "09:00", [`hours[${span}].until`]: "10:00" });
  expect([saved.status, saved.location], readable(saved.text)).toEqual([303, "/doctor/practices"]);
  const patient = await loginAs(server, { role: "patient", phone: newPhone() });
  const times = readable((await patient.get(`/patient/appointments/datetime?doctorId=${doctor.id}&date=${day}`)).text);
  expect(times).toContain("9:00 AM");
  expect(readable((await me.get("/doctor-dashboard")).text)).not.toContain("Set weekly hours");
});

it("records one event for each state change of these pages, and takes each transition of the state tables", () =>
  expectEveryTransition(server, ["membership", "place-doctor", "practice"]));
