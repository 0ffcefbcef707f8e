/** Concurrent requests over HTTP on a real database: one succeeds, the others get a clear refusal. The form of a 503 is sent again. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { hashToken, randomToken } from "#app/lib/ids.server.ts";
import { book, bookedId, readable } from "../factories/booking.ts";
import { persist } from "../factories/logins.ts";
import { dayFromNow, makeDoctor, makePatient, makeVisit, newPhone, type Slot } from "../factories/people.ts";
import { Browser } from "../setup/http.ts";
import { type LoggedIn, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

const DAY = dayFromNow(4);
const at = (time: string): Slot => ({ date: DAY, time });
const TAKEN = "This slot was just taken. Please choose another.";

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ seed: false });
});
afterAll(() => server?.stop());

/** Inserts logged-in patients at once. */
async function crowd(count: number): Promise<Browser[]> {
  const tokens = Array.from({ length: count }, randomToken);
  const phones = tokens.map(newPhone);
  await server.sql`insert into users (role, phone) select 'patient', unnest(${phones}::text[])`;
  await server.sql`insert into patients (id) select id from users where phone = any(${phones})`;
  await server.sql`
    insert into sessions (token_hash, user_id, expires_at)
    select t.hash, u.id, now() + interval '1 day' from unnest(${tokens.map(hashToken)}::text[], ${phones}::text[]) t(hash, phone)
    join users u on u.phone = t.phone and u.role = 'patient'`;
  return tokens.map((token) => {
    const browser = new Browser(server.url);
    browser.cookies.set("nadi_session", token);
    return browser;
  });
}
const live = (doctorId: string, slot: Slot) =>
  server.sql<{ id: string; status: string; patient_id: string }[]>`
    select id, status, patient_id from appointments
    where doctor_id = ${doctorId} and date = ${slot.date} and time = ${slot.time} and status <> 'cancelled'`;

it("200 patients press Book for one slot: one appointment, 199 clear refusals", async () => {
  const doctor = await makeDoctor(server.db, { slots: ["09:30", "10:00", "10:30"].map(at) });
  // A busy machine may not answer all of them in ten seconds: a phone sends the same form again.
  const answers = await Promise.all(
    (await crowd(200)).map((browser) => {
      const form = { idempotencyKey: randomToken() };
      return persist(() => book(browser, doctor.id, at("10:00"), form));
    }),
  );
  const won = answers.filter((a) => bookedId(a));
  const lost = answers.filter((a) => !bookedId(a));
  expect(won).toHaveLength(1);
  expect(lost.filter((a) => a.status !== 409).map((a) => a.status)).toEqual([]);
  for (const { text } of lost.slice(0, 5)) {
    expect(readable(text)).toContain(TAKEN);
    expect(readable(text)).toContain("Nearest free times");
  }
  expect(lost.every((a) => a.text.includes(TAKEN))).toBe(true);
  expect(await live(doctor.id, at("10:00"))).toMatchObject([{ id: bookedId(won[0]!), status: "pending" }]);
  expect((await server.sql`select from notifications where user_id = ${doctor.id}`).count).toBe(1);
  expect((await server.sql`select from audit_log where action = 'book-appointment' and details ->> 'doctorId' = ${doctor.id}`).count).toBe(
    1,
  );
}, 60_000);

it("accept against cancel: one wins, the other gets the current status, twenty times", async () => {
  const doctor = await makeDoctor(server.db);
  const asDoctor = await loginAs(server, { role: "doctor", email: doctor.email });
  const patient = await makePatient(server.db);
  const wins = { accept: 0, cancel: 0 };
  for (let i = 0; i < 20; i++) {
    const id = await makeVisit(server.db, { patient, doctor }, { date: dayFromNow(10 + i) });
    const press = {
      accept: () => asDoctor.post(`/doctor/appointments/${id}/accept`),
      cancel: () => asDoctor.post(`/doctor/appointments/${id}/cancel`),
    };
    const names = i % 2 ? (["accept", "cancel"] as const) : (["cancel", "accept"] as const);
    // The doctor accepts and cancels on two devices. Cancelling an accepted visit is allowed, so the order decides.
    const answers = await Promise.all(names.map((name) => press[name]()));
    const of = (name: "accept" | "cancel") => answers[names.indexOf(name)]!;
    const [row] = await server.sql<
      { status: string; accepted_at: Date | null }[]
    >`select status, accepted_at from appointments where id = ${id}`;
    expect(row?.status).toBe("cancelled");
    expect(of("cancel").status).toBe(303);
    if (of("accept").status === 303) wins.accept++;
    else {
      wins.cancel++;
      expect(of("accept").status).toBe(409);
      expect(readable(of("accept").text)).toContain("This appointment is already cancelled.");
      expect(row?.accepted_at).toBeNull();
    }
    // One notification for each change, none for a refused one.
    const notified = await server.sql<
      { kind: string }[]
    >`select kind from notifications where user_id = ${patient.id} and params ->> 'date' = ${dayFromNow(10 + i)}`;
    expect(notified.map((t) => t.kind).sort()).toEqual(
      of("accept").status === 303 ? ["appointment-accepted", "appointment-cancelled-by-doctor"] : ["appointment-cancelled-by-doctor"],
    );
  }
  expect(wins.accept + wins.cancel).toBe(20);

  // The doctor completes on one device and cancels on another: only one can succeed.
  for (let i = 0; i < 10; i++) {
    const id = await makeVisit(server.db, { patient, doctor }, { date: dayFromNow(-1 - i), status: "accepted" });
    const [done, off] = await Promise.all([
      asDoctor.post(`/doctor/appointments/${id}/complete`),
      asDoctor.post(`/doctor/appointments/${id}/cancel`),
    ]);
    expect([done.status, off.status].sort()).toEqual([303, 409]);
    const [row] = await server.sql<{ status: string }[]>`select status from appointments where id = ${id}`;
    expect(row?.status).toBe(done.status === 303 ? "completed" : "cancelled");
    const lost = readable((done.status === 409 ? done : off).text);
    expect(lost).toContain(done.status === 409 ? "This appointment is already cancelled." : "This appointment is already completed.");
  }
}, 60_000);

