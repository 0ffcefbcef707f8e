const segmenter = new Intl.Segmenter("und", { granularity: "grapheme" });

/** Returns what a reader sees as single characters: "క్ష" is one. */
export const graphemesOf = (text: string): string[] => Array.from(segmenter.segment(text), ({ segment }) => segment);

/**
 * Cuts a text to this many characters as a reader counts them, between words where that keeps more than half of them: "Dr. Ven..", not
 * "Dr...". Never use it for a time or a code.
 */
export function cutText(text: string, most: number): string {
  // A character has one unit at least: most texts need no look at them.
  if (text.length <= most) return text;
  const all = graphemesOf(text);
  if (all.length <= most) return text;
  const kept = Math.max(1, most - 2);
  const cut = all.slice(0, kept).join("");
  const end = all[kept] === " " ? cut.length : cut.lastIndexOf(" ");
  return `${end > cut.length / 2 ? cut.slice(0, end) : cut}..`;
}

/** Cuts a text to this many units of UTF-16, as another service counts them, and never within what a reader sees as one character. */
export function fitText(text: string, most: number): string {
  if (text.length <= most) return text;
  let fitting = "";
  for (const one of graphemesOf(text)) {
    if (fitting.length + one.length > most) break;
    fitting += one;
  }
  return fitting.trimEnd();
}
