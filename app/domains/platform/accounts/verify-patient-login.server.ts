import { and, eq } from "drizzle-orm";
import { patients, type SessionKind, users } from "#app/db/schema/index.ts";
import { type Ctx, transact } from "#app/domains/context.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import type { Phone } from "#app/lib/phone.ts";
import { m } from "#app/paraglide/messages.js";
import { recordFailedLogin } from "../audit/record-refusal.server.ts";
import { recordConsent } from "./consent.server.ts";
import { rememberDevice } from "./known-device.server.ts";
import { verifyChallenge } from "./otp.server.ts";
import type { NOTICE } from "./privacy-notice.ts";
import { openSession } from "./sessions.server.ts";
import { claimAccount } from "./unclaimed-account.server.ts";

/**
 * Opens a session with the right code, for the phone in the challenge's row, never a posted one. Creates a patient for a new
 * number. The first login with a phone for which a clinic has booked claims its account.
 * @returns the session token, its user, the cookie of the known device, and whether the account was claimed just now
 * @throws DomainError("invalid" | "too-many" | "forbidden")
 */
export async function verifyPatientLogin(
  ctx: Ctx,
  input: { idHash: string; code: string; userAgent: string; kind?: SessionKind; notice?: typeof NOTICE | undefined },
): Promise<{ token: string; patientId: string; device: string; claimed: boolean }> {
  // Outside the transaction, so that a wrong code stays counted.
  const challenge = await verifyChallenge(ctx, {
    purposes: "patient-login",
    idHash: input.idHash,
    code: input.code,
    consume: true,
    expired: () => m.accounts_otp_expired_patient(),
  });
  const failed = (error: unknown): never => {
    if (error instanceof DomainError && error.code === "forbidden")
      recordFailedLogin(ctx, { result: "disabled-account", purpose: "patient-login", phone: challenge.phone });
    throw error;
  };
  return transact(ctx, async (tx) => {
    const { patientId, claimed } = await ensurePatient(tx, challenge.phone);
    const token = await openSession(tx, { userId: patientId, role: "patient" }, input.userAgent, input.kind);
    await recordConsent(tx, patientId, input.notice);
    return { token, patientId, claimed, device: rememberDevice(ctx, challenge.purpose, challenge.phone) };
  }).catch(failed);
}

async function ensurePatient(ctx: Ctx, phone: Phone, again = false): Promise<{ patientId: string; claimed: boolean }> {
  const [made] = await ctx.db
    .insert(users)
    .values({ role: "patient", phone, createdAt: ctx.now, updatedAt: ctx.now })
    .onConflictDoNothing()
    .returning({ id: users.id });
  // Waits for a concurrent deletion of the account. Then the number is free and creates a new one.
  const [user] = made
    ? [{ id: made.id, status: "active" as const }]
    : await ctx.db
        .select({ id: users.id, status: users.status })
        .from(users)
        .where(and(eq(users.role, "patient"), eq(users.phone, phone)))
        .for("key share");
  if (!user && !again) return ensurePatient(ctx, phone, true);
  if (user?.status !== "active") throw new DomainError("forbidden", m.accounts_disabled());
  await ctx.db.insert(patients).values({ id: user.id, createdAt: ctx.now, updatedAt: ctx.now }).onConflictDoNothing();
  return { patientId: user.id, claimed: !made && (await claimAccount(ctx, user.id)) };
}
