// `npm test`: the gate. `npm run test:all`: the long proofs and sweeps too (tests/setup/long.ts). Runs all checks and prints a summary,
// the time of each part and the slowest files. Types and lint, which use one core, run beside the build; the rest runs in sequence.
// Leaves no test database, template or process; the reports stay in test-results/reports. Without TEST_DATABASE_URL it starts a
// temporary PostgreSQL.
// `npm test -- unit` (types, lint, unit, db, browser, specification) runs only the named parts; `-- --slow` names every file.
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { startThrowaway } from "./db.mjs";

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "..");
process.chdir(ROOT);
const bin = join(ROOT, "node_modules/.bin");
const embedded = !process.env.DATABASE_URL && !process.env.TEST_DATABASE_URL;
let throwaway;
/** Compiled scripts, for the hundreds of processes of a run. The same folder as in tests/setup/server.ts. */
const COMPILED = join(ROOT, "node_modules/.cache/nadi-compiled");
const results = join(ROOT, "test-results/reports");
rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });
const ALL = process.argv.includes("--all");
const SLOWEST = process.argv.includes("--slow") ? Number.POSITIVE_INFINITY : 20;

const children = new Set();
let signalled = false;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
  process.on(signal, () => {
    signalled = true;
    for (const child of children) child.kill(signal);
  });

/** @param onOutput receives the output; without it the program prints directly */
function run(command, args, onOutput, more = {}) {
  return new Promise((ok) => {
    if (signalled) return ok(1);
    // Settings of the development server must not reach the tests, except the database address.
    const own = [
      "PORT",
      "HOST",
      "DEMO",
      "APP_URL",
      "TRUST_PROXY",
      "CLOCK_FILE",
      "NODE_ENV",
      "METRICS_TOKEN",
      "SESSION_SECRET",
      "ENCRYPTION_KEY",
      "SIGNING_KEYS",
      "SMS_PROVIDER",
      "SMTP_URL",
    ];
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !own.includes(name)));
    const child = spawn(join(bin, command), args, {
      stdio: onOutput ? ["ignore", "pipe", "pipe"] : "inherit",
      env: { ...env, PATH: `${bin}:${process.env.PATH}`, NODE_COMPILE_CACHE: COMPILED, TEST_GATE: ALL ? "" : "1", ...more },
    });
    children.add(child);
    child.stdout?.on("data", onOutput);
    child.stderr?.on("data", onOutput);
    child.on("error", (error) => {
      console.error(error.message);
      ok(1);
    });
    child.on("close", (code) => {
      children.delete(child);
      ok(code ?? 1);
    });
  });
}
const json = (name) => {
  try {
    return JSON.parse(readFileSync(name, "utf8"));
  } catch {
    return undefined;
  }
};

/** A check that passes or fails as a whole. */
const whole =
  (name, ...commands) =>
  async (onOutput) => {
    for (const [command, ...args] of commands) if ((await run(command, args, onOutput)) !== 0) return { name, passed: 0, failed: 1 };
    return { name, passed: 1, failed: 0 };
  };
/** Reports of tests, for the check of the specification. */
const reports = [];
/** Seconds of each test file. */
const times = new Map();
const addTime = (file, ms) => times.set(file, (times.get(file) ?? 0) + ms / 1000);
/** Runs the tests of a vitest project. `names` has the file and the title of each failed test. */
async function vitest(name, project) {
  const file = join(results, `${name}.json`);
  const code = await run("vitest", ["run", "--project", project, "--reporter", "default", "--reporter", "json", "--outputFile.json", file]);
  const report = json(file);
  if (report) reports.push(file);
  for (const { name, startTime, endTime } of report?.testResults ?? []) addTime(relative(ROOT, name), endTime - startTime);
  const names = (report?.testResults ?? []).flatMap(({ name, message, assertionResults }) => {
    const titles = assertionResults.filter(({ status }) => status === "failed").map(({ fullName }) => fullName);
    return (message && !titles.length ? [message.split("\n")[0]] : titles).map((title) => `${relative(ROOT, name)}: ${title}`);
  });
  return result(name, code, { passed: report?.numPassedTests ?? 0, skipped: report?.numPendingTests ?? 0, names });
}
async function browser() {
  const file = join(results, "browser.json");
  const code = await run("playwright", ["test", "--reporter", "list,json"], undefined, { PLAYWRIGHT_JSON_OUTPUT_FILE: file });
  const report = json(file);
  if (report) reports.push(file);
  const names = [];
  const walk = ({ suites = [], specs = [] }, path) => {
    for (const { title, tests, file } of specs)
      for (const { status, projectName, results } of tests) {
        for (const { duration } of results) addTime(`tests/e2e/${file}`, duration);
        if (status === "unexpected") names.push(`${file}: ${[`[${projectName}]`, ...path, title].join(" › ")}`);
      }
    for (const suite of suites) walk(suite, suite.file === suite.title ? path : [...path, suite.title]);
  };
  if (report) walk(report, []);
  return result("browser", code, { passed: report?.stats.expected ?? 0, skipped: report?.stats.skipped ?? 0, names });
}
/** What the summary says about a part. A run that fails without a failed test is a failure too. */
const result = (name, code, { passed, skipped, names }) => ({
  name,
  passed,
  skipped,
  names,
  failed: code === 0 ? 0 : Math.max(names.length, 1),
});

