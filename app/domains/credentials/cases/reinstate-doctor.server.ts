import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { requireProof } from "#app/domains/platform/accounts/proof.ts";
import { removeDiscarded } from "#app/domains/platform/files/discard-files.server.ts";
import { refuseMoved } from "./decide-for-hospital.server.ts";
import { moveCase } from "./move-case.server.ts";
import { lockCase, refuseOwnCase } from "./ownership.server.ts";

/** Reinstates a suspended doctor. @throws DomainError("not-found" | "forbidden" | "conflict") */
export async function reinstateDoctor(ctx: Ctx<Actor>, input: { doctorId: string; note?: string | undefined }): Promise<string> {
  const { name, discarded } = await transact(ctx, async (tx) => {
    const found = await lockCase(tx, input.doctorId);
    refuseMoved(found, "reinstate", tx);
    requireProof(tx, "reinstate-doctor");
    await refuseOwnCase(tx, found);
    return { name: found.name, discarded: await moveCase(tx, { doctorId: found.id, action: "reinstate", note: input.note }) };
  });
  // The doctor was suspended before approvals erased identities, and the job has not run yet.
  await removeDiscarded(ctx, discarded);
  return name;
}
