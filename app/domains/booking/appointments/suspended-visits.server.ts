import { and, asc, eq, inArray, type SQL, sql } from "drizzle-orm";
import { doctorNames } from "#app/db/in-language.server.ts";
import { appointments, doctors, reminders } from "#app/db/schema/index.ts";
import { APPOINTMENT_ACTIONS } from "#app/domains/appointment.state.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { recordReads } from "#app/domains/platform/audit/record.server.ts";
import { type Change, recordChanges } from "#app/domains/platform/changes/record-change.server.ts";
import type { NotificationParams } from "#app/domains/platform/notifications/kinds.ts";
import { patientNameWord } from "#app/domains/platform/users/deleted-name.ts";
import { changedAt, hasNotPassed, openVisit } from "#app/domains/visit-time.server.ts";
import { minuteInIndia } from "#app/domains/visit-time.ts";
import { lockSessionsOf } from "#app/domains/waiting-room/queue/lock-session.server.ts";
import { instantInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import type { Target } from "#app/lib/targets.ts";
import { doctorParams } from "#app/lib/translations.ts";
import { m } from "#app/paraglide/messages.js";
import { followCancellation } from "./follow-cancellation.server.ts";
import { type SuspendedVisits, VISITS_LISTED } from "./suspended-visits.schema.ts";

/** Bounds the locks and messages of a transaction. The administrator repeats the action for the rest. */
export const VISITS_AT_ONCE = 200;

type Input = Omit<SuspendedVisits, "intent"> & { doctorId: string };
/** `left`: visits beyond VISITS_AT_ONCE. `skipped`: chosen visits that are no longer open, or whose patient was asked before. */
export type VisitsChanged = { doctor: string; changed: number; skipped: number; left: number };
type Visit = { id: string; hospitalId: string | null; patientId: string; patient: string; date: string; time: string };

/**
 * Cancels upcoming visits of a suspended doctor and notifies each patient with the reason. Skips visits that the patient
 * cancelled meanwhile. Idempotent.
 * @throws DomainError("forbidden" | "not-found" | "conflict")
 */
export const cancelSuspendedVisits = (ctx: Ctx<Actor>, input: Input): Promise<VisitsChanged> =>
  changeVisits(ctx, input, "appointment.cancel", async (tx, visit, about) => {
    // The condition serializes with a cancellation by the patient.
    const [row] = await tx.db
      .update(appointments)
      .set({
        status: APPOINTMENT_ACTIONS.cancel.to,
        cancelledAt: tx.now,
        cancelledBy: tx.actor.role,
        cancelReason: input.reason,
        refundOwed: true,
        updatedAt: changedAt(tx.now),
      })
      .where(and(eq(appointments.id, visit.id), openVisit(appointments)))
      .returning({ id: appointments.id });
    if (!row) return null;
    const followed = await followCancellation(tx, { id: visit.id, doctorId: input.doctorId, refundOwed: true });
    return {
      ...about,
      people: { patient: visit.patientId, doctor: input.doctorId, actor: null },
      place: visit.hospitalId,
      data: { to: APPOINTMENT_ACTIONS.cancel.to, date: visit.date, time: visit.time },
      details: { ...about.details, ...followed },
      notify: { patient: { kind: "appointment-cancelled-for-you", ...about.notice }, doctor: null },
    };
  });

/**
 * Asks the patients of upcoming visits to choose another doctor. The visits stay booked. Asks once for each visit: the row in
 * `reminders` decides.
 * @throws DomainError("forbidden" | "not-found" | "conflict")
 */
export const askToChooseAgain = (ctx: Ctx<Actor>, input: Input): Promise<VisitsChanged> =>
  changeVisits(ctx, { ...input, only: notAsked }, "ask-to-choose-again", async (tx, visit, about) => {
    const startsAt = instantInIndia(visit.date, visit.time);
    const [first] = await tx.db
      .insert(reminders)
      .values({ appointmentId: visit.id, kind: "choose-again", startsAt, createdAt: tx.now })
      .onConflictDoNothing()
      .returning({ id: reminders.appointmentId });
    return first ? { ...about, people: { patient: visit.patientId }, notify: { patient: about.notice } } : null;
  });
const notAsked = sql`not exists (select from ${reminders} r where r.appointment_id = ${appointments.id} and r.kind = 'choose-again')`;

/** Returns the upcoming visits of a suspended doctor, soonest first. Writes an audit row for each patient. */
export async function listSuspendedVisits(ctx: Ctx<Actor>, doctorId: string) {
  if (ctx.actor.role !== "admin") throw new DomainError("forbidden");
  const rows = await ctx.db
    .select({
      id: appointments.id,
      date: appointments.date,
      time: appointments.time,
      status: appointments.status,
      patientId: appointments.patientId,
      patientName: appointments.patientName,
      patientPhone: appointments.patientPhone,
      askedAt: reminders.createdAt,
      total: sql<number>`(count(*) over ())::int`,
    })
    .from(appointments)
    .leftJoin(reminders, and(eq(reminders.appointmentId, appointments.id), eq(reminders.kind, "choose-again")))
    .where(openVisits(ctx, doctorId))
    .orderBy(asc(appointments.date), asc(appointments.time))
    .limit(VISITS_LISTED);
  await recordReads(
    ctx,
    rows.map(({ id, patientId }) => ({
      action: "read-coming-visit",
      subjectType: "appointment",
      subjectId: id,
      personId: patientId,
      details: { doctorId },
    })),
  );
  return {
    total: rows[0]?.total ?? 0,
    rows: rows.map(({ total: _, patientId: __, ...visit }) => ({
      ...visit,
      time: visit.time.slice(0, 5),
      patientName: patientNameWord(visit.patientName),
    })),
  };
}

/** Returns the condition for open upcoming visits of this doctor. */
const openVisits = (ctx: Ctx, doctorId: string) =>
  and(eq(appointments.doctorId, doctorId), openVisit(appointments), hasNotPassed(appointments, minuteInIndia(ctx.now)));

/** What the changes of a visit have in common. */
type About = {
  subject: { appointment: string };
  details: Record<string, unknown>;
  notice: { params: NotificationParams; target: Target };
};

/** Locks the doctor and then the visits in the order of their ids, as every command that locks several. */
function changeVisits<K extends "appointment.cancel" | "ask-to-choose-again">(
  ctx: Ctx<Actor>,
  { doctorId, all, visits, reason, note, only }: Input & { only?: SQL },
  kind: K,
  change: (tx: Ctx<Actor>, visit: Visit, about: About) => Promise<Change<K> | null>,
): Promise<VisitsChanged> {
  return transact(ctx, async (tx) => {
    if (tx.actor.role !== "admin") throw new DomainError("forbidden");
    if (!isUuid(doctorId)) throw new DomainError("not-found");
    // Serializes with a reinstatement of the doctor.
    const [doctor] = await tx.db
      .select({ ...doctorNames, status: doctors.registrationStatus, category: doctors.category, hospitalId: doctors.hospitalId })
      .from(doctors)
      .where(eq(doctors.id, doctorId))
      .for("update");
    if (!doctor) throw new DomainError("not-found");
    if (doctor.status !== "suspended") throw new DomainError("conflict", m.admin_visits_not_suspended({ doctor: doctor.name }));
    const open = and(openVisits(tx, doctorId), only);
    const found = await tx.db
      .select({
        id: appointments.id,
        patientId: appointments.patientId,
        patient: appointments.patientName,
        date: appointments.date,
        time: appointments.time,
      })
      .from(appointments)
      .where(all ? open : and(open, inArray(appointments.id, visits)))
      .orderBy(asc(appointments.id))
      .limit(VISITS_AT_ONCE)
      .for("update");
    const target: Target = { page: "doctors-of-category", id: doctor.category };
    await lockSessionsOf(
      tx,
      found.map(({ id }) => id),
    );
    const changes: Change<K>[] = [];
    for (const row of found) {
      const visit = { ...row, hospitalId: doctor.hospitalId, time: row.time.slice(0, 5) };
      const { id, patient, date, time } = visit;
      const params = { ...doctorParams(doctor), patient, date, time, why: reason, note: note ?? "", appointment: id };
      const about = { subject: { appointment: id }, details: { doctorId, date, time }, notice: { params, target } };
      const made = await change(tx, visit, about);
      if (made) changes.push(made);
    }
    await recordChanges(tx, kind, changes);
    const changed = changes.length;
    const asked = all ? found.length : new Set(visits).size;
    const left = all && found.length === VISITS_AT_ONCE ? await tx.db.$count(appointments, open) : 0;
    return { doctor: doctor.name, changed, skipped: asked - changed, left };
  });
}
