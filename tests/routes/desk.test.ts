/** /desk over HTTP: the agenda of a place's doctors, and which members accept and cancel. */
import { io, type Socket } from "socket.io-client";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Actor } from "#app/domains/context.server.ts";
import { makeAdmin } from "../factories/cases.ts";
import { addPlaceDoctor, makeMember } from "../factories/members.ts";
import { addSlots, dayFromNow, makeDoctor, makePatient, makeVisit, newPhone, type Person } from "../factories/people.ts";
import { makeClinic, makeSession } from "../factories/queues.ts";
import { plain } from "../setup/applications.ts";
import { type LoggedIn, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

type Clinic = Awaited<ReturnType<typeof makeClinic>>;
let server: TestServer;
let [own, other]: [Clinic, Clinic] = [] as never;
let patient: Person;
/** A member for whom a test ends the membership. */
let leaving: Actor & { memberId: string };
const as: Record<string, LoggedIn> = {};

beforeAll(async () => {
  server = await startServer({ seed: false });
  const { db } = server;
  [own, other] = [await makeClinic(db, { doctor: "Dr. Anita Vemuri" }), await makeClinic(db)];
  patient = await makePatient(db);
  leaving = await makeMember(db, own.place.id, "reception");
  const emailOf = async (id: string) => (await server.sql<{ email: string }[]>`select email from users where id = ${id}`)[0]!.email;
  const login = async (who: Actor) => loginAs(server, { role: who.role, email: await emailOf(who.userId) });
  Object.assign(as, {
    reception: await login(own.reception),
    owner: await login(own.place.owner),
    leaving: await login(leaving),
    billing: await login(await makeMember(db, own.place.id, "billing")),
    ended: await login(await makeMember(db, own.place.id, "reception", { state: "ended" })),
    suspended: await login(await makeMember(db, own.place.id, "owner", { state: "suspended" })),
    "of another doctor": await login(await makeMember(db, own.place.id, "reception", { doctorIds: [other.doctor.id] })),
    "another place": await login(other.reception),
    "another doctor": await loginAs(server, { role: "doctor", email: other.doctor.email }),
    patient: await loginAs(server, { role: "patient", phone: patient.phone }),
    doctor: await loginAs(server, { role: "doctor", email: own.doctor.email }),
    admin: await loginAs(server, await makeAdmin(db)),
  });
});
afterAll(() => server?.stop());

const STRANGERS = ["billing", "ended", "suspended", "of another doctor", "another place", "another doctor", "patient", "admin"];
let minute = 0;
const book = (over: Parameters<typeof makeVisit>[2] = {}, doctor: Person = own.doctor) =>
  makeVisit(server.db, { patient, doctor }, { date: dayFromNow(2), time: `09:${String(minute++).padStart(2, "0")}`, ...over });
const statusOf = async (id: string) =>
  (await server.sql<{ status: string }[]>`select status from appointments where id = ${id}`)[0]!.status;
const wordsAt = async (path: string, who = as.reception!) => plain((await who.get(path)).text);
const press = (id: string, action: string, who = as.reception!, fields: Record<string, string> = {}) =>
  who.post(`/desk/appointments/${id}/${action}`, fields);

describe("the agenda of a place", () => {
  it("lists names, phones and documents of all doctors of the place, without reasons", async () => {
    const second = await makeDoctor(server.db, { name: "Dr. Kiran Kondru" });
    await server.sql`update doctors set hospital_id = ${own.place.id} where id = ${second.id}`;
    await addPlaceDoctor(server.db, own.place.id, second.id);
    const id = await book({ name: "Lakshmi Devi", reason: "Secretia Illness", history: "Secretia History" });
    await book({ name: "Abdul Khader" }, second);
    await book({ name: "Foreign Patient" }, other.doctor);
    const day = `/desk?day=${dayFromNow(2)}`;
    const all = await wordsAt(day);
    expect(all).toMatch(/Lakshmi Devi.*Dr\. Anita Vemuri/);
    expect(all).toMatch(/Abdul Khader.*Dr\. Kiran Kondru/);
    expect(all).not.toContain("Foreign Patient");
    const onlySecond = await wordsAt(`${day}&doctor=${second.id}`);
    expect(onlySecond).toContain("Abdul Khader");
    expect(onlySecond).not.toContain("Lakshmi Devi");
    // A doctor of another place changes nothing.
    expect(await wordsAt(`${day}&doctor=${other.doctor.id}`)).toContain("Lakshmi Devi");
    for (const path of [`${day}&open=${id}`, "/desk/accept", `/desk/appointments/${id}/cancel`])
      for (const url of [path, path.replace(/(\?|$)/, ".data$1")])
        expect((await as.reception!.get(url)).text, url).not.toContain("Secretia");
    expect((await as.reception!.get(`/desk?open=${await book({}, other.doctor)}`)).status).toBe(404);
  });

  it("shows reasons to the desk only where an owner has switched them on, and logs it", async () => {
    const id = await book({ name: "Reason Shown", reason: "Secretia Cough" });
    const day = `/desk?day=${dayFromNow(2)}`;
    const set = (who: LoggedIn, reasons: string) => who.post(`/clinic/${own.place.id}`, { reasons });
    for (const stranger of [...STRANGERS, "reception"]) expect((await set(as[stranger]!, "show")).status, stranger).not.toBe(200);
    expect((await as.reception!.get(`${day}&open=${id}`)).text).not.toContain("Secretia");
    expect((await set(as.owner!, "nonsense")).status).toBe(400);
    expect((await set(as.owner!, "show")).status).toBe(303);
    expect(await wordsAt(`${day}&open=${id}`)).toContain("Secretia Cough");
    expect((await set(as.owner!, "hide")).status).toBe(303);
    expect((await as.reception!.get(`${day}&open=${id}`)).text).not.toContain("Secretia");
    const audit = await server.sql`select action from audit_log where subject_id = ${own.place.id} and action like '%reasons%' order by id`;
    expect(audit).toEqual([{ action: "show-reasons-at-desk" }, { action: "hide-reasons-at-desk" }]);
  });

  it("hides what the same doctor has at another place", async () => {
    const [practice] = await server.sql<{ id: string }[]>`
      insert into practices (id, doctor_id, hospital_id) values (gen_random_uuid(), ${own.doctor.id}, ${other.place.id}) returning id`;
    const elsewhere = await book({ name: "Evening Patient" });
    await server.sql`update appointments set practice_id = ${practice!.id} where id = ${elsewhere}`;
    expect(await wordsAt(`/desk?day=${dayFromNow(2)}`)).not.toContain("Evening Patient");
    expect((await press(elsewhere, "accept")).status).toBe(404);
    expect((await as.reception!.post("/desk/accept", { visit: elsewhere })).status).toBe(404);
    expect(await statusOf(elsewhere)).toBe("pending");
  });

  it("lists who waits for a time at the place, and no one who waits at another one", async () => {
    const [evening] = await server.sql<{ id: string }[]>`
      select id from practices where doctor_id = ${own.doctor.id} and hospital_id = ${other.place.id}`;
    const wait = (doctorId: string, name: string, practiceId: string | null) => server.sql`
      insert into waitlist_entries (patient_id, doctor_id, practice_id, patient_name, patient_phone, patient_age, patient_gender, from_date, until_date)
      values (${patient.id}, ${doctorId}, ${practiceId}, ${name}, '+919876500011', 40, 'female', ${dayFromNow(1)}, ${dayFromNow(9)})`;
    await wait(own.doctor.id, "Waiting Anywhere", null);
    await wait(own.doctor.id, "Waiting Elsewhere", evening!.id);
    await wait(other.doctor.id, "Waiting Foreign", null);
    for (const member of [as.reception!, as.owner!]) {
      const words = await wordsAt("/desk/waitlist", member);
      expect(words).toMatch(/Waiting Anywhere.*Dr\. Anita Vemuri/);
      expect(words).not.toMatch(/Waiting Elsewhere|Waiting Foreign/);
    }
    expect((await as.billing!.get("/desk/waitlist")).status).toBe(403);
    for (const stranger of STRANGERS)
      for (const path of ["/desk/waitlist", `/desk/waitlist?place=${own.place.id}`])
        expect((await as[stranger]!.get(path)).text, `${stranger} ${path}`).not.toContain("Waiting Anywhere");
  });

  it("prints a day: booked patients and walk-ins of its doctors with state and due, no reason, and for no one else", async () => {
    const today = dayFromNow(0);
    await book({ date: today, time: "23:50", name: "Printed Patient", reason: "Secretia Illness", status: "accepted" });
    await book({ date: today, time: "23:55", name: "Printed Request" });
    await book({ date: today, name: "Elsewhere Today", status: "accepted" }, other.doctor);
    const sessionId = await makeSession(server.db, own.doctor.id);
    const given = await as.reception!.post("/desk/queue", {
      ...{ intent: "add", sessionId, phone: newPhone(), name: "Printed Walker", formKey: "printed-walker" },
    });
    expect(given.location).toMatch(/&given=[\w-]+&sms=on$/);
    const path = `/desk/day/${today}`;
    const sheet = await as.reception!.get(path);
    expect(sheet.headers.get("cache-control")).toContain("no-store");
    const words = plain(sheet.text);
    expect(words).toMatch(/2 appointments, 1 walk-in, as of/);
    expect(words).toMatch(/\d [AP]M 1 Printed Walker Walk-in Dr\. Anita Vemuri Here \d+:\d+/);
    expect(words).toMatch(
      /11:50 PM (\d+ )?Printed Patient Dr\. Anita Vemuri Accepted ₹\d+ 11:55 PM Printed Request Dr\. Anita Vemuri Request/,
    );
    expect(words).not.toMatch(/Elsewhere Today|Secretia/);
    expect(await wordsAt("/desk")).toContain("Day list");
    expect((await as.billing!.get(path)).status).toBe(403);
    for (const stranger of [...STRANGERS, "doctor"])
      for (const url of [path, `${path}?place=${own.place.id}`, `${path}.data`])
        expect((await as[stranger]!.get(url)).text, `${stranger} ${url}`).not.toContain("Printed");
    for (const date of ["2026-02-31", "today", "0001-01-01", "9999-12-31"])
      expect((await as.reception!.get(`/desk/day/${date}`)).status, date).toBe(404);
  });

  it("shows the conversations of the place to members who change appointments, and to no one else", async () => {
    const [thread] = await server.sql<{ id: string }[]>`
      insert into message_threads (channel, phone, hospital_id, doctor_id, answerer, waiting_since, last_in_at)
      values ('sms', '+919876500099', ${own.place.id}, ${own.doctor.id}, 'waiting', now(), now()) returning id`;
    const paths = ["/desk/messages", `/desk/messages?place=${own.place.id}`, `/desk/messages/${thread!.id}`];
    for (const member of [as.reception!, as.owner!])
      for (const path of paths) expect(await wordsAt(path, member), path).toContain("+91 98765 00099");
    expect((await as.reception!.get("/desk/messages/keywords")).status).toBe(403);
    expect((await as.owner!.get("/desk/messages/keywords")).status).toBe(200);
    for (const path of paths) expect((await as.billing!.get(path)).status).toBe(403);
    for (const stranger of STRANGERS) {
      for (const path of paths) expect((await as[stranger]!.get(path)).text, `${stranger} ${path}`).not.toContain("98765 00099");
      await as[stranger]!.post(`/desk/messages/${thread!.id}`, { intent: "hand-back" });
    }
    expect(await server.sql`select answerer from message_threads where id = ${thread!.id}`).toMatchObject([{ answerer: "waiting" }]);
    expect((await as.reception!.post(`/desk/messages/${thread!.id}`, { intent: "hand-back" })).status).toBe(303);
    expect(await server.sql`select answerer from message_threads where id = ${thread!.id}`).toMatchObject([{ answerer: "nadi" }]);
  });

  it("is the landing of staff, and leads members without an agenda to the clinic", async () => {
    expect((await as.reception!.get("/patient-dashboard")).location).toBe("/desk");
    expect((await as.billing!.get("/desk")).location).toBe("/clinic");
    expect((await as.billing!.get(`/desk?place=${own.place.id}`)).status).toBe(403);
    expect((await as.reception!.get(`/desk?place=${other.place.id}`)).status).toBe(404);
  });

  it("remembers which of several places the member chose", async () => {
    const { memberId: _, ...both } = await makeMember(server.db, own.place.id, "reception");
    await server.sql`insert into memberships (id, hospital_id, user_id, role, state, accepted_at)
      values (gen_random_uuid(), ${other.place.id}, ${both.userId}, 'reception', 'active', now())`;
    const [{ email }] = await server.sql<[{ email: string }]>`select email from users where id = ${both.userId}`;
    const member = await loginAs(server, { role: both.role, email });
    const day = `day=${dayFromNow(2)}`;
    for (const [place, shown, hidden] of [
      [other.place.id, "Foreign Patient", "Lakshmi Devi"],
      [own.place.id, "Lakshmi Devi", "Foreign Patient"],
    ] as const) {
      await member.get(`/desk?place=${place}`);
      const words = await wordsAt(`/desk?${day}`, member);
      expect(words).toContain(shown);
      expect(words).not.toContain(hidden);
    }
  });
});

describe("accepting and cancelling for a doctor", () => {
  it("accepts and cancels with a reason, and names the member and the doctor", async () => {
    const [first, second] = [await book({ name: "First Request" }), await book({ name: "Second Request" })];
    expect(await wordsAt(`/desk/appointments/${first}/accept`)).toContain("First Request");
    expect((await press(first, "accept")).location).toBe("/desk");
    expect((await press(second, "cancel", as.owner!, { reason: "busy" })).status).toBe(303);
    expect([await statusOf(first), await statusOf(second)]).toEqual(["accepted", "cancelled"]);
    expect((await press(first, "accept")).status).toBe(409);
    const rows = await server.sql<{ action: string; actor_id: string; hospital: string; doctor: string }[]>`
      select kind as action, actor_id, hospital_id as hospital, on_behalf_of as doctor from domain_events
      where subject_id in (${first}, ${second}) order by at`;
    expect(rows).toEqual([
      { action: "appointment.accept", actor_id: own.reception.userId, hospital: own.place.id, doctor: own.doctor.id },
      { action: "appointment.cancel", actor_id: own.place.owner.userId, hospital: own.place.id, doctor: own.doctor.id },
    ]);
    const [cancelled] = await server.sql`select cancelled_by, cancel_reason from appointments where id = ${second}`;
    expect(cancelled).toEqual({ cancelled_by: "doctor", cancel_reason: "busy" });
  });

  it("says on the pages of patient and doctor that the desk cancelled, and not the doctor", async () => {
    const id = await book({ status: "accepted" });
    await press(id, "cancel", as.reception!, { reason: "unwell", note: "Please call us." });
    for (const path of [`/patient/appointments/${id}`, `/patient/appointments/payment/${id}`]) {
      const words = await wordsAt(path, as.patient!);
      expect(words, path).toContain("The clinic cancelled this appointment.");
      expect(words, path).not.toContain("Vemuri cancelled");
    }
    expect(await wordsAt(`/patient/appointments/${id}`, as.patient!)).toContain("Message from the clinic: Please call us.");
    for (const [language, sentence] of [
      ["te", "క్లినిక్ ఈ అపాయింట్‌మెంట్‌ను రద్దు చేసింది."],
      ["hi", "क्लिनिक ने यह अपॉइंटमेंट रद्द किया।"],
      ["en", "The clinic cancelled this appointment."],
    ] as const) {
      as.patient!.cookies.set("lang", language);
      expect(await wordsAt(`/patient/appointments/${id}`, as.patient!)).toContain(sentence);
    }
    expect(await wordsAt(`/doctor/patient/${id}`, as.doctor!)).toContain("The clinic's desk cancelled this appointment.");
  });

  it("proposes times to the patient as the clinic, and shows the doctor that the desk did", async () => {
    await addSlots(server.db, own.doctor.id, [{ date: dayFromNow(9), time: "16:00" }]);
    const id = await book({ status: "accepted" });
    await as.reception!.post(`/desk/appointments/${id}/move`, { "times[0]": `${dayFromNow(9)} 16:00`, intent: "propose" });
    const words = await wordsAt(`/patient/appointments/${id}`, as.patient!);
    expect(words).toContain("The clinic proposes another time with Dr. Anita Vemuri instead of");
    expect(await wordsAt(`/doctor/patient/${id}/time`, as.doctor!)).toContain("The clinic's desk proposed:");
    expect(await wordsAt(`/desk/appointments/${id}/move`)).toContain("You proposed:");
  });

  it("accepts all ticked requests of several doctors", async () => {
    const ids = [await book(), await book(), await book()];
    expect(await wordsAt("/desk")).toMatch(/Accept all \d+ requests/);
    expect((await as.reception!.get("/desk/accept")).text).toContain(`value="${ids[0]}"`);
    expect((await as.reception!.post("/desk/accept", { visit: ids.slice(0, 2) })).location).toBe("/desk");
    expect(await Promise.all(ids.map(statusOf))).toEqual(["accepted", "accepted", "pending"]);
  });

  it.each(STRANGERS)("refuses a member or user who may not: %s", async (name) => {
    const id = await book({ name: "Secretia Patientova" });
    const who = as[name]!;
    for (const path of [`/desk?day=${dayFromNow(2)}`, `/desk?open=${id}`, "/desk/accept", `/desk/appointments/${id}/accept`])
      expect((await who.get(path)).text, path).not.toContain("Secretia");
    for (const action of ["accept", "cancel", "move"]) expect((await press(id, action, who)).status, action).not.toBe(200);
    await who.post("/desk/accept", { visit: id });
    await who.post(`/desk/accept?place=${own.place.id}`, { visit: id });
    await press(id, `accept?place=${own.place.id}`, who);
    expect(await statusOf(id)).toBe("pending");
  });

  it("moves an appointment to a free time at the place, once for two receptionists, and notifies the patient", async () => {
    const [first, second] = [await book({ name: "Moved One" }), await book()];
    const [date, time] = [dayFromNow(4), "16:30"];
    await addSlots(server.db, own.doctor.id, [{ date, time }]);
    expect(await wordsAt(`/desk/appointments/${first}/move`)).toContain("4:30 PM");
    const to = { intent: "move", times: `${date} ${time}` };
    const answers = await Promise.all([press(first, "move", as.reception!, to), press(second, "move", as.owner!, to)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 409]);
    const [moved] =
      await server.sql`select count(*)::int as n from appointments where date = ${date} and time = ${time} and status = 'accepted'`;
    expect(moved).toEqual({ n: 1 });
    const [event] = await server.sql`select on_behalf_of from domain_events where kind = 'appointment.move' order by at desc limit 1`;
    expect(event).toEqual({ on_behalf_of: own.doctor.id });
    const [notice] =
      await server.sql`select count(*)::int as n from notifications where user_id = ${patient.id} and kind = 'appointment-moved'`;
    expect(notice).toEqual({ n: 1 });
    expect((await press(second, "move", as.reception!, { intent: "move", times: "nonsense" })).status).toBe(400);
    expect((await press(second, "move", as.reception!, { intent: "move", times: `${dayFromNow(6)} 03:00` })).status).toBe(409);
  });

  it("proposes times of the place to the patient, who takes one, and names the doctor", async () => {
    const id = await book({ name: "Proposed To" });
    const [first, second] = [`${dayFromNow(8)} 10:00`, `${dayFromNow(8)} 11:00`];
    await addSlots(server.db, own.doctor.id, [
      { date: dayFromNow(8), time: "10:00" },
      { date: dayFromNow(8), time: "11:00" },
    ]);
    expect(await wordsAt(`/desk/appointments/${id}/move`)).toContain("Propose up to 3 times");
    const times = { intent: "propose", "times[0]": first, "times[1]": second, "times[2]": "" };
    for (const stranger of STRANGERS) expect((await press(id, "move", as[stranger]!, times)).status, stranger).not.toBe(200);
    expect(await server.sql`select from appointment_proposals where appointment_id = ${id}`).toHaveLength(0);
    expect((await press(id, "move", as.reception!, times)).location).toBe(`/desk?open=${id}`);
    expect(await wordsAt(`/desk/appointments/${id}/move`)).toContain("You proposed:");
    const [audit] = await server.sql`select actor_id, on_behalf_of from audit_log where action = 'propose-time' and subject_id = ${id}`;
    expect(audit).toEqual({ actor_id: own.reception.userId, on_behalf_of: own.doctor.id });
    const [proposal] = await server.sql<{ id: string }[]>`select id from appointment_proposals where appointment_id = ${id}`;
    const answer = { proposal: proposal!.id, answer: second };
    expect((await as.patient!.post(`/patient/appointments/${id}/proposal`, answer)).status).toBe(303);
    const [visit] = await server.sql`select date::text, to_char(time, 'HH24:MI') as time, status from appointments where id = ${id}`;
    expect(visit).toEqual({ date: dayFromNow(8), time: "11:00", status: "accepted" });
    expect((await press(id, "move", as.reception!, { intent: "propose", "times[0]": `${dayFromNow(9)} 03:00` })).status).toBe(409);
    expect((await press(id, "move", as.reception!, { intent: "propose" })).status).toBe(400);
  });

  it("accepts all requests of the chosen doctor only", async () => {
    const second = await makeDoctor(server.db, { name: "Dr. Only This" });
    await server.sql`update doctors set hospital_id = ${own.place.id} where id = ${second.id}`;
    await addPlaceDoctor(server.db, own.place.id, second.id);
    const [mine, theirs] = [await book({ name: "Request Of First" }), await book({ name: "Request Of Second" }, second)];
    const agenda = await as.reception!.get(`/desk?doctor=${second.id}`);
    expect(agenda.text).toContain(`href="/desk/accept?doctor=${second.id}"`);
    const words = await wordsAt(`/desk/accept?doctor=${second.id}`);
    expect(words).toContain("Request Of Second");
    expect(words).not.toContain("Request Of First");
    expect((await as.reception!.post(`/desk/accept?doctor=${second.id}`, { visit: mine })).status).toBe(404);
    expect((await as.reception!.post(`/desk/accept?doctor=${second.id}`, { visit: theirs })).location).toBe(`/desk?doctor=${second.id}`);
    expect([await statusOf(mine), await statusOf(theirs)]).toEqual(["pending", "accepted"]);
  });

  it("refuses completing, undoing and unknown actions", async () => {
    const id = await book({ status: "accepted", date: dayFromNow(0), time: "00:05" });
    for (const action of ["complete", "undo-complete", "reschedule", "nonsense"]) expect((await press(id, action)).status).toBe(404);
    expect(await statusOf(id)).toBe("accepted");
  });

  it("refuses when the doctor has left the place", async () => {
    const gone = await makeDoctor(server.db);
    await server.sql`update doctors set hospital_id = ${own.place.id} where id = ${gone.id}`;
    await addPlaceDoctor(server.db, own.place.id, gone.id);
    const id = await book({ name: "Stays With Doctor" }, gone);
    expect(await wordsAt(`/desk?day=${dayFromNow(2)}`)).toContain("Stays With Doctor");
    await server.sql`update place_doctors set state = 'ended' where doctor_id = ${gone.id}`;
    expect(await wordsAt(`/desk?day=${dayFromNow(2)}`)).not.toContain("Stays With Doctor");
    expect((await press(id, "accept")).status).toBe(404);
    expect(await statusOf(id)).toBe("pending");
  });

  it("lets one of two receptionists answer a request", async () => {
    const id = await book();
    const answers = await Promise.all([press(id, "accept"), press(id, "accept", as.owner!)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 409]);
  });
});

it("reloads the open agenda of members, and closes the page of an ended member", async () => {
  const dial = async (who: LoggedIn): Promise<Socket> => {
    const socket = io(server.url, {
      path: "/socket.io",
      transports: ["websocket"],
      reconnection: false,
      forceNew: true,
      extraHeaders: { cookie: `nadi_session=${who.token}`, origin: server.url },
    });
    await new Promise((ok, no) => socket.on("connect", () => ok(null)).on("connect_error", no));
    return socket;
  };
  const [stays, leaves] = [await dial(as.reception!), await dial(as.leaving!)];
  try {
    const got: string[] = [];
    // The events of the bookings arrive meanwhile.
    const next = (socket: Socket, id: string) =>
      new Promise<void>((ok) => socket.on("appointmentChanged", ({ _id }: { _id: string }) => _id === id && ok()));
    const [first, second] = [await book(), await book()];
    await vi.waitUntil(async () => (await server.sql`select from live_events limit 1`).length === 0, { timeout: 30_000, interval: 50 });
    const both = Promise.all([next(stays, first), next(leaves, first)]);
    await press(first, "accept", as.owner!);
    await both;
    leaves.on("appointmentChanged", ({ _id }: { _id: string }) => got.push(_id));
    const closed = new Promise((ok) => leaves.once("disconnect", ok));
    const ended = await as.owner!.post(`/clinic/${own.place.id}/staff/${leaving.memberId}/end`, {});
    expect(ended.status).toBe(303);
    await closed;
    const seen = next(stays, second);
    await press(second, "accept", as.owner!);
    await seen;
    expect(got).toEqual([]);
    expect((await as.leaving!.get("/desk")).location).toContain("/dual-doctor");
  } finally {
    for (const socket of [stays, leaves]) socket.disconnect();
  }
});
