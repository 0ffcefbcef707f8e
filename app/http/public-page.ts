/** What search engines and shared links are told of a public page. Visitors alone get it: nobody else's first view pays for it. */
import type { MetaDescriptor } from "react-router";
import { m } from "#app/paraglide/messages.js";

export type PublicPage = {
  title: string;
  description: string;
  /** The one address of this page, whole; null keeps it out of search engines. */
  url: string | null;
  /** Whole address of a picture. */
  image?: string | null;
  type?: "website" | "profile";
  /** schema.org, without its context. React Router writes it with every `<`, `>` and `&` escaped. */
  data?: Record<string, unknown>;
};

export function publicPage({ title, description, url, image, type = "website", data }: PublicPage): MetaDescriptor[] {
  return [
    { title: m.ui_title({ page: title }) },
    { name: "description", content: description },
    ...(url
      ? [
          { tagName: "link" as const, rel: "canonical", href: url },
          { property: "og:title", content: title },
          { property: "og:description", content: description },
          { property: "og:type", content: type },
          { property: "og:url", content: url },
          { property: "og:site_name", content: m.common_app_name() },
          ...(image ? [{ property: "og:image", content: image }] : []),
        ]
      : [{ name: "robots", content: "noindex, follow" }]),
    ...(data ? [{ "script:ld+json": { "@context": "https://schema.org", ...data } as never }] : []),
  ];
}
