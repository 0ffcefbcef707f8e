import { minus, type Paise, paise } from "#app/lib/money.ts";
import type { LedgerAccount, ReceivedBy } from "#app/lib/vocabulary.ts";

/** One side of a transfer. Positive: the account receives. */
export type Line = { account: LedgerAccount; amount: Paise };

const move = (from: LedgerAccount, to: LedgerAccount, amount: Paise): Line[] =>
  amount === 0
    ? []
    : [
        { account: to, amount },
        { account: from, amount: minus(paise(0), amount) },
      ];

/** Returns the lines of a received payment, and of the wallet discount that Nadi bears with it. */
export const receiveLines = (method: ReceivedBy, amount: Paise, discount: Paise): Line[] => [
  ...move("consultation", method, amount),
  ...move("consultation", "discount", discount),
];

/** Returns the lines of a refund. `discount`: the part that Nadi no longer bears, because nothing of the fee stays paid. */
export const refundLines = (method: ReceivedBy, amount: Paise, discount: Paise): Line[] => [
  ...move(method, "consultation", amount),
  ...move("discount", "consultation", discount),
];

/** Returns the lines of a platform fee that a patient paid to Nadi, in the transfer of the payment. */
export const platformFeeLines = (amount: Paise): Line[] => move("platform-fee", "platform", amount);

/** Returns the lines of a platform fee that was returned, in the transfer of the refund. */
export const platformFeeRefundLines = (amount: Paise): Line[] => move("platform", "platform-fee", amount);

/** Returns the lines of what a refund returned above its payment: by the provider's dashboard, after the money was returned in another way. */
export const overRefundLines = (method: ReceivedBy, amount: Paise): Line[] => move(method, "over-refund", amount);

/** Returns the lines of a refund that returned nothing after all. `over`: the part above its payment. */
export const withdrawLines = (method: ReceivedBy, amount: Paise, over: Paise): Line[] => [
  ...move("consultation", method, amount),
  ...move("over-refund", method, over),
];

/** Returns the lines that change what Nadi bears of an appointment. `amount`: negative when it bears less. */
export const discountLines = (amount: Paise): Line[] =>
  amount < 0 ? move("discount", "consultation", minus(paise(0), amount)) : move("consultation", "discount", amount);
