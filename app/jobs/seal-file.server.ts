/** The last seal of each day in a file: rewriting the log and its chain in the database does not change it. */
import { appendFile, mkdir, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import type { Ctx } from "#app/domains/context.server.ts";
import { lastSeal } from "#app/domains/platform/audit/seals.server.ts";
import type { NotedSeal } from "#app/domains/platform/audit/verify-log.server.ts";
import { env } from "#app/runtime/env.server.ts";
import { log } from "#app/runtime/log.server.ts";

const path = () => join(env().dataDir, "audit-seals.jsonl");

/** Writes the newest seal to the process log and to the file. */
export async function noteSeal(ctx: Ctx): Promise<void> {
  const seal = await lastSeal(ctx);
  if (!seal) return;
  const { id, at, toId, hash } = seal;
  log.info({ seal: { id, at, toId, hash } }, "last seal of the audit log");
  await mkdir(env().dataDir, { recursive: true });
  await appendFile(path(), `${JSON.stringify({ id, at, toId, hash })}\n`, { mode: 0o600, flush: true });
}

/** Reads the noted seals. Skips a line that a crash cut off. */
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

/** Renames the file after a restore, because the restored chain is another one. @returns the new path, null without a file */
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
