import { type DateKey, type TimeKey, timeInIndia, todayInIndia } from "#app/lib/dates.ts";
import { minutes } from "#app/lib/durations.ts";
import type { QueueSessionState } from "#app/lib/vocabulary.ts";
import { doctorExpectedAt } from "../queue/session-start.ts";
import type { Snapshot } from "../token-page/token-view.ts";

/** More would be too small to read from a chair. */
const MOST_TILES = 9;
const NEXT_SHOWN = 3;

/** What the screen shows of a session: numbers, and the name of the doctor. */
export type Tile = {
  id: string;
  doctor: Snapshot["practice"]["doctor"];
  doctorTexts: Snapshot["practice"]["doctorTexts"];
  date: DateKey;
  /** `closed`: before the turn of patients who wait. */
  state: QueueSessionState;
  /** Called or with the doctor. */
  number: number | null;
  /** Called and not yet inside: the tile is highlighted. */
  called: boolean;
  next: number[];
  emergencies: number;
  /** Announced: when a late doctor is expected. */
  expectedAt: TimeKey | null;
  startsAt: TimeKey;
  closedAt: TimeKey | null;
  /** Grows with each call: the chime rings. */
  calls: number;
};

/** A session that closed before the turn of its patients is shown this long. */
const CLOSED_SHOWN = minutes(60);

/**
 * Returns the tiles of a place. A practice shows what is running, otherwise for an hour what closed before the turn of its patients, otherwise what is still planned
 * today.
 */
export function viewBoard(snapshots: readonly Snapshot[], now: Date): Tile[] {
  const today = todayInIndia(now);
  const isToCome = ({ queue: { session } }: Snapshot) => session.state === "planned" && session.date === today;
  const isLeft = ({ queue: { session, over } }: Snapshot) =>
    session.closedAt !== null && now.getTime() < session.closedAt.getTime() + CLOSED_SHOWN && over.some(({ state }) => state === "unseen");
  const tiles = snapshots.flatMap((snapshot): Tile[] => {
    const { queue, practice } = snapshot;
    const { session, called, withDoctor, waiting } = queue;
    if (session.state === "planned" ? !isToCome(snapshot) : session.state === "closed" && !isLeft(snapshot)) return [];
    const others = snapshots.filter((one) => one.queue.session.practiceId === session.practiceId);
    const running = others.some((one) => one.queue.session.state === "open" || one.queue.session.state === "paused");
    const first = others.find(isToCome)?.queue.session.id === session.id;
    const left = others.findLast(isLeft)?.queue.session.id;
    if (session.state === "planned" && (running || left || !first)) return [];
    if (session.state === "closed" && (running || left !== session.id)) return [];
    const current = called.at(-1) ?? withDoctor;
    return [
      {
        id: session.id,
        doctor: practice.doctor,
        doctorTexts: practice.doctorTexts,
        date: session.date,
        state: session.state,
        number: current?.number ?? null,
        called: current?.state === "called",
        next: waiting.slice(0, NEXT_SHOWN).map(({ number }) => number),
        emergencies: waiting.filter(({ priority }) => priority === "emergency").length,
        expectedAt: session.doctorInAt || !session.lateMinutes ? null : timeInIndia(doctorExpectedAt(session)),
        startsAt: session.startsAt.slice(0, 5),
        closedAt: session.closedAt && timeInIndia(session.closedAt),
        calls: session.calls,
      },
    ];
  });
  // What is running stays when there are too many.
  return tiles.length <= MOST_TILES
    ? tiles
    : [...tiles.filter(({ state }) => state !== "planned"), ...tiles.filter(({ state }) => state === "planned")].slice(0, MOST_TILES);
}
