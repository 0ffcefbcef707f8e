import { desc, eq } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { outboxMessages } from "#app/db/schema/index.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { normalisePhone } from "#app/lib/phone.ts";
import { env } from "#app/runtime/env.server.ts";

export type OutboxMessage = {
  id: string;
  channel: "sms" | "whatsapp" | "email";
  to: string;
  subject: string | null;
  body: string;
  sentAt: Date;
};

/** Newest messages to return. Older ones stay in the table. */
const LIMIT = 100;

/**
 * Returns the messages sent in demo mode, newest first, of all receivers or of one mobile number (in any format: the + of +91
 * arrives as a space in a query) or email address.
 * @throws DomainError("not-found") outside demo mode, because messages contain codes
 */
export async function listOutbox(ctx: { db: Db }, to?: string | null): Promise<OutboxMessage[]> {
  if (!env().demo) throw new DomainError("not-found");
  const typed = to?.trim();
  // Invalid receivers match nothing.
  const receiver = typed && (typed.includes("@") ? typed.toLowerCase() : (normalisePhone(typed) ?? typed));
  const { id, channel, to: sentTo, subject, body, sentAt } = outboxMessages;
  return ctx.db
    .select({ id, channel, to: sentTo, subject, body, sentAt })
    .from(outboxMessages)
    .where(receiver ? eq(outboxMessages.to, receiver) : undefined)
    .orderBy(desc(sentAt), desc(id))
    .limit(LIMIT);
}
