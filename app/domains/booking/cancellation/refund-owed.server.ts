import { eq, sql } from "drizzle-orm";
import { appointments } from "#app/db/schema/index.ts";
import { listedDoctor } from "#app/db/schema/visibility.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { MOVED_BY_CLINIC } from "#app/domains/visit-time.server.ts";
import { decideRefund } from "./refund-policy.ts";

/**
 * Returns whether a cancellation gives the patient back what was paid. Called before the appointment changes, in the transaction of its cancellation;
 * locks it, so that its status stays what it is until then.
 */
export async function isRefundOwed(tx: Ctx<Actor>, appointmentId: string, cancelledBy: Actor["role"]): Promise<boolean> {
  const [visit] = await tx.db
    .select({
      status: appointments.status,
      date: appointments.date,
      time: appointments.time,
      refundHours: appointments.refundHours,
      movedByDoctor: MOVED_BY_CLINIC,
      doctorDelisted: sql<boolean>`exists (select from doctors d
        where d.id = ${appointments.doctorId} and not ${listedDoctor({ registrationStatus: sql`d.registration_status` })})`,
    })
    .from(appointments)
    .where(eq(appointments.id, appointmentId))
    .for("no key update");
  return !visit || decideRefund({ ...visit, cancelledBy, now: tx.now }) === "full";
}
