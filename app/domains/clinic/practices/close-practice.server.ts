import { and, eq } from "drizzle-orm";
import { availabilitySlots, practiceHours, practices } from "#app/db/schema/index.ts";
import { listFreeTimes } from "#app/domains/booking/appointments/free-times.server.ts";
import { lockSchedule } from "#app/domains/booking/availability/change-slots.server.ts";
import { settleWaitlist, withoutOffers } from "#app/domains/booking/waitlist/settle.server.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { startsLater } from "#app/domains/visit-time.server.ts";
import { minuteInIndia } from "#app/domains/visit-time.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { m } from "#app/paraglide/messages.js";
import { auditOf, type Settled, type Settlement, settleVisits } from "./coming-visits.server.ts";
import { lockOwnPractice } from "./own-practice.server.ts";

/**
 * Closes a practice of the acting doctor: removes its coming times, and cancels, moves or offers other times for the appointments on them, which the doctor has seen.
 * The first practice stays: it is the profile's. A second press does nothing.
 * @throws DomainError("not-found" | "conflict" for the first practice, or when patients booked or cancelled meanwhile)
 */
export function closePractice(ctx: Ctx<Actor>, input: { id: string } & Settlement): Promise<Settled> {
  return transact(ctx, async (tx) => {
    await lockSchedule(tx, tx.actor.userId);
    if (await isClosed(tx, input.id)) return { cancelled: 0, moved: 0, offered: 0 };
    const { id, doctorId, isFirst } = await lockOwnPractice(tx, input.id);
    if (isFirst) throw new DomainError("conflict", m.practices_first_stays());
    // Deleting a time waits for a booking under way.
    await tx.db
      .delete(availabilitySlots)
      .where(
        and(
          eq(availabilitySlots.doctorId, doctorId),
          eq(availabilitySlots.practiceId, id),
          startsLater(availabilitySlots, minuteInIndia(tx.now)),
        ),
      );
    const free = await listFreeTimes(tx, { doctorId, notIn: id });
    const settled = await withoutOffers(tx, () => settleVisits(tx, { practiceId: id }, input, free));
    await tx.db.delete(practiceHours).where(eq(practiceHours.practiceId, id));
    const [closed] = await tx.db
      .update(practices)
      .set({ state: "closed", closedAt: tx.now, updatedAt: tx.now })
      .where(eq(practices.id, id))
      .returning({ hospitalId: practices.hospitalId });
    await settleWaitlist(tx, doctorId);
    await recordChange(tx, "practice.close", {
      subject: { practice: id },
      people: { doctor: doctorId },
      place: closed?.hospitalId ?? null,
      data: { to: "closed" },
      details: { practice: id, ...auditOf(settled) },
      notify: { doctor: null },
    });
    return settled;
  });
}

/** Returns true when a practice of the acting doctor is closed already. */
async function isClosed(tx: Ctx<Actor>, id: string): Promise<boolean> {
  if (!isUuid(id)) return false;
  return (
    (await tx.db.$count(practices, and(eq(practices.id, id), eq(practices.doctorId, tx.actor.userId), eq(practices.state, "closed")))) > 0
  );
}
