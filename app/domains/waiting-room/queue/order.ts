import { minutes } from "#app/lib/durations.ts";
import type { QueueKind, QueuePriority } from "#app/lib/vocabulary.ts";

/**
 * The published rule: emergencies first, then two booked patients and one walk-in in turn. Booked patients go by their time, walk-ins by
 * arrival. A skipped patient who returns is called after two others. This is the only place that decides who is next.
 */
export const BOOKED_PER_WALK_IN = 2;
export const OTHERS_BEFORE_RETURN = 2;
/** A booked patient who arrives later than this goes by arrival. */
const GRACE = minutes(15);

/** An entry in the state `arrived`. */
export type Waiting = {
  number: number;
  kind: QueueKind;
  priority: QueuePriority;
  dueAt: Date;
  arrivedAt: Date;
  /** Calls of the session when the patient returned; null: was not skipped. */
  returnedAtCall: number | null;
};
/** How far the session is. `bookedSinceWalkIn`: booked patients called since the last walk-in. */
export type Turn = { calls: number; bookedSinceWalkIn: number };

type Called = Pick<Waiting, "kind" | "priority" | "returnedAtCall"> & { callNumber: number | null };
/** Returns how far a session is from its entries. Emergencies and returned patients do not count for the turn. */
export function turnOf(calls: number, entries: readonly Called[]): Turn {
  const turns = entries
    .filter((entry) => entry.callNumber !== null && entry.priority === "normal" && entry.returnedAtCall === null)
    .sort((a, b) => b.callNumber! - a.callNumber!);
  const last = turns.findIndex((entry) => entry.kind !== "booked");
  return { calls, bookedSinceWalkIn: last === -1 ? turns.length : last };
}

/** Returns the order in which waiting patients are called when no one else arrives: emergencies first, then two booked to one walk-in. */
export function orderQueue<W extends Waiting>(waiting: readonly W[], turn: Turn): W[] {
  const left = [...waiting].sort((a, b) => turnTime(a) - turnTime(b) || a.number - b.number);
  const ordered: W[] = [];
  let { calls, bookedSinceWalkIn } = turn;
  while (left.length) {
    const next = pick(left, { calls, bookedSinceWalkIn });
    left.splice(left.indexOf(next), 1);
    ordered.push(next);
    calls++;
    if (next.priority === "normal" && next.returnedAtCall === null) bookedSinceWalkIn = next.kind === "booked" ? bookedSinceWalkIn + 1 : 0;
  }
  return ordered;
}

/** `left` is in the order of turnTime. */
function pick<W extends Waiting>(left: readonly W[], { calls, bookedSinceWalkIn }: Turn): W {
  const emergency = left.find((entry) => entry.priority === "emergency");
  if (emergency) return emergency;
  const returned = left
    .filter((entry) => entry.returnedAtCall !== null)
    // Who returned first: a second one who returns must not take the place of a patient who is next.
    .sort((a, b) => a.returnedAtCall! - b.returnedAtCall! || a.arrivedAt.getTime() - b.arrivedAt.getTime() || a.number - b.number);
  const [back] = returned;
  if (back && calls - back.returnedAtCall! >= OTHERS_BEFORE_RETURN) return back;
  const booked = left.find((entry) => entry.returnedAtCall === null && entry.kind === "booked");
  const walkIn = left.find((entry) => entry.returnedAtCall === null && entry.kind !== "booked");
  const next = bookedSinceWalkIn >= BOOKED_PER_WALK_IN ? (walkIn ?? booked) : (booked ?? walkIn);
  return next ?? back!;
}

function turnTime({ kind, dueAt, arrivedAt }: Waiting): number {
  const arrived = arrivedAt.getTime();
  return kind !== "booked" || arrived > dueAt.getTime() + GRACE ? arrived : dueAt.getTime();
}
