/** The agenda of a doctor over HTTP: the view, its filters and panel, accepting several requests, and who may open it. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addDays } from "#app/lib/dates.ts";
import { readable as textOf } from "../factories/booking.ts";
import { dayFromNow, makeDoctor, makePatient, makeVisit, type Person, type TestDoctor } from "../factories/people.ts";
import { makeClinic } from "../factories/queues.ts";
import { type LoggedIn, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

const readable = (html: string) => textOf(html).replaceAll(/ ([,.:])/g, "$1");
const AGENDA = "/doctor/appointments?view=agenda";
const ALL = `${AGENDA}&show=all`;
const ACCEPT = "/doctor/appointments/accept";

let server: TestServer;
let patient: Person;
beforeAll(async () => {
  server = await startServer({ seed: false });
  // Noon in India.
  server.clock.to(Date.parse(`${dayFromNow(0)}T06:30:00Z`));
  patient = await makePatient(server.db, { name: "Asha Rao" });
});
afterAll(() => server?.stop());

const today = dayFromNow(0);
async function newDoctor(): Promise<{ doctor: TestDoctor; as: LoggedIn }> {
  const doctor = await makeDoctor(server.db);
  return { doctor, as: await loginAs(server, { role: "doctor", email: doctor.email }) };
}
const wordsOf = async (as: LoggedIn, path: string) => readable((await as.get(path)).text);
const statusOf = async (id: string) =>
  (await server.sql<{ status: string }[]>`select status from appointments where id = ${id}`)[0]?.status;

describe("the view", () => {
  it("shows cards by default and remembers the agenda in a cookie", async () => {
    const { as } = await newDoctor();
    const cards = (await as.get("/doctor/appointments")).text;
    expect(cards).toContain('aria-label="Appointments by status"');
    expect(cards).toContain("view=agenda");
    const chosen = await as.get(AGENDA);
    expect(chosen.status).toBe(200);
    expect(chosen.text).toContain('aria-label="Which appointments"');
    expect((await as.get("/doctor/appointments")).text).toContain('aria-label="Which appointments"');
    await as.get("/doctor/appointments?view=cards");
    expect((await as.get("/doctor/appointments")).text).toContain('aria-label="Appointments by status"');
    expect((await as.get("/doctor/appointments?view=nonsense")).text).toContain('aria-label="Appointments by status"');
  });

  it("heads each day with its counts, in the plural of each number", async () => {
    const { doctor, as } = await newDoctor();
    const add = (date: string, time: string, status: "pending" | "accepted" | "completed" | "cancelled", name: string) =>
      makeVisit(server.db, { patient, doctor }, { date, time, status, name });
    for (const [i, status] of (["accepted", "accepted", "pending", "pending", "completed", "cancelled"] as const).entries())
      await add(today, `1${i}:00`, status, `Person ${i}`);
    await add(addDays(today, 1), "10:00", "pending", "Tomorrow One");
    const words = await wordsOf(as, ALL);
    expect(words).toMatch(/Today, \w{3} \d+ \w{3} \d{4} 5 appointments, 2 requests\./);
    expect(words).toMatch(/Tomorrow, \w{3} \d+ \w{3} \d{4} 1 appointment, 1 request\./);
    expect(words).toContain("3 requests wait for your answer.");
    expect(words).toContain("Accept all 3 requests");
    expect(words).toContain("40 years, female · Routine Checkup");
    // Completed and not paid: it stays.
    expect(words).toMatch(/Person 4 .*Done ₹500 due Take ₹500/);
    expect(words).not.toContain("Person 5");
    for (const part of ["Today 5", "Requests 3", "Due 1", "All 5"]) expect(words).toContain(part);
  });

  it("filters by requests, today, a day, past days and the patient's name", async () => {
    const { doctor, as } = await newDoctor();
    const add = (date: string, status: "pending" | "accepted", name: string, time = "15:00") =>
      makeVisit(server.db, { patient, doctor }, { date, status, name, time });
    await add(today, "accepted", "Today Accepted");
    await add(addDays(today, 3), "pending", "Later Request");
    await add(addDays(today, -2), "accepted", "Past Open");
    const names = async (query: string) => {
      const words = await wordsOf(as, `${AGENDA}&${query}`);
      return ["Today Accepted", "Later Request", "Past Open"].filter((name) => words.includes(name));
    };
    expect(await names("")).toEqual(["Today Accepted"]);
    expect(await names("show=all")).toEqual(["Today Accepted", "Later Request"]);
    expect(await wordsOf(as, AGENDA)).toContain("1 appointment of past days is still open.");
    expect(await names("show=requests")).toEqual(["Later Request"]);
    expect(await names("show=today")).toEqual(["Today Accepted"]);
    expect(await names("show=past")).toEqual(["Past Open"]);
    expect(await names(`day=${addDays(today, 3)}`)).toEqual(["Later Request"]);
    expect(await names(`day=${addDays(today, -2)}`)).toEqual(["Past Open"]);
    expect(await names("q=later")).toEqual(["Later Request"]);
    expect(await names("q=nothing-of-this-name")).toEqual([]);
    // Malformed values are ignored.
    expect(await names("show=x&day=2026-99-99&page=-4")).toEqual(["Today Accepted"]);
  });

  it("opens an appointment beside the list", async () => {
    const { doctor, as } = await newDoctor();
    const id = await makeVisit(
      server.db,
      { patient, doctor },
      { date: today, time: "16:00", name: "Panel Person", reason: "Cough at night" },
    );
    const { text } = await as.get(`${AGENDA}&open=${id}`);
    expect(text).toMatch(/<aside aria-labelledby="panel-name"/);
    const panel = readable(/<aside aria-labelledby="panel-name"[\s\S]*?<\/aside>/.exec(text)![0]);
    for (const part of ["Panel Person", "40 years, female", "Cough at night", "No medical records", "Open appointment", "Accept"])
      expect(panel).toContain(part);
    expect(text).toMatch(/<title>[^<]*Panel Person/);
  });

  it("shows what to do on an empty day", async () => {
    const { as } = await newDoctor();
    expect(await wordsOf(as, AGENDA)).toContain("No appointments Choose another day or filter.");
    expect(await wordsOf(as, `${AGENDA}&show=requests`)).toContain("No requests");
  });
});

describe("the queue of the day", () => {
  it("is the state of a row at the desk, in the doctor's agenda, list and dashboard, with its next step", async () => {
    const { doctor, place, reception } = await makeClinic(server.db);
    const [mail] = await server.sql<{ email: string }[]>`select email from users where id = ${reception.userId}`;
    const [desk, as] = [
      await loginAs(server, { role: "staff", email: mail!.email }),
      await loginAs(server, { role: "doctor", email: doctor.email }),
    ];
    const id = await makeVisit(server.db, { patient, doctor }, { date: today, time: "14:00", status: "accepted", name: "Row Person" });
    const rowAt = async (who: LoggedIn, path: string) => (await wordsOf(who, path)).split("Row Person")[1]!.slice(0, 260);
    const everywhere = async () => [
      await rowAt(desk, "/desk"),
      await rowAt(as, AGENDA),
      await rowAt(as, "/doctor/appointments?view=cards"),
      await rowAt(as, "/doctor-dashboard"),
    ];
    for (const row of await everywhere()) expect(row).toMatch(/Accepted.*Check in/);
    const press = async (who: LoggedIn, path: string, intent: string) => {
      const answer = await who.post(path, { intent, visit: id });
      expect([intent, answer.status, answer.location]).toEqual([intent, 303, path]);
    };
    // The day is planned by the first press.
    await press(desk, "/desk", "arrive");
    for (const row of await everywhere()) expect(row).toMatch(/Here \d+:\d\d [AP]M/);
    for (const row of [await rowAt(desk, "/desk"), await rowAt(as, AGENDA), await rowAt(as, "/doctor-dashboard")])
      expect(row).toMatch(/₹500 due.*Take ₹500/);
    await press(desk, "/desk", "leave");
    for (const row of await everywhere()) expect(row).toMatch(/Left \d+:\d\d [AP]M.*Back again/);
    await press(as, "/doctor-dashboard", "return");
    await server.sql`update queue_entries set state = 'with-doctor' where appointment_id = ${id}`;
    expect(await rowAt(desk, "/desk")).toMatch(/With the doctor ₹500 due.*Done/);
    await press(desk, "/desk", "finish");
    expect(await rowAt(desk, "/desk?show=due")).toMatch(/Done ₹500 due Take ₹500/);
    expect(await rowAt(desk, "/desk")).toContain(`Take ₹500`);
    expect((await desk.get(`/clinic/${place.id}/visits/${id}/payment`)).status).toBe(200);
    // A press that comes too late is refused with the reason.
    const late = await desk.post("/desk", { intent: "arrive", visit: id });
    expect(late.status).toBe(409);
    expect(readable(late.text)).toContain("It is now: Done.");
  });

  it("is changed by the doctor and by members who run it only", async () => {
    const { doctor } = await makeClinic(server.db);
    const id = await makeVisit(server.db, { patient, doctor }, { date: today, time: "14:00", status: "accepted" });
    const other = await newDoctor();
    for (const path of [AGENDA, "/doctor-dashboard"])
      for (const visit of [id, randomUUID()]) expect((await other.as.post(path, { intent: "arrive", visit })).status, path).toBe(404);
    expect((await other.as.post(AGENDA, { intent: "call", visit: id })).status).toBe(400);
    expect(await server.sql`select from queue_entries where appointment_id = ${id}`).toHaveLength(0);
  });
});

describe("accepting several requests", () => {
  it("asks with ticked boxes and accepts the ticked ones", async () => {
    const { doctor, as } = await newDoctor();
    const ids = [];
    for (const time of ["15:00", "15:30", "16:00"]) ids.push(await makeVisit(server.db, { patient, doctor }, { date: today, time }));
    const { text } = await as.get(ACCEPT);
    expect(readable(text)).toContain("Accept 3 requests?");
    expect(text.match(/<input[^>]*type="checkbox"[^>]*name="visit"[^>]*>/g)?.filter((box) => box.includes("checked"))).toHaveLength(3);
    expect(text.match(/name="visit"/g)).toHaveLength(3);
    const answer = await as.post(ACCEPT, { visit: [ids[0]!, ids[2]!] });
    expect([answer.status, answer.location]).toEqual([303, AGENDA]);
    expect(await wordsOf(as, answer.location!)).toContain("2 requests accepted.");
    expect(await Promise.all(ids.map(statusOf))).toEqual(["accepted", "pending", "accepted"]);
    const notified =
      await server.sql`select from notifications where user_id = ${patient.id} and kind = 'appointment-accepted' and params ->> 'appointment' = any(${ids})`;
    expect(notified).toHaveLength(2);
  });

  it("lists chosen requests only, and refuses a post without any", async () => {
    const { doctor, as } = await newDoctor();
    const one = await makeVisit(server.db, { patient, doctor }, { date: today, time: "15:00", name: "Chosen One" });
    await makeVisit(server.db, { patient, doctor }, { date: today, time: "15:30", name: "Other One" });
    const words = await wordsOf(as, `${ACCEPT}?id=${one}`);
    expect(words).toContain("Accept 1 request?");
    expect(words).not.toContain("Other One");
    const answer = await as.post(ACCEPT, {});
    expect(answer.status).toBe(400);
    expect(readable(answer.text)).toContain("Tick at least one request.");
  });

  it("warns about a request that starts within the hour, with the patient's phone", async () => {
    const { doctor, as } = await newDoctor();
    await makeVisit(server.db, { patient, doctor }, { date: today, time: "12:30", name: "Soon Person" });
    const words = await wordsOf(as, ACCEPT);
    expect(words).toMatch(/Soon Person comes in (29|30) minutes\. Call the patient as well:/);
  });

  it("names what was cancelled or accepted meanwhile and accepts the rest", async () => {
    const { doctor, as } = await newDoctor();
    const add = (time: string, status: "pending" | "accepted" | "cancelled", name: string) =>
      makeVisit(server.db, { patient, doctor }, { date: today, time, status, name });
    const [open, gone, done] = [
      await add("15:00", "pending", "Still Open"),
      await add("15:30", "cancelled", "Gone Away"),
      await add("16:00", "accepted", "Done Before"),
    ];
    const answer = await as.post(ACCEPT, { visit: [open, gone, done] });
    expect(answer.status).toBe(200);
    const words = readable(answer.text);
    expect(words).toContain("1 accepted, 1 was already accepted, 1 was cancelled meanwhile");
    expect(words).toMatch(/Gone Away, [^:]*:\d\d [AP]M: Cancelled meanwhile/);
    expect(await statusOf(open)).toBe("accepted");
    expect(await statusOf(gone)).toBe("cancelled");
  });

  it("accepts each request once when two tabs accept all", async () => {
    const { doctor, as } = await newDoctor();
    const ids = [];
    for (let i = 0; i < 8; i++) ids.push(await makeVisit(server.db, { patient, doctor }, { date: addDays(today, 2 + i), time: "10:00" }));
    const answers = await Promise.all([
      as.post(ACCEPT, { visit: ids }),
      as.post(ACCEPT, { visit: [...ids].reverse() }),
      as.post(ACCEPT, { visit: ids }),
    ]);
    for (const { status } of answers) expect([200, 303]).toContain(status);
    expect(await Promise.all(ids.map(statusOf))).toEqual(ids.map(() => "accepted"));
    const notified =
      await server.sql`select from notifications where kind = 'appointment-accepted' and params ->> 'appointment' = any(${ids})`;
    expect(notified).toHaveLength(8);
    expect(await server.sql`select from audit_log where action = 'accept-appointment' and subject_id = any(${ids})`).toHaveLength(8);
  });

  it("leaves a request cancelled when its patient cancels while the doctor accepts, ten times", async () => {
    const { doctor, as } = await newDoctor();
    const asPatient = await loginAs(server, { role: "patient", phone: patient.phone });
    for (let i = 0; i < 10; i++) {
      const id = await makeVisit(server.db, { patient, doctor }, { date: addDays(today, 5 + i), time: "11:00" });
      const [accepted, cancelled] = await Promise.all([
        as.post(ACCEPT, { visit: id }),
        asPatient.post(`/patient/appointments/${id}/cancel`),
      ]);
      // At least 24 hours ahead a patient may cancel before and after the acceptance.
      expect(cancelled.status).toBe(303);
      expect(await statusOf(id)).toBe("cancelled");
      if (accepted.status === 200) expect(readable(accepted.text)).toContain("0 accepted, 1 was cancelled meanwhile");
      else expect(accepted.status).toBe(303);
    }
  });
});

describe("access", () => {
  it("hides the appointments of another doctor from the list, the panel and the form", async () => {
    const [mine, other] = [await newDoctor(), await newDoctor()];
    const id = await makeVisit(server.db, { patient, doctor: other.doctor }, { date: today, time: "17:00", name: "Secretia Patientova" });
    const own = await makeVisit(server.db, { patient, doctor: mine.doctor }, { date: today, time: "17:00" });
    for (const path of [`${AGENDA}&open=${id}`, `${ACCEPT}?id=${id}`, `${ACCEPT}?id=x`, `${AGENDA}&open=x`]) {
      const answer = await mine.as.get(path);
      expect(answer.status, path).toBe(404);
      expect(answer.text, path).not.toContain("Secretia");
    }
    // One foreign id refuses the whole post.
    expect((await mine.as.post(ACCEPT, { visit: [own, id] })).status).toBe(404);
    expect([await statusOf(id), await statusOf(own)]).toEqual(["pending", "pending"]);
    expect((await mine.as.get(AGENDA)).text).not.toContain("Secretia");
    const asPatient = await loginAs(server, { role: "patient", phone: patient.phone });
    for (const path of [AGENDA, ACCEPT]) expect((await asPatient.get(path)).location).toBe("/patient-dashboard");
  });
});
