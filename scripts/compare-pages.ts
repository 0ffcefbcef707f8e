/**
 * `npm run compare-pages -- BEFORE AFTER [options]`: photographs the pages of tests/setup in two builds and writes a picture of each difference:
 * before, after and what differs. Both servers have the same demo data and the same clock. Needs a running database.
 *
 * BEFORE, AFTER: a git ref, which is built in a temporary folder, or a folder with a build (`.`: this checkout)
 * --of TEXT      only groups whose name contains it ("visitor", "patient", "doctor", "reviewer")
 * --pages REGEX  only paths that match
 * --looks LIST   of 390, 1280, large (text at 200 %), te, open (everything folded is open), print. Default: all, print where a page is printed
 * --scripts      with scripts. Default: without, which is faster and has no moving parts
 * --to FOLDER    for the pictures. Default: test-results/compare-pages
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { type Browser, chromium, type Page } from "playwright";
import sharp from "sharp";
import { EVERY_GROUP } from "../tests/setup/every-page.ts";
import { findBrowser } from "../tests/setup/find-browser.ts";
import { withLargeText } from "../tests/setup/large-text.ts";
import { keepSplash } from "../tests/setup/pages.ts";
import { loginAs } from "../tests/setup/people.ts";
import { startServer, type TestServer } from "../tests/setup/server.ts";

const ROOT = resolve(import.meta.dirname, "..");
const LOOKS = ["390", "1280", "large", "te", "open", "print"] as const;
type Look = (typeof LOOKS)[number];
const PRINTED = /receipt|slip|poster|\/day\/|\/screen|settlement|certificate|order|prescription/;
const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 800 };

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    of: { type: "string", default: "" },
    pages: { type: "string", default: "" },
    looks: { type: "string" },
    scripts: { type: "boolean", default: false },
    to: { type: "string", default: join(ROOT, "test-results/compare-pages") },
  },
});
const [before, after] = positionals;
if (!before || !after) throw new Error("Usage: npm run compare-pages -- BEFORE AFTER [--of doctor] [--pages regex] [--looks 390,te]");
const wanted = options.looks?.split(",") as Look[] | undefined;
const unknown = wanted?.filter((look) => !LOOKS.includes(look)) ?? [];
if (unknown.length) throw new Error(`Unknown: ${unknown.join(", ")}. Looks: ${LOOKS.join(", ")}`);

/** Returns a folder with a build of this ref, or the folder itself. */
function buildOf(name: string): string {
  if (existsSync(join(name, "build/server/index.js"))) return resolve(name);
  const commit = execFileSync("git", ["rev-parse", `${name}^{commit}`], { cwd: ROOT, encoding: "utf8" }).trim();
  const folder = join(tmpdir(), `nadi-pages-${commit.slice(0, 12)}`);
  if (existsSync(join(folder, "build/server/index.js"))) return folder;
  console.log(`building ${name} in ${folder} …`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const files = execFileSync("git", ["archive", commit], { cwd: ROOT, maxBuffer: 2 ** 30 });
  execFileSync("tar", ["-x", "-C", folder], { input: files });
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  // As a developer builds it: what comes before the build differs from commit to commit.
  execFileSync("npm", ["run", "build"], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  return folder;
}

type Side = { server: TestServer; page: Page };
type Group = (typeof EVERY_GROUP)[number];

async function open(browser: Browser, server: TestServer, account: Group["account"]): Promise<Side> {
  const context = await browser.newContext({
    viewport: PHONE,
    locale: "en-IN",
    timezoneId: "Asia/Kolkata",
    serviceWorkers: "block",
    javaScriptEnabled: options.scripts,
  });
  if (account) {
    const { token } = await loginAs(server, account);
    await context.addCookies([{ name: "nadi_session", value: token, url: server.url, httpOnly: true, sameSite: "Lax" }]);
  } else await keepSplash(context);
  return { server, page: await context.newPage() };
}
const visit = ({ server, page }: Side, path: string) =>
  page.goto(server.url + path, { waitUntil: options.scripts ? "networkidle" : "load" });

/** Lazy images of a long page load while the first picture is taken, so a difference counts only if it stays. */
async function photograph(page: Page): Promise<Buffer> {
  // The address of the server, which differs, and what the browser loads late.
  await page.evaluate(() => {
    for (const image of document.images) image.loading = "eager";
    for (const word of document.querySelectorAll("body *"))
      for (const text of word.childNodes)
        if (text.nodeType === Node.TEXT_NODE && text.nodeValue?.includes("localhost:"))
          text.nodeValue = text.nodeValue.replace(/localhost:\d+/g, "localhost:3000");
  });
  return page.screenshot({ fullPage: true, animations: "disabled", caret: "hide" });
}

/** Applies the look to the page, runs `work`, and takes it back. */
async function withLook<T>(page: Page, look: Look, work: () => Promise<T>): Promise<T> {
  await page.setViewportSize(look === "1280" || look === "open" || look === "print" ? DESKTOP : PHONE);
  if (look === "large") return withLargeText(page, "root", 200, work);
  if (look === "print") await page.emulateMedia({ media: "print" });
  if (look === "open")
    await page.evaluate(() => {
      for (const details of document.querySelectorAll("details")) details.open = true;
    });
  const result = await work();
  if (look === "print") await page.emulateMedia({ media: null });
  return result;
}

/** Returns the number of pixels that differ, and their picture. Null: none. */
async function difference(one: Buffer, other: Buffer): Promise<{ pixels: number; picture: Buffer } | null> {
  if (one.equals(other)) return null;
  const sizes = await Promise.all([one, other].map((png) => sharp(png).metadata()));
  const [width, height] = [Math.max(...sizes.map((size) => size.width)), Math.max(...sizes.map((size) => size.height))];
  const pad = (png: Buffer, i: number) =>
    sharp(png)
      .extend({ right: width - sizes[i]!.width, bottom: height - sizes[i]!.height, background: "magenta" })
      .removeAlpha()
      .raw()
      .toBuffer();
  const [left, right] = await Promise.all([pad(one, 0), pad(other, 1)]);
  let pixels = 0;
  const marked = Buffer.alloc(left!.length);
  for (let i = 0; i < left!.length; i += 3) {
    const same = left![i] === right![i] && left![i + 1] === right![i + 1] && left![i + 2] === right![i + 2];
    if (!same) pixels++;
    // What is equal stays as a pale shadow, to find the place.
    for (let c = 0; c < 3; c++) marked[i + c] = same ? 224 + left![i + c]! / 8 : c === 0 ? 220 : 0;
  }
  if (!pixels) return null;
  const raw = { raw: { width, height, channels: 3 as const } };
  const parts = [left!, right!, marked];
  const images = await Promise.all(parts.map((part) => sharp(part, raw).png().toBuffer()));
  const picture = await sharp({ create: { width: width * 3 + 32, height, channels: 3, background: "#888" } })
    .composite(images.map((input, i) => ({ input, left: i * (width + 16), top: 0 })))
    .png({ compressionLevel: 6 })
    .toBuffer();
  return { pixels, picture };
}

const found: string[] = [];
let compared = 0;
async function compare(sides: [Side, Side], path: string, look: Look): Promise<void> {
  const shoot = () => Promise.all(sides.map(({ page }) => withLook(page, look, () => photograph(page))));
  let [one, other] = await shoot();
  compared++;
  if (!one!.equals(other!)) {
    await Promise.all(sides.map((side) => visit(side, path)));
    [one, other] = await shoot();
  }
  const differs = await difference(one!, other!);
  if (!differs) return;
  const name = `${path
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "id")
    .replace(/[^\w.=-]+/g, "_")
    .slice(0, 90)}-${look}.png`;
  await sharp(differs.picture).toFile(join(options.to, name));
  found.push(`${String(differs.pixels).padStart(8)}  ${look.padEnd(5)}  ${path}  ${name}`);
  console.log(found.at(-1));
}

async function compareGroup(browser: Browser, servers: [TestServer, TestServer], { whose, account, paths }: Group): Promise<void> {
  const matching = new RegExp(options.pages);
  const list = (await Promise.all(servers.map((server) => paths(server))))[0]!.filter((path) => matching.test(path));
  if (list.length === 0) return;
  console.log(`${whose} pages: ${list.length}`);
  const sides = (await Promise.all(servers.map((server) => open(browser, server, account)))) as [Side, Side];
  const setLanguage = (value: string) =>
    Promise.all(sides.map(({ page, server }) => page.context().addCookies([{ name: "lang", value, url: server.url }])));
  for (const path of list) {
    const looks = wanted ?? LOOKS.filter((look) => look !== "print" || PRINTED.test(path));
    const inEnglish = looks.filter((look) => look !== "te");
    if (inEnglish.length) {
      await setLanguage("en");
      await Promise.all(sides.map((side) => visit(side, path)));
      for (const look of inEnglish) await compare(sides, path, look);
    }
    if (looks.includes("te")) {
      await setLanguage("te");
      await Promise.all(sides.map((side) => visit(side, path)));
      await compare(sides, path, "te");
    }
  }
  await Promise.all(sides.map(({ page }) => page.context().close()));
}

const folders = [buildOf(before), buildOf(after)];
rmSync(options.to, { recursive: true, force: true });
mkdirSync(options.to, { recursive: true });
const servers = (await Promise.all(folders.map((root) => startServer({ root })))) as [TestServer, TestServer];
const browser = await chromium.launch(await findBrowser());
try {
  for (const group of EVERY_GROUP) if (group.whose.includes(options.of)) await compareGroup(browser, servers, group);
} finally {
  await browser.close();
  await Promise.all(servers.map((server) => server.stop()));
}
console.log(found.length ? `${found.length} of ${compared} pictures differ: ${options.to}` : `${compared} pictures, no difference`);
process.exitCode = found.length ? 1 : 0;
