/** No response to a logged-in user is cached. Pages cached for visitors are equal for all of them, and dropped when they are outdated. */
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { formatTime } from "#app/lib/dates.ts";
import { book, bookedId, readable } from "../factories/booking.ts";
import { dayFromNow, makeDoctor, newPhone, type TestDoctor } from "../factories/people.ts";
import { Browser, raw } from "../setup/http.ts";
import { DEMO, type LoggedIn, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

let server: TestServer;
let patient: LoggedIn;
let asDoctor: LoggedIn;
let doctor: TestDoctor;
const DAY = dayFromNow(1);
beforeAll(async () => {
  server = await startServer();
  patient = await loginAs(server, DEMO.patient);
  asDoctor = await loginAs(server, DEMO.doctor);
  doctor = await makeDoctor(server.db, { name: "Dr. Cachewell", slots: ["10:00", "10:30", "11:00"].map((time) => ({ date: DAY, time })) });
});
afterAll(() => server?.stop());

it("sends no-store on every answer with a session, for any status", async () => {
  const [visit] = await server.sql<{ id: string; file_id: string }[]>`
    select a.id, r.file_id from appointments a join medical_records r on r.appointment_id = a.id where a.doctor_id = ${asDoctor.userId} limit 1`;
  const ways: [LoggedIn, string, string[]][] = [
    [
      patient,
      "patient",
      [
        "/",
        "/choose-role",
        "/patient-dashboard",
        "/patient/calendar",
        "/patient/profile",
        "/patient/notifications",
        "/doctorspages/Cards-data",
        `/details/doctor/${doctor.id}`,
        `/patient/appointments/datetime?doctorId=${doctor.id}`,
        `/patient/appointments/patient-detail?doctorId=${doctor.id}&date=${DAY}&time=10:00`,
        "/nowhere",
        "/dual-patient",
        "/dual-doctor",
        "/logout",
        "/doctor-dashboard",
        "/patient/calendar.data",
        "/doctorspages/Cards-data.data",
        "/patient/appointments/payment/nonsense",
      ],
    ],
    [
      asDoctor,
      "doctor",
      [
        "/doctor-dashboard",
        "/doctor/appointments",
        "/doctor/profile",
        "/doctor/availability",
        "/doctor/notifications",
        `/doctor/patient/${visit!.id}`,
        `/doctor/patient/${visit!.id}.data`,
        `/files/${visit!.file_id}`,
        "/patient-dashboard",
        "/dual-doctor",
      ],
    ],
  ];
  for (const [browser, who, paths] of ways)
    for (const path of paths) {
      const answer = await browser.get(path);
      expect(answer.status, `${who} ${path}`).toBeLessThan(500);
      const cache = answer.headers.get("cache-control");
      // Pages that are equal for every user never read the session: they may be cached by this browser only.
      const alone = ["/", "/choose-role"].includes(path);
      expect(cache, `${who} ${path}`).toBe(alone && cache !== "no-store" ? "private, no-cache" : "no-store");
    }
  const posted = await patient.post("/patient/calendar", {});
  expect(posted.headers.get("cache-control")).toBe("no-store");
  const refused = await book(patient, doctor.id, { date: DAY, time: "10:00" }, { name: "" });
  expect(refused.headers.get("cache-control")).toBe("no-store");
  const sent = await new Browser(server.url).post("/dual-patient", { intent: "send", phoneNumber: "9812398123" });
  expect(sent.headers.get("cache-control")).toBe("no-store");
});

it("a visitor's cached page contains nothing of earlier users", async () => {
  const [me] = await server.sql<{ name: string }[]>`select name from patients where id = ${patient.userId}`;
  for (const path of ["/doctorspages/Cards-data", `/details/doctor/${doctor.id}`, "/choose-role", "/"]) {
    const own = await patient.get(path);
    for (let i = 0; i < 2; i++) {
      const answer = await new Browser(server.url).get(path);
      expect(answer.status).toBe(200);
      expect(answer.text).not.toContain(me!.name);
      expect(answer.text).not.toContain(patient.userId);
      expect(answer.text).not.toContain(patient.token);
      expect(answer.setCookies.filter((c) => !c.startsWith("css="))).toEqual([]);
      expect(answer.headers.get("vary")?.toLowerCase()).toContain("cookie");
    }
    expect(own.headers.get("etag")).toBeNull();
  }
  // An expired or forged session counts as a visitor.
  const forged = new Browser(server.url);
  forged.cookies.set("nadi_session", "forged");
  expect(readable((await forged.get("/doctorspages/Cards-data")).text)).not.toContain(me!.name);
});

it("a booking and a cancellation drop cached pages, and the next free time is current", async () => {
  const path = `/details/doctor/${doctor.id}`;
  const shows = async (time: string) => {
    const page = readable((await new Browser(server.url).get(path)).text);
    expect(page).toContain(`Next slot: tomorrow, ${formatTime(time)}`);
  };
  await shows("10:00");
  const { headers } = await raw(server.url, { path });
  const etag = String(headers.etag);
  expect((await raw(server.url, { path, headers: { "if-none-match": etag } })).status).toBe(304);
  const other = await loginAs(server, { role: "patient", phone: newPhone() });
  const id = bookedId(await book(other, doctor.id, { date: DAY, time: "10:00" }));
  expect(id).toBeTruthy();
  await vi.waitFor(() => shows("10:30"), { timeout: 5000 });
  expect((await raw(server.url, { path, headers: { "if-none-match": etag } })).status).toBe(200);
  const own = await loginAs(server, { role: "doctor", email: doctor.email });
  expect((await own.post(`/doctor/appointments/${id}/cancel`)).status).toBe(303);
  await vi.waitFor(() => shows("10:00"), { timeout: 5000 });
});
