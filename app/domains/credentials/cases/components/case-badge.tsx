import type { RegistrationStatus } from "#app/lib/vocabulary.ts";
import type { IconName } from "#app/ui/icon.tsx";
import { Badge, type Tone } from "#app/ui/pieces.tsx";
import { statusWord } from "../words.ts";

const LOOK: Record<RegistrationStatus, { tone?: Tone; icon: IconName }> = {
  draft: { icon: "file-text" },
  "under review by hospital": { tone: "info", icon: "hourglass" },
  "pending admin approval": { tone: "warn", icon: "hourglass" },
  verified: { tone: "ok", icon: "badge-check" },
  rejected: { tone: "bad", icon: "circle-x" },
  suspended: { tone: "bad", icon: "lock" },
};

/** Icon, text and colour of a doctor's status. */
export const CaseBadge = ({ status }: { status: RegistrationStatus }) => <Badge {...LOOK[status]}>{statusWord(status)}</Badge>;
