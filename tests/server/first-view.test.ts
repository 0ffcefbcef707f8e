/** The limits of docs/performance.md: a first visit renders from the first 18 KB, that of a patient from 32 KB, without waiting for a file. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { measureFirstView, PATIENT_PAGES } from "../setup/first-view.ts";
import { raw } from "../setup/http.ts";
import { DEMO, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

const BUDGET = 18 * 1024;
/** Their sheet has the looks of forms, calendars and records too. */
const BUDGET_OF_PATIENTS = 32 * 1024;
let server: TestServer;
let session = "";
let at = { doctorId: "", hospitalId: "", appointmentId: "", date: "", time: "", hospitalName: "" };

beforeAll(async () => {
  server = await startServer();
  const patient = await loginAs(server, DEMO.patient);
  session = `nadi_session=${patient.token}`;
  const [row] = await server.sql<(typeof at)[]>`
    select a.id as "appointmentId", d.id as "doctorId", (select hospital_id from doctors where id = d.id) as "hospitalId", s.date::text, to_char(s.time, 'HH24:MI') as time,
      (select n.slug from short_names n join doctors o on o.hospital_id = n.hospital_id where o.id = d.id and n.is_current) as "hospitalName"
    from users d join availability_slots s on s.doctor_id = d.id, appointments a
    where d.email = ${DEMO.doctor.email} and s.date > current_date and a.patient_id = ${patient.userId} and a.status = 'pending' and a.date > current_date + 2
    order by s.date, s.time limit 1`;
  at = row!;
});
afterAll(() => server?.stop());

const names = PATIENT_PAGES({ doctorId: "", hospitalId: "", date: "", time: "", appointmentId: "", hospitalName: "" }).map(
  ({ name }) => name,
);
describe.each(names)("%s", (name) => {
  const page = () => PATIENT_PAGES(at).find((one) => one.name === name)!;

  test.each([
    ["English", "en", "br"],
    ["English", "en", "gzip"],
    // gzip is the larger one.
    ["Telugu", "te", "gzip"],
    ["Hindi", "hi", "gzip"],
  ] as const)("in %s the first visit (%s, %s) fits its budget, and no file blocks rendering", async (_, language, encoding) => {
    const { path, personal } = page();
    const view = await measureFirstView(server.url, path, encoding, [`lang=${language}`, personal && session].filter(Boolean).join("; "));
    expect(view.status).toBe(200);
    expect(view.html + view.css).toBeLessThanOrEqual(personal ? BUDGET_OF_PATIENTS : BUDGET);
    expect(view.blocking).toEqual([]);
  });
});

test("the next page links the cached stylesheet", async () => {
  const ask = (path: string, cookie?: string) => raw(server.url, { path, headers: cookie ? { cookie } : {} });
  const first = await ask("/choose-role");
  expect(first.text).toContain("<style id=");
  const next = await ask("/choose-role", String(first.headers["set-cookie"]).split(";")[0]);
  expect(next.text).not.toContain("<style id=");
  expect(next.text).toContain('rel="stylesheet"');
});

test("a login page requests the sheet of the pages behind it", async () => {
  const ask = (path: string) => raw(server.url, { path, headers: {} });
  expect((await ask("/dual-patient")).text).toMatch(/rel="prefetch" href="\/assets\/patients-/);
  expect((await ask("/dual-doctor")).text).toMatch(/rel="prefetch" href="\/assets\/staff-/);
});
