import { and, eq } from "drizzle-orm";
import { users } from "#app/db/schema/index.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { requireProof } from "#app/domains/platform/accounts/proof.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { m } from "#app/paraglide/messages.js";
import { gone } from "./disable-user.server.ts";

/** Enables a disabled account. @throws DomainError("not-found" | "forbidden" | "conflict") */
export async function enableUser(ctx: Ctx<Actor>, input: { id: string }): Promise<void> {
  const { id } = input;
  if (ctx.actor.role !== "admin") throw new DomainError("forbidden");
  if (!isUuid(id)) throw new DomainError("not-found");
  requireProof(ctx, "enable-user");
  return transact(ctx, async (tx) => {
    const [opened] = await tx.db
      .update(users)
      .set({ status: "active", updatedAt: tx.now })
      .where(and(eq(users.id, id), eq(users.status, "disabled")))
      .returning({ id: users.id });
    if (!opened) throw await gone(tx, id, m.users_enabled_already());
    await recordChange(tx, "enable-user", { people: { user: id } });
  });
}
