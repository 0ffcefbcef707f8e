import { days, minutes } from "#app/lib/durations.ts";
import { type Paise, plus } from "#app/lib/money.ts";

/** A provider pays out two working days later. A long holiday and a weekend fit. */
const PAID_OUT_WITHIN = days(7);
/** Our clock and the provider's may differ. */
const CLOCKS = minutes(5);

/**
 * `missing-in-ours`: nothing of ours has the line's id, or we requested no transfer. `missing-in-theirs`: no line after a week. `settled-twice`: also a
 * payment that was transferred twice. `wrong-sum`: what was paid does not follow from amount and fee, or from the transfers of a payout account.
 * `wrong-account`: paid out from a linked account that is not the order's.
 */
export type MismatchKind = "missing-in-ours" | "missing-in-theirs" | "settled-twice" | "amount-differs" | "wrong-sum" | "wrong-account";

export type Compared = {
  /** The line of the report; null when no line has our id. */
  line: { kind: string; amount: Paise; fee: Paise; tax: Paise; credit: Paise; debit: Paise } | null;
  /** Our payment or refund; null when we do not know the id. For a transfer: its payment, if we requested a transfer. For a reversal: its refund. */
  ours: { amount: Paise; at: Date } | null;
  /** In how many settlements the id is. For a transfer: how many transfer lines its payment has. */
  times: number;
  /** True for a transfer to another account than the order's. */
  isOtherAccount?: boolean;
};

/** Returns what is wrong with a line of the settlement report and our payment or refund with the same id; null when they agree. */
export function mismatchOf({ line, ours, times, isOtherAccount = false }: Compared, now: Date): MismatchKind | null {
  if (!line) return ours && now.getTime() - ours.at.getTime() > PAID_OUT_WITHIN ? "missing-in-theirs" : null;
  if (!ours) return "missing-in-ours";
  if (isOtherAccount) return "wrong-account";
  if (times > 1) return "settled-twice";
  if (line.amount !== ours.amount) return line.kind === "taken-back" ? "wrong-sum" : "amount-differs";
  return isSumRight(line) ? null : "wrong-sum";
}

/** A fee is taken from the payment, or from a balance for fees: then everything is paid out. */
function isSumRight({ kind, amount, fee, tax, credit, debit }: NonNullable<Compared["line"]>): boolean {
  if (tax > fee) return false;
  const isForUs = kind === "payment" || kind === "reversal" || kind === "payout";
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

/**
 * Returns what refunds took from each settlement of a linked account, in the order of the settlements. The provider does not say which reversals a
 * settlement has, so the amount that it lacks decides: reversals that follow each other and were not taken before, or what the provider says was
 * reversed of its own transfers. What is not explained is the sum of the open reversals, and they end with it.
 */
export function explainTakenBack(
  settlements: readonly { at: Date; lacking: Paise; reversed: Paise }[],
  reversals: readonly { at: Date; amount: Paise }[],
): Paise[] {
  let open = [...reversals];
  return settlements.map(({ at, lacking, reversed }) => {
    const due = open.filter((reversal) => reversal.at.getTime() <= at.getTime() + CLOCKS);
    const run = findRun(due, lacking);
    if (!run && lacking === reversed) return lacking;
    const taken = new Set(run ?? due);
    open = open.filter((reversal) => !taken.has(reversal));
    return run ? lacking : plus(...due.map(({ amount }) => amount));
  });
}

/** Returns neighbours whose amounts have a sum; none of them for zero, null when there are none. */
function findRun<One extends { amount: Paise }>(list: readonly One[], sum: number): One[] | null {
  if (sum === 0) return [];
  for (let from = 0; from < list.length; from++) {
    let left = sum;
    for (let to = from; to < list.length && left > 0; to++) {
      left -= list[to]!.amount;
      if (left === 0) return list.slice(from, to + 1);
    }
  }
  return null;
}
