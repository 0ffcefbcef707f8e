import { href } from "react-router";
import { StatusBadge } from "#app/domains/booking/appointments/components/status-badge.tsx";
import { getVisitMoney } from "#app/domains/money/checks/visit-money.server.ts";
import { PaymentBadge } from "#app/domains/money/payments/components/payment-badge.tsx";
import { getVisitToHelp } from "#app/domains/oversight/visits/help-with-visit.server.ts";
import { visitTimeWord } from "#app/domains/token-words.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { formatDay, formatInstant } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { AnyLink, LinkButton } from "#app/ui/button.tsx";
import { Amounts } from "#app/ui/members/amounts.tsx";
import { Facts, Note, SectionHead } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import { DividedList } from "#app/ui/staff/divided-list.tsx";
import type { Route } from "./+types/visit.ts";

export const loader = loadOwn(async (ctx, { params }: Route.LoaderArgs) => {
  const visit = await getVisitToHelp(ctx, params.id);
  return { ...visit, money: await getVisitMoney(ctx, visit.id) };
});

/** An appointment without health data, with the ways to change it for its patient or doctor. */
export default function AdminVisit({ loaderData: visit }: Route.ComponentProps) {
  const { id } = visit;
  return (
    <Page title={m.admin_visit_title()} back={{ to: href("/admin/appointments"), label: m.admin_visit_back() }}>
      <section className="card mt-4" aria-label={m.admin_visit_title()}>
        <Facts
          items={[
            [m.admin_find_when(), `${formatDay(visit.date)}, ${visitTimeWord(visit)}`],
            [
              m.admin_find_patient(),
              <AnyLink key="p" to={href("/admin/users/:id", { id: visit.patientId })}>
                {visit.patientName}
              </AnyLink>,
            ],
            [
              m.admin_find_doctor(),
              <AnyLink key="d" to={href("/admin/doctors/:id", { id: visit.doctorId })}>
                {visit.doctorName}
              </AnyLink>,
            ],
            [m.cases_col_hospital(), visit.hospitalName],
            [m.admin_find_reference(), visit.reference && <span key="r">{visit.reference}</span>],
            [m.cases_col_status(), <StatusBadge key="s" status={visit.status} missed={visit.missed} />],
          ]}
        />
      </section>
      <Money money={visit.money} />
      {visit.changeable ? (
        <section className="card mt-4" aria-labelledby="h-help">
          <h2 id="h-help">{m.admin_visit_help()}</h2>
          <p className="text-sm text-ink-soft mb-3">{m.admin_visit_help_text()}</p>
          <p className="row flex-wrap">
            <LinkButton to={href("/admin/appointments/:id/move", { id })} icon="calendar-clock">
              {m.admin_visit_move()}
            </LinkButton>
            <LinkButton to={href("/admin/appointments/:id/cancel", { id })} variant="danger" icon="calendar-x">
              {m.admin_visit_cancel()}
            </LinkButton>
          </p>
        </section>
      ) : (
        <Note className="mt-4">{m.admin_visit_closed()}</Note>
      )}
    </Page>
  );
}

const Money = ({ money }: Pick<Route.ComponentProps["loaderData"], "money">) => (
  <section className="card mt-4" aria-labelledby="h-money">
    <SectionHead>
      <h2 id="h-money">{m.payments_method()}</h2>
      <PaymentBadge status={money.state} />
    </SectionHead>
    <Amounts
      items={[
        [m.money_received(), money.received],
        [m.money_refunded(), money.returned],
        money.notReturned !== "" && [m.money_not_returned_figure(), money.notReturned],
        [m.money_due(), money.due],
      ]}
    />
    <DividedList className="mt-2">
      {money.events.map((event) => (
        <li key={`${event.at.toISOString()} ${event.text}`}>
          <p className="text-sm text-ink-soft">{formatInstant(event.at)}</p>
          <p>
            {event.text}{" "}
            {event.orderId && <AnyLink to={`${href("/admin/payments")}?order=${event.orderId}`}>{m.settle_open_order()}</AnyLink>}
          </p>
          {event.ids.length > 0 && (
            <p className="text-sm text-ink-soft wrap-anywhere" lang="en">
              {event.ids.join(" · ")}
            </p>
          )}
        </li>
      ))}
    </DividedList>
  </section>
);

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.admin_visit_title() }) }];
