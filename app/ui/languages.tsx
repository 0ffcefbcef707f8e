import { href, useLocation } from "react-router";
import { LANGUAGE_NAMES, LANGUAGES, language } from "#app/lib/language.ts";
import { m } from "#app/paraglide/messages.js";

/** URL that stores the chosen language (routes/public/language.tsx). */
export const LANGUAGE_PATH = href("/language");

/**
 * The language switch: each language by its own name. Always loads a new document, because a document has one language. `from`:
 * the page to return to (default: this one). `others`: without the current language, in the top bar.
 */
export function Languages({ from, others }: { from?: string; others?: boolean }) {
  const { pathname, search } = useLocation();
  return (
    <form method="post" action={LANGUAGE_PATH} className={others ? "flex flex-none gap-1.5" : "row flex-wrap"} aria-label={m.ui_language()}>
      <input type="hidden" name="from" value={from ?? pathname + search} />
      {LANGUAGES.filter((one) => !others || one !== language()).map((one) => (
        <button
          key={one}
          type="submit"
          className={others ? "chip px-3" : "chip"}
          name="language"
          value={one}
          lang={one}
          aria-current={one === language() ? "true" : undefined}
        >
          {LANGUAGE_NAMES[one]}
        </button>
      ))}
    </form>
  );
}
