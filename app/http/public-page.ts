/** What search engines and shared links are told of a public page. Visitors alone get it: nobody else's first view pays for it. */
import type { MetaDescriptor } from "react-router";
import { BASE_LANGUAGE, LANGUAGES, type Language, language } from "#app/lib/language.ts";
import { m } from "#app/paraglide/messages.js";

export type PublicPage = {
  title: string;
  description: string;
  /** The one address of this page, whole; null keeps it out of search engines. */
  url: string | null;
  /** Address of the picture for shared links, without its origin (domains/share-cards). Default: that of Nadi. */
  card?: string | null;
  type?: "website" | "profile";
  /** schema.org, without its context. React Router writes it with every `<`, `>` and `&` escaped. */
  data?: object;
};

/** The address of a public page in one language; in English it is the plain one, which a visitor gets in their own. */
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
  { property: "og:image", content: `${origin}${card ?? `/cards/nadi?lang=${language()}`}` },
  { property: "og:image:width", content: "1200" },
  { property: "og:image:height", content: "630" },
  { property: "og:image:alt", content: card ? title : m.common_splash_title() },
  { name: "twitter:card", content: "summary_large_image" },
];

/** For crawlers: the same page in each language. `url` is whole and without a language. */
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

/** The same for a page that visitors and patients share: a patient's has a title and nothing else. */
export function openPage(
  loaderData: { visitor: boolean; origin: string } | undefined,
  { path, ...page }: { title: string; description: string; path: string },
): MetaDescriptor[] {
  if (!loaderData?.visitor) return [{ title: m.ui_title({ page: page.title }) }];
  return publicPage({ ...page, url: loaderData.origin + path });
}
