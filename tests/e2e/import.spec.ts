/** An owner brings the register of the clinic: upload, columns, decisions, import, undo and the same file again, with and without scripts. */
import type { Page } from "@playwright/test";
import { addDays, todayInIndia } from "#app/lib/dates.ts";
import { addPlaceDoctor, makePlace } from "../factories/members.ts";
import { makeDoctor } from "../factories/people.ts";
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

const ROWS = 10_000;
const VISITS = 2_000;
/** More than an import takes on a busy machine. */
const LONG = { timeout: 180_000 };

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
  await page.getByLabel("In Nadi: Ref").selectOption({ label: "Do not import" });
  await page.getByRole("button", { name: "Check every row" }).click();
  await expect(page.getByRole("heading", { name: "1 row needs your decision" })).toBeVisible({ timeout: 30_000 });
  if (hasJs) await expectFits(page, "rows to decide", [PHONE, WIDE]);
  await page.getByLabel("For all of them").selectOption({ label: "The same person" });
  await page.getByRole("button", { name: "Apply to all" }).click();
  await expect(page.getByText("Saved. 0 rows have no decision yet.")).toBeVisible();
  await expect(page.getByText("1 of 1 decided")).toBeVisible();
  await expect(page.getByLabel("Decision for row 6")).toHaveValue("same");
  await page.getByLabel("Decision for row 6").selectOption({ label: "Leave out" });
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await expect(page.getByRole("heading", { name: "3 patients imported" })).toBeVisible({ timeout: 30_000 });
  await page.getByRole("button", { name: /^Undo everything/ }).click();
  await expect(page.getByRole("heading", { name: "This import is undone" })).toBeVisible({ timeout: 30_000 });
  expect(await server.sql`select from clinic_patients where hospital_id = ${place.id}`).toHaveLength(0);
  await upload(page, path, REGISTER);
  await page.getByRole("button", { name: "Check every row" }).click();
  await page.getByRole("button", { name: "Import", exact: true }).click({ timeout: 30_000 });
  await expect(page.getByRole("heading", { name: "3 patients imported" })).toBeVisible({ timeout: 30_000 });
  await page.getByRole("link", { name: "See the patients" }).click();
  await page.getByRole("link", { name: "Lakshmi Prasanna Devi" }).click();
  await expect(page.getByText("O+")).toBeVisible();
  await expect(page.getByText("None in your register.")).toBeVisible();
  if (hasJs) await expectFits(page, "a registered patient", [PHONE, WIDE]);
});

/** Waits for a page that a job changes: with scripts it loads again by itself. */
async function showsHeading(page: Page, name: string | RegExp): Promise<void> {
  await expect(async () => {
    const heading = page.getByRole("heading", { name });
    if (!(await heading.isVisible())) await page.reload();
    await expect(heading).toBeVisible({ timeout: 2_000 });
  }).toPass(LONG);
}

/** A register in which each second phone is that of a family, with six notes that Excel would run as formulas. */
function bigRegister(): string {
  const lines = Array.from({ length: ROWS }, (_, i) => {
    const phone = 9_100_000_000 + Math.floor(i / 1.5);
    const note = i < 6 ? `=1+${i}` : `Note ${i}`;
    return `OP/${i},Patient ${i.toString(36)} Kumari,${phone},${20 + (i % 60)},${i % 2 ? "F" : "M"},O+,"House ${i}, Vijayawada",${note}`;
  });
  return `OP No,Name,Mobile,Age,Sex,Blood group,Address,Note\n${lines.join("\n")}\n`;
}
/** Past appointments of a doctor of the clinic and of one who left, and ten upcoming ones. */
function bigDiary(today: string): string {
  const lines = Array.from({ length: VISITS }, (_, i) => {
    const isAhead = i < UPCOMING.length;
    const date = isAhead ? addDays(today, 3) : addDays(today, -1 - (i % 700));
    const doctor = i % 10 || isAhead ? "Anjali Vemuri" : "Dr. Kolli";
    const status = isAhead ? "booked" : (["seen", "seen", "cancelled", "no-show"][i % 4] ?? "seen");
    return `${date},${isAhead ? UPCOMING[i] : "10:30"},${doctor},OP/${i + 20},${status},500,${status === "seen" ? 500 : ""}`;
  });
  return `Date,Time,Doctor,OP No,Status,Fee,Paid\n${lines.join("\n")}\n`;
}
const UPCOMING = Array.from({ length: 10 }, (_, i) => `${10 + Math.floor(i / 2)}:${i % 2 ? "30" : "00"}`);

