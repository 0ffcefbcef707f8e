/** A patient's page of one appointment over HTTP: who may open it, and what it offers in each status. */
import { expect, it } from "vitest";
import { instantInIndia } from "#app/lib/dates.ts";
import { book, bookedId, readable } from "../factories/booking.ts";
import { asFile, png } from "../factories/pictures.ts";
import { newDoctor, newPatient, SLOT, server } from "../setup/booking.ts";
import { Browser } from "../setup/http.ts";
import { loginAs } from "../setup/people.ts";

const START = instantInIndia(SLOT.date, SLOT.time).getTime();
/** Sets the server's clock to this many hours before the appointment. */
const hoursBefore = (hours: number) => server.clock.to(START - hours * 3_600_000);

async function booked(over: Record<string, string> = {}, files: File[] = []) {
  const doctor = await newDoctor();
  const [place] = await server.sql`
    insert into hospitals (name, category, address, city, state, pin_code, phone, latitude, longitude)
    values ('Lotus Clinic', 'Clinic', '12 Brodipet', 'Guntur', 'Andhra Pradesh', '522002', '+919848012345', 16.3, 80.4) returning id`;
  await server.sql`update doctors set hospital_id = ${place!.id} where id = ${doctor.id}`;
  const patient = await newPatient();
  const id = bookedId(await book(patient, doctor.id, SLOT, over, files))!;
  const path = `/patient/appointments/${id}`;
  const read = async () => {
    const { status, text } = await patient.get(path);
    expect(status).toBe(200);
    const main = text.slice(text.indexOf("<main"), text.indexOf("</main>"));
    return { text: readable(main), links: [...main.matchAll(/href="([^"]*)"/g)].map(([, to]) => to!.replaceAll("&amp;", "&")) };
  };
  return { doctor, patient, id, path, read };
}

it("opens for its patient only, and is not stored", async () => {
  const { doctor, patient, path } = await booked();
  for (const page of [path, `${path}/calendar.ics`]) {
    const own = await patient.get(page);
    expect([own.status, own.headers.get("cache-control")]).toEqual([200, expect.stringContaining("no-store")]);
    const other = await (await newPatient()).get(page);
    expect(other.status).toBe(404);
    expect(other.text).not.toContain("Lotus");
    expect((await new Browser(server.url).get(page)).location).toBe(`/dual-patient?redirectTo=${encodeURIComponent(page)}`);
    const asDoctor = await loginAs(server, { role: "doctor", email: doctor.email });
    expect((await asDoctor.get(page)).location).toBe("/doctor-dashboard");
  }
});

it("does not take the place of the other pages of appointments", async () => {
  const { patient } = await booked();
  expect(readable((await patient.get("/patient/appointments/Query")).text)).toContain("Enquiry");
  expect((await patient.get("/patient/appointments/datetime")).location).toBe("/patient-dashboard");
});

it("shows a pending appointment with its documents, place and changes", async () => {
  const { id, path, read } = await booked({ name: "Anu Devi", age: "9", newRecordType: "xray" }, [
    asFile(await png(), "chest.png", "image/png"),
  ]);
  const { text, links } = await read();
  expect(text).toMatch(/10:00 AM Pending/);
  expect(text).toMatch(/Patient Anu Devi, 9/);
  expect(text).toMatch(/chest\.png X-ray/);
  expect(links).toContain("https://www.google.com/maps/dir/?api=1&destination=16.3%2C80.4");
  for (const to of [
    `${path}/cancel`,
    `${path}/reschedule`,
    `${path}/calendar.ics`,
    `/patient/appointments/payment/${id}`,
    "tel:+919848012345",
  ])
    expect(links).toContain(to);
  expect(text).toContain("What to bring");
  expect(text).not.toContain("Book again");
});

it("shares doctor, time and place, but no patient and nothing about health", async () => {
  const { read } = await booked({ name: "Anu Devi", reason: "Secret rash" });
  const share = new URL((await read()).links.find((to) => to.startsWith("https://wa.me/"))!).searchParams.get("text");
  expect(share).toMatch(/^Appointment with Dr\. Proof \d+ on .*, 10:00 AM\. Lotus Clinic, 12 Brodipet 522002$/);
});

it("allows cancelling a pending appointment in the last 24 hours, and names the hospital's number", async () => {
  const { path, read } = await booked();
  hoursBefore(5);
  const { text, links } = await read();
  expect(links).toContain(`${path}/cancel`);
  expect(links).not.toContain(`${path}/reschedule`);
  expect(text).toContain("so the time can no longer be changed here. You can cancel until the doctor accepts.");
  expect(text).toContain("Call Lotus Clinic");
  server.clock.set(0);
});

it("says why an accepted appointment can no longer be changed, and whom to call", async () => {
  const { id, path, read } = await booked();
  await server.sql`update appointments set status = 'accepted', accepted_at = now() where id = ${id}`;
  expect((await read()).text).toContain("Accepted");
  hoursBefore(5);
  const { text, links } = await read();
  for (const to of [`${path}/cancel`, `${path}/reschedule`]) expect(links).not.toContain(to);
  expect(text).toContain("Less than 24 hours are left");
  expect(text).toContain("Call Lotus Clinic");
  expect(links).toContain("tel:+919848012345");
  hoursBefore(-1);
  const later = await read();
  expect(later.text).toContain("The time of this appointment has passed");
  expect(later.text).toContain("Book again");
  expect(later.links).not.toContain(`/patient/appointments/payment/${id}`);
  server.clock.set(0);
});

it("offers a review and another booking after a completed appointment", async () => {
  const { id, path, read } = await booked();
  await server.sql`update appointments set status = 'completed', completed_at = now() where id = ${id}`;
  const { text, links } = await read();
  expect(text).toContain("Completed");
  expect(text).toContain("Book again");
  expect(links).toContain(`${path}/review`);
  expect(links).not.toContain(`${path}/cancel`);
});

it("says who cancelled and why, and offers other times while the doctor is listed", async () => {
  const { doctor, id, read } = await booked();
  await server.sql`update appointments set status = 'cancelled', cancelled_by = 'doctor', cancel_reason = 'unwell' where id = ${id}`;
  const { text, links } = await read();
  expect(text).toMatch(/Dr\. Proof \d+ cancelled this appointment\. The doctor is unwell\./);
  expect(text).toContain("Nearest free times");
  expect(links.some((to) => to.startsWith(`/patient/appointments/patient-detail?doctorId=${doctor.id}&date=`))).toBe(true);
  await server.sql`update doctors set registration_status = 'suspended' where id = ${doctor.id}`;
  const away = (await read()).text;
  expect(away).toContain("Find another doctor");
  expect(away).not.toContain("Nearest free times");
});

it("leads from the dashboard and the list to the page", async () => {
  const { patient, path } = await booked();
  for (const list of ["/patient-dashboard", "/patient/calendar"]) expect((await patient.get(list)).text).toContain(`href="${path}"`);
});

it("raises the SEQUENCE of the calendar file with each change", async () => {
  const { patient, path } = await booked();
  const sequence = async () => Number(/SEQUENCE:(\d+)/.exec((await patient.get(`${path}/calendar.ics`)).text)?.[1]);
  const first = await sequence();
  server.clock.set(10_000);
  await patient.post(`${path}/cancel`);
  expect(await sequence()).toBeGreaterThan(first);
  server.clock.set(0);
});
