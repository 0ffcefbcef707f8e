import { randomBytes, randomUUID } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { hospitals, placeLinks } from "#app/db/schema/index.ts";
import { listedHospital } from "#app/db/schema/visibility.ts";
import { opened, sealed } from "#app/db/sealed.server.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { requireActing } from "#app/domains/places/members/acting.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { spendLimits } from "#app/domains/platform/limits/limit.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { hashToken } from "#app/lib/ids.server.ts";
import type { PlaceLinkKind } from "#app/lib/vocabulary.ts";

const KEY = /^[\w-]{20}$/;
/** 120 random bits: short enough to type on a television. */
const newKey = () => randomBytes(15).toString("base64url");

export type PlaceLink = { id: string; key: string; allowsWalkIns: boolean };

/** Returns the links of a place by kind, for members who run its queues. @throws DomainError("not-found" | "forbidden") */
export async function getPlaceLinks(
  ctx: Ctx<Actor>,
  hospitalId: string,
): Promise<{ place: string; links: Partial<Record<PlaceLinkKind, PlaceLink>> }> {
  await requireActing(ctx, hospitalId, "run-queue");
  const [place] = await ctx.db.select({ name: hospitals.name }).from(hospitals).where(eq(hospitals.id, hospitalId));
  const rows = await ctx.db
    .select({ id: placeLinks.id, kind: placeLinks.kind, key: opened(placeLinks.key), allowsWalkIns: placeLinks.allowsWalkIns })
    .from(placeLinks)
    .where(eq(placeLinks.hospitalId, hospitalId));
  return { place: place!.name, links: Object.fromEntries(rows.map(({ kind, ...link }) => [kind, link])) };
}

/**
 * Gives a link of a place a new key, so that the old one opens nothing. `from`: the id of the link that the pressed button replaces, null for a
 * first one: a second press changes nothing.
 * @throws DomainError("not-found" | "forbidden")
 */
export function replacePlaceLink(ctx: Ctx<Actor>, input: { hospitalId: string; kind: PlaceLinkKind; from: string | null }): Promise<void> {
  const { hospitalId, kind, from } = input;
  return transact(ctx, async (outer) => {
    const tx = await requireActing(outer, hospitalId, "run-queue");
    const own = and(eq(placeLinks.hospitalId, hospitalId), eq(placeLinks.kind, kind));
    const [before] = from
      ? await tx.db
          .delete(placeLinks)
          .where(and(own, eq(placeLinks.id, from)))
          .returning()
      : [];
    if (from && !before) return;
    const id = randomUUID();
    const key = newKey();
    const [made] = await tx.db
      .insert(placeLinks)
      .values({
        id,
        hospitalId,
        kind,
        keyHash: hashToken(key),
        key: sealed(placeLinks.key, id, key),
        allowsWalkIns: before?.allowsWalkIns ?? false,
        createdAt: tx.now,
      })
      .onConflictDoNothing()
      .returning({ id: placeLinks.id });
    if (made) await recordChange(tx, "replace-place-link", { subject: { hospital: hospitalId }, details: { kind } });
  });
}

/** Sets whether patients without a booking can take a token with the counter's QR code. @throws DomainError("not-found" | "forbidden") */
export function setWalkInsByCode(ctx: Ctx<Actor>, input: { hospitalId: string; allowed: boolean }): Promise<void> {
  const { hospitalId, allowed } = input;
  return transact(ctx, async (outer) => {
    const tx = await requireActing(outer, hospitalId, "run-queue");
    const [changed] = await tx.db
      .update(placeLinks)
      .set({ allowsWalkIns: allowed })
      .where(and(eq(placeLinks.hospitalId, hospitalId), eq(placeLinks.kind, "arrive")))
      .returning({ id: placeLinks.id });
    if (!changed) throw new DomainError("not-found");
    await recordChange(tx, "set-walk-ins-by-code", {
      subject: { hospital: hospitalId },
      details: { change: allowed ? "on" : "off" },
    });
  });
}

/** Finds the place of a key and counts wrong keys of an address. @throws DomainError("not-found" | "too-many") */
export async function openPlaceKey(ctx: Ctx, kind: PlaceLinkKind, key: string | undefined) {
  try {
    return await findPlaceOfKey(ctx, kind, key);
  } catch (error) {
    if (error instanceof DomainError && error.code === "not-found") await spendLimits(ctx, [{ limit: "place-key-wrong", address: ctx.ip }]);
    throw error;
  }
}

/** Finds the place of a key. Does not count wrong keys. @throws DomainError("not-found") */
export async function findPlaceOfKey(ctx: Ctx, kind: PlaceLinkKind, key: string | undefined) {
  const [row] =
    key && KEY.test(key)
      ? await ctx.db
          .select({ id: hospitals.id, name: hospitals.name, texts: hospitals.translations, allowsWalkIns: placeLinks.allowsWalkIns })
          .from(placeLinks)
          .innerJoin(hospitals, and(eq(hospitals.id, placeLinks.hospitalId), listedHospital(hospitals)))
          .where(and(eq(placeLinks.keyHash, hashToken(key)), eq(placeLinks.kind, kind)))
      : [];
  if (!row) throw new DomainError("not-found");
  return row;
}
