import { eq } from "drizzle-orm";
import type { z } from "zod";
import { doctorDocuments } from "#app/db/schema/index.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { m } from "#app/paraglide/messages.js";
import type { DocumentDecisionSchema } from "./case-decision.schema.ts";
import { refuseMoved, seenOf } from "./decide-for-hospital.server.ts";
import { recordDecisions } from "./documents-of-case.server.ts";
import { lockCase, refuseOwnCase } from "./ownership.server.ts";

/**
 * Decides on one document, next to its image. The case does not change its status.
 * @throws DomainError("not-found" | "forbidden" | "conflict")
 */
export async function decideDocument(ctx: Ctx<Actor>, input: z.output<typeof DocumentDecisionSchema> & { id: string }): Promise<void> {
  if (!isUuid(input.id)) throw new DomainError("not-found");
  const { role } = ctx.actor;
  if (role !== "reviewer" && role !== "admin") throw new DomainError("not-found");
  await transact(ctx, async (tx) => {
    const [document] = await tx.db
      .select({ doctorId: doctorDocuments.doctorId })
      .from(doctorDocuments)
      .where(eq(doctorDocuments.id, input.id));
    if (!document) throw new DomainError("not-found");
    const found = await lockCase(tx, document.doctorId);
    refuseMoved(found, role === "reviewer" ? "hospital-approve" : "approve", tx);
    if (input.seen !== seenOf(found)) throw new DomainError("conflict", m.cases_case_changed());
    await refuseOwnCase(tx, found);
    await recordDecisions(tx, found.id, [input], { whole: false, final: true });
  });
}
