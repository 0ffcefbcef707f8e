import { randomUUID } from "node:crypto";
import { and, eq, ne, sql } from "drizzle-orm";
import {
  type ChangeParts,
  doctorBankAccounts,
  doctors,
  files,
  hospitals,
  profileChanges,
  type ReviewedField,
} from "#app/db/schema/index.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { findHospitalOption } from "#app/domains/credentials/application/hospital-options.server.ts";
import { proposeHospital } from "#app/domains/credentials/application/propose-hospital.server.ts";
import { last4Of, openNumber } from "#app/domains/credentials/identity/numbers.server.ts";
import { EDIT_CATEGORIES } from "#app/domains/directory/doctors/edit-categories.ts";
import { requireOpenBank } from "#app/domains/platform/accounts/bank-lock.server.ts";
import { requireProof } from "#app/domains/platform/accounts/proof.ts";
import { recordChange, recordChanges } from "#app/domains/platform/changes/record-change.server.ts";
import { spendLimits } from "#app/domains/platform/limits/limit.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { fromRupees } from "#app/lib/money.ts";
import { m } from "#app/paraglide/messages.js";
import { openChangedAccount, sealChangedAccount } from "./changed-account.server.ts";
import { scriptNamesOf, versionOf } from "./own-profile.server.ts";
import type { ProfileForm } from "./profile.schema.ts";

type Row = typeof doctors.$inferSelect;
type Account = typeof doctorBankAccounts.$inferSelect;
/** A requested change. `account`: the full new number, if any. */
type Wish = { field: ReviewedField; before: ChangeParts; after: ChangeParts; account?: string };

/**
 * Saves the acting doctor's profile. Unverified fields (fee, about, photo …) change immediately. Verified fields (name, council
 * registration, hospital, bank) become changes that wait for an administrator, one for each field; the old value stays and the
 * doctor stays bookable.
 * @returns the fields that wait now
 * @throws DomainError("conflict") when it was saved elsewhere since `version`, "invalid" with fields, "too-many", "unproven" when
 * the bank account changes without a fresh proof
 */
export async function saveProfile(ctx: Ctx<Actor>, input: ProfileForm): Promise<ReviewedField[]> {
  // The limit is counted in its own transaction, so before the one that saves.
  const asked = await wishesOf(ctx, await read(ctx), input);
  if (asked.some(({ field }) => field === "bank")) requireProof(ctx, "change-bank-account");
  if (asked.length) await spendLimits(ctx, [{ limit: "profile-change", key: ctx.actor.userId }]);
  return transact(ctx, async (tx) => {
    const now = await read(tx, { lock: true });
    const { doctor } = now;
    const wishes = await wishesOf(tx, now, input);
    const direct = directChanges(doctor, input);
    const photo = photoWish(doctor, input);
    const changed = [...Object.keys(direct), ...(photo === undefined ? [] : ["photo"])];
    // The same form twice: everything has the wished value, whatever version it was read from.
    if (changed.length + wishes.length === 0) return [];
    if (wishes.some(({ field }) => field === "bank")) requireProof(tx, "change-bank-account");
    if (input.version !== undefined && input.version !== versionOf(doctor.updatedAt))
      throw new DomainError("conflict", m.profile_changed_elsewhere(), { detail: { stale: true } });
    if (wishes.some(({ field }) => field === "bank")) await requireOpenBank(tx);
    for (const wish of wishes) await askFor(tx, wish);
    if (photo !== undefined) await changePhoto(tx, doctor, photo);
    await tx.db
      .update(doctors)
      .set({ ...direct, ...(photo === undefined ? {} : { photoFileId: photo }), updatedAt: tx.now })
      .where(eq(doctors.id, doctor.id));
    if (changed.length) {
      const details = { changed: changed.join(", ") };
      await recordChange(tx, "edit-doctor-profile", { people: { doctor: doctor.id }, details });
    }
    return wishes.map((wish) => wish.field);
  });
}

async function read(ctx: Ctx<Actor>, options: { lock?: boolean } = {}): Promise<{ doctor: Row; account: Account | null }> {
  const query = ctx.db.select().from(doctors).where(eq(doctors.id, ctx.actor.userId));
  const [doctor] = await (options.lock ? query.for("update") : query);
  if (!doctor) throw new DomainError("not-found", m.profile_none());
  const [account] = await ctx.db.select().from(doctorBankAccounts).where(eq(doctorBankAccounts.doctorId, doctor.id));
  return { doctor, account: account ?? null };
}

/** Returns the unverified fields that differ. @throws DomainError("invalid") */
function directChanges(doctor: Row, input: ProfileForm): Partial<Row> {
  if (input.category !== doctor.category && !EDIT_CATEGORIES.some((c) => c.stored === input.category))
    throw new DomainError("invalid", undefined, { fields: { category: [m.application_category_invalid()] } });
  const wanted = {
    primarySpecialization: input.primarySpecialization,
    additionalSpecializations: input.additionalSpecializations ?? "",
    category: input.category,
    experienceYears: input.experienceYears,
    consultationFee: fromRupees(input.consultationFee),
    about: input.about,
    gender: input.gender,
    dateOfBirth: input.dateOfBirth,
    languages: input.languages,
  } satisfies Partial<Row>;
  const differs = (key: string) => JSON.stringify(wanted[key as keyof typeof wanted]) !== JSON.stringify(doctor[key as keyof Row]);
  return Object.fromEntries(Object.entries(wanted).filter(([key]) => differs(key)));
}

