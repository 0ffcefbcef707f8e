import { formatRupees, type Paise } from "#app/lib/money.ts";
import { withPlatformFee } from "#app/lib/platform-fee.ts";
import { m } from "#app/paraglide/messages.js";
import type { PayWords } from "./components/pay-online.tsx";
import type { PayView } from "./pay-view.server.ts";

/**
 * Returns what the payment page says about an online payment. `toPay`: what is due to the clinic now. `hasTax`: the platform fee includes GST. The
 * platform fee is shown before the button, and the button has the total.
 */
export function payWords(view: PayView, toPay: Paise, hasTax: boolean): PayWords {
  const { platformFee } = view;
  const amount = formatRupees(withPlatformFee({ amount: toPay, platformFee }));
  const of = { amount: formatRupees(toPay), fee: formatRupees(platformFee) };
  const isFailed = view.state === "failed";
  return {
    note:
      view.state === "confirming"
        ? { tone: "warn", text: m.online_confirming() }
        : isFailed
          ? { tone: "warn", text: m.online_failed() }
          : view.checkout
            ? { tone: "ok", text: m.online_open() }
            : null,
    checkout: view.checkout && { ...view.checkout, label: m.online_go({ amount }) },
    start: view.state === "confirming" || view.checkout ? null : isFailed ? m.online_again({ amount }) : m.online_start({ amount }),
    fee:
      platformFee > 0 && view.state !== "confirming"
        ? {
            rows: [
              [m.platform_clinic_part(), of.amount],
              [m.platform_fee(), of.fee],
            ],
            total: [m.platform_total(), amount],
            note: hasTax ? m.platform_note_tax() : m.platform_note(),
            parts: m.platform_parts(of),
            clinic: m.platform_clinic_hint(of),
            terms: m.platform_terms(of),
          }
        : null,
    hint: m.online_hint(),
    refunds: m.online_refunds(),
  };
}
