import type { BusinessType } from "./vocabulary.ts";

export type PayoutBank = { holder: string; account: string; ifsc: string };
/** The merchant as the payment provider must know it. */
export type PayoutMerchant = {
  name: string;
  businessType: BusinessType;
  pan: string;
  email: string;
  phone: string;
  contactName: string;
  street: string;
  city: string;
  state: string;
  pinCode: string;
};
/** What the provider gets for a payout account. `merchant`: null when only the bank account changes. */
export type PayoutDetails = { bank: PayoutBank; merchant: PayoutMerchant | null };
