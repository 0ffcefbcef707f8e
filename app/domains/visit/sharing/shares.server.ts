import { randomBytes, randomUUID } from "node:crypto";
import { and, desc, eq, gt, isNotNull, isNull, lt, or, type SQL } from "drizzle-orm";
import { appointments, encounters, medicalRecords, ownRecords, recordShares, visitDocuments } from "#app/db/schema/index.ts";
import { opened } from "#app/db/sealed.server.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { personKeyOf } from "#app/domains/person-key.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { lockAccount, requireOpenAccount } from "#app/domains/platform/users/lock-account.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { days } from "#app/lib/durations.ts";
import { hashToken, isUuid } from "#app/lib/ids.server.ts";
import type { VisitDocumentKind } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import type { Shareable, ShareTarget, ShownShare } from "./share.ts";

/** Most links of an account that are open at once. */
const MOST_LINKS = 50;

/** 128 random bits. */
export const newShareSecret = (): string => randomBytes(16).toString("base64url");

/** SQL: links that open now. */
export const isOpenShare = ({ now }: Pick<Ctx, "now">): SQL =>
  and(isNull(recordShares.endedAt), gt(recordShares.expiresAt, now), lt(recordShares.opened, recordShares.most))!;

const TITLES: Record<VisitDocumentKind, () => string> = {
  prescription: () => m.records_prescription(),
  certificate: () => m.records_certificate(),
  order: () => m.records_order(),
};
/** Returns "Prescription", "Certificate" or "Test order". */
export const documentTitle = (kind: VisitDocumentKind): string => TITLES[kind]();

type Found = Shareable & { personKey: string };

/** Returns a record of the acting patient that a link can open. A signed document must be valid. @throws DomainError("not-found") */
export async function getShareable(ctx: Ctx<Actor>, { kind, id }: ShareTarget): Promise<Found> {
  if (ctx.actor.role !== "patient" || !isUuid(id)) throw new DomainError("not-found");
  const { userId } = ctx.actor;
  if (kind === "signed") {
    const [row] = await ctx.db
      .select({ kind: visitDocuments.kind, personKey: encounters.personKey })
      .from(visitDocuments)
      .innerJoin(encounters, eq(encounters.id, visitDocuments.encounterId))
      .where(and(eq(visitDocuments.id, id), eq(encounters.patientId, userId), eq(visitDocuments.state, "signed")));
    if (!row) throw new DomainError("not-found");
    // A certificate without the name certifies nothing, and a laboratory needs it.
    return { kind, id, title: documentTitle(row.kind), canHideName: row.kind === "prescription", personKey: row.personKey };
  }
  if (kind === "own") {
    const [row] = await ctx.db
      .select({ title: opened(ownRecords.description), personKey: ownRecords.personKey })
      .from(ownRecords)
      .where(and(eq(ownRecords.id, id), eq(ownRecords.patientId, userId)));
    if (!row) throw new DomainError("not-found");
    return { kind, id, ...row, canHideName: false };
  }
  const [row] = await ctx.db
    .select({ title: opened(medicalRecords.description), name: appointments.patientName })
    .from(medicalRecords)
    .innerJoin(appointments, eq(appointments.id, medicalRecords.appointmentId))
    .where(and(eq(medicalRecords.id, id), eq(appointments.patientId, userId)));
  if (!row) throw new DomainError("not-found");
  return { kind, id, title: row.title, canHideName: false, personKey: await personKeyOf(ctx, userId, row.name) };
}

const targetOf = ({ kind, id }: ShareTarget) => ({
  documentId: kind === "signed" ? id : null,
  ownRecordId: kind === "own" ? id : null,
  medicalRecordId: kind === "attached" ? id : null,
});

/**
 * Makes a link to one record of the acting patient. Returns its secret, which is stored nowhere.
 * @throws DomainError("not-found" | "unauthenticated"), "conflict" when too many links are open
 */
