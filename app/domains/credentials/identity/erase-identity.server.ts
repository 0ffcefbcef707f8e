import { and, asc, eq, exists, inArray, isNotNull, or } from "drizzle-orm";
import { beyond } from "#app/db/in-pages.server.ts";
import { doctorDocuments, doctors } from "#app/db/schema/index.ts";
import { type Ctx, transact } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { type DiscardedFile, discardFiles, removeDiscarded } from "#app/domains/platform/files/discard-files.server.ts";
import type { RegistrationStatus } from "#app/lib/vocabulary.ts";
import { IDENTITY_CHECKED } from "./erasure.ts";
import { lastingHash } from "./identity-hash.server.ts";

/** Doctors in a batch: each has a file to delete. */
const PAGE = 20;
/** A doctor in one of these statuses was approved once and does not have to prove their identity again. */
const APPROVED: readonly RegistrationStatus[] = ["verified", "suspended"];

const scansOf = (doctorId: string | typeof doctors.id) =>
  and(eq(doctorDocuments.doctorId, doctorId), eq(doctorDocuments.kind, "identityDocument"), isNotNull(doctorDocuments.fileId));

/**
 * Erases a doctor's Aadhaar number and scan in the transaction of `tx`. Stores the last four digits to show them, and a keyed
 * hash to refuse a second doctor with the same number. Idempotent.
 * @returns the files to pass to `removeDiscarded` after the commit
 */
export async function eraseIdentity(tx: Ctx, doctorId: string): Promise<DiscardedFile[]> {
  const [doctor] = await tx.db
    .select({ id: doctors.id, aadhaarSealed: doctors.aadhaarSealed, aadhaarMac: doctors.aadhaarMac })
    .from(doctors)
    .where(eq(doctors.id, doctorId))
    .for("update");
  const scans = await tx.db
    .select({ id: doctorDocuments.id, fileId: doctorDocuments.fileId })
    .from(doctorDocuments)
    .where(scansOf(doctorId));
  if (!doctor || (!doctor.aadhaarSealed && !scans.length)) return [];
  await tx.db
    .update(doctors)
    .set({ aadhaarSealed: null, aadhaarMac: await lastingHash(tx.db, doctor), aadhaarErasedAt: tx.now })
    .where(eq(doctors.id, doctorId));
  if (scans.length)
    await tx.db
      .update(doctorDocuments)
      // The fingerprint is a hash of the scan.
      .set({ fileId: null, fingerprint: null, erasedAt: tx.now })
      .where(
        inArray(
          doctorDocuments.id,
          scans.map(({ id }) => id),
        ),
      );
  await recordChange(tx, "erase-identity", {
    people: { doctor: doctorId },
    details: { number: "aadhaar", files: scans.length, reason: IDENTITY_CHECKED },
  });
  return discardFiles(
    tx,
    scans.flatMap(({ fileId }) => fileId ?? []),
  );
}

/** Erases number and scan of one page of doctors who were approved before approval erased them. Safe to repeat. */
export async function eraseApprovedIdentities(ctx: Ctx, after: string | null): Promise<{ count: number; after: string[] | null }> {
  const approved = inArray(doctors.registrationStatus, [...APPROVED]);
  const scans = ctx.db.select({ id: doctorDocuments.id }).from(doctorDocuments).where(scansOf(doctors.id));
  const found = await ctx.db
    .select({ id: doctors.id })
    .from(doctors)
    .where(and(approved, or(isNotNull(doctors.aadhaarSealed), exists(scans)), beyond(doctors.id, after)))
    .orderBy(asc(doctors.id))
    .limit(PAGE);
  for (const { id } of found) await removeDiscarded(ctx, await transact(ctx, (tx) => eraseIdentity(tx, id)));
  return { count: found.length, after: found.length < PAGE ? null : [found.at(-1)!.id] };
}
