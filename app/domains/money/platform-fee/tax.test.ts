import fc from "fast-check";
import { expect, it } from "vitest";
import { paise, plus } from "#app/lib/money.ts";
import { taxOfFee } from "./tax.ts";

const CGST = { name: "CGST", percent: 9 };
const SGST = { name: "SGST", percent: 9 };
const IGST = { name: "IGST", percent: 18 };

it.each([
  [2_000, [CGST, SGST], 1_694, [153, 153]],
  [2_360, [CGST, SGST], 2_000, [180, 180]],
  [1_950, [IGST], 1_653, [297]],
  [2_000, [{ name: "IGST", percent: 2.5 }], 1_951, [49]],
  [2_000, [], 2_000, []],
  [1, [CGST, SGST], 1, [0, 0]],
  [0, [CGST, SGST], 0, [0, 0]],
])("splits %d paise with %j", (fee, rates, taxable, amounts) => {
  const split = taxOfFee(paise(fee), rates);
  expect(split.taxable).toBe(taxable);
  expect(split.lines).toEqual(rates.map((rate, index) => ({ ...rate, amount: amounts[index] })));
});

const rates = fc.array(
  fc.record({ name: fc.string(), percent: fc.integer({ min: 1, max: 4_000 }).map((hundredths) => hundredths / 100) }),
  { maxLength: 4 },
);
it("sums to the fee, with each line within half a paisa of its exact share", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 100_000_000 }), rates, (fee, lines) => {
      const split = taxOfFee(paise(fee), lines);
      expect(plus(split.taxable, ...split.lines.map(({ amount }) => amount))).toBe(fee);
      expect(split.taxable).toBeGreaterThanOrEqual(0);
      const all = lines.reduce((sum, { percent }) => sum + percent, 0);
      for (const { amount, percent } of split.lines)
        expect(Math.abs(amount - (fee * percent) / (100 + all))).toBeLessThanOrEqual(0.5 + 1e-6);
    }),
  );
});
