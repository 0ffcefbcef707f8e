import { ToWords as English } from "to-words/en-IN";
import { ToWords as Hindi } from "to-words/hi-IN";
import type { Language } from "#app/lib/language.ts";
import type { Paise } from "#app/lib/money.ts";
import { teluguAmount } from "./telugu-amount.ts";

const english = new English({ converterOptions: { currency: true, useAnd: true } });
const hindi = new Hindi({ converterOptions: { currency: true } });

/**
 * Returns an amount in words with lakh and crore, as receipts write it: "Four hundred and seventy rupees only." Telugu is written out, because the
 * library does not inflect its hundreds and thousands ("నాలుగు వంద" for "నాలుగు వందల").
 */
export function amountInWords(amount: Paise, language: Language): string {
  if (language === "te") return teluguAmount(amount);
  if (language === "hi") {
    // The library writes the hundred of 1,100 without its number.
    const words = hindi.convert(amount / 100).replace(/(हज़ार|लाख|करोड़) सौ(?= )/, "$1 एक सौ");
    return `${words} मात्र।`;
  }
  const words = english.convert(amount / 100).toLowerCase();
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}
