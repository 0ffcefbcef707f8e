import { eq } from "drizzle-orm";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  appointmentProposals,
  appointments,
  auditLog,
  availabilitySlots,
  doctors,
  notifications,
  type Role,
} from "#app/db/schema/index.ts";
import { APPOINTMENT_ACTIONS, type AppointmentAction } from "#app/domains/appointment.state.ts";
import type { Actor } from "#app/domains/context.server.ts";
import { smsOf } from "#app/domains/platform/delivery/deliver.server.ts";
import { wordsOf } from "#app/domains/platform/notifications/words.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { withLanguage } from "#app/lib/language.server.ts";
import type { Language } from "#app/lib/language.ts";
import { APPOINTMENT_STATUSES, type AppointmentStatus } from "#app/lib/vocabulary.ts";
import { startRelay } from "#app/realtime/relay.server.ts";
import { env } from "#app/runtime/env.server.ts";
import { wishFor } from "../../../../tests/factories/booking.ts";
import { dayFromNow, makeDoctor, makePatient, makeStaff, makeVisit } from "../../../../tests/factories/people.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { saveReview } from "../reviews/save-review.server.ts";
import { bookAppointment } from "./book-appointment.server.ts";
import { changeAppointment, rescheduleAppointment } from "./change-appointment.server.ts";
import { findNextOfDay, listDoctorAppointments, readDoctorAppointment } from "./doctor-queries.server.ts";
import { findNextAppointment, getPatientAppointment, listPatientAppointments } from "./patient-queries.server.ts";
import { moveAppointment, takeProposal } from "./proposals.server.ts";
import { cancelSuspendedVisits } from "./suspended-visits.server.ts";

const { db, sql, ctx } = testDb();
const DAY = dayFromNow(5);
const refusal = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => null,
    (e: unknown) => e,
  );
  return error instanceof DomainError ? error.code : error;
};
const wish = (doctorId: string, over: object = {}) => wishFor(doctorId, { date: DAY, time: "10:00", ...over });
const rowOf = async (id: string) => (await db.select().from(appointments).where(eq(appointments.id, id)))[0]!;
const traces = async (id: string) => ({
  audit: (await db.select().from(auditLog).where(eq(auditLog.subjectId, id))).map((a) => a.action),
  notified: (await db.select().from(notifications)).filter((n) => n.params.date && n.targetPath?.includes(id)).length,
});

describe("every status × action × role in the database", async () => {
  const doctor = await makeDoctor(db, { slots: [{ date: dayFromNow(9), time: "16:00" }] });
  const patient = await makePatient(db);
  const people: Record<Role, Actor> = {
    patient: patient.actor,
    doctor: doctor.actor,
    reviewer: await makeStaff(db, "reviewer"),
    admin: await makeStaff(db, "admin"),
    staff: await makeStaff(db, "staff"),
  };
  /** An administrator cancels only while the doctor is suspended. */
  const cancelAsAdmin = async (actor: Actor, id: string) => {
    const be = (registrationStatus: "suspended" | "verified") =>
      db.update(doctors).set({ registrationStatus }).where(eq(doctors.id, doctor.id));
    await be("suspended");
    const input = { doctorId: doctor.id, all: false, visits: [id], reason: "doctor-away" as const };
    const { changed } = await cancelSuspendedVisits(ctx(actor), input);
    await be("verified");
    if (!changed) throw new DomainError("conflict");
  };
  /** Takes a time that the doctor proposed, whatever became of the appointment since. */
  const takeNewProposal = async (actor: Actor, id: string) => {
    const at = { date: dayFromNow(9), time: "16:00" };
    const [row] = await db
      .insert(appointmentProposals)
      .values({ appointmentId: id, options: [at], expiresAt: new Date(Date.now() + 3_600_000), createdAt: new Date() })
      .returning({ id: appointmentProposals.id });
    await takeProposal(ctx(actor), { id, proposal: row!.id, at });
  };
  const act = (actor: Actor, action: AppointmentAction, id: string) =>
    actor.role === "admin" && action === "cancel"
      ? cancelAsAdmin(actor, id)
      : action === "reschedule"
        ? rescheduleAppointment(ctx(actor), { id, date: dayFromNow(9), time: "16:00" })
        : action === "move"
          ? moveAppointment(ctx(actor), { id, at: { date: dayFromNow(9), time: "16:00" } })
          : action === "take-proposal"
            ? takeNewProposal(actor, id)
            : changeAppointment(ctx(actor), { id, action });
  let hour = 0;

  for (const action of Object.keys(APPOINTMENT_ACTIONS) as AppointmentAction[])
    for (const status of APPOINTMENT_STATUSES)
      for (const role of Object.keys(people) as Role[])
        it(`${role} · ${action} · ${status}`, async () => {
          // Completing requires that the visit has started.
          const date = action === "complete" ? dayFromNow(-1) : undefined;
          const time = `0${Math.floor(hour / 60)}:${String(hour++ % 60).padStart(2, "0")}`;
          const id = await makeVisit(
            db,
            { patient, doctor },
            { status, time, date, ...(status === "completed" && { completedAt: new Date() }) },
          );
          const rule: { from: readonly AppointmentStatus[]; to: AppointmentStatus; by: readonly Role[] } = APPOINTMENT_ACTIONS[action];
          const legal = rule.by.includes(role) && rule.from.includes(status);
          const before = await rowOf(id);
          const outcome = await refusal(act(people[role], action, id));
          const after = await rowOf(id);
          if (legal) {
            expect(outcome).toBeNull();
            expect(after.status).toBe(rule.to);
            expect((await traces(id)).audit).toEqual([`${action}-appointment`]);
            // Frees the slot for the next case.
            await db.update(appointments).set({ status: "cancelled" }).where(eq(appointments.id, id));
          } else {
            expect(["forbidden", "conflict", "not-found"]).toContain(outcome);
            expect(after).toEqual(before);
            expect(await traces(id)).toEqual({ audit: [], notified: 0 });
          }
        });
});

