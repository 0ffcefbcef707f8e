import { and, desc, eq, exists, inArray, isNotNull, sql } from "drizzle-orm";
import { doctors, encounters, type VisitPatient, visitDocuments } from "#app/db/schema/index.ts";
import { opened } from "#app/db/sealed.server.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { recordRead } from "#app/domains/platform/audit/record.server.ts";
import type { DateKey } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import type { VisitDocumentState } from "#app/lib/vocabulary.ts";
import type { SignedContent } from "./content.ts";
import { readSigned, signedRow } from "./verify.server.ts";

/** A signed document with its state. */
export type SignedDocument = { content: SignedContent; state: Exclude<VisitDocumentState, "draft" | "discarded">; endedAt: Date | null };
/** A visit of which something is signed. */
export type SignedVisit = {
  id: string;
  date: DateKey;
  appointmentId: string | null;
  doctor: { id: string; name: string };
  patient: VisitPatient;
  followUpOn: DateKey | null;
  /** The latest first. One whose signature does not match is left out. */
  documents: SignedDocument[];
};

const signedOf = (db: Ctx["db"]) =>
  exists(
    db
      .select({ one: sql`1` })
      .from(visitDocuments)
      .where(and(eq(visitDocuments.encounterId, encounters.id), isNotNull(visitDocuments.signedAt))),
  );

const selectVisits = (ctx: Ctx, where: Parameters<typeof and>[0]) =>
  ctx.db
    .select({
      id: encounters.id,
      date: encounters.date,
      appointmentId: encounters.appointmentId,
      doctorId: encounters.doctorId,
      doctor: doctors.fullName,
      patientId: encounters.patientId,
      patient: opened(encounters.patient),
      followUpOn: encounters.followUpOn,
    })
    .from(encounters)
    .innerJoin(doctors, eq(doctors.id, encounters.doctorId))
    .where(and(where, signedOf(ctx.db)))
    .orderBy(desc(encounters.date), desc(encounters.id));

async function withDocuments(ctx: Ctx, visits: Awaited<ReturnType<typeof selectVisits>>): Promise<SignedVisit[]> {
  if (!visits.length) return [];
  const rows = await ctx.db
    .select({
      ...signedRow,
      visitId: visitDocuments.encounterId,
      state: visitDocuments.state,
      endedAt: visitDocuments.endedAt,
      content: opened(visitDocuments.content, visitDocuments.dataKey),
    })
    .from(visitDocuments)
    .where(
      and(
        inArray(
          visitDocuments.encounterId,
          visits.map(({ id }) => id),
        ),
        isNotNull(visitDocuments.signedAt),
      ),
    )
    .orderBy(desc(visitDocuments.signedAt));
  const documents = new Map<string, SignedDocument[]>();
  for (const row of rows) {
    const { visitId, state, endedAt } = row;
    const content = await readSigned(ctx, row);
    if (!content || state === "draft" || state === "discarded") continue;
    documents.set(visitId, [...(documents.get(visitId) ?? []), { content, state, endedAt }]);
  }
  return visits.map(({ doctorId, doctor, patientId: _, ...visit }) => ({
    ...visit,
    doctor: { id: doctorId, name: doctor },
    documents: documents.get(visit.id) ?? [],
  }));
}

/** Returns the visits of the acting patient's account of which something is signed, the latest first. */
export async function listSignedVisits(
  ctx: Ctx<Actor>,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ visits: SignedVisit[]; hasMore: boolean }> {
  if (ctx.actor.role !== "patient") throw new DomainError("forbidden");
  const rows = await selectVisits(ctx, eq(encounters.patientId, ctx.actor.userId))
    .limit(limit + 1)
    .offset(offset);
  return { visits: await withDocuments(ctx, rows.slice(0, limit)), hasMore: rows.length > limit };
}

/**
 * Returns a visit with its signed documents: to its patient or its doctor. The reading of a doctor is logged.
 * @throws DomainError("not-found"), also while nothing is signed
 */
export async function getSignedVisit(ctx: Ctx<Actor>, id: string | undefined): Promise<SignedVisit> {
  const { role, userId } = ctx.actor;
  if (!isUuid(id) || (role !== "patient" && role !== "doctor")) throw new DomainError("not-found");
  const mine = role === "doctor" ? eq(encounters.doctorId, userId) : eq(encounters.patientId, userId);
  const rows = await selectVisits(ctx, and(eq(encounters.id, id), mine));
  const [visit] = await withDocuments(ctx, rows);
  if (!visit) throw new DomainError("not-found");
  if (role === "doctor")
    await recordRead(ctx, { action: "read-visit", subjectType: "visit", subjectId: visit.id, personId: rows[0]?.patientId ?? null });
  return visit;
}
