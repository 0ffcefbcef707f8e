import { and, between, eq, isNull, or, sql } from "drizzle-orm";
import { encounters } from "#app/db/schema/index.ts";
import { type Ctx, transact } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import type { AppointmentQueries } from "#app/domains/platform/delivery/deliver.server.ts";
import { addDays, type DateKey, daysBetween, timeInIndia, todayInIndia } from "#app/lib/dates.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { doctorParams } from "#app/lib/translations.ts";
import { hasComeBack, selectFollowUps } from "./follow-ups.server.ts";

/** Reminders are sent and delivered in these hours in India only. */
const FROM = "09:00";
const UNTIL = "20:00";
const isDaytime = (now: Date) => timeInIndia(now) >= FROM && timeInIndia(now) < UNTIL;

/** Days before the day of the next visit: enough to find a free time. A doctor who wants to see the patient within a week knows it better. */
const LEAD = 3;
const SHORT_LEAD = 1;

/** Returns the first day of the reminder; null when the doctor asked for the very next day. */
export function reminderDay({ visitedOn, on }: { visitedOn: DateKey; on: DateKey }): DateKey | null {
  const days = daysBetween(visitedOn, on);
  if (days <= SHORT_LEAD) return null;
  return addDays(on, days >= 7 ? -LEAD : -SHORT_LEAD);
}

/** SQL: the account is open, and its owner has logged in. */
const claimed = sql`exists ${sql`(select from patients p join users u on u.id = p.id where p.id = ${encounters.patientId} and p.unclaimed_since is null and u.status = 'active')`}`;
const notReminded = or(isNull(encounters.followUpReminded), sql`${encounters.followUpReminded} <> ${encounters.followUpOn}`);

/**
 * Reminds patients once of the next visit that a doctor asked for, in daytime and before its day, unless it is booked. The update of the visit
 * and the notification are one transaction, so that two processes send nothing twice. Another day is a new reminder.
 */
export async function remindFollowUps(ctx: Ctx): Promise<number> {
  if (!isDaytime(ctx.now)) return 0;
  const today = todayInIndia(ctx.now);
  const due = await selectFollowUps(
    ctx,
    and(between(encounters.followUpOn, addDays(today, 1), addDays(today, LEAD)), notReminded, claimed),
  ).limit(1000);
  let sent = 0;
  for (const { visitId, visitedOn, on } of due) {
    if (!on) continue;
    const day = reminderDay({ visitedOn, on });
    if (day !== null && day <= today && (await remind(ctx, visitId, on))) sent++;
  }
  return sent;
}

function remind(ctx: Ctx, visitId: string, on: DateKey): Promise<boolean> {
  return transact(ctx, async (tx) => {
    const [first] = await tx.db
      .update(encounters)
      .set({ followUpReminded: on })
      .where(and(eq(encounters.id, visitId), eq(encounters.followUpOn, on), notReminded))
      .returning({ id: encounters.id });
    if (!first) return false;
    const [visit] = await selectFollowUps(tx, eq(encounters.id, visitId));
    if (!visit?.patientId || (await hasComeBack(tx, visit))) return false;
    const { patientId, appointmentId, names, patient } = visit;
    const params = {
      ...doctorParams(names),
      patient: patient.name,
      date: on,
      visit: visitId,
      ...(appointmentId && { appointment: appointmentId }),
    };
    const target = appointmentId ? ({ page: "patient-appointment", id: appointmentId } as const) : ({ page: "patient-dashboard" } as const);
    await recordChange(tx, "remind-of-follow-up", { people: { patient: patientId }, notify: { patient: { params, target } } });
    return true;
  });
}

/** Returns true while the day of a follow-up is ahead, the doctor still wants it, and nothing is booked. Nothing is delivered at night. */
async function isFollowUpDue(ctx: Ctx, { visit, date }: Record<string, string>): Promise<boolean> {
  if (!isUuid(visit) || !date || date <= todayInIndia(ctx.now) || !isDaytime(ctx.now)) return false;
  const [row] = await selectFollowUps(ctx, and(eq(encounters.id, visit), eq(encounters.followUpOn, date)));
  return row !== undefined && !(await hasComeBack(ctx, row));
}

/** What the delivery of notifications asks, with follow-ups. */
export const withFollowUps = (queries: AppointmentQueries): AppointmentQueries => ({
  ...queries,
  isReminderDue: (ctx, params) => (params.visit ? isFollowUpDue(ctx, params) : queries.isReminderDue(ctx, params)),
});
