import { formatDate, formatDayLong, todayInIndia } from "#app/lib/dates.ts";
import { formatRupees } from "#app/lib/money.ts";
import { m } from "#app/paraglide/messages.js";
import { AnyLink, LinkButton } from "#app/ui/button.tsx";
import { Badge, Facts, Note, Scroll, StatList, StatTile } from "#app/ui/pieces.tsx";
import { EmptyState } from "#app/ui/states.tsx";
import type { OwnLine, OwnSettlement } from "../settlements.ts";
import { lineKindWord } from "../words.ts";
import { LineAmountCells, LineAmountHeads, SettlementCells, SettlementHeads } from "./settlement-columns.tsx";

/** Settlements of a doctor or a place. `path`: the page of one. `csv`: all of them as a file. `transfers`: some payments went to the payout account. */
export function OwnSettlements({
  rows,
  transfers,
  path,
  csv,
}: {
  rows: OwnSettlement[];
  transfers: boolean;
  path: (id: string) => string;
  csv: string;
}) {
  const note = transfers && <p className="soft mb">{m.settle_transferred()}</p>;
  if (rows.length === 0)
    return (
      <>
        {note}
        <EmptyState drawing="records" title={m.settle_none()}>
          {m.settle_none_text()}
        </EmptyState>
      </>
    );
  return (
    <>
      {note}
      <p className="soft">{m.settle_text()}</p>
      {rows.some(({ shared }) => shared) && <p className="soft small mt">{m.settle_shared_list()}</p>}
      <div className="mt">
        <LinkButton to={csv} reloadDocument download variant="second" size="sm" icon="download">
          {m.statistics_csv()}
        </LinkButton>
      </div>
      <Scroll className="section tight" label={m.settle_list()}>
        <table className="table rows">
          <thead>
            <tr>
              <SettlementHeads />
            </tr>
          </thead>
          <tbody>
            {rows.map((one) => (
              <tr key={one.id}>
                <td>
                  <AnyLink to={path(one.id)}>{formatDate(todayInIndia(one.settledAt))}</AnyLink>{" "}
                  {one.shared && <Badge>{m.settle_shared_short()}</Badge>}
                </td>
                <SettlementCells of={one} />
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </>
  );
}

/** A settlement with its payments and refunds. `receipt`: the page of a receipt. */
export function OwnSettlementView({
  settlement,
  lines,
  doctors,
  receipt,
  csv,
}: {
  settlement: OwnSettlement;
  lines: OwnLine[];
  doctors: boolean;
  receipt: (paymentId: string) => string;
  csv: string;
}) {
  return (
    <>
      <h2>{formatDayLong(todayInIndia(settlement.settledAt))}</h2>
      {settlement.shared && <Note className="mt">{m.settle_shared()}</Note>}
      <StatList className="section tight">
        <StatTile icon="indian-rupee" label={m.settle_paid_out()} value={formatRupees(settlement.paidOut)} />
        <StatTile
          label={m.settle_received()}
          value={formatRupees(settlement.received)}
          hint={m.settle_payments_hint({ count: String(settlement.payments) })}
        />
        <StatTile
          label={m.settle_refunded()}
          value={formatRupees(settlement.refunded)}
          hint={m.settle_refunds_hint({ count: String(settlement.refunds) })}
        />
        <StatTile
          label={m.settle_fee()}
          value={formatRupees(settlement.fee)}
          hint={m.settle_fee_hint({ tax: formatRupees(settlement.tax) })}
        />
      </StatList>
      <div className="section tight">
        <Facts
          items={[
            [m.settle_reference(), <SettlementId key="utr">{settlement.reference}</SettlementId>],
            [m.settle_id(), <SettlementId key="id">{settlement.id}</SettlementId>],
          ]}
        />
      </div>
      <section className="section" aria-labelledby="h-lines">
        <div className="row wrap between">
          <h2 id="h-lines">{m.settle_lines()}</h2>
          <LinkButton to={csv} reloadDocument download variant="second" size="sm" icon="download">
            {m.statistics_csv()}
          </LinkButton>
        </div>
        <Scroll className="mt" label={m.settle_lines()}>
          <table className="table rows">
            <thead>
              <tr>
                <th scope="col">{m.appointments_patient()}</th>
                {doctors && <th scope="col">{m.appointments_doctor()}</th>}
                <th scope="col">{m.settle_kind()}</th>
                <th scope="col">{m.money_receipt()}</th>
                <LineAmountHeads />
              </tr>
            </thead>
            <tbody>
              {lines.map((one) => (
                <tr key={`${one.kind} ${one.lineId}`}>
                  <td>
                    <b>{one.patientName}</b>
                  </td>
                  {doctors && <td data-label={m.appointments_doctor()}>{one.doctorName}</td>}
                  <td data-label={m.settle_kind()}>{lineKindWord(one.kind)}</td>
                  <td data-label={m.money_receipt()}>
                    <AnyLink className="num" to={receipt(one.paymentId)}>
                      {one.receipt}
                    </AnyLink>
                  </td>
                  <LineAmountCells of={one} />
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      </section>
    </>
  );
}

/** An id or a reference. It may break anywhere, because it has no spaces. */
const SettlementId = ({ children }: { children: string }) => (
  <span lang="en" className="long-id">
    {children}
  </span>
);
