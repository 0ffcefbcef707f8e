import { and, eq, inArray } from "drizzle-orm";
import { supportThreads } from "#app/db/schema/index.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { recordAudit } from "#app/domains/platform/audit/record.server.ts";
import { requireOpenAccount } from "#app/domains/platform/users/lock-account.server.ts";
import { lockThread } from "./messages.server.ts";
import { SUPPORT_ACTIONS } from "./support.state.ts";

/** Closes the user's own thread. Idempotent. @throws DomainError("not-found" | "unauthenticated") */
export async function closeOwnThread(ctx: Ctx<Actor>, id: string): Promise<void> {
  await transact(ctx, async (tx) => {
    await requireOpenAccount(tx);
    await closeThread(tx, await lockThread(tx, id));
  });
}

/** Closes a locked thread, in the transaction of `tx`. @returns false when it is closed already */
export async function closeThread(tx: Ctx<Actor>, thread: { id: string; userId: string }): Promise<boolean> {
  const { from, to } = SUPPORT_ACTIONS.close;
  const closed = await tx.db
    .update(supportThreads)
    .set({ state: to, waitingSince: null })
    .where(and(eq(supportThreads.id, thread.id), inArray(supportThreads.state, from)))
    .returning({ id: supportThreads.id });
  if (!closed.length) return false;
  const entry = { action: "close-support", subjectType: "support-thread", subjectId: thread.id } as const;
  await recordAudit(tx, tx.actor.role === "admin" ? { ...entry, personId: thread.userId } : entry);
  return true;
}
