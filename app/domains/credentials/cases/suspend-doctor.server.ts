import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { requireProof } from "#app/domains/platform/accounts/proof.ts";
import { endSessionsOf } from "#app/domains/platform/accounts/sessions.server.ts";
import { refuseMoved } from "./decide-for-hospital.server.ts";
import { moveCase } from "./move-case.server.ts";
import { lockCase } from "./ownership.server.ts";

/**
 * Removes a verified doctor from the directory and ends their sessions. Upcoming visits stay, for the administrator to handle.
 * @throws DomainError("not-found" | "forbidden" | "conflict")
 */
export function suspendDoctor(ctx: Ctx<Actor>, input: { doctorId: string; reason: string }): Promise<string> {
  return transact(ctx, async (tx) => {
    const found = await lockCase(tx, input.doctorId);
    refuseMoved(found, "suspend", tx);
    requireProof(tx, "suspend-doctor");
    await moveCase(tx, { doctorId: found.id, action: "suspend", note: input.reason });
    await endSessionsOf(tx, found.id);
    return found.name;
  });
}
