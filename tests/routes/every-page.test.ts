/**
 * Every page of every role, read once in each language: valid HTML that is also readable without CSS, one language, Indian formats,
 * a stylesheet with its classes, and no row that its GET changes. What the pages link to: reads.test.ts.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LANGUAGES, type Language } from "#app/lib/language.ts";
import { EVERY_GROUP, OWNER_PAGES } from "../setup/every-page.ts";
import { Browser } from "../setup/http.ts";
import { SPECIFIED, spokenOn, strangeFormats } from "../setup/indian-formats.ts";
import { loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";
import { missingClasses } from "../setup/sheets-of-page.ts";
import { swept } from "../setup/swept.ts";
import { htmlProblemsOf, runTogether } from "../setup/valid-html.ts";
import { takeWrites, watchWrites } from "../setup/watch-writes.ts";
import { faultsOfLanguage } from "../setup/words-of-page.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  await watchWrites(server, { jobs: [] });
});
afterAll(() => server?.stop());

type Group = (typeof EVERY_GROUP)[number];
type PageRead = { path: string; html: string; wrote: string[] };
const read = new Map<string, Promise<PageRead[]>>();
/** Returns the pages of a group in a language. The first check that asks reads them. */
function pagesOf(group: Group, language: Language): Promise<PageRead[]> {
  const key = `${language} ${group.whose}`;
  const pages = read.get(key) ?? readPages(group, language);
  read.set(key, pages);
  return pages;
}
async function readPages({ account, paths }: Group, language: Language) {
  const browser = account ? await loginAs(server, account) : new Browser(server.url);
  browser.cookies.set("lang", language);
  const pages: PageRead[] = [];
  const all = await paths(server);
  await takeWrites(server);
  for (const path of language === "en" ? all : swept(all)) {
    if (path === "/dev/ui") continue;
    const { text, headers } = await browser.get(path);
    const wrote = await takeWrites(server);
    if (headers.get("content-type")?.startsWith("text/html")) pages.push({ path, html: text, wrote });
  }
  return pages;
}
/** Every group in these languages. */
const inEach = (...languages: Language[]) => languages.flatMap((language) => EVERY_GROUP.map((group) => ({ ...group, language, group })));

describe("valid HTML", () => {
  it.each(inEach("en"))("$whose pages", async ({ group, language }) => {
    const found: string[] = [];
    const pages = await pagesOf(group, language);
    const checked = swept(pages.map(({ path }) => path));
    for (const { path, html } of pages) {
      const problems = checked.includes(path) ? await htmlProblemsOf(html) : [];
      for (const problem of [...problems, ...runTogether(html)]) found.push(`${path} ${problem}`);
    }
    expect(found).toEqual([]);
  });
});

describe("a GET changes no row", () => {
  it.each([...EVERY_GROUP, OWNER_PAGES].map((group) => ({ ...group, group })))("$whose pages", async ({ group }) => {
    const pages = await pagesOf(group, "en");
    expect(pages.filter(({ wrote }) => wrote.length > 0).map(({ path, wrote }) => `${path}: ${wrote}`)).toEqual([]);
  });
});

describe("one language", () => {
  it.each(inEach("te", "hi"))("$language: $whose pages contain no words of another", async ({ group, language }) => {
    const found: string[] = [];
    for (const { path, html } of await pagesOf(group, language)) {
      if (path.startsWith("/dev/")) continue;
      for (const fault of faultsOfLanguage(html, language)) found.push(`${path} ${fault}`);
    }
    expect(found).toEqual([]);
  });

  it("finds English text, labels and titles, except where they are marked as English", () => {
    const page = (body: string, language = "te") =>
      `<!DOCTYPE html><html lang="${language}"><head><title>నాడి</title></head><body>${body}</body></html>`;
    expect(faultsOfLanguage(page("<p>మీ ఖాతా</p><script>const a = '<p>Notifications</p>';</script>"), "te")).toEqual([]);
    expect(faultsOfLanguage(page('<p lang="en">Notifications</p>'), "te")).toEqual([]);
    expect(faultsOfLanguage(page("<p><b>Notifications</b></p>"), "te")).toEqual(['English: "Notifications"']);
    expect(faultsOfLanguage(page('<a aria-label="Notifications" href="/"><svg/></a>'), "te")).toEqual(['English: "Notifications"']);
    const pieces = page("<p>Too many attempts. Please wait <!-- -->12<!-- --> seconds and try again.</p>");
    expect(faultsOfLanguage(pieces, "te")).toEqual(['English: "Too many attempts. Please wait 12 seconds and try again."']);
    expect(faultsOfLanguage(page("<p>मेरा खाता.</p>", "hi"), "hi")).toEqual(['Latin full stop: "मेरा खाता."']);
    expect(faultsOfLanguage(page("<p>मेरा खाता</p>"), "hi")).toEqual(['lang is "te"']);
  });
});

describe("formats", () => {
  it.each(inEach(...LANGUAGES))("$language: $whose pages show 12-hour times, Indian amounts and dates", async ({ group, language }) => {
    const found: string[] = [];
    for (const { path, html } of await pagesOf(group, language))
      for (const problem of strangeFormats(spokenOn(html).replace(SPECIFIED[path] ?? "", ""), language)) found.push(`${path}: ${problem}`);
    expect(found).toEqual([]);
  });

  it("detects other formats", () => {
    expect(strangeFormats("at 14:30, 09:30 AM, 10:30 AM, 9:00 PM", "en")).toHaveLength(2);
    expect(strangeFormats("ఉదయం 10:30, 10:30", "te")).toHaveLength(1);
    expect(strangeFormats("2026-11-22, Rs. 500, ₹100,000, ₹1,00,000, ₹500, 22 Nov 2026", "en")).toHaveLength(3);
  });
});

/** A sheet has what its `@source` names (app/styles). */
describe("sheets", () => {
  it.each([...EVERY_GROUP, OWNER_PAGES].map((group) => ({ ...group, group })))(
    "$whose pages find their classes in their sheet",
    async ({ group }) => {
      const pages = await pagesOf(group, "en");
      expect(pages.flatMap(({ path, html }) => missingClasses(html).map((missing) => `${path}: .${missing}`))).toEqual([]);
      expect(pages.length, "pages that were read").toBeGreaterThan(2);
    },
  );
});
