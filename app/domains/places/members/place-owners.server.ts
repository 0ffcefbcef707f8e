import { and, eq } from "drizzle-orm";
import { memberships, users } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { hasPermission, type Permission } from "./permissions.ts";

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

/** Returns the ids of the members of a place who can act and have a permission for a doctor there, owners too. */
export async function listMembersWith(tx: Ctx, hospitalId: string, permission: Permission, doctorId: string): Promise<string[]> {
  const rows = await tx.db
    .select({ userId: users.id, role: memberships.role, doctorIds: memberships.doctorIds })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.hospitalId, hospitalId), eq(memberships.state, "active"), eq(users.status, "active")));
  return rows
    .filter((one) => hasPermission(one.role, permission) && (one.doctorIds.length === 0 || one.doctorIds.includes(doctorId)))
    .map(({ userId }) => userId);
}
