import { eq, sql } from "drizzle-orm";
import { appointments } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";

const key = (doctorId: unknown) => sql`hashtextextended('waitlist:' || ${doctorId}::text, 0)`;

/**
 * Serializes what frees or offers times of a doctor, until the commit. Commands lock the doctor's row first if they need it, then the
 * waitlist, then appointments, so that two of them never deadlock. Bookings do not take it: the key of `slot_claims` decides.
 */
export async function lockWaitlist(tx: Ctx, doctorId: string): Promise<void> {
  await tx.db.execute(sql`select pg_advisory_xact_lock(${key(doctorId)})`);
}

/** Locks the waitlist of an appointment's doctor, in one statement. */
export async function lockWaitlistOfVisit(tx: Ctx, appointmentId: string): Promise<void> {
  await tx.db
    .select({ locked: sql`pg_advisory_xact_lock(${key(appointments.doctorId)})::text` })
    .from(appointments)
    .where(eq(appointments.id, appointmentId));
}

/** Locks the waitlists of several doctors in the order of their ids. */
export async function lockWaitlists(tx: Ctx, doctorIds: Iterable<string>): Promise<void> {
  for (const id of [...new Set(doctorIds)].sort()) await lockWaitlist(tx, id);
}
