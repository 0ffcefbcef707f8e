import { availableParallelism } from "node:os";
import { hash, verify } from "@node-rs/argon2";
import { seconds } from "#app/lib/durations.ts";
import { WorkQueue } from "#app/lib/work-queue.ts";

// Argon2id with OWASP's first choice: 19 MiB, two passes, one lane. About 20 ms a hash on the machine it was chosen on.
// (The algorithm is a `const enum` in the package's types, which type stripping cannot read: 2 is Argon2id.)
const OPTIONS = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

// Each hash uses a core and 19 MiB. More at once would only delay everything else (docs/decisions/039).
const queue = new WorkQueue({ name: "passwords", parallel: availableParallelism(), waiting: 32, waitMs: seconds(5) });

/**
 * Returns the PHC string that is stored in place of a password. Charge a limit before you call it.
 * @throws DomainError("unavailable") when too many hashes wait
 */
export const hashPassword = (plain: string): Promise<string> => queue.run(() => hash(plain, OPTIONS));

let decoy: Promise<string> | undefined;

/**
 * Returns true when `plain` is the password of `stored`. Without a stored hash (no such account) returns false after the same
 * work, so that the time does not reveal accounts. Charge a limit before you call it.
 * @throws DomainError("unavailable") when too many hashes wait
 */
export async function verifyPassword(stored: string | null, plain: string): Promise<boolean> {
  // Once in a process, and outside the queue: a refused promise would be cached.
  decoy ??= hash("no account has this password", OPTIONS);
  const against = stored ?? (await decoy);
  const right = await queue.run(() => verify(against, plain).catch(() => false));
  return stored !== null && right;
}
