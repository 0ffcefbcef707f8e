import { eq } from "drizzle-orm";
import { appointments, paymentOrders } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { PLACE_OF_VISIT } from "../payments/visit-sums.server.ts";

export type LockedOrder = Awaited<ReturnType<typeof lockOrder>>;

/** Locks the appointment of an order and then the order, as every command that changes its payments does. */
export async function lockOrder(tx: Ctx, orderId: string) {
  const [found] = await tx.db.select({ id: paymentOrders.appointmentId }).from(paymentOrders).where(eq(paymentOrders.id, orderId));
  const [visit] = await tx.db
    .select({
      id: appointments.id,
      patientId: appointments.patientId,
      status: appointments.status,
      fee: appointments.fee,
      discount: appointments.discount,
      placeId: PLACE_OF_VISIT,
    })
    .from(appointments)
    .where(eq(appointments.id, found?.id ?? ""))
    .for("no key update");
  const [order] = await tx.db.select().from(paymentOrders).where(eq(paymentOrders.id, orderId)).for("no key update");
  if (!visit || !order) throw new Error(`no order ${orderId}`);
  return { visit, order };
}
