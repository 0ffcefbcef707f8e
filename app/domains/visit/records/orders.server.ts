import { and, desc, eq, inArray, isNotNull } from "drizzle-orm";
import { encounters, ownRecords, visitDocuments } from "#app/db/schema/index.ts";
import { opened } from "#app/db/sealed.server.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import type { DateKey } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import type { VisitDocumentState } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { readSigned, signedRow } from "../documents/verify.server.ts";

/** A signed order of tests: where it is from, and whose it is. */
export type OwnOrder = { id: string; visitId: string; doctorId: string; date: DateKey; personKey: string; tests: string[] };

/** A signed order as a query reads it, joined with its visit. */
export const orderRow = {
  ...signedRow,
  state: visitDocuments.state,
  content: opened(visitDocuments.content, visitDocuments.dataKey),
  visitId: encounters.id,
  doctorId: encounters.doctorId,
  date: encounters.date,
  personKey: encounters.personKey,
};

/**
 * Returns a valid order of the acting patient's account, for which a result can be added.
 * @throws DomainError("not-found"), "conflict" when it is not valid any more
 */
export async function getOwnOrder(ctx: Ctx<Actor>, id: string | undefined): Promise<OwnOrder> {
  if (ctx.actor.role !== "patient" || !isUuid(id)) throw new DomainError("not-found");
  const [row] = await ctx.db
    .select(orderRow)
    .from(visitDocuments)
    .innerJoin(encounters, eq(encounters.id, visitDocuments.encounterId))
    .where(and(eq(visitDocuments.id, id), eq(visitDocuments.kind, "order"), eq(encounters.patientId, ctx.actor.userId)));
  const content = row && (await readSigned(ctx, row));
  if (!row || content?.kind !== "order") throw new DomainError("not-found");
  if (row.state !== "signed") throw new DomainError("conflict", m.order_not_valid());
  const { visitId, doctorId, date, personKey } = row;
  return { id, visitId, doctorId, date, personKey, tests: content.tests };
}

/** A signed order of a visit with its results. */
export type ShownOrder = {
  documentId: string;
  state: VisitDocumentState;
  tests: string[];
  results: { fileId: string; description: string; date: DateKey }[];
};

/** Reads the signed orders of a visit, the latest first. A changed row is left out. The caller checks who may see it. */
export async function listOrders(ctx: Ctx, visitId: string): Promise<ShownOrder[]> {
  const rows = await ctx.db
    .select({ ...signedRow, state: visitDocuments.state, content: opened(visitDocuments.content, visitDocuments.dataKey) })
    .from(visitDocuments)
    .where(and(eq(visitDocuments.encounterId, visitId), eq(visitDocuments.kind, "order"), isNotNull(visitDocuments.signedAt)))
    .orderBy(desc(visitDocuments.signedAt));
  if (!rows.length) return [];
  const results = await ctx.db
    .select({
      id: ownRecords.id,
      orderId: ownRecords.orderId,
      fileId: ownRecords.fileId,
      description: opened(ownRecords.description),
      date: ownRecords.date,
    })
    .from(ownRecords)
    .where(
      inArray(
        ownRecords.orderId,
        rows.map(({ id }) => id),
      ),
    )
    .orderBy(desc(ownRecords.date), desc(ownRecords.createdAt));
  const found = await Promise.all(rows.map(async (row) => ({ row, content: await readSigned(ctx, row) })));
  return found.flatMap(({ row: { id, state }, content }) => {
    if (content?.kind !== "order") return [];
    const own = results.filter((one) => one.orderId === id).map(({ fileId, description, date }) => ({ fileId, description, date }));
    return [{ documentId: id, state, tests: content.tests, results: own }];
  });
}
