import { and, desc, eq, inArray, isNotNull, lt, or, sql } from "drizzle-orm";
import { appointments, files, messageThreads, notifications, otpChallenges, patients, reviews, users } from "#app/db/schema/index.ts";
import { allPolicies, emptiedValues, policyOf } from "#app/db/schema/policy.ts";
import { cancelWithAccount } from "#app/domains/booking/appointments/change-appointment.server.ts";
import { withdrawAllReviews } from "#app/domains/booking/reviews/save-review.server.ts";
import { endEntriesWithAccount } from "#app/domains/booking/waitlist/end-entries.server.ts";
import { listLiveEntriesOf } from "#app/domains/booking/waitlist/entries.server.ts";
import { lockWaitlists } from "#app/domains/booking/waitlist/lock.server.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { lockRatings } from "#app/domains/directory/ratings.server.ts";
import { endSessionsOf } from "#app/domains/platform/accounts/sessions.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { discardDraftsOf } from "#app/domains/visit/encounters/discard-drafts-of.server.ts";
import { changedAt, hasNotPassed, openVisit } from "#app/domains/visit-time.server.ts";
import { minuteInIndia } from "#app/domains/visit-time.ts";
import { forgetInQueues } from "#app/domains/waiting-room/queue/forget-patient.server.ts";
import { lockSessionsOf } from "#app/domains/waiting-room/queue/lock-session.server.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { days } from "#app/lib/durations.ts";
import { pathOf } from "#app/lib/targets.ts";
import { DELETED_NAME } from "#app/lib/vocabulary.ts";
import { isOwn } from "./policies.server.ts";

/** SQL: open and in the future. */
const toCome = (ctx: Ctx<Actor>) =>
  and(eq(appointments.patientId, ctx.actor.userId), openVisit(appointments), hasNotPassed(appointments, minuteInIndia(ctx.now)));

/** Counts the visits that deleting the acting patient's account would cancel. */
export const countVisitsToCome = (ctx: Ctx<Actor>): Promise<number> => ctx.db.$count(appointments, toCome(ctx));

/**
 * Account deletion: erases the acting patient's identity, health data, documents and all references to them. What happens to each column of
 * personal data is declared by `ofPatients` under its table (db/schema/policy.ts). Cancels upcoming visits and
 * notifies their doctors. Ends sessions. The phone is free for a new account. docs/privacy.md lists what stays, and why.
 * Idempotent. Deletes stored files after the commit; the hourly sweep deletes the rest.
 * @throws DomainError("forbidden")
 */
export async function deleteAccount(ctx: Ctx<Actor>): Promise<void> {
  if (ctx.actor.role !== "patient") throw new DomainError("forbidden");
  await transact(ctx, (tx) => erase(tx));
  await removeFiles(ctx);
}

/** How long after its last appointment an unclaimed account is stored: a patient may call again. */
export const UNCLAIMED_FOR = days(180);

/**
 * Deletes unclaimed accounts whose last appointment was longer ago than `UNCLAIMED_FOR`, like an account that its owner deletes. Those in the
 * register of a clinic stay with it. Run by the hourly sweep.
 * @returns the number of deleted accounts
 */
export async function sweepUnclaimed(ctx: Ctx): Promise<number> {
  const since = new Date(ctx.now.getTime() - UNCLAIMED_FOR);
  const recent = sql`exists (select from appointments a where a.patient_id = patients.id and a.date >= ${todayInIndia(since)})`;
  const registered = sql`exists (select from clinic_patients c where c.patient_id = patients.id)`;
  const old = await ctx.db
    .select({ id: patients.id })
    .from(patients)
    .where(and(lt(patients.unclaimedSince, since), sql`not ${recent}`, sql`not ${registered}`))
    .limit(50);
  for (const { id } of old)
    await transact({ ...ctx, actor: { userId: id, role: "patient" as const } }, (tx) => erase(tx, { unclaimed: true }));
  return old.length;
}

