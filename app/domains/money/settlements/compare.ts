import { days } from "#app/lib/durations.ts";
import type { Paise } from "#app/lib/money.ts";

/** A provider pays out two working days later. A long holiday and a weekend fit. */
const PAID_OUT_WITHIN = days(7);

/** `missing-in-ours`: nothing of ours has the line's id. `missing-in-theirs`: no line after a week. `wrong-sum`: what was paid does not follow from amount and fee. */
export type MismatchKind = "missing-in-ours" | "missing-in-theirs" | "settled-twice" | "amount-differs" | "wrong-sum";

export type Compared = {
  /** The line of the report; null when no line has our id. */
  line: { kind: string; amount: Paise; fee: Paise; tax: Paise; credit: Paise; debit: Paise } | null;
  /** Our payment or refund; null when we do not know the id. */
  ours: { amount: Paise; at: Date } | null;
  /** In how many settlements the id is. */
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
  const [moved, other] = kind === "payment" ? [credit, debit] : [debit, credit];
  return other === 0 && (moved === amount || moved === (kind === "payment" ? amount - fee : amount + fee));
}
