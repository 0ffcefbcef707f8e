import { and, asc, eq, ne } from "drizzle-orm";
import { appointments, paymentOrders } from "#app/db/schema/index.ts";
import { cancelUnpaid, unpaidVisit } from "#app/domains/booking/appointments/cancel-unpaid.server.ts";
import { isAtBank } from "#app/domains/booking/payments/confirming.server.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { minutes } from "#app/lib/durations.ts";
import { log } from "#app/runtime/log.server.ts";
import { applyOrder } from "./apply-order.server.ts";

/** Of one run: the next run, a minute later, takes the rest. */
const AT_ONCE = 50;
/** How long a bank may take for a payment that the patient finished in time. */
const BANK_TIME = minutes(15);

/**
 * Cancels appointments whose prepayment is overdue, after asking the provider about their orders. While the provider is down or a bank is confirming,
 * they stay. A failure of one does not stop the others.
 */
export async function sweepUnpaid(ctx: Ctx): Promise<void> {
  // Without a provider no patient could pay.
  if (!ctx.integrations.payments) return;
  const overdue = await ctx.db
    .select({ id: appointments.id })
    .from(appointments)
    .where(unpaidVisit(ctx.now))
    .orderBy(asc(appointments.prepayUntil))
    .limit(AT_ONCE);
  for (const { id } of overdue)
    await endUnpaid(ctx, id).catch((error: unknown) =>
      log.warn({ err: error, appointment: id }, "an unpaid appointment is checked again in a minute"),
    );
}

async function endUnpaid(ctx: Ctx, appointmentId: string): Promise<void> {
  const orders = () =>
    ctx.db
      .select({ id: paymentOrders.id, confirmingAt: paymentOrders.confirmingAt, atBank: isAtBank("payment_orders") })
      .from(paymentOrders)
      .where(and(eq(paymentOrders.appointmentId, appointmentId), ne(paymentOrders.state, "paid")));
  for (const { id } of await orders()) await applyOrder(ctx, id);
  const isConfirming = ({ confirmingAt: asked, atBank }: Awaited<ReturnType<typeof orders>>[number]) =>
    atBank && ctx.now.getTime() - asked!.getTime() < BANK_TIME;
  if ((await orders()).some(isConfirming)) return;
  await cancelUnpaid(ctx, appointmentId);
}