describe("one transaction", () => {
  afterEach(async () => {
    await sql`drop trigger if exists proof_fault on notifications`;
    await sql`drop trigger if exists proof_fault on audit_log`;
    await sql`drop trigger if exists proof_fault on domain_events`;
  });
  const breakTable = async (table: "notifications" | "audit_log" | "domain_events") => {
    await sql.unsafe(
      "create or replace function proof_fault() returns trigger language plpgsql as $$ begin raise exception 'proof'; end $$",
    );
    await sql.unsafe(`create trigger proof_fault before insert on ${table} for each row execute function proof_fault()`);
  };

  it.each(["notifications", "audit_log", "domain_events"] as const)("rolls back the change when the row in %s fails", async (table) => {
    const doctor = await makeDoctor(db, { slots: [{ date: DAY, time: "10:00" }] });
    const patient = await makePatient(db);
    const id = await makeVisit(db, { patient, doctor }, { time: "11:00" });
    await breakTable(table);
    await expect(changeAppointment(ctx(doctor.actor), { id, action: "accept" })).rejects.toThrow();
    expect((await rowOf(id)).status).toBe("pending");
    await expect(bookAppointment(ctx(patient.actor), wish(doctor.id))).rejects.toThrow();
    expect((await sql`select from appointments where doctor_id = ${doctor.id} and time = '10:00'`).count).toBe(0);
    expect((await sql`select from notifications where user_id in (${doctor.id}, ${patient.id})`).count).toBe(0);
    expect((await sql`select from audit_log where person_id = ${patient.id}`).count).toBe(0);
  });

  it("sends live events after the commit to the other side and to open pages, and nothing after a rollback", async () => {
    const doctor = await makeDoctor(db, { slots: [{ date: DAY, time: "10:00" }] });
    const patient = await makePatient(db);
    const received: { channel: string; payload: string }[] = [];
    await sql`delete from live_events`;
    const relay = startRelay(env().database);
    const listeners = await Promise.all(
      ["nadi_events", "nadi_pages"].map((channel) => sql.listen(channel, (payload) => received.push({ channel, payload }))),
    );
    try {
      const booked = await bookAppointment(ctx(patient.actor), wish(doctor.id));
      await vi.waitFor(() => expect(received).toHaveLength(3), { timeout: 15_000 });
      const events = () => received.filter((h) => h.channel === "nadi_events").map((h) => JSON.parse(h.payload));
      // The patient's other open pages reload their data.
      expect(events()[0]).toEqual({ userId: patient.id, event: "appointmentChanged", data: { _id: booked.id } });
      const [, event] = events();
      expect(event).toMatchObject({
        userId: doctor.id,
        event: "receiveNotification",
        data: { read: false, targetPath: `/doctor/patient/${booked.id}` },
      });
      const [row] = await sql`select id from notifications where user_id = ${doctor.id}`;
      expect(event.data._id).toBe(row!.id);

      received.length = 0;
      await expect(
        db.transaction(async (tx) => {
          await changeAppointment({ ...ctx(doctor.actor), db: tx }, { id: booked.id, action: "accept" });
          throw new Error("undo");
        }),
      ).rejects.toThrow("undo");
      await changeAppointment(ctx(doctor.actor), { id: booked.id, action: "accept" });
      await vi.waitFor(() =>
        expect(events().map(({ userId, event }) => [userId, event])).toEqual([
          [patient.id, "receiveNotification"],
          [doctor.id, "appointmentChanged"],
        ]),
      );
    } finally {
      await Promise.all(listeners.map((l) => l.unlisten()));
      await relay.stop();
    }
  });

  it("sends no NOTIFY in the transaction of a booking: its commit waits for no other", async () => {
    const doctor = await makeDoctor(db, { slots: [{ date: DAY, time: "10:00" }] });
    const patient = await makePatient(db);
    const error = db.transaction(async (tx) => {
      await bookAppointment({ ...ctx(patient.actor), db: tx }, wish(doctor.id));
      await tx.execute("prepare transaction 'booking'");
    });
    // After a NOTIFY it would be refused with 0A000; without one it is, because prepared transactions are not enabled.
    await expect(error).rejects.toMatchObject({ cause: { code: "55000" } });
  });
});

