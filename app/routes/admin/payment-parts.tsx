/** What the pages of online payments share. */
import type { ReactNode } from "react";
import { href, useRouteLoaderData } from "react-router";
import { addToMonth, formatMonth } from "#app/lib/dates.ts";
import type { PaymentOrderState } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { Tabs } from "#app/ui/tabs.tsx";
import type { loader } from "./frame.tsx";

type Tab = "attention" | "all" | "days" | "settlements" | "fees" | "messages";

/** Tabs of the pages of online payments, with what needs attention. */
export function PaymentTabs({ current }: { current: Tab | null }) {
  const frame = useRouteLoaderData<typeof loader>("routes/admin/frame");
  const { stuck = 0, mismatches, hasFees } = frame?.navigation.payments ?? {};
  return (
    <Tabs
      label={m.admin_pay_tabs()}
      tabs={[
        {
          to: href("/admin/payments"),
          label: m.admin_pay_attention(),
          current: current === "attention",
          count: stuck,
        },
        { to: `${href("/admin/payments")}?tab=all`, label: m.admin_pay_all(), current: current === "all" },
        { to: href("/admin/payments/days"), label: m.recon_title(), current: current === "days" },
        {
          to: href("/admin/payments/settlements"),
          label: m.settle_title(),
          current: current === "settlements",
          ...(mismatches ? { count: mismatches } : {}),
        },
        ...(hasFees ? [{ to: href("/admin/payments/fees"), label: m.platform_admin_title(), current: current === "fees" }] : []),
        { to: href("/admin/payments/messages"), label: m.settle_log(), current: current === "messages" },
      ]}
    />
  );
}

type Period = { to: string; name: string };
/** Links to the months or years beside the shown one. `after`: null when the shown one is the current. */
export const PeriodLinks = ({
  label,
  before,
  after,
  children,
}: {
  label: string;
  before: Period;
  after: Period | null;
  children?: ReactNode;
}) => (
  <nav className="row flex-wrap mt-2" aria-label={label}>
    <LinkButton to={before.to} variant="second" size="sm" icon="chevron-left">
      {before.name}
    </LinkButton>
    {after && (
      <LinkButton to={after.to} variant="second" size="sm" iconEnd="chevron-right">
        {after.name}
      </LinkButton>
    )}
    {children}
  </nav>
);

/** Links to the months beside the shown one, and to its CSV file. */
export function MonthLinks({
  month,
  current,
  address,
  csv,
}: {
  month: string;
  current: string;
  address: (month: string) => string;
  csv: string | false;
}) {
  const period = (step: number) => ({ to: address(addToMonth(month, step)), name: formatMonth(addToMonth(month, step)) });
  return (
    <PeriodLinks label={m.recon_months()} before={period(-1)} after={month < current ? period(1) : null}>
      {csv && (
        <LinkButton to={csv} download variant="second" size="sm" icon="download">
          {m.statistics_csv()}
        </LinkButton>
      )}
    </PeriodLinks>
  );
}

/** The states of a payment order. */
const STATES: Record<PaymentOrderState, () => string> = {
  created: () => m.admin_pay_state_created(),
  paid: () => m.admin_pay_state_paid(),
  expired: () => m.admin_pay_state_expired(),
  failed: () => m.admin_pay_state_failed(),
};
export const orderStateWord = (state: PaymentOrderState): string => STATES[state]();
