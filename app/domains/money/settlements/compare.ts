import { days } from "#app/lib/durations.ts";
import type { Paise } from "#app/lib/money.ts";

/** A provider pays out two working days later. A long holiday and a weekend fit. */
const PAID_OUT_WITHIN = days(7);

/**
 * `missing-in-ours`: nothing of ours has the line's id, or we requested no transfer. `missing-in-theirs`: no line after a week. `settled-twice`: also a
 * payment that was transferred twice. `wrong-sum`: what was paid does not follow from amount and fee.
 */
export type MismatchKind = "missing-in-ours" | "missing-in-theirs" | "settled-twice" | "amount-differs" | "wrong-sum";

export type Compared = {
  /** The line of the report; null when no line has our id. */
  line: { kind: string; amount: Paise; fee: Paise; tax: Paise; credit: Paise; debit: Paise } | null;
  /** Our payment or refund; null when we do not know the id. For a transfer: its payment, if we requested a transfer. For a reversal: its refund. */
  ours: { amount: Paise; at: Date } | null;
  /** In how many settlements the id is. For a transfer: how many transfer lines its payment has. */
  times: number;
};

/** Returns what is wrong with a line of the settlement report and our payment or refund with the same id; null when they agree. */
export function mismatchOf({ line, ours, times }: Compared, now: Date): MismatchKind | null {
  if (!line) return ours && now.getTime() - ours.at.getTime() > PAID_OUT_WITHIN ? "missing-in-theirs" : null;
  if (!ours) return "missing-in-ours";
  if (times > 1) return "settled-twice";
  if (line.amount !== ours.amount) return "amount-differs";
  return isSumRight(line) ? null : "wrong-sum";
}

/** A fee is taken from the payment, or from a balance for fees: then everything is paid out. */
function isSumRight({ kind, amount, fee, tax, credit, debit }: NonNullable<Compared["line"]>): boolean {
  if (tax > fee) return false;
  const isForUs = kind === "payment" || kind === "reversal";
  const [moved, other] = isForUs ? [credit, debit] : [debit, credit];
  return other === 0 && (moved === amount || moved === (isForUs ? amount - fee : amount + fee));
}

/**
 * Finds the refund of each reversal of one payment. The report does not name it, so the amount decides. The rest are paired in sequence, and their
 * amounts differ.
 */
export function pairReversals<Reversal extends { amount: Paise }, Refund extends { amount: Paise }>(
  reversals: readonly Reversal[],
  refunds: readonly Refund[],
): { pairs: [Reversal, Refund | null][]; unpaired: Refund[] } {
  const left = [...refunds];
  const take = (index: number) => left.splice(index, 1)[0]!;
  const exact = reversals.map((reversal): [Reversal, Refund | null] => {
    const index = left.findIndex(({ amount }) => amount === reversal.amount);
    return [reversal, index < 0 ? null : take(index)];
  });
  const pairs = exact.map(([reversal, refund]): [Reversal, Refund | null] => [reversal, refund ?? (left.length ? take(0) : null)]);
  return { pairs, unpaired: left };
}
