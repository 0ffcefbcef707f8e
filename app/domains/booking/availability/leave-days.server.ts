import { and, eq, isNull, or, sql } from "drizzle-orm";
import { leaves } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import type { DateKey } from "#app/lib/dates.ts";

/** SQL: a leave covers a practice on a day. */
export const coversDay = (of: { doctorId: string; practiceId: string }) =>
  and(eq(leaves.doctorId, of.doctorId), or(isNull(leaves.practiceId), eq(leaves.practiceId, of.practiceId)), isNull(leaves.endedAt));

/** Returns which of the days are in a leave of the doctor from this practice, in order. */
export async function listLeaveDays(ctx: Ctx, of: { doctorId: string; practiceId: string }, dates: DateKey[]): Promise<DateKey[]> {
  if (!dates.length) return [];
  const day = sql<DateKey>`d.day`;
  const rows = await ctx.db
    .selectDistinct({ day })
    .from(sql`jsonb_array_elements_text(${JSON.stringify(dates)}::jsonb) as d(day)`)
    .innerJoin(leaves, and(coversDay(of), sql`d.day::date between ${leaves.from} and ${leaves.until}`))
    .orderBy(day);
  return rows.map((row) => row.day);
}
