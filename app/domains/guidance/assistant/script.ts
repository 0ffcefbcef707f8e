/** Returns the language of the script that most letters of a text have; null for Latin letters or none. */
export function scriptOf(text: string): "te" | "hi" | null {
  const count = (letters: RegExp) => text.slice(0, 5000).match(letters)?.length ?? 0;
  const [telugu, devanagari, latin] = [count(/\p{Script=Telugu}/gu), count(/\p{Script=Devanagari}/gu), count(/\p{Script=Latin}/gu)];
  if (Math.max(telugu, devanagari) * 2 < latin || telugu === devanagari) return null;
  return telugu > devanagari ? "te" : "hi";
}