/** @param only `unclaimed`: does nothing once the owner of the phone has logged in */
async function erase(tx: Ctx<Actor>, only: { unclaimed: boolean } = { unclaimed: false }): Promise<void> {
  const { userId } = tx.actor;
  const mine = eq(appointments.patientId, userId);
  // Conversations first: a message locks its own before whatever its command changes. WhatsApp before SMS, as what failed there.
  await tx.db
    .select({ id: messageThreads.id })
    .from(messageThreads)
    .where(inArray(messageThreads.phone, tx.db.select({ phone: users.phone }).from(users).where(eq(users.id, userId))))
    .orderBy(desc(messageThreads.channel))
    .for("update");
  // Then reviewed doctors, then waitlists, then visits, then the account, in the order of every other command.
  const reviewed = await tx.db
    .select({ id: reviews.id, doctorId: reviews.doctorId })
    .from(reviews)
    .where(eq(reviews.patientId, userId))
    .orderBy(reviews.doctorId);
  for (const { id, doctorId } of reviewed) await lockRatings(tx, doctorId, id);
  const booked = await tx.db.selectDistinct({ doctorId: appointments.doctorId }).from(appointments).where(toCome(tx));
  const waiting = await listLiveEntriesOf(tx, userId);
  await lockWaitlists(
    tx,
    [...booked, ...waiting].map(({ doctorId }) => doctorId),
  );
  await tx.db.select({ id: appointments.id }).from(appointments).where(mine).orderBy(appointments.id).for("update");
  const [user] = await tx.db.select({ status: users.status, phone: users.phone }).from(users).where(eq(users.id, userId)).for("update");
  if (!user || user.status === "deleted") return;
  if (only.unclaimed && !(await tx.db.$count(patients, and(eq(patients.id, userId), isNotNull(patients.unclaimedSince))))) return;
  // Read after locking, when concurrent bookings have finished.
  const visits = await tx.db
    .update(appointments)
    .set({ ...emptiedValues(appointments), updatedAt: changedAt(tx.now) })
    .where(mine)
    .returning({ id: appointments.id, doctorId: appointments.doctorId });
  const open = await tx.db.select({ id: appointments.id }).from(appointments).where(toCome(tx)).orderBy(appointments.id);
  await endEntriesWithAccount(tx);
  await lockSessionsOf(
    tx,
    open.map(({ id }) => id),
    userId,
  );
  for (const { id } of open) await cancelWithAccount(tx, id);
  await withdrawAllReviews(tx);
  await forgetInQueues(tx);
  await discardDraftsOf(tx, userId);
  if (visits.length) await forgetInNotices(tx, visits);
  await removeRows(tx);
  if (user.phone)
    await tx.db.delete(otpChallenges).where(and(eq(otpChallenges.phone, user.phone), eq(otpChallenges.purpose, "patient-login")));
  // Also what the phone wrote before it had this account.
  if (user.phone) await tx.db.delete(messageThreads).where(eq(messageThreads.phone, user.phone));
  await tx.db
    .update(patients)
    .set({ ...emptiedValues(patients), updatedAt: tx.now })
    .where(eq(patients.id, userId));
  // Dated back, so that the sweep deletes them even if this process ends.
  const stored = await tx.db
    .update(files)
    .set({ status: "pending", createdAt: new Date(0), originalName: sql`''` })
    .where(eq(files.ownerId, userId))
    .returning({ id: files.id });
  await tx.db
    .update(users)
    .set({ status: "deleted", ...emptiedValues(users), updatedAt: tx.now })
    .where(eq(users.id, userId));
  const ended = await endSessionsOf(tx, userId);
  await recordChange(only.unclaimed ? { ...tx, actor: null } : tx, only.unclaimed ? "remove-unclaimed-account" : "delete-account", {
    people: { user: userId },
    details: { visitsCancelled: open.length, files: stored.length, sessionsEnded: ended },
  });
}

/** Deletes the rows that the policies of their tables remove. Rows of such a row are deleted with it, by the database. */
async function removeRows(tx: Ctx<Actor>): Promise<void> {
  for (const [table, { rows, ...policy }] of allPolicies()) {
    if (rows !== "removed" || ("command" in policy && policy.command)) continue;
    const { owner } = policyOf(table);
    if (typeof owner === "object" && policyOf(owner.of).rows === "removed") continue;
    await tx.db.delete(table).where(isOwn(tx.db, table, tx.actor.userId));
  }
}

/** Removes the patient's name from doctors' notifications about these visits. */
async function forgetInNotices(tx: Ctx<Actor>, visits: { id: string; doctorId: string }[]): Promise<void> {
  const named = visits.map(({ id, doctorId }) =>
    and(eq(notifications.userId, doctorId), sql`${notifications.targetPath} = ${pathOf({ page: "doctor-visit", id })}`),
  );
  await tx.db
    .update(notifications)
    .set({ params: sql`jsonb_set(${notifications.params}, '{patient}', to_jsonb(${DELETED_NAME}::text))` })
    .where(and(sql`${notifications.params} ? 'patient'`, or(...named)));
}

/** Deletes bytes first, then rows, as the sweep does. */
async function removeFiles(ctx: Ctx<Actor>): Promise<void> {
  const gone = and(eq(files.ownerId, ctx.actor.userId), eq(files.status, "pending"));
  const stored = await ctx.db.select({ key: files.storageKey }).from(files).where(gone);
  try {
    for (const { key } of stored) await ctx.integrations.storage.remove(key);
    await ctx.db.delete(files).where(gone);
  } catch (error) {
    // The storage is unavailable: the hourly sweep deletes rows and bytes.
    if (!(error instanceof DomainError && error.code === "unavailable")) throw error;
  }
}
