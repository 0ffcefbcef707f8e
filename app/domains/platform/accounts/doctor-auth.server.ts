/**
 * Login and registration of doctors with email, password and a code to their phone (spec 000 §4). The password is verified in the
 * first step and the result stored in the challenge's encrypted payload: responses and limits reveal nothing about an account
 * before the phone is verified (docs/decisions/003), and a session needs both.
 */
import { and, eq, or } from "drizzle-orm";
import { violatedConstraint } from "#app/db/client.server.ts";
import { doctors, PASSWORD_ROLES, type Role, type SessionKind, users } from "#app/db/schema/index.ts";
import { type Ctx, transact } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { hashToken } from "#app/lib/ids.server.ts";
import type { Phone } from "#app/lib/phone.ts";
import type { RegistrationStatus } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { inBackground } from "#app/queue/background.server.ts";
import { recordFailedLogin } from "../audit/record-refusal.server.ts";
import { type LimitEvent, refundLimits, spendLimits } from "../limits/limit.server.ts";
import { recordConsent } from "./consent.server.ts";
import { knownDevice, rememberDevice } from "./known-device.server.ts";
import { findChallenge, startChallenge, verifyChallenge } from "./otp.server.ts";
import { notePasswordStrength, passwordProblem, requireGoodPassword } from "./password-rules.server.ts";
import { hashPassword, verifyPassword } from "./passwords.server.ts";
import type { NOTICE } from "./privacy-notice.ts";
import { openSession } from "./sessions.server.ts";
import {
  changePayload,
  consumeVerified,
  MAX_PASSWORDS,
  readVerified,
  refundPasswordTry,
  spendPasswordTry,
  type VerifiedChallenge,
} from "./verified-challenges.server.ts";

export type DoctorAuthMode = "login" | "register";
/** Payload of a doctor's challenge. */
export type DoctorAuthPayload = {
  mode: DoctorAuthMode;
  email: string;
  /** The typed password is the one of the account with this email and phone. */
  passwordRight: boolean;
  /** Identifies the stored password that was compared: a change since then voids the result. */
  checked: string | null;
  /** Hash of the typed password of a doctor without an account. */
  newPasswordHash: string | null;
  /** Counted attempts, refunded after a successful login. */
  tries: string[];
  /** An app sends the password with its last call (spec 000 §7), which verifies it. */
  inApp?: true;
};
/**
 * Next step of a refused login. `moved`: the same verified challenge continues in this mode. `over`: it has ended. `ask`: the
 * password has to be typed.
 */
export type DoctorAuthRefusal = { moved?: DoctorAuthMode; over?: true; ask?: true };
export const PURPOSES = ["doctor-login", "doctor-register"] as const;

/** Roles that log in here: doctors, and with the same three factors reviewers and administrators. */
const STAFF: readonly Role[] = PASSWORD_ROLES;
export type Started = { challengeId: string; expiresAt: Date };
type Typed = { email: string; password: string; mobile: Phone };

/**
 * Verifies the password without revealing the result, and sends a code.
 * @param input.replaces the browser's own challenge, which ends
 * @throws DomainError("invalid" | "too-many" | "unavailable")
 */
export async function startDoctorAuth(
  ctx: Ctx,
  input: Typed & { mode: DoctorAuthMode; replaces?: string | null; ticket?: string | null },
): Promise<Started> {
  const { mode, email, mobile } = input;
  const purpose = purposeOf(mode);
  const known = knownDevice(ctx, purpose, mobile);
  // Before the account is read, so that the response does not depend on it.
  if (mode === "register") await requireGoodPassword({ role: "doctor", email, phone: mobile }, input.password, "password");
  // Refunded only by a successful login: without the code a caller cannot distinguish a right password from a wrong one.
  const tried = await spendLimits(ctx, [passwordLimit(ctx, email, known)]);
  try {
    return await startChallenge(ctx, {
      purpose,
      phone: mobile,
      replaces: input.replaces ?? null,
      ticket: input.ticket ?? null,
      slowed: [{ limit: "password-tries", key: email }],
      prepare: async (): Promise<DoctorAuthPayload> => ({ mode, email, ...(await checkPassword(ctx, input)), tries: tried.ids }),
    });
  } catch (error) {
    // No code was sent, so the result of the check is not stored.
    await refundLimits(ctx, tried);
    throw error;
  }
}

const whoTyped = ({ email, mobile }: Omit<Typed, "password">) => ({ email, phone: mobile });
export const purposeOf = (mode: DoctorAuthMode) => (mode === "register" ? "doctor-register" : "doctor-login");
const passwordLimit = (ctx: Ctx, email: string, device: string | null): LimitEvent => ({
  limit: "password-wrong",
  ...(device === null ? { key: email, address: ctx.ip } : { key: `${email}|${device}` }),
});

