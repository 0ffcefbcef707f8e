import { Outlet } from "react-router";
import { load } from "#app/http/load.server.ts";
import { requireRole } from "#app/http/middleware.server.ts";
import { m } from "#app/paraglide/messages.js";
import { DeskShell } from "#app/ui/shell.tsx";

export const handle = { desk: true };
/** Guards every page of the area: middleware of a layout runs for each of its children, their actions and their `.data`. */
export const middleware = [requireRole("admin")];

export const loader = load(async () => null);

export default function AdminFrame() {
  return (
    <DeskShell
      home="/admin"
      leave={{ to: "/logout", label: m.reviewer_place_log_out() }}
      places={[
        { to: "/admin", label: m.admin_place_overview(), icon: "house", exact: true, also: ["/admin/reviews"] },
        { to: "/admin/doctors", label: m.admin_place_doctors(), icon: "badge-check", also: ["/admin/changes"] },
        { to: "/admin/hospitals", label: m.admin_place_hospitals(), icon: "hospital" },
        { to: "/admin/users", label: m.admin_place_people(), icon: "users" },
        { to: "/admin/audit", label: m.admin_place_log(), icon: "file-text" },
      ]}
    >
      <Outlet />
    </DeskShell>
  );
}
