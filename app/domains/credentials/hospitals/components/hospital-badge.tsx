import type { HOSPITAL_STATUSES } from "#app/db/schema/index.ts";
import type { IconName } from "#app/ui/icon.tsx";
import { Badge, type Tone } from "#app/ui/pieces.tsx";
import { hospitalStatusWord } from "../words.ts";

type Status = (typeof HOSPITAL_STATUSES)[number];
const LOOK: Record<Status, { tone?: Tone; icon: IconName }> = {
  active: { tone: "ok", icon: "circle-check" },
  pending: { tone: "warn", icon: "hourglass" },
  refused: { tone: "bad", icon: "circle-x" },
  merged: { icon: "arrow-right" },
};

/** Icon, text and colour of a hospital's status. */
export const HospitalBadge = ({ status }: { status: Status }) => <Badge {...LOOK[status]}>{hospitalStatusWord(status)}</Badge>;
