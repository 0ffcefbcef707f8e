import { addDays, formatDayLong, formatTime, timeInIndia } from "#app/lib/dates.ts";
import { formatRupees } from "#app/lib/money.ts";
import { RECEIVED_BY } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { AnyLink, LinkButton } from "#app/ui/button.tsx";
import { StatList, StatTile } from "#app/ui/staff/stat-list.tsx";
import { NumberCell, RowsTable } from "#app/ui/staff/table.tsx";
import { PaymentBadge } from "../../payments/components/payment-badge.tsx";
import { receivedByWord, recordWord } from "../../payments/words.ts";
import type { Sum, Takings } from "../takings.ts";

export type TakingsLinks = {
  day: (date: string) => string;
  csv: string;
  months: string;
  /** The settlements of the payment provider. Absent without one. */
  settlements?: string | undefined;
  record: (appointmentId: string) => string;
  receipt: (paymentId: string) => string;
  /** The page of an appointment. Absent: the names are no links. */
  visit?: (appointmentId: string) => string;
};

/** Money and appointments of a day. `doctors`: several doctors, named on each row. `sums`: with the money of the day. */
export function TakingsView({
  takings,
  today,
  links,
  doctors,
  sums = true,
}: {
  takings: Takings;
  today: string;
  links: TakingsLinks;
  doctors: boolean;
  sums?: boolean;
}) {
  const { day, totals, stillDue, moves, visits } = takings;
  const count = (sum: Sum) =>
    [m.money_payments_count({ count: sum.payments }), sum.refunds > 0 && m.money_refunds_count({ count: sum.refunds })]
      .filter(Boolean)
      .join(", ");
  return (
    <>
      <h2>{formatDayLong(day)}</h2>
      <nav className="row flex-wrap mt-2" aria-label={m.money_days()}>
        <LinkButton to={links.day(addDays(day, -1))} variant="second" size="sm" icon="chevron-left">
          {m.appointments_day_before()}
        </LinkButton>
        {day !== today && (
          <LinkButton to={links.day(today)} variant="second" size="sm">
            {m.money_today()}
          </LinkButton>
        )}
        {day < today && (
          <LinkButton to={links.day(addDays(day, 1))} variant="second" size="sm" iconEnd="chevron-right">
            {m.appointments_day_after()}
          </LinkButton>
        )}
        {sums && (
          <LinkButton to={links.months} variant="second" size="sm">
            {m.money_months()}
          </LinkButton>
        )}
        {sums && links.settlements && (
          <LinkButton to={links.settlements} variant="second" size="sm">
            {m.settle_title()}
          </LinkButton>
        )}
      </nav>
      {sums && (
        <StatList className="mt-4">
          <StatTile
            icon="indian-rupee"
            label={m.money_taken()}
            value={formatRupees(totals.all)}
            hint={stillDue > 0 ? m.money_still_due({ amount: formatRupees(stillDue) }) : m.money_less_refunds()}
          />
          {RECEIVED_BY.filter((method) => method !== "online" || totals.online.payments + totals.online.refunds > 0).map((method) => (
            <StatTile
              key={method}
              label={receivedByWord(method)}
              value={formatRupees(totals[method].amount)}
              hint={count(totals[method])}
            />
          ))}
          {totals.notReturned > 0 && (
            <StatTile
              icon="circle-alert"
              label={m.money_not_returned_figure()}
              value={formatRupees(totals.notReturned)}
              hint={m.money_not_returned_hint()}
            />
          )}
        </StatList>
      )}
      <section className="mt-7" aria-labelledby="h-visits">
        <h2 id="h-visits">{m.money_visits()}</h2>
        {visits.length === 0 ? (
          <p className="text-ink-soft mt-2">{m.money_visits_none()}</p>
        ) : (
          <RowsTable className="mt-2" label={m.money_visits()}>
            <thead>
              <tr>
                <th scope="col">{m.appointments_day_time()}</th>
                <th scope="col">{m.appointments_patient()}</th>
                {doctors && <th scope="col">{m.appointments_doctor()}</th>}
                <th scope="col" className="text-right">
                  {m.money_to_pay()}
                </th>
                <th scope="col">{m.money_method()}</th>
                <th scope="col">{m.money_state()}</th>
                <th scope="col">
                  <span className="sr-only">{m.money_record()}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {visits.map((a) => (
                <tr key={a.id}>
                  <td className="num">{formatTime(a.time)}</td>
                  <td>{links.visit ? <AnyLink to={links.visit(a.id)}>{a.patientName}</AnyLink> : <b>{a.patientName}</b>}</td>
                  {doctors && <td data-label={m.appointments_doctor()}>{a.doctorName}</td>}
                  <NumberCell label={m.money_to_pay()}>{a.amount === null ? "–" : formatRupees(a.amount)}</NumberCell>
                  <td data-label={m.money_method()}>{a.methods.map(receivedByWord).join(", ") || "–"}</td>
                  <td data-label={m.money_state()}>
                    <PaymentBadge status={a.state} />
                  </td>
                  <td>
                    {a.record && (
                      <LinkButton to={links.record(a.id)} variant="second" size="sm">
                        {recordWord(a.record)}
                        <span className="sr-only"> {a.patientName}</span>
                      </LinkButton>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </RowsTable>
        )}
      </section>
      {sums && (
        <section className="mt-7" aria-labelledby="h-moves">
          <div className="row flex-wrap justify-between">
            <h2 id="h-moves">{m.money_moves()}</h2>
            {moves.length > 0 && (
              <LinkButton to={links.csv} download variant="second" size="sm" icon="download">
                {m.statistics_csv()}
              </LinkButton>
            )}
          </div>
          {moves.length === 0 ? (
            <p className="text-ink-soft mt-2">{m.money_moves_none()}</p>
          ) : (
            <RowsTable className="mt-2" label={m.money_moves()}>
              <thead>
                <tr>
                  <th scope="col">{m.appointments_day_time()}</th>
                  <th scope="col">{m.appointments_patient()}</th>
                  <th scope="col">{m.money_receipt()}</th>
                  <th scope="col">{m.money_method()}</th>
                  <th scope="col" className="text-right">
                    {m.money_amount()}
                  </th>
                </tr>
              </thead>
              <tbody>
                {moves.map((one) => (
                  <tr key={one.id}>
                    <td className="num">{formatTime(timeInIndia(new Date(one.at)))}</td>
                    <td>
                      <b>{one.patientName}</b>
                    </td>
                    <td data-label={m.money_receipt()}>
                      <AnyLink className="num" to={links.receipt(one.paymentId)}>
                        {one.receipt}
                      </AnyLink>
                    </td>
                    <td data-label={m.money_method()}>
                      {one.isFailed
                        ? m.money_refund_failed()
                        : one.isWithdrawn
                          ? m.money_refund_withdrawn()
                          : one.amount < 0
                            ? m.money_refund_by({ method: receivedByWord(one.method) })
                            : receivedByWord(one.method)}
                    </td>
                    <NumberCell label={m.money_amount()}>{formatRupees(one.amount)}</NumberCell>
                  </tr>
                ))}
              </tbody>
            </RowsTable>
          )}
        </section>
      )}
    </>
  );
}
