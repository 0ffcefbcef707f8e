import { formatDate, todayInIndia } from "#app/lib/dates.ts";
import { formatRupees, type Paise } from "#app/lib/money.ts";
import { withPlatformFee } from "#app/lib/platform-fee.ts";
import type { ProviderRefundState } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { isSentAgain } from "./waits.ts";

/** A refund that the provider makes: of the clinic's part and of the platform fee together. */
export type ComingRefund = {
  id: string;
  amount: Paise;
  platformFee: Paise;
  state: ProviderRefundState;
  attempt: number;
  at: Date;
  settledAt: Date | null;
  reference: string | null;
};

const day = (at: Date) => formatDate(todayInIndia(at));

/** Returns the state of a provider's refund with its date, for the patient. `format`: of the amount. */
export function refundStateWord({ state, attempt, at, settledAt, reference, ...sums }: ComingRefund, format = formatRupees): string {
  const of = { amount: format(withPlatformFee(sums)), date: day(settledAt ?? at) };
  if (state === "pending") return m.online_refund_pending(of);
  if (state === "failed") return isSentAgain({ attempt, ...sums }) ? m.online_refund_again(of) : m.online_refund_failed(of);
  return reference ? m.online_refund_reference({ ...of, reference }) : m.online_refund_done(of);
}

/** Returns the same on the copy of a clinic: it is the patient's bank, and what the clinic has to do. */
export function refundStateOfClinic({ state, attempt, at, settledAt, reference, ...sums }: ComingRefund, format = formatRupees): string {
  const of = { amount: format(withPlatformFee(sums)), date: day(settledAt ?? at) };
  if (state === "pending") return m.online_refund_pending(of);
  if (state === "failed") return isSentAgain({ attempt, ...sums }) ? m.online_clinic_refund_again(of) : m.online_clinic_refund_failed(of);
  return reference ? m.online_clinic_refund_reference({ ...of, reference }) : m.online_clinic_refund_done(of);
}