describe("booking", () => {
  it("copies the fee of the day of the booking", async () => {
    const doctor = await makeDoctor(db, { slots: [{ date: DAY, time: "10:00" }], fee: 70_000 });
    const { id } = await bookAppointment(ctx((await makePatient(db)).actor), wish(doctor.id));
    await sql`update doctors set consultation_fee = 1 where id = ${doctor.id}`;
    expect((await rowOf(id)).fee).toBe(70_000);
  });
  it("refuses an unverified doctor, an unknown doctor and a time that is not offered", async () => {
    const patient = await makePatient(db);
    const suspended = await makeDoctor(db, { status: "suspended", slots: [{ date: DAY, time: "10:00" }] });
    const verified = await makeDoctor(db, { slots: [{ date: DAY, time: "10:00" }] });
    expect(await refusal(bookAppointment(ctx(patient.actor), wish(suspended.id)))).toBe("not-found");
    expect(await refusal(bookAppointment(ctx(patient.actor), wish("00000000-0000-4000-8000-000000000000")))).toBe("not-found");
    expect(await refusal(bookAppointment(ctx(patient.actor), wish(verified.id, { time: "10:30" })))).toBe("slot-taken");
  });
  it("refuses a slot from the minute it begins", async () => {
    const doctor = await makeDoctor(db, { slots: [{ date: DAY, time: "10:00" }] });
    const patient = await makePatient(db);
    const at = (time: string) => new Date(`${DAY}T${time}+05:30`);
    expect(await refusal(bookAppointment(ctx(patient.actor, at("10:00:00")), wish(doctor.id)))).toBe("slot-taken");
    expect(await refusal(bookAppointment(ctx(patient.actor, at("09:59:59")), wish(doctor.id)))).toBeNull();
  });
  it("the unique index refuses a second open visit at one time", async () => {
    const doctor = await makeDoctor(db);
    const patient = await makePatient(db);
    await makeVisit(db, { patient, doctor }, { status: "completed" });
    await expect(makeVisit(db, { patient: await makePatient(db), doctor })).rejects.toThrow();
    await makeVisit(db, { patient, doctor }, { status: "cancelled" });
  });
});

