import { randomUUID } from "node:crypto";
import { and, asc, between, eq, gte, isNull } from "drizzle-orm";
import { availabilitySlots, leaves } from "#app/db/schema/index.ts";
import { opened, sealed } from "#app/db/sealed.server.ts";
import { listFreeTimes } from "#app/domains/booking/appointments/free-times.server.ts";
import { lockSchedule } from "#app/domains/booking/availability/change-slots.server.ts";
import { settleWaitlist, withoutOffers } from "#app/domains/booking/waitlist/settle.server.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { type DateKey, todayInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { auditOf, isSettled, type Settled, type Settlement, settleVisits } from "./coming-visits.server.ts";
import type { Leave } from "./hours.ts";
import { openDays } from "./open-days.server.ts";
import { lockOwnPractice } from "./own-practice.server.ts";

export type LeaveInput = {
  from: DateKey;
  until: DateKey;
  /** null: in every practice. */
  practiceId: string | null;
  /** The doctor's own note. */
  note: string | null;
} & Settlement;

/**
 * Enters a leave of the acting doctor: removes all times of its days, so that no time is open in it, also after a later cancellation. Cancels or
 * moves the appointments in it, offers their patients times after it, or keeps them. The same leave again is a second press, or decides about
 * appointments that it kept.
 * @throws DomainError("not-found" | "conflict" when patients booked or cancelled meanwhile, or a chosen time is gone)
 */
export function enterLeave(ctx: Ctx<Actor>, input: LeaveInput): Promise<Settled> {
  const doctorId = ctx.actor.userId;
  const { from, until } = input;
  return transact(ctx, async (tx) => {
    await lockSchedule(tx, doctorId);
    const practiceId = input.practiceId === null ? null : (await lockOwnPractice(tx, input.practiceId)).id;
    const entered = await findSame(tx, { practiceId, from, until });
    if (entered && (await isSettled(tx, { practiceId, from, until }, input.booked))) return { cancelled: 0, moved: 0, offered: 0 };
    const id = randomUUID();
    if (!entered)
      await tx.db
        .insert(leaves)
        .values({ id, doctorId, practiceId, from, until, reason: sealed(leaves.reason, id, input.note), createdAt: tx.now });
    // Deleting a time waits for a booking under way.
    await tx.db
      .delete(availabilitySlots)
      .where(
        and(
          eq(availabilitySlots.doctorId, doctorId),
          practiceId ? eq(availabilitySlots.practiceId, practiceId) : undefined,
          between(availabilitySlots.date, from, until),
        ),
      );
    const free = await listFreeTimes(tx, { doctorId, after: until });
    const settled = await withoutOffers(tx, () => settleVisits(tx, { practiceId, from, until }, input, free));
    await settleWaitlist(tx, doctorId);
    const details = { from, until, ...auditOf(settled), ...(practiceId && { practice: practiceId }) };
    await recordChange(tx, "enter-leave", { people: { doctor: doctorId }, details });
    return settled;
  });
}

/** Returns true if the acting doctor has entered the same leave already. */
async function findSame(tx: Ctx<Actor>, { practiceId, from, until }: Pick<LeaveInput, "practiceId" | "from" | "until">): Promise<boolean> {
  const place = practiceId === null ? isNull(leaves.practiceId) : eq(leaves.practiceId, practiceId);
  const same = and(eq(leaves.doctorId, tx.actor.userId), place, eq(leaves.from, from), eq(leaves.until, until), isNull(leaves.endedAt));
  return (await tx.db.$count(leaves, same)) > 0;
}

/** Ends a leave of the acting doctor. The weekly hours open its coming days again. A second press does nothing. @throws DomainError("not-found") */
export function endLeave(ctx: Ctx<Actor>, id: string | undefined): Promise<void> {
  if (!isUuid(id)) return Promise.reject(new DomainError("not-found"));
  const doctorId = ctx.actor.userId;
  return transact(ctx, async (tx) => {
    await lockSchedule(tx, doctorId);
    const [ended] = await tx.db
      .update(leaves)
      .set({ endedAt: tx.now })
      .where(and(eq(leaves.id, id), eq(leaves.doctorId, doctorId), isNull(leaves.endedAt)))
      .returning({ from: leaves.from, until: leaves.until });
    if (!ended) {
      if (await tx.db.$count(leaves, and(eq(leaves.id, id), eq(leaves.doctorId, doctorId)))) return;
      throw new DomainError("not-found");
    }
    await openDays(tx, doctorId);
    await recordChange(tx, "end-leave", { people: { doctor: doctorId }, details: ended });
  });
}

/** Returns the acting doctor's leaves from today on, in order. */
export const listLeaves = (ctx: Ctx<Actor>): Promise<Leave[]> =>
  ctx.db
    .select({
      id: leaves.id,
      practiceId: leaves.practiceId,
      from: leaves.from,
      until: leaves.until,
      note: opened(leaves.reason),
    })
    .from(leaves)
    .where(and(eq(leaves.doctorId, ctx.actor.userId), isNull(leaves.endedAt), gte(leaves.until, todayInIndia(ctx.now))))
    .orderBy(asc(leaves.from), asc(leaves.until))
    .limit(100);
