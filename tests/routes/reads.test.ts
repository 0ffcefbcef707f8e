/**
 * A GET writes nothing: every page of every area, and every file and list that a page links to, while all tables are watched. Routes with ids of rows that
 * the demo does not have are watched by access.test.ts.
 */
import type { RouteConfigEntry } from "@react-router/dev/routes";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import routes from "#app/routes.ts";
import { EVERY_GROUP, OWNER_PAGES } from "../setup/every-page.ts";
import { Browser } from "../setup/http.ts";
import { DEMO, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";
import { takeWrites, watchWrites } from "../setup/watch-writes.ts";

function patternsOf(entries: RouteConfigEntry[], above = ""): string[] {
  return entries.flatMap((entry) => {
    const pattern = entry.path === undefined ? above : `${above}/${entry.path}`.replace(/\/+/g, "/");
    const own = entry.index || (entry.path !== undefined && !entry.children) ? [pattern || "/"] : [];
    return [...own, ...patternsOf(entry.children ?? [], pattern)];
  });
}
/** Of all routes with a page or a file, those with fewer parameters first. The API is tested by call. */
const PATTERNS = [...new Set(patternsOf(await routes))]
  .filter((pattern) => pattern !== "/*" && !/^\/api1?\//.test(pattern))
  .sort((a, b) => a.split(":").length - b.split(":").length);
const patternOf = (path: string) =>
  PATTERNS.find((pattern) => new RegExp(`^${pattern.replace(/[.]/g, "\\.").replace(/:\w+/g, "[^/]+")}$`).test(path));

let server: TestServer;
beforeAll(async () => {
  // A server of its own: no job is stored while pages are read.
  server = await startServer({ env: {} });
  const waiting = () =>
    server.sql`select from pgboss.job where state in ('created', 'active', 'retry') and start_after < now() and name not like '\\_\\_%'`;
  await vi.waitUntil(async () => (await waiting()).length === 0, { timeout: 60_000, interval: 200 });
  await watchWrites(server, { jobs: false });
  await vi.waitUntil(async () => (await server.sql`select from pgboss.job where state = 'active'`).length === 0, { timeout: 20_000 });
});
afterAll(() => server?.stop());

const GROUPS = [...EVERY_GROUP, OWNER_PAGES];
const opened = new Set<string>();
const wrote: string[] = [];

/** Opens a page, its data and what it links to: of each kind one. */
async function read(who: Browser, paths: string[]) {
  const seen = new Set<string>();
  const queue: string[] = [];
  const add = (path: string, isLink: boolean) => {
    const { pathname, searchParams } = new URL(path, server.url);
    const pattern = patternOf(pathname);
    const kind = `${pattern} ${[...searchParams.keys()].sort()}`;
    if (!pattern || seen.has(path) || (isLink && seen.has(kind))) return;
    seen.add(path).add(kind);
    queue.push(path);
  };
  for (const path of paths) add(path, false);
  for (let path = queue.shift(); path; path = queue.shift()) {
    const answer = await who.get(path);
    const written = await takeWrites(server);
    if (written.length) wrote.push(`${path}: ${written}`);
    if (answer.status === 200) opened.add(patternOf(new URL(path, server.url).pathname)!);
    for (const [, href] of answer.text.matchAll(/\shref="(\/[^"#]*)"/g)) add(href!.replaceAll("&amp;", "&"), true);
    if (answer.location?.startsWith("/")) add(answer.location, true);
  }
}

describe("a GET changes no row", () => {
  it.each(GROUPS)("$whose pages, and what they link to", { timeout: 120_000 }, async ({ account, paths }) => {
    const browser = account ? await loginAs(server, account) : new Browser(server.url);
    const pages = await paths(server);
    await takeWrites(server);
    wrote.length = 0;
    await read(browser, pages);
    expect(wrote).toEqual([]);
  });

  // Also what only a form or a script opens, and what an account may not open. Paths with ids: tests/routes/access.test.ts.
  it.each(["visitor", ...Object.keys(DEMO)])("every path without ids, for a %s", { timeout: 120_000 }, async (name) => {
    const browser = name === "visitor" ? new Browser(server.url) : await loginAs(server, DEMO[name as keyof typeof DEMO]);
    wrote.length = 0;
    for (const pattern of PATTERNS.filter((one) => !one.includes(":"))) {
      expect((await browser.get(pattern)).status, pattern).toBeLessThan(500);
      const written = await takeWrites(server);
      if (written.length) wrote.push(`${pattern}: ${written}`);
    }
    expect(wrote).toEqual([]);
  });

  it("opened most routes, and pages of every area", () => {
    expect(opened.size).toBeGreaterThan(170);
    for (const area of ["patient", "doctor", "desk", "clinic", "reviewer", "admin", "account", "hospital"])
      expect(
        [...opened].some((pattern) => pattern.startsWith(`/${area}/`) || pattern === `/${area}`),
        area,
      ).toBe(true);
  });
});
