/** The frame of administrators. In a file of its own, because its words would make the scripts of doctors larger. */
import type { ReactNode } from "react";
import { href } from "react-router";
import type { Tasks } from "#app/domains/oversight/tasks/queries.server.ts";
import { m } from "#app/paraglide/messages.js";
import { StaffShell } from "#app/ui/shell.tsx";
import { account, leave } from "./staff-shells.tsx";

/**
 * `tasks`: what waits for an administrator. `payments`: this deployment has online payments; how many orders are stuck, how many lines of settlements do
 * not agree, and whether platform fees exist.
 */
export const AdminShell = ({
  children,
  tasks,
  payments,
}: {
  children: ReactNode;
  tasks: Tasks;
  payments: { stuck: number; mismatches: number; hasFees: boolean } | null;
}) => (
  <StaffShell
    home={href("/admin")}
    account={account()}
    leave={leave()}
    places={[
      { to: href("/admin"), label: m.admin_place_overview(), icon: "house", exact: true },
      { to: href("/admin/doctors"), label: m.admin_place_doctors(), icon: "badge-check", waiting: tasks.cases },
      { to: href("/admin/hospitals"), label: m.admin_place_hospitals(), icon: "hospital" },
      { to: href("/admin/users"), label: m.admin_place_people(), icon: "users" },
      { to: href("/admin/audit"), label: m.admin_place_log(), icon: "file-text" },
    ]}
    more={[
      { to: href("/admin/appointments"), label: m.admin_find_title(), icon: "calendar-days" },
      { to: href("/admin/changes"), label: m.profile_changes_title(), icon: "pencil", waiting: tasks.changes },
      { to: href("/admin/reviews"), label: m.reviews_admin_title(), icon: "message-circle", waiting: tasks.reviews },
      { to: href("/admin/support"), label: m.support_inbox_title(), icon: "headset", waiting: tasks.support },
      { to: href("/admin/announcements"), label: m.announce_list(), icon: "bell" },
      { to: href("/admin/figures"), label: m.figures_admin_title(), icon: "chart-column" },
      ...(payments
        ? [
            {
              to: href("/admin/payments"),
              label: m.admin_pay_title(),
              icon: "indian-rupee" as const,
              waiting: payments.stuck + payments.mismatches,
            },
          ]
        : []),
    ]}
  >
    {children}
  </StaffShell>
);
