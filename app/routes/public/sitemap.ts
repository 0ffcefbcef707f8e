import { href } from "react-router";
import { countSitemaps, listSitemap, SITEMAP_KINDS } from "#app/domains/directory/search/sitemap.server.ts";
import { loadOpen } from "#app/http/open-load.server.ts";
import { alternates, inLanguage } from "#app/http/public-page.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { LANGUAGES } from "#app/lib/language.ts";
import { env } from "#app/runtime/env.server.ts";
import type { Route } from "./+types/sitemap.ts";

const PAGES = [
  "/",
  href("/choose-role"),
  href("/patient/emergency-contact"),
  href("/find-a-doctor"),
  href("/doctorspages/Cards-data"),
  href("/hospitalpages/Cards-data"),
  href("/patient/help"),
  href("/patient/terms"),
  href("/patient/contact-us"),
  href("/accessibility"),
];
const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';
const SPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
const LINKS = 'xmlns:xhtml="http://www.w3.org/1999/xhtml"';

/** `/sitemap.xml` lists the files; `/sitemaps/doctors-1.xml` etc. contain the URLs. */
export const loader = loadOpen(async (ctx, { params }: Route.LoaderArgs) => {
  const { origin } = env().appUrl;
  if (!("name" in params)) {
    const counts = await countSitemaps(ctx);
    const fileOf = (name: string, changed = "") => `<sitemap><loc>${origin}/sitemaps/${name}.xml</loc>${changed}</sitemap>`;
    const listed = SITEMAP_KINDS.flatMap((kind) =>
      Array.from({ length: counts[kind].files }, (_, i) => fileOf(`${kind}-${i + 1}`, lastmod(counts[kind].changedAt))),
    );
    const files = [fileOf("pages"), ...listed];
    return xml(`<sitemapindex ${SPACE}>\n${files.join("\n")}\n</sitemapindex>`);
  }
  if (params.name === "pages.xml") return xml(urls(PAGES.flatMap((path) => entries(origin + path))));
  const [, kind, page] = /^(doctors|hospitals)-([1-9]\d{0,3})\.xml$/.exec(params.name ?? "") ?? [];
  const found = kind ? await listSitemap(ctx, kind as "doctors" | "hospitals", Number(page)) : [];
  if (!kind || (found.length === 0 && page !== "1")) throw new DomainError("not-found");
  return xml(urls(found.flatMap(({ path, changedAt }) => entries(origin + path, lastmod(changedAt)))));
});

const lastmod = (changedAt: Date | null) => (changedAt ? `<lastmod>${changedAt.toISOString()}</lastmod>` : "");

/** Returns the entries of a page: a URL for each language, each with its alternates. */
function entries(url: string, changed = ""): string[] {
  const others = alternates(url)
    .map(({ hreflang, href }) => `<xhtml:link rel="alternate" hreflang="${hreflang}" href="${href}"/>`)
    .join("");
  return LANGUAGES.map((one) => `<loc>${inLanguage(url, one)}</loc>${others}${changed}`);
}
const urls = (all: string[]) => `<urlset ${SPACE} ${LINKS}>\n${all.map((entry) => `<url>${entry}</url>`).join("\n")}\n</urlset>`;
const xml = (body: string) =>
  new Response(`${HEAD}${body}\n`, {
    headers: { "Content-Type": "application/xml; charset=utf-8", "Cache-Control": "public, max-age=3600" },
  });
