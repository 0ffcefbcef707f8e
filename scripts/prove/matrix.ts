/**
 * Every page of a visitor and a patient × width × scripts × language: layout, touch targets, large text, axe, faults, shifts, bytes of
 * the first view. `npm test` takes one width per template.
 * MATRIX_PAGES=calendar,wallet measures only addresses that contain one of these.
 */
import { type Browser, type BrowserContext, chromium, type Page } from "playwright";
import { LANGUAGES, type Language } from "../../app/lib/language.ts";
import { axeOn } from "../../tests/setup/axe.ts";
import { Faults } from "../../tests/setup/faults.ts";
import { findBrowser } from "../../tests/setup/find-browser.ts";
import { measureFirstView } from "../../tests/setup/first-view.ts";
import { ENLARGEMENTS, faultsOfEnlarged, withLargeText } from "../../tests/setup/large-text.ts";
import { faultsOfLayout } from "../../tests/setup/layout.ts";
import { MISSING_PAGE, PAGE_GROUPS, type PageGroup, placesOf } from "../../tests/setup/pages.ts";
import { DEMO, loginAs } from "../../tests/setup/people.ts";
import { startServer, type TestServer } from "../../tests/setup/server.ts";
import type { Proof } from "./proof.ts";

const WIDTHS = [320, 390, 1280] as const;
const HEIGHTS = { 320: 640, 390: 844, 1280: 800 } as const;
/** Width at which text is enlarged. */
const ENLARGED_AT = 390;
const PERCENT = 200;
/** Most bytes of the first view, as in tests/server/first-view.test.ts. */
const FIRST_VIEW = { visitor: 18 * 1024, patient: 32 * 1024 };
const MOST_SHIFT = 0.02;
/** One page measures while the other waits for its network. */
const AT_ONCE = 2;
/** Of the short form: pages, and settings. */
const [EVERY_PAGE, EVERY_SETTING] = [4, 7];

type Width = (typeof WIDTHS)[number];
type Setting = { width: Width; scripts: boolean; language: Language; group: PageGroup };
const KINDS = ["sideways", "layout", "target", "words", "large", "axe", "fault", "shift"] as const;
type Kind = (typeof KINDS)[number];

/** Findings by their kind and text, with the settings that have them. */
class Findings {
  readonly #found = new Map<string, string[]>();
  readonly counts: Record<Kind, number> = { sideways: 0, layout: 0, target: 0, words: 0, large: 0, axe: 0, fault: 0, shift: 0 };
  views = 0;
  phones = 0;
  axeRuns = 0;
  enlarged = 0;
  worstShift = { value: 0, where: "" };

