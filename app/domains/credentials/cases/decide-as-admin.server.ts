import { and, desc, eq } from "drizzle-orm";
import { hospitals, verificationEvents } from "#app/db/schema/index.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { removeDiscarded } from "#app/domains/platform/files/discard-files.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";
import type { CaseDecision } from "./case-decision.schema.ts";
import { decide, refuseMoved } from "./decide-for-hospital.server.ts";
import { lockCase, refuseOwnCase, refuseSamePerson } from "./ownership.server.ts";

/**
 * Decides as an administrator after the hospital: another person approves, rejects with reasons, or only stores the decisions.
 * Approval needs a confirmed hospital, and every document opened by this administrator.
 * @returns the doctor's name
 * @throws DomainError("not-found" | "forbidden" | "conflict" | "invalid")
 */
export async function decideAsAdmin(ctx: Ctx<Actor>, input: CaseDecision & { doctorId: string }): Promise<string> {
  const { name, discarded } = await transact(ctx, async (tx) => {
    const found = await lockCase(tx, input.doctorId);
    refuseMoved(found, "approve", tx);
    await refuseOwnCase(tx, found);
    if (input.intent === "approve") {
      const [before] = await tx.db
        .select({ by: verificationEvents.byUserId })
        .from(verificationEvents)
        .where(and(eq(verificationEvents.doctorId, found.id), eq(verificationEvents.action, "hospital-approve")))
        .orderBy(desc(verificationEvents.at))
        .limit(1);
      if (before) await refuseSamePerson(tx, before.by);
      const [hospital] = found.hospitalId
        ? await tx.db.select({ status: hospitals.status }).from(hospitals).where(eq(hospitals.id, found.hospitalId))
        : [];
      if (hospital?.status !== "active") throw new DomainError("conflict", m.admin_hospital_unconfirmed());
    }
    return { name: found.name, discarded: await decide(tx, found, input, { approve: "approve", "send-back": "reject" }) };
  });
  await removeDiscarded(ctx, discarded);
  return name;
}