/** Does the same work with and without an account: one Argon2 run. */
async function checkPassword(
  ctx: Ctx,
  input: Typed & { mode: DoctorAuthMode },
): Promise<Pick<DoctorAuthPayload, "passwordRight" | "checked" | "newPasswordHash">> {
  const user = await findStaff(ctx, input.email, input.mobile);
  if (!user) {
    const hash = await hashPassword(input.password);
    // The register tab asks again for a password that a new account may not have.
    if (input.mode === "login") recordFailedLogin(ctx, { result: "no-account", purpose: "doctor-login", ...whoTyped(input) });
    const problem = await passwordProblem({ role: "doctor", email: input.email, phone: input.mobile }, input.password);
    return { passwordRight: false, checked: null, newPasswordHash: problem === null ? hash : null };
  }
  const passwordRight = await verifyPassword(user.passwordHash, input.password);
  if (!passwordRight && input.mode === "login")
    recordFailedLogin(ctx, { result: "wrong-password", purpose: "doctor-login", userId: user.id });
  // After the response, as the failed login: its time must not depend on the password.
  if (passwordRight) inBackground("password strength", () => notePasswordStrength(ctx, user.id, input.password));
  return { passwordRight, checked: user.passwordHash && hashToken(user.passwordHash), newPasswordHash: null };
}

/**
 * Sends a new code with the input of the first step; null when that is not stored any more. @throws DomainError("too-many" |
 * "unavailable")
 */
export async function restartDoctorAuth(ctx: Ctx, challengeId: string, ticket: string | null): Promise<Started | null> {
  const before = await findChallenge(ctx, challengeId, PURPOSES);
  if (!before) return null;
  return startChallenge(ctx, { purpose: before.purpose, phone: before.phone, payload: before.payload, replaces: challengeId, ticket });
}

