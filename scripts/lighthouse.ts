/**
 * `node scripts/lighthouse.ts [part of a path…]`: measures pages with Lighthouse as a phone on a slow network (docs/quality.md). Guest
 * pages are cold: a new browser without a cache for each. Needs a build, a running database, and Lighthouse outside the repository:
 * `npm install --prefix /tmp/lighthouse lighthouse`, or its folder in LIGHTHOUSE. Fails below the targets. Lighthouse infers the slow
 * phone from a fast run; LIGHTHOUSE_THROTTLING=devtools slows Chromium itself.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import { findBrowser } from "../tests/setup/find-browser.ts";
import { placesOf } from "../tests/setup/pages.ts";
import { DEMO, loginAs } from "../tests/setup/people.ts";
import { freePort, startServer } from "../tests/setup/server.ts";

const FOLDER = process.env.LIGHTHOUSE ?? "/tmp/lighthouse";
const RUNS = Number(process.env.LIGHTHOUSE_RUNS ?? 3);
const THROTTLING = process.env.LIGHTHOUSE_THROTTLING ?? "simulate";
const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"] as const;
/** Pages behind a login are not for search engines. */
const TARGETS = { guest: [98, 100, 100, 100], patient: [95, 100, 100, 0], doctor: [95, 100, 100, 0], admin: [95, 100, 100, 0] } as const;

type Audit = { id: string; score: number | null; scoreDisplayMode: string; title: string; displayValue?: string };
type Report = {
  environment: { benchmarkIndex: number };
  categories: Record<string, { score: number; auditRefs: { id: string; weight: number }[] }>;
  audits: Record<string, Audit>;
};
type Lighthouse = (url: string, flags: object) => Promise<{ lhr: Report; report: string }>;
const { default: lighthouse } = (await import(join(FOLDER, "node_modules/lighthouse/core/index.js"))) as { default: Lighthouse };

const server = await startServer();
let failed = 0;
try {
  const { doctor, hospital } = await placesOf(server);
  const nameOf = async (kind: "hospital" | "doctor") =>
    (await server.sql<{ slug: string }[]>`select slug from short_names where kind = ${kind} and is_current order by slug limit 1`)[0]!.slug;
  const [place, slug] = [await nameOf("hospital"), await nameOf("doctor")];
  const pages: [keyof typeof TARGETS, string][] = [
    ["guest", "/choose-role"],
    ["guest", "/dual-patient"],
    ["guest", "/doctorspages/Cards-data"],
    ["guest", `/details/doctor/${doctor}`],
    ["guest", "/hospitalpages/Cards-data"],
    ["guest", `/hospital/${hospital}`],
    ["guest", `/h/${place}`],
    ["guest", `/d/${slug}`],
    ["patient", "/patient-dashboard"],
    ["patient", "/doctorspages/Cards-data"],
    ["patient", `/details/doctor/${doctor}`],
    ["patient", `/patient/appointments/datetime?doctorId=${doctor}`],
    ["patient", "/patient/calendar"],
    ["patient", "/patient/payments"],
    ["patient", "/patient/support"],
    ["patient", "/patient/settings/push"],
    ["doctor", "/doctor-dashboard"],
    ["doctor", "/doctor/appointments"],
    ["doctor", "/doctor/takings"],
    ["doctor", "/doctor/settlements"],
    ["admin", "/admin/announcements"],
    ["admin", "/admin/figures"],
    ["admin", "/admin/payments/settlements"],
  ];
  const wanted = process.argv.slice(2);
  for (const [who, path] of pages.filter(([, path]) => !wanted.length || wanted.some((part) => path.includes(part)))) {
    const cookie = who === "guest" ? null : `nadi_session=${(await loginAs(server, DEMO[who])).token}`;
    const runs: { report: Report; json: string }[] = [];
    for (let run = 0; run < RUNS; run++) runs.push(await measure(server.url + path, cookie));
    // The median by performance, as Lighthouse advises.
    runs.sort((a, b) => scoresOf(a.report)[0]! - scoresOf(b.report)[0]!);
    const { report, json } = runs[Math.floor(runs.length / 2)]!;
    const scores = scoresOf(report);
    const low = scores.some((score, i) => score < TARGETS[who][i]!);
    if (low) failed++;
    const figure = (id: string) => report.audits[id]?.displayValue?.replace(/\s/g, " ");
    console.log(
      `${low ? "LOW " : ""}${who} ${path.replace(/[\da-f]{8}-[\da-f-]{27}/g, "…")}: ${scores.join(" ")}, LCP ${figure("largest-contentful-paint")}, TBT ${figure("total-blocking-time")}, CLS ${figure("cumulative-layout-shift")}, benchmarkIndex ${report.environment.benchmarkIndex}`,
    );
    for (const [i, category] of CATEGORIES.entries())
      if (TARGETS[who][i])
        for (const { id, weight } of report.categories[category]!.auditRefs) {
          const audit = report.audits[id]!;
          if (weight && audit.score !== null && audit.score < 0.9)
            console.log(`    ${category}: ${audit.title} ${audit.displayValue ?? ""}`);
        }
    if (!process.env.LIGHTHOUSE_REPORTS) continue;
    mkdirSync(process.env.LIGHTHOUSE_REPORTS, { recursive: true });
    writeFileSync(join(process.env.LIGHTHOUSE_REPORTS, `${who}${path.replace(/[^\w-]+/g, "_")}.json`), json);
  }
} finally {
  await server.stop();
}
console.log(failed ? `${failed} pages are below their targets` : "every page meets its targets");
process.exitCode = failed ? 1 : 0;

/** Runs Lighthouse once in a new browser with an empty profile. */
async function measure(url: string, cookie: string | null): Promise<{ report: Report; json: string }> {
  const port = await freePort();
  const launch = await findBrowser();
  const browser = await chromium.launch({ ...launch, args: [...launch.args, `--remote-debugging-port=${port}`] });
  try {
    const extraHeaders = cookie ? { extraHeaders: { Cookie: cookie } } : {};
    const how = { output: "json", logLevel: "error", onlyCategories: CATEGORIES, throttlingMethod: THROTTLING };
    const { lhr, report } = await lighthouse(url, { port, ...how, ...extraHeaders });
    return { report: lhr, json: report };
  } finally {
    await browser.close();
  }
}
function scoresOf(report: Report): number[] {
  return CATEGORIES.map((category) => Math.round(report.categories[category]!.score * 100));
}
