import type { PayoutBank, PayoutMerchant } from "#app/lib/payout-details.ts";

/** What the provider says about a linked account. `reason`: the field that it refuses ("kyc.pan"); null while unknown. */
export type LinkedStatus = { status: "checking" | "active" | "refused"; reason: string | null };
type Ids = { accountId: string; productId: string };

/** Linked accounts of merchants at the payment provider. Each call throws like those of `PaymentProvider`; a "conflict" has `detail.field`. */
export interface LinkedAccounts {
  /** Creates an account and returns its id. Finds the one that an earlier call created without being answered. */
  create(ownId: string, merchant: PayoutMerchant): Promise<string>;
  update(accountId: string, merchant: PayoutMerchant): Promise<void>;
  /** The person whose PAN the provider checks. Returns the id. */
  createOwner(accountId: string, merchant: PayoutMerchant): Promise<string>;
  updateOwner(accountId: string, ownerId: string, merchant: PayoutMerchant): Promise<void>;
  /** Asks for payouts to the account. Returns the id of the product. */
  requestRoute(accountId: string): Promise<string>;
  /** Sets the bank account; the provider checks it then. */
  setBank(ids: Ids, bank: PayoutBank): Promise<LinkedStatus>;
  fetchStatus(ids: Ids): Promise<LinkedStatus>;
}
