/** Digits that Telugu (౦–౯) and Hindi (०–९) keyboards type. */
const TYPED = /[\u0966-\u096f\u0c66-\u0c6f]/g;

/** Replaces Telugu and Devanagari digits by 0–9: "౯౮७६" becomes "9876". For `z.string().overwrite(plainDigits)`. */
export const plainDigits = (text: string): string => text.replace(TYPED, (digit) => String((digit.charCodeAt(0) - 0x66) & 0x0f));
