/** Second practices of doctors, inserted directly. */
import type { Database } from "#app/db/client.server.ts";
import { availabilitySlots, practices } from "#app/db/schema/index.ts";
import type { PracticeState } from "#app/lib/vocabulary.ts";
import { makeHospital } from "./cases.ts";
import type { Slot } from "./people.ts";

/** Inserts a practice of a doctor, by default at a new place, with free times. */
export async function makePractice(
  db: Database,
  doctorId: string,
  over: { hospitalId?: string; fee?: number | null; state?: PracticeState; minutes?: 10 | 15 | 20 | 30 | 60; slots?: Slot[] } = {},
): Promise<{ id: string; hospitalId: string }> {
  const hospitalId = over.hospitalId ?? (await makeHospital(db)).id;
  const minutes = over.minutes ?? 30;
  const state = over.state ?? "active";
  const [row] = await db
    .insert(practices)
    .values({ doctorId, hospitalId, fee: over.fee ?? null, slotMinutes: minutes, state, closedAt: state === "closed" ? new Date() : null })
    .returning({ id: practices.id });
  const { id } = row!;
  const slots = over.slots ?? [];
  if (slots.length) await db.insert(availabilitySlots).values(slots.map((slot) => ({ doctorId, practiceId: id, minutes, ...slot })));
  return { id, hospitalId };
}
