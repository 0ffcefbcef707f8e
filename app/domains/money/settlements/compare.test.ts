import { expect, it } from "vitest";
import { days } from "#app/lib/durations.ts";
import { paise } from "#app/lib/money.ts";
import { type Compared, explainTakenBack, type MismatchKind, mismatchOf, pairReversals } from "./compare.ts";

const NOW = new Date("2026-11-24T06:00:00Z");
type Numbers = { kind?: string; amount?: number; fee?: number; tax?: number; credit?: number; debit?: number };
const line = ({ kind = "payment", amount = 50_000, fee = 1180, tax = 180, credit = 48_820, debit = 0 }: Numbers = {}) => ({
  kind,
  amount: paise(amount),
  fee: paise(fee),
  tax: paise(tax),
  credit: paise(credit),
  debit: paise(debit),
});
const refund = (over: Numbers = {}) => line({ kind: "refund", fee: 0, tax: 0, credit: 0, debit: 50_000, ...over });
const transfer = (over: Numbers = {}) => refund({ kind: "transfer", fee: 148, tax: 23, debit: 50_148, ...over });
const reversal = (over: Numbers = {}) => line({ kind: "reversal", fee: 0, tax: 0, credit: 50_000, ...over });
const ours = (ago = 0, amount = 50_000) => ({ amount: paise(amount), at: new Date(NOW.getTime() - ago) });
const both = (one: Compared["line"]): Compared => ({ line: one, ours: ours(), times: 1 });

it.each<[string, Compared, MismatchKind | null]>([
  ["a payment less its fee", both(line()), null],
  ["a payment whose fee comes from a balance for fees", both(line({ credit: 50_000 })), null],
  ["a refund", both(refund()), null],
  ["a refund with a fee", both(refund({ fee: 590, tax: 90, debit: 50_590 })), null],
  ["a payment of a week ago without a line", { line: null, ours: ours(days(7)), times: 0 }, null],
  ["an older payment without a line", { line: null, ours: ours(days(7) + 1), times: 0 }, "missing-in-theirs"],
  ["a line that we do not know", { line: line(), ours: null, times: 1 }, "missing-in-ours"],
  ["a transfer of a payment", both(transfer()), null],
  ["a transfer without a fee", both(transfer({ fee: 0, tax: 0, debit: 50_000 })), null],
  ["a transfer that we did not ask for", { line: transfer(), ours: null, times: 1 }, "missing-in-ours"],
  ["a payment that was transferred twice", { line: transfer(), ours: ours(), times: 2 }, "settled-twice"],
  ["a transfer of a part of the payment", both(transfer({ amount: 40_000, debit: 40_148 })), "amount-differs"],
  ["a transfer to us", both(transfer({ credit: 50_148, debit: 0 })), "wrong-sum"],
  ["a transfer that took more than its amount and fee", both(transfer({ debit: 50_149 })), "wrong-sum"],
  ["a payment of eight days ago without its transfer", { line: null, ours: ours(days(8)), times: 0 }, "missing-in-theirs"],
  ["a reversal for a refund", both(reversal()), null],
  ["a reversal without a refund", { line: reversal(), ours: null, times: 1 }, "missing-in-ours"],
  ["a reversal of another amount", both(reversal({ amount: 60_000, credit: 60_000 })), "amount-differs"],
  ["a reversal that takes from us", both(reversal({ credit: 0, debit: 50_000 })), "wrong-sum"],
  ["a line in two settlements", { line: line(), ours: ours(), times: 2 }, "settled-twice"],
  ["a paisa less than ours", both(line({ amount: 49_999, credit: 48_819 })), "amount-differs"],
  ["₹20 short", both(line({ credit: 46_820 })), "wrong-sum"],
  ["a payment that is taken", both(line({ credit: 0, debit: 48_820 })), "wrong-sum"],
  ["a refund that is paid out", both(refund({ credit: 50_000, debit: 0 })), "wrong-sum"],
  ["more GST than fee", both(line({ tax: 1181 })), "wrong-sum"],
  ["a transfer that was paid out", both(line({ kind: "payout", fee: 0, tax: 0, credit: 50_000 })), null],
  ["another account", { ...both(line({ kind: "payout", fee: 0, tax: 0, credit: 50_000 })), isOtherAccount: true }, "wrong-account"],
  ["what refunds took", both(line({ kind: "taken-back", fee: 0, tax: 0, credit: 0, debit: 50_000 })), null],
  [
    "a payout that lacks more",
    { line: line({ kind: "taken-back", fee: 0, tax: 0, credit: 0, debit: 50_000 }), ours: ours(0, 40_000), times: 1 },
    "wrong-sum",
  ],
])("%s", (_, compared, expected) => expect(mismatchOf(compared, NOW)).toBe(expected));

it.each<[string, number[], number[], (number | null)[], number[]]>([
  ["one for one", [500], [500], [500], []],
  ["equal amounts once each", [200, 200], [200, 200, 200], [200, 200], [200]],
  ["another sequence", [300, 200], [200, 300], [300, 200], []],
  ["a reversal without a refund", [200, 300], [300], [null, 300], []],
  ["a refund without a reversal", [], [300], [], [300]],
  ["what is left by its sequence", [250, 300], [200, 300], [200, 300], []],
])("pairs reversals with refunds: %s", (_, reversals, refunds, expected, left) => {
  const amounts = (list: readonly number[]) => list.map((amount) => ({ amount: paise(amount) }));
  const { pairs, unpaired } = pairReversals(amounts(reversals), amounts(refunds));
  expect(pairs.map(([, refund]) => refund?.amount ?? null)).toEqual(expected);
  expect(unpaired.map(({ amount }) => amount)).toEqual(left);
});

it.each<[string, [day: number, lacking: number, reversed?: number][], [day: number, amount: number][], number[]]>([
  ["nothing", [[2, 0]], [], [0]],
  [
    "the reversals since the last payout",
    [
      [2, 500],
      [4, 300],
    ],
    [
      [1, 200],
      [1, 300],
      [3, 300],
    ],
    [500, 300],
  ],
  [
    "a reversal that comes with a later payout",
    [
      [2, 0],
      [4, 700],
    ],
    [[1, 700]],
    [0, 700],
  ],
  [
    "reversals that follow each other, without an earlier one",
    [[2, 500]],
    [
      [0, 100],
      [1, 200],
      [1, 300],
    ],
    [500],
  ],
  [
    "no reversal twice",
    [
      [2, 500],
      [4, 500],
    ],
    [[1, 500]],
    [500, 0],
  ],
  ["no reversal after the payout", [[2, 500]], [[3, 500]], [0]],
  ["what the provider says was reversed", [[2, 500, 500]], [], [500]],
  [
    "an amount that no reversals have, and the next payout again",
    [
      [2, 450],
      [4, 300],
    ],
    [
      [1, 200],
      [1, 300],
      [3, 300],
    ],
    [500, 300],
  ],
  ["more than the transfers", [[2, -100]], [[1, 200]], [200]],
])("explains what a payout lacks: %s", (_, settlements, reversals, expected) => {
  const at = (day: number) => new Date(NOW.getTime() + days(day));
  const explained = explainTakenBack(
    settlements.map(([day, lacking, reversed = 0]) => ({ at: at(day), lacking: paise(lacking), reversed: paise(reversed) })),
    reversals.map(([day, amount]) => ({ at: at(day), amount: paise(amount) })),
  );
  expect(explained).toEqual(expected);
});
