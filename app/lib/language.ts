/** The languages of the product. This file and language.server.ts are the only ones that know which there are. */

/** English first: what has not been said in another language is said in it. */
export const LANGUAGES = ["en", "te", "hi"] as const;
export type Language = (typeof LANGUAGES)[number];
export const BASE_LANGUAGE: Language = "en";
/** Each by its own name, in its own script. */
export const LANGUAGE_NAMES: Record<Language, string> = { en: "English", te: "తెలుగు", hi: "हिन्दी" };

export const isLanguage = (value: unknown): value is Language => (LANGUAGES as readonly unknown[]).includes(value);

/** The language of what is being said now: in a browser the page's, on the server that of `withLanguage`. */
export const language = (): Language => source();

let source = (): Language => {
  const page = typeof document === "undefined" ? null : document.documentElement.lang;
  return isLanguage(page) ? page : BASE_LANGUAGE;
};
/** For language.server.ts alone: where `language()` looks. */
export function setLanguageSource(ask: () => Language): void {
  source = ask;
}

/** The folder of the build that holds a language's scripts: the page's own language alone is sent. */
export const assetsOf = (chosen: Language): string => (chosen === BASE_LANGUAGE ? "assets" : `assets-${chosen}`);
