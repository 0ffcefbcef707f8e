import { formatRupees, type Paise } from "#app/lib/money.ts";
import { m } from "#app/paraglide/messages.js";
import type { PayWords } from "./components/pay-online.tsx";
import type { PayView } from "./pay-view.server.ts";

/** Returns what the payment page says about an online payment. `toPay`: what is due now. */
export function payWords(view: PayView, toPay: Paise): PayWords {
  const amount = formatRupees(toPay);
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
    hint: m.online_hint(),
    refunds: m.online_refunds(),
  };
}
