import { entryStateWord } from "#app/domains/waiting-room/queue/words.ts";
import type { DayToken } from "#app/domains/waiting-room/token-page/row-estimates.ts";
import { formatTime } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import type { IconName } from "#app/ui/icon.tsx";
import { Badge, type Tone } from "#app/ui/pieces.tsx";
import { type DayRow, type DayState, dayStateOf } from "../day-state.ts";
import { statusWord } from "../words.ts";

type Look = { tone?: Tone; icon: IconName; word: (token: DayToken | undefined) => string };
const LOOK: Record<DayState, Look> = {
  request: { tone: "warn", icon: "hourglass", word: () => m.agenda_state_request() },
  accepted: { tone: "ok", icon: "circle-check", word: () => statusWord("accepted") },
  here: {
    tone: "info",
    icon: "user-round-check",
    word: (token) => (token?.arrived ? m.agenda_state_here({ time: formatTime(token.arrived) }) : entryStateWord("arrived")),
  },
  called: { tone: "info", icon: "user-round-check", word: () => entryStateWord("called") },
  "with-doctor": { tone: "info", icon: "stethoscope", word: () => entryStateWord("with-doctor") },
  skipped: { tone: "warn", icon: "user-round-x", word: () => entryStateWord("skipped") },
  done: { icon: "check", word: () => entryStateWord("done") },
  left: {
    icon: "log-out",
    word: (token) => (token?.left ? m.agenda_state_left({ time: formatTime(token.left) }) : entryStateWord("left")),
  },
  "no-show": { tone: "bad", icon: "user-round-x", word: () => entryStateWord("no-show") },
  cancelled: { tone: "bad", icon: "circle-x", word: () => statusWord("cancelled") },
};
/** States in which the patient is here or was: what is due can be taken. */
const TAKES: readonly DayState[] = ["here", "called", "with-doctor", "done"];

/** The state of an appointment of a day, and what is due once the patient is here. */
export function DayBadge({ row, token }: { row: Pick<DayRow, "status" | "missed" | "due">; token: DayToken | undefined }) {
  const state = dayStateOf(row, token);
  const { word, ...look } = LOOK[state];
  return (
    <>
      <Badge {...look} className="align-middle">
        {word(token)}
      </Badge>
      {row.due && TAKES.includes(state) && (
        <>
          {" "}
          <b className="num align-middle text-warn-strong">{m.agenda_due_amount({ amount: row.due })}</b>
        </>
      )}
    </>
  );
}
