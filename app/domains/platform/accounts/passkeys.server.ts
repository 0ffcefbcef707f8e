/**
 * Passkeys (WebAuthn) of doctors, reviewers and administrators (docs/decisions/042). A passkey verifies its user (fingerprint,
 * face, PIN), so it counts as both factors. Login with password and code stays possible.
 */
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import { and, asc, count, eq } from "drizzle-orm";
import { violatedConstraint } from "#app/db/client.server.ts";
import { doctors, PASSWORD_ROLES, type PasskeyPurpose, passkeys, type Role, users } from "#app/db/schema/index.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import type { Phone } from "#app/lib/phone.ts";
import type { RegistrationStatus } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { env } from "#app/runtime/env.server.ts";
import { recordFailedLogin } from "../audit/record-refusal.server.ts";
import { refundLimits, spendLimits } from "../limits/limit.server.ts";
import { markProven } from "./confirm-identity.server.ts";
import { recordConsent } from "./consent.server.ts";
import { rememberDevice } from "./known-device.server.ts";
import type { Assertion, NewCredential } from "./passkey.schema.ts";
import { storePasskeyChallenge, takePasskeyChallenge } from "./passkey-challenges.server.ts";
import type { OwnPasskey } from "./passkey-support.ts";
import type { NOTICE } from "./privacy-notice.ts";
import { requireProof } from "./proof.ts";
import { openSession } from "./sessions.server.ts";

const MAX_PASSKEYS = 10;
const STAFF: readonly Role[] = PASSWORD_ROLES;
/** EdDSA, ES256 and RS256: every current authenticator has one of them. */
const ALGORITHMS = [-8, -7, -257];

type Row = typeof passkeys.$inferSelect;

const relyingParty = () => ({ id: env().appUrl.hostname, origin: env().appUrl.origin });
const bytesOf = (base64url: string) => new Uint8Array(Buffer.from(base64url, "base64url"));
/** WebAuthn's user handle: the account's id, which contains no personal data. */
const handleOf = (userId: string) => new Uint8Array(Buffer.from(userId));

function requireStaff(ctx: Ctx<Actor>): void {
  if (!STAFF.includes(ctx.actor.role)) throw new DomainError("forbidden");
}

/** Returns the passkeys of the acting user, oldest first. */
export async function listPasskeys(ctx: Ctx<Actor>): Promise<OwnPasskey[]> {
  requireStaff(ctx);
  return ctx.db
    .select({ id: passkeys.id, name: passkeys.name, createdAt: passkeys.createdAt, lastUsedAt: passkeys.lastUsedAt })
    .from(passkeys)
    .where(eq(passkeys.userId, ctx.actor.userId))
    .orderBy(asc(passkeys.createdAt), asc(passkeys.id));
}

const ownPasskey = (ctx: Ctx<Actor>, id: string) => and(eq(passkeys.id, id), eq(passkeys.userId, ctx.actor.userId));

/** Returns a passkey of the acting user. @throws DomainError("not-found") */
export async function getPasskey(ctx: Ctx<Actor>, id: string): Promise<OwnPasskey> {
  const found = isUuid(id) ? (await listPasskeys(ctx)).find((one) => one.id === id) : undefined;
  if (!found) throw new DomainError("not-found");
  return found;
}

type Started = { token: string; options: object };

/** Returns the options for `navigator.credentials.create`. @throws DomainError("unproven" | "conflict" | "too-many") */
export async function startPasskeyAdd(ctx: Ctx<Actor>, sessionHash: string): Promise<Started> {
  requireStaff(ctx);
  requireProof(ctx, "add-passkey");
  const { userId } = ctx.actor;
  const known = await ctx.db.select().from(passkeys).where(eq(passkeys.userId, userId));
  if (known.length >= MAX_PASSKEYS) throw full();
  const [user] = await ctx.db.select({ email: users.email, name: users.staffName }).from(users).where(eq(users.id, userId));
  const options = await generateRegistrationOptions({
    rpName: m.common_app_name(),
    rpID: relyingParty().id,
    userID: handleOf(userId),
    userName: user?.email ?? userId,
    userDisplayName: user?.name ?? "",
    excludeCredentials: known.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    supportedAlgorithmIDs: ALGORITHMS,
  });
  const token = await storePasskeyChallenge(ctx, { purpose: "add", challenge: options.challenge, sessionHash });
  return { token, options };
}

