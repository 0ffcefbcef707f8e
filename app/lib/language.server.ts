/** Which language the server speaks, request by request and person by person. */
import { AsyncLocalStorage } from "node:async_hooks";
import { overwriteGetLocale } from "#app/paraglide/runtime.js";
import { BASE_LANGUAGE, type Language, language, setLanguageSource } from "./language.ts";

const speaking = new AsyncLocalStorage<{ language: Language }>();
setLanguageSource(() => speaking.getStore()?.language ?? BASE_LANGUAGE);
// The sentences (`m.…()`) ask Paraglide.
overwriteGetLocale(language);

/** Runs `work`, and all that follows from it, in this language: `withLanguage(user.language, () => send(…))`. Null: English. */
export function withLanguage<T>(chosen: Language | null | undefined, work: () => T): T {
  return speaking.run({ language: chosen ?? BASE_LANGUAGE }, work);
}

/** From here on this request speaks another language: its person has turned out to have one. Outside a request nothing changes. */
export function speakFromHere(chosen: Language): void {
  const here = speaking.getStore();
  if (here) here.language = chosen;
}