describe("moving", () => {
  it("refuses a taken, unavailable or past time with the nearest free times, and changes nothing", async () => {
    const doctor = await makeDoctor(db, { slots: ["09:00", "09:30", "10:00"].map((time) => ({ date: DAY, time })) });
    const [patient, other] = [await makePatient(db), await makePatient(db)];
    const id = await makeVisit(db, { patient, doctor }, { time: "11:00", status: "accepted" });
    await makeVisit(db, { patient: other, doctor }, { time: "09:30" });
    for (const [slot, sentence] of [
      [{ date: DAY, time: "09:30" }, "This slot was just taken. Please choose another."],
      [{ date: DAY, time: "18:00" }, "The doctor does not offer this time. Please choose another."],
      [{ date: dayFromNow(-1), time: "10:00" }, "This time is in the past. Please choose another."],
    ] as const) {
      const error = await rescheduleAppointment(ctx(patient.actor), { id, ...slot }).catch((e: DomainError) => e);
      expect(error).toMatchObject({ code: "slot-taken", sentence });
      expect((error as DomainError).detail).toMatchObject({
        nearest: [
          { date: DAY, time: "09:00" },
          { date: DAY, time: "10:00" },
        ],
      });
    }
    expect(await rowOf(id)).toMatchObject({ status: "accepted", time: "11:00:00" });
    expect(await refusal(rescheduleAppointment(ctx(other.actor), { id, date: DAY, time: "09:00" }))).toBe("not-found");
    expect(await refusal(rescheduleAppointment(ctx(patient.actor), { id: "nonsense", date: DAY, time: "09:00" }))).toBe("not-found");
  });
  it("allows a change exactly 24 hours before the visit", async () => {
    const doctor = await makeDoctor(db, { slots: [{ date: dayFromNow(8), time: "09:00" }] });
    const patient = await makePatient(db);
    const at = (time: string) => new Date(`${dayFromNow(4)}T${time}+05:30`);
    const first = await makeVisit(db, { patient, doctor }, { time: "10:00", status: "accepted" });
    expect(await refusal(changeAppointment(ctx(patient.actor, at("10:01:00")), { id: first, action: "cancel" }))).toBe("conflict");
    expect(
      await refusal(rescheduleAppointment(ctx(patient.actor, at("10:01:00")), { id: first, date: dayFromNow(8), time: "09:00" })),
    ).toBe("conflict");
    expect(await refusal(changeAppointment(ctx(patient.actor, at("10:00:30")), { id: first, action: "cancel" }))).toBeNull();
  });
  it("cancels a request that the doctor has not accepted until its start, and refuses to move it", async () => {
    const doctor = await makeDoctor(db, { slots: [{ date: dayFromNow(8), time: "09:00" }] });
    const patient = await makePatient(db);
    const at = (time: string) => new Date(`${DAY}T${time}+05:30`);
    const change = (id: string, time: string) => refusal(changeAppointment(ctx(patient.actor, at(time)), { id, action: "cancel" }));
    const id = await makeVisit(db, { patient, doctor }, { time: "10:00" });
    const moved = await rescheduleAppointment(ctx(patient.actor, at("09:00:00")), { id, date: dayFromNow(8), time: "09:00" }).catch(
      (e: DomainError) => e,
    );
    expect(moved).toMatchObject({
      code: "conflict",
      sentence: "Less than 24 hours are left, so the time can no longer be changed here. You can cancel until the doctor accepts.",
    });
    expect(await change(id, "10:01:00")).toBe("conflict");
    expect(await change(id, "10:00:00")).toBeNull();
    const accepted = await makeVisit(db, { patient, doctor }, { time: "10:00", status: "accepted" });
    expect(await change(accepted, "09:00:00")).toBe("conflict");
  });
});