const full = () => new DomainError("conflict", m.passkeys_full({ max: String(MAX_PASSKEYS) }));
const failed = (cause: unknown) => new DomainError("invalid", m.passkeys_failed(), { cause });

/** Adds a passkey to the acting account and notifies its user. @throws DomainError("unproven" | "invalid" | "conflict" | "too-many") */
export async function addPasskey(
  ctx: Ctx<Actor>,
  input: { token: string | null; sessionHash: string; name: string; credential: NewCredential },
): Promise<void> {
  requireStaff(ctx);
  requireProof(ctx, "add-passkey");
  const { userId } = ctx.actor;
  const expectedChallenge = await takePasskeyChallenge(ctx, { token: input.token, purpose: "add", sessionHash: input.sessionHash });
  const { id, origin } = relyingParty();
  const verified = await verifyRegistrationResponse({
    response: input.credential as Parameters<typeof verifyRegistrationResponse>[0]["response"],
    expectedChallenge,
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch((cause) => {
    throw failed(cause);
  });
  if (!verified.verified) throw failed(undefined);
  const { credential } = verified.registrationInfo;
  await spendLimits(ctx, [{ limit: "passkey-add", key: userId }]);
  try {
    await transact(ctx, async (tx) => {
      // Serializes concurrent requests, so that both are counted.
      await tx.db.select({ id: users.id }).from(users).where(eq(users.id, userId)).for("update");
      const [have] = await tx.db.select({ n: count() }).from(passkeys).where(eq(passkeys.userId, userId));
      if ((have?.n ?? 0) >= MAX_PASSKEYS) throw full();
      await tx.db.insert(passkeys).values({
        userId,
        credentialId: credential.id,
        publicKey: Buffer.from(credential.publicKey).toString("base64url"),
        counter: credential.counter,
        transports: input.credential.response.transports,
        name: input.name,
        createdAt: tx.now,
      });
      await recordChange(tx, "add-passkey", changeOf(userId, input.name));
    });
  } catch (error) {
    if (violatedConstraint(error) === "passkeys_credential") throw new DomainError("conflict", m.passkeys_taken());
    throw error;
  }
}

const changeOf = (userId: string, name: string) => ({
  people: { user: userId },
  details: { name },
  notify: { user: { params: { name }, target: { page: "passkeys" } as const } },
});

/** Renames a passkey. @throws DomainError("not-found") */
export async function renamePasskey(ctx: Ctx<Actor>, input: { id: string; name: string }): Promise<void> {
  if (!isUuid(input.id)) throw new DomainError("not-found");
  await transact(ctx, async (tx) => {
    const [renamed] = await tx.db.update(passkeys).set({ name: input.name }).where(ownPasskey(tx, input.id)).returning({ id: passkeys.id });
    if (!renamed) throw new DomainError("not-found");
    await recordChange(tx, "rename-passkey", { people: { user: tx.actor.userId }, details: { name: input.name } });
  });
}

/**
 * Removes a passkey of the acting user and notifies them. Refuses the last passkey of an account without a password.
 * @throws DomainError("unproven" | "not-found" | "conflict")
 */
export async function removePasskey(ctx: Ctx<Actor>, id: string): Promise<void> {
  requireProof(ctx, "remove-passkey");
  if (!isUuid(id)) throw new DomainError("not-found");
  const { userId } = ctx.actor;
  await transact(ctx, async (tx) => {
    const [user] = await tx.db
      .select({ passwordHash: users.passwordHash, phone: users.phone })
      .from(users)
      .where(eq(users.id, userId))
      .for("update");
    const [gone] = await tx.db.delete(passkeys).where(ownPasskey(tx, id)).returning({ name: passkeys.name });
    if (!gone) throw new DomainError("not-found");
    const [left] = await tx.db.select({ n: count() }).from(passkeys).where(eq(passkeys.userId, userId));
    if (!left?.n && !(user?.passwordHash && user.phone)) throw new DomainError("conflict", m.passkeys_last());
    await recordChange(tx, "remove-passkey", changeOf(userId, gone.name));
  });
}

/**
 * Returns the options for `navigator.credentials.get` at the login, the same for every visitor. @throws DomainError("too-many")
 */
export const startPasskeyLogin = (ctx: Ctx): Promise<Started> => startAssertion(ctx, "login", null, []);

/** Returns the options to confirm the acting user's identity with a passkey. @throws DomainError("too-many") */
export async function startPasskeyProof(ctx: Ctx<Actor>, sessionHash: string): Promise<Started> {
  requireStaff(ctx);
  const known = await ctx.db.select().from(passkeys).where(eq(passkeys.userId, ctx.actor.userId));
  return startAssertion(ctx, "confirm", sessionHash, known);
}

async function startAssertion(ctx: Ctx, purpose: PasskeyPurpose, sessionHash: string | null, known: Row[]): Promise<Started> {
  const options = await generateAuthenticationOptions({
    rpID: relyingParty().id,
    userVerification: "required",
    allowCredentials: known.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
  });
  const token = await storePasskeyChallenge(ctx, { purpose, challenge: options.challenge, sessionHash });
  return { token, options };
}

export type PasskeyLogin = {
  token: string;
  userId: string;
  role: Role;
  registrationStatus: RegistrationStatus | null;
  /** The new value of the cookie of known devices; null for an account without a phone. */
  device: string | null;
};

/**
 * Logs a doctor, reviewer or administrator in. Reveals nothing about an account before its passkey is verified.
 * @param input.email when typed, the passkey must belong to this account
 * @throws DomainError("invalid" | "forbidden" | "too-many")
 */
export async function logInWithPasskey(
  ctx: Ctx,
  input: { token: string | null; credential: Assertion; email?: string | undefined; notice?: typeof NOTICE | undefined; userAgent: string },
): Promise<PasskeyLogin> {
  // Counted first and refunded when right, so that parallel attempts are counted too.
  const spent = await spendLimits(ctx, [{ limit: "passkey-wrong", address: ctx.ip }]);
  const passkey = await provePasskey(ctx, { ...input, purpose: "login", sessionHash: null });
  const { userId } = passkey;
  const result = await transact(ctx, async (tx) => {
    const [user] = await tx.db
      .select({
        id: users.id,
        role: users.role,
        status: users.status,
        email: users.email,
        phone: users.phone,
        registrationStatus: doctors.registrationStatus,
      })
      .from(users)
      .leftJoin(doctors, eq(doctors.id, users.id))
      .where(eq(users.id, passkey.userId))
      .for("share", { of: users });
    if (!user || !STAFF.includes(user.role)) throw new DomainError("invalid", m.passkeys_unknown());
    if (input.email && input.email !== user.email) throw new DomainError("invalid", m.passkeys_other_account());
    if (user.status !== "active") throw new DomainError("forbidden", m.accounts_disabled());
    if (user.registrationStatus === "suspended") throw new DomainError("forbidden", m.accounts_verify_suspended());
    const who = { userId: user.id, role: user.role };
    const token = await openSession(tx, who, input.userAgent, "browser", "passkey");
    await recordConsent(tx, user.id, input.notice);
    const device = user.phone ? rememberDevice(tx, "doctor-login", user.phone as Phone) : null;
    return { token, ...who, device, registrationStatus: user.role === "doctor" ? user.registrationStatus : null };
  }).catch((error: unknown) => {
    const disabled = error instanceof DomainError && error.code === "forbidden";
    if (error instanceof DomainError) recordFailedLogin(ctx, { ...(disabled ? DISABLED : FAILED), userId });
    throw error;
  });
  await refundLimits(ctx, spent);
  return result;
}

/** Confirms the identity of a session's user with a passkey. @throws DomainError("invalid" | "too-many") */
export async function proveByPasskey(
  ctx: Ctx<Actor>,
  input: { token: string | null; sessionHash: string; credential: Assertion },
): Promise<void> {
  requireStaff(ctx);
  const spent = await spendLimits(ctx, [{ limit: "passkey-wrong", address: ctx.ip }]);
  const passkey = await provePasskey(ctx, { ...input, purpose: "confirm" });
  if (passkey.userId !== ctx.actor.userId) recordFailedLogin(ctx, { ...FAILED, purpose: "confirm-identity", userId: passkey.userId });
  if (passkey.userId !== ctx.actor.userId) throw new DomainError("invalid", m.passkeys_unknown());
  await transact(ctx, (tx) => markProven(tx, input.sessionHash, "passkey"));
  await refundLimits(ctx, spent);
}

const FAILED = { result: "failed-passkey", purpose: "doctor-login" } as const;
const DISABLED = { result: "disabled-account", purpose: "doctor-login" } as const;
type Proof = { token: string | null; purpose: PasskeyPurpose; sessionHash: string | null; credential: Assertion };

/**
 * Verifies challenge, origin, signature, user verification and counter, and stores the use. Records failures in the audit log.
 * @throws DomainError("invalid")
 */
async function provePasskey(ctx: Ctx, input: Proof): Promise<Row> {
  try {
    return await checkPasskey(ctx, input);
  } catch (error) {
    const purpose = input.purpose === "login" ? "doctor-login" : "confirm-identity";
    if (error instanceof DomainError)
      recordFailedLogin(ctx, async () => {
        const [known] = await ctx.db
          .select({ userId: passkeys.userId })
          .from(passkeys)
          .where(eq(passkeys.credentialId, input.credential.id));
        return { result: "failed-passkey", purpose, userId: known?.userId };
      });
    throw error;
  }
}

async function checkPasskey(ctx: Ctx, input: Proof): Promise<Row> {
  const { credential } = input;
  const expectedChallenge = await takePasskeyChallenge(ctx, input);
  const [passkey] = await ctx.db.select().from(passkeys).where(eq(passkeys.credentialId, credential.id));
  if (!passkey) throw new DomainError("invalid", m.passkeys_unknown());
  const handle = credential.response.userHandle;
  if (handle !== undefined && Buffer.from(handle, "base64url").toString() !== passkey.userId)
    throw new DomainError("invalid", m.passkeys_unknown());
  const { id, origin } = relyingParty();
  const verified = await verifyAuthenticationResponse({
    response: credential as AuthenticationResponseJSON,
    expectedChallenge,
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: true,
    credential: {
      id: passkey.credentialId,
      publicKey: bytesOf(passkey.publicKey),
      // The counter is compared below, which also logs a copied passkey.
      counter: 0,
      transports: passkey.transports as never,
    },
  }).catch((cause) => {
    throw failed(cause);
  });
  if (!verified.verified) throw failed(undefined);
  const { newCounter } = verified.authenticationInfo;
  const grows = newCounter > passkey.counter || (newCounter === 0 && passkey.counter === 0);
  // Matches the compared counter only: of two concurrent uses with the same counter one fails.
  const [used] = grows
    ? await ctx.db
        .update(passkeys)
        .set({ counter: newCounter, lastUsedAt: ctx.now })
        .where(and(eq(passkeys.id, passkey.id), eq(passkeys.counter, passkey.counter)))
        .returning({ id: passkeys.id })
    : [];
  if (!used) {
    await recordChange(ctx, "refuse-passkey", { people: { user: passkey.userId }, details: { name: passkey.name } });
    // Also a synced passkey whose counter began again: its user has another way.
    throw new DomainError("invalid", m.passkeys_counter());
  }
  return passkey;
}
