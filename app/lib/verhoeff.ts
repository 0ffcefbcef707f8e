/** Verhoeff's check digit (the last digit of an Aadhaar number). Finds every single wrong digit and every swap of neighbours. */
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

/** True when the last digit is the check digit of those before it. False for anything but digits. */
export function hasVerhoeffCheckDigit(digits: string): boolean {
  if (!/^\d{2,}$/.test(digits)) return false;
  let check = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]);
    check = Number(MULTIPLY[check]?.[Number(PERMUTE[i % 8]?.[digit])]);
  }
  return check === 0;
}

/** Twelve digits, the first 2–9, the last a right check digit. The specification asks for twelve digits only: this one doubts, it does not refuse. */
export const isLikelyAadhaar = (digits: string) => /^[2-9]\d{11}$/.test(digits) && hasVerhoeffCheckDigit(digits);
