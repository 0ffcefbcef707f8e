import { formatRupees } from "#app/lib/money.ts";
import type { PaymentMethod } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";

type Words = {
  /** The state after the choice, for the patient: a choice confirms nothing. */
  state: () => string;
  /** The amount and the way, in lists of a clinic. */
  line: (input: { amount: string }) => string;
};
const WAYS: Record<PaymentMethod, Words> = {
  clinic: { state: () => m.payments_clinic(), line: (input) => m.payments_line_clinic(input) },
  upi: { state: () => m.payments_state_upi(), line: (input) => m.payments_line_upi(input) },
  link: { state: () => m.payments_state_link(), line: (input) => m.payments_line_link(input) },
};

/** Returns how the patient chose to pay: nothing is confirmed by a choice. Before a choice: that it is open. */
export const chosenWayWord = (method: PaymentMethod | null): string => (method ? WAYS[method].state() : m.payments_method_open());

type Payment = { fee: number | null; discount: number; paymentMethod: PaymentMethod | null };
/** Returns what the patient pays and how they chose to pay. `open`: they have not chosen. */
export function paymentLine({ fee, discount, paymentMethod }: Payment): { text: string; open: boolean } {
  if (fee === null) return { text: "", open: false };
  if (fee > 0 && fee === discount) return { text: m.payments_line_covered(), open: false };
  const amount = formatRupees(fee - discount);
  return paymentMethod
    ? { text: WAYS[paymentMethod].line({ amount }), open: false }
    : { text: m.payments_line_open({ amount }), open: true };
}
