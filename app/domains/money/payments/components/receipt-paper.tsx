import { formatDate, todayInIndia } from "#app/lib/dates.ts";
import { formatRupeesExact, minus } from "#app/lib/money.ts";
import { withPlatformFee } from "#app/lib/platform-fee.ts";
import { m } from "#app/paraglide/messages.js";
import { AnyLink, Button } from "#app/ui/button.tsx";
import { Amounts } from "#app/ui/members/amounts.tsx";
import { Facts } from "#app/ui/pieces.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import { FeeDocuments } from "../../platform-fee/components/fee-documents.tsx";
import { patientSums, type Receipt } from "../payment-line.ts";
import { receiptStateWord, receivedByWord, refundReasonWord } from "../words.ts";

/**
 * A receipt, on the screen and on paper, where it is smaller: with a refund it is one page of A5 too. Names are in the reader's script, with the registered ones beside them (docs/decisions/025). `visit`: the page of the appointment. The patient's has the platform fee with its documents, that of the
 * clinic its own amount.
 */
export function ReceiptPaper({ receipt: r, visit }: { receipt: Receipt; visit?: string }) {
  const withFee = r.feeDocuments !== null;
  return (
    <article className="card space-y-4 print:border-0 print:p-0 print:[zoom:0.8] [&_small]:block" aria-labelledby="h-receipt">
      <ReceiptHead receipt={r} />
      <ReceiptFacts receipt={r} visit={visit} />
      <ReceiptAmounts receipt={r} />
      <p>{r.inWords}</p>
      {r.refunds.map((one) => (
        <RefundLine key={one.id} refund={one} />
      ))}
      {r.feeDocuments && <FeeDocuments documents={r.feeDocuments} />}
      {!withFee && r.platformFee > r.platformFeeRefunded && (
        <p className="text-sm text-ink-soft">
          {m.platform_also_paid({ fee: formatRupeesExact(minus(r.platformFee, r.platformFeeRefunded)) })}
        </p>
      )}
      <p className="text-sm text-ink-soft">
        {r.refundLine && (
          <>
            {r.refundLine}
            <br />
          </>
        )}
        {m.money_receipt_foot()}
      </p>
    </article>
  );
}

function ReceiptHead({ receipt: r }: { receipt: Receipt }) {
  return (
    <header className="flex flex-wrap justify-between gap-x-4 gap-y-2 border-b-2 border-brand pb-3">
      <div className="flex-[1_1_12rem]">
        <h1 id="h-receipt">{r.merchantInScript ?? r.merchantName}</h1>
        {r.merchantInScript !== null && r.merchantInScript !== r.merchantName && <p className="font-semibold">{r.merchantName}</p>}
        <p className="text-sm text-ink-soft">{r.merchantAddress}</p>
      </div>
      <p className="text-ink-soft [&_b]:block [&_b]:text-ink [&_b]:text-lg">
        {m.money_receipt()} <b>{receiptStateWord(r)}</b>
      </p>
    </header>
  );
}

function ReceiptFacts({ receipt: r, visit }: { receipt: Receipt; visit: string | undefined }) {
  return (
    <Facts
      items={[
        [
          m.money_receipt_number(),
          <span key="n" className="num">
            {r.receipt}
          </span>,
        ],
        [m.money_paid_on(), formatDate(todayInIndia(new Date(r.at)))],
        [m.money_received_from(), r.patientName],
        [m.appointments_doctor(), r.doctorName === r.registeredDoctorName ? r.doctorName : `${r.doctorName} (${r.registeredDoctorName})`],
        [
          m.money_appointment_on(),
          visit ? (
            <AnyLink key="d" to={visit}>
              {formatDate(r.date)}
            </AnyLink>
          ) : (
            formatDate(r.date)
          ),
        ],
        [
          m.payments_reference(),
          <span key="v" className="num">
            {r.visitReference}
          </span>,
        ],
      ]}
    />
  );
}

function ReceiptAmounts({ receipt: r }: { receipt: Receipt }) {
  const withFee = r.feeDocuments !== null;
  const isPart = r.fee !== null && r.amount !== r.fee - r.discount;
  return (
    <Amounts
      className="border-t border-line pt-3"
      items={[
        r.fee !== null && [m.payments_fee(), formatRupeesExact(r.fee)],
        r.discount > 0 && [m.money_discount(), m.payments_minus({ amount: formatRupeesExact(r.discount) })],
        withFee && [m.platform_fee(), formatRupeesExact(r.platformFee)],
        [
          <span key="p">
            <b>{m.money_received_by({ method: receivedByWord(r.method) })}</b>
            {r.reference && (
              <small className="text-ink-soft">
                {m.money_reference()} <span className="num">{r.reference}</span>
              </small>
            )}
            {withFee && isPart && (
              <small className="text-ink-soft">
                {m.platform_parts({ amount: formatRupeesExact(r.amount), fee: formatRupeesExact(r.platformFee) })}
              </small>
            )}
          </span>,
          <b key="a">{formatRupeesExact(withFee ? patientSums(r).paid : r.amount)}</b>,
        ],
      ]}
    />
  );
}

const RefundLine = ({ refund: one }: { refund: Receipt["refunds"][number] }) => (
  <p>
    {one.state ??
      m.money_refund_line({
        amount: formatRupeesExact(withPlatformFee(one)),
        method: receivedByWord(one.method),
        date: formatDate(todayInIndia(new Date(one.at))),
      })}{" "}
    <span className="text-ink-soft">
      {refundReasonWord(one.reason)}
      {one.platformFee > 0 && one.amount > 0 && (
        <small>{m.platform_parts({ amount: formatRupeesExact(one.amount), fee: formatRupeesExact(one.platformFee) })}</small>
      )}
    </span>
  </p>
);

/** Prints the page. Without scripts: names the browser's menu. */
export function PrintReceipt() {
  const hydrated = useHydrated();
  if (!hydrated) return <p className="text-sm text-ink-soft">{m.money_print_hint()}</p>;
  return (
    <Button size="lg" className="grow" icon="file-text" onClick={() => window.print()}>
      {m.money_print()}
    </Button>
  );
}
