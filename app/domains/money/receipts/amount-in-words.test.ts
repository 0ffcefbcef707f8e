import { expect, it } from "vitest";
import { paise } from "#app/lib/money.ts";
import { amountInWords } from "./amount-in-words.server.ts";

it.each([
  [100, "One rupee only.", "एक रुपया मात्र।"],
  [47_000, "Four hundred and seventy rupees only.", "चार सौ सत्तर रुपये मात्र।"],
  [1_050, "Ten rupees and fifty paise only.", "दस रुपये और पचास पैसे मात्र।"],
  [10_000, "One hundred rupees only.", "सौ रुपये मात्र।"],
  [110_000, "One thousand one hundred rupees only.", "एक हज़ार एक सौ रुपये मात्र।"],
  [110_050, "One thousand one hundred rupees and fifty paise only.", "एक हज़ार एक सौ रुपये और पचास पैसे मात्र।"],
  [10_010_000, "One lakh one hundred rupees only.", "एक लाख एक सौ रुपये मात्र।"],
  [1_234_567_800, "One crore twenty three lakh forty five thousand six hundred and seventy eight rupees only.", null],
])("writes %d paise in English and Hindi", (amount, english, hindi) => {
  expect(amountInWords(paise(amount), "en")).toBe(english);
  if (hindi) expect(amountInWords(paise(amount), "hi")).toBe(hindi);
});
it.each([
  [100, "ఒక రూపాయి మాత్రమే."],
  [1, "ఒక పైసా మాత్రమే."],
  [1_050, "పది రూపాయల యాభై పైసలు మాత్రమే."],
  [150, "ఒక రూపాయి యాభై పైసలు మాత్రమే."],
  [1_900, "పంతొమ్మిది రూపాయలు మాత్రమే."],
  [2_100, "ఇరవై ఒక్క రూపాయలు మాత్రమే."],
  [10_000, "వంద రూపాయలు మాత్రమే."],
  [10_100, "నూట ఒక్క రూపాయలు మాత్రమే."],
  [11_600, "నూట పదహారు రూపాయలు మాత్రమే."],
  [47_000, "నాలుగు వందల డెబ్బై రూపాయలు మాత్రమే."],
  [51_950, "ఐదు వందల పంతొమ్మిది రూపాయల యాభై పైసలు మాత్రమే."],
  [100_000, "వెయ్యి రూపాయలు మాత్రమే."],
  [111_600, "వెయ్యి నూట పదహారు రూపాయలు మాత్రమే."],
  [250_000, "రెండు వేల ఐదు వందల రూపాయలు మాత్రమే."],
  [2_100_000, "ఇరవై ఒక్క వేల రూపాయలు మాత్రమే."],
  [10_000_000, "ఒక లక్ష రూపాయలు మాత్రమే."],
  [12_345_600, "ఒక లక్ష ఇరవై మూడు వేల నాలుగు వందల యాభై ఆరు రూపాయలు మాత్రమే."],
  [999_999_900, "తొంభై తొమ్మిది లక్షల తొంభై తొమ్మిది వేల తొమ్మిది వందల తొంభై తొమ్మిది రూపాయలు మాత్రమే."],
])("writes %d paise in Telugu", (amount, telugu) => {
  expect(amountInWords(paise(amount), "te")).toBe(telugu);
});
it.each([
  [51_950, "पांच सौ उन्नीस रुपये और पचास पैसे मात्र।"],
  [11_600, "एक सौ सोलह रुपये मात्र।"],
  [2_100_000, "इक्कीस हज़ार रुपये मात्र।"],
  [12_345_600, "एक लाख तेईस हज़ार चार सौ छप्पन रुपये मात्र।"],
  [999_999_900, "निन्यानवे लाख निन्यानवे हज़ार नौ सौ निन्यानवे रुपये मात्र।"],
])("writes %d paise in Hindi", (amount, hindi) => {
  expect(amountInWords(paise(amount), "hi")).toBe(hindi);
});
it.each(["en", "te", "hi"] as const)("writes every amount up to ₹99,99,999 in other words in %s", (language) => {
  const seen = new Set<string>();
  const amounts = [...Array(2_000).keys()].map((n) => (n + 1) * 100).concat([...Array(2_000).keys()].map((n) => (n + 1) * 499_900 + 37));
  for (const amount of amounts) {
    const words = amountInWords(paise(amount), language);
    expect(words).not.toMatch(/undefined| {2}|\d/);
    seen.add(words);
  }
  expect(seen.size).toBe(new Set(amounts).size);
});
