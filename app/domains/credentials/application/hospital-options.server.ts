import { and, asc, eq, ilike, notInArray, or, sql } from "drizzle-orm";
import { hospitals } from "#app/db/schema/index.ts";
import { listedHospital } from "#app/db/schema/visibility.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { formatPhone } from "#app/lib/phone.ts";
import type { HospitalOption } from "./draft.ts";

/** Most options of the list. The search narrows it. */
const HOSPITAL_OPTIONS = 50;

const option = {
  id: hospitals.id,
  name: hospitals.name,
  address: hospitals.address,
  contact: sql<string>`coalesce(${hospitals.phone}, '')`,
};

/** SQL: confirmed places where doctors see patients: no pharmacies and laboratories. */
export const offeredToDoctors = (t: typeof hospitals) => and(listedHospital(t), notInArray(t.category, ["Pharmacy", "Laboratory"]));

const shown = (row: HospitalOption): HospitalOption => ({ ...row, contact: formatPhone(row.contact) });

/** Returns hospitals and clinics (`offeredToDoctors`) whose name, address or city contain every word of `text`, the number of matches and the total. */
export async function listHospitalOptions(
  ctx: Ctx,
  text: string,
  { limit, offset }: { limit: number; offset: number } = { limit: HOSPITAL_OPTIONS, offset: 0 },
): Promise<{ options: HospitalOption[]; matching: number; total: number }> {
  const words = text.trim().slice(0, 100).split(/\s+/).filter(Boolean).slice(0, 8);
  const active = offeredToDoctors(hospitals);
  const contains = (word: string) => {
    const pattern = `%${word.replace(/[\\%_]/g, "\\$&")}%`;
    return or(ilike(hospitals.name, pattern), ilike(hospitals.address, pattern), ilike(hospitals.city, pattern));
  };
  const [all] = await ctx.db.select({ n: sql<number>`count(*)::int` }).from(hospitals).where(active);
  const rows = await ctx.db
    .select({ ...option, matching: sql<number>`(count(*) over ())::int` })
    .from(hospitals)
    .where(and(active, ...words.map(contains)))
    .orderBy(asc(hospitals.name), asc(hospitals.id))
    .limit(limit)
    .offset(offset);
  return { options: rows.map(({ matching: _, ...row }) => shown(row)), matching: rows[0]?.matching ?? 0, total: all?.n ?? 0 };
}

/** Returns a confirmed hospital, also by the id of one merged into it; null otherwise. */
export async function findHospitalOption(ctx: Ctx, id: string | null | undefined): Promise<HospitalOption | null> {
  let next = id;
  // A merged hospital may have been merged again. The bound ends a cycle.
  for (let i = 0; i < 5 && isUuid(next); i++) {
    const [row] = await ctx.db
      .select({ ...option, status: hospitals.status, mergedInto: hospitals.mergedInto })
      .from(hospitals)
      .where(eq(hospitals.id, next));
    if (row?.status === "active") return shown({ id: row.id, name: row.name, address: row.address, contact: row.contact });
    next = row?.status === "merged" ? row.mergedInto : null;
  }
  return null;
}
