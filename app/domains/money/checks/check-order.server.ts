import { eq } from "drizzle-orm";
import { appointments, paymentOrders } from "#app/db/schema/index.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { applyOrder } from "../online/apply-order.server.ts";

/**
 * Asks the provider about an order again and applies all of its stored messages. Safe to repeat: what was booked is not booked again.
 * @throws DomainError("not-found" | "forbidden"), "unavailable" while the provider is down or another one is configured
 */
export async function checkOrder(ctx: Ctx<Actor>, id: string): Promise<void> {
  if (ctx.actor.role !== "admin") throw new DomainError("forbidden");
  const [order] = isUuid(id)
    ? await ctx.db
        .select({ appointmentId: appointments.id, patientId: appointments.patientId, provider: paymentOrders.provider })
        .from(paymentOrders)
        .innerJoin(appointments, eq(appointments.id, paymentOrders.appointmentId))
        .where(eq(paymentOrders.id, id))
    : [];
  if (!order) throw new DomainError("not-found");
  if (order.provider !== ctx.integrations.payments?.name) throw new DomainError("unavailable");
  // Before the provider is asked, so that a failed attempt is in the log too.
  await recordChange(ctx, "check-payment", { subject: { appointment: order.appointmentId }, people: { patient: order.patientId } });
  // Without the actor: what follows from the messages was decided by the provider and the rules, not by the administrator.
  await applyOrder({ ...ctx, actor: null }, id);
}
