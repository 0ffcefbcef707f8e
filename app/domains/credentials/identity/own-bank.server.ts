import { eq } from "drizzle-orm";
import { doctorBankAccounts, doctors } from "#app/db/schema/index.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { type GuardedAction, requireProof } from "#app/domains/platform/accounts/proof.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";
import { openNumber } from "./numbers.server.ts";

/** The verified bank details of a doctor, by the last digits of the account. */
type OwnBank = { bankName: string; holder: string; last4: string; ifsc: string; hasPan: boolean; updatedAt: Date };

/** Returns the verified bank details of the acting doctor, or null. */
export async function getOwnBank(ctx: Ctx<Actor>): Promise<OwnBank | null> {
  const row = await findBank(ctx);
  if (!row) return null;
  const { bankName, holder, last4, ifsc, updatedAt } = row;
  return { bankName, holder, last4, ifsc, updatedAt, hasPan: row.pan !== null };
}

/**
 * Returns account number and PAN of the acting doctor in full, to be sent to the payment provider for a guarded action. The command writes the audit
 * row.
 * @throws DomainError("unproven" | "unavailable"), "not-found" without verified bank details
 */
export async function openOwnBank(
  ctx: Ctx<Actor>,
  action: GuardedAction,
): Promise<{ holder: string; account: string; ifsc: string; pan: string | null }> {
  requireProof(ctx, action);
  const row = await findBank(ctx);
  if (!row) throw new DomainError("not-found");
  try {
    return {
      holder: row.holder,
      ifsc: row.ifsc,
      account: openNumber("account", ctx.actor.userId, row.account),
      pan: row.pan === null ? null : openNumber("pan", ctx.actor.userId, row.pan),
    };
  } catch (cause) {
    throw new DomainError("unavailable", m.cases_reveal_failed(), { cause });
  }
}

async function findBank(ctx: Ctx<Actor>) {
  const [row] = await ctx.db
    .select({
      bankName: doctorBankAccounts.bankName,
      holder: doctorBankAccounts.accountHolderName,
      last4: doctorBankAccounts.accountLast4,
      ifsc: doctorBankAccounts.ifscCode,
      account: doctorBankAccounts.accountSealed,
      updatedAt: doctorBankAccounts.updatedAt,
      pan: doctors.panSealed,
    })
    .from(doctorBankAccounts)
    .innerJoin(doctors, eq(doctors.id, doctorBankAccounts.doctorId))
    .where(eq(doctors.id, ctx.actor.userId));
  return row ?? null;
}
