import { and, eq, inArray, lt, sql } from "drizzle-orm";
import { type EmergencyHospital, type EmergencyProblem, emergencyRuns } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import type { Point } from "#app/domains/platform/location/distance.ts";
import { getCity } from "#app/domains/platform/location/queries.server.ts";
import { unavailable } from "#app/integrations/failure.server.ts";
import { hours, minutes, seconds } from "#app/lib/durations.ts";
import { hashToken, randomToken } from "#app/lib/ids.server.ts";
import { within } from "#app/lib/within.ts";
import { EMERGENCY_ACTIONS, type EmergencyAction, type EmergencyView, IDLE, stateAt, statesBefore } from "./emergency.state.ts";
import { findHospitals, SEARCH_LIMIT } from "./find-hospitals.server.ts";
import { typedPlace } from "./typed-place.server.ts";

/** Lifetime of a run and its hospitals. */
const RUN_LIFE = hours(1);
/** How long the page says that help was received: who opens it later needs help again. */
const STOPPED_LIFE = minutes(10);
/** Timeout of the database: the page already shows the numbers. */
const PATIENCE = seconds(1);

const inTime = <T>(limit: number, query: PromiseLike<T>): Promise<T> =>
  within(limit, query, () => unavailable("database", "no answer in time"));

/** Returns the current state of a run; IDLE for no, an old or an unknown id. @throws when the database is unavailable */
export async function findRun(ctx: Ctx, id: string | null): Promise<EmergencyView> {
  if (!id || id.length > 100) return IDLE;
  const [row] = await inTime(
    PATIENCE,
    ctx.db
      .select()
      .from(emergencyRuns)
      .where(eq(emergencyRuns.idHash, hashToken(id))),
  );
  if (!row || ctx.now.getTime() - row.createdAt.getTime() > RUN_LIFE) return IDLE;
  const current = stateAt(row, ctx.now);
  const problem = current.state === "ERROR" ? (row.problem ?? "unknown") : null;
  // The clock ends a run without writing its state: only Stop does.
  const stopped = row.state === "COMPLETED";
  if (stopped && ctx.now.getTime() - row.changedAt.getTime() > STOPPED_LIFE) return IDLE;
  return { ...current, problem, hospitals: row.hospitals, stopped };
}

/** Creates a run and returns its id. */
export async function pressSos(ctx: Ctx): Promise<string> {
  const id = randomToken();
  const values = { idHash: hashToken(id), state: EMERGENCY_ACTIONS.press.to, changedAt: ctx.now, createdAt: ctx.now };
  await inTime(PATIENCE, ctx.db.insert(emergencyRuns).values(values));
  return id;
}

/** Changes the state of a run if the action is allowed. Of two concurrent requests one succeeds. */
async function move(
  ctx: Ctx,
  id: string,
  action: Exclude<EmergencyAction, "press" | "startOver" | "next">,
  set: { problem?: EmergencyProblem | null; hospitals?: EmergencyHospital[] } = {},
): Promise<boolean> {
  const moved = await inTime(
    PATIENCE,
    ctx.db
      .update(emergencyRuns)
      .set({ ...set, state: EMERGENCY_ACTIONS[action].to, changedAt: ctx.now })
      .where(and(eq(emergencyRuns.idHash, hashToken(id)), inArray(emergencyRuns.state, statesBefore(action))))
      .returning({ id: emergencyRuns.idHash }),
  );
  return moved.length > 0;
}

/** Result of a search. Without `id` nothing was stored, and the page shows `view`. */
export type Located = { id: string | null; view: EmergencyView; faults: unknown[] };

/**
 * Searches near the position, or the centre of a typed place or a city, and starts contacting, in a new run if there is none. Does not
 * store the position. Never rejects: without the database it returns the results of the maps.
 */
export async function locate(
  ctx: Ctx,
  id: string | null,
  where: { latitude: number; longitude: number } | { typed: string } | { city: number },
  limit = SEARCH_LIMIT,
): Promise<Located> {
  const began = performance.now();
  const faults: unknown[] = [];
  const begun = begin(ctx, id).catch((fault: unknown) => {
    faults.push(fault);
    return { id: null, first: true };
  });
  const centre = "typed" in where ? typedPlace(ctx, where.typed) : "city" in where ? getCity(ctx, where.city) : null;
  const point = centre ? await inTime(limit / 4, centre).catch((fault: unknown) => void faults.push(fault)) : (where as Point);
  const run = await begun;
  // A second press: the first one is already searching.
  if (!run.first) return { id: run.id, view: IDLE, faults };
  // The remaining time, so that the response meets the limit however long the place took.
  const left = Math.max(1, Math.floor(limit - (performance.now() - began)));
  const search = point
    ? await findHospitals(ctx, point, left)
    : { hospitals: [], problem: faults.length ? ("unknown" as const) : ("unknown-place" as const), faults: [] };
  faults.push(...search.faults);
  const hospitals = centre ? search.hospitals.map((one) => ({ ...one, fromCentre: true as const })) : search.hospitals;
  const view: EmergencyView = search.problem
    ? { ...IDLE, state: "ERROR", problem: search.problem }
    : { ...IDLE, state: "CONTACTING", hospitals };
  if (run.id === null) return { id: null, view, faults };
  try {
    const now = new Date(ctx.now.getTime() + (performance.now() - began));
    await move({ ...ctx, now }, run.id, search.problem ? "fail" : "find", { hospitals, problem: search.problem });
    return { id: run.id, view, faults };
  } catch (fault) {
    return { id: null, view, faults: [...faults, fault] };
  }
}

async function begin(ctx: Ctx, id: string | null): Promise<{ id: string; first: boolean }> {
  const known = id === null ? IDLE : await findRun(ctx, id);
  const run = id === null || known.state === "IDLE" ? await pressSos(ctx) : id;
  return { id: run, first: await move(ctx, run, "locate", { problem: null, hospitals: [] }) };
}

/** Stores that the browser gave no position. Returns the run's id. */
export async function loseLocation(ctx: Ctx, id: string | null, problem: "denied" | "no-location"): Promise<string> {
  const run = id !== null && (await findRun(ctx, id)).state !== "IDLE" ? id : await pressSos(ctx);
  await move(ctx, run, "lose", { problem });
  return run;
}

/** "Stop - I've Received Help". */
export async function stopRun(ctx: Ctx, id: string): Promise<void> {
  await move(ctx, id, "stop");
}

/** "Start Over" and "Try Again": deletes the run in any state. */
export async function endRun(ctx: Ctx, id: string): Promise<void> {
  await inTime(PATIENCE, ctx.db.delete(emergencyRuns).where(eq(emergencyRuns.idHash, hashToken(id))));
}

/** Deletes old runs. */
export async function sweepRuns(ctx: Ctx): Promise<void> {
  await ctx.db
    .delete(emergencyRuns)
    .where(lt(emergencyRuns.createdAt, sql`${new Date(ctx.now.getTime() - RUN_LIFE).toISOString()}::timestamptz`));
}
