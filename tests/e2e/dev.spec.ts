/** `npm run dev`: an open page shows each kind of change without a restart of the server. In a copy of the checkout, whose files it edits. */
import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect as expectSoon, test } from "@playwright/test";
import { dropDatabase } from "../../scripts/databases.ts";
import { hydrated } from "../setup/browser.ts";
import { cloneTemplate, DEMO_KEY, urlOf } from "../setup/database.ts";
import { freePort } from "../setup/server.ts";

// A changed text updates every module that imports texts: seconds, and half a minute on a busy machine.
const expect = expectSoon.configure({ timeout: 120_000 });
test.setTimeout(600_000);

const ROOT = resolve(import.meta.dirname, "../..");
/** What the server of development reads. It finds packages in the folders above. */
const SOURCES = [
  "app",
  "demo",
  "drizzle",
  "project.inlang",
  "public",
  "vite",
  "package.json",
  "tsconfig.json",
  "vite.config.ts",
  "react-router.config.ts",
];

let copy: string;
let database: Awaited<ReturnType<typeof cloneTemplate>>;
let server: ChildProcess;
let url: string;
let output = "";
test.beforeAll(async () => {
  // Not in test-results, which Vite does not watch.
  mkdirSync(join(ROOT, ".data"), { recursive: true });
  copy = mkdtempSync(join(ROOT, ".data/dev-"));
  for (const name of SOURCES) cpSync(join(ROOT, name), join(copy, name), { recursive: true });
  // project.inlang/settings.json names its plugin by path.
  mkdirSync(join(copy, "node_modules"));
  symlinkSync(join(ROOT, "node_modules/@inlang"), join(copy, "node_modules/@inlang"));
  database = await cloneTemplate("demo");
  const port = await freePort();
  url = `http://localhost:${port}`;
  const env = { DATABASE_URL: urlOf(database), DATA_DIR: join(copy, ".data"), DEMO: "1", ENCRYPTION_KEY: DEMO_KEY, PORT: String(port) };
  server = spawn(process.execPath, [join(ROOT, "node_modules/@react-router/dev/bin.cjs"), "dev"], {
    cwd: copy,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
  });
  for (const stream of [server.stdout, server.stderr])
    stream?.on("data", (text: Buffer) => {
      output += text;
    });
  await expect
    .poll(
      () =>
        fetch(`${url}/healthz`).then(
          ({ status }) => status,
          () => output,
        ),
      { timeout: 300_000 },
    )
    .toBe(200);
});
test.afterAll(async () => {
  const ended = new Promise((ok) => server?.once("exit", ok));
  server?.kill();
  await ended;
  await dropDatabase(database);
  rmSync(copy, { recursive: true, force: true });
});

/** Replaces a part of a source file. */
function edit(file: string, from: string, to: string) {
  const path = join(copy, file);
  const text = readFileSync(path, "utf8");
  expect(text, file).toContain(from);
  writeFileSync(path, text.replace(from, to));
}

test("an open page shows a change of text, component, loader, style and schema", { tag: "@js" }, async ({ page }) => {
  // Vite prepares the packages of a first visit and then reloads the page.
  await expect(async () => {
    await page.goto(`${url}/patient/terms`);
    await hydrated(page);
  }).toPass();
  const title = page.getByRole("heading", { level: 1 });
  await expect(title).toHaveText("Terms and Conditions");
  await page.evaluate(() => Object.assign(window, { neverReloaded: true }));

  edit("app/routes/patient/terms.tsx", "<p>{m.terms_p_welcome()}</p>", "<p>A changed component.</p>");
  await expect(page.getByText("A changed component.")).toBeVisible();
  edit("app/routes/patient/terms.tsx", "today: todayInIndia(now)", 'today: "2031-05-06"');
  await expect(page.getByText("Last Updated: 6 May 2031")).toBeVisible();
  expect(await page.evaluate(() => "neverReloaded" in window)).toBe(true);

  edit("app/messages/en/terms.json", '"Terms and Conditions"', '"A changed text"');
  await expect(title).toHaveText("A changed text");

  writeFileSync(
    join(copy, "app/styles/visitors.css"),
    `${readFileSync(join(copy, "app/styles/visitors.css"), "utf8")}\nh1 { letter-spacing: 7px }`,
  );
  await expect(title).toHaveCSS("letter-spacing", "7px");

  await page.goto(`${url}/dual-patient`);
  edit("app/domains/platform/accounts/accounts.schema.ts", "() => m.accounts_phone_invalid()", '() => "A changed schema."');
  await page.getByRole("textbox").fill("");
  await expect(async () => {
    await page.getByRole("button", { name: "Send" }).click();
    await expect(page.getByText("A changed schema.").first()).toBeVisible({ timeout: 1_000 });
  }).toPass();
});
