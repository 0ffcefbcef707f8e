import { minutes } from "#app/lib/durations.ts";
import { orderQueue, turnOf } from "./order.ts";
import type { PlainEntry, Queue } from "./queries.server.ts";

/** A patient who is this late goes by arrival, so they are not counted before others. */
const OVERDUE = 15;
const between = (from: Date, until: Date) => (until.getTime() - from.getTime()) / minutes(1);
/** Returns every entry of a session. */
export const entriesOf = ({ withDoctor, called, waiting, expected, skipped, over }: Queue<PlainEntry>): PlainEntry[] => [
  ...(withDoctor ? [withDoctor] : []),
  ...called,
  ...waiting,
  ...expected,
  ...skipped,
  ...over,
];

/** Returns who is called before a patient. One who is still expected is placed as if they came on time. */
export function aheadOf(queue: Queue<PlainEntry>, own: PlainEntry, now: Date): { waiting: PlainEntry[]; expected: PlainEntry[] } {
  const { waiting, expected, session } = queue;
  const turn = turnOf(session.calls, entriesOf(queue));
  const here = waiting as (PlainEntry & { arrivedAt: Date })[];
  const order = own.state === "expected" ? orderQueue([...here, { ...own, arrivedAt: own.dueAt > now ? own.dueAt : now }], turn) : here;
  const before = own.kind === "booked" && own.priority === "normal";
  return {
    waiting: order.slice(
      0,
      order.findIndex(({ id }) => id === own.id),
    ),
    expected: before
      ? expected.filter(
          (one) =>
            one.id !== own.id &&
            (one.dueAt < own.dueAt || (one.dueAt.getTime() === own.dueAt.getTime() && one.number < own.number)) &&
            between(one.dueAt, now) <= OVERDUE,
        )
      : [],
  };
}
