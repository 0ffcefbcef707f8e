import { and, eq, type SQL, sql } from "drizzle-orm";
import { doctors, hospitals, shortNames } from "#app/db/schema/index.ts";
import { listedDoctor, listedHospital } from "#app/db/schema/visibility.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import type { ShortNameKind } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";

const SLUG = /^[a-z0-9-]{1,80}$/i;
/** SQL: the current short name of a row. In a second layer, as drizzle drops the tables of selected columns. */
const currentOf = (id: SQL, column: "hospital_id" | "doctor_id") =>
  sql<string>`${sql`(select n.slug from short_names n where n.${sql.raw(column)} = ${id} and n.is_current)`}`;

/**
 * Finds a listed hospital or doctor by a short name, also by an old one or by that of a hospital merged into it.
 * @returns `slug`: the current short name, to redirect to when it is another one
 * @throws DomainError("not-found")
 */
export async function findByShortName(ctx: Ctx, kind: ShortNameKind, slug: string | undefined): Promise<{ id: string; slug: string }> {
  const text = slug && SLUG.test(slug) ? slug.toLowerCase() : null;
  const [row] = text === null ? [] : await (kind === "hospital" ? findHospital(ctx, text) : findDoctor(ctx, text));
  if (row) return row;
  throw new DomainError("not-found", kind === "hospital" ? m.directory_hospital_not_found() : m.directory_doctor_not_found());
}

const named = (kind: ShortNameKind, slug: string) => and(eq(shortNames.kind, kind), eq(shortNames.slug, slug));

async function findHospital(ctx: Ctx, slug: string) {
  const [row] = await ctx.db
    .select({ id: sql<string>`${sql`case when ${hospitals.status} = 'merged' then ${hospitals.mergedInto} else ${hospitals.id} end`}` })
    .from(shortNames)
    .innerJoin(hospitals, eq(hospitals.id, shortNames.hospitalId))
    .where(named("hospital", slug));
  if (!row) return [];
  return ctx.db
    .select({ id: hospitals.id, slug: currentOf(sql`${hospitals.id}`, "hospital_id") })
    .from(hospitals)
    .where(and(eq(hospitals.id, row.id), listedHospital(hospitals)));
}

const findDoctor = (ctx: Ctx, slug: string) =>
  ctx.db
    .select({ id: doctors.id, slug: currentOf(sql`${doctors.id}`, "doctor_id") })
    .from(shortNames)
    .innerJoin(doctors, and(eq(doctors.id, shortNames.doctorId), listedDoctor(doctors)))
    .where(named("doctor", slug));
