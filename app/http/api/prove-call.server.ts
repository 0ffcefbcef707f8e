import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { proveByCode } from "#app/domains/platform/accounts/confirm-identity.server.ts";
import { hasFreshProof } from "#app/domains/platform/accounts/proof.ts";
import { DomainError } from "#app/lib/domain-error.ts";

/**
 * Proves the caller with the code that came with the call, and returns the context with that proof; the context as it is when
 * no code came or none is needed, so that a call can be sent again. @throws DomainError("invalid") beside `proof`, "too-many"
 */
export async function proveCall(
  ctx: Ctx<Actor>,
  sessionHash: string,
  proof: { challengeId: string; code: string } | undefined,
): Promise<Ctx<Actor>> {
  if (!proof || hasFreshProof(ctx)) return ctx;
  try {
    await proveByCode(ctx, { sessionHash, ...proof });
  } catch (error) {
    if (!(error instanceof DomainError) || !error.fields) throw error;
    throw new DomainError(error.code, error.sentence, { fields: { "proof.code": Object.values(error.fields).flat() } });
  }
  return { ...ctx, actor: { ...ctx.actor, provenAt: ctx.now } };
}
