import { and, asc, eq, sql } from "drizzle-orm";
import { appointments, payments } from "#app/db/schema/index.ts";
import { type Ctx, transact } from "#app/domains/context.server.ts";
import { minus } from "#app/lib/money.ts";
import { bookRefund } from "../payments/book-refund.server.ts";

/** Refunds what was paid online for a cancelled appointment, if the policy owes it. Safe to repeat: nothing is left the second time. */
export function refundCancelled(ctx: Ctx, appointmentId: string): Promise<void> {
  return transact(ctx, async (tx) => {
    const [visit] = await tx.db
      .select({ status: appointments.status, refundOwed: appointments.refundOwed, patientId: appointments.patientId })
      .from(appointments)
      .where(eq(appointments.id, appointmentId))
      .for("no key update");
    if (visit?.status !== "cancelled" || visit.refundOwed === false) return;
    const paid = await tx.db
      .select({ id: payments.id, amount: payments.amount, refunded: payments.refunded })
      .from(payments)
      .where(and(eq(payments.appointmentId, appointmentId), eq(payments.method, "online"), sql`${payments.refunded} < ${payments.amount}`))
      .orderBy(asc(payments.id));
    for (const payment of paid)
      await bookRefund(tx, {
        paymentId: payment.id,
        patientId: visit.patientId,
        method: "online",
        amount: minus(payment.amount, payment.refunded),
        reason: "cancelled",
        key: "cancelled",
      });
  });
}
