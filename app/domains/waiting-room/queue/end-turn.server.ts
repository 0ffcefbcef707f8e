import { and, eq, inArray } from "drizzle-orm";
import { queueEntries } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { LIVE_STATES } from "./entry.state.ts";
import { lockSession } from "./lock-session.server.ts";
import { moveEntry } from "./move-entry.server.ts";
import { queueChanged } from "./queue-changed.server.ts";

type Visit = { appointmentId: string | null; queueEntryId: string | null };

/**
 * Returns the live token of a visit, and that of another patient who is inside; null where the visit has no live token. `asks`: whether this turn is over
 * is known to the doctor only, because another patient is inside or this one was not called. Does not check access.
 */
export async function findTurn(ctx: Ctx, visit: Visit) {
  const of = visit.appointmentId ? eq(queueEntries.appointmentId, visit.appointmentId) : eq(queueEntries.id, visit.queueEntryId ?? "");
  const [own] = await ctx.db
    .select({ id: queueEntries.id, sessionId: queueEntries.sessionId, number: queueEntries.number, state: queueEntries.state })
    .from(queueEntries)
    .where(and(of, inArray(queueEntries.state, [...LIVE_STATES])));
  if (!own) return null;
  const [inside] =
    own.state === "with-doctor" || own.state === "called"
      ? []
      : await ctx.db
          .select({ number: queueEntries.number })
          .from(queueEntries)
          .where(and(eq(queueEntries.sessionId, own.sessionId), inArray(queueEntries.state, ["with-doctor", "called"])));
  const asks = inside !== undefined || own.state === "expected" || own.state === "arrived";
  return { ...own, inside: inside?.number ?? null, asks };
}

/**
 * Ends the turn of a patient whose prescription the doctor signs, in the transaction of `tx`. `certain`: also one that `asks`, when the doctor says that this
 * patient is done. The caller has checked that the visit is the doctor's own.
 */
export async function endTurn(tx: Ctx, visit: Visit, { certain }: { certain: boolean }): Promise<void> {
  const known = await findTurn(tx, visit);
  if (!known) return;
  const session = await lockSession(tx, known.sessionId);
  const turn = await findTurn(tx, visit);
  if (!turn || (turn.asks && !certain)) return;
  await moveEntry(tx, { session, entryId: turn.id, action: turn.state === "with-doctor" ? "finish" : "complete" });
  await queueChanged(tx, session);
}
