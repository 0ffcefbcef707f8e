import { and, eq, gt, sql } from "drizzle-orm";
import { hot } from "#app/db/client.server.ts";
import { type Role, sessions, users } from "#app/db/schema/index.ts";
import type { Ctx } from "../context.server.ts";

/** The live session with this token hash, of a person who may still log in; null otherwise. */
export async function findSession(
  ctx: Ctx,
  tokenHash: string,
): Promise<{ tokenHash: string; userId: string; role: Role; locale: string } | null> {
  const query = hot(ctx.db, "find_session", (db) =>
    db
      .select({ tokenHash: sessions.tokenHash, userId: users.id, role: users.role, locale: users.locale })
      .from(sessions)
      .innerJoin(users, eq(users.id, sessions.userId))
      .where(
        and(eq(sessions.tokenHash, sql.placeholder("token")), gt(sessions.expiresAt, sql.placeholder("now")), eq(users.status, "active")),
      )
      .limit(1)
      .prepare("find_session"),
  );
  const [row] = await query.execute({ token: tokenHash, now: ctx.now });
  return row ?? null;
}
