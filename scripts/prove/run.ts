/**
 * `npm run prove -- NAME [--short] [--minutes N] [--from SEED]`: measures what a test must not assert (times, memory, long runs) on the built product
 * with a database of its own. Prints a line for each figure and writes them into docs/proof.md, missed targets included.
 * `npm run prove` alone runs the short form of all but those that need packages of the machine. A proof is scripts/prove/NAME.ts with a default export of type Proof.
 */
import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { cpus, loadavg, totalmem } from "node:os";
import { parseArgs } from "node:util";
import { sweep } from "../../tests/setup/database.ts";
import { release, start as startDatabase } from "../db.mjs";
import { type Figure, type Proof, writeSection } from "./proof.ts";

/** The frame and parts of proofs; every other file is a proof. */
const FRAME = ["run.ts", "proof.ts", "hostile.ts", "worker.ts"];
const all = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts") && !FRAME.includes(name))
  .map((name) => name.slice(0, -3))
  .sort();

const usage = `npm run prove [-- NAME [--short] [--minutes N] [--from SEED]], with one of: ${all.join(", ")}`;
const embedded = !process.env.DATABASE_URL && !process.env.TEST_DATABASE_URL;
// What the proofs started ends with this process.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { short: { type: "boolean" }, minutes: { type: "string" }, from: { type: "string" } },
  });
  const unknown = positionals.find((name) => !all.includes(name));
  const minutes = values.minutes === undefined ? undefined : Number(values.minutes);
  const from = values.from === undefined ? undefined : Number(values.from);
  if (unknown || (minutes !== undefined && !(minutes > 0)) || (from !== undefined && !(Number.isSafeInteger(from) && from > 0)))
    throw new Error(usage);
  if (embedded) await startDatabase({ user: process.pid });
  const short = positionals.length === 0 || values.short === true;
  let missed = 0;
  for (const name of positionals.length ? positionals : all)
    missed += await prove(name, {
      short,
      named: positionals.length > 0,
      ...(minutes !== undefined && { minutes }),
      ...(from !== undefined && { from }),
    });
  console.log(`\n${missed ? `missed targets: ${missed}` : "no target was missed"}, in ${Math.round(performance.now() / 1000)} s`);
  if (missed) process.exitCode = 1;
} catch (error) {
  console.error((error as Error).message === usage ? usage : error);
  process.exitCode = 1;
} finally {
  await sweep().catch(() => undefined);
  if (embedded) await release(process.pid);
}

/** Runs one proof. Returns how many targets it missed. One that does not reach its end misses one, and the others go on. */
async function prove(
  name: string,
  { named, ...options }: { short: boolean; named: boolean; minutes?: number; from?: number },
): Promise<number> {
  const { default: proof } = (await import(`./${name}.ts`)) as { default: Proof };
  console.log(`\n${name}: ${proof.title}`);
  if (proof.missing && !named) {
    console.log(`  not part of the short form of all: npm run prove -- ${name}`);
    return 0;
  }
  const missing = proof.missing?.() ?? [];
  if (missing.length) {
    console.log(`  not run. Install what is missing (Debian): apt-get install --no-install-recommends ${missing.join(" ")}`);
    return 1;
  }
  const figures: Figure[] = [];
  // On a busy machine the figures mean little.
  const [before = 0] = loadavg();
  const began = performance.now();
  const report = (figure: Figure) => {
    figures.push(figure);
    console.log(lineOf(figure));
  };
  try {
    await proof.run({ ...options, report });
  } catch (error) {
    console.error(error);
    report({ what: "reached its end", value: "no", target: "yes", met: false });
  }
  console.log(`  ${name} took ${Math.round((performance.now() - began) / 1000)} s`);
  const command = `npm run prove -- ${name}${options.short ? " --short" : ""}${options.minutes ? ` --minutes ${options.minutes}` : ""}${options.from ? ` --from ${options.from}` : ""}`;
  writeSection(name, { title: proof.title, command, machine: machine(before), figures });
  return figures.filter(({ met }) => met === false).length;
}

function lineOf({ what, value, target, met }: Figure): string {
  return `  ${met === undefined ? " " : met ? "✓" : "✗"} ${what}: ${value}${target ? ` (target: ${target})` : ""}`;
}

function machine(before: number): string {
  const { model = "unknown" } = cpus()[0] ?? {};
  const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim();
  return `${cpus().length} × ${model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version}, load ${before.toFixed(1)} before, commit ${commit}`;
}
