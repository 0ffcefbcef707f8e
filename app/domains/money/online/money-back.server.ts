import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { formatRupees, minus, paise, plus } from "#app/lib/money.ts";
import type { AppointmentStatus } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { type PaymentLine, patientSums, platformFeeOf, sumsOf } from "../payments/payment-line.ts";
import { refundStateWord } from "../refunds/refund-words.ts";
import { listComingRefunds } from "./pay-view.server.ts";

/**
 * What the patient reads about money that goes back. `late`: a payment came after the cancellation. `note`: what is not on its way yet, or is kept.
 * `refunds`: of the provider, with their dates.
 */
export type MoneyBack = { late: string; note: string; refunds: string[] };

/** Returns what goes back to the acting patient of an appointment. `lines`: its payments. */
export async function moneyBack(
  ctx: Ctx<Actor>,
  visit: { id: string; status: AppointmentStatus; refundOwed: boolean | null },
  lines: readonly PaymentLine[],
): Promise<MoneyBack> {
  // One statement less for all other appointments.
  const isReturned = lines.some((one) => one.method === "online" && one.refunded + one.platformFeeRefunded > 0);
  const refunds = isReturned ? (await listComingRefunds(ctx, visit.id)).map((one) => refundStateWord(one)) : [];
  if (visit.status !== "cancelled") return { late: "", note: "", refunds };
  const late = lines.filter((one) => one.unseatable);
  const paidLate = plus(paise(0), ...late.map((one) => patientSums(one).paid));
  return { late: paidLate > 0 ? m.online_late({ amount: formatRupees(paidLate) }) : "", note: noteOf(visit, lines), refunds };
}

/** Money that came too late is refunded, by any canceller and at any time, as in `returnOwed`. */
function noteOf({ refundOwed }: { refundOwed: boolean | null }, lines: readonly PaymentLine[]): string {
  const owed = refundOwed === false ? lines.filter((one) => one.unseatable) : lines;
  if (leftOf(owed) <= 0) return leftOf(lines) > 0 ? m.refunds_late() : "";
  // What was paid online goes back by itself, with the platform fee. The rest is in the till of the clinic.
  const [online, atClinic] = [owed.filter((one) => one.method === "online"), owed.filter((one) => one.method !== "online")];
  return [
    leftOf(online) > 0 && m.online_refund_soon({ amount: formatRupees(plus(leftOf(online), platformFeeOf(online))) }),
    leftOf(atClinic) > 0 && m.money_clinic_returns({ amount: formatRupees(leftOf(atClinic)) }),
  ]
    .filter(Boolean)
    .join(" ");
}

function leftOf(lines: readonly PaymentLine[]) {
  const { received, refunded } = sumsOf(lines);
  return minus(received, refunded);
}
