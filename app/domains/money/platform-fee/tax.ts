import { minus, type Paise, paise, plus } from "#app/lib/money.ts";
import type { TaxLine, TaxRate } from "#app/lib/platform-fee.ts";

/** Percent in hundredths, so that 2.5 is whole. */
const hundredths = ({ percent }: TaxRate): number => Math.round(percent * 100);

/**
 * Splits a fee that includes its GST into a line for each rate, rounded half up, and the taxable value, which is the rest. So lines of the same
 * percent are equal, as CGST and SGST must be, and all sum to the fee.
 */
export function taxOfFee(fee: Paise, rates: readonly TaxRate[]): { taxable: Paise; lines: TaxLine[] } {
  const all = rates.reduce((sum, rate) => sum + hundredths(rate), 10_000);
  const lines = rates.map((rate) => ({ ...rate, amount: paise(divideHalfUp(fee * hundredths(rate), all)) }));
  return { taxable: minus(fee, plus(...lines.map(({ amount }) => amount))), lines };
}

/** Divides whole numbers and rounds half up, without fractions. */
const divideHalfUp = (dividend: number, divisor: number): number => Math.floor((2 * dividend + divisor) / (2 * divisor));
