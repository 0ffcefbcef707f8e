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
    <article className="card stack receipt" aria-labelledby="h-receipt">
      <header>
        <div>
          <h1 id="h-receipt">{r.merchantName}</h1>
          <p className="small soft">{r.merchantAddress}</p>
        </div>
        <p className="stamp">
          {m.money_receipt()} <b>{r.state === "refunded" ? m.money_refunded() : m.money_paid()}</b>
        </p>
      </header>
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
          [
            <span key="p">
              <b>{m.money_received_by({ method: receivedByWord(r.method) })}</b>
              {r.reference && (
                <small className="soft">
                  {m.money_reference()} <span className="num">{r.reference}</span>
                </small>
              )}
            </span>,
            <b key="a">{formatRupees(r.amount)}</b>,
          ],
        ]}
      />
      {r.inWords && <p>{r.inWords}</p>}
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
      <p className="small soft">
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

/** Prints the page. Without scripts: names the browser's menu. */
export function PrintReceipt() {
  const hydrated = useHydrated();
  if (!hydrated) return <p className="soft small">{m.money_print_hint()}</p>;
  return (
    <Button size="lg" className="grow" icon="file-text" onClick={() => window.print()}>
      {m.money_print()}
    </Button>
  );
}
