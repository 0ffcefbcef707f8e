import { and, desc, eq, or } from "drizzle-orm";
import { appointments, paymentOrders } from "#app/db/schema/index.ts";
import { isAtBank } from "#app/domains/booking/payments/confirming.server.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { askSoon } from "./receive-return.server.ts";

/**
 * Asks the provider what became of the payment that the acting patient began for an appointment, also where the patient never came back from its page.
 * Does nothing without an open order, or without a provider. @throws DomainError("not-found") for an appointment of another patient
 */
export async function askOwnPayment(ctx: Ctx<Actor>, appointmentId: string): Promise<void> {
  const own = and(eq(appointments.id, appointmentId), eq(appointments.patientId, ctx.actor.userId));
  if (!isUuid(appointmentId) || (await ctx.db.$count(appointments, own)) === 0) throw new DomainError("not-found");
  const provider = ctx.integrations.payments;
  if (!provider) return;
  const [order] = await ctx.db
    .select({ id: paymentOrders.id })
    .from(paymentOrders)
    .where(
      and(
        eq(paymentOrders.appointmentId, appointmentId),
        eq(paymentOrders.provider, provider.name),
        or(eq(paymentOrders.state, "created"), isAtBank("payment_orders")),
      ),
    )
    .orderBy(desc(isAtBank("payment_orders")), desc(paymentOrders.createdAt))
    .limit(1);
  // Without the actor: what follows from the answer was decided by the provider and the rules, not by the patient.
  if (order) await askSoon({ ...ctx, actor: null }, order.id);
}
