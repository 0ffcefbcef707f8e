/** Cancellations by chance, with patients who act at once: `npm run prove -- waitlist` runs the same for 100,000. */
import { expect, it } from "vitest";
import { GATE } from "../../../../tests/setup/long.ts";
import { seedOf } from "../../../../tests/setup/seed.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { simulateWaitlist } from "../../../../tests/setup/waitlist-simulation.ts";

const { db, ctx } = testDb();
// A failure is repeated with WAITLIST_SEED.
const seed = seedOf("WAITLIST_SEED");

it(`never gives a time twice, skips no patient and offers nothing after a take (seed ${seed})`, async () => {
  const context = ((actor: never, now: Date) => ctx(actor, now)) as Parameters<typeof simulateWaitlist>[0]["context"];
  const results = await Promise.all(
    (GATE ? [0] : [0, 1, 2]).map((n) => simulateWaitlist({ db, context }, { seed: seed + n, until: GATE ? 25 : 80 })),
  );
  for (const [n, { faults }] of results.entries()) expect(faults, `seed ${seed + n}`).toEqual([]);
  const sum = (of: (result: (typeof results)[number]) => number) => results.reduce((all, result) => all + of(result), 0);
  if (GATE) return;
  // The simulation reaches every kind of change.
  for (const of of [(r) => r.offers, (r) => r.taken, (r) => r.passed, (r) => r.lapsed, (r) => r.swaps] as ((
    r: (typeof results)[number],
  ) => number)[])
    expect(sum(of)).toBeGreaterThan(0);
}, 180_000);
