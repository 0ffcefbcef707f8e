import { and, eq, inArray } from "drizzle-orm";
import { violatedConstraint } from "#app/db/client.server.ts";
import { doctorBankAccounts, doctors, hospitals, profileChanges, type ReviewedField } from "#app/db/schema/index.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { findHospitalOption } from "#app/domains/credentials/application/hospital-options.server.ts";
import { lockCase, refuseOwnCase } from "#app/domains/credentials/cases/ownership.server.ts";
import { sealNumber } from "#app/domains/credentials/identity/numbers.server.ts";
import { requireProof } from "#app/domains/platform/accounts/proof.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { m } from "#app/paraglide/messages.js";
import { openChangedAccount } from "./changed-account.server.ts";
import { canChange, PROFILE_CHANGE_ACTIONS } from "./profile-change.state.ts";
import { changeStatusWord } from "./profile-words.ts";

type Change = typeof profileChanges.$inferSelect;

/**
 * Decides about a change as an administrator. An approval writes the new value in the same transaction. A rejection notifies the
 * doctor of the reason. Serializes concurrent decisions.
 * @returns the field of the change
 * @throws DomainError("not-found" | "forbidden" | "conflict" | "unavailable")
 */
export async function decideChange(
  ctx: Ctx<Actor>,
  input: { id: string; intent: "approve" | "refuse"; reason?: string | undefined },
): Promise<{ field: ReviewedField; doctor: string }> {
  const { id, intent, reason } = input;
  if (ctx.actor.role !== "admin") throw new DomainError("forbidden");
  if (!isUuid(id)) throw new DomainError("not-found");
  try {
    return await transact(ctx, async (tx) => {
      const [about] = await tx.db.select({ doctorId: profileChanges.doctorId }).from(profileChanges).where(eq(profileChanges.id, id));
      if (!about) throw new DomainError("not-found");
      const doctor = await lockCase(tx, about.doctorId);
      await refuseOwnCase(tx, doctor);
      const [change] = await tx.db.select().from(profileChanges).where(eq(profileChanges.id, id));
      if (!change || !canChange(intent, change.status, tx.actor.role))
        throw new DomainError("conflict", m.profile_change_wrong_state({ status: changeStatusWord(change?.status ?? "withdrawn") }));
      if (intent === "approve" && change.field === "bank") requireProof(tx, "approve-bank-account");
      const rule = PROFILE_CHANGE_ACTIONS[intent];
      await tx.db
        .update(profileChanges)
        .set({ status: rule.to, accountSealed: null, decidedBy: tx.actor.userId, decidedAt: tx.now, reason: reason ?? null })
        .where(and(eq(profileChanges.id, id), inArray(profileChanges.status, [...rule.from])));
      if (intent === "approve") await apply(tx, change);
      const details = { field: change.field, change: id, ...(reason ? { reason } : {}) };
      await recordChange(tx, `profile-change.${intent}`, {
        subject: { "profile-change": id },
        people: { doctor: doctor.id },
        data: { to: rule.to, field: change.field },
        details,
        notify: { doctor: { params: { field: change.field, note: reason ?? "" }, target: { page: "doctor-profile" } } },
      });
      return { field: change.field, doctor: doctor.name };
    });
  } catch (error) {
    if (violatedConstraint(error) === "doctors_council") throw new DomainError("conflict", m.profile_council_held(), { cause: error });
    throw error;
  }
}

/** Writes the new value. */
async function apply(tx: Ctx<Actor>, change: Change): Promise<void> {
  const set = await columnsOf(tx, change);
  await tx.db
    .update(doctors)
    .set({ ...set, updatedAt: tx.now })
    .where(eq(doctors.id, change.doctorId));
  if (change.field === "name") await replaceScriptNames(tx, change);
  if (change.field === "bank") await replaceAccount(tx, change);
}

/** Writes the name in Telugu and Hindi. A second statement: a trigger drops translations together with a changed name. */
async function replaceScriptNames(tx: Ctx<Actor>, { doctorId, after }: Change): Promise<void> {
  const [row] = await tx.db.select({ translations: doctors.translations }).from(doctors).where(eq(doctors.id, doctorId));
  const named = (texts: Partial<Record<string, string>> | undefined, name: string | undefined) => {
    const { name: _, ...others } = texts ?? {};
    return name ? { ...others, name } : others;
  };
  const { te, hi } = row?.translations ?? {};
  const translations = { te: named(te, after.nameInTelugu), hi: named(hi, after.nameInHindi) };
  await tx.db.update(doctors).set({ translations }).where(eq(doctors.id, doctorId));
}

async function columnsOf(tx: Ctx<Actor>, { field, after }: Change): Promise<Partial<typeof doctors.$inferInsert>> {
  if (field === "name") return { fullName: after.fullName ?? "" };
  if (field === "council")
    return {
      councilName: after.councilName ?? null,
      councilNumber: after.councilNumber ?? null,
      councilYear: Number(after.councilYear) || null,
    };
  if (field === "bank") return {};
  // The hospital may have been merged meanwhile. An unconfirmed hospital is refused.
  const chosen = await findHospitalOption(tx, after.hospitalId);
  if (!chosen) throw new DomainError("conflict", m.admin_hospital_unconfirmed());
  const [place] = await tx.db.select().from(hospitals).where(eq(hospitals.id, chosen.id));
  return {
    hospitalId: chosen.id,
    ...(place?.city ? { area: place.area, city: place.city, state: place.state } : {}),
    ...(place?.latitude == null ? {} : { latitude: place.latitude, longitude: place.longitude }),
  };
}

async function replaceAccount(tx: Ctx<Actor>, { id, doctorId, after, accountSealed }: Change): Promise<void> {
  const set = {
    bankName: after.bankName ?? "",
    bankBranch: after.bankBranch ?? "",
    accountHolderName: after.accountHolderName ?? "",
    ifscCode: after.ifscCode ?? "",
    updatedAt: tx.now,
  };
  if (!accountSealed) {
    await tx.db.update(doctorBankAccounts).set(set).where(eq(doctorBankAccounts.doctorId, doctorId));
    return;
  }
  let number: string;
  try {
    number = openChangedAccount(id, accountSealed);
  } catch (cause) {
    throw new DomainError("unavailable", m.cases_reveal_failed(), { cause });
  }
  const whole = { ...set, accountSealed: sealNumber("account", doctorId, number), accountLast4: after.accountLast4 ?? "" };
  await tx.db
    .insert(doctorBankAccounts)
    .values({ doctorId, ...whole })
    .onConflictDoUpdate({ target: doctorBankAccounts.doctorId, set: whole });
}
