import { eq } from "drizzle-orm";
import { payoutAccounts } from "#app/db/schema/index.ts";
import { sealed } from "#app/db/sealed.server.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { requireOpenBank } from "#app/domains/platform/accounts/bank-lock.server.ts";
import { requireProof } from "#app/domains/platform/accounts/proof.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { spendLimits } from "#app/domains/platform/limits/limit.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import type { PayoutDetails, PayoutMerchant } from "#app/lib/payout-details.ts";
import { enqueue } from "#app/queue/queue.server.ts";
import { getKnownMerchant, type PayoutOf, requirePayoutMerchant } from "./merchant.server.ts";
import { PAYOUT_ACTIONS } from "./payout.state.ts";

type Input = PayoutOf & {
  bank: PayoutDetails["bank"];
  /** Not needed when the provider knows the merchant and has not refused it. */
  merchant: Omit<PayoutMerchant, "email" | "phone" | "contactName"> | null;
};

/**
 * Stores a new payout account, or another bank account for it, and queues it for the provider. It is not active until the provider confirms it. Needs a
 * fresh proof of identity.
 * @throws DomainError("not-found" | "forbidden" | "unproven" | "too-many"), "invalid" without a provider or without what it needs
 */
export async function requestPayout(ctx: Ctx<Actor>, { bank, merchant, ...of }: Input): Promise<void> {
  await requirePayoutMerchant(ctx, of);
  requireProof(ctx, "change-payout-account");
  const provider = ctx.integrations.payments?.name;
  if (!provider) throw new DomainError("invalid");
  await spendLimits(ctx, [{ limit: "payout-change", key: ctx.actor.userId }]);
  await transact(ctx, async (open) => {
    await requireOpenBank(open);
    const { acting: tx, merchantId } = await requirePayoutMerchant(open, of);
    const [known] = await tx.db.select().from(payoutAccounts).where(eq(payoutAccounts.merchantId, merchantId)).for("update");
    const isSame = known?.provider === provider;
    const isKnown = isSame && known.productId !== null && known.state !== "refused";
    if (!isKnown && !merchant) throw new DomainError("invalid");
    const contact = await getKnownMerchant(tx, of);
    if (!isKnown && !contact.email) throw new DomainError("invalid");
    const details: PayoutDetails = {
      bank,
      merchant: isKnown || !merchant ? null : { ...merchant, email: contact.email, phone: contact.phone, contactName: contact.name },
    };
    const set = {
      isPlace: of.hospitalId !== null,
      provider,
      state: PAYOUT_ACTIONS.request.to,
      reason: null,
      accountLast4: bank.account.slice(-4),
      ifscCode: bank.ifsc,
      details: sealed(payoutAccounts.details, merchantId, details),
      ...(isSame ? {} : { accountId: null, stakeholderId: null, productId: null }),
      requestedAt: tx.now,
      stateAt: tx.now,
      // An earlier request may be under way: its bank account must not arrive after this one.
      nextTryAt: known?.state === "requested" && known.nextTryAt > tx.now ? known.nextTryAt : tx.now,
      tries: 0,
    };
    await tx.db
      .insert(payoutAccounts)
      .values({ merchantId, ...set })
      .onConflictDoUpdate({ target: payoutAccounts.merchantId, set });
    const shown = { details: { last4: bank.account.slice(-4) } };
    if (of.hospitalId === null) await recordChange(tx, "change-payout-account-of-doctor", { people: { doctor: merchantId }, ...shown });
    else await recordChange(tx, "change-payout-account-of-place", { subject: { hospital: merchantId }, ...shown });
    await enqueue(tx, "payout-account", { merchantId });
  });
}
