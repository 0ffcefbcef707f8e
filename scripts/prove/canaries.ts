/** Unique words typed into every field, searched in everything that is stored, sent or logged (tests/server/canary.test.ts). */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { indian, none } from "./product/figures.ts";
import { withOwnDatabase } from "./product/own-database.ts";
import type { Proof } from "./proof.ts";

const ROOT = resolve(import.meta.dirname, "../..");
type Report = { fields: number; typed: number; secrets: [what: string, value: string][]; events: number; files: number };
type Results = { testResults: { assertionResults: { title: string; status: string; failureMessages: string[] }[] }[] };

const proof: Proof = {
  test: "tests/server/canary.test.ts",
  title:
    "A unique word in every text field of every form and call of the API, searched in tables, files, a backup, the log, live events and scripts. The long form also searches PostgreSQL's own files, its write-ahead log and its server log.",
  async run({ short, report }) {
    const folder = mkdtempSync(join(tmpdir(), "nadi-prove-canaries-"));
    const measure = async (database: string | null) => {
      const [results, given] = await runTest(folder);
      const tests = results.testResults.flatMap(({ assertionResults }) => assertionResults);
      const failed = tests.filter(({ status }) => status !== "passed");
      report({
        what: "fields of forms and calls, words typed",
        value: given ? `${indian(given.fields)}, ${indian(given.typed)}` : "not complete",
      });
      for (const { title, status } of tests.filter(({ title }) => !title.startsWith("types into")))
        report({ what: title, value: status, target: "passed", met: status === "passed" });
      report(none("tests that failed", failed.length));
      for (const { title, failureMessages } of failed) console.error(`  ${title}: ${failureMessages.join("\n").slice(0, 2_000)}`);
      if (!given) return;
      report({
        what: "secrets; events, files that were searched",
        value: [given.secrets.length, given.events, given.files].map(indian).join("; "),
      });
      if (!database) return;
      const { bytes, found } = search(database, given.secrets);
      report({ what: "PostgreSQL's files", value: `${Math.round(bytes / 2 ** 20)} MB` });
      report({ ...none("secrets in PostgreSQL's files", found.size), ...(found.size > 0 && { value: [...found].join(", ") }) });
    };
    try {
      if (short) await measure(null);
      else await withOwnDatabase(async (database) => measure(database.files()));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
export default proof;

/** Runs the test. Null: it did not reach its end. */
async function runTest(folder: string): Promise<[Results, Report | null]> {
  const [results, given] = [join(folder, "results.json"), join(folder, "canaries.json")];
  const args = ["run", "--project", "db", "tests/server/canary.test.ts", "--reporter=json", `--outputFile=${results}`];
  const child = spawn(process.execPath, [join(ROOT, "node_modules/vitest/vitest.mjs"), ...args], {
    cwd: ROOT,
    env: { ...process.env, CANARY_REPORT: given },
    stdio: ["ignore", "ignore", "inherit"],
    timeout: 10 * 60_000,
  });
  await once(child, "exit");
  const read = <T>(file: string) => JSON.parse(readFileSync(file, "utf8")) as T;
  let end: Report | null = null;
  try {
    end = read<Report>(given);
  } catch {
    // A test failed before.
  }
  return [read<Results>(results), end];
}

/** Searches every file of a folder for these values. */
function search(folder: string, secrets: readonly [what: string, value: string][]): { bytes: number; found: Set<string> } {
  const found = new Set<string>();
  let bytes = 0;
  for (const name of readdirSync(folder, { recursive: true }) as string[]) {
    const path = join(folder, name);
    if (!statSync(path, { throwIfNoEntry: false })?.isFile()) continue;
    const content = readFileSync(path);
    bytes += content.length;
    for (const [what, value] of secrets) if (content.includes(value)) found.add(`${what} in ${name.split("/")[0]}`);
  }
  return { bytes, found };
}
