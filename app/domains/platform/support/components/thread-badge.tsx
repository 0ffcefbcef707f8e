import type { SupportState } from "#app/lib/vocabulary.ts";
import type { IconName } from "#app/ui/icon.tsx";
import { Badge, type Tone } from "#app/ui/pieces.tsx";
import { stateWord } from "../words.ts";

const LOOK: Record<SupportState, { tone?: Tone; icon: IconName }> = {
  open: { tone: "warn", icon: "clock" },
  answered: { tone: "ok", icon: "check" },
  closed: { icon: "lock" },
};

/** Icon, text and colour of a thread's state. */
export const ThreadBadge = ({ state }: { state: SupportState }) => <Badge {...LOOK[state]}>{stateWord(state)}</Badge>;
