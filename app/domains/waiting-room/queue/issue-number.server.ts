import { eq, sql } from "drizzle-orm";
import { queueSessions } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";

/**
 * Returns the next token of a session. The only code that gives numbers: one update, so two transactions never get the same one. A number whose
 * transaction fails is given again only if it was never committed.
 * @throws DomainError("not-found")
 */
export async function issueNumber(tx: Ctx, sessionId: string): Promise<number> {
  const [row] = await tx.db
    .update(queueSessions)
    .set({ lastNumber: sql`${queueSessions.lastNumber} + 1`, updatedAt: tx.now })
    .where(eq(queueSessions.id, sessionId))
    .returning({ number: queueSessions.lastNumber });
  if (!row) throw new DomainError("not-found");
  return row.number;
}
