/** Common advice that exists in three languages (messages dose_advice_…). Keys are stored in signed prescriptions: never rename one. */
export const ADVICE = [
  "water",
  "rest",
  "walk",
  "less-salt",
  "less-sugar",
  "no-smoking",
  "finish-course",
  "bring-reports",
  "come-if-worse",
] as const;
export type Advice = (typeof ADVICE)[number];
export const isAdvice = (key: string): key is Advice => (ADVICE as readonly string[]).includes(key);
