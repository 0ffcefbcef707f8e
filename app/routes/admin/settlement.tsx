import { href } from "react-router";
import { getCheckedSettlement } from "#app/domains/money/settlements/checked-settlements.server.ts";
import { LineAmountCells, lineAmountHeads } from "#app/domains/money/settlements/components/settlement-columns.tsx";
import { lineKindWord, settlementMismatchWord } from "#app/domains/money/settlements/words.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { formatDayLong, monthOf, todayInIndia } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { AnyLink } from "#app/ui/button.tsx";
import { Badge, Facts } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import { RowsTable } from "#app/ui/staff/table.tsx";
import type { Route } from "./+types/settlement.ts";

export const loader = loadOwn((ctx, { params }: Route.LoaderArgs) => getCheckedSettlement(ctx, params.id));

/** The lines of a settlement, those that do not agree first. */
export default function Settlement({ loaderData: { lines, more }, params }: Route.ComponentProps) {
  const { settledAt, reference, isAccount } = lines[0]!;
  const day = todayInIndia(settledAt);
  return (
    <Page
      wide
      title={formatDayLong(day)}
      back={{ to: `${href("/admin/payments/settlements")}?month=${monthOf(day)}`, label: m.settle_title() }}
    >
      <Facts
        items={[
          [m.settle_reference(), <Id key="utr">{reference}</Id>],
          [m.settle_id(), <Id key="id">{params.id}</Id>],
          [m.settle_account_csv(), isAccount ? m.settle_account_short() : m.settle_account_ours()],
        ]}
      />
      {more > 0 && <p className="text-sm text-ink-soft mt-2">{m.settle_more({ count: String(more) })}</p>}
      <RowsTable
        className="mt-4"
        label={m.settle_lines()}
        heads={[m.settle_line_id(), m.settle_kind(), ...lineAmountHeads(), m.recon_col_result()]}
      >
        {lines.map((one) => (
          <tr key={`${one.kind} ${one.lineId}`}>
            <td>
              {one.orderId ? (
                <AnyLink to={`${href("/admin/payments")}?order=${one.orderId}`}>
                  <Id>{one.lineId}</Id>
                </AnyLink>
              ) : (
                <Id>{one.lineId}</Id>
              )}
            </td>
            <td data-label={m.settle_kind()}>{lineKindWord(one.kind)}</td>
            <LineAmountCells of={one} />
            <td data-label={m.recon_col_result()}>
              {one.mismatch ? (
                <Badge tone="bad" icon="triangle-alert">
                  {settlementMismatchWord(one.mismatch)}
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
    </Page>
  );
}

const Id = ({ children }: { children: string }) => (
  <span lang="en" className="wrap-anywhere">
    {children}
  </span>
);

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.settle_title() }) }];
