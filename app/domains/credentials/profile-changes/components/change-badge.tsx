import type { ChangeStatus } from "#app/db/schema/index.ts";
import type { IconName } from "#app/ui/icon.tsx";
import { Badge, type Tone } from "#app/ui/pieces.tsx";
import { changeStatusWord } from "../profile-words.ts";

const LOOK: Record<ChangeStatus, { tone?: Tone; icon: IconName }> = {
  pending: { tone: "warn", icon: "hourglass" },
  approved: { tone: "ok", icon: "circle-check" },
  refused: { tone: "bad", icon: "circle-x" },
  withdrawn: { icon: "x" },
};

/** Icon, text and colour of a change's status. */
export const ChangeBadge = ({ status }: { status: ChangeStatus }) => <Badge {...LOOK[status]}>{changeStatusWord(status)}</Badge>;
