import { and, eq } from "drizzle-orm";
import type { z } from "zod";
import { violatedConstraint } from "#app/db/client.server.ts";
import { doctors, hospitals, practices } from "#app/db/schema/index.ts";
import { listedDoctor } from "#app/db/schema/visibility.ts";
import { lockSchedule } from "#app/domains/booking/availability/change-slots.server.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { offeredToDoctors } from "#app/domains/credentials/application/hospital-options.server.ts";
import { proposeHospital } from "#app/domains/credentials/application/propose-hospital.server.ts";
import { joinPlace } from "#app/domains/places/members/place-doctors.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { spendLimits } from "#app/domains/platform/limits/limit.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";
import type { OpenPracticeSchema, UnlistedPlaceSchema } from "./practices.schema.ts";

const atPlace = (code: "invalid" | "conflict", sentence: string) => new DomainError(code, sentence, { fields: { hospitalId: [sentence] } });

/**
 * Opens a practice of the acting doctor at a confirmed hospital or clinic. Where the place has an owner, it waits for their consent.
 * @returns its id
 * @throws DomainError("invalid" for an unknown place | "conflict" when the doctor already works there)
 */
export function openPractice(ctx: Ctx<Actor>, input: z.output<typeof OpenPracticeSchema>): Promise<{ id: string }> {
  const doctorId = ctx.actor.userId;
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
    return insertPractice(tx, input, await joinPlace(tx, place.id));
  });
}

type Terms = Omit<z.output<typeof OpenPracticeSchema>, "hospitalId">;

async function insertPractice(tx: Ctx<Actor>, input: Terms & { hospitalId: string }, state: "active" | "asked"): Promise<{ id: string }> {
  const doctorId = tx.actor.userId;
  try {
    const [row] = await tx.db
      .insert(practices)
      .values({ ...input, doctorId, state, createdAt: tx.now, updatedAt: tx.now })
      .returning({ id: practices.id });
    const { id } = row!;
    await recordChange(tx, "practice.open", {
      subject: { practice: id },
      people: { doctor: doctorId },
      place: input.hospitalId,
      data: { to: state },
      details: { practice: id, hospital: input.hospitalId },
    });
    return { id };
  } catch (error) {
    if (violatedConstraint(error) === "practices_once_per_place") throw atPlace("conflict", m.practices_place_known());
    throw error;
  }
}

/**
 * Opens a practice of the acting verified doctor at a place of others that is not listed. It waits until an administrator confirms the place. One that
 * is listed under this name and address, or waits already, is not entered again.
 * @returns its id, and whether it waits for an administrator
 * @throws DomainError("forbidden" | "conflict" when the doctor already works there | "too-many")
 */
export async function openUnlistedPractice(
  ctx: Ctx<Actor>,
  input: z.output<typeof UnlistedPlaceSchema>,
): Promise<{ id: string; waits: boolean }> {
  const { name, address, city, state, phone, ...terms } = input;
  await spendLimits(ctx, [{ limit: "invitation", key: ctx.actor.userId }]);
  return transact(ctx, async (tx) => {
    await lockDoctor(tx);
    const hospitalId = await proposeHospital(tx, { name, address, contact: phone!, city, state });
    const [place] = await tx.db.select({ status: hospitals.status }).from(hospitals).where(eq(hospitals.id, hospitalId));
    const waits = place?.status === "pending";
    try {
      return {
        waits,
        ...(waits ? await insertPractice(tx, { ...terms, hospitalId }, "asked") : await openPractice(tx, { ...terms, hospitalId })),
      };
    } catch (error) {
      // The form has no list of places.
      if (error instanceof DomainError && error.fields?.hospitalId)
        throw new DomainError(error.code, error.sentence, { fields: { name: error.fields.hospitalId } });
      throw error;
    }
  });
}

/** Throws unless the actor is a verified doctor. Serializes what one doctor opens. */
export async function lockDoctor(tx: Ctx<Actor>): Promise<void> {
  if (tx.actor.role !== "doctor") throw new DomainError("forbidden");
  await lockSchedule(tx, tx.actor.userId);
  const isListed = await tx.db.$count(doctors, and(eq(doctors.id, tx.actor.userId), listedDoctor(doctors)));
  if (!isListed) throw new DomainError("forbidden");
}
