import { and, asc, eq, inArray, sql } from "drizzle-orm";
import { hot } from "#app/db/client.server.ts";
import { appointments, queueEntries, queueSessions } from "#app/db/schema/index.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import type { Eta, Token } from "#app/domains/token-words.ts";
import { addDays, timeInIndia, todayInIndia } from "#app/lib/dates.ts";
import { entriesOf } from "../queue/ahead.ts";
import { tokenParams } from "../queue/book-token.server.ts";
import { LIVE_STATES } from "../queue/entry.state.ts";
import type { PlainEntry, Queue } from "../queue/queries.server.ts";
import { asOfNow } from "../queue/session-end.ts";
import type { DayToken, RowToken } from "./row-estimates.ts";
import { getSnapshot, readSnapshot } from "./snapshot.server.ts";
import { type Snapshot, viewToken } from "./token-view.ts";

function etaOf(snapshot: Snapshot, entryId: string, now: Date): Eta | null {
  const expected = viewToken(snapshot, entryId, now)?.expected;
  return expected ? { from: timeInIndia(expected.from), until: timeInIndia(expected.until) } : null;
}

/** A token that was given a moment ago is not in the copy of its session yet. */
async function etaOfEntry(ctx: Ctx, sessionId: string, entryId: string): Promise<Eta | null> {
  const snapshot = await getSnapshot(ctx, sessionId);
  const isKnown = entriesOf(snapshot.queue).some(({ id }) => id === entryId);
  return etaOf(isKnown ? snapshot : await readSnapshot(ctx, sessionId), entryId, ctx.now);
}

/**
 * Returns when each waiting and expected patient of a session is called, by entry. `planned`: the session with the tokens that are not stored
 * yet. The caller has checked access.
 */
export async function estimateRows(ctx: Ctx, sessionId: string, planned: Queue<PlainEntry> | null): Promise<Record<string, Eta>> {
  const snapshot = planned ? await readSnapshot(ctx, sessionId, planned) : await getSnapshot(ctx, sessionId);
  return Object.fromEntries(
    [...snapshot.queue.waiting, ...snapshot.queue.expected].flatMap(({ id }) => {
      const eta = etaOf(snapshot, id, ctx.now);
      return eta ? [[id, eta]] : [];
    }),
  );
}

/** Returns the live tokens of appointments, by appointment: of those of today, and of those that were booked with a token. The caller has checked access. */
export async function listRowTokens(
  ctx: Ctx,
  rows: readonly { id: string; date: string; token?: number | null }[],
): Promise<Record<string, RowToken>> {
  const today = todayInIndia(ctx.now);
  // An evening that is still open after midnight has the date of the day before.
  const ids = rows.flatMap(({ id, date, token }) => (date === today || (token && date >= addDays(today, -1)) ? [id] : []));
  if (!ids.length) return {};
  const query = hot(ctx.db, "list_row_tokens", (db) =>
    db
      .select({
        id: queueEntries.id,
        sessionId: queueEntries.sessionId,
        number: queueEntries.number,
        appointmentId: queueEntries.appointmentId,
      })
      .from(queueEntries)
      .where(
        and(
          sql`${queueEntries.appointmentId} = any(string_to_array(${sql.placeholder("ids")}, ',')::uuid[])`,
          inArray(queueEntries.state, [...LIVE_STATES]),
        ),
      )
      .prepare("list_row_tokens"),
  );
  const entries = await query.execute({ ids: ids.join() });
  const tokens: Record<string, RowToken> = {};
  for (const { id, sessionId, number, appointmentId } of entries)
    tokens[appointmentId!] = { number, eta: await etaOfEntry(ctx, sessionId, id) };
  return tokens;
}

/**
 * Returns where the patients of a day's appointments are in its queue, by appointment: the live token, otherwise the last one. Found by the
 * session: ended tokens have no index by appointment. The caller has checked access.
 */
export async function listDayTokens(ctx: Ctx, rows: readonly { id: string; date: string }[]): Promise<Record<string, DayToken>> {
  const today = todayInIndia(ctx.now);
  const ids = rows.flatMap(({ id, date }) => (date <= today && date >= addDays(today, -1) ? [id] : []));
  if (!ids.length) return {};
  const query = hot(ctx.db, "list_day_tokens", (db) =>
    db
      .select({
        id: queueEntries.id,
        number: queueEntries.number,
        appointmentId: appointments.id,
        entry: queueEntries.state,
        arrivedAt: queueEntries.arrivedAt,
        leftAt: queueEntries.leftAt,
        sessionId: queueSessions.id,
        date: queueSessions.date,
        endsAt: queueSessions.endsAt,
        lateMinutes: queueSessions.lateMinutes,
        state: queueSessions.state,
        closedAt: queueSessions.closedAt,
      })
      .from(appointments)
      .innerJoin(queueSessions, and(eq(queueSessions.practiceId, appointments.practiceId), eq(queueSessions.date, appointments.date)))
      .innerJoin(queueEntries, and(eq(queueEntries.sessionId, queueSessions.id), eq(queueEntries.appointmentId, appointments.id)))
      .where(sql`${appointments.id} = any(string_to_array(${sql.placeholder("ids")}, ',')::uuid[])`)
      .orderBy(asc(queueEntries.updatedAt))
      .prepare("list_day_tokens"),
  );
  const tokens: Record<string, DayToken> = {};
  const isLive = (state: string) => (LIVE_STATES as readonly string[]).includes(state);
  const found = await query.execute({ ids: ids.join() });
  for (const { id, number, appointmentId, entry, arrivedAt, leftAt, sessionId, ...session } of found) {
    if (tokens[appointmentId] && isLive(tokens[appointmentId].state)) continue;
    const { state } = asOfNow(session, ctx.now);
    tokens[appointmentId] = {
      number,
      eta: isLive(entry) ? await etaOfEntry(ctx, sessionId, id) : null,
      state: state === "closed" && isLive(entry) ? "lapsed" : entry,
      arrived: arrivedAt && timeInIndia(arrivedAt),
      left: leftAt && timeInIndia(leftAt),
      running: state === "open" || state === "paused",
      closed: state === "closed",
    };
  }
  return tokens;
}

/** Adds to appointments that were booked with a token when each is called. Reads nothing for others. The caller has checked access. */
export async function withExpected<T extends { id: string; date: string; token: number | null }>(
  ctx: Ctx,
  rows: readonly T[],
): Promise<(T & { expected?: Eta })[]> {
  const tokens = await listRowTokens(
    ctx,
    rows.filter(({ token }) => token !== null),
  );
  return rows.map((row) => {
    const eta = tokens[row.id]?.eta;
    return eta ? { ...row, expected: eta } : row;
  });
}

/** Returns what a notification states of the token of an appointment: the same range as its pages show at this moment. */
export async function tokenNotice(ctx: Ctx, appointmentId: string, of: Partial<Token> | undefined): Promise<Record<string, string>> {
  const params = tokenParams(of);
  if (!params.token) return params;
  const [entry] = await ctx.db
    .select({ id: queueEntries.id, sessionId: queueEntries.sessionId })
    .from(queueEntries)
    .where(and(eq(queueEntries.appointmentId, appointmentId), inArray(queueEntries.state, [...LIVE_STATES])));
  // Not the copy: the token may be given in this transaction.
  const eta = entry ? etaOf(await readSnapshot(ctx, entry.sessionId), entry.id, ctx.now) : null;
  return eta ? { ...params, expected: eta.from, until: eta.until } : params;
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
