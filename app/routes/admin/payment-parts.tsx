/** What the pages of online payments share. */
import { href, useRouteLoaderData } from "react-router";
import type { PaymentOrderState } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
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

/** The states of a payment order. */
const STATES: Record<PaymentOrderState, () => string> = {
  created: () => m.admin_pay_state_created(),
  paid: () => m.admin_pay_state_paid(),
  expired: () => m.admin_pay_state_expired(),
  failed: () => m.admin_pay_state_failed(),
};
export const orderStateWord = (state: PaymentOrderState): string => STATES[state]();
