/** The last seal of each day, outside the database: whoever changes the log and makes the chain again does not change this file. */
import { appendFile, mkdir, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { lastSeal } from "#app/domains/audit/seals.server.ts";
import type { NotedSeal } from "#app/domains/audit/verify-log.server.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { env } from "#app/env.server.ts";
import { log } from "#app/log.server.ts";

const path = () => join(env().dataDir, "audit-seals.jsonl");

/** Writes the newest seal to the log of the process and to the file. */
export async function noteSeal(ctx: Ctx): Promise<void> {
  const seal = await lastSeal(ctx);
  if (!seal) return;
  const { id, at, toId, hash } = seal;
  log.info({ seal: { id, at, toId, hash } }, "last seal of the audit log");
  await mkdir(env().dataDir, { recursive: true });
  await appendFile(path(), `${JSON.stringify({ id, at, toId, hash })}\n`, { mode: 0o600, flush: true });
}

/** The noted seals; a line that was cut off by a crash is left out. */
export async function notedSeals(): Promise<NotedSeal[]> {
  const text = await readFile(path(), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  return text
    .split("\n")
    .filter((line) => line.endsWith("}"))
    .map((line) => JSON.parse(line) as NotedSeal);
}

/** After a restore the chain of the backup goes on: the noted seals are of another one. @returns where they are now */
export async function setNotedSealsAside(now: Date): Promise<string | null> {
  const to = `${path().replace(/\.jsonl$/, "")}-until-${now.toISOString().slice(0, 19).replaceAll(":", "-")}.jsonl`;
  try {
    await rename(path(), to);
    return to;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
