/**
 * Reads the tables of docs/specification and reports what is wrong with them: a row that nothing proves, a proof that does not
 * exist, a text that its test does not contain. The form of a row is described in docs/specification.md.
 *
 * `node scripts/specification.ts <report.json>…` also asks the reports of vitest and Playwright whether each named test ran
 * and passed; scripts/test.mjs does so at the end of a whole run.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import ts from "typescript";
import { BEGINNINGS, GATE, isLong } from "../tests/setup/long.ts";

const ROOT = join(import.meta.dirname, "..");
const TABLES = "docs/specification";

/** `path` › `title`: the title is a part of "describe › test" as written in the source. */
type Proof = { path: string; title: string };
type Row = { at: string; id: string; texts: string[]; where: string[]; tests: Proof[]; decisions: string[]; odd: string[] };

const cellsOf = (line: string) =>
  line
    .slice(1, line.lastIndexOf("|"))
    .split(/(?<!\\)\|/)
    .map((cell) => cell.replaceAll("\\|", "|").trim());

function readRow(line: string, at: string): Row {
  const [id = "", what = "", where = "", proof = "", ...more] = cellsOf(line);
  const row: Row = { at, id, texts: [], where: [], tests: [], decisions: [], odd: more.length ? ["more than four cells"] : [] };
  row.texts = [...what.matchAll(/“([^”]*)”/g)].map(([, text]) => text as string);
  row.where = [...where.matchAll(/`([^`]+)`/g)].map(([, path]) => path as string);
  for (const part of proof.split("<br>").map((text) => text.trim())) {
    const test = /^`([^`]+)` › (.+)$/.exec(part);
    const decision = /^decision (\d{3})(?:: .+)?$/.exec(part);
    if (test) row.tests.push({ path: test[1] as string, title: test[2] as string });
    else if (decision) row.decisions.push(decision[1] as string);
    else if (part) row.odd.push(`neither a test nor a decision: ${part}`);
  }
  return row;
}

/** Every row of every table, in their order. */
export function readTables(): Row[] {
  return readdirSync(join(ROOT, TABLES))
    .filter((name) => name.endsWith(".md"))
    .sort()
    .flatMap((name) =>
      readFileSync(join(ROOT, TABLES, name), "utf8")
        .split("\n")
        .flatMap((line, index) => (/^\| *\d{3}-/.test(line) ? [readRow(line, `${TABLES}/${name}:${index + 1}`)] : [])),
    );
}

/** What a placeholder of a title is filled with: vitest's %s and $name, a template's ${…}. */
const HOLE = /%[a-zA-Z]|\$\{[^}]*\}|\$[\w.]+/g;
const squeeze = (text: string) => text.replace(/\s+/g, " ");