describe("completing and undoing", () => {
  const START = new Date(`${DAY}T10:00:00+05:30`);
  const later = (ms: number) => new Date(START.getTime() + ms);
  const sentence = (work: Promise<unknown>) =>
    work.then(
      () => "done",
      (e: DomainError) => e.sentence,
    );
  const TOO_LATE = "You can undo a completion only within 10 minutes.";

  it("refuses to complete before the start, to the minute, and shows the opening time", async () => {
    const [doctor, patient] = [await makeDoctor(db), await makePatient(db)];
    const id = await makeVisit(db, { patient, doctor }, { status: "accepted" });
    const complete = (ms: number) => sentence(changeAppointment(ctx(doctor.actor, later(ms)), { id, action: "complete" }));
    expect(await complete(-1)).toMatch(/^You can complete this appointment from \w{3} \d+ \w{3} \d{4}, 10:00 AM\.$/);
    expect(await rowOf(id)).toMatchObject({ status: "accepted", completedAt: null });
    expect((await readDoctorAppointment(ctx(doctor.actor, later(-1)), id)).actions).toEqual(["cancel"]);
    expect((await readDoctorAppointment(ctx(doctor.actor, START), id)).actions).toEqual(["complete", "cancel"]);
    expect(await complete(0)).toBe("done");
  });
  it("undoes within ten minutes and notifies the patient, and refuses later or twice", async () => {
    const [doctor, patient] = [await makeDoctor(db), await makePatient(db)];
    const id = await makeVisit(db, { patient, doctor }, { status: "accepted" });
    const act = (action: "complete" | "undo-complete", ms: number) =>
      sentence(changeAppointment(ctx(doctor.actor, later(ms)), { id, action }));
    expect(await act("complete", 0)).toBe("done");
    expect(await act("undo-complete", 600_000)).toBe(TOO_LATE);
    expect((await readDoctorAppointment(ctx(doctor.actor, later(600_000)), id)).actions).toEqual([]);
    expect((await readDoctorAppointment(ctx(doctor.actor, later(599_999)), id)).actions).toEqual(["undo-complete"]);
    expect(await act("undo-complete", 599_999)).toBe("done");
    expect(await rowOf(id)).toMatchObject({ status: "accepted", completedAt: null });
    const notified = await db.select().from(notifications).where(eq(notifications.userId, patient.id));
    expect(notified.map((n) => n.kind)).toContain("appointment-completion-undone");
    expect(await act("undo-complete", 599_999)).toBe("This appointment is already accepted.");
    // Ten minutes count from the last completion.
    expect(await act("complete", 900_000)).toBe("done");
    expect(await act("undo-complete", 1_000_000)).toBe("done");
    expect(await refusal(changeAppointment(ctx(patient.actor, later(0)), { id, action: "undo-complete" }))).toBe("forbidden");
  });
  it("names the doctor of a notification in the script of its reader, in its SMS too", async () => {
    const [doctor, patient] = [await makeDoctor(db), await makePatient(db)];
    await sql`update doctors set translations = '{"te":{"name":"డా. ఆశ"}}' where id = ${doctor.id}`;
    const id = await makeVisit(db, { patient, doctor }, { status: "pending" });
    await changeAppointment(ctx(doctor.actor, later(-1)), { id, action: "accept" });
    const [notice] = await db.select().from(notifications).where(eq(notifications.userId, patient.id));
    const address = { to: patient.phone, host: "nadi.test" };
    const read = (language: Language) =>
      withLanguage(language, () => [
        wordsOf("appointment-accepted", notice!.params).message,
        smsOf("appointment-accepted", notice!.params, address).variables.doctor,
      ]);
    for (const text of read("te")) expect(text).toContain("డా. ఆశ");
    for (const text of read("hi")) expect(text).toContain(notice!.params.doctor);
  });
  it("two undos and a completion at once end in one state, with one audit row for each change", async () => {
    for (let round = 0; round < 5; round++) {
      const [doctor, patient] = [await makeDoctor(db), await makePatient(db)];
      const id = await makeVisit(db, { patient, doctor }, { status: "accepted" });
      await changeAppointment(ctx(doctor.actor, START), { id, action: "complete" });
      const actions = ["undo-complete", "undo-complete", "complete"] as const;
      const results = await Promise.all(
        actions.map((action) =>
          refusal(changeAppointment(ctx(doctor.actor, later(1000)), { id, action })).then((code) => ({ action, code })),
        ),
      );
      for (const { code } of results) expect([null, "conflict"]).toContain(code);
      const done = (action: string) => results.filter((r) => r.action === action && r.code === null).length;
      const { audit } = await traces(id);
      expect(audit.filter((a) => a === "undo-complete-appointment")).toHaveLength(done("undo-complete"));
      expect(audit.filter((a) => a === "complete-appointment")).toHaveLength(1 + done("complete"));
      const balance = 1 + done("complete") - done("undo-complete");
      expect((await rowOf(id)).status).toBe(balance === 1 ? "completed" : "accepted");
      expect([0, 1]).toContain(balance);
    }
  });
  it("a review and an undo at once leave either a completed visit with its review, or no review", async () => {
    for (let round = 0; round < 6; round++) {
      const [doctor, patient] = [await makeDoctor(db), await makePatient(db)];
      const id = await makeVisit(db, { patient, doctor }, { status: "accepted" });
      await changeAppointment(ctx(doctor.actor, START), { id, action: "complete" });
      const undo = () => sentence(changeAppointment(ctx(doctor.actor, later(1000)), { id, action: "undo-complete" }));
      const [undone, reviewed] = await Promise.all([
        undo(),
        sentence(saveReview(ctx(patient.actor, later(1000)), { appointmentId: id, rating: 5, words: "" })),
      ]);
      const { length } = await sql`select from reviews where appointment_id = ${id}`;
      if (reviewed === "done") {
        expect(undone).toBe("The patient has already reviewed this visit, so it stays completed.");
        expect(await undo()).toBe("The patient has already reviewed this visit, so it stays completed.");
      } else expect(undone).toBe("done");
      expect([length, (await rowOf(id)).status]).toEqual(reviewed === "done" ? [1, "completed"] : [0, "accepted"]);
    }
  });
});

