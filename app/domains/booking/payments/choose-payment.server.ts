import { and, eq } from "drizzle-orm";
import { appointments } from "#app/db/schema/index.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { recordAudit } from "#app/domains/platform/audit/record.server.ts";
import { openVisit } from "#app/domains/visit-time.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";

/**
 * Stores how the acting patient intends to pay. It does not mean that they paid: only the payee can confirm that. @throws
 * DomainError("not-found")
 */
export function choosePayment(ctx: Ctx<Actor>, input: { id: string; method: "link" | "upi" | "clinic" }): Promise<void> {
  return transact(ctx, async (tx) => {
    if (!isUuid(input.id)) throw new DomainError("not-found");
    const [row] = await tx.db
      .update(appointments)
      .set({ paymentMethod: input.method, updatedAt: tx.now })
      .where(and(eq(appointments.id, input.id), eq(appointments.patientId, tx.actor.userId), openVisit(appointments)))
      .returning({ id: appointments.id });
    if (!row) throw new DomainError("not-found");
    await recordAudit(tx, {
      action: "choose-payment",
      subjectType: "appointment",
      subjectId: input.id,
      personId: tx.actor.userId,
      details: { method: input.method },
    });
  });
}
