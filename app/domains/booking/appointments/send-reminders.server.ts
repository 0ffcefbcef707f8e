import { and, asc, between, eq, inArray, sql } from "drizzle-orm";
import { doctorNames } from "#app/db/in-language.server.ts";
import { appointments, doctors, reminders } from "#app/db/schema/index.ts";
import { type Ctx, transact } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { openVisit } from "#app/domains/visit-time.server.ts";
import { hasStarted } from "#app/domains/visit-time.ts";
import { tokenNotice } from "#app/domains/waiting-room/token-page/row-estimates.server.ts";
import { instantInIndia, todayInIndia } from "#app/lib/dates.ts";
import { hours } from "#app/lib/durations.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { doctorParams } from "#app/lib/translations.ts";
import { invitationFor } from "./own-calendar-file.server.ts";

/** Reminders are sent a day before and two hours before. */
export const DAY_BEFORE = hours(24);
export const HOURS_BEFORE = hours(2);
/** After an outage no "tomorrow" reminder is sent for a visit in less than this time. */
const DAY_ENDS = hours(12);

/** SQL: the doctor has not offered other times because of being away at the booked one. */
const notAway = sql`not ${sql`exists (select from appointment_proposals p where p.appointment_id = ${appointments.id} and p.state = 'proposed' and p.away_reason is not null)`}`;

/** SQL: the account's owner has logged in, or has written from its phone. A phone that only the clinic typed gets the messages about changes, and no reminders. */
const claimed = sql`not ${sql`exists (select from patients p where p.id = ${appointments.patientId} and p.unclaimed_since is not null and not exists (select from message_threads t where t.patient_id = p.id))`}`;

/** Returns the reminder that is due for a visit now; null for none. */
export function dueReminder(visit: { startsAt: Date; bookedAt: Date }, now: Date): "day" | "hours" | null {
  const left = visit.startsAt.getTime() - now.getTime();
  if (left <= 0 || left > DAY_BEFORE) return null;
  if (left <= HOURS_BEFORE) return visit.startsAt.getTime() - visit.bookedAt.getTime() > HOURS_BEFORE ? "hours" : null;
  // A visit booked less than a day before needs no reminder of the day before.
  return left > DAY_ENDS && visit.startsAt.getTime() - visit.bookedAt.getTime() > DAY_BEFORE ? "day" : null;
}

/**
 * Sends each appointment reminder that is due (`dueReminder`), once: the row in `reminders` and the notification are one transaction, so
 * that two processes, a restart or a second run send nothing twice. A rescheduled visit has another instant and therefore new reminders. A
 * cancelled visit has none.
 */
export async function sendAppointmentReminders(ctx: Ctx): Promise<number> {
  const last = new Date(ctx.now.getTime() + DAY_BEFORE);
  const coming = await ctx.db
    .select({ id: appointments.id, date: appointments.date, time: appointments.time, bookedAt: appointments.createdAt })
    .from(appointments)
    .where(and(openVisit(appointments), between(appointments.date, todayInIndia(ctx.now), todayInIndia(last)), notAway, claimed))
    .orderBy(asc(appointments.date), asc(appointments.time));
  let sent = 0;
  for (const visit of await withoutSent(
    ctx,
    coming.flatMap((row) => dueOf(row, ctx.now)),
  ))
    if (await remind(ctx, visit)) sent++;
  return sent;
}

type Due = { id: string; date: string; time: string; startsAt: Date; kind: "day" | "hours" };

function dueOf(row: { id: string; date: string; time: string; bookedAt: Date }, now: Date): Due[] {
  const startsAt = instantInIndia(row.date, row.time);
  const kind = dueReminder({ startsAt, bookedAt: row.bookedAt }, now);
  return kind ? [{ id: row.id, date: row.date, time: row.time, startsAt, kind }] : [];
}

/** Skips reminders sent before, to save transactions. The row decides. */
async function withoutSent(ctx: Ctx, due: Due[]): Promise<Due[]> {
  if (due.length === 0) return [];
  const sent = await ctx.db
    .select()
    .from(reminders)
    .where(
      inArray(
        reminders.appointmentId,
        due.map(({ id }) => id),
      ),
    );
  const keys = new Set(sent.map((s) => `${s.appointmentId} ${s.kind} ${s.startsAt.getTime()}`));
  return due.filter(({ id, kind, startsAt }) => !keys.has(`${id} ${kind} ${startsAt.getTime()}`));
}

function remind(ctx: Ctx, { id, date, time, startsAt, kind }: Due): Promise<boolean> {
  return transact(ctx, async (tx) => {
    // Reads the current state under a lock, to serialize with a cancellation.
    const [visit] = await tx.db
      .select({
        patientId: appointments.patientId,
        doctorId: appointments.doctorId,
        patient: appointments.patientName,
        status: appointments.status,
        token: appointments.token,
        expectedTime: appointments.expectedTime,
      })
      .from(appointments)
      .where(and(eq(appointments.id, id), eq(appointments.date, date), eq(appointments.time, time), openVisit(appointments), notAway))
      .for("update");
    if (!visit) return false;
    const first = await tx.db
      .insert(reminders)
      .values({ appointmentId: id, kind, startsAt, createdAt: tx.now })
      .onConflictDoNothing()
      .returning({ id: reminders.appointmentId });
    if (first.length === 0) return false;
    const [doctor] = await tx.db.select(doctorNames).from(doctors).where(eq(doctors.id, visit.doctorId));
    const params = {
      ...doctorParams(doctor),
      patient: visit.patient,
      date,
      time: time.slice(0, 5),
      appointment: id,
      ...(await tokenNotice(tx, id, visit)),
    };
    const text = kind === "day" ? "appointment-reminder-day" : "appointment-reminder-hours";
    // The doctor has the day's list. Reminds the doctor only of requests that are still pending.
    const unanswered = kind === "day" && visit.status === "pending";
    await recordChange(tx, "remind-of-appointment", {
      people: { patient: visit.patientId, doctor: visit.doctorId },
      notify: {
        patient: { kind: text, params, target: { page: "patient-appointment", id } },
        doctor: unanswered ? { params, target: { page: "doctor-visit", id } } : null,
      },
    });
    return true;
  });
}

/**
 * Returns true while the visit of a reminder is open and in the future: it may be cancelled while a message waits in the queue.
 */
async function isReminderDue(ctx: Ctx, params: Record<string, string>): Promise<boolean> {
  const { appointment = "", date = "", time = "" } = params;
  const [row] = await ctx.db
    .select({ one: sql`1` })
    .from(appointments)
    .where(
      and(eq(appointments.id, appointment), eq(appointments.date, date), eq(appointments.time, time), openVisit(appointments), notAway),
    );
  return row !== undefined && !hasStarted(ctx.now, { date, time });
}

/** Returns true when the patient asked in the booking form for SMS about this appointment. */
async function wantsSms(ctx: Ctx, appointment: string | undefined): Promise<boolean> {
  if (!isUuid(appointment)) return false;
  const [row] = await ctx.db.select({ smsUpdates: appointments.smsUpdates }).from(appointments).where(eq(appointments.id, appointment));
  return row?.smsUpdates === true;
}

/** What the delivery of notifications asks about appointments. */
export const appointmentQueries = { isReminderDue, wantsSms, invitationFor };
