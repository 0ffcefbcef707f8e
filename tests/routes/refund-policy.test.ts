/** The refund policy over HTTP: doctors set it, patients see it before paying and before cancelling. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { instantInIndia, timeInIndia, todayInIndia } from "#app/lib/dates.ts";
import { hours } from "#app/lib/durations.ts";
import { tokenFor } from "../api/people.ts";
import { book, bookedId, readable } from "../factories/booking.ts";
import { dayFromNow, makeDoctor, newPhone, type TestDoctor } from "../factories/people.ts";
import { errorsOf } from "../setup/applications.ts";
import { type LoggedIn, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

let server: TestServer;
let doctor: TestDoctor;
let asDoctor: LoggedIn;
let patient: LoggedIn;
const soon = new Date(Date.now() + hours(5));
const later = new Date(Date.now() + hours(6));
const slots = [
  { date: dayFromNow(3), time: "09:00" },
  { date: dayFromNow(3), time: "10:00" },
  { date: todayInIndia(soon), time: timeInIndia(soon) },
  { date: todayInIndia(later), time: timeInIndia(later) },
];

beforeAll(async () => {
  server = await startServer({ seed: false });
  doctor = await makeDoctor(server.db, { slots });
  asDoctor = await loginAs(server, { role: "doctor", email: doctor.email });
  patient = await loginAs(server, { role: "patient", phone: newPhone() });
});
afterAll(() => server?.stop());

const bookAt = async (n: number) => bookedId(await book(patient, doctor.id, slots[n]!))!;
const payPage = async (visit: string) => readable((await patient.get(`/patient/appointments/payment/${visit}`)).text);

it("shows the policy before paying, and before cancelling what was paid", async () => {
  const visit = await bookAt(0);
  const page = await payPage(visit);
  expect(page).toMatch(
    /If the appointment is cancelled after you pay\s*The doctor cancels\s*You get ₹500 back\s*You cancel before the doctor accepts\s*You get ₹500 back/,
  );
  expect(page).toMatch(/You cancel by .*, 9:00 AM\s*You get ₹500 back\s*After that\s*You cannot cancel here: no refund/);
  expect(page).not.toContain("less than 24 hours");
  // Directly below the ways to pay, behind the line with its deadline, and before the QR code.
  expect(page).toMatch(/Pay ₹500 .*You can reschedule or cancel until .* Rules If the appointment is cancelled after you pay/s);
  expect(readable((await patient.get(`/patient/appointments/${visit}/cancel`)).text)).not.toContain("If you cancel now");
  const form = await asDoctor.get(`/doctor/patient/${visit}/payment`);
  const key = /name="key" value="([\w-]+)"/.exec(form.text)![1]!;
  await asDoctor.post(`/doctor/patient/${visit}/payment`, { key, method: "cash", amount: "500" });
  expect(readable((await patient.get(`/patient/appointments/${visit}/cancel`)).text)).toContain("If you cancel now, you get ₹500 back.");
  expect((await patient.post(`/patient/appointments/${visit}/cancel`, {})).status).toBe(303);
  expect(readable((await patient.get(`/patient/appointments/${visit}`)).text)).toContain("The clinic has to return ₹500 to you.");
});
it("warns before paying for an appointment in less than 24 hours", async () => {
  const visit = await bookAt(2);
  expect(await payPage(visit)).toContain(
    "This appointment starts in less than 24 hours: once the doctor has accepted it, you cannot cancel it here and get no refund.",
  );
  await asDoctor.post(`/doctor/appointments/${visit}/accept`, {});
  const page = await payPage(visit);
  expect(page).toMatch(/The doctor cancels\s*You get ₹500 back\s*From now on\s*You cannot cancel here: no refund/);
});
it("is set by the doctor for new appointments only", async () => {
  const before = await bookAt(1);
  const path = "/doctor/refund-policy";
  expect((await asDoctor.get(path)).status).toBe(200);
  for (const hours of ["", "25", "48", "-1", "1.5"])
    expect(errorsOf(await asDoctor.post(path, { hours })).hours, hours).toBe("Choose until when patients may cancel.");
  expect((await asDoctor.post(path, { hours: "6" })).status).toBe(303);
  expect(readable((await asDoctor.get(path)).text)).toContain("Refund policy");
  expect(await payPage(before)).toMatch(/You cancel by .*, 10:00 AM\s*You get ₹500 back/);
  await patient.post(`/patient/appointments/${before}/cancel`, {});
  expect(await payPage(await bookAt(1))).toMatch(/You cancel by .*, 4:00 AM\s*You get ₹500 back/);
});

it("lets a patient cancel until the clinic's own deadline, with the refund that was promised, and names that deadline everywhere", async () => {
  await asDoctor.post("/doctor/refund-policy", { hours: "0" });
  const visit = await bookAt(3);
  await asDoctor.post(`/doctor/appointments/${visit}/accept`, {});
  const paths = [`/patient/appointments/${visit}`, `/patient/appointments/payment/${visit}`, "/patient/calendar"];
  for (const path of paths) {
    const page = readable((await patient.get(path)).text);
    expect(page, path).toMatch(/The time can no longer be changed here\. You can cancel until .*, \d+:\d\d [AP]M\./);
    // The calendar lists the appointment of the test before, too.
    if (path !== "/patient/calendar") expect(page, path).not.toContain("Less than 24 hours are left");
  }
  expect(readable((await patient.get(`/patient/appointments/${visit}/cancel`)).text)).toContain("Yes, cancel appointment");
  // Also where the time can no longer be changed, which says nothing about a doctor who has yet to accept.
  const closed = readable((await patient.get(`/patient/appointments/${visit}/reschedule`)).text);
  expect(closed).toMatch(/The time can no longer be changed here\. You can cancel until/);
  expect(closed).not.toContain("until the doctor accepts");
  const start = instantInIndia(slots[3]!.date, slots[3]!.time).toISOString();
  const answer = await fetch(`${server.url}/api/appointments/my`, {
    headers: { authorization: `Bearer ${await tokenFor(server, patient.userId)}` },
  });
  const { appointments } = (await answer.json()) as { appointments: { id: string }[] };
  expect(appointments.find(({ id }) => id === visit)).toMatchObject({ cancellable: true, cancelUntil: start });
  expect((await patient.post(`/patient/appointments/${visit}/cancel`, {})).status).toBe(303);
  expect(await server.sql`select refund_owed from appointments where id = ${visit}`).toEqual([{ refund_owed: true }]);
});
