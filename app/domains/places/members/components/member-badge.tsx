import type { MembershipState } from "#app/db/schema/index.ts";
import { Badge } from "#app/ui/pieces.tsx";
import { membershipStateWord } from "../words.ts";

const LOOK = {
  invited: { tone: "warn", icon: "hourglass" },
  active: { tone: "ok", icon: "check" },
  suspended: { tone: "bad", icon: "lock" },
  ended: { tone: "info", icon: "x" },
} as const;

/** The state of a membership. */
export const MemberBadge = ({ state }: { state: MembershipState }) => <Badge {...LOOK[state]}>{membershipStateWord(state)}</Badge>;
