import { href, Link } from "react-router";
import { listConfirming, listOwnPayments } from "#app/domains/money/payments/queries.server.ts";
import { receivedByWord } from "#app/domains/money/payments/words.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { formatDate, todayInIndia } from "#app/lib/dates.ts";
import { formatRupees } from "#app/lib/money.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { Card, GoLink, Note } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import { EmptyState, Pages } from "#app/ui/states.tsx";
import type { Route } from "./+types/payments.ts";

export const loader = loadOwn(async (ctx, { request }: Route.LoaderArgs) => {
  const page = Number(/^[1-9]\d{0,3}$/.exec(new URL(request.url).searchParams.get("page") ?? "")?.[0] ?? 1);
  const [list, confirming] = await Promise.all([listOwnPayments(ctx, page), page === 1 ? listConfirming(ctx) : []]);
  return { page, confirming, ...list };
});

/** All payments of a patient with their receipts. */
export default function Payments({ loaderData }: Route.ComponentProps) {
  const { rows, confirming, page, hasMore } = loaderData;
  return (
    <Page title={m.money_payments()} back={{ to: href("/patient/profile") }}>
      {confirming.map((visit) => (
        <Note key={visit.id} tone="warn" icon="hourglass" className="mb-3">
          <Link to={href("/patient/appointments/:id", { id: visit.id })}>
            {visit.doctorName}, {formatDate(visit.date)}
          </Link>
          : {m.payments_confirming()}
        </Note>
      ))}
      {rows.length === 0 && confirming.length === 0 ? (
        <EmptyState
          drawing="records"
          title={m.money_payments_none()}
          action={
            <LinkButton to={href("/patient/calendar")} variant="second">
              {m.appointments_to_calendar()}
            </LinkButton>
          }
        >
          {m.money_payments_none_text()}
        </EmptyState>
      ) : (
        <ul className="grid grid-cols-1 gap-3">
          {rows.map(({ paid, returned, notReturned, ...one }) => (
            <li key={one.id}>
              <Card>
                <h2>
                  <GoLink to={href("/patient/payments/:id", { id: one.id })}>
                    {formatRupees(paid)}, {one.doctorName}
                  </GoLink>
                </h2>
                <p className="text-sm">
                  {receivedByWord(one.method)}, {formatDate(todayInIndia(new Date(one.at)))}
                  {returned > 0 && `. ${m.money_refunded_amount({ amount: formatRupees(returned) })}`}
                  {notReturned > 0 && `. ${m.money_not_returned({ amount: formatRupees(notReturned) })}`}
                </p>
                <p className="text-sm text-ink-soft">
                  {m.money_appointment_of({ date: formatDate(one.date) })} ·{" "}
                  <span className="num">{m.money_receipt_of({ number: one.receipt })}</span>
                </p>
              </Card>
            </li>
          ))}
        </ul>
      )}
      <Pages page={page} hasMore={hasMore} to={(to) => `${href("/patient/payments")}?page=${to}`} />
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.money_payments() }) }];
