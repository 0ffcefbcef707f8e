/** Meta tags of a public page for search engines and shared links. Only for visitors, to save bytes for users. */

import type { MetaDescriptor } from "react-router";
import { href } from "react-router";
import { BASE_LANGUAGE, LANGUAGES, type Language, language } from "#app/lib/language.ts";
import { m } from "#app/paraglide/messages.js";

export type PublicPage = {
  title: string;
  description: string;
  /** Canonical URL, absolute. Null: not indexed. */
  url: string | null;
  /** Address of the picture for shared links, without its origin (domains/share-cards). Default: that of Nadi. */
  card?: string | null;
  type?: "website" | "profile";
  /** schema.org data without its context. React Router escapes `<`, `>` and `&`. */
  data?: object;
};

/** Returns the URL of a public page in one language. English has none in its URL, which shows the visitor's own language. */
export function inLanguage(url: string, chosen: Language): string {
  return chosen === BASE_LANGUAGE ? url : `${url}${url.includes("?") ? "&" : "?"}lang=${chosen}`;
}

/** What messengers and social networks show of a shared link. The picture is 1200 × 630 px (domains/share-cards). */
export const shareTags = ({
  title,
  description,
  origin,
  card,
}: {
  title: string;
  description: string;
  origin: string;
  card?: string | null;
}) => [
  { property: "og:title", content: title },
  { property: "og:description", content: description },
  { property: "og:image", content: `${origin}${card ?? `${href("/cards/nadi")}?lang=${language()}`}` },
  { property: "og:image:width", content: "1200" },
  { property: "og:image:height", content: "630" },
  { property: "og:image:alt", content: card ? title : m.common_splash_title() },
  { name: "twitter:card", content: "summary_large_image" },
];

/** Returns the alternate links of each language for crawlers. `url`: absolute, without a language. */
export const alternates = (url: string) => [
  ...LANGUAGES.map((one) => ({ hreflang: one as string, href: inLanguage(url, one) })),
  { hreflang: "x-default", href: url },
];

export function publicPage({ title, description, url, card, type = "website", data }: PublicPage): MetaDescriptor[] {
  return [
    { title: m.ui_title({ page: title }) },
    { name: "description", content: description },
    ...(url
      ? [
          { tagName: "link" as const, rel: "canonical", href: inLanguage(url, language()) },
          ...alternates(url).map(({ hreflang, href }) => ({ tagName: "link" as const, rel: "alternate", hrefLang: hreflang, href })),
          ...shareTags({ title, description, origin: new URL(url).origin, card: card ?? null }),
          { property: "og:type", content: type },
          { property: "og:url", content: inLanguage(url, language()) },
          { property: "og:site_name", content: m.common_app_name() },
        ]
      : [{ name: "robots", content: "noindex, follow" }]),
    ...(data ? [{ "script:ld+json": { "@context": "https://schema.org", ...data } as never }] : []),
  ];
}

/** Returns the meta tags of a page for visitors and patients. A patient's has a title only. */
export function openPage(
  loaderData: { visitor: boolean; origin: string } | undefined,
  { path, ...page }: { title: string; description: string; path: string },
): MetaDescriptor[] {
  if (!loaderData?.visitor) return [{ title: m.ui_title({ page: page.title }) }];
  return publicPage({ ...page, url: loaderData.origin + path });
}
