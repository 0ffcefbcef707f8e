/**
 * Doctors log in and register with email, password and a code to their phone (spec 000 §4). The password is judged at the
 * first step and the verdict kept in the challenge's sealed payload: nobody learns anything about an account before
 * they have proven the phone, the browser never carries the password again, and a session needs both to be right.
 */
import { and, eq, or } from "drizzle-orm";
import { violatedConstraint } from "#app/db/client.server.ts";
import { doctors, type RegistrationStatus, type Role, type SessionKind, users } from "#app/db/schema/index.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import type { Phone } from "#app/lib/phone.ts";
import { m } from "#app/paraglide/messages.js";
import { recordAudit } from "../audit/record.server.ts";
import { type Ctx, transact } from "../context.server.ts";
import { refundLimits, spendLimits } from "../limits/limit.server.ts";
import { consumeVerified, findChallenge, findNewestChallenge, startChallenge, verifyChallenge } from "./otp.server.ts";
import { notePasswordStrength, requireGoodPassword } from "./password-rules.server.ts";
import { hashPassword, verifyPassword } from "./passwords.server.ts";
import { openSession } from "./sessions.server.ts";

export type DoctorAuthMode = "login" | "register";
/** What the challenge of a doctor holds. */
export type DoctorAuthPayload = {
  mode: DoctorAuthMode;
  email: string;
  passwordRight: boolean;
  newPasswordHash: string | null;
  /** An app sends the password with its last call (spec 000 §7): it is judged there. */
  inApp?: true;
};
const PURPOSES = ["doctor-login", "doctor-register"] as const;

/** Everyone but patients logs in here: doctors, and with the same three proofs reviewers and administrators. */
const STAFF: readonly Role[] = ["doctor", "reviewer", "admin"];

/** Judges the password without telling, and sends a code. @throws DomainError("too-many" | "unavailable") */
export async function startDoctorAuth(
  ctx: Ctx,
  input: { mode: DoctorAuthMode; email: string; password: string; mobile: Phone },
): Promise<{ challengeId: string; expiresAt: Date }> {
  const payload: DoctorAuthPayload = { mode: input.mode, email: input.email, ...(await judgePassword(ctx, input)) };
  return startChallenge(ctx, { purpose: purposeOf(input.mode), phone: input.mobile, payload });
}

const purposeOf = (mode: DoctorAuthMode) => (mode === "register" ? "doctor-register" : "doctor-login");

/** @throws DomainError("too-many") */
async function judgePassword(
  ctx: Ctx,
  input: { mode: DoctorAuthMode; email: string; password: string; mobile: Phone },
): Promise<Pick<DoctorAuthPayload, "passwordRight" | "newPasswordHash">> {
  if (input.mode === "register") {
    await requireGoodPassword({ role: "doctor", email: input.email, phone: input.mobile }, input.password, "password");
    return { passwordRight: false, newPasswordHash: await hashPassword(input.password) };
  }
  // Counted first and given back when right, so that parallel guesses are counted too.
  const spent = await spendLimits(ctx, [{ limit: "password-wrong", key: `${input.email}|${ctx.ip}` }]);
  const user = await findStaff(ctx, input.email, input.mobile);
  const passwordRight = await verifyPassword(user?.passwordHash ?? null, input.password);
  if (passwordRight) await refundLimits(ctx, spent);
  if (user && passwordRight) await notePasswordStrength(ctx, user.id, input.password);
  return { passwordRight, newPasswordHash: null };
}

/** Sends a new code with what was given before; null when there is nothing to go on from. @throws DomainError("too-many" | "unavailable") */
export async function restartDoctorAuth(ctx: Ctx, challengeId: string): Promise<{ challengeId: string; expiresAt: Date } | null> {
  const before = await findChallenge(ctx, challengeId, PURPOSES);
  if (!before) return null;
  const payload = before.payload as DoctorAuthPayload;
  return startChallenge(ctx, { purpose: before.purpose, phone: before.phone, payload });
}

async function findStaff(ctx: Ctx, email: string, phone: Phone) {
  const [user] = await ctx.db
    .select({
      id: users.id,
      role: users.role,
      status: users.status,
      passwordHash: users.passwordHash,
      passwordWeakSince: users.passwordWeakSince,
    })
    .from(users)
    .where(and(eq(users.email, email), eq(users.phone, phone)));
  return user && STAFF.includes(user.role) ? user : null;
}

/** The code is right; the doctor still presses Continue. @throws DomainError("invalid" | "too-many") */
export async function verifyDoctorCode(ctx: Ctx, input: { idHash: string; code: string }): Promise<void> {
  await verifyChallenge(ctx, {
    purposes: PURPOSES,
    idHash: input.idHash,
    code: input.code,
    consume: false,
    expired: () => m.accounts_otp_expired_doctor(),
  });
}

/** An app's first call: sends a code, and tells nothing of any account. @throws DomainError("too-many" | "unavailable") */
export async function startDoctorAuthInApp(ctx: Ctx, input: { mode: DoctorAuthMode; email: string; mobile: Phone }): Promise<void> {
  const payload: DoctorAuthPayload = { mode: input.mode, email: input.email, passwordRight: false, newPasswordHash: null, inApp: true };
  await startChallenge(ctx, { purpose: purposeOf(input.mode), phone: input.mobile, payload });
}

/**
 * The challenge an app goes on with names only phone and email. Nobody else may go on with it in between: it is found from
 * the address alone that asked for the code.
 */
