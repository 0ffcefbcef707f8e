/** The numbers of a doctor that are kept sealed (numbers.server.ts). */
export const SEALED_NUMBERS = ["aadhaar", "pan", "account"] as const;
export type SealedNumber = (typeof SEALED_NUMBERS)[number];
