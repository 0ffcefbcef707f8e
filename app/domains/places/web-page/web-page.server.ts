import { and, eq, ne, sql } from "drizzle-orm";
import { hospitals, shortNames } from "#app/db/schema/index.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { spendLimits } from "#app/domains/platform/limits/limit.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";
import { requireActing } from "../members/acting.server.ts";
import { lockPlace } from "../members/lock-place.server.ts";

/** Returns the short name of a place and the websites that may show its frame, for an owner. @throws DomainError("not-found" | "forbidden") */
export async function getWebPage(ctx: Ctx<Actor>, hospitalId: string): Promise<{ name: string; slug: string; origins: string[] }> {
  await requireActing(ctx, hospitalId, "manage-staff");
  const [row] = await ctx.db
    .select({ name: hospitals.name, slug: shortNames.slug, origins: hospitals.embedOrigins })
    .from(hospitals)
    .innerJoin(shortNames, and(eq(shortNames.hospitalId, hospitals.id), eq(shortNames.isCurrent, true)))
    .where(eq(hospitals.id, hospitalId));
  if (!row) throw new DomainError("not-found");
  return row;
}

/**
 * Gives a place another short name, as an owner. The old one stays with the place and redirects, so it can be chosen again.
 * @throws DomainError("not-found" | "forbidden" | "too-many"), "conflict" when another place has or had the name
 */
export async function chooseShortName(ctx: Ctx<Actor>, { hospitalId, slug }: { hospitalId: string; slug: string }): Promise<void> {
  const { slug: before } = await getWebPage(ctx, hospitalId);
  if (before === slug) return;
  await spendLimits(ctx, [{ limit: "short-name", key: hospitalId }]);
  await transact(ctx, async (outer) => {
    await lockPlace(outer, hospitalId);
    const tx = await requireActing(outer, hospitalId, "manage-staff");
    await tx.db
      .update(shortNames)
      .set({ isCurrent: false })
      .where(and(eq(shortNames.hospitalId, hospitalId), eq(shortNames.isCurrent, true)));
    const [taken] = await tx.db
      .insert(shortNames)
      .values({ kind: "hospital", slug, hospitalId, createdAt: tx.now })
      .onConflictDoUpdate({
        target: [shortNames.kind, shortNames.slug],
        set: { isCurrent: true },
        setWhere: sql`${shortNames.hospitalId} = ${hospitalId}`,
      })
      .returning({ slug: shortNames.slug });
    if (!taken) throw new DomainError("conflict", m.door_slug_taken(), { fields: { slug: [m.door_slug_taken()] } });
    await recordChange(tx, "choose-short-name", { subject: { hospital: hospitalId }, details: { from: before, to: slug } });
  });
}

/** Sets which websites may show the frame of a place, as an owner. Idempotent. @throws DomainError("not-found" | "forbidden") */
export function setEmbedOrigins(ctx: Ctx<Actor>, { hospitalId, origins }: { hospitalId: string; origins: string[] }): Promise<void> {
  return transact(ctx, async (outer) => {
    const tx = await requireActing(outer, hospitalId, "manage-staff");
    const [changed] = await tx.db
      .update(hospitals)
      .set({ embedOrigins: origins })
      .where(and(eq(hospitals.id, hospitalId), ne(hospitals.embedOrigins, origins)))
      .returning({ id: hospitals.id });
    if (!changed) return;
    await recordChange(tx, "set-embed-origins", { subject: { hospital: hospitalId }, details: { websites: origins.join(" ") } });
  });
}

/** Returns the websites that may show the frame of a place. */
export async function listEmbedOrigins(ctx: Ctx, hospitalId: string): Promise<string[]> {
  const [row] = await ctx.db.select({ origins: hospitals.embedOrigins }).from(hospitals).where(eq(hospitals.id, hospitalId));
  return row?.origins ?? [];
}
