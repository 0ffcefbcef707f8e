import { and, count, eq, inArray } from "drizzle-orm";
import { violatedConstraint } from "#app/db/client.server.ts";
import { queueEntries, users } from "#app/db/schema/index.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { spendLimits } from "#app/domains/platform/limits/limit.server.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";
import { findPlaceOfKey } from "../place-links/place-links.server.ts";
import { addEntry } from "../queue/add-entry.server.ts";
import { choosePerson, type NameChoice } from "../queue/add-walk-in.server.ts";
import { LIVE_STATES } from "../queue/entry.state.ts";
import { lockSession } from "../queue/lock-session.server.ts";
import { moveEntry } from "../queue/move-entry.server.ts";
import { queueChanged } from "../queue/queue-changed.server.ts";
import { pressEntry } from "../token-page/press-token.server.ts";
import { findOwnEntry, listPlacePractices, MOST_TOKENS, planArrival } from "./arrival.server.ts";

/** Marks a patient as arrived, or as back, with the code of the counter. A second press changes nothing. @throws DomainError("not-found" | "conflict") */
export async function arriveByCode(
  ctx: Ctx<Actor>,
  input: { key: string | undefined; entryId: string; action: "arrive" | "return" },
): Promise<void> {
  const place = await findPlaceOfKey(ctx, "arrive", input.key);
  await planArrival(ctx, place.id);
  await pressEntry(ctx, await findOwnEntry(ctx, place.id, input.entryId), input.action);
}

/**
 * Gives a patient without a booking the next token of a session at the place. A second press of the same form returns the first token, and a
 * patient who is expected is checked in instead. Twins may have one name, so a name that waits already is refused with the patients to choose from.
 * @throws DomainError("not-found" | "forbidden" | "too-many") and "conflict", also with `{ same: SameName[] }`
 */
export async function takeTokenByCode(
  ctx: Ctx<Actor>,
  input: { key: string | undefined; sessionId: string; name: string; choice?: NameChoice | undefined; formKey: string },
): Promise<{ code: string }> {
  const place = await findPlaceOfKey(ctx, "arrive", input.key);
  if (!place.allowsWalkIns) throw new DomainError("forbidden", m.arrive_ask_desk());
  await spendLimits(ctx, [{ limit: "token-by-code", key: ctx.actor.userId }]);
  const [user] = await ctx.db.select({ phone: users.phone }).from(users).where(eq(users.id, ctx.actor.userId));
  const phone = user?.phone;
  if (!phone) throw new DomainError("forbidden");
  await planArrival(ctx, place.id);
  const own = new Set((await listPlacePractices(ctx, place.id)).map(({ id }) => id));
  try {
    return await transact(ctx, async (tx) => {
      const session = await lockSession(tx, input.sessionId);
      if (!own.has(session.practiceId)) throw new DomainError("not-found");
      const live = and(
        eq(queueEntries.sessionId, session.id),
        eq(queueEntries.patientId, tx.actor.userId),
        inArray(queueEntries.state, [...LIVE_STATES]),
      );
      const [again] = await tx.db
        .select({ code: queueEntries.code })
        .from(queueEntries)
        .where(and(eq(queueEntries.sessionId, session.id), eq(queueEntries.formKey, input.formKey)));
      if (again) return { code: again.code };
      if (session.state === "closed" || session.date !== todayInIndia(tx.now)) throw new DomainError("conflict", m.arrive_session_closed());
      const { name, known, isThere } = await choosePerson(tx, session, { ...input, phone });
      if (known && isThere) return { code: known.code };
      const [held] = await tx.db.select({ tokens: count() }).from(queueEntries).where(live);
      if (!known && held!.tokens >= MOST_TOKENS) throw new DomainError("conflict", m.arrive_most_tokens());
      if (known) await moveEntry(tx, { session, entryId: known.id, action: "arrive" });
      const entry =
        known ??
        (await addEntry(tx, {
          session,
          kind: "scan",
          state: "arrived",
          name,
          phone,
          patientId: tx.actor.userId,
          formKey: input.formKey,
          dueAt: tx.now,
        }));
      await recordChange(tx, "add-to-queue", {
        subject: { queue: session.id },
        people: { patient: tx.actor.userId },
        details: { doctorId: session.doctorId, number: entry.number },
      });
      await queueChanged(tx, session);
      return { code: entry.code };
    });
  } catch (error) {
    if (violatedConstraint(error)?.startsWith("queue_entries_")) throw new DomainError("conflict", m.queue_has_token());
    throw error;
  }
}
