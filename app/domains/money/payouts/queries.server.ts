import { eq } from "drizzle-orm";
import { payoutAccounts } from "#app/db/schema/index.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { type PayoutOf, requirePayoutMerchant } from "./merchant.server.ts";
import type { PayoutAccount } from "./payouts.ts";

/**
 * Returns the payout account of the acting doctor or of the owner's place, or null.
 * @throws DomainError("not-found"), also without a provider; "forbidden"
 */
export async function getPayoutAccount(ctx: Ctx<Actor>, of: PayoutOf): Promise<PayoutAccount | null> {
  const { merchantId } = await requirePayoutMerchant(ctx, of);
  const provider = ctx.integrations.payments?.name;
  if (!provider) throw new DomainError("not-found");
  const [row] = await ctx.db.select().from(payoutAccounts).where(eq(payoutAccounts.merchantId, merchantId));
  if (!row || row.provider !== provider) return null;
  const { state, reason, accountLast4, ifscCode, requestedAt, stateAt } = row;
  return { state, reason, accountLast4, ifscCode, requestedAt, stateAt, isKnown: row.productId !== null && state !== "refused" };
}
