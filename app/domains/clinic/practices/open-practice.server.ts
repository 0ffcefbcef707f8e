import { and, eq } from "drizzle-orm";
import type { z } from "zod";
import { violatedConstraint } from "#app/db/client.server.ts";
import { doctors, hospitals, practices } from "#app/db/schema/index.ts";
import { lockSchedule } from "#app/domains/booking/availability/change-slots.server.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { offeredToDoctors } from "#app/domains/credentials/application/hospital-options.server.ts";
import { joinPlace } from "#app/domains/places/members/place-doctors.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";
import type { OpenPracticeSchema } from "./practices.schema.ts";

/**
 * Opens a practice of the acting doctor at a confirmed hospital or clinic. Where the place has an owner, it waits for their consent.
 * @returns its id
 * @throws DomainError("invalid" for an unknown place | "conflict" when the doctor already works there)
 */
export function openPractice(ctx: Ctx<Actor>, input: z.output<typeof OpenPracticeSchema>): Promise<{ id: string }> {
  const doctorId = ctx.actor.userId;
  const atPlace = (code: "invalid" | "conflict", sentence: string) =>
    new DomainError(code, sentence, { fields: { hospitalId: [sentence] } });
  return transact(ctx, async (tx) => {
    await lockSchedule(tx, doctorId);
    const [[place], [own]] = await Promise.all([
      tx.db
        .select({ id: hospitals.id })
        .from(hospitals)
        .where(and(eq(hospitals.id, input.hospitalId), offeredToDoctors(hospitals))),
      tx.db.select({ hospitalId: doctors.hospitalId }).from(doctors).where(eq(doctors.id, doctorId)),
    ]);
    if (!place) throw atPlace("invalid", m.practices_place_missing());
    if (own?.hospitalId === place.id) throw atPlace("conflict", m.practices_place_known());
    try {
      const state = await joinPlace(tx, place.id);
      const [row] = await tx.db
        .insert(practices)
        .values({ ...input, doctorId, state, createdAt: tx.now, updatedAt: tx.now })
        .returning({ id: practices.id });
      const { id } = row!;
      await recordChange(tx, "practice.open", {
        subject: { practice: id },
        people: { doctor: doctorId },
        place: place.id,
        data: { to: state },
        details: { practice: id, hospital: place.id },
      });
      return { id };
    } catch (error) {
      if (violatedConstraint(error) === "practices_once_per_place") throw atPlace("conflict", m.practices_place_known());
      throw error;
    }
  });
}
