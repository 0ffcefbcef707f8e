import { eq } from "drizzle-orm";
import { appointments } from "#app/db/schema/index.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";

/** Returns the practice of each appointment of the acting patient, by its id. */
export async function listPracticesOfVisits(ctx: Ctx<Actor>): Promise<Map<string, string>> {
  const rows = await ctx.db
    .select({ id: appointments.id, practiceId: appointments.practiceId })
    .from(appointments)
    .where(eq(appointments.patientId, ctx.actor.userId));
  return new Map(rows.map(({ id, practiceId }) => [id, practiceId]));
}