const findInApp = (ctx: Ctx, input: { email: string; mobile: Phone }) =>
  findNewestChallenge(ctx, input.mobile, PURPOSES, ({ ip, payload }) => {
    const { email, inApp } = payload as DoctorAuthPayload;
    return inApp === true && email === input.email && ip === ctx.ip;
  });

/**
 * An app's second call. Who has proven the phone is told whether the account exists.
 * @throws DomainError("invalid" | "too-many")
 */
export async function verifyDoctorCodeInApp(
  ctx: Ctx,
  input: { email: string; mobile: Phone; code: string },
): Promise<{ isExisting: boolean; registrationStatus: RegistrationStatus | null }> {
  const challenge = await findInApp(ctx, input);
  const expired = m.accounts_otp_expired_doctor();
  if (!challenge) throw new DomainError("invalid", expired, { fields: { otp: [expired] } });
  await verifyDoctorCode(ctx, { idHash: challenge.idHash, code: input.code });
  const user = await findStaff(ctx, input.email, input.mobile);
  return { isExisting: user !== null, registrationStatus: user?.role === "doctor" ? await statusOf(ctx, user.id) : null };
}

/** An app's third call. @throws DomainError("invalid" | "conflict" | "forbidden" | "too-many") with the specification's sentences. */
export async function finishDoctorAuthInApp(
  ctx: Ctx,
  input: { email: string; mobile: Phone; password: string; userAgent: string },
): Promise<DoctorAuthResult> {
  const challenge = await findInApp(ctx, input);
  if (challenge?.state !== "verified") throw new DomainError("invalid", m.accounts_otp_first());
  const { password, userAgent } = input;
  return finishDoctorAuth(ctx, { idHash: challenge.idHash, userAgent, password, kind: "api" });
}

async function statusOf(ctx: Ctx, doctorId: string): Promise<RegistrationStatus | null> {
  const [doctor] = await ctx.db.select({ status: doctors.registrationStatus }).from(doctors).where(eq(doctors.id, doctorId));
  return doctor?.status ?? null;
}

export type DoctorAuthResult = {
  token: string;
  userId: string;
  role: Role;
  registrationStatus: RegistrationStatus | null;
  isNewlyRegistered: boolean;
  /** The user is asked to choose a stronger password. */
  isPasswordWeak: boolean;
};

/**
 * Ends the login or registration: a session exists only after password and code are both right.
 * @throws DomainError("invalid" | "conflict" | "forbidden") with the specification's sentences.
 */
export async function finishDoctorAuth(
  ctx: Ctx,
  input: { idHash: string; userAgent: string; password?: string; kind?: SessionKind },
): Promise<DoctorAuthResult> {
  // The challenge ends in its own transaction: a refused press must not leave it open for another try.
  const challenge = await ctx.db.transaction((db) => consumeVerified({ ...ctx, db }, input.idHash));
  if (!challenge) throw new DomainError("invalid", m.accounts_otp_first());
  const payload = challenge.payload as DoctorAuthPayload;
  const { mode, email } = payload;
  const { passwordRight, newPasswordHash } = payload.inApp
    ? await judgePassword(ctx, { mode, email, mobile: challenge.phone, password: input.password ?? "" })
    : payload;
  try {
    return await transact(ctx, async (tx) => (mode === "register" ? register(tx) : login(tx)));
  } catch (error) {
    if (violatedConstraint(error)?.startsWith("users_")) throw new DomainError("conflict", m.accounts_mobile_taken());
    throw error;
  }

  async function login(tx: Ctx): Promise<DoctorAuthResult> {
    const user = await findStaff(tx, email, challenge!.phone);
    if (!user) throw new DomainError("invalid", m.accounts_no_account());
    if (!passwordRight) throw new DomainError("invalid", m.accounts_login_failed());
    if (user.status !== "active") throw new DomainError("forbidden", m.accounts_disabled());
    const registrationStatus = user.role === "doctor" ? await statusOf(tx, user.id) : null;
    const token = await openSession(tx, { userId: user.id, role: user.role }, input.userAgent, input.kind);
    return {
      token,
      userId: user.id,
      role: user.role,
      registrationStatus,
      isNewlyRegistered: false,
      isPasswordWeak: user.passwordWeakSince !== null,
    };
  }

  async function register(tx: Ctx): Promise<DoctorAuthResult> {
    const taken = await tx.db
      .select({ email: users.email, phone: users.phone, role: users.role })
      .from(users)
      .where(or(eq(users.email, email), and(eq(users.role, "doctor"), eq(users.phone, challenge!.phone))));
    if (taken.some((t) => t.email === email && t.phone === challenge!.phone)) throw new DomainError("conflict", m.accounts_exists());
    if (taken.length) throw new DomainError("conflict", m.accounts_mobile_taken());
    const [user] = await tx.db
      .insert(users)
      .values({ role: "doctor", phone: challenge!.phone, email, passwordHash: newPasswordHash, createdAt: ctx.now, updatedAt: ctx.now })
      .returning({ id: users.id });
    await tx.db.insert(doctors).values({ id: user!.id, createdAt: ctx.now, updatedAt: ctx.now });
    const who = { userId: user!.id, role: "doctor" as const };
    await recordAudit(
      { ...tx, actor: who },
      { action: "register-doctor", subjectType: "doctor", subjectId: who.userId, personId: who.userId },
    );
    const token = await openSession(tx, who, input.userAgent, input.kind);
    return { token, ...who, registrationStatus: "draft", isNewlyRegistered: true, isPasswordWeak: false };
  }
}