describe("lists", () => {
  it("lists open visits from today as upcoming, and past open visits with the others by status", async () => {
    const doctor = await makeDoctor(db);
    const patient = await makePatient(db);
    const visit = (date: string, status: AppointmentStatus, time = "10:00") => makeVisit(db, { patient, doctor }, { date, status, time });
    const today = await visit(dayFromNow(0), "accepted", "08:00");
    const soon = await visit(dayFromNow(2), "pending");
    const old = await visit(dayFromNow(-2), "accepted");
    const done = await visit(dayFromNow(-3), "completed");
    const off = await visit(dayFromNow(3), "cancelled");
    const list = (tab: "upcoming" | "completed" | "cancelled") => listDoctorAppointments(ctx(doctor.actor), { tab, page: 1, search: "" });
    const upcoming = await list("upcoming");
    expect(upcoming.rows.map((r) => r.id)).toEqual([today, soon]);
    expect(upcoming.unanswered.map((r) => r.id)).toEqual([old]);
    expect(upcoming.counts).toMatchObject({ upcoming: 2, completed: 1, cancelled: 1 });
    expect((await list("completed")).rows.map((r) => r.id)).toEqual([done]);
    expect((await list("cancelled")).rows.map((r) => r.id)).toEqual([off]);

    const next = await findNextAppointment(ctx(patient.actor));
    const now = new Date();
    const early = new Date(`${dayFromNow(0)}T08:01:00+05:30`);
    expect(next?.id).toBe(now < early ? today : soon);
    expect((await findNextAppointment(ctx(patient.actor, early)))?.id).toBe(soon);
    const own = await listPatientAppointments(ctx(patient.actor));
    expect(own.map((r) => r.id)).toEqual([done, old, today, soon, off]);
    // What is closed has no deadline.
    expect(own.filter(({ id }) => id === done || id === off).map(({ cancelBy }) => cancelBy)).toEqual([null, null]);
    expect(await listPatientAppointments(ctx((await makePatient(db)).actor))).toEqual([]);
  });
  it("the next patient is the next open visit of the day, then visits that were skipped, of this doctor and day only", async () => {
    const [doctor, other] = [await makeDoctor(db), await makeDoctor(db)];
    const patient = await makePatient(db);
    const visit = async (time: string, status: AppointmentStatus = "accepted", whose = doctor, date = DAY) => ({
      id: await makeVisit(db, { patient, doctor: whose }, { date, status, time }),
      date,
      time,
    });
    const early = await visit("09:00", "pending");
    const done = await visit("09:30", "completed");
    const now = await visit("10:00");
    await visit("10:30", "cancelled");
    const later = await visit("11:00", "pending");
    await visit("10:15", "accepted", other);
    await visit("09:00", "accepted", doctor, dayFromNow(6));
    const following = async (one: typeof now) => (await findNextOfDay(ctx(doctor.actor), one))?.id;
    expect(await following(done)).toBe(now.id);
    expect(await following(now)).toBe(later.id);
    expect(await following(later)).toBe(early.id);
    await changeAppointment(ctx(doctor.actor), { id: early.id, action: "cancel" });
    await changeAppointment(ctx(doctor.actor), { id: now.id, action: "cancel" });
    expect(await following(later)).toBeUndefined();
  });
  it("a doctor reads only their own visits, and each read is logged", async () => {
    const [doctor, other] = [await makeDoctor(db), await makeDoctor(db)];
    const patient = await makePatient(db);
    const id = await makeVisit(db, { patient, doctor }, { history: "Asthma" });
    expect(await readDoctorAppointment(ctx(doctor.actor), id)).toMatchObject({ medicalHistory: "Asthma", documents: [] });
    expect(await refusal(readDoctorAppointment(ctx(other.actor), id))).toBe("not-found");
    expect(await refusal(readDoctorAppointment(ctx(doctor.actor), "x"))).toBe("not-found");
    const log = await sql`select actor_id, person_id from audit_log where action = 'read-appointment' and subject_id = ${id}`;
    expect([...log]).toEqual([{ actor_id: doctor.id, person_id: patient.id }]);
  });
});

