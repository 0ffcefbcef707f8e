import { and, eq, ne } from "drizzle-orm";
import { hospitals } from "#app/db/schema/index.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { requireActing } from "./acting.server.ts";

/**
 * Shows the reasons of appointments at the desk of a place, or hides them. Only an owner decides it. Twice is once.
 * @throws DomainError("not-found" | "forbidden")
 */
export function setReasonsAtDesk(ctx: Ctx<Actor>, { hospitalId, show }: { hospitalId: string | undefined; show: boolean }): Promise<void> {
  return transact(ctx, async (outer) => {
    const tx = await requireActing(outer, hospitalId, "manage-staff");
    const id = tx.actor.onBehalfOf.hospitalId;
    const [changed] = await tx.db
      .update(hospitals)
      .set({ reasonsAtDesk: show, updatedAt: tx.now })
      .where(and(eq(hospitals.id, id), ne(hospitals.reasonsAtDesk, show)))
      .returning({ id: hospitals.id });
    if (!changed) return;
    await recordChange(tx, show ? "show-reasons-at-desk" : "hide-reasons-at-desk", { subject: { hospital: id } });
  });
}
