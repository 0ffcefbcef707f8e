import type { Db } from "#app/db/client.server.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { EnvironmentError } from "#app/env.server.ts";
import { integrations } from "#app/integrations/live.server.ts";
import { BackupError } from "./backup/archive.ts";
import { RolesError } from "./database-roles.ts";
import { release, start } from "./db.mjs";

/** What a command was told that it cannot do; said in one line. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}

/**
 * What a command was given: as many words as `usage` has <…> of, and flags. null, with the usage told, when it was something else.
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

/** The system itself acts, by the hand of whoever runs `command`; the audit log names the command. */
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
 * A command over the database of this environment; the embedded one runs as long as it needs it. What can be expected to go
 * wrong is told in a line.
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
