import { formatInstant } from "#app/lib/dates.ts";
import { formatRupees, minus } from "#app/lib/money.ts";
import { m } from "#app/paraglide/messages.js";
import { AnyLink, LinkButton } from "#app/ui/button.tsx";
import { Facts, Note, SectionHead } from "#app/ui/pieces.tsx";
import { type HandledMoney, type PaymentLine, platformFeeOf } from "../payment-line.ts";
import { receivedByWord, recordWord } from "../words.ts";
import { PaymentBadge } from "./payment-badge.tsx";

/** Payments of an appointment, each with the link to its receipt. */
export const PaymentLines = ({
  lines,
  receiptOf,
  returnOf,
}: {
  lines: readonly PaymentLine[];
  receiptOf: (id: string) => string;
  /** Where the money of a refund that failed is returned. Absent for the patient. */
  returnOf?: (id: string) => string;
}) => (
  <ul className="space-y-1">
    {lines.map((one) => (
      <li key={one.id} className="text-sm">
        <b className="num">{formatRupees(one.amount)}</b>, {receivedByWord(one.method)}, {formatInstant(new Date(one.at))}
        {one.refunded > one.notReturned && `. ${m.money_refunded_amount({ amount: formatRupees(minus(one.refunded, one.notReturned)) })}`}
        {one.notReturned > 0 && `. ${m.money_not_returned({ amount: formatRupees(one.notReturned) })}`}{" "}
        <AnyLink className="nowrap" to={receiptOf(one.id)}>
          {m.money_receipt_of({ number: one.receipt })}
        </AnyLink>{" "}
        {one.notReturned > 0 && returnOf && (
          <LinkButton to={returnOf(one.id)} variant="second" size="sm">
            {m.online_failed_link()}
          </LinkButton>
        )}
      </li>
    ))}
  </ul>
);

/** The payment of an appointment, for the doctor and members of a place. */
export function VisitPayment({
  money,
  record,
  receiptOf,
  returnOf,
}: {
  money: HandledMoney;
  record: string;
  receiptOf: (id: string) => string;
  returnOf: (id: string) => string;
}) {
  return (
    <section className="card mt-7" aria-labelledby="h-money">
      <SectionHead>
        <h2 id="h-money">{m.payments_method()}</h2>
        <PaymentBadge status={money.state} />
      </SectionHead>
      {money.due !== null && money.due > 0 && <Facts items={[[m.money_due(), formatRupees(money.due)]]} />}
      {money.payments.some((one) => one.notReturned > 0) && <Note tone="warn">{m.online_failed_badge()}</Note>}
      {money.payments.length > 0 && <PaymentLines lines={money.payments} receiptOf={receiptOf} returnOf={returnOf} />}
      {platformFeeOf(money.payments) > 0 && (
        <p className="text-sm text-ink-soft mt-2">{m.platform_also_paid({ fee: formatRupees(platformFeeOf(money.payments)) })}</p>
      )}
      {money.state === "confirming" && <Note className="mt-2">{m.money_confirming_text()}</Note>}
      {money.record && (
        <LinkButton to={record} variant={money.record === "due" ? "second" : "quiet"} full icon="indian-rupee" className="mt-2">
          {recordWord(money.record)}
        </LinkButton>
      )}
    </section>
  );
}
