import type { Paise } from "#app/lib/money.ts";

const TO_NINETEEN = [
  ...["", "ఒకటి", "రెండు", "మూడు", "నాలుగు", "ఐదు", "ఆరు", "ఏడు", "ఎనిమిది", "తొమ్మిది", "పది"],
  ...["పదకొండు", "పన్నెండు", "పదమూడు", "పద్నాలుగు", "పదిహేను", "పదహారు", "పదిహేడు", "పద్దెనిమిది", "పంతొమ్మిది"],
];
const TENS = ["", "", "ఇరవై", "ముప్పై", "నలభై", "యాభై", "అరవై", "డెబ్బై", "ఎనభై", "తొంభై"];
/** How many, and the words of one and of several before another word: "వెయ్యి", "రెండు వేల". */
const UNITS = [
  { size: 10_000_000, one: "ఒక కోటి", several: "కోట్ల" },
  { size: 100_000, one: "ఒక లక్ష", several: "లక్షల" },
  { size: 1_000, one: "వెయ్యి", several: "వేల" },
] as const;

/** Returns a whole number from 1 before a noun: 1 at its end is "ఒక్క" ("ఇరవై ఒక్క"), alone "ఒక". */
function count(n: number): string {
  if (n === 1) return "ఒక";
  const words: string[] = [];
  let left = n;
  for (const { size, one, several } of UNITS) {
    const many = Math.floor(left / size);
    left %= size;
    if (many === 1) words.push(one);
    else if (many > 1) words.push(count(many), several);
  }
  const hundreds = Math.floor(left / 100);
  left %= 100;
  if (hundreds === 1) words.push(left ? "నూట" : "వంద");
  else if (hundreds > 1) words.push(TO_NINETEEN[hundreds]!, "వందల");
  if (left >= 20) words.push(TENS[Math.floor(left / 10)]!);
  const last = left >= 20 ? left % 10 : left;
  if (last) words.push(last === 1 ? "ఒక్క" : TO_NINETEEN[last]!);
  return words.join(" ");
}

/** Returns an amount in Telugu words, with the inflected hundreds, thousands and lakhs of spoken Telugu: "నాలుగు వందల డెబ్బై రూపాయలు మాత్రమే." */
export function teluguAmount(amount: Paise): string {
  const [rupees, paise] = [Math.floor(amount / 100), amount % 100];
  const words: string[] = [];
  if (rupees > 0 || paise === 0) {
    const noun = rupees === 1 ? "రూపాయి" : paise > 0 ? "రూపాయల" : "రూపాయలు";
    words.push(rupees === 0 ? "సున్నా" : count(rupees), noun);
  }
  if (paise > 0) words.push(count(paise), paise === 1 ? "పైసా" : "పైసలు");
  return `${words.join(" ")} మాత్రమే.`;
}
