import { and, eq, gt } from "drizzle-orm";
import { payments } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { type Paise, paise } from "#app/lib/money.ts";

/** Returns the platform fee of the next order of an appointment: today's, or 0 while an earlier payment's fee is not returned. */
export async function platformFeeDue(ctx: Ctx, appointmentId: string): Promise<Paise> {
  const fee = ctx.integrations.payments?.platformFee;
  if (!fee) return paise(0);
  const [paid] = await ctx.db
    .select({ id: payments.id })
    .from(payments)
    .where(and(eq(payments.appointmentId, appointmentId), gt(payments.platformFee, payments.platformFeeRefunded)))
    .limit(1);
  return paid ? paise(0) : fee.amount;
}
