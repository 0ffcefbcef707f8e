import { m } from "#app/paraglide/messages.js";
import { Badge } from "#app/ui/pieces.tsx";

/** Shows whether the user may log in. */
export const AccountBadge = ({ status }: { status: "active" | "disabled" | "deleted" }) =>
  status === "active" ? (
    <Badge tone="ok" icon="circle-check">
      {m.users_user_active()}
    </Badge>
  ) : (
    <Badge tone="bad" icon="lock">
      {status === "deleted" ? m.users_user_deleted() : m.admin_user_disabled()}
    </Badge>
  );
