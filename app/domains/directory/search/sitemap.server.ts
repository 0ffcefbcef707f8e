import { asc, max, type SQL, sql } from "drizzle-orm";
import { doctors, hospitals } from "#app/db/schema/index.ts";
import { listedDoctor, listedHospital } from "#app/db/schema/visibility.ts";
import type { Ctx } from "#app/domains/context.server.ts";

/** URLs in one file. The protocol allows 50,000. */
const SITEMAP_PAGE = 5_000;
export const SITEMAP_KINDS = ["doctors", "hospitals"] as const;
export type SitemapKind = (typeof SITEMAP_KINDS)[number];

const TABLES = {
  doctors: { of: doctors, shown: listedDoctor(doctors), path: "/details/doctor/" },
  hospitals: { of: hospitals, shown: listedHospital(hospitals), path: "/hospital/" },
} satisfies Record<SitemapKind, { of: typeof doctors | typeof hospitals; shown: SQL; path: string }>;

/** Counts the files of each kind, at least one, with the last change of a page in them. */
export async function countSitemaps(ctx: Ctx): Promise<Record<SitemapKind, { files: number; changedAt: Date | null }>> {
  const pages = async (kind: SitemapKind) => {
    const { of, shown } = TABLES[kind];
    const [row] = await ctx.db
      .select({ n: sql<number>`count(*)::int`, last: max(of.updatedAt) })
      .from(of)
      .where(shown);
    return { files: Math.max(1, Math.ceil((row?.n ?? 0) / SITEMAP_PAGE)), changedAt: row?.last ?? null };
  };
  const [ofDoctors, ofHospitals] = await Promise.all([pages("doctors"), pages("hospitals")]);
  return { doctors: ofDoctors, hospitals: ofHospitals };
}

/** Returns the pages of one file in the order of their ids. */
export async function listSitemap(ctx: Ctx, kind: SitemapKind, page: number): Promise<{ path: string; changedAt: Date }[]> {
  const { of, shown, path } = TABLES[kind];
  const rows = await ctx.db
    .select({ id: of.id, changedAt: of.updatedAt })
    .from(of)
    .where(shown)
    .orderBy(asc(of.id))
    .limit(SITEMAP_PAGE)
    .offset((page - 1) * SITEMAP_PAGE);
  return rows.map(({ id, changedAt }) => ({ path: path + id, changedAt }));
}
