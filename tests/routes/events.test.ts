/** The effects of a change over HTTP: the other side is notified, the change is logged, and doctors' reads are logged. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { instantInIndia } from "#app/lib/dates.ts";
import { book, bookedId, readable } from "../factories/booking.ts";
import { dayFromNow, makeDoctor, newPhone, type TestDoctor } from "../factories/people.ts";
import { asFile, photoWithPlace } from "../factories/pictures.ts";
import { type LoggedIn, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

const DAY = dayFromNow(4);
let server: TestServer;
let doctor: TestDoctor;
let asDoctor: LoggedIn;
let patient: LoggedIn;
beforeAll(async () => {
  server = await startServer({ seed: false });
  doctor = await makeDoctor(server.db, { slots: ["10:00", "10:30", "11:00", "11:30", "12:00"].map((time) => ({ date: DAY, time })) });
  asDoctor = await loginAs(server, { role: "doctor", email: doctor.email });
  patient = await loginAs(server, { role: "patient", phone: newPhone() });
});
afterAll(() => server?.stop());

const notified = async (userId: string) =>
  (
    await server.sql<
      { kind: string; target_path: string }[]
    >`select kind, target_path from notifications where user_id = ${userId} order by created_at desc limit 1`
  )[0];
const written = (id: string) =>
  server.sql<
    { action: string; actor_id: string; actor_role: string; person_id: string; details: unknown; ip: string; request_id: string }[]
  >`
    select * from audit_log where subject_id = ${id} order by id`;

it("the events of a visit", async () => {
  const answer = await book(patient, doctor.id, { date: DAY, time: "10:00" }, { name: "Sita Rao", medicalHistory: "Epilepsy" });
  const id = bookedId(answer)!;
  expect(await notified(doctor.id)).toEqual({ kind: "appointment-booked", target_path: `/doctor/patient/${id}` });

  // Each action asks for confirmation with the text of the specification.
  const ask = async (action: string) => readable((await asDoctor.get(`/doctor/appointments/${id}/${action}`)).text);
  expect(await ask("accept")).toMatch(/Are you sure you want to accept the appointment with Sita Rao on \d+ \w+ \d{4} at 10:00 AM\?/);
  expect(await ask("cancel")).toMatch(/Are you sure you want to cancel the appointment with Sita Rao on/);
  expect(await ask("complete")).toContain("This appointment is not accepted yet. Accept it before you complete it.");

  const accepted = await asDoctor.post(`/doctor/appointments/${id}/accept`);
  expect(readable((await asDoctor.follow(accepted)).text)).toContain("Appointment accepted successfully!");
  expect(await notified(patient.userId)).toEqual({
    kind: "appointment-accepted",
    target_path: expect.stringMatching(/^\/patient\/appointments\/[0-9a-f-]{36}$/),
  });
  expect(readable((await patient.get("/patient/calendar")).text)).toContain("Accepted");

  const again = await asDoctor.post(`/doctor/appointments/${id}/accept`);
  expect(again.status).toBe(409);
  expect(readable(again.text)).toContain("This appointment is already accepted.");

  // The page opens on the appointment's day and marks its time.
  const page = (await patient.get(`/patient/appointments/${id}/reschedule`)).text;
  expect(page).toMatch(new RegExp(`<input[^>]*name="date"[^>]*value="${DAY}"`));
  expect(readable(page)).toContain("10:00 AM Your appointment");
  expect(page).toMatch(/aria-current="date"[^>]*>(?:(?!<\/a>).)*Your appointment/s);
  const moved = await patient.post(`/patient/appointments/${id}/reschedule`, { date: DAY, time: "10:30" });
  expect(readable((await patient.follow(moved)).text)).toContain("Appointment moved. The doctor must accept the new time.");
  expect(await notified(doctor.id)).toEqual({ kind: "appointment-rescheduled", target_path: `/doctor/patient/${id}` });
  const [row] = await server.sql`select status, accepted_at, time from appointments where id = ${id}`;
  expect(row).toEqual({ status: "pending", accepted_at: null, time: "10:30:00" });

  await asDoctor.post(`/doctor/appointments/${id}/accept`);
  // The booked time has come.
  server.clock.to(instantInIndia(DAY, "10:30").getTime());
  expect(await ask("complete")).toMatch(/Are you sure you want to mark the appointment with Sita Rao on .* as completed\?/);
  const completed = await asDoctor.post(`/doctor/appointments/${id}/complete`);
  expect(readable((await asDoctor.follow(completed)).text)).toContain("Appointment completed successfully!");
  expect(await notified(patient.userId)).toEqual({
    kind: "appointment-completed",
    target_path: expect.stringMatching(/^\/patient\/appointments\/[0-9a-f-]{36}$/),
  });
  expect(readable((await patient.get("/patient/calendar")).text)).toContain("Completed");
  const tooLate = await asDoctor.post(`/doctor/appointments/${id}/cancel`);
  expect(tooLate.status).toBe(409);
  expect(readable(tooLate.text)).toContain("This appointment is already completed.");
  for (const [path, fields] of [
    ["cancel", {}],
    ["reschedule", { date: DAY, time: "11:30" }],
  ] as const) {
    const answer = await patient.post(`/patient/appointments/${id}/${path}`, fields);
    expect(answer.status).toBe(409);
    expect(readable(answer.text)).toMatch(/Status Completed This appointment is already over or cancelled\./);
  }

  server.clock.set(0);
  // They would be newer than those of the next test.
  await server.sql`delete from notifications where created_at > now() + interval '1 hour'`;

  const rows = await written(id);
  expect(rows.map((r) => [r.action, r.actor_role])).toEqual([
    ["book-appointment", "patient"],
    ["accept-appointment", "doctor"],
    ["reschedule-appointment", "patient"],
    ["accept-appointment", "doctor"],
    ["complete-appointment", "doctor"],
  ]);
  for (const entry of rows) {
    expect(entry.person_id).toBe(patient.userId);
    expect(entry.actor_id).toBe(entry.actor_role === "doctor" ? doctor.id : patient.userId);
    expect(entry.ip).toBe("127.0.0.1");
    expect(entry.request_id).toMatch(/^[0-9a-f-]{36}$/);
    expect(JSON.stringify(entry.details)).not.toMatch(/Sita|Epilepsy|9876543210/);
  }
});

it("cancelling notifies the other side and frees the slot", async () => {
  const first = bookedId(await book(patient, doctor.id, { date: DAY, time: "11:00" }))!;
  const asked = readable((await patient.get(`/patient/appointments/${first}/cancel`)).text);
  expect(asked).toContain("Cancel this appointment?");
  const off = await patient.post(`/patient/appointments/${first}/cancel`);
  expect(readable((await patient.follow(off)).text)).toContain("Appointment cancelled successfully!");
  expect((await notified(doctor.id))?.kind).toBe("appointment-cancelled");
  const second = bookedId(await book(patient, doctor.id, { date: DAY, time: "11:00" }))!;
  expect(second).not.toBe(first);
  // The doctor gives a reason; the patient reads it where another time is offered.
  const question = (await asDoctor.get(`/doctor/appointments/${second}/cancel`)).text;
  expect([...question.matchAll(/<option[^>]*value="([^"]+)"/g)].map(([, value]) => value)).toEqual([
    "busy",
    "unwell",
    "emergency",
    "holiday",
    "training",
    "other-specialist",
  ]);
  expect((await asDoctor.post(`/doctor/appointments/${second}/cancel`, { reason: "because" })).status).toBe(400);
  await asDoctor.post(`/doctor/appointments/${second}/cancel`, { reason: "unwell" });
  const notice = await notified(patient.userId);
  expect(notice).toEqual({ kind: "appointment-cancelled-by-doctor", target_path: `/patient/appointments/${second}` });
  const list = readable((await patient.get("/patient/notifications")).text);
  expect(list).toMatch(
    /Dr\. Proof \d+ cancelled Lakshmi Devi's appointment on .*The doctor is unwell\. Open this notification to choose another time\./,
  );
  const cancelled = await patient.get(notice!.target_path);
  expect(readable(cancelled.text)).toMatch(/Dr\. Proof \d+ cancelled this appointment\. The doctor is unwell\./);
  expect(readable(cancelled.text)).toContain("Nearest free times");
  expect(cancelled.text.replaceAll("&amp;", "&")).toContain(
    `/patient/appointments/patient-detail?doctorId=${doctor.id}&date=${DAY}&time=11%3A00`,
  );
  expect(readable((await patient.get(`/patient/appointments/payment/${first}`)).text)).toContain("You cancelled this appointment.");
  await server.sql`update doctors set registration_status = 'suspended' where id = ${doctor.id}`;
  const offer = await patient.get(notice!.target_path);
  expect(readable(offer.text)).toContain("Find another doctor");
  expect(readable(offer.text)).not.toContain("Nearest free times");
  await server.sql`update doctors set registration_status = 'verified' where id = ${doctor.id}`;
  const [row] = await server.sql`select cancelled_by from appointments where id = ${second}`;
  expect(row?.cancelled_by).toBe("doctor");
  const again = await asDoctor.post(`/doctor/appointments/${second}/cancel`);
  expect(again.status).toBe(409);
  expect(readable(again.text)).toContain("This appointment is already cancelled.");
});

it("a patient changes a visit up to 24 hours before, and later sees the number to call; the doctor may still cancel", async () => {
  const time = "12:00";
  const id = bookedId(await book(patient, doctor.id, { date: DAY, time }))!;
  const request = bookedId(await book(patient, doctor.id, { date: DAY, time: "11:30" }))!;
  expect((await asDoctor.post(`/doctor/appointments/${id}/accept`)).status).toBe(303);
  const start = Date.parse(`${DAY}T${time}:00+05:30`);
  const minute = 60_000;
  try {
    server.clock.to(start - 24 * 60 * minute - 2 * minute);
    expect((await patient.get(`/patient/appointments/${id}/reschedule`)).status).toBe(200);
    server.clock.to(start - 24 * 60 * minute + 2 * minute);
    const late = "Less than 24 hours are left, so you can no longer reschedule or cancel this appointment here. Please call the clinic.";
    const page = await patient.get(`/patient/appointments/${id}/cancel`);
    expect(readable(page.text)).toContain(late);
    expect(readable(page.text)).not.toContain("Yes, cancel appointment");
    expect(readable((await patient.get(`/patient/appointments/${id}/reschedule`)).text)).toContain(late);
    for (const answer of [
      await patient.post(`/patient/appointments/${id}/cancel`),
      await patient.post(`/patient/appointments/${id}/reschedule`, { date: DAY, time: "11:00" }),
    ]) {
      expect(answer.status).toBe(409);
      expect(readable(answer.text)).toContain(late);
      expect((await server.sql`select from appointments where id = ${id} and status = 'accepted'`).count).toBe(1);
    }
    const calendar = readable((await patient.get("/patient/calendar")).text);
    expect(calendar).toContain(late);
    // The doctor has not accepted the other one: it can be cancelled, and no longer moved.
    const noMove = "Less than 24 hours are left, so the time can no longer be changed here. You can cancel until the doctor accepts.";
    expect(calendar).toContain(noMove);
    const move = await patient.get(`/patient/appointments/${request}/reschedule`);
    expect(readable(move.text)).toContain(noMove);
    expect(move.text).toContain(`href="/patient/appointments/${request}/cancel"`);
    const moved = await patient.post(`/patient/appointments/${request}/reschedule`, { date: DAY, time: "11:00" });
    expect([moved.status, readable(moved.text).includes(noMove)]).toEqual([409, true]);
    expect((await patient.post(`/patient/appointments/${request}/cancel`)).location).toBe(`/patient/appointments/${request}`);
    expect((await asDoctor.post(`/doctor/appointments/${id}/cancel`)).status).toBe(303);
  } finally {
    server.clock.set(0);
  }
});

it("logs a doctor's read of a visit and of a file, and not a patient's own", async () => {
  const own = await makeDoctor(server.db, { slots: [{ date: DAY, time: "10:00" }] });
  const reader = await loginAs(server, { role: "doctor", email: own.email });
  const id = bookedId(await book(patient, own.id, { date: DAY, time: "10:00" }, {}, [asFile(await photoWithPlace(), "xray.jpg")]))!;
  const [file] = await server.sql<{ file_id: string }[]>`select file_id from medical_records where appointment_id = ${id}`;
  await patient.get(`/patient/appointments/payment/${id}`);
  await patient.get(`/files/${file!.file_id}`);
  const readings = () =>
    server.sql<
      { action: string }[]
    >`select action from audit_log where actor_id = any(${[own.id, patient.userId]}) and action like 'read%' order by id`;
  expect(await readings()).toEqual([]);
  expect((await reader.get(`/doctor/patient/${id}`)).status).toBe(200);
  expect((await reader.get(`/files/${file!.file_id}`)).status).toBe(200);
  expect(await readings()).toEqual([{ action: "read-appointment" }, { action: "read-record" }]);
});
