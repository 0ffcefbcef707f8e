import { type Paise, rupeesPlain } from "#app/lib/money.ts";

export type PaymentSettings = { linkTemplate: string | undefined; upiVpa: string; upiName: string };
export type Payable = { reference: string; fee: Paise; note: string };

/** Most characters of a note (india.md). */
export const UPI_NOTE = 50;

/** Returns the way to pay online that is configured: the external page, otherwise UPI. */
export const onlineMethod = (settings: PaymentSettings): "link" | "upi" => (settings.linkTemplate ? "link" : "upi");

/**
 * Returns the URL of the external payment page with our reference and the amount in rupees (contract.md); null when none is
 * configured.
 */
export function paymentLink(settings: PaymentSettings, due: Payable): string | null {
  if (!settings.linkTemplate) return null;
  return settings.linkTemplate
    .replaceAll("{reference}", encodeURIComponent(due.reference))
    .replaceAll("{amount}", encodeURIComponent(rupeesPlain(due.fee)));
}

/** Returns NPCI's `upi://pay` link (india.md): payee, name, amount, reference, and a note of at most 50 characters. */
export function upiLink(settings: PaymentSettings, due: Payable): string {
  const fields = {
    pa: settings.upiVpa,
    pn: settings.upiName,
    am: rupeesPlain(due.fee),
    cu: "INR",
    tr: due.reference,
    tn: due.note.slice(0, UPI_NOTE),
  };
  // Payment apps do not decode the "+" that URLSearchParams writes for a space.
  return `upi://pay?${Object.entries(fields)
    .map(([k, v]) => `${k}=${encodeURIComponent(v).replace(/%40/g, "@")}`)
    .join("&")}`;
}
