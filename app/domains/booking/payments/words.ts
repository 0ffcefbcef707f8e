import type { PaymentMethod } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";

/** Returns the button that chooses this way to pay. */
export const paymentChoiceWord = (method: PaymentMethod): string =>
  ({ clinic: m.payments_clinic, upi: m.payments_upi, link: m.payments_online })[method]();

/** Returns the state of a payment: nothing is confirmed by a choice. Before a choice: that it is open. */
export const paymentStateWord = (method: PaymentMethod | null): string =>
  method === null
    ? m.payments_method_open()
    : { clinic: m.payments_clinic, upi: m.payments_state_upi, link: m.payments_state_link }[method]();
