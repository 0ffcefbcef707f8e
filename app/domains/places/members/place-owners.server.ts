import { and, eq } from "drizzle-orm";
import { memberships, users } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";

/** Returns the owners of a place who can act. */
export const listActiveOwners = (tx: Ctx, hospitalId: string) =>
  tx.db
    .select({ userId: users.id })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(
      and(
        eq(memberships.hospitalId, hospitalId),
        eq(memberships.role, "owner"),
        eq(memberships.state, "active"),
        eq(users.status, "active"),
      ),
    );
