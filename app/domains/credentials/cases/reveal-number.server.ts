import { eq } from "drizzle-orm";
import { doctorBankAccounts, doctors } from "#app/db/schema/index.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { openNumber } from "#app/domains/credentials/identity/numbers.server.ts";
import type { SealedNumber } from "#app/domains/credentials/identity/sealed-numbers.ts";
import { requireProof } from "#app/domains/platform/accounts/proof.ts";
import { recordRead } from "#app/domains/platform/audit/record.server.ts";
import { spendLimits } from "#app/domains/platform/limits/limit.server.ts";
import { formatDate, todayInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { m } from "#app/paraglide/messages.js";
import { visibleCase } from "./ownership.server.ts";

/**
 * Returns a doctor's full number to an administrator or a reviewer of the case, with the reason they gave. Writes the audit row
 * in the same transaction, before it decrypts the number.
 * @throws DomainError("not-found" | "forbidden" | "too-many" | "unavailable"), "conflict" for a number that was erased
 */
export async function revealNumber(ctx: Ctx<Actor>, input: { doctorId: string; number: SealedNumber; reason: string }): Promise<string> {
  const { doctorId, number, reason } = input;
  if (!isUuid(doctorId)) throw new DomainError("not-found");
  if (ctx.actor.role !== "admin" && ctx.actor.role !== "reviewer") throw new DomainError("forbidden");
  requireProof(ctx, "reveal-number");
  await spendLimits(ctx, [{ limit: "reveal", key: ctx.actor.userId }]);
  return transact(ctx, async (tx) => {
    const [row] = await tx.db
      .select({
        aadhaar: doctors.aadhaarSealed,
        pan: doctors.panSealed,
        account: doctorBankAccounts.accountSealed,
        erasedAt: doctors.aadhaarErasedAt,
      })
      .from(doctors)
      .leftJoin(doctorBankAccounts, eq(doctorBankAccounts.doctorId, doctors.id))
      .where(visibleCase(tx, doctorId));
    const sealed = row?.[number];
    if (number === "aadhaar" && !sealed && row?.erasedAt)
      throw new DomainError("conflict", m.cases_number_erased({ date: formatDate(todayInIndia(row.erasedAt)) }));
    if (!sealed) throw new DomainError("not-found");
    await recordRead(tx, {
      action: "reveal-number",
      subjectType: "doctor",
      subjectId: doctorId,
      personId: doctorId,
      details: { number, reason },
    });
    try {
      return openNumber(number, doctorId, sealed);
    } catch (cause) {
      throw new DomainError("unavailable", m.cases_reveal_failed(), { cause });
    }
  });
}
