/**
 * Mutation testing of the pure core: changes one operator, condition or value of a file at a time, and asks whether a unit test fails. Each group of
 * files has the tests beside it: a value that is read while its module loads makes all tests of its group run. The survivors are printed with the
 * reason, where there is one.
 */
import { execFileSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { SURVIVORS } from "./mutants/survivors.ts";
import type { Proof } from "./proof.ts";

const ROOT = resolve(import.meta.dirname, "../..");
/** StrykerJS has a package of its own: nothing else needs its 60 MB. */
const STRYKER = join(import.meta.dirname, "mutants");
const CACHE = join(ROOT, "node_modules/.cache/stryker");

/** From Stryker's report (mutation-testing-report-schema). */
type Mutant = { status: string; replacement?: string; location: { start: { line: number; column: number } } };
type MutantResult = Mutant & { file: string };
type Group = { what: string; mutate: string[]; tests: string[] };
export const GROUPS: Group[] = [
  {
    what: "dates, money, phones, ages, digits, fees",
    mutate: ["app/lib/{dates,digits,money,phone,age,platform-fee,verhoeff,numbers}.ts"],
    tests: ["app/lib/{dates,digits,money,values,age,platform-fee,verhoeff,numbers}.test.ts"],
  },
  {
    what: "24-hour rule, states of an appointment, access of its doctor",
    mutate: ["app/domains/{visit-time,appointment.state}.ts", "app/domains/booking/appointments/doctor-access.ts"],
    tests: ["app/domains/{visit-time,appointment.state}.test.ts", "app/domains/booking/appointments/doctor-access.test.ts"],
  },
  {
    what: "order of the queue, estimates",
    mutate: ["app/domains/waiting-room/queue/{order,parts,token-time}.ts", "app/domains/waiting-room/estimate/{estimate,distribution}.ts"],
    tests: ["app/domains/waiting-room/{queue,estimate}/*.test.ts"],
  },
  {
    what: "waitlist, refund rules",
    mutate: ["app/domains/booking/waitlist/rules.ts", "app/domains/booking/cancellation/refund-policy.ts"],
    tests: ["app/domains/booking/{waitlist,cancellation}/*.test.ts"],
  },
  {
    what: "dose sentences",
    mutate: ["app/domains/visit/medicines/dose-sentence.ts"],
    tests: ["app/domains/visit/medicines/*.test.ts"],
  },
  {
    what: "state tables",
    mutate: ["app/domains/**/{verification,profile-change,support,review,membership,place-doctor}.state.ts"],
    tests: ["app/domains/**/*.state.test.ts"],
  },
  {
    what: "origin check, rules of routes, head of a request",
    mutate: ["app/server/{csrf,find-rules}.ts", "app/http/request-head.ts"],
    tests: ["app/server/{csrf,gates,find-rules}.test.ts", "app/http/request-head.test.ts"],
  },
];

/** Returns the mutants of a group. */
function mutantsOf({ mutate, tests }: Group): MutantResult[] {
  const report = join(CACHE, "report.json");
  const settings = join(CACHE, "settings.json");
  mkdirSync(CACHE, { recursive: true });
  writeFileSync(
    settings,
    JSON.stringify({
      testRunner: "vitest",
      vitest: { configFile: "scripts/prove/mutants/vitest.config.ts", related: false },
      mutate: globSync(mutate, { cwd: ROOT }),
      concurrency: 2,
      coverageAnalysis: "perTest",
      reporters: ["json"],
      jsonReporter: { fileName: report },
      logLevel: "error",
      tempDirName: join(CACHE, "copies"),
      ignorePatterns: [".data", "build", "test-results", "docs/images", "public", "drizzle"],
      // A busy machine needs minutes for the first run.
      timeoutMS: 15_000,
      dryRunTimeoutMinutes: 30,
    }),
  );
  execFileSync(process.execPath, [join(STRYKER, "node_modules/@stryker-mutator/core/bin/stryker.js"), "run", settings], {
    cwd: ROOT,
    env: { ...process.env, MUTANT_TESTS: JSON.stringify(tests) },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const { files } = JSON.parse(readFileSync(report, "utf8")) as { files: Record<string, { mutants: Mutant[] }> };
  return Object.entries(files).flatMap(([file, { mutants }]) => mutants.map((mutant) => ({ ...mutant, file })));
}

/** One line for a mutant that lives, with the reason. */
function describeSurvivor({ file, location: { start }, replacement, status }: MutantResult): string {
  const line = readFileSync(join(ROOT, file), "utf8").split("\n")[start.line - 1]!.trim();
  const why = SURVIVORS.find((one) => file.endsWith(one.file) && line.includes(one.line))?.why;
  return `    ${file}:${start.line}:${start.column} → ${replacement}: ${why ?? `not found (${status})`}\n      ${line}`;
}

const proof: Proof = {
  title: "Mutants of the pure core that unit tests find",
  async run({ short, report }) {
    if (!existsSync(join(STRYKER, "node_modules")))
      execFileSync("npm", ["ci", "--no-audit", "--no-fund"], { cwd: STRYKER, stdio: "inherit" });
    let [found, all] = [0, 0];
    for (const group of short ? GROUPS.slice(1, 2) : GROUPS) {
      // Without those that no test can run, such as one that TypeScript refuses.
      const mutants = mutantsOf(group).filter(({ status }) => /^(Killed|Timeout|Survived|NoCoverage)$/.test(status));
      const alive = mutants.filter(({ status }) => status === "Survived" || status === "NoCoverage");
      for (const mutant of alive) console.log(describeSurvivor(mutant));
      report({ what: group.what, value: `${mutants.length - alive.length} of ${mutants.length}` });
      found += mutants.length - alive.length;
      all += mutants.length;
    }
    const score = (100 * found) / all;
    report({ what: "found, of all", value: `${score.toFixed(1)} %`, target: "≥ 90 %", met: score >= 90 });
  },
};
export default proof;
