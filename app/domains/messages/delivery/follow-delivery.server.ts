import { eq } from "drizzle-orm";
import { outboundMessages } from "#app/db/schema/index.ts";
import { opened } from "#app/db/sealed.server.ts";
import { type Ctx, transact } from "#app/domains/context.server.ts";
import type { Delivery } from "#app/integrations/inbound/inbound.server.ts";
import type { MessageState } from "#app/lib/vocabulary.ts";
import type { StoredMessage } from "../conversation/render.ts";
import { lockThreadOf, sendAsSms } from "./send-as-sms.server.ts";

/** Reports come late and in any order: one of a lower rank changes nothing. */
const RANK: Record<MessageState, number> = { queued: 0, sending: 0, sent: 1, failed: 2, delivered: 3, read: 4 };

/** Notes what a provider reports about a message of ours. One that failed is sent by SMS, once, however often that is reported. */
export async function followDelivery(ctx: Ctx, { providerId, messageId, state }: Delivery): Promise<void> {
  // The report may be here before the provider's id is stored, or after its answer was lost.
  const own = messageId ? eq(outboundMessages.id, messageId) : eq(outboundMessages.providerId, providerId);
  await transact(ctx, async (tx) => {
    if (state === "failed") await lockThreadOf(tx, own);
    const [row] = await tx.db
      .select({
        id: outboundMessages.id,
        threadId: outboundMessages.threadId,
        state: outboundMessages.state,
        createdAt: outboundMessages.createdAt,
        providerId: outboundMessages.providerId,
        sentAt: outboundMessages.sentAt,
      })
      .from(outboundMessages)
      .where(own)
      .for("update");
    if (!row || RANK[state] <= RANK[row.state]) return;
    await tx.db
      .update(outboundMessages)
      .set({ state, providerId: row.providerId ?? providerId, sentAt: row.sentAt ?? tx.now })
      .where(eq(outboundMessages.id, row.id));
    if (state !== "failed") return;
    const [stored] = await tx.db
      .select({ content: opened(outboundMessages.content) })
      .from(outboundMessages)
      .where(eq(outboundMessages.id, row.id));
    if (stored) await sendAsSms(tx, { ...row, content: stored.content as unknown as StoredMessage });
  });
}
