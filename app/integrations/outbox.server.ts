import { desc, eq } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { outboxMessages } from "#app/db/schema/index.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { normalisePhone } from "#app/lib/phone.ts";
import { env } from "#app/runtime/env.server.ts";

export type OutboxMessage = { id: string; channel: "sms" | "email"; to: string; subject: string | null; body: string; sentAt: Date };

/** Enough for anybody reading along; older ones stay in the table. */
const LIMIT = 100;

/**
 * What was sent in demo mode, newest first, to everybody or to one mobile number (typed in any way: the + of +91 arrives
 * as a space from a query) or email address.
 * @throws DomainError("not-found") outside demo mode: codes are in here.
 */
export async function listOutbox(ctx: { db: Db }, to?: string | null): Promise<OutboxMessage[]> {
  if (!env().demo) throw new DomainError("not-found");
  const typed = to?.trim();
  // What is neither a number nor an address matches nothing rather than everything.
  const receiver = typed && (typed.includes("@") ? typed.toLowerCase() : (normalisePhone(typed) ?? typed));
  const { id, channel, to: sentTo, subject, body, sentAt } = outboxMessages;
  return ctx.db
    .select({ id, channel, to: sentTo, subject, body, sentAt })
    .from(outboxMessages)
    .where(receiver ? eq(outboxMessages.to, receiver) : undefined)
    .orderBy(desc(sentAt), desc(id))
    .limit(LIMIT);
}
