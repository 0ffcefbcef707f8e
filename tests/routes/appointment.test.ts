/** A patient's page of one appointment over HTTP: its facts, its calendar file, "Book again". */
import { expect, it } from "vitest";
import { book, bookedId, readable, valuesOf } from "../factories/booking.ts";
import { dayFromNow } from "../factories/people.ts";
import { newDoctor, newPatient, SLOT, server, TIMES } from "../setup/booking.ts";

const withPlace = async (doctorId: string) => {
  const [place] = await server.sql`
    insert into hospitals (name, category, address, city, state, pin_code, phone)
    values ('Lotus Clinic', 'Clinic', '12 Brodipet, Guntur', 'Guntur', 'Andhra Pradesh', '522002', '+919848012345') returning id`;
  await server.sql`update doctors set hospital_id = ${place!.id} where id = ${doctorId}`;
};

it("shows status, reference, place, calendar, payment and changes, and is never stored", async () => {
  const own = await newDoctor();
  await withPlace(own.id);
  const patient = await newPatient();
  const id = bookedId(await book(patient, own.id, SLOT, { reason: "Secret rash" }))!;
  const [row] = await server.sql`select payment_reference from appointments where id = ${id}`;
  const page = await patient.get(`/patient/appointments/${id}`);
  const text = readable(page.text);
  for (const words of ["10:00 AM", "Pending", row!.payment_reference, "Lotus Clinic, 12 Brodipet, Guntur 522002", "Not chosen yet"])
    expect(text).toContain(words);
  for (const to of [
    `/patient/appointments/${id}/calendar.ics`,
    `/patient/appointments/payment/${id}`,
    `/patient/appointments/${id}/reschedule`,
    `/patient/appointments/${id}/cancel`,
    "tel:+919848012345",
  ])
    expect(page.text).toContain(`href="${to}"`);
  expect(page.text).toContain('href="https://www.google.com/maps/dir/');
  const shared = decodeURIComponent(/href="https:\/\/wa\.me\/\?text=([^"]*)"/.exec(page.text)?.[1] ?? "");
  expect(shared).toContain("Lotus Clinic");
  expect(shared).not.toMatch(/Secret|Lakshmi/);
  expect(page.headers.get("cache-control")).toContain("no-store");
  expect((await patient.get("/patient/calendar")).text).toContain(`href="/patient/appointments/${id}"`);
  for (const path of ["/patient/appointments/payment", "/patient/appointments/1", `/patient/appointments/${id}0`])
    expect((await patient.get(path)).status, path).toBe(404);
});

it("writes a calendar file in India's time with a stable id, and marks a cancelled appointment in it", async () => {
  const own = await newDoctor();
  await withPlace(own.id);
  const [patient, other] = [await newPatient(), await newPatient()];
  const id = bookedId(await book(patient, own.id, SLOT, { reason: "Secret rash" }))!;
  const path = `/patient/appointments/${id}/calendar.ics`;
  const file = await patient.get(path);
  expect(file.headers.get("content-type")).toBe("text/calendar; charset=utf-8");
  expect(file.headers.get("cache-control")).toContain("no-store");
  const lines = file.text.replace(/\r\n /g, "").split("\r\n");
  for (const line of [
    `UID:${id}`,
    `DTSTART;TZID=Asia/Kolkata:${SLOT.date.replaceAll("-", "")}T100000`,
    "STATUS:TENTATIVE",
    "LOCATION:Lotus Clinic\\, 12 Brodipet\\, Guntur 522002",
    "METHOD:PUBLISH",
  ])
    expect(lines).toContain(line);
  expect(lines.some((line) => line.startsWith("URL:") && line.endsWith(`/patient/appointments/${id}`))).toBe(true);
  expect(file.text).not.toMatch(/Secret|Lakshmi|9876543210/);
  expect((await other.get(path)).status).toBe(404);
  expect((await patient.get("/patient/appointments/nonsense/calendar.ics")).status).toBe(404);
  await patient.post(`/patient/appointments/${id}/cancel`);
  const cancelled = (await patient.get(path)).text;
  expect(cancelled).toContain(`UID:${id}`);
  expect(cancelled).toContain("STATUS:CANCELLED");
});

it("books again with the same doctor and patient, from the owner's own closed appointment only", async () => {
  const own = await newDoctor([...TIMES.map((time) => ({ date: SLOT.date, time })), { date: dayFromNow(5), time: "09:00" }]);
  const [patient, other] = [await newPatient(), await newPatient()];
  const id = bookedId(await book(patient, own.id, SLOT, { name: "Anu Devi", age: "9", phone: "9876500001" }))!;
  await patient.post(`/patient/appointments/${id}/cancel`);
  const path = `/patient/appointments/${id}`;
  const page = readable((await patient.get(path)).text);
  expect(page).toContain("You cancelled this appointment.");
  expect(page).toContain("Book again");
  expect((await other.post(path, { intent: "again" })).status).toBe(404);
  const again = await patient.post(path, { intent: "again" });
  // The next free time is chosen: booking again takes this press, "Continue" and "Book".
  const times = new URLSearchParams(again.location!.split("?")[1]);
  expect(Object.fromEntries(times)).toMatchObject({ doctorId: own.id, date: SLOT.date, time: TIMES[0] });
  expect(valuesOf((await patient.get(again.location!)).text).time).toBe(TIMES[0]);
  const slot = new URLSearchParams({ doctorId: own.id, date: dayFromNow(5), time: "09:00" });
  const form = valuesOf((await patient.get(`/patient/appointments/patient-detail?${slot}`)).text);
  expect(form).toMatchObject({ name: "Anu Devi", age: "9", gender: "female" });
  expect(form.phone).toContain("9876500001");
});

it("leads from a change back to the page it was opened from, and after it to the appointment", async () => {
  const own = await newDoctor();
  const patient = await newPatient();
  const id = bookedId(await book(patient, own.id, SLOT))!;
  const path = `/patient/appointments/${id}`;
  const [page, calendar] = [(await patient.get(path)).text, (await patient.get("/patient/calendar")).text];
  for (const change of ["reschedule", "cancel"]) {
    for (const text of [page, calendar]) expect(text).toContain(`href="${path}/${change}"`);
    const from = (referer: string) => patient.get(`${path}/${change}`, { referer: `${server.url}${referer}` });
    const [fromPage, fromCalendar] = [await from(path), await from("/patient/calendar")];
    expect(fromPage.text).toContain(`href="${path}"`);
    expect(fromCalendar.text).not.toContain(`href="${path}"`);
    expect((await patient.get(`${path}/${change}?from=//evil.example`)).text).not.toMatch(/href="[^"]*\/\/evil/);
  }
  const review = (referer: string) => patient.get(`${path}/review`, { referer: `${server.url}${referer}` });
  for (const before of [path, `${path}/review`]) expect((await review(before)).text).toContain(`href="${path}"`);
  expect((await review("/patient/calendar")).text).not.toContain(`href="${path}"`);
  // Another day of the choice keeps the way back.
  const days = (await patient.get(`${path}/reschedule?from=appointment`)).text.match(/href="[^"]*\/reschedule\?[^"]*"/g) ?? [];
  expect(days.length).toBeGreaterThan(0);
  expect(days.every((link) => link.includes("from=appointment"))).toBe(true);
  const moved = await patient.post(`${path}/reschedule`, { date: SLOT.date, time: TIMES[1]! });
  expect(moved.location).toBe(path);
  expect((await patient.post(`${path}/cancel`)).location).toBe(path);
});
