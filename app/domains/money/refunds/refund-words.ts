import { formatDate, todayInIndia } from "#app/lib/dates.ts";
import { formatRupees, type Paise } from "#app/lib/money.ts";
import type { ProviderRefundState } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { WAITS } from "./waits.ts";

/** A refund that the provider makes. */
export type ComingRefund = {
  id: string;
  amount: Paise;
  state: ProviderRefundState;
  attempt: number;
  at: Date;
  settledAt: Date | null;
  reference: string | null;
};

const day = (at: Date) => formatDate(todayInIndia(at));

/** Returns the state of a provider's refund with its date, for the patient. */
export function refundStateWord({ amount, state, attempt, at, settledAt, reference }: ComingRefund): string {
  const of = { amount: formatRupees(amount), date: day(settledAt ?? at) };
  if (state === "pending") return m.online_refund_pending(of);
  if (state === "failed") return attempt <= WAITS.length ? m.online_refund_again(of) : m.online_refund_failed(of);
  return reference ? m.online_refund_reference({ ...of, reference }) : m.online_refund_done(of);
}