it("one Accept sent twenty times at once: one change, one notification", async () => {
  const doctor = await makeDoctor(server.db);
  const asDoctor = await loginAs(server, { role: "doctor", email: doctor.email });
  const patient = await makePatient(server.db);
  const id = await makeVisit(server.db, { patient, doctor });
  const answers = await Promise.all(Array.from({ length: 20 }, () => asDoctor.post(`/doctor/appointments/${id}/accept`)));
  expect(answers.filter((a) => a.status === 303)).toHaveLength(1);
  expect(answers.filter((a) => a.status === 409)).toHaveLength(19);
  expect((await server.sql`select from notifications where user_id = ${patient.id}`).count).toBe(1);
  expect((await server.sql`select from audit_log where subject_id = ${id} and action = 'accept-appointment'`).count).toBe(1);
});

it("thirty visits moved to one slot beside thirty new bookings of it: one gets it", async () => {
  const doctor = await makeDoctor(server.db, { slots: ["10:00", "10:30", "11:00"].map(at) });
  const movers = await Promise.all(
    Array.from({ length: 30 }, async (_, i) => {
      const patient = await makePatient(server.db);
      const id = await makeVisit(server.db, { patient, doctor }, { date: dayFromNow(10 + i) });
      return { id, browser: await loginAs(server, { role: "patient", phone: patient.phone }) };
    }),
  );
  const others = await crowd(30);
  const answers = await Promise.all([
    ...movers.map(({ id, browser }) => browser.post(`/patient/appointments/${id}/reschedule`, { date: DAY, time: "10:00" })),
    ...others.map((browser) => book(browser, doctor.id, at("10:00"))),
  ]);
  expect(answers.filter((a) => a.status === 303)).toHaveLength(1);
  const lost = answers.filter((a) => a.status !== 303);
  expect(new Set(lost.map((a) => a.status))).toEqual(new Set([409]));
  expect(lost.every((a) => a.text.includes(TAKEN))).toBe(true);
  expect(await live(doctor.id, at("10:00"))).toHaveLength(1);
  // The refused ones still have their visit.
  const moved = await server.sql`select from appointments where id = any(${movers.map((m) => m.id)}) and date = ${DAY}`;
  const stayed =
    await server.sql`select from appointments where id = any(${movers.map((m) => m.id)}) and date <> ${DAY} and status = 'pending'`;
  expect(moved.count + stayed.count).toBe(30);
});

it("booking against the removal of the slot: never a visit at a time that was removed before", async () => {
  for (let i = 0; i < 15; i++) {
    const slot = { date: dayFromNow(20 + i), time: "10:00" };
    const doctor = await makeDoctor(server.db, { slots: [slot] });
    const [browser] = await crowd(1);
    const remove = server.sql.begin(async (tx) => {
      await tx`delete from availability_slots where doctor_id = ${doctor.id}`;
      // Inside the removing transaction: it sees what was booked before it.
      return (await tx`select from appointments where doctor_id = ${doctor.id}`).count;
    });
    const [before, answer] = await Promise.all([remove, book(browser!, doctor.id, slot)]);
    if (bookedId(answer)) expect(before).toBe(1);
    else {
      expect(answer.status).toBe(409);
      expect((await live(doctor.id, slot)).length).toBe(0);
    }
  }
});

it("a patient's two forms for two slots at once make two visits", async () => {
  const doctor = await makeDoctor(server.db, { slots: ["10:00", "10:30"].map(at) });
  const [browser] = (await crowd(1)) as [LoggedIn];
  const answers = await Promise.all(["10:00", "10:30"].map((time) => book(browser, doctor.id, at(time))));
  expect(new Set(answers.map(bookedId)).size).toBe(2);
  expect(answers.every((a) => a.status === 303)).toBe(true);
});
