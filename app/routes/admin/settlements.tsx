import { href } from "react-router";
import { getCheckedMonth } from "#app/domains/money/settlements/checked-settlements.server.ts";
import { AccountBadge, SettlementCells, settlementHeads } from "#app/domains/money/settlements/components/settlement-columns.tsx";
import type { Mismatch } from "#app/domains/money/settlements/queries.server.ts";
import { lineKindWord, settlementMismatchWord } from "#app/domains/money/settlements/words.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { formatDate, formatInstant, formatMonth, monthOf, todayInIndia } from "#app/lib/dates.ts";
import { formatRupees, paise, plus } from "#app/lib/money.ts";
import { m } from "#app/paraglide/messages.js";
import { AnyLink } from "#app/ui/button.tsx";
import { Amounts } from "#app/ui/members/amounts.tsx";
import { Badge, Card, Note } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import { StatList, StatTile } from "#app/ui/staff/stat-list.tsx";
import { RowsTable } from "#app/ui/staff/table.tsx";
import { EmptyState } from "#app/ui/states.tsx";
import type { Route } from "./+types/settlements.ts";
import { MonthLinks, PaymentTabs } from "./payment-parts.tsx";
import { reconciledMonth } from "./reconciled-days.server.ts";

export const loader = loadOwn(async (ctx, { request }: Route.LoaderArgs) => {
  const month = reconciledMonth(request, ctx.now);
  return { month, current: monthOf(todayInIndia(ctx.now)), ...(await getCheckedMonth(ctx, month)) };
});

const address = (month: string) => `${href("/admin/payments/settlements")}?month=${month}`;

type Data = Route.ComponentProps["loaderData"];

/** Settlements of a month, and what does not agree with the recorded payments and refunds. */
export default function Settlements({ loaderData }: Route.ComponentProps) {
  const { month, current, settlements, mismatches, more, readAt } = loaderData;
  return (
    <Page wide title={m.admin_pay_title()}>
      <PaymentTabs current="settlements" />
      <p className="text-ink-soft mt-2">{m.settle_admin_text()}</p>
      <p className="text-sm text-ink-soft mb-3">{readAt ? m.settle_read_at({ at: formatInstant(readAt) }) : m.settle_read_never()}</p>
      <h2>{formatMonth(month)}</h2>
      <MonthLinks
        month={month}
        current={current}
        address={address}
        csv={settlements.length > 0 && `${href("/admin/payments/settlements.csv")}?month=${month}`}
      />
      {settlements.length + mismatches.length > 0 && <SettlementTiles {...loaderData} />}
      {mismatches.length > 0 && (
        <section className="mt-7" aria-labelledby="h-bad">
          <h2 id="h-bad">{m.settle_mismatches()}</h2>
          {more > 0 && <p className="text-sm text-ink-soft">{m.settle_mismatches_more({ count: String(more) })}</p>}
          <ul className="grid grid-cols-1 gap-3 tab:grid-cols-2 tab:gap-4 mt-2">
            {mismatches.map((one) => (
              <MismatchCard key={`${one.kind} ${one.id} ${one.settlementId}`} mismatch={one} />
            ))}
          </ul>
        </section>
      )}
      {settlements.length === 0 ? (
        <div className="mt-4">
          <EmptyState drawing="finished-today" title={m.settle_none_month()} />
        </div>
      ) : (
        <SettlementRows settlements={settlements} />
      )}
    </Page>
  );
}

function SettlementTiles({ settlements, mismatches, more }: Pick<Data, "settlements" | "mismatches" | "more">) {
  const sumOf = (part: "paidOut" | "fee" | "tax" | "received", of = settlements) => of.reduce((sum, one) => plus(sum, one[part]), paise(0));
  // A payment that was transferred is in our account's settlement and in that of the payout account.
  const ofOurs = settlements.filter(({ isAccount }) => !isAccount);
  return (
    <StatList className="mt-4">
      <StatTile icon="indian-rupee" label={m.settle_paid_out()} value={formatRupees(sumOf("paidOut"))} />
      <StatTile label={m.settle_fee()} value={formatRupees(sumOf("fee"))} hint={m.settle_fee_hint({ tax: formatRupees(sumOf("tax")) })} />
      <StatTile label={m.settle_received()} value={formatRupees(sumOf("received", ofOurs))} />
      <StatTile label={m.settle_mismatches()} value={mismatches.length + more} hint={m.settle_mismatches_hint()} />
    </StatList>
  );
}

const SettlementRows = ({ settlements }: Pick<Data, "settlements">) => (
  <RowsTable className="mt-4" label={m.settle_title()} heads={[...settlementHeads(), m.recon_col_result()]}>
    {settlements
      .toSorted((one, other) => Number(other.mismatches > 0) - Number(one.mismatches > 0))
      .map((one) => (
        <tr key={one.id}>
          <td>
            <AnyLink to={href("/admin/payments/settlements/:id", { id: one.id })}>{formatDate(todayInIndia(one.settledAt))}</AnyLink>{" "}
            {one.isAccount && <AccountBadge />}
          </td>
          <SettlementCells of={one} />
          <td data-label={m.recon_col_result()}>
            {one.mismatches > 0 ? (
              <Badge tone="bad" icon="triangle-alert">
                {m.recon_mismatches_count({ count: String(one.mismatches) })}
              </Badge>
            ) : (
              <Badge tone="ok" icon="circle-check">
                {m.recon_matches()}
              </Badge>
            )}
          </td>
        </tr>
      ))}
  </RowsTable>
);

function MismatchCard({ mismatch: { mismatch, kind, id, settlementId, orderId, line, ours } }: { mismatch: Mismatch }) {
  return (
    <Card as="li">
      <h3>
        {lineKindWord(kind)}{" "}
        <span lang="en" className="wrap-anywhere">
          {id}
        </span>
      </h3>
      <Note tone="bad" className="mt-2">
        {settlementMismatchWord(mismatch)}
      </Note>
      <Amounts
        items={[
          [m.settle_theirs(), line && formatRupees(line.amount)],
          [m.settle_fee(), line && formatRupees(line.fee)],
          [m.settle_paid_out(), line && formatRupees(line.credit - line.debit)],
          [m.settle_ours(), ours && formatRupees(ours.amount)],
        ]}
      />
      <p className="row flex-wrap mt-2">
        {settlementId && <AnyLink to={href("/admin/payments/settlements/:id", { id: settlementId })}>{m.settle_open()}</AnyLink>}
        {orderId && <AnyLink to={`${href("/admin/payments")}?order=${orderId}`}>{m.settle_open_order()}</AnyLink>}
      </p>
    </Card>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.settle_title() }) }];
