/** Layout and accessibility of the staff pages. */
import type { Page } from "@playwright/test";
import { makeCase, makeHospital, makeReviewer } from "../factories/cases.ts";
import { expectFits, PHONE, WIDE } from "../setup/axe.ts";
import { expect, test } from "../setup/browser.ts";
import { DEMO } from "../setup/people.ts";
import { krishnaHospital, storedCase, waiting } from "../setup/staff-steps.ts";
import { swept } from "../setup/swept.ts";

const LONG_NAME = "Dr. With A Very Long Name Venkata Satyanarayana Murthy Chaganti";

test("a wide screen shows case number, document and decision together, and the side column stays while the documents scroll", async ({
  page,
  server,
  logIn,
  hasJs,
}) => {
  const it = await waiting(server, `Dr. One Screen ${hasJs ? "One" : "Two"}`);
  await page.setViewportSize({ width: 1280, height: 800 });
  const rows = [
    page.getByText(/^Doctor application D-/),
    page.getByRole("heading", { level: 1 }),
    page.getByRole("link", { name: /Open Profile image/ }),
    page.getByRole("group", { name: "Decision on: Profile image" }),
  ];
  const check = async (buttons: string[]) => {
    for (const row of [...rows, ...buttons.map((name) => page.getByRole("button", { name }))])
      await expect(row).toBeInViewport({ ratio: 1 });
    await page.mouse.move(600, 500);
    await page.mouse.wheel(0, 900);
    await expect(page.getByRole("heading", { level: 1 })).not.toBeInViewport();
    for (const name of buttons) await expect(page.getByRole("button", { name })).toBeInViewport({ ratio: 1 });
    await expect(page.getByText(/^Doctor application D-/)).toBeInViewport({ ratio: 1 });
  };
  await logIn(DEMO.reviewer);
  await page.goto(`/reviewer/cases/${it.id}`);
  await check(["Approve for the hospital", "Send back with reasons", "Save and decide later"]);
  await expect(page.getByRole("link", { name: "Check the NMC register" }).first()).toHaveAttribute(
    "href",
    /^https:\/\/www\.nmc\.org\.in\//,
  );

  const reviewer = await makeReviewer(server.db, await krishnaHospital(server));
  const second = await makeCase(server.db, {
    ...storedCase(server),
    hospital: await krishnaHospital(server),
    status: "pending admin approval",
    decided: "matches",
    approvedBy: reviewer.userId,
  });
  await logIn(DEMO.admin);
  await page.goto(`/admin/doctors/${second.id}`);
  await check(["Approve doctor", "Send back with reasons"]);
});

/** Opens each page at both sizes. */
async function expectAllFit(page: Page, paths: string[]) {
  for (const path of swept(paths)) {
    await page.goto(path);
    await expectFits(page, path, [PHONE, WIDE]);
  }
}

test("a reviewer's pages pass axe and do not scroll sideways, on a phone and a wide screen", { tag: "@js" }, async ({
  page,
  server,
  logIn,
}) => {
  const it = await waiting(server, LONG_NAME);
  const card = it.documents[1]!.id;
  await logIn(DEMO.reviewer);
  await expectAllFit(page, [
    "/reviewer",
    "/reviewer?tab=approved",
    "/reviewer?q=no-such-name",
    `/reviewer/cases/${it.id}`,
    `/reviewer/cases/${it.id}/reveal/aadhaar`,
    `/documents/${card}`,
    `/documents/${card}?zoom=400&turn=270`,
  ]);
});

test("an administrator's pages of doctors and users do, too", { tag: "@js" }, async ({ page, server, logIn }) => {
  const it = await waiting(server, LONG_NAME);
  const [suspended] = await server.sql<{ id: string }[]>`select id from doctors where registration_status = 'suspended' and is_demo`;
  const [pending] = await server.sql<
    { id: string }[]
  >`select id from doctors where registration_status = 'pending admin approval' and is_demo`;
  await logIn(DEMO.admin);
  await expectAllFit(page, [
    "/admin",
    "/admin/doctors",
    "/admin/doctors?status=verified",
    `/admin/doctors/${pending!.id}`,
    `/admin/doctors/${suspended!.id}`,
    `/admin/doctors/${suspended!.id}/reinstate`,
    `/admin/doctors/${suspended!.id}/suspend`,
    `/admin/doctors/${suspended!.id}/visits`,
    "/admin/users",
    `/admin/users/${it.id}`,
  ]);
});

test("an administrator's pages of hospitals and the audit log do, too", { tag: "@js" }, async ({ page, server, logIn }) => {
  const house = await krishnaHospital(server);
  await waiting(server, LONG_NAME);
  const reviewer = await makeReviewer(server.db, house);
  const entered = await makeHospital(server.db, { name: "Krishna Heart Center", status: "pending" });
  await logIn(DEMO.admin);
  await expectAllFit(page, [
    "/admin/hospitals",
    "/admin/hospitals?status=refused",
    "/admin/hospitals/new",
    `/admin/hospitals/${house.id}`,
    `/admin/hospitals/${entered.id}`,
    `/admin/hospitals/${entered.id}/edit`,
    `/admin/hospitals/${entered.id}/merge`,
    `/admin/hospitals/${entered.id}/refuse`,
    `/admin/hospitals/${house.id}/reviewers/${reviewer.userId}/remove`,
    "/admin/audit",
    "/admin/audit?action=read-case",
  ]);
});
