/**
 * A word as it is compared. Signs that people leave out or type differently are dropped; Latin letters are compared by
 * sound, because Hindi and Telugu in Latin letters have no spelling: "seene", "sine" and "siine" are one word.
 */
export function soundOf(word: string): string {
  return (
    word
      .normalize("NFD")
      // Nukta and Latin accents; chandrabindu is written as anusvara by many.
      .replace(/[\u0300-\u036f\u093c\u200b-\u200d]/g, "")
      .replace(/\u0901/g, "\u0902")
      .normalize("NFC")
      .replace(/ee/g, "i")
      .replace(/oo/g, "u")
      .replace(/([a-z])\1+/g, "$1")
  );
}
