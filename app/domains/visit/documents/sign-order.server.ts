import { and, eq } from "drizzle-orm";
import { encounters, visitDocuments } from "#app/db/schema/index.ts";
import { opened } from "#app/db/sealed.server.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { m } from "#app/paraglide/messages.js";
import { type OwnVisit, openEncounter } from "../encounters/own-visit.server.ts";
import { requireHeads } from "./compose.server.ts";
import type { OrderContent } from "./content.ts";
import type { OrderInput } from "./order.schema.ts";
import { ORDER_FIELDS } from "./order.ts";
import { signAtOnce } from "./sign-at-once.server.ts";
import { noticeOf, supersede } from "./sign-visit.server.ts";
import { readSigned, signedRow } from "./verify.server.ts";

type Unsigned = Omit<OrderContent, "id" | "code" | "signedAt" | "replaces">;

/** Returns the order of a form as it would be signed. @throws as requireHeads */
export async function composeOrder(ctx: Ctx, visit: OwnVisit, input: OrderInput): Promise<Unsigned> {
  const heads = await requireHeads(ctx, visit, input);
  const tests = [...new Set(ORDER_FIELDS.flatMap((name) => input[name] || []))];
  return { ...heads, kind: "order", tests, words: input.words ?? "" };
}

/**
 * Returns the valid order of a visit that a correction replaces.
 * @throws DomainError("not-found"), "conflict" when it is not valid any more
 */
export async function getOrder(ctx: Ctx<Actor>, visit: OwnVisit, id: string | undefined): Promise<OrderContent> {
  if (!isUuid(id)) throw new DomainError("not-found");
  const [row] = await ctx.db
    .select({ ...signedRow, state: visitDocuments.state, content: opened(visitDocuments.content, visitDocuments.dataKey) })
    .from(visitDocuments)
    .where(and(eq(visitDocuments.id, id), eq(visitDocuments.encounterId, visit.id), eq(visitDocuments.kind, "order")));
  const content = row && (await readSigned(ctx, row));
  if (content?.kind !== "order") throw new DomainError("not-found");
  if (row?.state !== "signed") throw new DomainError("conflict", m.visit_not_valid_any_more());
  return content;
}

/**
 * Signs an order of tests of a visit. It cannot be changed from then on: it is cancelled, or `replaces` names the order that this one corrects.
 * A visit can have several. Returns its id.
 * @throws DomainError("not-found"), "conflict" before the visit is open or when the corrected one is not valid any more, "invalid" with what is
 * missing by field
 */
export function signOrder(ctx: Ctx<Actor>, visitId: string | undefined, input: OrderInput): Promise<string> {
  return transact(ctx, async (tx) => {
    const visit = await openEncounter(tx, visitId);
    await tx.db.select({ id: encounters.id }).from(encounters).where(eq(encounters.id, visit.id)).for("no key update");
    const unsigned = await composeOrder(tx, visit, input);
    const old = input.replaces === undefined ? null : await getOrder(tx, visit, input.replaces);
    if (old) await supersede(tx, visit, old.id);
    const { tests, words } = unsigned;
    const id = await signAtOnce(tx, visit, unsigned, {
      draft: { tests, words },
      replaces: old && { id: old.id, code: old.code },
    });
    await recordChange(tx, "sign-order", {
      subject: { visit: visit.id },
      people: { patient: visit.patientId },
      notify: { patient: await noticeOf(tx, visit, old ? "order-replaced" : "order-signed") },
    });
    return id;
  });
}
