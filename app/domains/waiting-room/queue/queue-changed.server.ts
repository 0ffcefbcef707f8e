import type { Ctx } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { markSoon } from "./mark-messages.server.ts";

/**
 * Runs at the end of every transaction that changes a session or its entries: patients who are called soon get an SMS, and open pages load
 * again after the commit.
 */
export async function queueChanged(tx: Ctx, session: { id: string }): Promise<void> {
  await markSoon(tx, session.id);
  await recordChange(tx, "show-queue", { subject: { "queue-session": session.id } });
}
