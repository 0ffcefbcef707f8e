import { randomUUID } from "node:crypto";
import { and, desc, eq, gt, sql } from "drizzle-orm";
import { chatMessages, conversations, files } from "#app/db/schema/index.ts";
import { opened, sealed } from "#app/db/sealed.server.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { spendLimits } from "#app/domains/platform/limits/limit.server.ts";
import { requireOpenAccount } from "#app/domains/platform/users/lock-account.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { hashToken } from "#app/lib/ids.server.ts";
import { findRedFlag } from "../triage/red-flags.ts";
import type { Question } from "./assistant.schema.ts";

/**
 * `answerId`: the pending answer, null when only a file was added. `fresh`: this call stored the question, so its caller creates
 * the answer; other callers wait for it. `emergency`: already answered with the emergency numbers.
 */
export type Asked = { conversationId: string; answerId: string | null; fresh: boolean; emergency: boolean };

/**
 * Stores a question and its pending answer. Idempotent for the same key and text. Answers an emergency immediately, before any
 * limit or model.
 * @throws DomainError("invalid" an empty question | "not-found" | "too-many")
 */
export async function addQuestion(ctx: Ctx<Actor>, { key, conversation, latest, message, file, voice }: Question): Promise<Asked> {
  if (!message && !file && !voice) throw new DomainError("invalid");
  const { userId, role } = ctx.actor;
  const emergency = message !== "" && findRedFlag(message) !== null;
  return transact(ctx, async (tx) => {
    await requireOpenAccount(tx);
    const attached = [];
    for (const id of [file, voice]) if (id) attached.push(await ownUpload(tx, id));
    // A file sent twice is stored under two ids, so it is compared by name and size.
    const question = JSON.stringify([message, ...attached.map(({ name, size }) => [name, size])]);
    const requestKey = hashToken(`${userId} ${key} ${question}`);
    await tx.db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${requestKey}, 0))`);
    const before = await askedBefore(tx, requestKey);
    if (before) return before;

    const speaks = message !== "" || voice !== undefined;
    if (speaks && !emergency)
      await spendLimits(tx, [
        { limit: "assistant-question", key: userId },
        { limit: "assistant-question-day", key: userId },
      ]);
    for (const { id } of attached) await tx.db.update(files).set({ status: "attached" }).where(eq(files.id, id));
    const continued = role === "doctor" || (latest && !conversation) ? await latestOf(tx) : conversation;
    const conversationId = await openConversation(tx, continued, voice !== undefined);
    const rows: (typeof chatMessages.$inferInsert)[] = [];
    const add = ({
      content,
      ...row
    }: Omit<typeof chatMessages.$inferInsert, "conversationId" | "createdAt" | "content"> & { content?: string }) => {
      const id = randomUUID();
      const encrypted = sealed(chatMessages.content, id, content ?? "");
      rows.push({ id, conversationId, createdAt: tx.now, requestKey: rows.length ? null : requestKey, content: encrypted, ...row });
    };
    if (file) add({ role: "user", fileId: file });
    if (voice) add({ role: "user", fileId: voice, voice: true });
    if (message) add({ role: "user", content: message });
    if (speaks) add({ role: "assistant", state: emergency ? "emergency" : "waiting", requestKey: null });
    const written = await tx.db.insert(chatMessages).values(rows).returning({ id: chatMessages.id, role: chatMessages.role });
    const answerId = written.find((row) => row.role === "assistant")?.id ?? null;
    return { conversationId, answerId, fresh: true, emergency };
  });
}

/** Returns an unused chat upload of the actor. */
async function ownUpload(ctx: Ctx<Actor>, id: string) {
  const [row] = await ctx.db
    .select({ id: files.id, name: opened(files.originalName), size: files.byteSize })
    .from(files)
    .where(
      and(
        eq(files.id, id),
        eq(files.ownerId, ctx.actor.userId),
        eq(files.status, "pending"),
        sql`${files.purpose} in ('chat-file', 'chat-voice')`,
      ),
    );
  if (!row) throw new DomainError("not-found");
  return row;
}

async function askedBefore(ctx: Ctx, requestKey: string): Promise<Asked | null> {
  const [asked] = await ctx.db
    .select({ seq: chatMessages.seq, conversationId: chatMessages.conversationId })
    .from(chatMessages)
    .where(eq(chatMessages.requestKey, requestKey));
  if (!asked) return null;
  const [next] = await ctx.db
    .select({ id: chatMessages.id, state: chatMessages.state })
    .from(chatMessages)
    .where(and(eq(chatMessages.conversationId, asked.conversationId), gt(chatMessages.seq, asked.seq), eq(chatMessages.role, "assistant")))
    .orderBy(chatMessages.seq)
    .limit(1);
  return {
    conversationId: asked.conversationId,
    answerId: next?.id ?? null,
    fresh: false,
    emergency: next?.state === "emergency",
  };
}

/** Returns the conversation used last. Doctors have only one (spec 000 §7: a list of messages). */
async function latestOf(ctx: Ctx<Actor>): Promise<string | undefined> {
  const [row] = await ctx.db
    .select({ id: conversations.id })
    .from(conversations)
    .where(eq(conversations.ownerId, ctx.actor.userId))
    .orderBy(desc(conversations.updatedAt))
    .limit(1);
  return row?.id;
}

async function openConversation(ctx: Ctx<Actor>, id: string | undefined, voice: boolean): Promise<string> {
  const own = { ownerId: ctx.actor.userId };
  const [row] = id
    ? await ctx.db
        .update(conversations)
        .set({ updatedAt: ctx.now })
        .where(and(eq(conversations.id, id), eq(conversations.ownerId, own.ownerId)))
        .returning({ id: conversations.id })
    : await ctx.db
        .insert(conversations)
        .values({ ...own, voice, createdAt: ctx.now, updatedAt: ctx.now })
        .returning({ id: conversations.id });
  if (!row) throw new DomainError("not-found");
  return row.id;
}
