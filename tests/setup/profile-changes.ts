/** A verified doctor and an administrator for each test of profile changes. Importing this file registers the hook that makes them. */
import { eq } from "drizzle-orm";
import { beforeEach, expect } from "vitest";
import {
  auditLog,
  doctorBankAccounts,
  doctors,
  hospitals,
  notifications,
  profileChanges,
  rateLimits,
  users,
} from "#app/db/schema/index.ts";
import type { Actor } from "#app/domains/context.server.ts";
import { sealNumber } from "#app/domains/credentials/identity/numbers.server.ts";
import { DomainError, type RefusalCode } from "#app/lib/domain-error.ts";
import { getOwnProfile } from "../../app/domains/credentials/profile-changes/own-profile.server.ts";
import { saveProfile } from "../../app/domains/credentials/profile-changes/save-profile.server.ts";
import { testDb } from "./test-db.ts";

export const { db, sql, ctx } = testDb();
export const ACCOUNT = "30001234567";
export let n = 0;
export let doctor: Actor;
export let admin: Actor;
export let hospital: string;

beforeEach(async () => {
  n++;
  await db.delete(rateLimits);
  const [place] = await db
    .insert(hospitals)
    .values({
      name: `Hospital ${n}`,
      category: "Hospital",
      address: `${n} Station Road`,
      city: "Guntur",
      state: "Andhra Pradesh",
      phone: "+914000000101",
    })
    .returning();
  hospital = place!.id;
  doctor = await newDoctor(hospital);
  const [boss] = await db
    .insert(users)
    .values({ role: "admin", email: `admin${n}@test.example`, phone: `+9171${String(n).padStart(8, "0")}` })
    .returning();
  admin = { userId: boss!.id, role: "admin" };
});

export async function newDoctor(hospitalId: string): Promise<Actor> {
  const k = String(++n).padStart(8, "0");
  const [user] = await db
    .insert(users)
    .values({ role: "doctor", email: `d${k}@test.example`, phone: `+9170${k}` })
    .returning();
  await db.insert(doctors).values({
    id: user!.id,
    registrationStatus: "verified",
    fullName: "Dr. Asha Rani",
    primarySpecialization: "Cardiologist",
    category: "Cardiology",
    experienceYears: 12,
    consultationFee: 50_000,
    about: "Hearts.",
    gender: "female",
    dateOfBirth: "1985-03-14",
    councilName: "Andhra Pradesh Medical Council",
    councilNumber: `APMC/${k}`,
    councilYear: 2010,
    languages: ["Telugu"],
    hospitalId,
    city: "Guntur",
    state: "Andhra Pradesh",
  });
  await db.insert(doctorBankAccounts).values({
    doctorId: user!.id,
    bankName: "State Bank of India",
    bankBranch: "Guntur Main",
    accountHolderName: "Asha Rani",
    accountSealed: sealNumber("account", user!.id, ACCOUNT),
    accountLast4: ACCOUNT.slice(-4),
    ifscCode: "SBIN0001234",
  });
  return { userId: user!.id, role: "doctor" };
}

/** Returns the form as the page sends it, with some fields changed. */
export async function form(changes: Partial<Parameters<typeof saveProfile>[1]> = {}, who = doctor) {
  const p = await getOwnProfile(ctx(who));
  return {
    version: p.version,
    fullName: p.name,
    nameInTelugu: p.nameInTelugu || undefined,
    nameInHindi: p.nameInHindi || undefined,
    primarySpecialization: p.specialization,
    additionalSpecializations: p.additionalSpecializations,
    category: p.category as "General",
    experienceYears: p.experienceYears,
    consultationFee: (p.fee ?? 0) / 100,
    about: p.about,
    gender: p.gender ?? ("other" as const),
    dateOfBirth: p.dateOfBirth ?? "1985-01-01",
    languages: p.languages,
    councilName: p.councilName ?? "",
    councilNumber: p.councilNumber ?? "",
    councilYear: p.councilYear ?? 2000,
    bankName: p.bank?.bankName,
    bankBranch: p.bank?.bankBranch,
    accountHolderName: p.bank?.accountHolderName,
    ifscCode: p.bank?.ifscCode,
    ...changes,
  };
}
export const save = async (changes: Parameters<typeof form>[0] = {}, who = doctor) => saveProfile(ctx(who), await form(changes, who));
export const row = async (who = doctor) => (await db.select().from(doctors).where(eq(doctors.id, who.userId)))[0]!;
export const account = async () => (await db.select().from(doctorBankAccounts).where(eq(doctorBankAccounts.doctorId, doctor.userId)))[0]!;
export const changesOf = (who = doctor) =>
  db.select().from(profileChanges).where(eq(profileChanges.doctorId, who.userId)).orderBy(profileChanges.createdAt);
export const waiting = async () => (await changesOf()).filter((change) => change.status === "pending");
export const actionsOf = async () =>
  (await db.select({ action: auditLog.action }).from(auditLog).where(eq(auditLog.personId, doctor.userId))).map((r) => r.action);
export const notified = async () =>
  (await db.select({ kind: notifications.kind }).from(notifications).where(eq(notifications.userId, doctor.userId))).map((r) => r.kind);

export async function refused(work: Promise<unknown>, code: RefusalCode, sentence?: string) {
  const error = await work.then(
    () => null,
    (e: unknown) => e,
  );
  expect(error).toBeInstanceOf(DomainError);
  expect((error as DomainError).code).toBe(code);
  if (sentence) expect((error as DomainError).sentence ?? JSON.stringify((error as DomainError).fields)).toContain(sentence);
}

export const pendingOf = async (field: string) => (await waiting()).find((change) => change.field === field)!;