/** The tests of a file as "describe › test", placeholders unfilled. Those marked skip, todo or fixme are none. */
const titlesIn = cached((path: string): string[] => {
  const source = ts.createSourceFile(path, readFileSync(join(ROOT, path), "utf8"), ts.ScriptTarget.Latest, true);
  const titles: string[] = [];
  const visit = (node: ts.Node, above: readonly string[]): void => {
    if (ts.isCallExpression(node)) {
      const words = node.expression.getText(source).split(/[.(\s]/);
      const title = node.arguments[0];
      const group = words.includes("describe");
      if ((group || ["it", "test"].includes(words[0] as string)) && title && node.arguments.length > 1) {
        if (words.some((word) => ["skip", "todo", "fixme"].includes(word))) return;
        const shown = ts.isStringLiteralLike(title) ? title.text : `\${${title.getText(source)}}`;
        const chain = [...above, squeeze(ts.isTemplateExpression(title) ? title.getText(source).slice(1, -1) : shown)];
        if (!group) titles.push(chain.join(" › "));
        ts.forEachChild(node, (child) => visit(child, group ? chain : above));
        return;
      }
    }
    ts.forEachChild(node, (child) => visit(child, above));
  };
  visit(source, []);
  return titles;
});

/** A source with its spaces and escapes evened out, to look for a text in it. */
const textOf = cached((path: string) => squeeze(readFileSync(join(ROOT, path), "utf8").replace(/\\(\W)/g, "$1")));

function cached<T>(read: (path: string) => T): (path: string) => T {
  const known = new Map<string, T>();
  return (path) => {
    if (!known.has(path)) known.set(path, read(path));
    return known.get(path) as T;
  };
}

const named = ({ path, title }: Proof) => (existsSync(join(ROOT, path)) ? titlesIn(path).filter((one) => one.includes(title)) : []);
const decisions = readdirSync(join(ROOT, "docs/decisions")).map((name) => name.slice(0, 3));

/** What is wrong with the tables in the sources. */
export function findFaults(rows: Row[]): string[] {
  const seen = new Set<string>();
  return rows.flatMap((row) => {
    const faults = [...row.odd];
    if (!/^\d{3}-§\d+(\.\d+)+[a-z]?$/.test(row.id)) faults.push("an id is like 000-§5.12");
    if (seen.has(row.id)) faults.push("its id is taken");
    seen.add(row.id);
    if (!row.tests.length && !row.decisions.length && !row.odd.length) faults.push("no test and no decision");
    if (!row.where.length && !row.decisions.length) faults.push("no place in the sources");
    for (const path of row.where) if (!existsSync(join(ROOT, path))) faults.push(`${path} does not exist`);
    for (const test of row.tests) if (!named(test).length) faults.push(`${test.path} has no test “${test.title}”`);
    for (const number of row.decisions) if (!decisions.includes(number)) faults.push(`there is no decision ${number}`);
    if (!row.decisions.length)
      for (const text of row.texts) {
        const pieces = squeeze(text).split(/\{[^}]*\}/);
        const found = row.tests.some(({ path }) => existsSync(join(ROOT, path)) && pieces.every((piece) => textOf(path).includes(piece)));
        if (!found) faults.push(`none of its tests contains “${text}”`);
      }
    return faults.map((fault) => `${row.at} ${row.id}: ${fault}`);
  });
}

type VitestReport = { testResults: { name: string; assertionResults: { ancestorTitles: string[]; title: string; status: string }[] }[] };
type Suite = { title: string; file: string; suites?: Suite[]; specs: { title: string; tests: { status: string }[] }[] };

/** "path › describe › test" of each test that passed in a report. */
function passedIn(report: Partial<VitestReport> & { suites?: Suite[] }): Set<string> {
  const passed = new Set<string>();
  for (const { name, assertionResults } of report.testResults ?? [])
    for (const { ancestorTitles, title, status } of assertionResults)
      if (status === "passed") passed.add([relative(ROOT, name), ...ancestorTitles.filter(Boolean), title].map(squeeze).join(" › "));
  const walk = (suite: Suite, above: string[]): void => {
    for (const { title, tests } of suite.specs)
      if (tests.some(({ status }) => status === "expected")) passed.add([...above, title].map(squeeze).join(" › "));
    for (const inner of suite.suites ?? []) walk(inner, [...above, inner.title]);
  };
  for (const suite of report.suites ?? []) walk(suite, [`tests/e2e/${suite.file}`]);
  return passed;
}

const mayBeLeft = (path: string, title: string) => isLong(path, title.replaceAll(" › ", " ")) || BEGINNINGS.has(path);

/** Returns the named tests that passed in no report. A title that is filled from a table needs one of its fillings. */
export function findNotRun(rows: Row[], reports: Parameters<typeof passedIn>[0][]): string[] {
  const passed = reports.flatMap((report) => [...passedIn(report)]);
  const ran = (path: string, title: string) => {
    const parts = title.split(HOLE).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    const pattern = new RegExp(`^${path.replaceAll(".", "\\.")} › ${parts.join(".*")}$`, "s");
    return passed.some((name) => pattern.test(name));
  };
  return rows.flatMap((row) =>
    row.tests
      .filter((test) => !named(test).some((title) => ran(test.path, title) || (GATE && mayBeLeft(test.path, title))))
      .map(({ path, title }) => `${row.at} ${row.id}: did not run and pass: ${path} › ${title}`),
  );
}

if (import.meta.main) {
  const rows = readTables();
  const reports = process.argv.slice(2).map((name) => JSON.parse(readFileSync(name, "utf8")));
  const faults = [...findFaults(rows), ...(reports.length ? findNotRun(rows, reports) : [])];
  for (const fault of faults) console.error(fault);
  console.log(`${rows.length} rows of the specification, ${faults.length} faults`);
  process.exitCode = faults.length ? 1 : 0;
}
