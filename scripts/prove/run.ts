/**
 * `npm run prove -- NAME [--short] [--minutes N] [--from SEED]`: measures what a test must not assert (times, memory, long runs) on the built product
 * with a database of its own. Prints a line for each figure and writes them into docs/proof.md, missed targets included.
 * `npm run prove` alone runs the short form of all but those that need packages of the machine or have a test of `npm test`, two at once. A short
 * form has no targets in milliseconds. A proof is scripts/prove/NAME.ts with a default export of type Proof.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { cpus, loadavg, totalmem } from "node:os";
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { sweep } from "../../tests/setup/database.ts";
import { release, start as startDatabase } from "../db.mjs";
import { type Figure, type Proof, type Section, writeSection } from "./proof.ts";

/** The frame and parts of proofs; every other file is a proof. */
const FRAME = ["run.ts", "proof.ts", "hostile.ts", "worker.ts"];
const all = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts") && !FRAME.includes(name))
  .map((name) => name.slice(0, -3))
  .sort();

/** How many proofs the short form of all runs at once: most of them wait for a part of their time. */
const AT_ONCE = 2;

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
  let missed = 0;
  if (positionals.length === 0) missed = await proveAll();
  for (const name of positionals)
    missed += await prove(name, {
      short: values.short === true,
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

/** Runs the short form of all proofs, each in a process of its own. Returns how many targets they missed. */
async function proveAll(): Promise<number> {
  let missed = 0;
  const [alone, beside]: [string[], string[]] = [[], []];
  for (const name of all) {
    const { default: proof } = (await import(`./${name}.ts`)) as { default: Proof };
    if (!proof.missing && !proof.test) (proof.alone ? alone : beside).push(name);
    else
      console.log(
        `${name}: left out, because ${proof.test ? `${proof.test} checks the same with fewer cases` : "it takes minutes"}. To run it: npm run prove -- ${name}`,
      );
  }
  const work = (names: string[], atOnce: number) =>
    Promise.all(
      Array.from({ length: atOnce }, async () => {
        for (let name = names.shift(); name; name = names.shift()) {
          const child = spawn(process.execPath, [import.meta.filename, name, "--short"], { stdio: ["ignore", "pipe", "pipe", "ipc"] });
          const end = () => void child.kill();
          process.once("exit", end);
          // One process writes the document.
          let own = 0;
          child.on("message", (section: Section) => {
            own = missedIn(section.figures);
            writeSection(name, section);
          });
          const [output, errors, [code]] = await Promise.all([text(child.stdout!), text(child.stderr!), once(child, "exit")]);
          process.off("exit", end);
          process.stdout.write(output);
          process.stderr.write(errors);
          missed += own || (code === 0 ? 0 : 1);
        }
      }),
    );
  await work(alone, 1);
  await work(beside, AT_ONCE);
  return missed;
}

/** Runs one proof. Returns how many targets it missed. One that does not reach its end misses one, and the others go on. */
async function prove(name: string, options: { short: boolean; minutes?: number; from?: number }): Promise<number> {
  const { default: proof } = (await import(`./${name}.ts`)) as { default: Proof };
  console.log(`\n${name}: ${proof.title}`);
  const missing = proof.missing?.() ?? [];
  if (missing.length) {
    console.log(`  not run. Install what is missing (Debian): apt-get install --no-install-recommends ${missing.join(" ")}`);
    return 1;
  }
  const figures: Figure[] = [];
  // On a busy machine the figures mean little.
  const [before = 0] = loadavg();
  const began = performance.now();
  const report = ({ timed, ...measured }: Figure) => {
    const { what, value } = measured;
    const figure = timed && options.short ? { what, value } : measured;
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
  const section = { title: proof.title, command, machine: machine(before), figures };
  if (process.send) await new Promise((sent) => process.send!(section, undefined, undefined, sent));
  else writeSection(options.from ? `${name}-from-${options.from}` : name, section);
  return missedIn(figures);
}

function missedIn(figures: readonly Figure[]): number {
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
