import { entryStateWord } from "#app/domains/waiting-room/queue/words.ts";
import type { DayToken } from "#app/domains/waiting-room/token-page/row-estimates.ts";
import { formatTime, type TimeKey } from "#app/lib/dates.ts";
import type { QueueEntryState } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import type { IconName } from "#app/ui/icon.tsx";
import { Badge, type Tone } from "#app/ui/pieces.tsx";
import { type DayRow, type DayState, dayStateOf, sinceOf, walkInStateOf } from "../day-state.ts";
import { statusWord } from "../words.ts";

/** `word`: since `at`, where that is known. */
type Look = { tone?: Tone; icon: IconName; word: (at: TimeKey | null) => string };
const LOOK: Record<DayState, Look> = {
  request: { tone: "warn", icon: "hourglass", word: () => m.agenda_state_request() },
  accepted: { tone: "ok", icon: "circle-check", word: () => statusWord("accepted") },
  here: {
    tone: "info",
    icon: "user-round-check",
    word: (at) => (at ? m.agenda_state_here({ time: formatTime(at) }) : entryStateWord("arrived")),
  },
  called: { tone: "info", icon: "user-round-check", word: () => entryStateWord("called") },
  "with-doctor": { tone: "info", icon: "stethoscope", word: () => entryStateWord("with-doctor") },
  skipped: { tone: "warn", icon: "user-round-x", word: () => entryStateWord("skipped") },
  done: { icon: "check", word: () => entryStateWord("done") },
  left: {
    icon: "log-out",
    word: (at) => (at ? m.agenda_state_left({ time: formatTime(at) }) : entryStateWord("left")),
  },
  "no-show": { tone: "bad", icon: "user-round-x", word: () => entryStateWord("no-show") },
  cancelled: { tone: "bad", icon: "circle-x", word: () => statusWord("cancelled") },
};
/** Also of a state that only the queue has. */
const lookOf = (state: DayState | QueueEntryState): Look =>
  state in LOOK ? LOOK[state as DayState] : { icon: "clock", word: () => entryStateWord(state as QueueEntryState) };
/** Returns the words of a state, also of one that only the queue has. */
export const dayStateWord = (state: DayState | QueueEntryState, at: TimeKey | null): string => lookOf(state).word(at);

/** The state of a patient without an appointment. */
export function WalkInBadge({ token }: { token: DayToken }) {
  const state = walkInStateOf(token);
  const { word, ...look } = lookOf(state);
  return (
    <Badge {...look} className="align-middle">
      {word(sinceOf(state, token))}
    </Badge>
  );
}

/** States in which the patient is here or was: what is due can be taken. */
const TAKES: readonly DayState[] = ["here", "called", "with-doctor", "done"];

/** The state of an appointment of a day, and what is due once the patient is here. */
export function DayBadge({ row, token }: { row: Pick<DayRow, "status" | "missed" | "due">; token: DayToken | undefined }) {
  const state = dayStateOf(row, token);
  const { word, ...look } = LOOK[state];
  return (
    <>
      <Badge {...look} className="align-middle">
        {word(sinceOf(state, token))}
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
