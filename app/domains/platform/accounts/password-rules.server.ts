/** Rules of new passwords, and which passwords users have to change (docs/decisions/042). */
import { eq, sql } from "drizzle-orm";
import { type Role, users } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";
import { env } from "#app/runtime/env.server.ts";
import { containsPhone, isEasyToType, PASSWORD_MINIMUM } from "./password-rules.ts";

/** The owner of the password. */
type Owner = { role: Role; email: string | null; phone: string | null };

let loaded: Promise<ReadonlySet<string>> | undefined;
/** 49,000 common passwords in lower case (380 KB). Loaded at first use. */
function commonPasswords(): Promise<ReadonlySet<string>> {
  loaded ??= import("@zxcvbn-ts/language-common").then(({ dictionary }) => new Set(dictionary["passwords-common"]));
  return loaded;
}

/** Returns why this password is refused, as a sentence; null for a good one. */
export async function passwordProblem(owner: Owner, password: string): Promise<string | null> {
  if (owner.role !== "patient" && password.length < PASSWORD_MINIMUM[owner.role])
    return owner.role === "doctor" ? m.accounts_password_short() : m.accounts_password_short_staff();
  const typed = password.trim().toLowerCase();
  if (typed === owner.email || typed === owner.email?.split("@")[0] || containsPhone(typed, owner.phone)) return m.accounts_password_own();
  if ((await commonPasswords()).has(typed) || isEasyToType(typed)) return m.accounts_password_common();
  return null;
}

/** @throws DomainError("invalid") beside `field` */
export async function requireGoodPassword(owner: Owner, password: string, field: string): Promise<void> {
  const problem = await passwordProblem(owner, password);
  if (problem) throw new DomainError("invalid", problem, { fields: { [field]: [problem] } });
}

/**
 * Stores whether the right password that was just typed is weak by current rules, because only its hash is stored. Demo accounts
 * of a demo are exempt.
 */
export async function notePasswordStrength(ctx: Ctx, userId: string, password: string): Promise<void> {
  const [user] = await ctx.db
    .select({ role: users.role, email: users.email, phone: users.phone, isDemo: users.isDemo, weakSince: users.passwordWeakSince })
    .from(users)
    .where(eq(users.id, userId));
  if (!user) return;
  const isExempt = user.isDemo && env().demo;
  const isWeak = (await passwordProblem(user, password)) !== null && !isExempt;
  if (isWeak === (user.weakSince !== null)) return;
  await ctx.db
    .update(users)
    .set({ passwordWeakSince: isWeak ? sql`coalesce(${users.passwordWeakSince}, ${ctx.now.toISOString()}::timestamptz)` : null })
    .where(eq(users.id, userId));
}
