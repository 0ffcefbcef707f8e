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
it("writes no amount in Telugu", () => {
  expect(amountInWords(paise(47_000), "te")).toBeNull();
});
