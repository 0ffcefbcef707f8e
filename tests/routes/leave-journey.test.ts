/** An ill doctor closes a day: the three booked patients are notified, and offered other times, moved or cancelled. Plain form posts. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { formatDay } from "#app/lib/dates.ts";
import { addSlots, dayFromNow, makeDoctor, makePatient, makeVisit, type TestDoctor } from "../factories/people.ts";
import { plain } from "../setup/applications.ts";
import { type LoggedIn, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ seed: false });
});
afterAll(() => server?.stop());

const day = dayFromNow(1);
const next = dayFromNow(2);
type Clinic = { doctor: TestDoctor; asDoctor: LoggedIn; patients: { id: string; as: LoggedIn; visit: string }[] };
/** A doctor with three booked visits tomorrow, and free times on the day after. */
async function newClinic(free = ["09:00", "09:30", "10:00", "10:30"]): Promise<Clinic> {
  const doctor = await makeDoctor(server.db, { slots: ["09:00", "09:30", "10:00", "10:30"].map((time) => ({ date: day, time })) });
  if (free.length)
    await addSlots(
      server.db,
      doctor.id,
      free.map((time) => ({ date: next, time })),
    );
  const patients = [];
  for (const time of ["09:00", "09:30", "10:00"]) {
    const patient = await makePatient(server.db);
    const visit = await makeVisit(server.db, { patient, doctor }, { date: day, time, status: "accepted" });
    patients.push({ id: patient.id, as: await loginAs(server, { role: "patient", phone: patient.phone }), visit });
  }
  return { doctor, patients, asDoctor: await loginAs(server, { role: "doctor", email: doctor.email }) };
}
const leave = { from: day, until: day, practiceId: "", note: "Fever", reason: "unwell" };
const look = ({ asDoctor }: Clinic) => asDoctor.post("/doctor/leave/add", { ...leave, intent: "look" });
/** The values that the page would send: its hidden fields. */
function read(html: string) {
  const visits = [...html.matchAll(/name="visits" value="([^"]+)"/g)].map(([, id]) => id!);
  const moves = [...html.matchAll(/type="hidden" name="moves\[\d+\]" value="([^"]+)"/g)].map(([, move]) => move!);
  return { visits, moves };
}
const enter = ({ asDoctor }: Clinic, fields: object) => asDoctor.post("/doctor/leave/add", { ...leave, intent: "enter", ...fields });
const rows = ({ patients }: Clinic) =>
  server.sql<{ id: string; status: string; date: string; time: string }[]>`
    select id, status, date::text, to_char(time, 'HH24:MI') as time from appointments where id in ${server.sql(patients.map(({ visit }) => visit))} order by created_at, id`;
const kinds = async ({ patients }: Clinic) =>
  (
    await server.sql<{ kind: string }[]>`
      select kind from notifications where user_id in ${server.sql(patients.map(({ id }) => id))}`
  ).map(({ kind }) => kind);
const openTimes = async ({ doctor }: Clinic, date: string) =>
  (await server.sql`select from availability_slots where doctor_id = ${doctor.id} and date = ${date}`).count;

