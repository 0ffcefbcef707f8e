import { formatDate, todayInIndia } from "#app/lib/dates.ts";
import { formatRupees } from "#app/lib/money.ts";
import { m } from "#app/paraglide/messages.js";
import { AnyLink, Button } from "#app/ui/button.tsx";
import { Facts } from "#app/ui/pieces.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import type { Receipt } from "../payment-line.ts";
import { receivedByWord, refundReasonWord } from "../words.ts";

/** A receipt, on the screen and on paper. `visit`: the page of the appointment. */
export function ReceiptPaper({ receipt: r, visit }: { receipt: Receipt; visit?: string }) {
  return (
    <article className="card stack" aria-labelledby="h-receipt">
      <div>
        <p>
          <b>{r.merchantName}</b>
        </p>
        <p className="small soft">{r.merchantAddress}</p>
      </div>
      <h1 id="h-receipt">
        {m.money_receipt()} <span className="num">{r.receipt}</span>
      </h1>
      <Facts
        items={[
          [m.money_paid_on(), formatDate(todayInIndia(new Date(r.at)))],
          [m.money_received_from(), r.patientName],
          [m.appointments_doctor(), r.doctorName],
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
      <Facts
        className="amounts"
        items={[
          r.fee !== null && [m.payments_fee(), formatRupees(r.fee)],
          r.discount > 0 && [m.money_discount(), m.payments_minus({ amount: formatRupees(r.discount) })],
          [<b key="p">{m.money_received_by({ method: receivedByWord(r.method) })}</b>, <b key="a">{formatRupees(r.amount)}</b>],
          r.reference
            ? [
                m.money_reference(),
                <span key="u" className="num">
                  {r.reference}
                </span>,
              ]
            : null,
        ]}
      />
      {r.refunds.map((one) => (
        <p key={one.id}>
          {one.state ??
            m.money_refund_line({
              amount: formatRupees(one.amount),
              method: receivedByWord(one.method),
              date: formatDate(todayInIndia(new Date(one.at))),
            })}{" "}
          <span className="soft">{refundReasonWord(one.reason)}</span>
        </p>
      ))}
      <p className="small soft">{m.money_receipt_foot()}</p>
    </article>
  );
}

/** Prints the page. Without scripts: names the browser's menu. */
export function PrintReceipt() {
  const hydrated = useHydrated();
  if (!hydrated) return <p className="soft small">{m.money_print_hint()}</p>;
  return (
    <Button size="lg" icon="file-text" onClick={() => window.print()}>
      {m.money_print()}
    </Button>
  );
}
