/**
 * A simulated clinic: log-normal visits (mean 8 minutes, σ of the logarithm 0.5), a start 0 to 60 minutes late, 20 % no-shows, 5 % emergencies.
 * Each patient gets an estimate at arrival, and is called in the order of the product (order.ts). The doctor's history grows day by day.
 */
import { estimateWait, type History, NO_HISTORY, type Range } from "../../../app/domains/waiting-room/estimate/estimate.ts";
import { orderQueue, type Turn, type Waiting } from "../../../app/domains/waiting-room/queue/order.ts";

const [MEAN, SIGMA, LATEST, NO_SHOWS, EMERGENCIES, WALK_INS] = [8, 0.5, 60, 0.2, 0.05, 0.2];
const MEDIAN = MEAN / Math.exp(SIGMA ** 2 / 2);
/** Days of the past that the history has. */
const KEPT = 30;

/** Returns a source of random numbers from 0 to 1 (mulberry32), the same for the same seed. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Person = Waiting & { due: number; arrives: number; shows: boolean; takes: number; priority: Waiting["priority"] };
export type Accuracy = { waits: number; byLow: number; byHigh: number; medianError: number; meanWait: number };

/** Simulates `days` sessions of `patients`. Patients who are called at once get no estimate. */
export function simulate({ days, seed, patients = 30 }: { days: number; seed: number; patients?: number }): Accuracy {
  const random = randomOf(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const past: { lengths: number[]; delay: number; came: number; booked: number }[] = [];
  const errors: number[] = [];
  let [low, high, total] = [0, 0, 0];
  for (let day = 0; day < days; day++) {
    const delay = random() * LATEST;
    const people = Array.from({ length: patients }, (_, i): Person => {
      const walkIn = random() < WALK_INS;
      const due = i * MEAN;
      const arrives = Math.max(-30, walkIn ? due : due - 5 + 10 * normal());
      const priority = random() < EMERGENCIES ? "emergency" : "normal";
      const kind = walkIn ? ("walk-in" as const) : ("booked" as const);
      const takes = MEDIAN * Math.exp(SIGMA * normal());
      const at = { dueAt: new Date(due * 60_000), arrivedAt: new Date(arrives * 60_000), returnedAtCall: null };
      return { number: i + 1, kind, priority, due, arrives, shows: walkIn || random() >= NO_SHOWS, takes, ...at };
    });
    const lengths: number[] = [];
    for (const { shown, wait } of playDay(people, delay, historyOf(past), lengths)) {
      if (wait <= shown.low) low++;
      if (wait <= shown.high) high++;
      errors.push(Math.abs(wait - shown.low));
      total += wait;
    }
    const booked = people.filter(({ kind }) => kind === "booked");
    past.push({ lengths, delay, came: booked.filter(({ shows }) => shows).length, booked: booked.length });
    if (past.length > KEPT) past.shift();
  }
  const sorted = errors.sort((a, b) => a - b);
  const waits = sorted.length;
  return { waits, byLow: low / waits, byHigh: high / waits, medianError: sorted[waits >> 1] ?? 0, meanWait: total / waits };
}

function historyOf(past: { lengths: number[]; delay: number; came: number; booked: number }[]): History {
  if (!past.length) return NO_HISTORY;
  const lengths = past.flatMap((day) => day.lengths).sort((a, b) => a - b);
  const sum = (key: "came" | "booked") => past.reduce((all, day) => all + day[key], 0);
  return {
    median: lengths[lengths.length >> 1] ?? null,
    visits: lengths.length,
    delays: past.map(({ delay }) => delay),
    shows: sum("came") / sum("booked"),
  };
}

/** Plays one session. Returns the range that each patient saw at arrival, and the wait that followed. */
function playDay(people: readonly Person[], delay: number, history: History, lengths: number[]): { shown: Range; wait: number }[] {
  const coming = people.filter(({ shows }) => shows).sort((a, b) => a.arrives - b.arrives);
  const results: { shown: Range; wait: number }[] = [];
  const shown = new Map<number, Range>();
  const here: Person[] = [];
  const turn: Turn = { calls: 0, bookedSinceWalkIn: 0 };
  let inside: { since: number; until: number } | null = null;
  let next = 0;
  const finish = () => {
    lengths.push(inside!.until - inside!.since);
    inside = null;
  };
  const callAt = (now: number) => {
    const [person] = orderQueue(here, turn);
    if (!person) return;
    here.splice(here.indexOf(person), 1);
    turn.calls++;
    if (person.priority === "normal") turn.bookedSinceWalkIn = person.kind === "booked" ? turn.bookedSinceWalkIn + 1 : 0;
    inside = { since: now, until: now + person.takes };
    const range = shown.get(person.number);
    if (range) results.push({ shown: range, wait: now - person.arrives });
  };
  while (next < coming.length || here.length) {
    const arrival = coming[next]?.arrives ?? Number.POSITIVE_INFINITY;
    const free: number = inside ? (inside as { until: number }).until : here.length ? delay : Number.POSITIVE_INFINITY;
    if (free <= arrival) {
      if (inside) finish();
      callAt(free);
      continue;
    }
    const person = coming[next++]!;
    here.push(person);
    const now = person.arrives;
    const started = now >= delay;
    if (started && !inside) {
      callAt(now);
      continue;
    }
    const order = orderQueue(here, turn);
    const expected = people.filter((one) => one.kind === "booked" && (!one.shows || one.arrives > now) && one.due < person.due);
    shown.set(
      person.number,
      estimateWait({
        history,
        today: lengths,
        inside: inside ? now - (inside as { since: number }).since : null,
        waiting: order.indexOf(person),
        expected:
          person.kind === "booked" && person.priority === "normal" ? expected.map(({ due }) => now - due).filter((late) => late <= 15) : [],
        start: started ? null : { late: now, announced: 0 },
      }),
    );
  }
  return results;
}