// Without scripts: the register above. Most of its time is the work on 10,000 rows.
test("brings 10,000 patients and 2,000 appointments, decides, undoes, imports again, and moves all of it to a second clinic", {
  tag: "@js",
}, async ({ page, server, logIn }) => {
  test.setTimeout(850_000);
  const { sql } = server;
  const today = todayInIndia(new Date());
  async function open() {
    const place = await makePlace(server.db);
    const slots = UPCOMING.map((time) => ({ date: addDays(today, 3), time }));
    const doctor = await makeDoctor(server.db, { name: "Anjali Vemuri", slots });
    await addPlaceDoctor(server.db, place.id, doctor.id);
    await sql`update doctors set hospital_id = ${place.id} where id = ${doctor.id}`;
    const [owner] = await sql<{ email: string }[]>`select email from users where id = ${place.owner.userId}`;
    await logIn({ role: "staff", email: owner!.email });
    // The journey takes longer than a confirmed identity lasts.
    await sql`update sessions set proven_at = now() + interval '1 hour' where user_id = ${place.owner.userId}`;
    return { id: place.id, path: `/clinic/${place.id}/import`, doctorId: doctor.id };
  }
  type Clinic = Awaited<ReturnType<typeof open>>;
  const bring = async ({ path }: Clinic, kind: "Patients" | "Appointments", csv: string) => {
    await page.goto(path);
    await page.getByRole("radio", { name: kind }).check();
    await page.locator("input[type=file]").setInputFiles({ name: "file.csv", mimeType: "text/csv", buffer: Buffer.from(csv) });
    await page.getByRole("button", { name: "Read the file" }).click();
    await expect(page.getByRole("heading", { name: "What is in each column?" })).toBeVisible(LONG);
    await page.getByRole("button", { name: "Check every row" }).click();
    await showsHeading(page, /^[\d,]+ rows? (need|is new|are new)/);
  };
  const importAll = async (count: string) => {
    await page.getByRole("button", { name: "Import", exact: true }).click();
    await showsHeading(page, new RegExp(`^${count} (patient|appointment)s? imported$`));
  };
  const takeOut = async ({ id }: Clinic, kind: "Patients" | "Appointments"): Promise<string> => {
    await page.goto(`/clinic/${id}/export`);
    await page.getByRole("radio", { name: kind }).check();
    await page.getByRole("button", { name: "Prepare the file" }).click();
    const link = page.getByRole("listitem").filter({ hasText: kind }).getByRole("link", { name: "Download" });
    await expect(async () => {
      if (!(await link.first().isVisible())) await page.reload();
      await expect(link.first()).toBeVisible({ timeout: 2_000 });
    }).toPass(LONG);
    const file = await page.request.get((await link.first().getAttribute("href"))!);
    return file.text();
  };
  const counts = async ({ id, doctorId }: Clinic) => {
    const [row] = await sql`select (select count(*)::int from clinic_patients where hospital_id = ${id}) as patients,
      (select count(*)::int from past_appointments h join clinic_patients p on p.id = h.clinic_patient_id where p.hospital_id = ${id}) as past,
      (select count(*)::int from appointments where doctor_id = ${doctorId}) as ahead`;
    return { ...row };
  };

  const first = await open();
  // Five persons with phones of the register: each is a question.
  const known = [0, 3, 6, 9, 12].map((i, n) => `Known ${"ABCDE"[n]},${9_100_000_000 + Math.floor(i / 1.5)},F`);
  await bring(first, "Patients", `Name,Mobile,Sex\n${known.join("\n")}\n`);
  await importAll("5");
  const before = await counts(first);
  await bring(first, "Patients", bigRegister());
  await expect(page.getByRole("heading", { name: "10 rows need your decision" })).toBeVisible();
  const decide = async () => {
    await page.getByLabel("For all of them").selectOption({ label: "Leave out" });
    await page.getByRole("button", { name: "Apply to all" }).click();
    await expect(page.getByLabel("Decision for row 2", { exact: true })).toHaveValue("leave-out");
    for (const [row, label] of [
      ["2", "The same person"],
      ["3", "Another person of this phone"],
      ["5", "Another person of this phone"],
      ["6", "The same person"],
      ["8", "Another person of this phone"],
    ] as const)
      await page.getByLabel(`Decision for row ${row}`, { exact: true }).selectOption({ label });
  };
  await decide();
  await importAll("9,995");
  expect(await counts(first)).toEqual({ patients: 9_998, past: 0, ahead: 0 });
  await page.getByRole("button", { name: /^Undo everything/ }).click();
  await showsHeading(page, "This import is undone");
  expect(await counts(first)).toEqual(before);
  await bring(first, "Patients", bigRegister());
  await decide();
  await importAll("9,995");

  const diary = bigDiary(today);
  await bring(first, "Appointments", diary);
  await page.getByLabel("For all of them").selectOption({ label: "Keep the name as text" });
  await page.getByRole("button", { name: "Apply to all" }).click();
  await expect(page.getByText("2,000 appointments")).toBeVisible();
  await importAll("2,000");
  expect(await counts(first)).toEqual({ patients: 9_998, past: VISITS - UPCOMING.length, ahead: UPCOMING.length });
  const taken = { patients: await takeOut(first, "Patients"), appointments: await takeOut(first, "Appointments") };
  expect(taken.patients.split("\r\n")).toHaveLength(9_998 + 2);

  const second = await open();
  await bring(second, "Patients", taken.patients);
  await importAll("9,998");
  await bring(second, "Appointments", taken.appointments);
  await page.getByLabel("For all of them").selectOption({ label: "Keep the name as text" });
  await page.getByRole("button", { name: "Apply to all" }).click();
  await expect(page.getByText("2,000 appointments")).toBeVisible();
  await importAll("2,000");
  expect(await takeOut(second, "Patients")).toBe(taken.patients);
  expect(await takeOut(second, "Appointments")).toBe(taken.appointments);
});
