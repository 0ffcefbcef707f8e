import { and, eq } from "drizzle-orm";
import { messageThreads, outboundMessages } from "#app/db/schema/index.ts";
import { opened } from "#app/db/sealed.server.ts";
import { type Ctx, transact } from "#app/domains/context.server.ts";
import type { Rendered } from "../conversation/render.ts";

/**
 * Sends a message of a conversation to its provider. The lock keeps a second run from sending it too.
 * @throws DomainError("unavailable") to be tried again
 */
export async function sendMessage(ctx: Ctx, messageId: string): Promise<void> {
  await transact(ctx, async (tx) => {
    const [row] = await tx.db
      .select({ content: opened(outboundMessages.content), phone: messageThreads.phone, channel: messageThreads.channel })
      .from(outboundMessages)
      .innerJoin(messageThreads, eq(messageThreads.id, outboundMessages.threadId))
      .where(and(eq(outboundMessages.id, messageId), eq(outboundMessages.state, "queued")))
      .for("update", { of: outboundMessages });
    if (!row) return;
    const { body, template, variables, choices, as } = row.content as unknown as Rendered;
    const { whatsapp, sms } = tx.integrations;
    const sent =
      row.channel === "whatsapp" && whatsapp
        ? await whatsapp.send({ to: row.phone, body, choices, as })
        : await sms.send({ to: row.phone, template, variables, body }).then(() => ({ id: null }));
    await tx.db
      .update(outboundMessages)
      .set({ state: "sent", sentAt: tx.now, providerId: sent.id })
      .where(eq(outboundMessages.id, messageId));
  });
}
