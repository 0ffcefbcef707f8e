import { pool } from "#app/db/pool.server.ts";
import { seconds } from "#app/lib/durations.ts";
import { forgetWith } from "#app/lib/of-start.ts";

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
  let timer: NodeJS.Timeout | undefined;
  try {
    const late = new Promise<never>((_, no) => {
      timer = setTimeout(() => no(new Error("late")), seconds(2));
    });
    await Promise.race([pool().sql`select 1`, late]);
    return true;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}
