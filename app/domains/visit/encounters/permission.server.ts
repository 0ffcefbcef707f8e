import { and, eq, gte, isNull, type SQL } from "drizzle-orm";
import { doctors, recordPermissions } from "#app/db/schema/index.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { type DateKey, todayInIndia } from "#app/lib/dates.ts";

/** A person of an account. Null: a patient without an account has no records to share. */
export type OfPerson = { patientId: string | null; personKey: string };
export type Permission = { id: string; patientId: string; personKey: string; until: DateKey };

/** SQL: permissions that are valid now. */
export const isLive = (ctx: Pick<Ctx, "now">): SQL =>
  and(isNull(recordPermissions.endedAt), gte(recordPermissions.until, todayInIndia(ctx.now)))!;

/** Returns the permission of the acting verified doctor for a person; null without a valid one. Every reading of shared records calls it. */
export async function findPermission(ctx: Ctx<Actor>, { patientId, personKey }: OfPerson): Promise<Permission | null> {
  if (ctx.actor.role !== "doctor" || patientId === null) return null;
  const [row] = await ctx.db
    .select({ id: recordPermissions.id, until: recordPermissions.until })
    .from(recordPermissions)
    .innerJoin(doctors, and(eq(doctors.id, recordPermissions.doctorId), eq(doctors.registrationStatus, "verified")))
    .where(
      and(
        eq(recordPermissions.patientId, patientId),
        eq(recordPermissions.personKey, personKey),
        eq(recordPermissions.doctorId, ctx.actor.userId),
        isLive(ctx),
      ),
    );
  return row ? { ...row, patientId, personKey } : null;
}
