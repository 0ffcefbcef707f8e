import { m } from "#app/paraglide/messages.js";

/** Returns how the patient chose to pay. Empty before a choice. */
export const paymentWord = (method: string | null): string =>
  method === "clinic" ? m.payments_clinic() : method === "upi" ? m.payments_upi() : method === "link" ? m.payments_online() : "";
