/** The language of the current request or job on the server. */
import { AsyncLocalStorage } from "node:async_hooks";
import { overwriteGetLocale } from "#app/paraglide/runtime.js";
import { BASE_LANGUAGE, type Language, language, setLanguageSource } from "./language.ts";

const storage = new AsyncLocalStorage<{ language: Language }>();
setLanguageSource(() => storage.getStore()?.language ?? BASE_LANGUAGE);
// Messages (`m.…()`) ask Paraglide for the locale.
overwriteGetLocale(language);

/** Runs `work` and everything it awaits in this language: `withLanguage(user.language, () => send(…))`. Null: English. */
export function withLanguage<T>(chosen: Language | null | undefined, work: () => T): T {
  return storage.run({ language: chosen ?? BASE_LANGUAGE }, work);
}

/** Switches the rest of this request to the user's language, which is known only after the session is read. No effect outside a request. */
export function switchLanguage(chosen: Language): void {
  const current = storage.getStore();
  if (current) current.language = chosen;
}
