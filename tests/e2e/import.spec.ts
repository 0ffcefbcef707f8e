/** An owner brings the register of the clinic: upload, columns, decisions, import, undo and the same file again, with and without scripts. */
import type { Page } from "@playwright/test";
import { makePlace } from "../factories/members.ts";
import { expectFits, PHONE, WIDE } from "../setup/axe.ts";
import { expect, test } from "../setup/browser.ts";

const REGISTER = [
  "OP No,Pt Name,Mob,Age/DOB,Sex,Bl Gr,Ref",
  "OP/1,Lakshmi Prasanna Devi,90000 00121,46,F,O+,self",
  "OP/2,షేక్ రెహానా,090000 00122,02/03/1984,స్త్రీ,B pos,Dr. Kolli",
  "OP/3,B. Ramana Rao,90000 00123,58Y,M,AB-,camp",
  "OP/4,Gudivada Ramesh,98480 1234,34,M,,",
  "OP/5,B. Ramana Rao,90000 00123,19,M,,",
].join("\n");

async function upload(page: Page, path: string, csv: string): Promise<void> {
  await page.goto(path);
  await page.locator("input[type=file]").setInputFiles({ name: "register.csv", mimeType: "text/csv", buffer: Buffer.from(csv) });
  await page.getByRole("button", { name: "Read the file" }).click();
  await expect(page.getByRole("heading", { name: "What is in each column?" })).toBeVisible();
}

test("brings a register, decides, imports, undoes and imports again", async ({ page, server, logIn, hasJs }) => {
  const place = await makePlace(server.db);
  const [owner] = await server.sql<{ email: string }[]>`select email from users where id = ${place.owner.userId}`;
  await logIn({ role: "staff", email: owner!.email });
  const path = `/clinic/${place.id}/import`;
  await upload(page, path, REGISTER);
  await expect(page.getByLabel("2 Mar 1984")).toBeChecked();
  await expect(page.getByText("We guessed 6 of 7.")).toBeVisible();
  await page.getByRole("button", { name: "Check every row" }).click();
  await expect(page.getByRole("heading", { name: "1 row needs your decision" })).toBeVisible({ timeout: 30_000 });
  if (hasJs) await expectFits(page, "rows to decide", [PHONE, WIDE]);
  await page.getByLabel("Decision for row 6").selectOption({ label: "Leave out" });
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await expect(page.getByRole("heading", { name: "3 patients are here" })).toBeVisible({ timeout: 30_000 });
  await page.getByRole("button", { name: /^Undo everything until/ }).click();
  await expect(page.getByRole("heading", { name: "This import is undone" })).toBeVisible({ timeout: 30_000 });
  expect(await server.sql`select from clinic_patients where hospital_id = ${place.id}`).toHaveLength(0);
  await upload(page, path, REGISTER);
  await page.getByRole("button", { name: "Check every row" }).click();
  await page.getByRole("button", { name: "Import", exact: true }).click({ timeout: 30_000 });
  await expect(page.getByRole("heading", { name: "3 patients are here" })).toBeVisible({ timeout: 30_000 });
  await page.getByRole("link", { name: "See the patients" }).click();
  await expect(page.getByText("Lakshmi Prasanna Devi")).toBeVisible();
});
