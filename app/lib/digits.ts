/** Digits as a Telugu (౦–౯) or Hindi (०–९) keyboard types them. What we write ourselves is always 0–9. */
const TYPED = /[\u0966-\u096f\u0c66-\u0c6f]/g;

/** The same text with every Telugu or Devanagari digit as 0–9: "౯౮७६" is "9876". For `z.string().overwrite(plainDigits)`. */
export const plainDigits = (text: string): string => text.replace(TYPED, (digit) => String((digit.charCodeAt(0) - 0x66) & 0x0f));
