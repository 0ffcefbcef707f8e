import { desc, eq, sql } from "drizzle-orm";
import { clinicPatients, pastAppointments } from "#app/db/schema/index.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import type { Paise } from "#app/lib/money.ts";
import { actForClinic, type Clinic, isOf } from "./clinic.server.ts";
import type { EarlierYear } from "./earlier-years.ts";

/**
 * Returns the figures of the imported history by year, the latest first: a series of its own, which no other figure contains
 * (docs/figures.md). Empty for an actor who may not move the clinic's data.
 */
export async function listEarlierYears(ctx: Ctx<Actor>, clinic: Clinic): Promise<EarlierYear[]> {
  try {
    await actForClinic(ctx, clinic);
  } catch (error) {
    if (error instanceof DomainError) return [];
    throw error;
  }
  const year = sql<number>`extract(year from ${pastAppointments.date})::int`;
  const count = (status: string) => sql<number>`count(*) filter (where ${pastAppointments.status} = ${status})::int`;
  return ctx.db
    .select({
      year,
      appointments: sql<number>`count(*) filter (where ${pastAppointments.status} <> 'cancelled')::int`,
      seen: count("seen"),
      missed: count("no-show"),
      cancelled: count("cancelled"),
      patients: sql<number>`count(distinct ${pastAppointments.clinicPatientId}) filter (where ${pastAppointments.status} = 'seen')::int`,
      fees: sql<Paise>`coalesce(sum(${pastAppointments.fee}) filter (where ${pastAppointments.status} = 'seen'), 0)::float8`,
      paid: sql<Paise>`coalesce(sum(${pastAppointments.paid}), 0)::float8`,
    })
    .from(pastAppointments)
    .innerJoin(clinicPatients, eq(clinicPatients.id, pastAppointments.clinicPatientId))
    .where(isOf(clinicPatients, clinic))
    .groupBy(sql`1`)
    .orderBy(desc(sql`1`));
}
