import { eq } from "drizzle-orm";
import { queueEntries } from "#app/db/schema/index.ts";
import { type Ctx, transact } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";
import { lockSession } from "../queue/lock-session.server.ts";
import { lockVisits } from "../queue/lock-visits.server.ts";
import { moveEntry } from "../queue/move-entry.server.ts";
import { queueChanged } from "../queue/queue-changed.server.ts";
import { findToken } from "./snapshot.server.ts";
import { mayPress } from "./token-view.ts";

export const TOKEN_ACTIONS = ["arrive", "return", "leave"] as const;
type TokenAction = (typeof TOKEN_ACTIONS)[number];

/**
 * Does what a patient presses on the page of their token. Whoever has its address is the patient. A second press changes nothing.
 * @throws DomainError("not-found" | "conflict")
 */
export async function pressToken(ctx: Ctx, input: { code: string | undefined; action: TokenAction }): Promise<void> {
  await pressEntry(ctx, await findToken(ctx, input.code), input.action);
}

/** Does what a patient presses on their entry. The caller has checked that it is theirs. @throws DomainError("not-found" | "conflict") */
export async function pressEntry(ctx: Ctx, { id, sessionId }: { id: string; sessionId: string }, action: TokenAction): Promise<void> {
  await transact(ctx, async (tx) => {
    await lockVisits(tx, { sessionId, entryId: id });
    const session = await lockSession(tx, sessionId);
    const [entry] = await tx.db
      .select({
        state: queueEntries.state,
        number: queueEntries.number,
        kind: queueEntries.kind,
        dueAt: queueEntries.dueAt,
        patientId: queueEntries.patientId,
      })
      .from(queueEntries)
      .where(eq(queueEntries.id, id));
    if (!entry) throw new DomainError("not-found");
    if (entry.state === (action === "leave" ? "left" : "arrived")) return;
    if (!mayPress(entry, session, tx.now)[action]) throw new DomainError("conflict", m.token_not_now());
    await moveEntry(tx, { session, entryId: id, action });
    await recordChange(tx, "change-queue", {
      subject: { queue: session.id },
      people: { patient: entry.patientId },
      details: { doctorId: session.doctorId, number: entry.number, change: action },
    });
    await queueChanged(tx, session);
  });
}

/** Stops SMS about a token, or allows them again. Idempotent. @throws DomainError("not-found") */
export async function setTokenSms(ctx: Ctx, input: { code: string | undefined; stopped: boolean }): Promise<void> {
  const { id, sessionId } = await findToken(ctx, input.code);
  await transact(ctx, async (tx) => {
    await lockSession(tx, sessionId);
    await tx.db.update(queueEntries).set({ smsStopped: input.stopped, updatedAt: tx.now }).where(eq(queueEntries.id, id));
    await queueChanged(tx, { id: sessionId });
  });
}
