import { and, asc, desc, eq, ne } from "drizzle-orm";
import { doctorBankAccounts, doctors, profileChanges } from "#app/db/schema/index.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { requireProof } from "#app/domains/platform/accounts/proof.ts";
import { recordRead } from "#app/domains/platform/audit/record.server.ts";
import { spendLimits } from "#app/domains/platform/limits/limit.server.ts";
import { nameOf } from "#app/domains/platform/users/names.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { m } from "#app/paraglide/messages.js";
import { openChangedAccount } from "./changed-account.server.ts";

const PAGE = 20;
const shown = {
  id: profileChanges.id,
  doctorId: profileChanges.doctorId,
  doctor: doctors.fullName,
  isDemo: doctors.isDemo,
  field: profileChanges.field,
  before: profileChanges.before,
  after: profileChanges.after,
  status: profileChanges.status,
  reason: profileChanges.reason,
  createdAt: profileChanges.createdAt,
  decidedAt: profileChanges.decidedAt,
  decidedBy: nameOf("profile_changes.decided_by"),
};

/** Changes that wait for an administrator. */
export const isWaitingChange = eq(profileChanges.status, "pending");

const asAdmin = (ctx: Ctx<Actor>) => {
  if (ctx.actor.role !== "admin") throw new DomainError("forbidden");
};

/** Returns a page of changes: waiting ones oldest first, decided ones newest first. */
export async function listChanges(ctx: Ctx<Actor>, input: { waiting: boolean; page: number }) {
  asAdmin(ctx);
  const where = input.waiting ? isWaitingChange : and(ne(profileChanges.status, "pending"), ne(profileChanges.status, "withdrawn"));
  const [rows, total, waiting] = await Promise.all([
    ctx.db
      .select(shown)
      .from(profileChanges)
      .innerJoin(doctors, eq(doctors.id, profileChanges.doctorId))
      .where(where)
      .orderBy(...(input.waiting ? [asc(profileChanges.createdAt)] : [desc(profileChanges.decidedAt)]), asc(profileChanges.id))
      .limit(PAGE + 1)
      .offset((input.page - 1) * PAGE),
    ctx.db.$count(profileChanges, where),
    countWaitingChanges(ctx),
  ]);
  return { rows: rows.slice(0, PAGE), total, hasMore: rows.length > PAGE, waiting };
}

/** Counts changes that wait for an administrator. */
export async function countWaitingChanges(ctx: Ctx<Actor>): Promise<number> {
  asAdmin(ctx);
  return ctx.db.$count(profileChanges, isWaitingChange);
}

/** Returns a change for an administrator. Writes an audit row. @throws DomainError("not-found") */
export async function getChange(ctx: Ctx<Actor>, id: string | undefined) {
  asAdmin(ctx);
  if (!isUuid(id)) throw new DomainError("not-found");
  const [row] = await ctx.db
    .select({ ...shown, hasAccount: doctorBankAccounts.doctorId })
    .from(profileChanges)
    .innerJoin(doctors, eq(doctors.id, profileChanges.doctorId))
    .leftJoin(doctorBankAccounts, eq(doctorBankAccounts.doctorId, profileChanges.doctorId))
    .where(eq(profileChanges.id, id));
  if (!row) throw new DomainError("not-found");
  await recordRead(ctx, {
    action: "read-profile-change",
    subjectType: "doctor",
    subjectId: row.doctorId,
    personId: row.doctorId,
    details: { field: row.field, change: row.id },
  });
  return { ...row, hasAccount: row.hasAccount !== null };
}

/**
 * Returns the full new account number of a change, with the reason given. Writes the audit row in the same transaction, before it
 * decrypts the number.
 * @throws DomainError("not-found" | "forbidden" | "too-many" | "unavailable")
 */
export async function revealChangedAccount(ctx: Ctx<Actor>, input: { id: string; reason: string }): Promise<string> {
  asAdmin(ctx);
  const { id, reason } = input;
  if (!isUuid(id)) throw new DomainError("not-found");
  requireProof(ctx, "reveal-changed-account");
  await spendLimits(ctx, [{ limit: "reveal", key: ctx.actor.userId }]);
  return transact(ctx, async (tx) => {
    const [row] = await tx.db
      .select({ doctorId: profileChanges.doctorId, sealed: profileChanges.accountSealed })
      .from(profileChanges)
      .where(eq(profileChanges.id, id));
    if (!row?.sealed) throw new DomainError("not-found");
    await recordRead(tx, {
      action: "reveal-number",
      subjectType: "doctor",
      subjectId: row.doctorId,
      personId: row.doctorId,
      details: { number: "account", change: id, reason },
    });
    try {
      return openChangedAccount(id, row.sealed);
    } catch (cause) {
      throw new DomainError("unavailable", m.cases_reveal_failed(), { cause });
    }
  });
}
