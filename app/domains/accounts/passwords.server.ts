import { hash, verify } from "@node-rs/argon2";

// Argon2id with OWASP's first choice: 19 MiB, two passes, one lane. About 20 ms a hash on the machine it was chosen on.
// (The algorithm is a `const enum` in the package's types, which type stripping cannot read: 2 is Argon2id.)
const OPTIONS = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** The PHC string that is stored in place of a password. */
export const hashPassword = (plain: string): Promise<string> => hash(plain, OPTIONS);

let decoy: Promise<string> | undefined;

/**
 * True when `plain` is the password behind `stored`. Without a stored hash (no such account) the answer is false after
 * the same work, so that the time tells nothing about who has an account.
 */
export async function verifyPassword(stored: string | null, plain: string): Promise<boolean> {
  decoy ??= hashPassword("no account has this password");
  const right = await verify(stored ?? (await decoy), plain).catch(() => false);
  return stored !== null && right;
}
