/** Language of a request, in this order: `?lang=`, the account, the cookie, Accept-Language, English. */
import { BASE_LANGUAGE, isLanguage, LANGUAGES, type Language } from "#app/lib/language.ts";
import { readCookie, writeCookie } from "./cookies.server.ts";

const NAME = "lang";
const YEAR = 31_536_000;

export const languageCookie = (chosen: Language) => writeCookie(NAME, chosen, YEAR);
/** Reads the language chosen in this browser. */
export function languageCookieOf(cookieHeader: string | null | undefined): Language | null {
  const chosen = readCookie(cookieHeader, NAME);
  return isLanguage(chosen) ? chosen : null;
}

/** Returns our best language of an Accept-Language header ("te-IN,te;q=0.9,en;q=0.8"); null when it names none. */
export function acceptedLanguage(header: string | null | undefined): Language | null {
  if (!header || header.length > 1000) return null;
  let best: { language: Language; q: number } | null = null;
  for (const part of header.toLowerCase().split(",")) {
    const [range = "", ...parameters] = part.split(";").map((p) => p.trim());
    const given = parameters.find((p) => p.startsWith("q="))?.slice(2);
    const q = given === undefined ? 1 : /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(given) ? Number(given) : 0;
    const language = range === "*" ? BASE_LANGUAGE : LANGUAGES.find((one) => range === one || range.startsWith(`${one}-`));
    if (language && q > 0 && (!best || q > best.q)) best = { language, q };
  }
  return best?.language ?? null;
}

/** Reads `?lang=te` of a URL, for crawlers and shared links. */
export function languageInAddress(url: string): Language | null {
  const query = url.indexOf("?");
  if (query < 0 || !url.includes("lang=", query)) return null;
  const asked = new URLSearchParams(url.slice(query)).get("lang");
  return isLanguage(asked) ? asked : null;
}

/** Returns the language of a request before its account is known. */
export function languageOfHead({ url, headers }: { url: string; headers: { cookie?: string; "accept-language"?: string } }): Language {
  return languageInAddress(url) ?? languageCookieOf(headers.cookie) ?? acceptedLanguage(headers["accept-language"]) ?? BASE_LANGUAGE;
}
