import { eq } from "drizzle-orm";
import { hospitals } from "#app/db/schema/index.ts";
import { type Actor, type Ctx, requireAdmin, transact } from "#app/domains/context.server.ts";
import { acceptPractices } from "#app/domains/places/members/waiting-practices.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { lockHospital } from "./lock-hospital.server.ts";

/**
 * Confirms a hospital that a doctor entered: others may choose it, and its doctors may be approved, and practices that waited for it open. @throws
 * DomainError("not-found" | "forbidden" | "conflict")
 */
export async function confirmHospital(ctx: Ctx<Actor>, input: { id: string }): Promise<void> {
  requireAdmin(ctx);
  return transact(ctx, async (tx) => {
    await lockHospital(tx, input.id, ["pending"]);
    await tx.db.update(hospitals).set({ status: "active", updatedAt: tx.now }).where(eq(hospitals.id, input.id));
    await acceptPractices(tx, { hospitalId: input.id });
    await recordChange(tx, "confirm-hospital", { subject: { hospital: input.id } });
  });
}
