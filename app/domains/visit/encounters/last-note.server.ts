import { and, desc, eq, type SQL } from "drizzle-orm";
import { doctors, encounters, visitDocuments, visitNotes } from "#app/db/schema/index.ts";
import { opened } from "#app/db/sealed.server.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import type { OwnVisit } from "./own-visit.server.ts";

/** Returns the note of the doctor's last signed visit with this patient, with its writer; undefined without one. `also`: which notes. */
export async function findLastNote(ctx: Ctx, visit: OwnVisit, also?: SQL) {
  const [last] = await ctx.db
    .select({ note: opened(visitNotes.content, visitNotes.dataKey), signedAt: visitNotes.signedAt, doctor: doctors.fullName })
    .from(visitNotes)
    .innerJoin(visitDocuments, eq(visitDocuments.id, visitNotes.documentId))
    .innerJoin(encounters, eq(encounters.id, visitDocuments.encounterId))
    .innerJoin(doctors, eq(doctors.id, encounters.doctorId))
    .where(and(eq(encounters.doctorId, visit.doctorId), eq(encounters.personKey, visit.personKey), also))
    .orderBy(desc(visitNotes.signedAt))
    .limit(1);
  return last;
}
