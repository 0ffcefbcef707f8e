import { href } from "react-router";
import { z } from "zod";
import { checkOrder } from "#app/domains/money/checks/check-order.server.ts";
import { type CheckedOrder, listOrders, type OrderProblem, type OrderTab, type Problem } from "#app/domains/money/checks/queries.server.ts";
import { toLastPage } from "#app/http/list-page.server.ts";
import { listAddress, listState } from "#app/http/list-state.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { submitOwn } from "#app/http/submit-form.server.ts";
import { formatDay, formatInstant } from "#app/lib/dates.ts";
import { formatRupees } from "#app/lib/money.ts";
import { withPlatformFee } from "#app/lib/platform-fee.ts";
import { m } from "#app/paraglide/messages.js";
import { AnyLink } from "#app/ui/button.tsx";
import { ErrorSummary, Form, SubmitButton, useNadiForm } from "#app/ui/form.tsx";
import { Badge, Facts, MetaLine, Note } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import { DividedList } from "#app/ui/staff/divided-list.tsx";
import { NumberCell, RowLink, RowsTable } from "#app/ui/staff/table.tsx";
import { EmptyState, Pages } from "#app/ui/states.tsx";
import type { Route } from "./+types/payments.ts";
import { ListSearch } from "./list-parts.tsx";
import { orderStateWord, PaymentTabs } from "./payment-parts.tsx";

const tabOf = (query: URLSearchParams): OrderTab => (query.get("tab") === "all" ? "all" : "attention");
const address = (tab: OrderTab, page = 1) => listAddress(href("/admin/payments"), { tab: tab === "attention" ? "" : tab, page });

export const loader = loadOwn(async (ctx, { request }: Route.LoaderArgs) => {
  const { query, page } = listState(request);
  const tab = tabOf(query);
  const order = query.get("order");
  const list = await listOrders(ctx, { tab, page, order });
  toLastPage(request, page, list.total);
  return { tab, page, order, ...list };
});

export const action = submitOwn(z.object({ id: z.uuid() }), async (ctx, { id }, { request }: Route.ActionArgs) => {
  const { query, page } = listState(request);
  await checkOrder(ctx, id);
  const back = query.get("order") ? `${href("/admin/payments")}?order=${id}` : address(tabOf(query), page);
  return redirectWithToast(back, m.admin_pay_checked());
});

const PROBLEMS: Record<OrderProblem, (of: { amount: string; since: string }) => string> = {
  open: (of) => m.admin_pay_open(of),
  message: (of) => m.admin_pay_message(of),
  "refund-unsent": (of) => m.admin_pay_refund_unsent(of),
  "refund-again": (of) => m.admin_pay_refund_again(of),
  "refund-failed": (of) => m.admin_pay_refund_failed(of),
  "refund-slow": (of) => m.admin_pay_refund_slow(of),
};
const problemWord = ({ problem, amount, since }: Problem) =>
  PROBLEMS[problem]({ amount: formatRupees(amount), since: formatInstant(since) });

/** Orders of the payment provider, and the page of one (`?order=`). */
export default function Payments({ loaderData, actionData }: Route.ComponentProps) {
  const { tab, page, order, rows, total, hasMore } = loaderData;
  const [refused] = useNadiForm({ id: "refused", lastResult: actionData?.result ?? null });
  const one = order ? rows[0] : undefined;
  if (one)
    return (
      <Page title={m.admin_pay_one()} back={{ to: href("/admin/payments"), label: m.admin_pay_title() }}>
        <ErrorSummary form={refused} />
        <Order order={one} />
      </Page>
    );
  return (
    <Page wide title={m.admin_pay_title()}>
      <p className="text-ink-soft mb-3">{m.admin_pay_text()}</p>
      <ListSearch
        action={href("/admin/appointments")}
        preserve={{}}
        label={m.admin_find_label()}
        placeholder={m.admin_find_placeholder()}
        text=""
        clear={href("/admin/payments")}
      />
      <PaymentTabs current={order ? null : tab} />
      {rows.length ? <Orders rows={rows} /> : <NoOrders tab={tab} />}
      <Pages page={page} hasMore={hasMore} to={(page) => address(tab, page)} of={{ rows: rows.length, total }} />
    </Page>
  );
}

const NoOrders = ({ tab }: { tab: OrderTab }) => (
  <div className="mt-4">
    <EmptyState drawing="finished-today" title={tab === "attention" ? m.admin_pay_none() : m.admin_pay_none_at_all()} />
  </div>
);

const OrderState = ({ order: { state, confirming } }: { order: CheckedOrder }) =>
  confirming ? (
    <Badge tone="info" icon="hourglass">
      {m.money_confirming()}
    </Badge>
  ) : (
    <Badge>{orderStateWord(state)}</Badge>
  );

