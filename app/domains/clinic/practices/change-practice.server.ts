import { and, eq } from "drizzle-orm";
import { availabilitySlots, practiceDays, practiceHours, practices } from "#app/db/schema/index.ts";
import { lockSchedule } from "#app/domains/booking/availability/change-slots.server.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { startsLater } from "#app/domains/visit-time.server.ts";
import { minuteInIndia } from "#app/domains/visit-time.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import type { PracticeMode } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { reopenDays } from "./open-days.server.ts";
import { lockOwnPractice, type OwnPractice } from "./own-practice.server.ts";

export type ChangePractice = {
  id: string;
  fee?: number | null;
  slotMinutes: number;
  patientsPerSlot: number;
  mode?: PracticeMode | undefined;
  /** The mode that the page showed. An unchanged choice of an old page changes no mode. */
  modeShown?: PracticeMode | undefined;
  seatsPerSession?: number | undefined;
};
/** `open`: after a change of the mode, how many times or sessions patients can book now. */
export type ChangedPractice = { mode: PracticeMode; open: number } | null;

/**
 * Changes the terms of the acting doctor's practice. Booked appointments keep theirs. The first practice keeps the fee of the profile. Another mode
 * replaces all free times of the practice, also those opened by hand.
 * @returns the new mode; null when it stays
 * @throws DomainError("not-found" | "conflict" for tokens without weekly hours)
 */
export function changePractice(ctx: Ctx<Actor>, input: ChangePractice): Promise<ChangedPractice> {
  return transact(ctx, async (tx) => {
    await lockSchedule(tx, tx.actor.userId);
    const practice = await lockOwnPractice(tx, input.id);
    const { slotMinutes, patientsPerSlot, seatsPerSession = practice.seatsPerSession } = input;
    const mode = input.mode === undefined || input.mode === input.modeShown ? practice.mode : input.mode;
    const changesMode = mode !== practice.mode;
    if (changesMode && mode === "tokens") await requireHours(tx, practice);
    await tx.db
      .update(practices)
      .set({ slotMinutes, patientsPerSlot, mode, seatsPerSession, updatedAt: tx.now, ...(!practice.isFirst && { fee: input.fee ?? null }) })
      .where(eq(practices.id, practice.id));
    if (changesMode) await tx.db.delete(practiceDays).where(eq(practiceDays.practiceId, practice.id));
    await reopenDays(tx, { doctorId: practice.doctorId, practiceId: practice.id, all: changesMode });
    const details = {
      practice: practice.id,
      slotMinutes,
      patientsPerSlot,
      ...(changesMode && { mode }),
      ...(mode === "tokens" && { seatsPerSession }),
    };
    await recordChange(tx, "change-practice", { people: { doctor: practice.doctorId }, details });
    return changesMode ? { mode, open: await countOpen(tx, practice, mode) } : null;
  });
}

/** Sessions are opened by the weekly hours only. @throws DomainError("conflict") */
async function requireHours(tx: Ctx, { id }: OwnPractice): Promise<void> {
  if (await tx.db.$count(practiceHours, eq(practiceHours.practiceId, id))) return;
  throw new DomainError("conflict", m.practices_mode_hours_first(), { fields: { mode: [m.practices_mode_hours_first()] } });
}

const countOpen = (tx: Ctx, { id, doctorId }: OwnPractice, mode: PracticeMode): Promise<number> =>
  tx.db.$count(
    availabilitySlots,
    and(
      eq(availabilitySlots.doctorId, doctorId),
      eq(availabilitySlots.practiceId, id),
      eq(availabilitySlots.tokens, mode === "tokens"),
      startsLater(availabilitySlots, minuteInIndia(tx.now)),
    ),
  );
