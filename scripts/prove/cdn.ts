/** Visitors' pages behind Varnish: hits of a second crawl, how soon a change shows, and pages of users. */
import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { dayFromNow } from "../../tests/factories/people.ts";
import { DEMO, loginAs } from "../../tests/setup/people.ts";
import { freePort, startServer, type TestServer } from "../../tests/setup/server.ts";
import type { Proof } from "./proof.ts";

const VARNISH = ["/usr/sbin/varnishd", "/usr/local/sbin/varnishd"];
const LANGUAGES = ["en", "hi", "te"];
const TOKEN = "token-of-the-proof";
const GIVES_UP = 20_000;

type Page = { cache: string; hit: boolean; text: string };
async function load(url: string, headers: Record<string, string> = {}): Promise<Page> {
  const answer = await fetch(url, { headers, redirect: "manual", signal: AbortSignal.timeout(GIVES_UP) });
  return {
    cache: answer.headers.get("cache-control") ?? "",
    hit: answer.headers.get("x-cache") === "hit",
    text: await answer.text(),
  };
}

/** Follows links of public pages from the lists, without cookies. */
async function crawl(origin: string, most: number): Promise<string[]> {
  const found = new Set([
    "/doctorspages/Cards-data",
    "/hospitalpages/Cards-data",
    "/choose-role",
    "/patient/help",
    "/patient/terms",
    "/accessibility",
  ]);
  for (const path of found) {
    if (found.size >= most) break;
    const { text } = await load(origin + path);
    for (const [, link] of text.matchAll(/href="(\/(?:details\/doctor|hospital)\/[0-9a-f-]{36})"/g))
      if (found.size < most) found.add(link!);
  }
  return [...found];
}

/** Milliseconds until the page at `url` is right; infinite after the limit. */
async function until(url: string, isRight: (page: Page) => boolean): Promise<number> {
  const began = performance.now();
  while (performance.now() - began < GIVES_UP) {
    if (isRight(await load(url))) return performance.now() - began;
    await pause(20);
  }
  return Number.POSITIVE_INFINITY;
}

async function startVarnish(binary: string, dir: string, port: number, backend: number): Promise<ChildProcess> {
  const vcl = join(dir, "nadi.vcl");
  const text = readFileSync(join(import.meta.dirname, "cdn/nadi.vcl"), "utf8");
  writeFileSync(vcl, text.replaceAll("{{port}}", String(backend)).replaceAll("{{token}}", TOKEN));
  const options = ["-F", "-n", join(dir, "work"), "-a", `127.0.0.1:${port}`, "-f", vcl, "-s", "malloc,128m"];
  const child = spawn(binary, options, { stdio: ["ignore", "ignore", "inherit"] });
  for (let i = 0; i < 100; i++) {
    if (child.exitCode !== null) break;
    if (
      await fetch(`http://127.0.0.1:${port}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return child;
    await pause(100);
  }
  child.kill();
  throw new Error("Varnish does not answer.");
}

const proof: Proof = {
  title: "Visitors' pages behind Varnish: a crawl without cookies in three languages, twice; then a change until the page shows it.",
  async run({ short, report }) {
    const binary = VARNISH.find((path) => existsSync(path));
    if (!binary) {
      report({
        what: "not measured",
        value: "Varnish is missing: apt-get install varnish (Debian package)",
        target: "installed",
        met: false,
      });
      return;
    }
    const dir = mkdtempSync(join(tmpdir(), "nadi-cdn-"));
    // varnishd reads its files as another user.
    chmodSync(dir, 0o755);
    const [port, backend] = [await freePort(), await freePort()];
    const origin = `http://127.0.0.1:${port}`;
    let [server, varnish]: [TestServer | undefined, ChildProcess | undefined] = [undefined, undefined];
    try {
      server = await startServer({
        env: { PORT: String(backend), APP_URL: origin, CDN_PURGE_URL: `${origin}/.purge`, CDN_PURGE_TOKEN: TOKEN },
      });
      varnish = await startVarnish(binary, dir, port, backend);
      const paths = await crawl(origin, short ? 15 : 60);
      const urls = paths.flatMap((path) => LANGUAGES.map((lang) => `${origin}${path}?lang=${lang}`));
      const pass = async () => {
        let hits = 0;
        for (const url of urls) if ((await load(url)).hit) hits++;
        return hits;
      };
      await pass();
      const hits = await pass();
      const share = (100 * hits) / urls.length;
      report({ what: `hits of the second pass, ${urls.length} pages`, value: `${share.toFixed(1)} %`, target: "≥ 95 %", met: share >= 95 });

      const patient = await loginAs(server, DEMO.patient);
      const cookie = [...patient.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
      let own = 0;
      for (const url of urls) {
        const page = await load(url, { cookie });
        if (page.hit || !/no-store|private/.test(page.cache)) own++;
      }
      report({ what: "pages of a logged-in patient from the cache", value: String(own), target: "0", met: own === 0 });

      const [row] = await server.sql<{ id: string; email: string }[]>`
        select d.id, u.email from doctors d join users u on u.id = d.id where u.email = ${DEMO.doctor.email}`;
      const page = `${origin}/details/doctor/${row!.id}?lang=en`;
      const other = urls.find((url) => url.includes("/details/doctor/") && !url.includes(row!.id))!;
      const doctor = await loginAs(server, DEMO.doctor);
      const took: number[] = [];
      let kept = 0;
      for (let i = 0; i < (short ? 3 : 10); i++) {
        const date = dayFromNow(100 + i);
        await load(page);
        await load(other);
        if (!(await load(page)).hit) throw new Error("The page is not in the cache before the change.");
        const { status } = await doctor.post("/doctor/availability/add", { date, slots: ["11:00"] });
        if (status !== 303 && status !== 302) throw new Error(`The change was answered ${status}.`);
        // A miss is the page of after the change: it is rendered again.
        took.push(await until(page, ({ hit }) => !hit));
        if ((await load(other)).hit) kept++;
      }
      const longest = Math.max(...took);
      report({
        what: `a doctor's change until the page is new, longest of ${took.length}`,
        value: `${Math.round(longest)} ms`,
        target: "≤ 1000 ms",
        met: longest <= 1000,
        timed: true,
      });
      report({ what: "pages of another doctor that stayed in the cache", value: `${kept} of ${took.length}` });
    } finally {
      varnish?.kill();
      await server?.stop();
      rmSync(dir, { recursive: true, force: true });
    }
  },
};
export default proof;
