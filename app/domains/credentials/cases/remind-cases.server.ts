import { and, eq, inArray, lte, sql } from "drizzle-orm";
import { CASE_STEPS, caseReminders, doctors, hospitals } from "#app/db/schema/index.ts";
import { type Ctx, transact } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import { days } from "#app/lib/durations.ts";
import { forEachAlone } from "#app/lib/for-each-alone.ts";
import { assigneeId, waitingSince } from "./assignee.server.ts";
import { LATE_AFTER, WAITING } from "./case-lists.ts";
import { listAdmins, listReviewers } from "./move-case.server.ts";

type Step = (typeof CASE_STEPS)[number];
/** How long a case waits for each step. Doctors are told that a decision takes one to three days. */
const AFTER: Record<Step, number> = { first: days(1), second: days(2), escalated: LATE_AFTER };
/** Bounds a run. The next one goes on. */
const AT_ONCE = 500;

/** Returns the steps that a case has reached, in order. */
const reachedSteps = (waited: number): Step[] => CASE_STEPS.filter((step) => waited >= AFTER[step]);

/**
 * Reminds of cases that wait: first and second the assigned reviewer, or all reviewers of the hospital; then the administrators, with the
 * reviewers. Each step once: its row in `case_reminders` and the notifications are one transaction. After an outage only the last step
 * reached is sent. @returns how many cases were reminded of
 */
export async function remindCases(ctx: Ctx): Promise<number> {
  const sent = sql<number>`(select count(*)::int from case_reminders r where r.doctor_id = doctors.id and r.since = ${waitingSince})`;
  const due = await ctx.db
    .select({ id: doctors.id, since: waitingSince, sent })
    .from(doctors)
    .where(and(inArray(doctors.registrationStatus, [...WAITING]), lte(waitingSince, new Date(ctx.now.getTime() - AFTER.first))))
    .orderBy(sent, waitingSince)
    .limit(AT_ONCE);
  let reminded = 0;
  const open = due.filter(({ since, sent }) => since && reachedSteps(ctx.now.getTime() - since.getTime()).length > sent);
  await forEachAlone(open, async ({ id, since }) => {
    if (since && (await remind(ctx, id, since))) reminded++;
  });
  return reminded;
}

function remind(ctx: Ctx, doctorId: string, since: Date): Promise<boolean> {
  return transact(ctx, async (tx) => {
    // Serializes with a decision and with another worker.
    await tx.db.select({ id: doctors.id }).from(doctors).where(eq(doctors.id, doctorId)).for("no key update");
    const [found] = await tx.db
      .select({
        status: doctors.registrationStatus,
        name: doctors.fullName,
        hospitalId: doctors.hospitalId,
        hospital: hospitals.name,
        since: waitingSince,
        assignedTo: assigneeId,
      })
      .from(doctors)
      .leftJoin(hospitals, eq(hospitals.id, doctors.hospitalId))
      .where(eq(doctors.id, doctorId));
    if (!found || !WAITING.includes(found.status) || found.since?.getTime() !== since.getTime()) return false;
    const added = await tx.db
      .insert(caseReminders)
      .values(reachedSteps(tx.now.getTime() - since.getTime()).map((step) => ({ doctorId, since, step, createdAt: tx.now })))
      .onConflictDoNothing()
      .returning({ step: caseReminders.step });
    if (!added.length) return false;
    const late = added.some(({ step }) => step === "escalated");
    const params = { doctor: found.name, hospital: found.hospital ?? "", date: todayInIndia(since) };
    const atHospital = found.status === "under review by hospital";
    const all = atHospital && found.hospitalId ? await listReviewers(tx, found.hospitalId) : [];
    const reviewers = atHospital && found.assignedTo && !late ? [found.assignedTo] : all;
    // A hospital without reviewers has no one else to remind.
    const administrators = late || !reviewers.length ? await listAdmins(tx) : [];
    const kind = atHospital ? "case-late" : "case-reminder";
    await recordChange(tx, "remind-of-case", {
      people: { reviewers, administrators },
      notify: {
        reviewers: { params, target: { page: "reviewer-case", id: doctorId } },
        administrators: { kind, params, target: { page: "admin-case", id: doctorId } },
      },
    });
    return true;
  });
}
