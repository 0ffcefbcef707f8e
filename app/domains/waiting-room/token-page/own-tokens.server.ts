import { and, asc, eq, inArray, ne, not, or, sql } from "drizzle-orm";
import { inLanguage } from "#app/db/in-language.server.ts";
import { doctors, hospitals, practices, queueEntries, queueSessions } from "#app/db/schema/index.ts";
import { placeOfPractice } from "#app/db/schema/place-of-practice.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { addDays, type DateKey, type TimeKey, timeInIndia, todayInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { language } from "#app/lib/language.ts";
import type { QueueEntryState, QueueKind, QueueSessionState } from "#app/lib/vocabulary.ts";
import { hasEnded } from "../queue/session-end.ts";
import { pressEntry, type TOKEN_ACTIONS } from "./press-token.server.ts";
import { EARLIEST_ARRIVAL, mayPress } from "./token-view.ts";

/** A token of the patient. `from`: when "I have arrived" can be pressed; null once it can, or is over. */
export type OwnToken = {
  id: string;
  sessionId: string;
  number: number;
  /** Of its page. null: the token is not stored yet. */
  code: string | null;
  state: QueueEntryState;
  doctor: string;
  place: string | null;
  due: TimeKey;
  may: "arrive" | "return" | null;
  from: TimeKey | null;
};

const OVER: readonly QueueEntryState[] = ["done", "left", "no-show", "unseen", "lapsed"];

/** Returns the patient's tokens of today, and of an evening that is not closed yet, in the order of their times. `practiceIds`: only there. */
export async function listOwnTokens(ctx: Ctx<Actor>, practiceIds?: readonly string[]): Promise<(OwnToken & { code: string })[]> {
  if (practiceIds?.length === 0) return [];
  const today = todayInIndia(ctx.now);
  const rows = await ctx.db
    .select({
      id: queueEntries.id,
      sessionId: queueEntries.sessionId,
      number: queueEntries.number,
      code: queueEntries.code,
      state: queueEntries.state,
      kind: queueEntries.kind,
      dueAt: queueEntries.dueAt,
      doctor: inLanguage(doctors.fullName, doctors.translations, "name", language()),
      place: sql<string | null>`${inLanguage(hospitals.name, hospitals.translations, "name", language())}`,
      session: { state: queueSessions.state, date: queueSessions.date },
    })
    .from(queueEntries)
    .innerJoin(queueSessions, eq(queueSessions.id, queueEntries.sessionId))
    .innerJoin(practices, eq(practices.id, queueSessions.practiceId))
    .innerJoin(doctors, eq(doctors.id, queueSessions.doctorId))
    .leftJoin(hospitals, eq(hospitals.id, placeOfPractice))
    .where(
      and(
        eq(queueEntries.patientId, ctx.actor.userId),
        practiceIds && inArray(queueSessions.practiceId, [...practiceIds]),
        ne(queueSessions.state, "closed"),
        not(hasEnded(queueSessions, ctx.now)),
        or(eq(queueSessions.date, today), and(eq(queueSessions.date, addDays(today, -1)), sql`${queueSessions.state} <> 'planned'`)),
      ),
    )
    .orderBy(asc(queueEntries.dueAt), asc(queueEntries.number));
  return rows.filter(({ state }) => !OVER.includes(state)).map((row) => viewOwnToken(row, ctx.now));
}

type Row<C> = Omit<OwnToken, "code" | "due" | "may" | "from"> & {
  code: C;
  kind: QueueKind;
  dueAt: Date;
  session: { state: QueueSessionState; date: DateKey };
};
/** Returns a token as its patient sees it at `now`. */
export function viewOwnToken<C extends string | null>({ session, kind, dueAt, ...row }: Row<C>, now: Date): OwnToken & { code: C } {
  const may = mayPress({ state: row.state, kind, dueAt }, session, now);
  const early = row.state === "expected" && !may.arrive;
  return {
    ...row,
    due: timeInIndia(dueAt),
    may: may.arrive ? "arrive" : may.return ? "return" : null,
    from: early ? timeInIndia(new Date(dueAt.getTime() - EARLIEST_ARRIVAL)) : null,
  };
}

/**
 * Does for a logged-in patient what the page of their token does. A second press changes nothing.
 * @throws DomainError("not-found" | "conflict")
 */
export async function pressOwnToken(ctx: Ctx<Actor>, entryId: string, action: (typeof TOKEN_ACTIONS)[number]): Promise<void> {
  const [row] = isUuid(entryId)
    ? await ctx.db
        .select({ id: queueEntries.id, sessionId: queueEntries.sessionId })
        .from(queueEntries)
        .where(and(eq(queueEntries.id, entryId), eq(queueEntries.patientId, ctx.actor.userId)))
    : [];
  if (!row) throw new DomainError("not-found");
  await pressEntry(ctx, row, action);
}
