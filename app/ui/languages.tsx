import { useLocation } from "react-router";
import { LANGUAGE_NAMES, LANGUAGES, language } from "#app/lib/language.ts";
import { m } from "#app/paraglide/messages.js";

/** Where a choice of language is sent (routes/public/language.tsx). */
export const LANGUAGE_PATH = "/language";

/**
 * The switch: each language by its own name. A plain form, also where scripts run, because the words of another language
 * come with another document. `from`: the page to come back to, this one unless told. `others`: without the one that is spoken.
 */
export function Languages({ from, others }: { from?: string; others?: boolean }) {
  const { pathname, search } = useLocation();
  return (
    <form method="post" action={LANGUAGE_PATH} className="row wrap" aria-label={m.ui_language()}>
      <input type="hidden" name="from" value={from ?? pathname + search} />
      {LANGUAGES.filter((one) => !others || one !== language()).map((one) => (
        <button
          key={one}
          type="submit"
          className="chip"
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
