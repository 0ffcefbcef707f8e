import { eq, inArray } from "drizzle-orm";
import { chatMessages, conversations, files } from "#app/db/schema/index.ts";
import { days } from "#app/lib/durations.ts";
import { recordAudit } from "../audit/record.server.ts";
import { type Actor, type Ctx, transact } from "../context.server.ts";

/** Deletes all chats of the acting person: what was said, the recordings and the files, rows and bytes. Gives how many there were. */
export async function deleteChats(ctx: Ctx<Actor>): Promise<number> {
  const { count, gone } = await transact(ctx, async (tx) => {
    const own = eq(conversations.ownerId, tx.actor.userId);
    // Locked, so that a question on its way comes before or after.
    const chats = await tx.db.select({ id: conversations.id }).from(conversations).where(own).for("update");
    const attached = await tx.db
      .select({ id: files.id, key: files.storageKey })
      .from(chatMessages)
      .innerJoin(conversations, eq(conversations.id, chatMessages.conversationId))
      .innerJoin(files, eq(files.id, chatMessages.fileId))
      .where(own);
    if (chats.length === 0) return { count: 0, gone: [] };
    await tx.db.delete(conversations).where(
      inArray(
        conversations.id,
        chats.map((chat) => chat.id),
      ),
    );
    // Should the process end here, the sweep finds them and removes the bytes.
    if (attached.length)
      await tx.db
        .update(files)
        .set({ status: "pending", createdAt: new Date(tx.now.getTime() - days(2)) })
        .where(idsOf(attached));
    await recordAudit(tx, {
      action: "delete-chats",
      subjectType: "conversation",
      subjectId: tx.actor.userId,
      personId: tx.actor.userId,
      details: { chats: chats.length, files: attached.length },
    });
    return { count: chats.length, gone: attached };
  });
  for (const { key } of gone) await ctx.integrations.storage.remove(key);
  if (gone.length) await ctx.db.delete(files).where(idsOf(gone));
  return count;
}

const idsOf = (rows: { id: string }[]) =>
  inArray(
    files.id,
    rows.map((row) => row.id),
  );
