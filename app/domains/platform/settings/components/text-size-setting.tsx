import { m } from "#app/paraglide/messages.js";
import { useLargerText } from "#app/ui/text-size.ts";

/** The size of text in this browser: a section of the settings. Loads a new document, because its root has the size. */
export function TextSizeSetting() {
  const larger = useLargerText();
  const sizes = [
    ["normal", m.settings_text_normal(), !larger],
    ["larger", m.settings_text_larger(), larger],
  ] as const;
  return (
    <section className="card mt-7" aria-labelledby="h-text">
      <h2 id="h-text" className="mb-3">
        {m.settings_text()}
      </h2>
      <form method="post" className="row flex-wrap">
        <input type="hidden" name="intent" value="text-size" />
        {sizes.map(([size, word, current]) => (
          <button key={size} type="submit" className="chip" name="size" value={size} aria-current={current ? "true" : undefined}>
            {word}
          </button>
        ))}
      </form>
    </section>
  );
}