  add(kind: Kind, { width, scripts, language }: Setting, path: string, text: string): void {
    this.counts[kind]++;
    const key = `${kind}: ${nameOf(path)}  ${text}`;
    this.#found.set(key, [...(this.#found.get(key) ?? []), `${language} ${width}${scripts ? "" : " without scripts"}`]);
  }
  lines(): string[] {
    return [...this.#found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([text, settings]) => `${text}  [${settings.join(", ")}]`);
  }
}
const nameOf = (path: string) => path.replace(/[\da-f]{8}-[\da-f-]{27}/g, "…").replace(/&date=.*/, "&…");

const only = process.env.MATRIX_PAGES?.split(",");
async function pathsOf(server: TestServer, { pages, beside }: PageGroup): Promise<string[]> {
  const places = await placesOf(server);
  const all = [...pages(places), ...(beside?.(places) ?? [])];
  // Pages for developers are in English.
  return all.filter((path) => !path.startsWith("/dev/") && (!only || only.some((part) => path.includes(part))));
}

const proof: Proof = {
  test: "tests/e2e/{pages,languages,large-text,weight}.spec.ts",
  title: `Every page of visitors and patients at ${WIDTHS.join(", ")} px, with and without scripts, in ${LANGUAGES.join(", ")}. Text at ${PERCENT} % and ${ENLARGED_AT} px is enlarged in three ways: by the browser's font size, by a font size on the root, text alone. Short form: every fourth page, in every seventh setting.`,
  async run({ short, report }) {
    const groups = PAGE_GROUPS.filter(({ account }) => account !== "doctor");
    const settings = [true, false]
      .flatMap((scripts) => LANGUAGES.flatMap((language) => WIDTHS.map((width) => ({ width, scripts, language }))))
      .filter((_, n) => !short || n % EVERY_SETTING === 0)
      .flatMap((setting) => groups.map((group) => ({ ...setting, group })));
    const findings = new Findings();
    const began = performance.now();
    const server = await startServer();
    const browser = await chromium.launch(await findBrowser());
    let largest = { bytes: 0, most: 0, part: 0, where: "" };
    let templates = 0;
    const tooLarge: string[] = [];
    try {
      // Ids of the demo data are read once: opened pages may change what is first.
      const paths = new Map<PageGroup, string[]>();
      for (const group of groups)
        paths.set(
          group,
          (await pathsOf(server, group)).filter((_, n) => !short || n % EVERY_PAGE === 0),
        );
      templates = [...paths.values()].flat().length;
      const waiting = [...settings];
      const work = async () => {
        for (let next = waiting.shift(); next; next = waiting.shift())
          await measureAll(server, browser, next, paths.get(next.group)!, findings);
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      for (const language of LANGUAGES)
        for (const { account, ...group } of groups) {
          const session = account ? `nadi_session=${(await loginAs(server, DEMO[account])).token}` : "";
          for (const path of paths.get(groups.find(({ whose }) => whose === group.whose)!)!) {
            const cookie = [`lang=${language}`, session].filter(Boolean).join("; ");
            const { html, css } = await measureFirstView(server.url, path, "gzip", cookie);
            const where = `${nameOf(path)} in ${language}`;
            const most = account ? FIRST_VIEW.patient : FIRST_VIEW.visitor;
            const part = (html + css) / most;
            if (part > largest.part) largest = { bytes: html + css, most, part, where };
            if (part > 1) tooLarge.push(`bytes: ${where}: ${html + css}`);
          }
        }
    } finally {
      await browser.close();
      await server.stop();
    }
    for (const line of [...findings.lines(), ...tooLarge]) console.log(`    ${line}`);
    const { counts, views } = findings;
    const none = (what: string, kind: Kind, of: number) =>
      report({ what, value: `${counts[kind]} in ${of.toLocaleString("en-IN")}`, target: "0", met: counts[kind] === 0 });
    const minutes = ((performance.now() - began) / 60_000).toFixed(0);
    report({
      what: "pages × settings",
      value: `${templates} × ${settings.length / groups.length} = ${views.toLocaleString("en-IN")}, in ${minutes} minutes`,
    });
    none("pages that scroll sideways", "sideways", views);
    none("overlapping, clipped or misplaced elements", "layout", views);
    none("touch targets below 44 px on phones", "target", findings.phones);
    none("texts in another language", "words", views);
    none(`layout errors of text at ${PERCENT} %`, "large", findings.enlarged);
    none("findings of axe, with its best-practice rules", "axe", findings.axeRuns);
    none("console errors, exceptions, failed requests", "fault", views);
    const { value, where } = findings.worstShift;
    report({
      what: "largest layout shift (CLS), with scripts",
      value: `${value.toFixed(3)}${where && ` (${where})`}`,
      target: `≤ ${MOST_SHIFT}`,
      met: counts.shift === 0,
    });
    report({
      what: "first view nearest its limit (HTML and CSS, gzip)",
      value: `${largest.bytes.toLocaleString("en-IN")} bytes (${largest.where})`,
      target: `≤ ${largest.most.toLocaleString("en-IN")} bytes`,
      met: tooLarge.length === 0,
    });
  },
};
export default proof;

/** Measures the pages of one group in one setting. */
async function measureAll(server: TestServer, browser: Browser, setting: Setting, paths: string[], findings: Findings): Promise<void> {
  const { width, scripts, language, group } = setting;
  const phone = width < 1000 && { deviceScaleFactor: 2, isMobile: true, hasTouch: true };
  const context = await browser.newContext({
    viewport: { width, height: HEIGHTS[width] },
    ...phone,
    javaScriptEnabled: scripts,
    locale: "en-IN",
    timezoneId: "Asia/Kolkata",
    serviceWorkers: "block",
  });
  try {
    await logIn(server, context, setting);
    const faults = new Faults();
    faults.allow(MISSING_PAGE);
    faults.watch(context);
    if (scripts) await context.addInitScript(collectShifts);
    const page = await context.newPage();
    for (const path of paths) {
      const before = faults.unexpected.length;
      await measure(page, server.url + path, path, setting, findings).catch(async (error: Error) => {
        // A page reads its data again by itself, where it shows what changes.
        if (!/Execution context was destroyed/.test(error.message)) throw error;
        await measure(page, server.url + path, path, setting, findings);
      });
      for (const fault of faults.unexpected.slice(before)) findings.add("fault", setting, path, fault);
    }
  } catch (error) {
    throw new Error(`${group.whose} pages, ${language} ${width}${scripts ? "" : " without scripts"}`, { cause: error });
  } finally {
    await context.close();
  }
}

async function logIn(server: TestServer, context: BrowserContext, { language, group: { account } }: Setting): Promise<void> {
  await context.addCookies([{ name: "lang", value: language, url: server.url }]);
  if (!account) return;
  const { token } = await loginAs(server, DEMO[account]);
  await context.addCookies([{ name: "nadi_session", value: token, url: server.url, httpOnly: true, sameSite: "Lax" }]);
}

async function measure(page: Page, url: string, path: string, setting: Setting, findings: Findings): Promise<void> {
  const { width, scripts, language } = setting;
  await page.goto(url, { waitUntil: scripts ? "networkidle" : "load" });
  findings.views++;
  if (width <= 390) findings.phones++;
  if (scripts) {
    const { sum, sources } = await page.evaluate(() => (window as unknown as { shifts: { sum: number; sources: string[] } }).shifts);
    if (sum > findings.worstShift.value) findings.worstShift = { value: sum, where: `${nameOf(path)} at ${width}` };
    if (sum > MOST_SHIFT) findings.add("shift", setting, path, sources.join(", "));
  }
  for (const fault of await faultsOfLayout(page, language)) {
    const kind = kindOf(fault);
    // A mouse needs no 44 px.
    if (kind !== "target" || width <= 390) findings.add(kind, setting, path, fault);
  }
  if (scripts) {
    findings.axeRuns++;
    for (const { id, nodes } of (await axeOn(page).analyze()).violations)
      findings.add("axe", setting, path, `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);
  }
  if (scripts || width !== ENLARGED_AT) return;
  for (const by of ENLARGEMENTS) {
    findings.enlarged++;
    for (const fault of await withLargeText(page, by, PERCENT, () => faultsOfEnlarged(page, language)))
      findings.add("large", setting, path, `${by}: ${fault}`);
  }
}
function kindOf(fault: string): Kind {
  if (/^the page is \d+ px wide/.test(fault)) return "sideways";
  if (fault.startsWith("target ")) return "target";
  return /^(English|Latin full stop|lang is)/.test(fault) ? "words" : "layout";
}

/** Runs in the page before its scripts. */
function collectShifts(): void {
  const shifts = { sum: 0, sources: [] as string[] };
  Object.assign(window, { shifts });
  type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean; sources: { node?: Element }[] };
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries() as Shift[]) {
      if (hadRecentInput) continue;
      shifts.sum += value;
      shifts.sources.push(...sources.map(({ node }) => node?.className || node?.nodeName || "?"));
    }
  }).observe({ type: "layout-shift", buffered: true });
}
