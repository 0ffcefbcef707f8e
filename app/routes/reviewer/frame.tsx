import { Outlet } from "react-router";
import { load } from "#app/http/load.server.ts";
import { requireRole } from "#app/http/middleware.server.ts";
import { ReviewerShell } from "../shared/staff-shells.tsx";

export const handle = { desk: true };
/** Guards every page of the area: middleware of a layout runs for each of its children, their actions and their `.data`. */
export const middleware = [requireRole("reviewer")];

export const loader = load(async () => null);

export default function ReviewerFrame() {
  return (
    <ReviewerShell>
      <Outlet />
    </ReviewerShell>
  );
}
