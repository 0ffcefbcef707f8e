import { desc, eq } from "drizzle-orm";
import {
  type ChangeParts,
  type ChangeStatus,
  doctorBankAccounts,
  doctors,
  hospitals,
  profileChanges,
  type ReviewedField,
  users,
} from "#app/db/schema/index.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import type { Translations } from "#app/lib/translations.ts";
import { m } from "#app/paraglide/messages.js";
import { doctorProfileColumns } from "../profile-columns.server.ts";

/** Returns the acting doctor's profile (spec 000 §3), with the last digits of numbers. @throws DomainError("not-found") */
export async function getOwnProfile(ctx: Ctx<Actor>) {
  const [row] = await ctx.db
    .select({
      ...doctorProfileColumns,
      translations: doctors.translations,
      photo: doctors.photoFileId,
      additionalSpecializations: doctors.additionalSpecializations,
      hospital: { id: hospitals.id, name: hospitals.name, address: hospitals.address, phone: hospitals.phone },
      updatedAt: doctors.updatedAt,
    })
    .from(doctors)
    .innerJoin(users, eq(users.id, doctors.id))
    .leftJoin(hospitals, eq(hospitals.id, doctors.hospitalId))
    .leftJoin(doctorBankAccounts, eq(doctorBankAccounts.doctorId, doctors.id))
    .where(eq(doctors.id, ctx.actor.userId));
  if (!row) throw new DomainError("not-found", m.profile_none());
  const { updatedAt, translations, ...profile } = row;
  return { ...profile, ...scriptNamesOf(translations), version: versionOf(updatedAt) };
}
export type OwnProfile = Awaited<ReturnType<typeof getOwnProfile>>;

/** Returns the name in Telugu and in Hindi. Empty if the doctor has none. */
export const scriptNamesOf = ({ te, hi }: Translations) => ({ nameInTelugu: te?.name ?? "", nameInHindi: hi?.name ?? "" });

/** Returns the version of the profile that a page was rendered from. */
export const versionOf = (updatedAt: Date) => updatedAt.toISOString();

export type OwnChange = {
  id: string;
  field: ReviewedField;
  before: ChangeParts;
  after: ChangeParts;
  status: ChangeStatus;
  reason: string | null;
  createdAt: Date;
};

/** Returns the acting doctor's pending and last rejected changes: the newest of each field, unless approved or withdrawn. */
export async function listOwnChanges(ctx: Ctx<Actor>): Promise<OwnChange[]> {
  const rows = await ctx.db
    .selectDistinctOn([profileChanges.field], {
      id: profileChanges.id,
      field: profileChanges.field,
      before: profileChanges.before,
      after: profileChanges.after,
      status: profileChanges.status,
      reason: profileChanges.reason,
      createdAt: profileChanges.createdAt,
    })
    .from(profileChanges)
    .where(eq(profileChanges.doctorId, ctx.actor.userId))
    .orderBy(profileChanges.field, desc(profileChanges.createdAt), desc(profileChanges.id));
  return rows.filter((row) => row.status === "pending" || row.status === "refused");
}
