import { and, eq } from "drizzle-orm";
import { payoutAccounts } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import type { PaymentProviderName } from "#app/lib/vocabulary.ts";

/** Returns the linked account to which new orders of a merchant transfer; null unless the provider has confirmed it. */
export async function findTransferAccount(ctx: Ctx, merchantId: string, provider: PaymentProviderName): Promise<string | null> {
  const [account] = await ctx.db
    .select({ id: payoutAccounts.accountId })
    .from(payoutAccounts)
    .where(and(eq(payoutAccounts.merchantId, merchantId), eq(payoutAccounts.provider, provider), eq(payoutAccounts.state, "active")));
  return account?.id ?? null;
}

/** Lets the job ask the provider about an account in its next run: an order to it was just refused. */
export const checkAccountSoon = (ctx: Ctx, accountId: string, provider: PaymentProviderName): Promise<unknown> =>
  ctx.db
    .update(payoutAccounts)
    .set({ nextTryAt: ctx.now })
    .where(and(eq(payoutAccounts.provider, provider), eq(payoutAccounts.accountId, accountId), eq(payoutAccounts.state, "active")));
