import { formatDate, formatDayLong, todayInIndia } from "#app/lib/dates.ts";
import { formatRupees } from "#app/lib/money.ts";
import { m } from "#app/paraglide/messages.js";
import { AnyLink, LinkButton } from "#app/ui/button.tsx";
import { Badge, Facts, Note } from "#app/ui/pieces.tsx";
import { StatList, StatTile } from "#app/ui/staff/stat-list.tsx";
import { RowsTable } from "#app/ui/staff/table.tsx";
import { EmptyState } from "#app/ui/states.tsx";
import { type OwnLine, type OwnSettlement, takenBackOf } from "../settlements.ts";
import { lineKindWord } from "../words.ts";
import { AccountBadge, LineAmountCells, lineAmountHeads, SettlementCells, settlementHeads } from "./settlement-columns.tsx";

/** Settlements of a doctor or a place. `path`: the page of one. `csv`: all of them as a file. */
export function OwnSettlements({ rows, path, csv }: { rows: OwnSettlement[]; path: (id: string) => string; csv: string }) {
  if (rows.length === 0)
    return (
      <EmptyState drawing="records" title={m.settle_none()}>
        {m.settle_none_text()}
      </EmptyState>
    );
  return (
    <>
      <p className="text-ink-soft">{m.settle_text()}</p>
      {rows.some(({ isAccount }) => isAccount) && <p className="text-sm text-ink-soft mt-2">{m.settle_account_list()}</p>}
      {rows.some(({ shared }) => shared) && <p className="text-sm text-ink-soft mt-2">{m.settle_shared_list()}</p>}
      <div className="mt-2">
        <LinkButton to={csv} download variant="second" size="sm" icon="download">
          {m.statistics_csv()}
        </LinkButton>
      </div>
      <RowsTable className="mt-4" label={m.settle_list()} heads={settlementHeads()}>
        {rows.map((one) => (
          <tr key={one.id}>
            <td>
              <AnyLink to={path(one.id)}>{formatDate(todayInIndia(one.settledAt))}</AnyLink> {one.isAccount && <AccountBadge />}{" "}
              {one.shared && <Badge>{m.settle_shared_short()}</Badge>}
            </td>
            <SettlementCells of={one} />
          </tr>
        ))}
      </RowsTable>
    </>
  );
}

type OwnSettlementProps = {
  settlement: OwnSettlement;
  lines: OwnLine[];
  doctors: boolean;
  receipt: (paymentId: string) => string;
  csv: string;
};

/** A settlement with its payments and refunds. `receipt`: the page of a receipt. */
export function OwnSettlementView({ settlement, ...rest }: OwnSettlementProps) {
  return (
    <>
      <h2>{formatDayLong(todayInIndia(settlement.settledAt))}</h2>
      {settlement.isAccount && <p className="text-ink-soft">{m.settle_account()}</p>}
      {settlement.shared && <Note className="mt-2">{m.settle_shared()}</Note>}
      <SettlementSums settlement={settlement} />
      <div className="mt-4">
        <Facts
          items={[
            [m.settle_reference(), <SettlementId key="utr">{settlement.reference}</SettlementId>],
            [m.settle_id(), <SettlementId key="id">{settlement.id}</SettlementId>],
          ]}
        />
      </div>
      <OwnLines {...rest} takenBack={takenBackOf(settlement)} />
    </>
  );
}

function SettlementSums({ settlement }: Pick<OwnSettlementProps, "settlement">) {
  return (
    <StatList className="mt-4">
      <StatTile icon="indian-rupee" label={m.settle_paid_out()} value={formatRupees(settlement.paidOut)} />
      <StatTile
        label={m.settle_received()}
        value={formatRupees(settlement.received)}
        hint={m.settle_payments_hint({ count: String(settlement.payments) })}
      />
      <StatTile
        label={m.settle_refunded()}
        value={formatRupees(settlement.refunded)}
        hint={settlement.refunds === null ? m.settle_taken_back_hint() : m.settle_refunds_hint({ count: String(settlement.refunds) })}
      />
      <StatTile
        label={m.settle_fee()}
        value={formatRupees(settlement.fee)}
        hint={m.settle_fee_hint({ tax: formatRupees(settlement.tax) })}
      />
    </StatList>
  );
}

type OwnLinesProps = Omit<OwnSettlementProps, "settlement"> & { takenBack: ReturnType<typeof takenBackOf> };
function OwnLines({ lines, doctors, receipt, csv, takenBack }: OwnLinesProps) {
  return (
    <section className="mt-7" aria-labelledby="h-lines">
      <div className="row flex-wrap justify-between">
        <h2 id="h-lines">{m.settle_lines()}</h2>
        <LinkButton to={csv} download variant="second" size="sm" icon="download">
          {m.statistics_csv()}
        </LinkButton>
      </div>
      <RowsTable
        className="mt-2"
        label={m.settle_lines()}
        heads={[m.appointments_patient(), doctors && m.appointments_doctor(), m.settle_kind(), m.money_receipt(), ...lineAmountHeads()]}
      >
        {lines.map((one) => (
          <OwnLineRow key={`${one.kind} ${one.lineId}`} line={one} doctors={doctors} receipt={receipt} />
        ))}
        {takenBack && (
          <tr>
            <td>
              <b>{m.settle_kind_taken_back()}</b>
            </td>
            {doctors && <td />}
            <td />
            <td />
            <LineAmountCells of={takenBack} />
          </tr>
        )}
      </RowsTable>
    </section>
  );
}

function OwnLineRow({ line: one, doctors, receipt }: { line: OwnLine } & Pick<OwnSettlementProps, "doctors" | "receipt">) {
  return (
    <tr>
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
  );
}

/** An id or a reference. It may break anywhere, because it has no spaces. */
const SettlementId = ({ children }: { children: string }) => (
  <span lang="en" className="wrap-anywhere">
    {children}
  </span>
);
