/** Characters of a public code: without 0, 1, I and O, which look like others on paper. */
const ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
const LENGTH = 12;

/** Returns a code from random bytes: 60 bits. */
export const codeFrom = (bytes: Uint8Array): string => [...bytes.subarray(0, LENGTH)].map((byte) => ALPHABET[byte % 32]).join("");

/** "K7QM4XDT9WHP" as it is printed: "K7QM-4XDT-9WHP". */
export const shownCode = (code: string): string => code.match(/.{4}/g)?.join("-") ?? code;

/** Reads a code as it was typed or scanned. null: not a code. */
export function readCode(typed: string | undefined): string | null {
  const code = (typed ?? "").toUpperCase().replace(/[\s-]/g, "");
  return code.length === LENGTH && [...code].every((character) => ALPHABET.includes(character)) ? code : null;
}