/** Types of the routes, which tsc and the rules of Biome read. Once for both. */
let generated;
const generate = async (onOutput) => {
  generated ??= run("react-router", ["typegen"], onOutput);
  return (await generated) === 0;
};
const withTypes = (name, check) => async (onOutput) => ((await generate(onOutput)) ? check(onOutput) : { name, passed: 0, failed: 1 });

const parts = {
  types: withTypes("types", whole("types", ["tsc", "--checkers", "1"])),
  lint: withTypes(
    "lint",
    whole(
      "lint",
      ["biome", "check", "--error-on-warnings"],
      ["depcruise", "--config", ".dependency-cruiser.mjs", "app"],
      ["knip"],
      ["knip", "--production"],
    ),
  ),
  unit: () => vitest("unit", "unit*"),
  db: () => vitest("db", "db"),
  browser,
  // Last: reads the reports of the others, to check that the tests named in the specification's tables have run.
  specification: async () => {
    const whole = ["unit", "db", "browser"].every((name) => chosen.includes(name));
    const code = await run("node", ["scripts/specification.ts", ...(whole ? reports : [])]);
    return { name: "specification", passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1 };
  },
};
const named = process.argv.slice(2).filter((name) => name in parts);
const chosen = named.length ? named : Object.keys(parts);

const BESIDE = ["types", "lint"];
const timed = async (name, onOutput) => {
  const began = Date.now();
  const result = await parts[name](onOutput);
  return { ...result, seconds: (Date.now() - began) / 1000 };
};
/** Runs parts in sequence. Returns their output together at the end. */
async function beside(names) {
  const results = [];
  const output = [];
  for (const name of names) {
    output.push(`\n── ${name}\n`);
    results.push(await timed(name, (chunk) => output.push(chunk)));
  }
  return { results, output: output.join("") };
}

/** Seconds of what is done before the tests. */
const before = [];
async function prepared(name, ...args) {
  const began = Date.now();
  const code = await run("node", args);
  before.push([name, (Date.now() - began) / 1000]);
  return code;
}

const began = Date.now();
const done = [];
// Types and lint need no build: they run beside it, which does not use a second core all the time.
const besides = beside(chosen.filter((name) => BESIDE.includes(name))).then(({ results, output }) => {
  process.stdout.write(output);
  done.unshift(...results);
});
try {
  const needsServer = chosen.some((name) => name === "db" || name === "browser");
  if (needsServer && (await prepared("build", "scripts/bootstrap.mjs", "--build")) !== 0) throw new Error("the build failed");
  if (embedded && needsServer) {
    throwaway = await startThrowaway();
    const { host, port, owner, database } = throwaway;
    process.env.TEST_DATABASE_URL = `postgres://${owner}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`;
  }
  if (needsServer && (await prepared("templates", "scripts/test-templates.ts")) !== 0) throw new Error("the templates failed");
  for (const name of chosen.filter((one) => !BESIDE.includes(one))) {
    console.log(`\n── ${name}`);
    done.push(await timed(name));
  }
} catch (error) {
  console.error(error);
  done.push({ name: "run", passed: 0, failed: 1, seconds: 0 });
} finally {
  await besides;
  signalled = false;
  // Also deletes the folders of test databases.
  if (throwaway || !embedded) await run("node", ["scripts/sweep-tests.ts"]);
  throwaway?.end();
}

const slowest = [...times].sort(([, a], [, b]) => b - a).slice(0, SLOWEST);
if (slowest.length) console.log(`\n${slowest.length === times.size ? "All" : `The ${slowest.length} slowest of ${times.size}`} test files`);
for (const [file, seconds] of slowest) console.log(`${seconds.toFixed(1).padStart(9)} s  ${file}`);

console.log("");
for (const [name, seconds] of before) console.log(`  ${name.padEnd(13)} (${seconds.toFixed(1)} s)`);
for (const { name, passed, failed, skipped = 0, seconds } of done)
  console.log(
    `${failed ? "✗" : "✓"} ${name.padEnd(13)} ${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ""}  (${seconds.toFixed(1)} s)`,
  );
// Names the failed tests again here: a reader of CI may see only the end of a long output.
for (const { name, names = [] } of done) for (const failed of names) console.log(`✗ ${name}: ${failed}`);
const sum = (key) => done.reduce((total, result) => total + (result[key] ?? 0), 0);
console.log(
  `\n${sum("passed")} passed, ${sum("failed")} failed${sum("skipped") ? `, ${sum("skipped")} skipped` : ""}  (${((Date.now() - began) / 60_000).toFixed(1)} min)`,
);
process.exitCode = sum("failed") || sum("passed") === 0 || done.length < chosen.length ? 1 : 0;
