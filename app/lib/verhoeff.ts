/** Verhoeff check digit, the last digit of an Aadhaar number. Detects every wrong digit and every swap of adjacent digits. */
const MULTIPLY = [
  "0123456789",
  "1234067895",
  "2340178956",
  "3401289567",
  "4012395678",
  "5987604321",
  "6598710432",
  "7659821043",
  "8765932104",
  "9876543210",
];
const PERMUTE = ["0123456789", "1576283094", "5803796142", "8916043527", "9453126870", "4286573901", "2793806415", "7046913258"];

/** True when the last digit is the Verhoeff check digit of the others. False for text with other characters. */
export function hasVerhoeffCheckDigit(digits: string): boolean {
  if (!/^\d{2,}$/.test(digits)) return false;
  let check = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]);
    check = Number(MULTIPLY[check]![Number(PERMUTE[i % 8]![digit])]);
  }
  return check === 0;
}

/** True for twelve digits with a first digit of 2–9 and a correct check digit. Only a hint: the specification accepts any twelve digits. */
export const isLikelyAadhaar = (digits: string) => /^[2-9]\d{11}$/.test(digits) && hasVerhoeffCheckDigit(digits);
