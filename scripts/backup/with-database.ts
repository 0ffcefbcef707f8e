import { EnvironmentError } from "#app/env.server.ts";
import { release, start } from "../db.mjs";
import { BackupError } from "./archive.ts";

/**
 * A command over the database of this environment; the embedded one runs as long as it needs it. What can be expected to go
 * wrong is told in a line.
 */
export async function withDatabase(
  usage: string,
  known: readonly string[],
  work: (argument: string, flags: ReadonlySet<string>) => Promise<void>,
): Promise<void> {
  const given = process.argv.slice(2);
  const flags = new Set(given.filter((a) => a.startsWith("--")));
  const [argument, ...more] = given.filter((a) => !a.startsWith("--"));
  if (!argument || more.length || [...flags].some((flag) => !known.includes(flag))) {
    console.error(`usage: ${usage}`);
    process.exitCode = 2;
    return;
  }
  const embedded = !process.env.DATABASE_URL;
  try {
    if (embedded) await start({ user: process.pid });
    await work(argument, flags);
  } catch (error) {
    console.error(error instanceof BackupError || error instanceof EnvironmentError ? error.message : error);
    process.exitCode = 1;
  } finally {
    if (embedded) await release(process.pid);
  }
}
