import { m } from "#app/paraglide/messages.js";

/** The unit of the axis, chosen for short labels. */
export type ChartScale = {
  /** Paise in one unit of the axis. */
  unit: number;
  /** The top of the axis, in units. */
  top: number;
  caption: () => string;
};

const STEPS = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];

/** Returns an axis for these amounts, with a round maximum above 0. */
export function scaleOf(amounts: readonly number[]): ChartScale {
  const rupees = Math.max(1, ...amounts.map((paise) => paise / 100));
  const [unit, caption] =
    rupees < 1_000
      ? ([100, () => m.statistics_chart_rupees()] as const)
      : rupees < 1_000_000
        ? ([100_000, () => m.statistics_chart_thousands()] as const)
        : ([10_000_000, () => m.statistics_chart_lakhs()] as const);
  const most = (rupees * 100) / unit;
  const power = 10 ** Math.floor(Math.log10(most));
  const top = (STEPS.find((step) => step * power >= most) ?? 10) * power;
  return { unit, top: Number(top.toPrecision(3)), caption };
}

/** Formats an amount in units of this axis: "24.5". */
export const inUnits = (paise: number, { unit }: ChartScale): string => String(Number((paise / unit).toFixed(paise / unit < 10 ? 2 : 1)));