/** Returns the file id of the new photo, null to remove it, undefined to leave it. */
function photoWish(doctor: Row, input: ProfileForm): string | null | undefined {
  const wanted = input.photo ?? input.photoReceived ?? (input.removePhoto ? null : undefined);
  return wanted === doctor.photoFileId ? undefined : wanted;
}

/** @throws DomainError("invalid") when the image is not the doctor's, or was deleted */
async function changePhoto(tx: Ctx<Actor>, doctor: Row, wanted: string | null): Promise<void> {
  if (wanted !== null) {
    const [received] = isUuid(wanted)
      ? await tx.db
          .update(files)
          .set({ status: "attached" })
          .where(and(eq(files.id, wanted), eq(files.ownerId, doctor.id), eq(files.purpose, "doctor-photo"), eq(files.status, "pending")))
          .returning({ id: files.id })
      : [];
    if (!received) throw new DomainError("invalid", undefined, { fields: { photo: [m.profile_photo_gone()] } });
  }
  // The image of the verification stays with the case. The sweep deletes others.
  if (doctor.photoFileId)
    await tx.db
      .update(files)
      .set({ status: "pending" })
      .where(and(eq(files.id, doctor.photoFileId), eq(files.purpose, "doctor-photo")));
}

/**
 * Returns the changes of verified fields in the form that are not pending already. @throws DomainError("invalid" | "conflict")
 */
async function wishesOf(ctx: Ctx<Actor>, now: { doctor: Row; account: Account | null }, input: ProfileForm): Promise<Wish[]> {
  const { doctor, account } = now;
  const wishes = [
    nameWish(doctor, input),
    await councilWish(ctx, doctor, input),
    await hospitalWish(ctx, doctor, input),
    bankWish(account, doctor, input),
  ].filter((wish) => wish !== null);
  if (!wishes.length) return [];
  const open = await ctx.db
    .select()
    .from(profileChanges)
    .where(and(eq(profileChanges.doctorId, doctor.id), eq(profileChanges.status, "pending")));
  return wishes.filter((wish) => !open.some((change) => isSame(change, wish)));
}

/** True when this change is pending with the same values. */
function isSame(change: typeof profileChanges.$inferSelect, wish: Wish): boolean {
  const { hospitalId: _, ...after } = change.after;
  const { hospitalId: __, ...wished } = wish.after;
  if (change.field !== wish.field || !same(after, wished)) return false;
  if (!wish.account) return true;
  return change.accountSealed !== null && isThis(wish.account, () => openChangedAccount(change.id, change.accountSealed!));
}

/** The name and its forms in other scripts. An empty form is left out. */
const namesOf = (names: Record<string, string | undefined>): ChangeParts =>
  Object.fromEntries(Object.entries(names).filter((part): part is [string, string] => Boolean(part[1])));

function nameWish(doctor: Row, input: ProfileForm): Wish | null {
  const before = namesOf({ fullName: doctor.fullName, ...scriptNamesOf(doctor.translations) });
  const { fullName, nameInTelugu, nameInHindi } = input;
  const after = namesOf({ fullName, nameInTelugu, nameInHindi });
  return same(before, after) ? null : { field: "name", before, after };
}

async function councilWish(ctx: Ctx<Actor>, doctor: Row, input: ProfileForm): Promise<Wish | null> {
  const before = {
    councilName: doctor.councilName ?? "",
    councilNumber: doctor.councilNumber ?? "",
    councilYear: String(doctor.councilYear ?? ""),
  };
  // Upper case, as in the application.
  const after = {
    councilName: input.councilName,
    councilNumber: input.councilNumber.toUpperCase(),
    councilYear: String(input.councilYear),
  };
  if (same(before, after) || same(before, { ...after, councilNumber: input.councilNumber })) return null;
  const [other] = await ctx.db
    .select({ id: doctors.id })
    .from(doctors)
    .where(
      and(
        ne(doctors.id, doctor.id),
        sql`lower(${doctors.councilName}) = lower(${after.councilName})`,
        eq(doctors.councilNumber, after.councilNumber),
      ),
    )
    .limit(1);
  if (other) throw new DomainError("conflict", m.application_taken());
  return { field: "council", before, after };
}

