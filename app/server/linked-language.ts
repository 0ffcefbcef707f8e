import { languageCookie, languageCookieOf, languageInAddress } from "#app/http/language.server.ts";
import type { Head } from "#app/http/request-head.ts";

/** Returns the language cookie of a visitor who followed a link with `?lang=` and has chosen no language. */
export function linkedLanguage({ url, headers }: Head): string[] {
  const linked = languageInAddress(url);
  return linked && !languageCookieOf(headers.cookie) ? [languageCookie(linked)] : [];
}
