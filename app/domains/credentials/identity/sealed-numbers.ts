/** The numbers of a doctor that are stored encrypted (numbers.server.ts). */
export const SEALED_NUMBERS = ["aadhaar", "pan", "account"] as const;
export type SealedNumber = (typeof SEALED_NUMBERS)[number];
