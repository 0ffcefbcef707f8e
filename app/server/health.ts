import { pool } from "#app/db/pool.server.ts";
import { seconds } from "#app/lib/durations.ts";
import { forgetWith } from "#app/lib/of-start.ts";
import { within } from "#app/lib/within.ts";

let draining = false;
forgetWith(() => {
  draining = false;
});
/** Makes `/readyz` fail, so that load balancers stop sending requests. */
export const beginDraining = () => {
  draining = true;
};
export const isDraining = () => draining;

/** True when the database answers within two seconds. */
export async function isReady(): Promise<boolean> {
  if (draining) return false;
  return within(seconds(2), pool().sql`select 1`, () => new Error("late")).then(
    () => true,
    () => false,
  );
}
