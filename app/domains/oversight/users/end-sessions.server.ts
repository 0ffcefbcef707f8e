import { eq } from "drizzle-orm";
import { users } from "#app/db/schema/index.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { endSessionsOf } from "#app/domains/platform/accounts/sessions.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";

/** Ends all sessions of a user, who may log in again. @throws DomainError("not-found" | "forbidden") */
export async function endSessions(ctx: Ctx<Actor>, input: { id: string }): Promise<number> {
  const { id } = input;
  if (ctx.actor.role !== "admin") throw new DomainError("forbidden");
  if (!isUuid(id)) throw new DomainError("not-found");
  return transact(ctx, async (tx) => {
    const [user] = await tx.db.select({ id: users.id }).from(users).where(eq(users.id, id));
    if (!user) throw new DomainError("not-found");
    const ended = await endSessionsOf(tx, id);
    await recordChange(tx, "end-sessions", { people: { user: id }, details: { sessionsEnded: ended } });
    return ended;
  });
}
