import { href } from "react-router";
import { getReconciledDay } from "#app/domains/money/reconciliation/queries.server.ts";
import { mismatchWord } from "#app/domains/money/reconciliation/words.ts";
import { toLastPage } from "#app/http/list-page.server.ts";
import { listAddress, listState } from "#app/http/list-state.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { addDays, formatDayLong, formatTime, monthOf, timeInIndia, todayInIndia } from "#app/lib/dates.ts";
import { formatRupees } from "#app/lib/money.ts";
import { m } from "#app/paraglide/messages.js";
import { AnyLink, LinkButton } from "#app/ui/button.tsx";
import { Amounts } from "#app/ui/members/amounts.tsx";
import { Badge, Card, MetaLine, Note } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import { EmptyState, Pages } from "#app/ui/states.tsx";
import type { Route } from "./+types/payment-day.ts";
import { DayTiles } from "./payment-day-parts.tsx";
import { orderStateWord } from "./payment-parts.tsx";
import { reconciledDay } from "./reconciled-days.server.ts";

export const loader = loadOwn(async (ctx, { request }: Route.LoaderArgs) => {
  const { page } = listState(request);
  const today = todayInIndia(ctx.now);
  const day = reconciledDay(request, ctx.now) ?? today;
  const list = await getReconciledDay(ctx, day, page);
  toLastPage(request, page, list.total);
  return { day, today, page, ...list };
});

const address = (day: string, page = 1) => listAddress(href("/admin/payments/day"), { day, page });

/** Orders of a day, those that do not match first. */
export default function PaymentDay({ loaderData }: Route.ComponentProps) {
  const { day, today, page, figures, rows, total, hasMore } = loaderData;
  return (
    <Page wide title={formatDayLong(day)} back={{ to: `${href("/admin/payments/days")}?month=${monthOf(day)}`, label: m.recon_title() }}>
      <nav className="row flex-wrap" aria-label={m.money_days()}>
        <LinkButton to={address(addDays(day, -1))} variant="second" size="sm" icon="chevron-left">
          {m.appointments_day_before()}
        </LinkButton>
        {day < today && (
          <LinkButton to={address(addDays(day, 1))} variant="second" size="sm" iconEnd="chevron-right">
            {m.appointments_day_after()}
          </LinkButton>
        )}
        {rows.length > 0 && (
          <LinkButton to={`${href("/admin/payments/days.csv")}?day=${day}`} download variant="second" size="sm" icon="download">
            {m.statistics_csv()}
          </LinkButton>
        )}
      </nav>
      <DayTiles figures={figures} />
      {rows.length === 0 ? (
        <div className="mt-4">
          <EmptyState drawing="finished-today" title={m.recon_none_day()} />
        </div>
      ) : (
        <ul className="grid grid-cols-1 gap-3 tab:grid-cols-2 tab:gap-4 mt-4">
          {rows.map((order) => (
            <Card as="li" key={order.id}>
              <h2>
                <AnyLink to={`${href("/admin/payments")}?order=${order.id}`}>
                  {m.recon_order({ amount: formatRupees(order.amount), time: formatTime(timeInIndia(new Date(order.createdAt))) })}
                </AnyLink>
              </h2>
              <MetaLine className="mt-2 mb-3">
                <Badge>{order.confirming ? m.money_confirming() : orderStateWord(order.state)}</Badge>
              </MetaLine>
              {order.mismatches.map(({ kind, amount }) => (
                <Note key={`${kind} ${amount}`} tone="bad">
                  {mismatchWord(kind, formatRupees(amount))}
                </Note>
              ))}
              <Amounts
                items={[
                  [m.recon_col_messages(), order.messages],
                  [m.recon_captured(), formatRupees(order.captured)],
                  [m.recon_refunded(), formatRupees(order.refunded)],
                  [m.recon_col_ledger(), formatRupees(order.ledger)],
                ]}
              />
            </Card>
          ))}
        </ul>
      )}
      <Pages page={page} hasMore={hasMore} to={(page) => address(day, page)} of={{ rows: rows.length, total }} />
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.recon_title() }) }];
