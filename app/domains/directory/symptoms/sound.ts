/**
 * Normalises a word for comparison. Removes signs that writers omit or vary. Compares Latin letters by sound, because romanised
 * Hindi and Telugu have no standard spelling: "seene", "sine" and "siine" are equal.
 */
export function soundOf(word: string): string {
  return (
    word
      .normalize("NFD")
      // Nukta and Latin accents. Chandrabindu is often written as anusvara.
      .replace(/[\u0300-\u036f\u093c\u200b-\u200d]/g, "")
      .replace(/\u0901/g, "\u0902")
      .normalize("NFC")
      .replace(/ee/g, "i")
      .replace(/oo/g, "u")
      .replace(/([a-z])\1+/g, "$1")
  );
}
