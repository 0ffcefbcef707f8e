import { randomUUID } from "node:crypto";
import { and, asc, eq } from "drizzle-orm";
import { type DraftLine, doctors, medicineFavourites } from "#app/db/schema/index.ts";
import { opened, sealed } from "#app/db/sealed.server.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { language } from "#app/lib/language.ts";
import { m } from "#app/paraglide/messages.js";
import { oftenWord } from "./dose-sentence.ts";
import { readLine } from "./line.ts";

/** Most favourites of a doctor: more are not found faster than typed. */
const MOST = 24;

export type Favourite = { id: string; line: DraftLine };

/** Returns the favourites of the acting doctor, oldest first. */
export const listFavourites = (ctx: Ctx<Actor>): Promise<Favourite[]> =>
  ctx.db
    .select({ id: medicineFavourites.id, line: opened(medicineFavourites.line) })
    .from(medicineFavourites)
    .where(eq(medicineFavourites.doctorId, ctx.actor.userId))
    .orderBy(asc(medicineFavourites.createdAt), asc(medicineFavourites.id))
    .limit(MOST);

/** Two lines are the same favourite when they read the same. */
const keyOf = (line: DraftLine): string => {
  const read = readLine(line);
  return read.problems ? "" : JSON.stringify({ ...read.line, name: read.line.name.toLowerCase() });
};

/**
 * Adds a complete medicine to the acting doctor's favourites. The same one twice is once.
 * @throws DomainError("forbidden"), "invalid" for an incomplete one, "conflict" when there are too many
 */
export async function addFavourite(ctx: Ctx<Actor>, line: DraftLine): Promise<void> {
  if (ctx.actor.role !== "doctor") throw new DomainError("forbidden");
  if (readLine(line).problems) throw new DomainError("invalid", m.visit_favourite_incomplete());
  return transact(ctx, async (tx) => {
    await tx.db.select({ id: doctors.id }).from(doctors).where(eq(doctors.id, tx.actor.userId)).for("no key update");
    const known = await listFavourites(tx);
    if (known.some((one) => keyOf(one.line) === keyOf(line))) return;
    if (known.length >= MOST) throw new DomainError("conflict", m.visit_favourites_full({ most: MOST }));
    const id = randomUUID();
    await tx.db
      .insert(medicineFavourites)
      .values({ id, doctorId: tx.actor.userId, line: sealed(medicineFavourites.line, id, line), createdAt: tx.now });
  });
}

/** Returns strength and dose of a favourite in short: "500 mg, 1-0-0-1", "70 mg, 1-0-0-0, once a week". */
export function hintOf(line: DraftLine): string {
  const dose = [line.morning, line.noon, line.evening, line.night].map((amount) => amount || "0").join("-");
  const often = oftenWord(Number(line.every) || 1, language());
  return [line.strength, line.asNeeded === "on" ? m.visit_as_needed().toLowerCase() : dose, often].filter(Boolean).join(", ");
}

/** Removes a favourite of the acting doctor. Idempotent. */
export async function removeFavourite(ctx: Ctx<Actor>, id: string): Promise<void> {
  if (!isUuid(id)) return;
  await ctx.db.delete(medicineFavourites).where(and(eq(medicineFavourites.id, id), eq(medicineFavourites.doctorId, ctx.actor.userId)));
}