const amountOf = (order: CheckedOrder) => formatRupees(withPlatformFee(order));

const Orders = ({ rows }: { rows: CheckedOrder[] }) => (
  <RowsTable
    className="mt-4"
    label={m.admin_pay_tabs()}
    heads={[
      m.admin_pay_opened(),
      { number: m.settle_amount() },
      m.admin_find_reference(),
      m.admin_find_doctor(),
      m.admin_pay_one(),
      m.cases_col_status(),
    ]}
  >
    {rows.map((row) => (
      <tr key={row.id}>
        <td className="whitespace-nowrap">
          <RowLink to={`${href("/admin/payments")}?order=${row.id}`}>{formatInstant(row.createdAt)}</RowLink>
        </td>
        <NumberCell label={m.settle_amount()}>{amountOf(row)}</NumberCell>
        <td data-label={m.admin_find_reference()} className="num">
          {row.visit.reference}
        </td>
        <td data-label={m.admin_find_doctor()}>
          {row.visit.doctorName}
          {row.visit.hospitalName && <p className="text-sm text-ink-soft">{row.visit.hospitalName}</p>}
        </td>
        <td data-label={m.admin_pay_one()}>{row.providerOrderId && <Id>{row.providerOrderId}</Id>}</td>
        <td>
          <OrderState order={row} />
          {row.problems.map((one) => (
            <p key={`${one.problem} ${one.since.getTime()}`} className="text-sm text-warn-strong">
              {problemWord(one)}
            </p>
          ))}
        </td>
      </tr>
    ))}
  </RowsTable>
);

function Order({ order }: { order: CheckedOrder }) {
  const { id, providerOrderId, createdAt, checkedAt, problems, messages, visit } = order;
  const [form] = useNadiForm({ id: `check-${id}` });
  return (
    <section className="card" aria-labelledby="h-order">
      <h2 id="h-order">{m.admin_pay_order({ amount: amountOf(order), at: formatInstant(createdAt) })}</h2>
      <MetaLine className="mt-2 mb-3">
        <OrderState order={order} />
      </MetaLine>
      {problems.map((one) => (
        <Note key={`${one.problem} ${one.since.getTime()}`} tone="warn">
          {problemWord(one)}
        </Note>
      ))}
      <Facts
        items={[
          [
            m.admin_visit_title(),
            <AnyLink key="v" to={href("/admin/appointments/:id", { id: visit.id })}>
              {formatDay(visit.date)}, {visit.reference}
            </AnyLink>,
          ],
          [
            m.admin_find_doctor(),
            <AnyLink key="d" to={href("/admin/doctors/:id", { id: visit.doctorId })}>
              {visit.doctorName}
            </AnyLink>,
          ],
          [
            m.cases_col_hospital(),
            visit.hospitalId && (
              <AnyLink key="h" to={href("/admin/hospitals/:id", { id: visit.hospitalId })}>
                {visit.hospitalName}
              </AnyLink>
            ),
          ],
          [m.admin_pay_id(), <Id key="own">{id}</Id>],
          [m.admin_pay_provider_id(), providerOrderId && <Id key="theirs">{providerOrderId}</Id>],
          [m.admin_pay_asked(), checkedAt && formatInstant(checkedAt)],
        ]}
      />
      <h3 className="mt-2">{m.admin_pay_messages()}</h3>
      <Messages messages={messages} />
      <Form form={form}>
        <input type="hidden" name="id" value={id} />
        <SubmitButton variant="second" size="sm" className="mt-2" pendingText={m.admin_pay_asking()}>
          {m.admin_pay_ask()}
        </SubmitButton>
      </Form>
    </section>
  );
}

const Messages = ({ messages }: Pick<CheckedOrder, "messages">) =>
  messages.length ? (
    <DividedList>
      {messages.map(({ eventId, kind, receivedAt, appliedAt }) => (
        <li key={eventId}>
          <p lang="en">{kind}</p>
          <p className="text-sm text-ink-soft">
            {appliedAt
              ? m.admin_pay_applied({ at: formatInstant(receivedAt), applied: formatInstant(appliedAt) })
              : m.admin_pay_not_applied({ at: formatInstant(receivedAt) })}
          </p>
          <p className="text-sm text-ink-soft">
            <Id>{eventId}</Id>
          </p>
        </li>
      ))}
    </DividedList>
  ) : (
    <p className="text-sm text-ink-soft">{m.admin_pay_no_messages()}</p>
  );

/** An id of an order or a message. It may break anywhere, because it has no spaces. */
const Id = ({ children }: { children: string }) => (
  <span lang="en" className="wrap-anywhere">
    {children}
  </span>
);

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.admin_pay_title() }) }];
