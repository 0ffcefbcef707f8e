/**
 * Step-up: sensitive actions need a confirmation of the identity in the last five minutes: a login, a code by SMS or a passkey.
 * This list is used by `requireProof` in each command, `requireFreshProof` on pages, and the tests that try each action without a
 * proof.
 */

import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { minutes } from "#app/lib/durations.ts";

export const PROOF_LIFE = minutes(5);
/** For work that began with a proof and takes a while: the rows of an import are decided page by page. Downloads need a new proof. */
export const LONG_PROOF_LIFE = minutes(30);

export const GUARDED_ACTIONS = [
  "reveal-number",
  "reveal-changed-account",
  "suspend-doctor",
  "reinstate-doctor",
  "disable-user",
  "enable-user",
  "invite-reviewer",
  "invite-member",
  "manage-webhook",
  "import-data",
  "export-data",
  "export-log",
  "change-bank-account",
  "approve-bank-account",
  "change-payout-account",
  "add-passkey",
  "remove-passkey",
] as const;
export type GuardedAction = (typeof GUARDED_ACTIONS)[number];

/** Returns true when the session's user confirmed their identity in the last five minutes, or in the given time. */
export function hasFreshProof({ actor, now }: { actor: Actor; now: Date }, life = PROOF_LIFE): boolean {
  return actor.provenAt != null && now.getTime() - actor.provenAt.getTime() < life;
}

/** Throws without a fresh proof. @throws DomainError("unproven") */
export function requireProof(ctx: Pick<Ctx<Actor>, "actor" | "now">, action: GuardedAction, life = PROOF_LIFE): void {
  if (!hasFreshProof(ctx, life)) throw new DomainError("unproven", undefined, { detail: { action } });
}
