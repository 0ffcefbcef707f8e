import { and, eq, isNotNull } from "drizzle-orm";
import { patients, users } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import type { Phone } from "#app/lib/phone.ts";

/**
 * Returns the patient account of a phone for an appointment that a clinic books, and locks it against deletion until the commit of `tx`. A new
 * phone gets an unclaimed account: without a name, until its owner logs in. The caller must not show which of the two it was.
 */
export async function ensureCallersAccount(tx: Ctx, phone: Phone, again = false): Promise<{ id: string; unclaimed: boolean }> {
  const [made] = await tx.db
    .insert(users)
    .values({ role: "patient", phone, createdAt: tx.now, updatedAt: tx.now })
    .onConflictDoNothing()
    .returning({ id: users.id });
  if (made) {
    await tx.db.insert(patients).values({ id: made.id, unclaimedSince: tx.now, createdAt: tx.now, updatedAt: tx.now });
    return { id: made.id, unclaimed: true };
  }
  const [user] = await tx.db
    .select({ id: users.id, unclaimedSince: patients.unclaimedSince })
    .from(users)
    .innerJoin(patients, eq(patients.id, users.id))
    .where(and(eq(users.role, "patient"), eq(users.phone, phone)))
    .for("key share", { of: users });
  if (user) return { id: user.id, unclaimed: user.unclaimedSince !== null };
  // The account was deleted meanwhile, so its phone is free.
  if (again) throw new Error("no account for a phone");
  return ensureCallersAccount(tx, phone, true);
}

/**
 * Makes an unclaimed account that of the user who has just proven the phone. The next page shows them what is stored.
 * @returns whether it was unclaimed
 */
export async function claimAccount(tx: Ctx, patientId: string): Promise<boolean> {
  const [claimed] = await tx.db
    .update(patients)
    .set({ unclaimedSince: null, updatedAt: tx.now })
    .where(and(eq(patients.id, patientId), isNotNull(patients.unclaimedSince)))
    .returning({ id: patients.id });
  if (!claimed) return false;
  const own = { ...tx, actor: { userId: patientId, role: "patient" as const } };
  const notice = { params: {}, target: { page: "patient-data-notice" } } as const;
  await recordChange(own, "claim-account", { people: { user: patientId }, notify: { user: notice } });
  return true;
}
