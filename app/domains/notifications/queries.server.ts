import { and, eq, isNull, sql } from "drizzle-orm";
import { hot } from "#app/db/client.server.ts";
import { notifications } from "#app/db/schema/index.ts";
import type { Actor, Ctx } from "../context.server.ts";

/** How many notifications of this person are unread; at most 99 are counted. */
export async function countUnread(ctx: Ctx<Actor>): Promise<number> {
  const query = hot(ctx.db, "count_unread", (db) => {
    const some = db
      .select({ one: sql`1`.as("one") })
      .from(notifications)
      .where(and(eq(notifications.userId, sql.placeholder("user")), isNull(notifications.readAt)))
      .limit(99)
      .as("some");
    return db.select({ n: sql<number>`count(*)::int` }).from(some).prepare("count_unread");
  });
  const [row] = await query.execute({ user: ctx.actor.userId });
  return row?.n ?? 0;
}
