import { and, eq, type SQL, sql } from "drizzle-orm";
import { messageThreads, users } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { days } from "#app/lib/durations.ts";
import type { Phone } from "#app/lib/phone.ts";
import type { MessageChannel } from "#app/lib/vocabulary.ts";

/** A number that was not seen for this long may have another owner. */
export const UNSEEN = days(365);

/** SQL: a conversation was not seen since a time, or its phone is that of another account now. */
export const isOfAnother = (thread: SQL, phone: SQL, seen: SQL): SQL<boolean> =>
  sql<boolean>`(coalesce(${thread}.last_in_at < ${seen}, false)
    or exists (select from ${users} u where u.role = 'patient' and u.phone = ${phone} and u.id <> ${thread}.patient_id))`;

/** Returns the conversation of a number. One that was not seen for a year, or whose phone another account has now, begins again. */
export async function openThread(tx: Ctx, { channel, phone }: { channel: MessageChannel; phone: Phone }): Promise<string> {
  const own = and(eq(messageThreads.phone, phone), eq(messageThreads.channel, channel));
  const before = new Date(tx.now.getTime() - UNSEEN).toISOString();
  const [open] = await tx.db
    .select({
      id: messageThreads.id,
      ofAnother: isOfAnother(sql`${messageThreads}`, sql`${phone}`, sql`${before}::timestamptz`),
    })
    .from(messageThreads)
    .where(own);
  if (open && !open.ofAnother) return open.id;
  if (open) await tx.db.delete(messageThreads).where(eq(messageThreads.id, open.id));
  const [made] = await tx.db
    .insert(messageThreads)
    .values({ channel, phone, createdAt: tx.now })
    .onConflictDoNothing()
    .returning({ id: messageThreads.id });
  if (made) return made.id;
  const [found] = await tx.db.select({ id: messageThreads.id }).from(messageThreads).where(own);
  if (!found) throw new Error("a conversation was deleted while a message came in");
  return found.id;
}
