import { eq, getTableColumns } from "drizzle-orm";
import { appointments, paymentOrders } from "#app/db/schema/index.ts";
import { isAtBank } from "#app/domains/booking/payments/confirming.server.ts";
import { PLACE_OF_VISIT } from "#app/domains/booking/payments/visit-sums.server.ts";
import type { Ctx } from "#app/domains/context.server.ts";

export type LockedOrder = Awaited<ReturnType<typeof lockOrder>>;
export type LockedVisit = NonNullable<Awaited<ReturnType<typeof lockVisit>>>;

/** Locks an appointment, as every command that changes its payments does. */
export async function lockVisit(tx: Ctx, appointmentId: string) {
  const [visit] = await tx.db
    .select({
      id: appointments.id,
      patientId: appointments.patientId,
      status: appointments.status,
      fee: appointments.fee,
      discount: appointments.discount,
      refundOwed: appointments.refundOwed,
      placeId: PLACE_OF_VISIT,
    })
    .from(appointments)
    .where(eq(appointments.id, appointmentId))
    .for("no key update");
  return visit;
}

/** Locks the appointment of an order and then the order. */
export async function lockOrder(tx: Ctx, orderId: string) {
  const [found] = await tx.db.select({ id: paymentOrders.appointmentId }).from(paymentOrders).where(eq(paymentOrders.id, orderId));
  const visit = found && (await lockVisit(tx, found.id));
  const [order] = await tx.db
    .select({ ...getTableColumns(paymentOrders), atBank: isAtBank("payment_orders") })
    .from(paymentOrders)
    .where(eq(paymentOrders.id, orderId))
    .for("no key update");
  if (!visit || !order) throw new Error(`no order ${orderId}`);
  return { visit, order };
}
