import type { Db } from "#app/db/client.server.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { integrations } from "#app/integrations/live.server.ts";
import { EnvironmentError } from "#app/runtime/env.server.ts";
import { BackupError } from "./backup/archive.ts";
import { RolesError } from "./database-roles.ts";
import { release, start } from "./db.mjs";

/** An invalid argument or request of the operator. The message is shown without a stack. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}

/**
 * Parses the arguments of a command: as many words as `usage` has <…>, and flags. Prints the usage and returns null otherwise.
 */
export function argumentsOf(usage: string, known: readonly string[] = []): { words: string[]; flags: ReadonlySet<string> } | null {
  const given = process.argv.slice(2);
  const flags = new Set(given.filter((a) => a.startsWith("--")));
  const words = given.filter((a) => !a.startsWith("--"));
  const wanted = usage.match(/<[^>]+>/g)?.length ?? 0;
  if (words.length === wanted && words.every((word) => word.trim()) && [...flags].every((flag) => known.includes(flag)))
    return { words, flags };
  console.error(`usage: ${usage}`);
  process.exitCode = 2;
  return null;
}

/** Returns a context without an actor. The audit log records `command`. */
export const systemCtx = (db: Db, command: string): Ctx<null> => ({
  db,
  actor: null,
  now: new Date(),
  integrations: integrations(),
  requestId: `npm run ${command}`,
  ip: "",
});

const EXPECTED = [BackupError, CommandError, EnvironmentError, RolesError];
/**
 * Runs a command with the database of this environment, which it starts if it is the embedded one. Prints expected errors
 * without a stack.
 */
export async function withDatabase(work: () => Promise<void>): Promise<void> {
  const embedded = !process.env.DATABASE_URL;
  try {
    if (embedded) await start({ user: process.pid });
    await work();
  } catch (error) {
    console.error(EXPECTED.some((kind) => error instanceof kind) ? (error as Error).message : error);
    process.exitCode = 1;
  } finally {
    if (embedded) await release(process.pid);
  }
}