it("deleting a slot leaves the visit at its time unchanged", async () => {
  const doctor = await makeDoctor(db, { slots: [{ date: DAY, time: "10:00" }] });
  const { id } = await bookAppointment(ctx((await makePatient(db)).actor), wish(doctor.id));
  await db.delete(availabilitySlots).where(eq(availabilitySlots.doctorId, doctor.id));
  expect((await rowOf(id)).status).toBe("pending");
});

describe("a doctor who cancels because they are not available at that time", () => {
  const at = { date: dayFromNow(8), time: "10:00" };
  const free = async (doctorId: string) =>
    (await db.select().from(availabilitySlots).where(eq(availabilitySlots.doctorId, doctorId))).map(({ time }) => time.slice(0, 5)).sort();
  it.each([
    ["busy", ["11:00"]],
    ["unwell", ["10:00", "11:00"]],
    [undefined, ["10:00", "11:00"]],
  ] as const)("with the reason %s leaves %j to be booked", async (reason, left) => {
    const doctor = await makeDoctor(db, { slots: [at, { ...at, time: "11:00" }] });
    const id = await makeVisit(db, { patient: await makePatient(db), doctor }, { ...at, status: "accepted" });
    await changeAppointment(ctx(doctor.actor), { id, action: "cancel", ...(reason && { reason }) });
    expect(await free(doctor.id)).toEqual(left);
  });
  it("keeps a time that another patient has too", async () => {
    const doctor = await makeDoctor(db, { slots: [at] });
    const [one, other] = [await makePatient(db), await makePatient(db)];
    await db.update(availabilitySlots).set({ seats: 2 }).where(eq(availabilitySlots.doctorId, doctor.id));
    const id = await makeVisit(db, { patient: one, doctor }, { ...at, status: "accepted" });
    await makeVisit(db, { patient: other, doctor }, { ...at, status: "accepted" });
    await changeAppointment(ctx(doctor.actor), { id, action: "cancel", reason: "busy" });
    expect(await free(doctor.id)).toEqual(["10:00"]);
  });
});

it.each(["pending", "accepted"] as const)("a patient cancels what is %s after its time, hours and place were removed", async (status) => {
  const at = { date: dayFromNow(8), time: "10:00" };
  const doctor = await makeDoctor(db, { slots: [at] });
  const patient = await makePatient(db);
  const id = await makeVisit(db, { patient, doctor }, { ...at, status });
  await db.delete(availabilitySlots).where(eq(availabilitySlots.doctorId, doctor.id));
  await sql`delete from practice_hours where practice_id in (select id from practices where doctor_id = ${doctor.id})`;
  await sql`update doctors set hospital_id = null where id = ${doctor.id}`;
  expect((await getPatientAppointment(ctx(patient.actor), id)).cancellable).toBe(true);
  expect((await listPatientAppointments(ctx(patient.actor))).map((one) => [one.id, one.cancellable])).toEqual([[id, true]]);
  await changeAppointment(ctx(patient.actor), { id, action: "cancel" });
  expect((await rowOf(id)).status).toBe("cancelled");
});
