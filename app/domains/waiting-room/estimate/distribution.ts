/** The few distributions that the estimate needs. */
export type Moments = { mean: number; variance: number };

/** Returns the share of a normal distribution above z (Abramowitz and Stegun 26.2.17, error below 1e-7). */
export function tail(z: number): number {
  if (z < 0) return 1 - tail(-z);
  const t = 1 / (1 + 0.2316419 * z);
  const sum = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return (Math.exp(-(z * z) / 2) / Math.sqrt(2 * Math.PI)) * sum;
}

/** Returns mean and variance of the rest of a log-normal length that has already lasted `age`. */
export function aboveAge({ median, sigma }: { median: number; sigma: number }, age: number): Moments {
  // Very old visits are far in the tail, where the quotients below lose their precision.
  const at = Math.min(Math.max(age, 1e-6), median * Math.exp(4 * sigma));
  const z = Math.log(at / median) / sigma;
  const left = tail(z);
  const mean = (median * Math.exp(sigma ** 2 / 2) * tail(z - sigma)) / left;
  const square = (median ** 2 * Math.exp(2 * sigma ** 2) * tail(z - 2 * sigma)) / left;
  return { mean: Math.max(mean - at, 0), variance: Math.max(square - mean ** 2, 0) };
}

/** Returns the share below `value` of a log-normal distribution with these moments. */
export function cdfOfMoments({ mean, variance }: Moments, value: number): number {
  if (value < 0) return 0;
  if (mean <= 0) return 1;
  const spread = Math.log(1 + variance / mean ** 2);
  if (spread < 1e-9) return value >= mean ? 1 : 0;
  return 1 - tail((Math.log(value) - Math.log(mean) + spread / 2) / Math.sqrt(spread));
}

/** Where the function is flat at the share, its end counts: otherwise the rounding of floats would choose a value between. */
const FLAT = 1e-9;

/** Returns the value below which `share` of a distribution lies. @param cdf rises from 0 to 1 */
export function percentile(cdf: (value: number) => number, share: number): number {
  let [low, high] = [0, 60];
  const isBelow = (value: number) => cdf(value) < share + FLAT;
  while (isBelow(high) && high < 1e5) high *= 2;
  for (let i = 0; i < 40; i++) {
    const middle = (low + high) / 2;
    if (isBelow(middle)) low = middle;
    else high = middle;
  }
  return high;
}