export async function createShare(
  ctx: Ctx<Actor>,
  target: ShareTarget,
  input: { days: number; times: number; showsName: boolean },
): Promise<string> {
  const secret = newShareSecret();
  await transact(ctx, async (tx) => {
    // Two tabs count one after the other.
    await lockAccount(tx, tx.actor.userId);
    await requireOpenAccount(tx);
    const found = await getShareable(tx, target);
    const open = await tx.db.$count(recordShares, and(eq(recordShares.patientId, tx.actor.userId), isOpenShare(tx)));
    if (open >= MOST_LINKS) throw new DomainError("conflict", m.shares_full({ count: String(MOST_LINKS) }));
    const id = randomUUID();
    await tx.db.insert(recordShares).values({
      id,
      patientId: tx.actor.userId,
      personKey: found.personKey,
      ...targetOf(target),
      secretHash: hashToken(secret),
      showsName: input.showsName && found.canHideName,
      most: input.times,
      createdAt: tx.now,
      expiresAt: new Date(tx.now.getTime() + days(input.days)),
    });
    const details = { days: input.days, times: input.times };
    await recordChange(tx, "share-record", { subject: { "record-share": id }, people: { patient: tx.actor.userId }, details });
  });
  return secret;
}

/** Ends a link of the acting patient: its next opening is refused. Idempotent. @throws DomainError("not-found") */
export async function endShare(ctx: Ctx<Actor>, id: string | undefined): Promise<void> {
  if (ctx.actor.role !== "patient" || !isUuid(id)) throw new DomainError("not-found");
  const { userId } = ctx.actor;
  const own = and(eq(recordShares.id, id), eq(recordShares.patientId, userId));
  await transact(ctx, async (tx) => {
    const [ended] = await tx.db
      .update(recordShares)
      .set({ endedAt: tx.now })
      .where(and(own, isNull(recordShares.endedAt)))
      .returning({ id: recordShares.id });
    if (ended) await recordChange(tx, "end-record-share", { subject: { "record-share": id }, people: { patient: userId } });
    else if (!(await tx.db.$count(recordShares, own))) throw new DomainError("not-found");
  });
}

/** Days that an expired link stays in the patient's list. The access log keeps when it was made and opened. */
const SHOWN_DAYS = 90;

/** Deletes links that expired long ago. Part of the hourly sweep. */
export async function sweepShares(ctx: Ctx): Promise<void> {
  await ctx.db.delete(recordShares).where(lt(recordShares.expiresAt, new Date(ctx.now.getTime() - days(SHOWN_DAYS))));
}

/** Counts the open links to the records of a person of the acting patient. */
export const countOpenShares = (ctx: Ctx<Actor>, person: { key: string }): Promise<number> =>
  ctx.db.$count(recordShares, and(eq(recordShares.patientId, ctx.actor.userId), eq(recordShares.personKey, person.key), isOpenShare(ctx)));

/** Most links on a page. */
const MOST_SHOWN = 50;

/** Returns the links of the acting patient to the records of a person, or to one record; open ones first, the latest first. */
export async function listShares(ctx: Ctx<Actor>, of: { key: string } | ShareTarget): Promise<ShownShare[]> {
  const which =
    "key" in of
      ? eq(recordShares.personKey, of.key)
      : or(
          ...(of.kind === "signed"
            ? [eq(recordShares.documentId, of.id)]
            : of.kind === "own"
              ? [eq(recordShares.ownRecordId, of.id)]
              : [eq(recordShares.medicalRecordId, of.id)]),
        );
  const rows = await ctx.db
    .select({
      id: recordShares.id,
      document: visitDocuments.kind,
      own: { id: ownRecords.id, title: opened(ownRecords.description) },
      attached: { id: medicalRecords.id, title: opened(medicalRecords.description) },
      opened: recordShares.opened,
      most: recordShares.most,
      lastOpenedAt: recordShares.lastOpenedAt,
      expiresAt: recordShares.expiresAt,
      endedAt: recordShares.endedAt,
    })
    .from(recordShares)
    .leftJoin(visitDocuments, and(eq(visitDocuments.id, recordShares.documentId), isNotNull(visitDocuments.signedAt)))
    .leftJoin(ownRecords, eq(ownRecords.id, recordShares.ownRecordId))
    .leftJoin(medicalRecords, eq(medicalRecords.id, recordShares.medicalRecordId))
    .where(and(eq(recordShares.patientId, ctx.actor.userId), which))
    .orderBy(desc(recordShares.createdAt))
    .limit(MOST_SHOWN);
  const shown = rows.map(
    ({ document, own, attached, endedAt, ...row }): ShownShare => ({
      ...row,
      title: document ? documentTitle(document) : (own?.title ?? attached?.title ?? ""),
      isLive: endedAt === null && row.expiresAt > ctx.now && row.opened < row.most,
    }),
  );
  return [...shown.filter((one) => one.isLive), ...shown.filter((one) => !one.isLive)];
}
