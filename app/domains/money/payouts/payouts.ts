import type { PayoutState } from "#app/lib/vocabulary.ts";

/** What is known of the merchant, to fill in the form. */
export type KnownMerchant = { name: string; email: string; phone: string; street: string; city: string; state: string; pinCode: string };

/** A payout account as its page shows it: never a full number. */
export type PayoutAccount = {
  state: PayoutState;
  reason: string | null;
  accountLast4: string;
  ifscCode: string;
  requestedAt: Date;
  stateAt: Date;
  /** The provider knows the merchant: only the bank account can change, unless it refused. */
  isKnown: boolean;
};
