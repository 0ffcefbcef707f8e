import { LRUCache } from "lru-cache";
import type { Ctx } from "#app/domains/context.server.ts";
import { openPhoto } from "#app/domains/directory/doctors/open-photo.server.ts";
import { refundLimits, spendLimits } from "#app/domains/platform/limits/limit.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { language } from "#app/lib/language.ts";
import { ofDatabase } from "#app/lib/of-start.ts";
import { getPublicDoctor } from "../doctors/queries.server.ts";
import { getPublicHospital } from "../hospitals/directory.server.ts";
import { type CardContent, doctorContent, hospitalContent, siteContent, versionOf } from "./content.server.ts";
import { drawCard } from "./draw-card.server.ts";

/** Cards of about 40 KB. */
const drawn = ofDatabase(new LRUCache<string, Promise<Buffer>>({ max: 100 }));

export type Card = { png: Buffer; version: string };

/**
 * Returns the card of a verified doctor, an active hospital or, without an id, of Nadi, in the language of the request.
 * Concurrent requests share one drawing. Each drawing of a doctor or hospital counts for the network address of the request.
 * @throws DomainError("not-found" | "too-many" | "unavailable")
 */
export async function openCard(ctx: Ctx, kind: string | undefined, id: string | undefined): Promise<Card> {
  const content = await contentOf(ctx, kind, id);
  const version = versionOf(content);
  const key = `${kind} ${id} ${language()} ${version}`;
  if (!drawn.has(key) && kind !== "nadi") {
    const spent = await spendLimits(ctx, [{ limit: "share-card", address: ctx.ip }]);
    // Another request started the same drawing meanwhile.
    if (drawn.has(key)) await refundLimits(ctx, spent);
  }
  return { png: await (drawn.get(key) ?? draw(ctx, key, content)), version };
}

async function contentOf(ctx: Ctx, kind: string | undefined, id: string | undefined): Promise<CardContent> {
  if (kind === "doctor") return doctorContent(await getPublicDoctor(ctx, id));
  if (kind === "nadi" && id === undefined) return siteContent();
  if (kind !== "hospital") throw new DomainError("not-found");
  const hospital = await getPublicHospital(ctx, id);
  if (hospital.mergedInto) throw new DomainError("not-found");
  return hospitalContent(hospital);
}

/** Starts a drawing. The next request retries a failed one. */
function draw(ctx: Ctx, key: string, content: CardContent): Promise<Buffer> {
  const png = (async () => drawCard(content, await photoOf(ctx, content.photo)))();
  drawn.set(key, png);
  png.catch(() => drawn.delete(key));
  return png;
}

/** Returns the photo; null when its bytes are missing, so that the card is drawn without it. */
async function photoOf(ctx: Ctx, photo: string | null): Promise<Buffer | null> {
  if (!photo) return null;
  try {
    return await openPhoto(ctx, photo);
  } catch (error) {
    if (error instanceof DomainError && error.code === "not-found") return null;
    throw error;
  }
}
