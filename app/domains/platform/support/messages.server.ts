import { randomUUID } from "node:crypto";
import { and, desc, eq } from "drizzle-orm";
import { supportMessages, supportThreads, users } from "#app/db/schema/index.ts";
import { opened, sealed } from "#app/db/sealed.server.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import type { ThreadMessage } from "./thread.ts";

const PAGE = 50;

/** Returns the thread of the message that this form of the actor has already sent; null for a new form. */
export async function findSent(ctx: Ctx<Actor>, formKey: string): Promise<string | null> {
  const [sent] = await ctx.db
    .select({ threadId: supportMessages.threadId })
    .from(supportMessages)
    .where(and(eq(supportMessages.authorId, ctx.actor.userId), eq(supportMessages.formKey, formKey)));
  return sent?.threadId ?? null;
}

/** Adds a message of the actor. @returns false when another request has sent the same form */
export async function addMessage(tx: Ctx<Actor>, threadId: string, input: { message: string; key: string }): Promise<boolean> {
  const id = randomUUID();
  const added = await tx.db
    .insert(supportMessages)
    .values({
      id,
      threadId,
      authorId: tx.actor.userId,
      bySupport: tx.actor.role === "admin",
      content: sealed(supportMessages.content, id, input.message),
      formKey: input.key,
      createdAt: tx.now,
    })
    .onConflictDoNothing({ target: [supportMessages.authorId, supportMessages.formKey] })
    .returning({ id: supportMessages.id });
  return added.length > 0;
}

/** Locks a thread until the commit, so that its messages are written one after the other. @throws DomainError("not-found") */
export async function lockThread(tx: Ctx<Actor>, id: string | undefined) {
  if (!isUuid(id)) throw new DomainError("not-found");
  const own = tx.actor.role === "admin" ? undefined : eq(supportThreads.userId, tx.actor.userId);
  const [thread] = await tx.db
    .select()
    .from(supportThreads)
    .where(and(eq(supportThreads.id, id), own))
    .for("no key update");
  if (!thread) throw new DomainError("not-found");
  return thread;
}

/** Returns a page of a thread's messages, page 1 with the newest, each page in the order in which they were written. */
export async function listMessages(ctx: Ctx<Actor>, threadId: string, page: number): Promise<{ rows: ThreadMessage[]; hasMore: boolean }> {
  const rows = await ctx.db
    .select({
      id: supportMessages.id,
      bySupport: supportMessages.bySupport,
      content: opened(supportMessages.content),
      createdAt: supportMessages.createdAt,
      author: users.staffName,
    })
    .from(supportMessages)
    .innerJoin(users, eq(users.id, supportMessages.authorId))
    .where(eq(supportMessages.threadId, threadId))
    .orderBy(desc(supportMessages.createdAt), desc(supportMessages.id))
    .limit(PAGE + 1)
    .offset((page - 1) * PAGE);
  return { rows: rows.slice(0, PAGE).toReversed(), hasMore: rows.length > PAGE };
}

/** Returns the id of the newest message. */
export async function newestMessage(ctx: Ctx<Actor>, threadId: string): Promise<string | null> {
  const [newest] = await ctx.db
    .select({ id: supportMessages.id })
    .from(supportMessages)
    .where(eq(supportMessages.threadId, threadId))
    .orderBy(desc(supportMessages.createdAt), desc(supportMessages.id))
    .limit(1);
  return newest?.id ?? null;
}
