import { eq } from "drizzle-orm";
import { practices } from "#app/db/schema/index.ts";
import { lockSchedule } from "#app/domains/booking/availability/change-slots.server.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { notifyPagesChanged } from "#app/realtime/channels.server.ts";
import { reopenDays } from "./open-days.server.ts";
import { auditPractice, lockOwnPractice } from "./own-practice.server.ts";

/**
 * Changes fee, length of a time and patients per time of the acting doctor's practice. Booked appointments keep theirs. The first practice keeps
 * the fee of the profile.
 * @throws DomainError("not-found")
 */
export function changePractice(
  ctx: Ctx<Actor>,
  input: { id: string; fee?: number | null; slotMinutes: number; patientsPerSlot: number },
): Promise<void> {
  return transact(ctx, async (tx) => {
    await lockSchedule(tx, tx.actor.userId);
    const practice = await lockOwnPractice(tx, input.id);
    const { slotMinutes, patientsPerSlot } = input;
    await tx.db
      .update(practices)
      .set({ slotMinutes, patientsPerSlot, updatedAt: tx.now, ...(!practice.isFirst && { fee: input.fee ?? null }) })
      .where(eq(practices.id, practice.id));
    await reopenDays(tx, { doctorId: practice.doctorId, practiceId: practice.id });
    await auditPractice(tx, "change-practice", { practice: practice.id, slotMinutes, patientsPerSlot });
    await notifyPagesChanged(tx);
  });
}
