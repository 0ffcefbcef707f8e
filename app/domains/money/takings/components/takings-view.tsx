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

type Props = { takings: Takings; today: string; links: TakingsLinks };

/** Money and appointments of a day. `doctors`: several doctors, named on each row. `sums`: with the money of the day. */
export function TakingsView({ takings, today, links, doctors, sums = true }: Props & { doctors: boolean; sums?: boolean }) {
  return (
    <>
      <h2>{formatDayLong(takings.day)}</h2>
      <DayLinks day={takings.day} today={today} links={links} sums={sums} />
      {sums && <Totals takings={takings} />}
      <VisitsOfDay visits={takings.visits} links={links} doctors={doctors} />
      {sums && <Movements moves={takings.moves} links={links} />}
    </>
  );
}

function DayLinks({ day, today, links, sums }: Pick<Takings, "day"> & Omit<Props, "takings"> & { sums: boolean }) {
  return (
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
  );
}

function Totals({ takings: { totals, stillDue } }: Pick<Props, "takings">) {
  return (
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
          hint={countWord(totals[method])}
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
  );
}

const countWord = (sum: Sum) =>
  [m.money_payments_count({ count: sum.payments }), sum.refunds > 0 && m.money_refunds_count({ count: sum.refunds })]
    .filter(Boolean)
    .join(", ");

function VisitsOfDay({ visits, links, doctors }: Pick<Takings, "visits"> & Pick<Props, "links"> & { doctors: boolean }) {
  return (
    <section className="mt-7" aria-labelledby="h-visits">
      <h2 id="h-visits">{m.money_visits()}</h2>
      {visits.length === 0 ? (
        <p className="text-ink-soft mt-2">{m.money_visits_none()}</p>
      ) : (
        <RowsTable
          className="mt-2"
          label={m.money_visits()}
          heads={[
            m.appointments_day_time(),
            m.appointments_patient(),
            doctors && m.appointments_doctor(),
            { number: m.money_to_pay() },
            m.money_method(),
            m.money_state(),
            { hidden: m.money_record() },
          ]}
        >
          {visits.map((a) => (
            <VisitRow key={a.id} visit={a} links={links} doctors={doctors} />
          ))}
        </RowsTable>
      )}
    </section>
  );
}

function VisitRow({ visit: a, links, doctors }: { visit: Takings["visits"][number]; links: TakingsLinks; doctors: boolean }) {
  return (
    <tr>
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
  );
}

function Movements({ moves, links }: Pick<Takings, "moves"> & Pick<Props, "links">) {
  return (
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
        <RowsTable
          className="mt-2"
          label={m.money_moves()}
          heads={[m.appointments_day_time(), m.appointments_patient(), m.money_receipt(), m.money_method(), { number: m.money_amount() }]}
        >
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
              <td data-label={m.money_method()}>{methodWord(one)}</td>
              <NumberCell label={m.money_amount()}>{formatRupees(one.amount)}</NumberCell>
            </tr>
          ))}
        </RowsTable>
      )}
    </section>
  );
}

function methodWord({ isFailed, isWithdrawn, amount, method }: Takings["moves"][number]): string {
  if (isFailed) return m.money_refund_failed();
  if (isWithdrawn) return m.money_refund_withdrawn();
  return amount < 0 ? m.money_refund_by({ method: receivedByWord(method) }) : receivedByWord(method);
}
