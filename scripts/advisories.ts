/**
 * `npm run advisories -- FILE|DIRECTORY|URL`: stores the known vulnerabilities of our packages in scripts/advisories/list.json, from an export in
 * OSV's form: a `.zip` of records as OSV publishes it for npm (all.zip), a file with one record or a list of them, or a directory. Nothing else asks
 * the network: `npm test` compares package-lock.json with the list.
 */
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { unzipSync } from "fflate";
import { findAffected, keepOurs, readLock, type StoredAdvisory } from "./advisories/osv.ts";

const root = join(import.meta.dirname, "..");
const LIST = process.env.ADVISORIES_LIST ?? join(root, "scripts/advisories/list.json");

/** Returns the records of a file. @throws for one that is neither a zip nor JSON */
function recordsOf(name: string, bytes: Uint8Array): unknown[] {
  if (bytes[0] === 0x50 && bytes[1] === 0x4b)
    return Object.entries(unzipSync(bytes, { filter: ({ name: of }) => of.endsWith(".json") })).flatMap(([of, one]) => recordsOf(of, one));
  const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  try {
    const parsed: unknown = JSON.parse(text);
    if (Array.isArray(parsed)) return parsed;
    const vulns = (parsed as { vulns?: unknown }).vulns;
    return Array.isArray(vulns) ? vulns : [parsed];
  } catch (cause) {
    throw new Error(`${name} is not JSON`, { cause });
  }
}

function* filesIn(directory: string): Generator<string> {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) yield* filesIn(path);
    else if (entry.name.endsWith(".json")) yield path;
  }
}

async function read(from: string): Promise<unknown[]> {
  if (/^https?:\/\//.test(from)) {
    const answer = await fetch(from, { signal: AbortSignal.timeout(300_000) });
    if (!answer.ok) throw new Error(`${from} answered ${answer.status}`);
    return recordsOf(from, new Uint8Array(await answer.arrayBuffer()));
  }
  const files = statSync(from).isDirectory() ? [...filesIn(from)] : [from];
  return files.flatMap((file) => recordsOf(file, readFileSync(file)));
}

const [from] = process.argv.slice(2);
if (!from) {
  console.error("usage: npm run advisories -- FILE|DIRECTORY|URL (OSV's export for npm)");
  process.exit(2);
}
const locked = readLock(JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")));
const records = await read(from);
const ours = records.flatMap((record) => keepOurs(record, locked) ?? []);
// An empty answer or a wrong file must not empty the list.
if (!records.length) throw new Error(`${from} has no records`);
const advisories: StoredAdvisory[] = [...new Map(ours.map((one) => [one.id, one])).values()].sort((a, b) => a.id.localeCompare(b.id));
const exported = new Date().toISOString().slice(0, 10);
writeFileSync(LIST, `${JSON.stringify({ exported, source: from.replace(/^.*\//, ""), advisories }, null, 2)}\n`);
const found = findAffected(advisories, locked);
console.log(`${records.length} records read, ${advisories.length} about our packages, ${found.length} of locked versions`);
for (const { id, at, use } of found) console.log(`  ${id} ${at} (${use})`);
