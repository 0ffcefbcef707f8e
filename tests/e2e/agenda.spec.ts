/** The doctor's agenda in a browser: panel, actions and keys. */
import { dayFromNow, makeDoctor, makePatient, makeVisit } from "../factories/people.ts";
import { axeOn } from "../setup/axe.ts";
import { expect, test } from "../setup/browser.ts";
import { faultsOfLayout } from "../setup/layout.ts";
import { DEMO, loginAs } from "../setup/people.ts";

test.use({ viewport: { width: 1280, height: 800 } });
const AGENDA = "/doctor/appointments?view=agenda";

test("reads a day of 60 appointments without scrolling sideways", async ({ page, server, logIn, hasJs }) => {
  const [doctor, patient] = [await makeDoctor(server.db), await makePatient(server.db)];
  const date = dayFromNow(1);
  for (let i = 0; i < 60; i++) {
    const time = `${String(8 + Math.floor(i / 6)).padStart(2, "0")}:${i % 6}0`;
    await makeVisit(
      server.db,
      { patient, doctor },
      {
        date,
        time,
        name: `Venkata Satyanarayana Murthy Chaganti ${i}`,
        reason: "Chest tightness when climbing stairs",
        status: i % 4 ? "accepted" : "pending",
      },
    );
  }
  await logIn({ role: "doctor", email: doctor.email });
  await page.goto(`${AGENDA}&day=${date}`);
  await expect(page.locator("[data-visit]")).toHaveCount(60);
  const row = await page.locator("[data-visit]").nth(3).boundingBox();
  expect(row?.height).toBeLessThanOrEqual(50);
  // Both run in the page.
  if (!hasJs) return;
  expect(await faultsOfLayout(page, "en")).toEqual([]);
  expect((await axeOn(page).analyze()).violations.map((v) => `${v.id} ${v.nodes[0]?.html}`)).toEqual([]);
});

test("opens the details beside the list, accepts and selects several", async ({ page, server, logIn, hasJs }) => {
  const [doctor, patient] = [await makeDoctor(server.db), await makePatient(server.db)];
  const add = (time: string, name: string) => makeVisit(server.db, { patient, doctor }, { date: dayFromNow(2), time, name });
  const [, second, third] = [await add("10:00", "Anil Kumar"), await add("10:30", "Bhavani Devi"), await add("11:00", "Chandra Rao")];
  await logIn({ role: "doctor", email: doctor.email });
  await page.goto(`${AGENDA}&show=all`);
  if (hasJs) await page.waitForLoadState("networkidle");
  await page.getByRole("link", { name: /^Anil Kumar/ }).click();
  const panel = page.getByRole("complementary", { name: "Anil Kumar" });
  await expect(panel).toBeVisible();
  await expect(page.getByRole("link", { name: /^Bhavani Devi/ })).toBeVisible();
  await panel.getByRole("link", { name: "Accept" }).click();
  if (hasJs) await page.getByRole("dialog").getByRole("button", { name: "Yes" }).click();
  else await page.getByRole("button", { name: "Yes" }).click();
  await expect(page.getByText("Appointment accepted successfully!")).toBeVisible();

  // The button of the selection appears with the first tick.
  const button = page.getByRole("button", { name: "Accept selected requests" });
  await expect(button).toBeHidden();
  for (const name of ["Bhavani Devi", "Chandra Rao"]) await page.getByRole("checkbox", { name: `Select the request of ${name}` }).check();
  await button.click();
  await expect(page.getByRole("heading", { name: "Accept 2 requests?" })).toBeVisible();
  await page
    .getByRole("checkbox", { name: /^Accept Chandra Rao/ })
    .locator("..")
    .click();
  await page.getByRole("button", { name: "Accept ticked requests" }).click();
  await expect(page.getByText("1 request accepted.")).toBeVisible();
  const status = async (id: string) => (await server.sql`select status from appointments where id = ${id}`)[0]?.status;
  expect([await status(second), await status(third)]).toEqual(["accepted", "pending"]);
});

