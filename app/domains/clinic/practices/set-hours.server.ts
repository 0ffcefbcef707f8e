import { eq } from "drizzle-orm";
import { violatedConstraint } from "#app/db/client.server.ts";
import { practiceHours } from "#app/db/schema/index.ts";
import { lockSchedule } from "#app/domains/booking/availability/change-slots.server.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";
import type { Span } from "./hours.ts";
import { reopenDays } from "./open-days.server.ts";
import { lockOwnPractice } from "./own-practice.server.ts";

/**
 * Replaces the weekly hours of the acting doctor's practice and opens their times for the next 60 days. Booked times stay, and days that the
 * doctor changed by hand. Without spans the practice has no weekly hours.
 * @throws DomainError("not-found" | "conflict" when the doctor is in another place at these hours)
 */
export function setHours(ctx: Ctx<Actor>, input: { id: string; spans: Span[] }): Promise<void> {
  return transact(ctx, async (tx) => {
    await lockSchedule(tx, tx.actor.userId);
    const { id, doctorId } = await lockOwnPractice(tx, input.id);
    await tx.db.delete(practiceHours).where(eq(practiceHours.practiceId, id));
    try {
      if (input.spans.length) await tx.db.insert(practiceHours).values(input.spans.map((span) => ({ ...span, practiceId: id, doctorId })));
    } catch (error) {
      if (violatedConstraint(error) === "practice_hours_one_place_at_a_time")
        throw new DomainError("conflict", m.practices_hours_elsewhere());
      throw error;
    }
    await reopenDays(tx, { doctorId, practiceId: id });
    await recordChange(tx, "set-hours", { people: { doctor: doctorId }, details: { practice: id, spans: input.spans.length } });
  });
}
