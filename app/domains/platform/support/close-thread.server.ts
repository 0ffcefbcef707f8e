import { and, eq, inArray } from "drizzle-orm";
import { supportThreads } from "#app/db/schema/index.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { requireOpenAccount } from "#app/domains/platform/users/lock-account.server.ts";
import type { Target } from "#app/lib/targets.ts";
import { lockThread } from "./messages.server.ts";
import { SUPPORT_ACTIONS } from "./support.state.ts";

/** Closes the user's own thread. Idempotent. @throws DomainError("not-found" | "unauthenticated") */
export async function closeOwnThread(ctx: Ctx<Actor>, id: string): Promise<void> {
  await transact(ctx, async (tx) => {
    await requireOpenAccount(tx);
    await closeThread(tx, await lockThread(tx, id), null);
  });
}

/** Closes a locked thread, in the transaction of `tx`, unless it is closed already. `notice`: what its user is notified of. */
export async function closeThread(
  tx: Ctx<Actor>,
  thread: { id: string; userId: string },
  notice: { params: { reference: string }; target: Target } | null,
): Promise<void> {
  const { from, to } = SUPPORT_ACTIONS.close;
  const closed = await tx.db
    .update(supportThreads)
    .set({ state: to, waitingSince: null })
    .where(and(eq(supportThreads.id, thread.id), inArray(supportThreads.state, from)))
    .returning({ id: supportThreads.id });
  if (!closed.length) return;
  await recordChange(tx, "close-support", {
    subject: { "support-thread": thread.id },
    // Users do not see their own acts among those about them.
    people: { user: tx.actor.role === "admin" ? thread.userId : null },
    notify: { user: notice },
  });
}
