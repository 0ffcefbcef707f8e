import { and, desc, eq } from "drizzle-orm";
import { chatMessages, conversations, files } from "#app/db/schema/index.ts";
import { opened } from "#app/db/sealed.server.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { getPublicDoctor } from "#app/domains/directory/doctors/queries.server.ts";
import { formatInstant } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { m } from "#app/paraglide/messages.js";
import { LOST_AFTER } from "./assistant.schema.ts";
import type { ChatDoctor, ChatLine, ChatLink } from "./chat-line.ts";

const MAX_CHATS = 100;
const MAX_LINES = 200;
/** Most cards of a page. */
const MAX_CARDS = 12;

/** Returns the actor's chats, last used first. */
export async function listChats(ctx: Ctx<Actor>): Promise<ChatLink[]> {
  const rows = await ctx.db
    .select({ id: conversations.id, title: opened(conversations.title), voice: conversations.voice, at: conversations.updatedAt })
    .from(conversations)
    .where(eq(conversations.ownerId, ctx.actor.userId))
    .orderBy(desc(conversations.updatedAt))
    .limit(MAX_CHATS);
  return rows.map(({ id, title, voice, at }) => ({
    id,
    title: voice ? m.assistant_voice_chat() : (title ?? m.assistant_untitled()),
    at: formatInstant(at),
  }));
}

/** Returns the last 200 lines of the actor's chat. @throws DomainError("not-found") */
export async function getChat(ctx: Ctx<Actor>, id: string): Promise<{ id: string; lines: ChatLine[] }> {
  const own = isUuid(id) ? and(eq(conversations.id, id), eq(conversations.ownerId, ctx.actor.userId)) : undefined;
  const [chat] = own ? await ctx.db.select({ id: conversations.id }).from(conversations).where(own) : [];
  if (!chat) throw new DomainError("not-found", m.assistant_not_found());
  return { id: chat.id, lines: await linesOf(ctx, chat.id) };
}

/** Returns a doctor's only chat; empty when there is none. */
export async function getDoctorChat(ctx: Ctx<Actor>): Promise<ChatLine[]> {
  const [chat] = await ctx.db
    .select({ id: conversations.id })
    .from(conversations)
    .where(eq(conversations.ownerId, ctx.actor.userId))
    .orderBy(desc(conversations.updatedAt))
    .limit(1);
  return chat ? linesOf(ctx, chat.id) : [];
}

async function linesOf(ctx: Ctx<Actor>, conversationId: string): Promise<ChatLine[]> {
  const rows = await ctx.db
    .select({
      id: chatMessages.id,
      role: chatMessages.role,
      content: opened(chatMessages.content),
      voice: chatMessages.voice,
      state: chatMessages.state,
      by: chatMessages.by,
      sources: opened(chatMessages.sources),
      doctorIds: opened(chatMessages.doctorIds),
      createdAt: chatMessages.createdAt,
      fileId: files.id,
      fileName: opened(files.originalName),
      mediaType: files.mediaType,
    })
    .from(chatMessages)
    .leftJoin(files, eq(files.id, chatMessages.fileId))
    .where(eq(chatMessages.conversationId, conversationId))
    .orderBy(desc(chatMessages.seq))
    .limit(MAX_LINES);
  const cards = await cardsOf(ctx, [...new Set(rows.flatMap((row) => row.doctorIds))].slice(0, MAX_CARDS));
  return rows.reverse().map(({ fileId, fileName, mediaType, doctorIds, createdAt, state, ...row }) => ({
    ...row,
    createdAt,
    // The process that created the answer has ended.
    state: state === "waiting" && ctx.now.getTime() - createdAt.getTime() > LOST_AFTER ? "unreachable" : state,
    file: fileId ? { id: fileId, name: fileName ?? "", image: mediaType?.startsWith("image/") ?? false } : null,
    doctors: doctorIds.flatMap((id) => cards.get(id) ?? []),
  }));
}

/** Returns current cards of the named doctors. Omits those who cannot be booked any more. */
async function cardsOf(ctx: Ctx, ids: string[]): Promise<Map<string, ChatDoctor>> {
  const found = await Promise.all(
    ids.map((id) =>
      getPublicDoctor(ctx, id).catch((error: unknown) => {
        if (error instanceof DomainError) return null;
        throw error;
      }),
    ),
  );
  return new Map(
    found.flatMap((doctor) => {
      if (!doctor) return [];
      const { id, name, specialization, fee, area, city, photo, nextFree } = doctor;
      return [[id, { id, name, specialization, fee, area, city, photo, nextFree }] as const];
    }),
  );
}
