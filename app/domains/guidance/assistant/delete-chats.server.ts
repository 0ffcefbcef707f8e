import { eq, inArray } from "drizzle-orm";
import { chatMessages, conversations, files } from "#app/db/schema/index.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { discardFiles, removeDiscarded } from "#app/domains/platform/files/discard-files.server.ts";

/** Deletes all chats of the actor: texts, recordings and files, rows and bytes. @returns their number */
export async function deleteChats(ctx: Ctx<Actor>): Promise<number> {
  const { count, gone } = await transact(ctx, async (tx) => {
    const own = eq(conversations.ownerId, tx.actor.userId);
    // Serializes with a question in progress.
    const chats = await tx.db.select({ id: conversations.id }).from(conversations).where(own).for("update");
    const attached = await tx.db
      .select({ id: files.id })
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
    const gone = await discardFiles(
      tx,
      attached.map(({ id }) => id),
    );
    await recordChange(tx, "delete-chats", {
      subject: { conversation: tx.actor.userId },
      people: { user: tx.actor.userId },
      details: { chats: chats.length, files: attached.length },
    });
    return { count: chats.length, gone };
  });
  await removeDiscarded(ctx, gone);
  return count;
}
