import type { ReviewStatus } from "#app/db/schema/index.ts";
import type { IconName } from "#app/ui/icon.tsx";
import { Badge, type Tone } from "#app/ui/pieces.tsx";
import { reviewStatusWord } from "../words.ts";

const LOOK: Record<ReviewStatus, { tone?: Tone; icon: IconName }> = {
  shown: { tone: "ok", icon: "eye" },
  hidden: { tone: "bad", icon: "eye-off" },
  withdrawn: { icon: "x" },
};

/** Icon, text and colour of a review's status. */
export const ReviewBadge = ({ status }: { status: ReviewStatus }) => <Badge {...LOOK[status]}>{reviewStatusWord(status)}</Badge>;
