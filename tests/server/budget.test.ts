/**
 * SQL statements, bytes and elements of a page grow slowly and unnoticed. A page that exceeds its budget by a tenth fails here:
 * make it smaller, or accept the growth with `UPDATE_BUDGET=1 npx vitest run --project db tests/server/budget.test.ts`.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { dropDatabase } from "../../scripts/databases.ts";
import { type DatabaseProxy, proxyDatabase } from "../mocks/database-proxy.ts";
import { type BudgetPage, budgetPages } from "../setup/budget-pages.ts";
import { cloneTemplate, DEMO_KEY, PREFIX } from "../setup/database.ts";
import { Browser } from "../setup/http.ts";
import { DEMO, type LoggedIn, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";
import { fillDemo } from "../setup/templates.ts";

const FILE = join(import.meta.dirname, "budget.json");
/** A fixed day, so that calendars and lists are the same on each run: a Wednesday, noon in India. */
const NOW = new Date("2026-03-04T06:30:00Z");
const DAY = "2026-03-04";
/** The first load fills caches. A job may add statements to a load, so the smallest number counts. */
const LOADS = 4;

type Measured = { statements: number; bytes: number; elements: number };
const dataDir = mkdtempSync(join(tmpdir(), `${PREFIX}budget_`));
const database = await cloneTemplate("reference");
let statements = 0;
let proxy: DatabaseProxy;
let server: TestServer;
let pages: BudgetPage[];
const people = new Map<BudgetPage["account"], Browser | LoggedIn>();

beforeAll(async () => {
  await fillDemo(database, join(dataDir, "files"), DEMO_KEY, NOW);
  writeFileSync(join(dataDir, "clock"), String(NOW.getTime() - Date.now()));
  proxy = await proxyDatabase(database, () => {
    statements++;
  });
  server = await startServer({ database: proxy.address, dataDir });
  pages = await budgetPages(server, DAY);
  people.set(null, new Browser(server.url));
  for (const account of ["patient", "doctor", "reviewer", "admin"] as const) people.set(account, await loginAs(server, DEMO[account]));
});
afterAll(async () => {
  await server?.stop();
  await proxy?.stop();
  await dropDatabase(database);
  rmSync(dataDir, { recursive: true, force: true });
});

async function measure({ account, path }: BudgetPage): Promise<Measured> {
  const loads: Measured[] = [];
  for (let i = 0; i < LOADS; i++) {
    const before = statements;
    // A new URL each time: visitors' pages are cached.
    const { status, text } = await people.get(account)!.get(`${path}${path.includes("?") ? "&" : "?"}load=${i}`);
    expect(status, path).toBe(200);
    loads.push({ statements: statements - before, bytes: Buffer.byteLength(text), elements: text.match(/<[a-z]/gi)?.length ?? 0 });
  }
  const least = (of: keyof Measured) => Math.min(...loads.map((load) => load[of]));
  return { statements: least("statements"), bytes: least("bytes"), elements: least("elements") };
}

it("keeps statements, bytes and elements of each page within a tenth of their budget", async () => {
  const budget: Record<string, Measured> = JSON.parse(readFileSync(FILE, "utf8"));
  const measured: Record<string, Measured> = {};
  for (const page of pages) measured[page.name] = await measure(page);
  const isOver = ({ name }: BudgetPage) => measured[name]!.statements > (budget[name]?.statements ?? 0) * 1.1;
  // The jobs of a minute add statements to some pages in turn: these pages are measured again.
  for (let again = 0; again < 2; again++) for (const page of pages.filter(isOver)) measured[page.name] = await measure(page);
  if (process.env.UPDATE_BUDGET) {
    const lines = Object.entries(measured).map(
      ([name, { statements, bytes, elements }]) =>
        `  ${JSON.stringify(name)}: { "statements": ${statements}, "bytes": ${bytes}, "elements": ${elements} }`,
    );
    writeFileSync(FILE, `{\n${lines.join(",\n")}\n}\n`);
    return;
  }
  expect(Object.keys(measured)).toEqual(Object.keys(budget));
  const grown = Object.entries(measured).flatMap(([name, now]) =>
    (["statements", "bytes", "elements"] as const).flatMap((of) =>
      now[of] > budget[name]![of] * 1.1 ? [`${name}: ${now[of]} ${of}, ${budget[name]![of]} allowed`] : [],
    ),
  );
  expect(grown).toEqual([]);
  // Proves that the proxy counts.
  expect(measured["dashboard, patient"]!.statements).toBeGreaterThan(1);
});