test("moves, accepts, cancels and searches by keyboard @js", async ({ page, server, logIn }) => {
  const [doctor, patient] = [await makeDoctor(server.db), await makePatient(server.db)];
  for (const [time, name] of [
    ["10:00", "Anil Kumar"],
    ["10:30", "Bhavani Devi"],
  ] as const)
    await makeVisit(server.db, { patient, doctor }, { date: dayFromNow(2), time, name });
  await logIn({ role: "doctor", email: doctor.email });
  await page.goto(`${AGENDA}&show=all`);
  await expect(page.getByRole("button", { name: "Keyboard shortcuts" })).toBeVisible();
  const link = (name: string) => page.getByRole("link", { name: new RegExp(`^${name}`) });
  await page.keyboard.press("j");
  await expect(link("Anil Kumar")).toBeFocused();
  await page.keyboard.press("j");
  await expect(link("Bhavani Devi")).toBeFocused();
  await page.keyboard.press("k");
  await expect(link("Anil Kumar")).toBeFocused();
  await page.keyboard.press("a");
  await expect(page.getByRole("dialog")).toContainText("accept the appointment with Anil Kumar");
  // Keys are ignored while a dialog is open.
  await page.keyboard.press("j");
  await page.keyboard.press("Escape");
  await page.keyboard.press("j");
  await page.keyboard.press("c");
  await expect(page.getByRole("dialog")).toContainText("cancel the appointment with");
  await page.keyboard.press("Escape");
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
  await page.keyboard.press("Escape");
  await page.keyboard.press("/");
  const search = page.getByRole("searchbox", { name: "Name or phone" });
  await expect(search).toBeFocused();
  await page.keyboard.type("jack?");
  await expect(search).toHaveValue("jack?");
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("the columns of the desk fit beside the panel in each language, and a name has twelve rem", { tag: "@js" }, async ({
  page,
  server,
  logIn,
}) => {
  const { sql } = server;
  // The day of the demo's tokens, whose times are the longest words.
  const [visit] = await sql<
    { id: string; date: string }[]
  >`select id, date::text from appointments where token is not null and status = 'accepted' limit 1`;
  const { userId } = await loginAs(server, DEMO.reception);
  await logIn(DEMO.reception);
  const before = await sql`select language from users where id = ${userId}`;
  // Dawn in Telugu is the longest time.
  const [done] = await sql<{ id: string; time: string }[]>`
    select id, time::text from appointments where date = ${visit!.date} and token is null order by status = 'completed' desc limit 1`;
  await sql`update appointments set time = '04:30' where id = ${done!.id}`;
  try {
    for (const language of ["te", "hi", "en"] as const) {
      await sql`update users set language = ${language} where id = ${userId}`;
      for (const width of [1280, 1366, 1440])
        for (const path of [`/desk?day=${visit!.date}&open=${visit!.id}`, "/desk/accept"]) {
          await page.setViewportSize({ width, height: 800 });
          await page.goto(path);
          const [table, panel] = [await page.locator("table").first().boundingBox(), await page.locator("main aside").boundingBox()];
          expect(table!.x + table!.width, `${path} ${language} ${width}`).toBeLessThanOrEqual(panel!.x);
          for (const cell of await page.locator("td:has([data-line])").all())
            expect((await cell.boundingBox())!.width).toBeGreaterThanOrEqual(192);
        }
    }
    // Names of doctors are in the script of the reader.
    await sql`update users set language = 'te' where id = ${userId}`;
    await page.goto(`/desk?day=${visit!.date}`);
    await expect(page.locator("table")).toContainText("డా.");
    await expect(page.locator("table")).not.toContainText("Dr.");
  } finally {
    await sql`update appointments set time = ${done!.time} where id = ${done!.id}`;
    await sql`update users set language = ${before[0]!.language} where id = ${userId}`;
  }
});
