/** Languages of the product. The first one, English, is the fallback. */
export const LANGUAGES = ["en", "te", "hi"] as const;
export type Language = (typeof LANGUAGES)[number];
export const BASE_LANGUAGE: Language = "en";
/** Name of each language in its own script. */
export const LANGUAGE_NAMES: Record<Language, string> = { en: "English", te: "తెలుగు", hi: "हिन्दी" };

export const isLanguage = (value: unknown): value is Language => (LANGUAGES as readonly unknown[]).includes(value);

/** Returns the current language: in a browser that of the page, on the server that of `withLanguage`. */
export const language = (): Language => source();

let source = (): Language => {
  const page = typeof document === "undefined" ? null : document.documentElement.lang;
  return isLanguage(page) ? page : BASE_LANGUAGE;
};
/** Sets where `language()` reads from. Only for language.server.ts. */
export function setLanguageSource(ask: () => Language): void {
  source = ask;
}
