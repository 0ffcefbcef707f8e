import { and, count, desc, eq, gte, sql } from "drizzle-orm";
import { paymentEvents, refusedMessages } from "#app/db/schema/index.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { days } from "#app/lib/durations.ts";
import type { MessageRefusal } from "#app/lib/vocabulary.ts";

const PAGE = 20;
const SHOWN_FOR = days(30);
const MOST_HOURS = 50;

type StoredMessage = { eventId: string; kind: string; orderId: string; receivedAt: Date; appliedAt: Date | null };
type RefusedHour = { reason: MessageRefusal; count: number; firstAt: Date; lastAt: Date; eventId: string | null };

/**
 * Returns a page of the stored messages of the last 30 days, the newest first, and the refused ones of the same time by hour. Without payloads.
 * @throws DomainError("forbidden")
 */
export async function listMessages(ctx: Ctx<Actor>, page: number) {
  if (ctx.actor.role !== "admin") throw new DomainError("forbidden");
  const provider = ctx.integrations.payments?.name;
  if (!provider) return { rows: [] as StoredMessage[], refused: [] as RefusedHour[], total: 0, hasMore: false };
  const since = new Date(ctx.now.getTime() - SHOWN_FOR);
  const isShown = and(eq(paymentEvents.provider, provider), gte(paymentEvents.receivedAt, since));
  const offset = (page - 1) * PAGE;
  const [rows, [counted], refused] = await Promise.all([
    ctx.db
      .select({
        eventId: paymentEvents.eventId,
        kind: sql<string>`${paymentEvents.fact}->>'kind'`,
        orderId: paymentEvents.orderId,
        receivedAt: paymentEvents.receivedAt,
        appliedAt: paymentEvents.appliedAt,
      })
      .from(paymentEvents)
      .where(isShown)
      .orderBy(desc(paymentEvents.receivedAt), desc(paymentEvents.eventId))
      .limit(PAGE)
      .offset(offset),
    ctx.db.select({ total: count() }).from(paymentEvents).where(isShown),
    ctx.db
      .select({
        reason: refusedMessages.reason,
        count: refusedMessages.count,
        firstAt: refusedMessages.firstAt,
        lastAt: refusedMessages.lastAt,
        eventId: refusedMessages.eventId,
      })
      .from(refusedMessages)
      .where(and(eq(refusedMessages.provider, provider), gte(refusedMessages.hour, since)))
      .orderBy(desc(refusedMessages.hour), refusedMessages.reason)
      .limit(MOST_HOURS),
  ]);
  const total = counted?.total ?? 0;
  return { rows: rows satisfies StoredMessage[], refused: refused satisfies RefusedHour[], total, hasMore: offset + rows.length < total };
}