describe("a doctor who falls ill with three booked visits", () => {
  it("offers the patients other times: each is notified and takes one, declines, or finds it cancelled when the time to answer ends", async () => {
    const clinic = await newClinic();
    const page = await look(clinic);
    const words = plain(page.text);
    for (const part of [
      "3 appointments are booked on these days",
      "Offer other times to the patients",
      "Cancel these 3 and notify the patients",
      "Move to the times chosen below",
    ])
      expect(words).toContain(part);
    const { visits } = read(page.text);
    const entered = await enter(clinic, { visits, booked: "offer" });
    expect([entered.status, entered.location]).toEqual([303, "/doctor/practices"]);
    expect(plain((await clinic.asDoctor.get("/doctor/practices")).text)).toContain("3 patients were offered other times.");
    expect(await kinds(clinic)).toEqual(["time-proposed-away", "time-proposed-away", "time-proposed-away"]);
    expect(await openTimes(clinic, day)).toBe(0);
    const [first, second, third] = clinic.patients as [Clinic["patients"][0], Clinic["patients"][0], Clinic["patients"][0]];
    const shown = await first.as.get(`/patient/appointments/${first.visit}`);
    for (const part of ["Choose a new time", "The doctor is unwell", "Cancel my appointment"]) expect(plain(shown.text)).toContain(part);
    const offered = (html: string) =>
      [...html.matchAll(/name="answer"[^>]*value="(\d[^"]+)"|value="(\d[^"]+)"[^>]*name="answer"/g)].map((v) => v[1] ?? v[2]!);
    const times = offered(shown.text);
    expect(times).toHaveLength(3);
    const proposal = (html: string) => /name="proposal" value="([^"]+)"/.exec(html)![1]!;
    const answer = (who: typeof first, html: string, choice: string) =>
      who.as.post(`/patient/appointments/${who.visit}/proposal`, { proposal: proposal(html), answer: choice });
    const secondPage = (await second.as.get(`/patient/appointments/${second.visit}`)).text;
    const shared = times.find((time) => offered(secondPage).includes(time))!;
    expect((await answer(first, shown.text, shared)).status).toBe(303);
    // The other patient's page is stale: the time is taken now.
    const refused = await answer(second, secondPage, shared);
    expect(refused.status).toBe(409);
    expect(plain(refused.text)).toContain("This slot was just taken.");
    expect((await answer(second, secondPage, "none")).status).toBe(303);
    expect(plain((await second.as.get(`/patient/appointments/${second.visit}`)).text)).toContain("Cancelled");
    const [one, two, three] = await rows(clinic);
    expect(one).toMatchObject({ status: "accepted", date: next, time: shared.slice(11) });
    expect([two!.status, three!.status]).toEqual(["cancelled", "accepted"]);
    // No reminder of a time at which the doctor is away, and no answer after the last proposed time.
    const path = `/patient/appointments/${third.visit}/proposal`;
    const late = (await third.as.get(path)).text;
    await server.sql`update appointment_proposals set expires_at = now() - interval '1 hour' where appointment_id = ${third.visit}`;
    const tooLate = await answer(third, late, offered(late)[0]!);
    expect(tooLate.status).toBe(409);
    expect(plain(tooLate.text)).toContain("This offer of other times has ended.");
  });

  it("moves them to the first free times after the leave, in order, in one form", async () => {
    const clinic = await newClinic();
    const { visits, moves } = read((await look(clinic)).text);
    expect(moves.map((move) => move.slice(37))).toEqual([`${next} 09:00`, `${next} 09:30`, `${next} 10:00`]);
    expect((await enter(clinic, { visits, moves, booked: "move" })).status).toBe(303);
    expect((await rows(clinic)).map(({ status, date, time }) => [status, date, time])).toEqual([
      ["accepted", next, "09:00"],
      ["accepted", next, "09:30"],
      ["accepted", next, "10:00"],
    ]);
    expect(await kinds(clinic)).toEqual(["appointment-moved", "appointment-moved", "appointment-moved"]);
    const notice = plain((await clinic.patients[0]!.as.get("/patient/notifications")).text);
    expect(notice).toContain("Appointment moved");
  });

  it("shows the days and times for one of them, also months ahead, and moves it to the chosen one", async () => {
    const clinic = await newClinic();
    const far = dayFromNow(60);
    await addSlots(server.db, clinic.doctor.id, [{ date: far, time: "11:00" }]);
    const { visits, moves } = read((await look(clinic)).text);
    const choose = (choice: string, more = {}) =>
      clinic.asDoctor.post("/doctor/leave/add", { ...leave, visits, moves, booked: "offer", choose: choice, ...more });
    const first = await choose(visits[0]!);
    expect(plain(first.text)).toMatch(/, 4 free .*, 1 free/);
    expect(await openTimes(clinic, day)).toBe(4);
    const later = await choose(`${visits[0]} other`, { otherDay: far });
    const radio = new RegExp(
      `name="(moves\\[3\\])"[^>]*value="${visits[0]} ${far} 11:00"|value="${visits[0]} ${far} 11:00"[^>]*name="(moves\\[3\\])"`,
    );
    expect(later.text).toMatch(radio);
    // The time that it has now is ticked on its day, and is written out while another day is shown.
    const now = new RegExp(`Move to\\s*:\\s*${formatDay(next)}, 9:00 AM`);
    expect(plain(first.text)).not.toMatch(now);
    expect(plain(later.text)).toMatch(now);
    // Enter in the field of the day shows that day.
    expect(/<button[^>]*type="submit"[^>]*name="choose"[^>]*>/.exec(later.text)![0]).toContain(`value="${visits[0]} other"`);
    expect(later.text).toMatch(/<option value="unwell" selected/);
    const kept = read(later.text).moves.slice(0, 3);
    expect(kept).toEqual(moves);
    expect((await enter(clinic, { visits, booked: "move", moves: [...kept, `${visits[0]} ${far} 11:00`] })).status).toBe(303);
    expect((await rows(clinic)).map(({ date, time }) => [date, time])).toEqual([
      [far, "11:00"],
      [next, "09:30"],
      [next, "10:00"],
    ]);
  });

  it("gives another time to the appointment whose time is chosen for another", async () => {
    const clinic = await newClinic();
    const { visits, moves } = read((await look(clinic)).text);
    const sent = { visits, moves: [...moves, `${visits[0]} ${next} 10:30`], booked: "move" };
    const chosen = read((await clinic.asDoctor.post("/doctor/leave/add", { ...leave, ...sent, choose: visits[1]! })).text);
    const clash = [...chosen.moves.slice(0, 3), `${visits[1]} ${next} 10:30`];
    const refused = await enter(clinic, { visits, moves: clash, booked: "move" });
    expect(refused.status).toBe(409);
    const again = read(refused.text);
    expect(again.moves.map((move) => move.slice(48))).toEqual(["09:00", "10:30", "10:00"]);
    expect(refused.text).toMatch(/<option value="unwell" selected/);
    expect((await enter(clinic, { ...again, booked: "move" })).status).toBe(303);
    expect((await rows(clinic)).map(({ time }) => time)).toEqual(["09:00", "10:30", "10:00"]);
  });

  it("changes nothing when a chosen time is taken meanwhile, and shows the list again with other times", async () => {
    const clinic = await newClinic();
    const { visits, moves } = read((await look(clinic)).text);
    await makeVisit(server.db, { patient: await makePatient(server.db), doctor: clinic.doctor }, { date: next, time: "09:30" });
    const before = await rows(clinic);
    const refused = await enter(clinic, { visits, moves, booked: "move" });
    expect(refused.status).toBe(409);
    expect(plain(refused.text)).toContain(`${formatDay(next)}, 9:30 AM is no longer free.`);
    expect([await rows(clinic), await openTimes(clinic, day), await kinds(clinic)]).toEqual([before, 4, []]);
    const again = read(refused.text);
    expect(again.moves.map((move) => move.slice(48))).toEqual(["09:00", "10:30", "10:00"]);
    expect((await enter(clinic, { ...again, booked: "move" })).status).toBe(303);
  });

  it("cancels them with the reason", async () => {
    const clinic = await newClinic();
    const { visits } = read((await look(clinic)).text);
    expect((await enter(clinic, { visits, booked: "cancel" })).status).toBe(303);
    expect((await rows(clinic)).map(({ status }) => status)).toEqual(["cancelled", "cancelled", "cancelled"]);
    expect(await kinds(clinic)).toEqual(Array(3).fill("appointment-cancelled-by-doctor"));
  });

  it("can only cancel or keep them without other free times", async () => {
    const clinic = await newClinic([]);
    const page = await look(clinic);
    expect(plain(page.text)).toContain("You have no other free times.");
    expect(page.text).not.toContain('value="offer"');
    const { visits } = read(page.text);
    for (const booked of ["offer", "move"]) expect((await enter(clinic, { visits, booked })).status).toBe(409);
    expect(await openTimes(clinic, day)).toBe(4);
    expect((await enter(clinic, { visits, booked: "keep" })).status).toBe(303);
  });
});
