import { and, eq } from "drizzle-orm";
import { files, PATIENT_PROFILE_COLUMNS, patients } from "#app/db/schema/index.ts";
import { auditedNames } from "#app/db/schema/policy.ts";
import { sealedValues } from "#app/db/sealed.server.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { requireOpenAccount } from "#app/domains/platform/users/lock-account.server.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { m } from "#app/paraglide/messages.js";
import type { ProfileForm } from "./profile.schema.ts";
import { profileRow } from "./queries.server.ts";

/**
 * Saves the acting patient's profile. Empty fields are cleared. A new photo must be the patient's own pending upload; the sweep
 * deletes the old one.
 * @throws DomainError("invalid" at `photo` | "unauthenticated" when the account was deleted meanwhile)
 */
export function savePatientProfile(ctx: Ctx<Actor>, input: ProfileForm): Promise<void> {
  const { userId } = ctx.actor;
  return transact(ctx, async (tx) => {
    await requireOpenAccount(tx);
    const [saved] = await tx.db.select(profileRow).from(patients).where(eq(patients.id, userId)).for("update");
    if (!saved) throw new DomainError("not-found");
    const { photo, photoReceived, removePhoto, noAllergies, ...typed } = input;
    const wanted = {
      ...typed,
      photoFileId: photo ?? photoReceived ?? (removePhoto ? null : saved.photoFileId),
      // The day on which they said so.
      noAllergiesOn: noAllergies ? (saved.noAllergiesOn ?? todayInIndia(tx.now)) : null,
    };
    const next = Object.fromEntries(PATIENT_PROFILE_COLUMNS.map((key) => [key, wanted[key] ?? null])) as typeof saved;
    const changed = PATIENT_PROFILE_COLUMNS.filter((key) => next[key] !== saved[key]);
    if (!changed.length) return;
    if (changed.includes("photoFileId")) await changePhoto(tx, saved.photoFileId, next.photoFileId);
    await tx.db
      .update(patients)
      .set({ ...sealedValues(patients, userId, next), updatedAt: tx.now })
      .where(eq(patients.id, userId));
    const details = { changed: auditedNames(patients, changed) };
    await recordChange(tx, "edit-profile", { people: { user: userId }, details });
  });
}

async function changePhoto(tx: Ctx<Actor>, old: string | null, wanted: string | null): Promise<void> {
  const own = (id: string, status: "pending" | "attached") =>
    and(eq(files.id, id), eq(files.ownerId, tx.actor.userId), eq(files.purpose, "patient-photo"), eq(files.status, status));
  if (wanted !== null) {
    const [received] = isUuid(wanted)
      ? await tx.db.update(files).set({ status: "attached" }).where(own(wanted, "pending")).returning({ id: files.id })
      : [];
    if (!received) throw new DomainError("invalid", undefined, { fields: { photo: [m.own_photo_gone()] } });
  }
  if (old !== null) await tx.db.update(files).set({ status: "pending" }).where(own(old, "attached"));
}
