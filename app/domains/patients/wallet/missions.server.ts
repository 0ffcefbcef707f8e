import { sql } from "drizzle-orm";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import type { MissionKey } from "./wallet.ts";

/** Returns the acting patient's progress in each mission. */
export const readProgress = (ctx: Ctx<Actor>) => readProgressOf(ctx, ctx.actor.userId);

/** Returns a patient's progress in each mission. */
export async function readProgressOf(ctx: Ctx, patientId: string): Promise<Record<MissionKey, number>> {
  const [row] = (await ctx.db.execute(sql`
    select num_nonnulls(nullif(btrim(p.name), ''), p.date_of_birth, p.gender) as profile,
      (select count(*)::int from appointments a where a.patient_id = p.id and a.status = 'completed') as visits,
      (select count(*)::int from appointments a where a.patient_id = p.id and a.status = 'completed'
        and exists (select from medical_records r where r.appointment_id = a.id and r.created_at <= a.completed_at)) as documents
    from patients p where p.id = ${patientId}`)) as unknown as { profile: number; visits: number; documents: number }[];
  const { profile, visits, documents } = row ?? { profile: 0, visits: 0, documents: 0 };
  return { profile, "first-visit": visits, papers: documents, "three-visits": visits };
}
