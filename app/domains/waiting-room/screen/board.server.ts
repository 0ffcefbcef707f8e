import { and, asc, eq } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import { doctors, placeDoctors, practices } from "#app/db/schema/index.ts";
import { placeOfPractice } from "#app/db/schema/place-of-practice.ts";
import { listedDoctor } from "#app/db/schema/visibility.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { seconds } from "#app/lib/durations.ts";
import { ofDatabase } from "#app/lib/of-start.ts";
import { listSessions } from "../queue/queries.server.ts";
import { getSnapshot } from "../token-page/snapshot.server.ts";
import type { Snapshot } from "../token-page/token-view.ts";
import { type Tile, viewBoard } from "./board-view.ts";

/** The ids of a place's sessions of today. What is in them is read from the copies, which each change drops. */
const sessionsOf = ofDatabase(new LRUCache<string, Promise<string[]>>({ max: 500, ttl: seconds(1) }));

async function readSessions(ctx: Ctx, hospitalId: string): Promise<string[]> {
  const own = await ctx.db
    .select({ id: practices.id })
    .from(practices)
    .innerJoin(doctors, and(eq(doctors.id, practices.doctorId), listedDoctor(doctors)))
    .innerJoin(
      placeDoctors,
      and(eq(placeDoctors.doctorId, doctors.id), eq(placeDoctors.hospitalId, hospitalId), eq(placeDoctors.state, "active")),
    )
    .where(and(eq(practices.state, "active"), eq(placeOfPractice, hospitalId)))
    .orderBy(asc(doctors.fullName), asc(practices.id));
  const ids = own.map(({ id }) => id);
  const sessions = await listSessions(ctx, ids);
  return sessions.sort((a, b) => ids.indexOf(a.practiceId) - ids.indexOf(b.practiceId)).map(({ id }) => id);
}

/** A session can be deleted in the second for which its id is kept: the others are still shown. */
function gone(error: unknown): null {
  if (error instanceof DomainError && error.code === "not-found") return null;
  throw error;
}

/** Returns what the screen of a place shows now. Does not check access: the caller has the key. */
export async function getBoard(ctx: Ctx, hospitalId: string): Promise<Tile[]> {
  const key = `${hospitalId} ${todayInIndia(ctx.now)}`;
  let coming = sessionsOf.get(key);
  if (!coming) {
    coming = readSessions(ctx, hospitalId);
    sessionsOf.set(key, coming);
    coming.catch(() => sessionsOf.delete(key));
  }
  const snapshots: Snapshot[] = [];
  for (const id of await coming) {
    const snapshot = await getSnapshot(ctx, id).catch(gone);
    if (snapshot) snapshots.push(snapshot);
  }
  return viewBoard(snapshots, ctx.now);
}