export async function findStaff(ctx: Ctx, email: string, phone: Phone) {
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

/** Verifies the code. The doctor then presses Continue. @throws DomainError("invalid" | "too-many") */
export async function verifyDoctorCode(ctx: Ctx, input: { idHash: string; code: string }): Promise<{ verifiedAt: Date }> {
  const { verifiedAt } = await verifyChallenge(ctx, {
    purposes: PURPOSES,
    idHash: input.idHash,
    code: input.code,
    consume: false,
    expired: () => m.accounts_otp_expired_doctor(),
  });
  return { verifiedAt: verifiedAt ?? ctx.now };
}

export async function statusOf(ctx: Ctx, doctorId: string): Promise<RegistrationStatus | null> {
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
  /** The cookie value by which the browser or app is a known device at its next login. */
  device: string;
};

/**
 * Completes the login or registration: opens a session when password and code are both right. Three wrong passwords end the code.
 * A doctor on the wrong tab continues with the same verified challenge on the right one.
 * @throws DomainError("invalid" | "conflict" | "forbidden" | "too-many") with the specification's sentences; `detail` is a
 * DoctorAuthRefusal.
 */
export async function finishDoctorAuth(
  ctx: Ctx,
  input: { idHash: string; userAgent: string; password?: string | undefined; kind?: SessionKind; notice?: typeof NOTICE | undefined },
): Promise<DoctorAuthResult> {
  const { idHash, userAgent, kind, notice } = input;
  const challenge = await readVerified(ctx, idHash);
  if (!challenge) throw new DomainError("invalid", m.accounts_otp_first());
  const payload = challenge.payload as DoctorAuthPayload;
  const user = await findStaff(ctx, payload.email, challenge.phone);
  try {
    return await (payload.mode === "register" ? register() : login());
  } catch (error) {
    if (violatedConstraint(error)?.startsWith("users_")) throw new DomainError("conflict", m.accounts_mobile_taken(), { detail: OVER });
    throw error;
  }

  /** Ends the challenge: only one of several concurrent requests succeeds. */
  async function consume(db: Ctx["db"]): Promise<void> {
    if (!(await consumeVerified({ ...ctx, db }, idHash))) throw new DomainError("invalid", m.accounts_otp_first());
  }

  /** Continues the verified challenge in the other mode. An app has to start again, because its next call would differ. */
  async function move(mode: DoctorAuthMode, refusal: DomainError): Promise<never> {
    if (payload.inApp) await ctx.db.transaction(consume);
    else await changePayload(ctx, idHash, { ...payload, mode } satisfies DoctorAuthPayload);
    throw new DomainError(refusal.code, refusal.sentence, { detail: (payload.inApp ? OVER : { moved: mode }) satisfies DoctorAuthRefusal });
  }

  async function login(): Promise<DoctorAuthResult> {
    if (!user && payload.inApp)
      recordFailedLogin(ctx, {
        result: "no-account",
        purpose: "doctor-login",
        ...whoTyped({ email: payload.email, mobile: challenge!.phone }),
      });
    if (!user) return move("register", new DomainError("invalid", m.accounts_no_account()));
    await provePassword(ctx, { idHash, challenge: challenge!, user, password: input.password });
    const isPasswordWeak = ((await findStaff(ctx, payload.email, challenge!.phone)) ?? user).passwordWeakSince !== null;
    const done = await transact(ctx, async (tx) => {
      await consume(tx.db);
      if (user.status !== "active") return null;
      const registrationStatus = user.role === "doctor" ? await statusOf(tx, user.id) : null;
      const token = await openSession(tx, { userId: user.id, role: user.role }, userAgent, kind);
      await recordConsent(tx, user.id, notice);
      return { token, userId: user.id, role: user.role, registrationStatus, isNewlyRegistered: false, isPasswordWeak };
    });
    if (!done) {
      recordFailedLogin(ctx, { result: "disabled-account", purpose: "doctor-login", userId: user.id });
      throw new DomainError("forbidden", m.accounts_disabled(), { detail: OVER });
    }
    await refundLimits(ctx, { ids: payload.tries });
    return { ...done, device: rememberDevice(ctx, challenge!.purpose, challenge!.phone) };
  }

  async function register(): Promise<DoctorAuthResult> {
    if (user) return move("login", new DomainError("conflict", m.accounts_exists()));
    const { phone } = challenge!;
    const { email } = payload;
    if (input.password !== undefined) {
      try {
        await requireGoodPassword({ role: "doctor", email, phone }, input.password, "password");
      } catch (error) {
        if (error instanceof DomainError) throw new DomainError(error.code, error.sentence, { fields: error.fields ?? {}, detail: ASK });
        throw error;
      }
    }
    const passwordHash = input.password === undefined ? payload.newPasswordHash : await hashPassword(input.password);
    if (passwordHash === null) throw passwordNeeded();
    const done = await transact(ctx, async (tx) => {
      await consume(tx.db);
      const taken = await tx.db
        .select({ email: users.email })
        .from(users)
        .where(or(eq(users.email, email), and(eq(users.role, "doctor"), eq(users.phone, phone))));
      if (taken.length) return { taken: taken.some((t) => t.email === email) ? m.accounts_email_taken() : m.accounts_mobile_taken() };
      const [made] = await tx.db
        .insert(users)
        .values({ role: "doctor", phone, email, passwordHash, createdAt: ctx.now, updatedAt: ctx.now })
        .returning({ id: users.id });
      await tx.db.insert(doctors).values({ id: made!.id, createdAt: ctx.now, updatedAt: ctx.now });
      const who = { userId: made!.id, role: "doctor" as const };
      await recordChange({ ...tx, actor: who }, "doctor.register", { people: { doctor: who.userId }, data: { to: "draft" } });
      const token = await openSession(tx, who, userAgent, kind);
      await recordConsent(tx, who.userId, notice);
      return { token, ...who, registrationStatus: "draft" as const, isNewlyRegistered: true, isPasswordWeak: false };
    });
    if ("taken" in done) throw new DomainError("conflict", done.taken, { detail: OVER });
    await refundLimits(ctx, { ids: payload.tries });
    return { ...done, device: rememberDevice(ctx, challenge!.purpose, phone) };
  }
}

const OVER: DoctorAuthRefusal = { over: true };
const ASK: DoctorAuthRefusal = { ask: true };
const passwordNeeded = () => new DomainError("invalid", undefined, { fields: { password: [m.accounts_password_required()] }, detail: ASK });

/**
 * Returns if the password is right: the one of the first step, or the one typed now. Three wrong ones end the challenge.
 * @throws DomainError("invalid" | "too-many")
 */
async function provePassword(
  ctx: Ctx,
  input: {
    idHash: string;
    challenge: VerifiedChallenge;
    user: { id: string; passwordHash: string | null };
    password: string | undefined;
  },
): Promise<void> {
  const { idHash, challenge, user, password } = input;
  const stored = user.passwordHash;
  const { email, passwordRight, checked, inApp } = challenge.payload as DoctorAuthPayload;
  if (password === undefined) {
    const fresh = stored !== null && checked === hashToken(stored);
    if (passwordRight && fresh) return;
    // The first press uses the result of the first step. Later ones need a typed password.
    if (challenge.passwordTries > 0 || !fresh) throw passwordNeeded();
  }
  const device = knownDevice(ctx, challenge.purpose, challenge.phone);
  const spent =
    password === undefined
      ? { ids: [] }
      : await spendLimits(ctx, [passwordLimit(ctx, email, device), { limit: "password-wrong-proven", key: email }]);
  const tries = await spendPasswordTry(ctx, idHash);
  if (tries === null) throw new DomainError("invalid", m.accounts_otp_first(), { detail: OVER });
  if (password !== undefined && (await verifyPassword(stored, password))) {
    await refundLimits(ctx, spent);
    await refundPasswordTry(ctx, idHash);
    await notePasswordStrength(ctx, user.id, password);
    return;
  }
  // The wrong password of the first step is already in the log.
  if (password !== undefined) recordFailedLogin(ctx, { result: "wrong-password", purpose: "doctor-login", userId: user.id });
  if (tries < MAX_PASSWORDS)
    throw new DomainError("invalid", inApp ? m.accounts_login_failed() : undefined, {
      fields: { password: [m.accounts_password_wrong()] },
      detail: ASK,
    });
  await ctx.db.transaction((db) => consumeVerified({ ...ctx, db }, idHash));
  throw new DomainError("invalid", m.accounts_login_failed(), { detail: OVER });
}
