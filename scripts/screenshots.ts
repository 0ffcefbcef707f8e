/** `node scripts/screenshots.ts`: takes the screenshots of docs/images, and those of the manifest, from new demo data. Needs a build and a running database. */
import { join } from "node:path";
import { type Browser, chromium } from "playwright";
import sharp from "sharp";
import { findBrowser } from "../tests/setup/find-browser.ts";
import { DEMO, loginAs } from "../tests/setup/people.ts";
import { startServer, type TestServer } from "../tests/setup/server.ts";

const FOLDER = join(import.meta.dirname, "../docs/images");
const SIZES = {
  390: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true },
  1280: { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1 },
};
/** Shown by a phone that offers to install the app (app/routes/public/manifest.ts). */
const OF_MANIFEST = new Set(["dashboard-390", "doctors-390", "date-and-time-390", "dashboard-1280"]);
type Size = keyof typeof SIZES;

/** Opens a page of this size, logged in or as a visitor. */
async function open(server: TestServer, browser: Browser, size: Size, user?: { role: string; phone?: string; email?: string }) {
  const context = await browser.newContext({ ...SIZES[size], locale: "en-IN", timezoneId: "Asia/Kolkata", colorScheme: "light" });
  if (user) {
    const { token } = await loginAs(server, user);
    await context.addCookies([{ name: "nadi_session", value: token, url: server.url, httpOnly: true, sameSite: "Lax" }]);
  }
  const page = await context.newPage();
  const visit = (path: string) => page.goto(server.url + path, { waitUntil: "networkidle" });
  const shot = async (name: string) => {
    await page.waitForTimeout(400);
    const png = await page.screenshot({ animations: "disabled" });
    await sharp(png)
      .png({ palette: true, colours: 64, compressionLevel: 9, effort: 10, dither: 0.4 })
      .toFile(join(FOLDER, `${name}-${size}.png`));
    if (OF_MANIFEST.has(`${name}-${size}`))
      await sharp(png)
        .webp({ quality: 55, effort: 6 })
        .toFile(join(import.meta.dirname, `../public/screens/${name}-${size}.webp`));
  };
  return { page, visit, shot };
}

async function takeAll(server: TestServer, browser: Browser, size: Size): Promise<void> {
  const phone = size === 390;
  const [doctor] = await server.sql<{ id: string }[]>`select id from users where email = ${DEMO.doctor.email}`;
  const [slot] = await server.sql<{ date: string; time: string }[]>`
    select date::text, to_char(time, 'HH24:MI') as time from availability_slots s
    where doctor_id = ${doctor!.id} and date > current_date + 3
      and not exists (select from appointments a where a.doctor_id = s.doctor_id and a.date = s.date and a.time = s.time)
    order by date, time limit 1`;
  const simple = async (user: Parameters<typeof open>[3], pages: [string, string][]) => {
    const { visit, shot } = await open(server, browser, size, user);
    for (const [name, path] of pages) {
      await visit(path);
      await shot(name);
    }
  };
  if (phone)
    await simple(undefined, [
      ["choose-role", "/choose-role"],
      ["login", "/dual-patient"],
      ["sos", "/patient/emergency-contact"],
    ]);

  const { page, visit, shot } = await open(server, browser, size, DEMO.patient);
  await visit("/patient-dashboard");
  await shot("dashboard");
  if (phone) {
    await visit("/doctorspages/Cards-data");
    await shot("doctors");
    await visit(`/details/doctor/${doctor!.id}`);
    await shot("doctor");
  }
  await visit(`/patient/appointments/datetime?doctorId=${doctor!.id}`);
  await page.locator('input[name="time"]:not([disabled])').nth(3).check({ force: true });
  await shot("date-and-time");
  if (phone) {
    await visit(`/patient/appointments/patient-detail?${new URLSearchParams({ doctorId: doctor!.id, ...slot! })}`);
    await page.locator('[name="name"]').fill("Lakshmi Prasanna Devi");
    await page.locator('[name="phone"]').fill("9000000001");
    await page.locator('[name="age"]').fill("46");
    await page.locator('input[name="gender"]').nth(1).check({ force: true });
    await shot("details");
    await page.locator('button[name="intent"][value="book"]').last().click();
    await page.waitForURL(/payment/);
    await page.waitForTimeout(6_000); // the toast has gone
    await shot("payment");
  }
  await visit("/patient/calendar");
  await shot("calendar");
  if (phone) {
    await visit("/hospitalpages/Cards-data");
    await shot("hospitals");
    await visit("/patient/wallet");
    await shot("wallet");
    await visit("/patient/ai-chat?new");
    await page.getByRole("textbox").first().fill("My child has fever. Which doctor?");
    await page.getByRole("button", { name: "Send" }).click();
    await page
      .getByRole("link", { name: /^Book|Dr\./ })
      .first()
      .waitFor();
    await page.waitForTimeout(1_000);
    await shot("assistant");
  }
  await simple(DEMO.doctor, [["doctor-appointments", "/doctor/appointments"]]);
  if (phone) {
    await server.sql`update users set language = 'te' where phone = ${DEMO.patient.phone}`;
    await simple(DEMO.patient, [["dashboard-telugu", "/patient-dashboard"]]);
    await server.sql`update users set language = null where phone = ${DEMO.patient.phone}`;
    await simple(DEMO.patient, [["offline", "/patient/offline"]]);
  }
}

const server = await startServer();
const browser = await chromium.launch(await findBrowser());
try {
  for (const size of [390, 1280] as const) await takeAll(server, browser, size);
} finally {
  await browser.close();
  await server.stop();
}
