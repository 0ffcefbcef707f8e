import { and, eq, inArray, lte, sql } from "drizzle-orm";
import { payoutAccounts } from "#app/db/schema/index.ts";
import { open } from "#app/db/sealed.server.ts";
import { type Ctx, transact } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import type { LinkedAccounts, LinkedStatus } from "#app/integrations/payments/linked-accounts.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { hours, minutes } from "#app/lib/durations.ts";
import type { PayoutDetails } from "#app/lib/payout-details.ts";
import { leadsFrom } from "#app/lib/state-table.ts";
import type { PayoutState } from "#app/lib/vocabulary.ts";
import { log } from "#app/runtime/log.server.ts";
import { PAYOUT_ACTIONS } from "./payout.state.ts";

type Account = typeof payoutAccounts.$inferSelect;

/** A request that is not answered is tried again after this: longer than all of its calls together take. */
const AGAIN = minutes(1);
/** How often the provider is asked: while it checks, more seldom each time, up to hourly; an active account once a day. */
const ASK = minutes(2);
const ASK_AT_MOST = hours(1);
const ASK_ACTIVE = hours(24);
/** In one run: the next run, a minute later, takes the rest. */
const AT_ONCE = 20;

/**
 * Sends a payout account to the provider, or asks what the provider decided about it. Safe to repeat: each id of the provider is stored at once.
 * @throws DomainError("unavailable") while the provider is down: it is tried again
 */
export async function sendPayout(ctx: Ctx, merchantId: string): Promise<void> {
  const provider = ctx.integrations.payments;
  if (!provider) return;
  // Claimed: of two jobs one sends it.
  const [account] = await ctx.db
    .update(payoutAccounts)
    .set({ nextTryAt: new Date(ctx.now.getTime() + AGAIN), tries: sql`${payoutAccounts.tries} + 1` })
    .where(
      and(
        eq(payoutAccounts.merchantId, merchantId),
        eq(payoutAccounts.provider, provider.name),
        lte(payoutAccounts.nextTryAt, ctx.now),
        inArray(payoutAccounts.state, ["requested", "checking", "active"]),
      ),
    )
    .returning();
  if (!account) return;
  try {
    const status =
      account.state === "requested"
        ? await send(ctx, provider.accounts, account)
        : await provider.accounts.fetchStatus({ accountId: account.accountId!, productId: account.productId! });
    await settle(ctx, account, status);
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== "conflict") throw error;
    log.warn({ err: error, merchant: merchantId }, "the provider refused a payout account");
    const { field } = (error.detail ?? {}) as { field?: string };
    await settle(ctx, account, { status: "refused", reason: field ?? null });
  }
}

/** Sends what the provider does not have yet. */
async function send(ctx: Ctx, accounts: LinkedAccounts, account: Account): Promise<LinkedStatus> {
  const { merchantId, requestedAt } = account;
  const details: PayoutDetails = open(payoutAccounts.details, merchantId, account.details!);
  const ids = { accountId: account.accountId, stakeholderId: account.stakeholderId, productId: account.productId };
  const keep = async (found: Partial<typeof ids>) => {
    Object.assign(ids, found);
    await ctx.db
      .update(payoutAccounts)
      .set(found)
      .where(and(eq(payoutAccounts.merchantId, merchantId), eq(payoutAccounts.provider, account.provider)));
  };
  const { merchant, bank } = details;
  if (merchant) {
    if (ids.accountId) await accounts.update(ids.accountId, merchant);
    else await keep({ accountId: await accounts.create(ownIdOf(merchantId), merchant) });
    if (ids.stakeholderId) await accounts.updateOwner(ids.accountId!, ids.stakeholderId, merchant);
    else await keep({ stakeholderId: await accounts.createOwner(ids.accountId!, merchant) });
  }
  if (!ids.accountId) throw new Error(`payout account ${merchantId} of ${requestedAt.toISOString()} has no merchant`);
  if (!ids.productId) await keep({ productId: await accounts.requestRoute(ids.accountId) });
  return accounts.setBank({ accountId: ids.accountId, productId: ids.productId! }, bank);
}

/** The provider allows 20 characters. */
const ownIdOf = (merchantId: string) => merchantId.replaceAll("-", "").slice(0, 20);

/** Stores what the provider says, unless the merchant has changed the account meanwhile. */
async function settle(ctx: Ctx, account: Account, { status, reason }: LinkedStatus): Promise<void> {
  const { merchantId, requestedAt, tries, isPlace } = account;
  const steps: (keyof typeof PAYOUT_ACTIONS)[] = [
    ...(account.state === "requested" && status !== "refused" ? (["send"] as const) : []),
    ...(status === "active" ? (["confirm"] as const) : status === "refused" ? (["refuse"] as const) : []),
  ];
  let state: PayoutState = account.state;
  for (const step of steps) if (leadsFrom(PAYOUT_ACTIONS[step], state)) state = PAYOUT_ACTIONS[step].to;
  const wait = state === "active" ? ASK_ACTIVE : Math.min(ASK * Math.max(1, tries), ASK_AT_MOST);
  await transact(ctx, async (tx) => {
    const changed = await tx.db
      .update(payoutAccounts)
      .set({
        state,
        reason: state === "refused" ? reason : null,
        details: null,
        nextTryAt: new Date(tx.now.getTime() + wait),
        ...(state === account.state ? {} : { stateAt: tx.now, tries: 0 }),
      })
      .where(
        and(
          eq(payoutAccounts.merchantId, merchantId),
          eq(payoutAccounts.requestedAt, requestedAt),
          eq(payoutAccounts.state, account.state),
        ),
      )
      .returning({ id: payoutAccounts.merchantId });
    if (changed.length === 0 || (state !== "active" && state !== "refused") || state === account.state) return;
    const [automatic, details] = [{ ...tx, actor: null }, { last4: account.accountLast4 }];
    const change = state === "active" ? "confirm-payout-account" : "refuse-payout-account";
    if (isPlace) await recordChange(automatic, `${change}-of-place`, { subject: { hospital: merchantId }, details });
    else await recordChange(automatic, `${change}-of-doctor`, { people: { doctor: merchantId }, details });
  });
}

/** Sends and asks about the payout accounts that are due. Run each minute; a failure of one does not stop the others. */
export async function sweepPayouts(ctx: Ctx): Promise<void> {
  const name = ctx.integrations.payments?.name;
  if (!name) return;
  const due = await ctx.db
    .select({ merchantId: payoutAccounts.merchantId })
    .from(payoutAccounts)
    .where(
      and(
        eq(payoutAccounts.provider, name),
        lte(payoutAccounts.nextTryAt, ctx.now),
        inArray(payoutAccounts.state, ["requested", "checking", "active"]),
      ),
    )
    .orderBy(payoutAccounts.nextTryAt)
    .limit(AT_ONCE);
  for (const { merchantId } of due)
    await sendPayout(ctx, merchantId).catch((error: unknown) =>
      log.warn({ err: error, merchant: merchantId }, "a payout account is checked again in a minute"),
    );
}
