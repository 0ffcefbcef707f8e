import { m } from "#app/paraglide/messages.js";
import { Languages } from "#app/ui/languages.tsx";

/** The language of pages, emails and SMS: a section of the settings. */
export function LanguageSetting() {
  return (
    <section className="card mt-7" aria-labelledby="h-language">
      <h2 id="h-language" className="mb-3">
        {m.ui_language()}
      </h2>
      <Languages />
    </section>
  );
}
