import { minus, type Paise, paise } from "#app/lib/money.ts";
import type { TaxLine, TaxRate } from "#app/lib/platform-fee.ts";

/** Percent in hundredths, so that 2.5 is whole. */
const hundredths = ({ percent }: TaxRate): number => Math.round(percent * 100);

/**
 * Splits a fee that includes its GST into the taxable value (rounded half up) and a line for each rate. Taxable value and lines sum to the fee. A line
 * differs by less than a paisa from its exact share; of two equal lines the first has the odd paisa.
 */
export function taxOfFee(fee: Paise, rates: readonly TaxRate[]): { taxable: Paise; lines: TaxLine[] } {
  const all = rates.reduce((sum, rate) => sum + hundredths(rate), 0);
  const taxable = paise(divideHalfUp(fee * 10_000, 10_000 + all));
  const tax = minus(fee, taxable);
  let rate = 0;
  let given = paise(0);
  const lines = rates.map((one) => {
    rate += hundredths(one);
    const upTo = paise(all === 0 ? 0 : divideHalfUp(tax * rate, all));
    const amount = minus(upTo, given);
    given = upTo;
    return { ...one, amount };
  });
  return { taxable, lines };
}

/** Divides whole numbers and rounds half up, without fractions. */
const divideHalfUp = (dividend: number, divisor: number): number => Math.floor((2 * dividend + divisor) / (2 * divisor));
