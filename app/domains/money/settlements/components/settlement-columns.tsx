/** Columns that the settlement tables of doctors, places and administrators share. */
import { formatRupees, type Paise } from "#app/lib/money.ts";
import { m } from "#app/paraglide/messages.js";
import { Badge } from "#app/ui/pieces.tsx";
import { type Head, NumberCell } from "#app/ui/staff/table.tsx";
import type { Settlement } from "../settlements.ts";

const AmountCell = ({ label, amount }: { label: string; amount: Paise }) => <NumberCell label={label}>{formatRupees(amount)}</NumberCell>;

/** Marks a settlement of a payout account. */
export const AccountBadge = () => <Badge tone="info">{m.settle_account_short()}</Badge>;

/** Heads of a list of settlements: the date and the columns of `SettlementCells`. */
export const settlementHeads = (): Head[] => [
  m.settle_date(),
  { number: m.settle_paid_out() },
  { number: m.settle_fee() },
  m.settle_reference(),
  m.settle_payments(),
  m.settle_refunds(),
];
export const SettlementCells = ({ of }: { of: Pick<Settlement, "paidOut" | "fee" | "reference" | "payments" | "refunds"> }) => (
  <>
    <AmountCell label={m.settle_paid_out()} amount={of.paidOut} />
    <AmountCell label={m.settle_fee()} amount={of.fee} />
    <td data-label={m.settle_reference()}>
      <span lang="en" className="wrap-anywhere">
        {of.reference}
      </span>
    </td>
    <td data-label={m.settle_payments()} className="num">
      {of.payments}
    </td>
    <td data-label={m.settle_refunds()} className="num">
      {of.refunds ?? "–"}
    </td>
  </>
);

/** Heads of the amounts of a settlement's line. */
export const lineAmountHeads = (): Head[] => [{ number: m.settle_amount() }, { number: m.settle_fee() }, { number: m.settle_paid_out() }];
export const LineAmountCells = ({ of }: { of: { amount: Paise; fee: Paise; paidOut: Paise } }) => (
  <>
    <AmountCell label={m.settle_amount()} amount={of.amount} />
    <AmountCell label={m.settle_fee()} amount={of.fee} />
    <AmountCell label={m.settle_paid_out()} amount={of.paidOut} />
  </>
);
