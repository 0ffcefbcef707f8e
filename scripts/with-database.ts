import { EnvironmentError } from "#app/env.server.ts";
import { BackupError } from "./backup/archive.ts";
import { release, start } from "./db.mjs";

/** What a command was given: one argument and flags. null, with the usage told, when it was something else. */
export function argumentsOf(usage: string, known: readonly string[]): { argument: string; flags: ReadonlySet<string> } | null {
  const given = process.argv.slice(2);
  const flags = new Set(given.filter((a) => a.startsWith("--")));
  const [argument, ...more] = given.filter((a) => !a.startsWith("--"));
  if (argument && !more.length && [...flags].every((flag) => known.includes(flag))) return { argument, flags };
  console.error(`usage: ${usage}`);
  process.exitCode = 2;
  return null;
}

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
    console.error(error instanceof BackupError || error instanceof EnvironmentError ? error.message : error);
    process.exitCode = 1;
  } finally {
    if (embedded) await release(process.pid);
  }
}
