import { and, eq, inArray } from "drizzle-orm";
import { queueEntries } from "#app/db/schema/index.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { timeInIndia, todayInIndia } from "#app/lib/dates.ts";
import { minutes } from "#app/lib/durations.ts";
import { LIVE_STATES } from "../queue/entry.state.ts";
import type { Eta, RowToken } from "./row-estimates.ts";
import { getSnapshot } from "./snapshot.server.ts";
import { type Snapshot, viewToken } from "./token-view.ts";

const STEP = minutes(5);
const rounded = (at: number) => timeInIndia(new Date(Math.round(at / STEP) * STEP));

function etaOf(snapshot: Snapshot, entryId: string, now: Date): Eta | null {
  const range = viewToken(snapshot, entryId, now)?.range;
  return range ? { from: rounded(now.getTime() + minutes(range.low)), until: rounded(now.getTime() + minutes(range.high)) } : null;
}

/** Returns when each waiting and expected patient of a session is called, by entry. The caller has checked access. */
export async function estimateRows(ctx: Ctx, sessionId: string): Promise<Record<string, Eta>> {
  const snapshot = await getSnapshot(ctx, sessionId);
  return Object.fromEntries(
    [...snapshot.queue.waiting, ...snapshot.queue.expected].flatMap(({ id }) => {
      const eta = etaOf(snapshot, id, ctx.now);
      return eta ? [[id, eta]] : [];
    }),
  );
}

/** Returns the tokens of today's appointments on a page of an agenda, by appointment. The caller has checked access to the rows. */
export async function listRowTokens(ctx: Ctx, rows: readonly { id: string; date: string }[]): Promise<Record<string, RowToken>> {
  const today = todayInIndia(ctx.now);
  const ids = rows.flatMap(({ id, date }) => (date === today ? [id] : []));
  if (!ids.length) return {};
  const entries = await ctx.db
    .select({
      id: queueEntries.id,
      sessionId: queueEntries.sessionId,
      number: queueEntries.number,
      appointmentId: queueEntries.appointmentId,
    })
    .from(queueEntries)
    .where(and(inArray(queueEntries.appointmentId, ids), inArray(queueEntries.state, [...LIVE_STATES])));
  const tokens: Record<string, RowToken> = {};
  for (const { id, sessionId, number, appointmentId } of entries)
    tokens[appointmentId!] = { number, eta: etaOf(await getSnapshot(ctx, sessionId), id, ctx.now) };
  return tokens;
}

/** Returns the address code and the number of an appointment's token of the acting patient; null without a live one. */
export async function findOwnToken(ctx: Ctx<Actor>, appointmentId: string): Promise<{ number: number; code: string } | null> {
  const [row] = await ctx.db
    .select({ number: queueEntries.number, code: queueEntries.code })
    .from(queueEntries)
    .where(
      and(
        eq(queueEntries.appointmentId, appointmentId),
        eq(queueEntries.patientId, ctx.actor.userId),
        inArray(queueEntries.state, [...LIVE_STATES]),
      ),
    );
  return row ?? null;
}
