/** A page of staff loads the stylesheets of the classes it uses: a route names them in its `handle` (app/ui/document.tsx). */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { EVERY_GROUP } from "../setup/every-page.ts";
import { DEMO, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

const ASSETS = "build/client/assets";
/** Returns the classes that a sheet of the build has rules for. */
function classesOf(sheet: string): Set<string> {
  const file = readdirSync(ASSETS).find((file) => file.startsWith(`${sheet}-`) && file.endsWith(".css"))!;
  const selectors = readFileSync(join(ASSETS, file), "utf8").replace(/\{[^{}]*\}/g, "{}");
  return new Set([...selectors.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name]) => name!));
}
const COMMON = ["app", "staff"];
const ADDED = ["form", "more", "fill", "case", "table", "agenda", "talk", "api"];
const classes = Object.fromEntries([...COMMON, ...ADDED].map((sheet) => [sheet, classesOf(sheet)]));

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server?.stop());

/** Pages that no other list has: those of an owner with choices. */
const OWNERS = {
  whose: "an owner's",
  account: DEMO.owner,
  paths: async ({ sql }: Pick<TestServer, "sql">) => {
    const [place] = await sql<{ id: string }[]>`
      select hospital_id as id from memberships m join users u on u.id = m.user_id where u.email = ${DEMO.owner.email} and m.role = 'owner' limit 1`;
    const pages = ["", "/doctors", "/invite", "/refund-policy", "/web", "/webhooks", "/webhooks/add", "/screen", "/takings", "/results"];
    return pages.map((page) => `/clinic/${place!.id}${page}`);
  },
};
const groups = [...EVERY_GROUP, OWNERS].filter(({ account }) => account && account.role !== "patient");

it.each(groups)("$whose pages load the sheets of their classes", async ({ account, paths }) => {
  const browser = await loginAs(server, account!);
  const missing: string[] = [];
  let pages = 0;
  for (const path of await paths(server)) {
    const { status, text } = await browser.get(path);
    if (status !== 200) continue;
    pages++;
    const loaded = [...text.matchAll(/ id="css-(\w+)"/g)].map(([, name]) => name!);
    const used = new Set([...text.matchAll(/ class="([^"]*)"/g)].flatMap(([, names]) => names!.split(/\s+/)));
    for (const name of used) {
      const sheets = ADDED.filter((sheet) => classes[sheet]!.has(name));
      if (sheets.length > 0 && ![...COMMON, ...loaded].some((sheet) => classes[sheet]?.has(name)))
        missing.push(`${path}: .${name} is in ${sheets.join(", ")}`);
    }
  }
  expect(missing).toEqual([]);
  expect(pages, "pages that were read").toBeGreaterThan(2);
});