async function hospitalWish(ctx: Ctx<Actor>, doctor: Row, input: ProfileForm): Promise<Wish | null> {
  const { hospitalId, hospitalName: name, hospitalAddress: address, contactNumber: contact } = input;
  const [current] = doctor.hospitalId ? await ctx.db.select().from(hospitals).where(eq(hospitals.id, doctor.hospitalId)) : [];
  const partsOf = (h: { id: string; name: string; address: string; contact: string }) => ({
    hospitalId: h.id,
    hospitalName: h.name,
    hospitalAddress: h.address,
    contactNumber: h.contact,
  });
  const before = current ? partsOf({ ...current, contact: current.phone ?? "" }) : {};
  if (hospitalId) {
    if (hospitalId === doctor.hospitalId) return null;
    const chosen = await findHospitalOption(ctx, hospitalId);
    if (!chosen) throw new DomainError("invalid", undefined, { fields: { hospitalId: [m.application_hospital_gone()] } });
    return chosen.id === doctor.hospitalId ? null : { field: "hospital", before, after: partsOf(chosen) };
  }
  if (!name || !address || !contact) return null;
  // The id is assigned when the change is created: a rejected form must not create a hospital.
  return { field: "hospital", before, after: partsOf({ id: "", name, address, contact }) };
}

function bankWish(account: Account | null, doctor: Row, input: ProfileForm): Wish | null {
  const given = {
    bankName: input.bankName,
    bankBranch: input.bankBranch,
    accountHolderName: input.accountHolderName,
    ifscCode: input.ifscCode,
  };
  // An account can be changed here, not removed.
  if (!input.accountNumber && Object.values(given).every((value) => !value)) return null;
  const missing = {
    bankName: !given.bankName && m.application_bank_name_required(),
    bankBranch: !given.bankBranch && m.application_branch_required(),
    accountHolderName: !given.accountHolderName && m.application_holder_required(),
    ifscCode: !given.ifscCode && m.application_ifsc_required(),
    // An empty field preserves the stored number.
    accountNumber: !account && !input.accountNumber && m.application_account_required(),
  };
  const faults = Object.entries(missing).filter(([, sentence]) => sentence);
  if (faults.length)
    throw new DomainError("invalid", undefined, {
      fields: Object.fromEntries(faults.map(([field, sentence]) => [field, [String(sentence)]])),
    });
  const typed = input.accountNumber;
  const known = typed !== undefined && account !== null && isThis(typed, () => openNumber("account", doctor.id, account.accountSealed));
  const number = known ? undefined : typed;
  const before: ChangeParts = account
    ? {
        bankName: account.bankName,
        bankBranch: account.bankBranch,
        accountHolderName: account.accountHolderName,
        ifscCode: account.ifscCode,
        accountLast4: account.accountLast4,
      }
    : {};
  const after = { ...(given as ChangeParts), accountLast4: number ? last4Of(number) : (account?.accountLast4 ?? "") };
  if (!number && same(before, after)) return null;
  return {
    field: "bank",
    before,
    after: { ...after, ...(number ? { accountChanged: "yes" } : {}) },
    ...(number ? { account: number } : {}),
  };
}

/** Compares with an encrypted number. One that cannot be decrypted differs. */
function isThis(number: string, open: () => string): boolean {
  try {
    return open() === number;
  } catch {
    return false;
  }
}

const same = (a: ChangeParts, b: ChangeParts) => JSON.stringify(Object.entries(a).sort()) === JSON.stringify(Object.entries(b).sort());

/** Stores the change. Replaces a pending one of the same field. */
async function askFor(tx: Ctx<Actor>, wish: Wish): Promise<void> {
  const doctorId = tx.actor.userId;
  const { field, before } = wish;
  const after =
    field === "hospital" && !wish.after.hospitalId ? { ...wish.after, hospitalId: await writtenDown(tx, wish.after) } : wish.after;
  const replaced = await tx.db
    .update(profileChanges)
    .set({ status: "withdrawn", accountSealed: null, decidedAt: tx.now })
    .where(and(eq(profileChanges.doctorId, doctorId), eq(profileChanges.field, field), eq(profileChanges.status, "pending")))
    .returning({ id: profileChanges.id });
  const people = { doctor: doctorId };
  await recordChanges(
    tx,
    "profile-change.withdraw",
    replaced.map((old) => ({ subject: { "profile-change": old.id }, people, data: { to: "withdrawn", field } })),
  );
  const id = randomUUID();
  const accountSealed = wish.account ? sealChangedAccount(id, wish.account) : null;
  await tx.db.insert(profileChanges).values({ id, doctorId, field, before, after, accountSealed, createdAt: tx.now });
  await recordChange(tx, "profile-change.ask", {
    subject: { "profile-change": id },
    people,
    data: { to: "pending", field },
    details: { field, change: id },
    // A thief would change the bank account, so the doctor is notified immediately.
    notify: { doctor: field === "bank" ? { params: {}, target: { page: "doctor-profile" } } : null },
  });
}

async function writtenDown(tx: Ctx<Actor>, parts: ChangeParts): Promise<string> {
  const [doctor] = await tx.db.select({ city: doctors.city, state: doctors.state }).from(doctors).where(eq(doctors.id, tx.actor.userId));
  return proposeHospital(tx, {
    name: parts.hospitalName ?? "",
    address: parts.hospitalAddress ?? "",
    contact: parts.contactNumber ?? "",
    city: doctor?.city ?? "",
    state: doctor?.state ?? "",
  });
}
