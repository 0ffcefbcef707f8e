/** A doctor's day in a browser: with JavaScript in place, without it page by page. */
import { addDays, formatDate, weekdayOf } from "#app/lib/dates.ts";
import { dayFromNow, makeDoctor, makePatient, makeVisit } from "../factories/people.ts";
import { expectFits, PHONE, WIDE } from "../setup/axe.ts";
import { expect, hydrated, test } from "../setup/browser.ts";
import { faultsOfLayout } from "../setup/layout.ts";
import { swept } from "../setup/swept.ts";

test("accepts and completes in the rows of the dashboard", async ({ page, server, logIn, hasJs }) => {
  const doctor = await makeDoctor(server.db, { name: "Dr. Quick" });
  const patient = await makePatient(server.db);
  const date = dayFromNow(0);
  const id = await makeVisit(server.db, { patient, doctor }, { date, time: "00:00", name: "Ravi Kumar" });
  await logIn({ role: "doctor", email: doctor.email });
  await page.goto("/doctor-dashboard");
  // A request is answered in the list of the day and under "Waiting for you", the current visit in the day's list.
  const rows = page.getByRole("listitem").filter({ hasText: "Ravi Kumar" });
  const row = rows.first();
  for (const [press, question, done, status] of [
    ["Accept", "Are you sure you want to accept the appointment with Ravi Kumar", "Appointment accepted successfully!", "accepted"],
    ["Complete", "Are you sure you want to mark the appointment with Ravi Kumar", "Appointment completed successfully!", "completed"],
  ] as const) {
    if (hasJs) await hydrated(page);
    await rows.getByRole("link", { name: press }).first().click();
    if (hasJs) {
      const dialog = page.getByRole("dialog");
      await expect(dialog).toContainText(question);
      await expect(dialog).toContainText(formatDate(date));
      // Escape answers no.
      await page.keyboard.press("Escape");
      await expect(dialog).toBeHidden();
      await rows.getByRole("link", { name: press }).first().click();
      await dialog.getByRole("button", { name: "Yes" }).click();
      await expect(dialog).toBeHidden();
    } else {
      await expect(page.getByRole("heading", { name: question })).toBeVisible();
      await page.getByRole("button", { name: "Yes" }).click();
    }
    await expect(page.getByText(done)).toBeVisible();
    await expect(page).toHaveURL(/\/doctor-dashboard$/);
    const [now] = await server.sql`select status from appointments where id = ${id}`;
    expect(now?.status).toBe(status);
  }
  await expect(row.getByText("Done")).toBeAttached();
  await expect(row.getByRole("link", { name: "Complete" })).toHaveCount(0);
});

test("goes through the day from patient to patient by keyboard", async ({ page, server, logIn, hasJs }) => {
  const [doctor, patient] = [await makeDoctor(server.db), await makePatient(server.db)];
  const visit = (time: string, name: string) =>
    makeVisit(server.db, { patient, doctor }, { date: dayFromNow(-1), time, name, status: "accepted" });
  const [first] = [await visit("10:00", "Lakshmi Devi"), await visit("10:30", "Lakshmi Devi"), await visit("09:00", "Anil")];
  await logIn({ role: "doctor", email: doctor.email });
  const press = async (name: string | RegExp) => {
    const link = page.getByRole("link", { name });
    await link.focus();
    await page.keyboard.press("Enter");
  };
  const complete = async (name: string, key: "Yes" | "No") => {
    await press(`Complete the appointment with ${name}`);
    if (hasJs) {
      // The dialog opens with the focus on its answer.
      await expect(page.getByRole("dialog", { name: `mark the appointment with ${name}` })).toBeVisible();
      await expect(page.getByRole("button", { name: "Yes" })).toBeFocused();
    }
    if (key === "Yes") await page.getByRole("button", { name: "Yes" }).press("Enter");
    else await page.getByRole("link", { name: "No", exact: true }).press("Enter");
    if (hasJs) await expect(page.getByRole("dialog")).toBeHidden();
  };
  await page.goto(`/doctor/patient/${first}`);
  if (hasJs) await hydrated(page);
  await complete("Lakshmi Devi", "No");
  if (hasJs) await expect(page.getByRole("link", { name: "Complete the appointment" })).toBeFocused();
  await complete("Lakshmi Devi", "Yes");
  await expect(page.getByText("Appointment completed successfully!")).toBeVisible();
  // The pressed button is gone. The focus moves to Undo, not to the top of the page.
  if (hasJs) await expect(page.getByRole("link", { name: "Undo completing the appointment with Lakshmi Devi" })).toBeFocused();
  await press("Next patient: 10:30 AM, Lakshmi Devi");
  await expect(page.getByText(/, 10:30 AM/).first()).toBeVisible();
  await complete("Lakshmi Devi", "Yes");
  await press("Not seen yet: 9:00 AM, Anil");
  await expect(page.getByRole("heading", { name: "Anil" })).toBeVisible();
  await expect(page.getByText("No more patients today.")).toBeVisible();
  if (hasJs) {
    // A second Enter by mistake does not cancel.
    await press("Cancel the appointment with Anil");
    await expect(page.getByRole("dialog").getByRole("link", { name: "No", exact: true })).toBeFocused();
  }
});

test("a visit that was cancelled meanwhile: the dialog reports it, and the list is current", async ({ page, server, logIn, hasJs }) => {
  const doctor = await makeDoctor(server.db);
  const patient = await makePatient(server.db);
  const id = await makeVisit(server.db, { patient, doctor }, { name: "Meena" });
  await logIn({ role: "doctor", email: doctor.email });
  await page.goto("/doctor/appointments?q=mee");
  if (hasJs) await hydrated(page);
  await page.getByRole("link", { name: "Accept the appointment with Meena" }).click();
  await (hasJs ? expect(page.getByRole("dialog")) : expect(page.getByRole("heading", { level: 1 }))).toContainText("Meena");
  await server.sql`update appointments set status = 'cancelled', cancelled_at = now(), cancelled_by = 'patient' where id = ${id}`;
  await page.getByRole("button", { name: "Yes" }).click();
  await expect(page.getByText("Error accepting appointment: This appointment is already cancelled.").first()).toBeVisible();
  await page
    .getByRole("link", { name: hasJs ? "Close" : "Back" })
    .first()
    .click();
  await expect(page).toHaveURL(/q=mee/);
  await expect(page.getByText("No patient matches “mee” in this list")).toBeVisible();
});

test("adds a week by pattern, changes a day, leaves a booked slot and deletes a day", async ({ page, server, logIn, hasJs }) => {
  const doctor = await makeDoctor(server.db);
  const patient = await makePatient(server.db);
  await logIn({ role: "doctor", email: doctor.email });
  await page.goto("/doctor/availability");
  await expect(page.getByText("No data is available")).toBeVisible();
  // One day: a malformed and a past date are refused, and the checked slots remain.
  await page.getByRole("link", { name: "Add Availability" }).first().click();
  await page.waitForURL("**/doctor/availability/add");
  const day = dayFromNow(3);
  await page.locator("label[data-slot]", { hasText: "9:30 AM" }).click();
  // With scripts the button waits for a date.
  if (hasJs) await expect(page.getByRole("button", { name: "Add Availability" })).toBeDisabled();
  else {
    await page.getByRole("button", { name: "Add Availability" }).click();
    await expect(page.locator(".err", { hasText: "Date is required" })).toBeVisible();
    await expect(page.locator("input[value='09:30']")).toBeChecked();
  }
  await page.getByLabel("Date").fill(day);
  await page.getByRole("button", { name: "Add Availability" }).click();
  await page.waitForURL("**/doctor/availability");
  await expect(page.getByText("Availability updated successfully!")).toBeVisible();
  await expect(page.locator("article")).toHaveCount(1);

  // The same for many days: the preview shows what is new before anything is stored.
  await page.goto("/doctor/availability/weekly");
  if (hasJs) await hydrated(page);
  await page.getByLabel("From").fill(dayFromNow(1));
  await page.getByLabel("Until").fill(dayFromNow(7));
  for (const name of ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"])
    await page.getByLabel(name).uncheck({ force: true });
  const weekday = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"][weekdayOf(day)] as string;
  await page.getByLabel(weekday).check({ force: true });
  await page.getByRole("link", { name: "Select All" }).click();
  await expect(page.locator("input[name=slots]:checked")).toHaveCount(18);
  if (!hasJs) {
    // Without JavaScript the link loads the page with all checked, so the other fields are typed after it.
    await page.getByLabel("From").fill(dayFromNow(1));
    await page.getByLabel("Until").fill(dayFromNow(7));
    for (const name of ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"])
      await page.getByLabel(name).uncheck({ force: true });
    await page.getByLabel(weekday).check({ force: true });
  }
  await page.getByRole("button", { name: "Preview" }).click();
  await expect(page.getByText("Adds 17 times on 1 day. Existing times stay.")).toBeInViewport();
  expect(await server.sql`select from availability_slots where doctor_id = ${doctor.id}`).toHaveLength(1);
  await page.getByRole("button", { name: "Add these times" }).click();
  await page.waitForURL("**/doctor/availability");
  await expect(page.getByText("17 times added.")).toBeVisible();

  // A booked slot cannot be removed: the page names the patient with a link to the visit.
  await makeVisit(server.db, { patient, doctor }, { date: day, time: "10:00", name: "Sita Ram", status: "accepted" });
  await page.goto(`/doctor/availability/change/${day}`);
  if (hasJs) await hydrated(page);
  await page.locator("label[data-slot]", { hasText: "10:00 AM" }).click();
  await page.locator("label[data-slot]", { hasText: "5:30 PM" }).click();
  await page.getByRole("button", { name: "Confirm Changes" }).click();
  await expect(page.getByRole("link", { name: "10:00 AM, Sita Ram" })).toBeVisible();
  expect(await server.sql`select from availability_slots where doctor_id = ${doctor.id}`).toHaveLength(18);
  await page.getByRole("link", { name: "Reset Slots" }).click();
  await expect(page.locator("input[name=slots]:checked")).toHaveCount(18);
  await page.locator("label[data-slot]", { hasText: "5:30 PM" }).click();
  await page.getByRole("button", { name: "Confirm Changes" }).click();
  await page.waitForURL("**/doctor/availability");
  await expect(page.getByText("Availability updated successfully", { exact: true })).toBeVisible();

  await page.getByRole("link", { name: "Delete" }).first().click();
  await expect(page.getByRole("heading", { name: `Delete all slots for ${formatDate(day)}?` })).toBeVisible();
  await page.getByRole("button", { name: "Yes" }).click();
  await expect(page.getByRole("link", { name: "10:00 AM, Sita Ram" })).toBeVisible();
  await server.sql`update appointments set status = 'cancelled' where doctor_id = ${doctor.id}`;
  await page.goto(`/doctor/availability/delete/${day}`);
  await page.getByRole("button", { name: "Yes" }).click();
  await page.waitForURL("**/doctor/availability");
  await expect(page.getByText("Availability deleted successfully")).toBeVisible();
  await expect(page.getByText("No data is available")).toBeVisible();
});

test("Add Availability validates at once, and shows the slots of a day", { tag: "@js" }, async ({ page, server, logIn }) => {
  const [date, other] = [dayFromNow(3), dayFromNow(4)];
  const doctor = await makeDoctor(server.db, { slots: [{ date, time: "09:00" }] });
  await logIn({ role: "doctor", email: doctor.email });
  await page.goto("/doctor/availability/add");
  await hydrated(page);
  const day = page.getByLabel("Date");
  const add = page.getByRole("button", { name: "Add Availability" });
  await expect(add).toBeDisabled();
  const slot = (time: string) => page.locator(`input[name=slots][value="${time}"]`);
  await day.fill(addDays(dayFromNow(0), -1));
  await day.blur();
  await expect(page.locator(".err", { hasText: "Date cannot be in the past" })).toBeVisible();
  await day.fill(date);
  await expect(page.locator(".err")).toHaveCount(0);
  await expect(page.getByText(/^Times already set on .*: 1\.$/)).toBeVisible();
  await expect(slot("09:00")).toBeDisabled();
  await expect(slot("09:00")).toBeChecked();
  await slot("09:30").check({ force: true });
  await slot("09:30").uncheck({ force: true });
  await expect(page.locator(".err", { hasText: "Please select at least one time slot" })).toBeVisible();
  await expect(add).toBeDisabled();
  await slot("10:00").check({ force: true });
  await expect(page.locator(".err")).toHaveCount(0);
  await expect(add).toBeEnabled();
  // Another day has no slots, and the checked ones remain.
  await day.fill(other);
  await expect(slot("09:00")).toBeEnabled();
  await expect(slot("09:00")).not.toBeChecked();
  await expect(slot("10:00")).toBeChecked();
  await page.getByRole("link", { name: "Select All" }).click();
  await expect(page.getByText("18 of 18 selected")).toBeVisible();
  await day.fill(date);
  await expect(page.getByText("17 of 18 selected")).toBeVisible();
  await page.getByRole("button", { name: "Add Availability" }).click();
  await page.waitForURL("**/doctor/availability");
  expect(await server.sql`select from availability_slots where doctor_id = ${doctor.id} and date = ${date}`).toHaveLength(18);
});

test("a slow list shows that it is loading", { tag: "@js" }, async ({ page, server, logIn }) => {
  const doctor = await makeDoctor(server.db);
  await logIn({ role: "doctor", email: doctor.email });
  await page.goto("/doctor/appointments");
  await hydrated(page);
  await page.route("**/appointments.data?*", async (route) => {
    await new Promise((later) => setTimeout(later, 1_500));
    await route.continue();
  });
  await page.getByRole("link", { name: "Completed" }).click();
  await expect(page.getByText("Loading appointments...")).toBeAttached();
  await expect(page.getByText("No completed appointments")).toBeVisible();
});

test("Cancel shares a line with another button on every phone", async ({ page, context, server, logIn }) => {
  const [doctor, patient] = [await makeDoctor(server.db), await makePatient(server.db)];
  await makeVisit(server.db, { patient, doctor }, { date: dayFromNow(0), time: "00:00", status: "accepted" });
  await makeVisit(server.db, { patient, doctor }, { time: "10:30" });
  await logIn({ role: "doctor", email: doctor.email });
  const found: string[] = [];
  for (const lang of ["en", "te", "hi"])
    for (const width of [320, 360, 375, 390, 430]) {
      await context.addCookies([{ name: "lang", value: lang, url: server.url }]);
      await page.setViewportSize({ width, height: 844 });
      await page.goto("/doctor/appointments");
      await expect(page.locator(".foot").first()).toBeVisible();
      for (const foot of await page.locator(".foot").all()) {
        const tops = await foot.locator(".btn").evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().y)));
        if (tops.filter((top) => top === tops.at(-1)).length < 2) found.push(`${lang} ${width}: ${tops}`);
      }
    }
  expect(found).toEqual([]);
});

test("cards are side by side where there is room, and below each other on a phone", async ({ page, server, logIn }) => {
  const [doctor, patient] = [await makeDoctor(server.db), await makePatient(server.db)];
  for (const time of ["10:00", "10:30"]) await makeVisit(server.db, { patient, doctor }, { time });
  await logIn({ role: "doctor", email: doctor.email });
  for (const [width, columns] of [
    [1280, 2],
    [390, 1],
  ] as const) {
    await page.setViewportSize({ width, height: 844 });
    await page.goto("/doctor/appointments");
    const boxes = await Promise.all([0, 1].map(async (nth) => (await page.locator("article").nth(nth).boundingBox())?.x));
    expect(new Set(boxes).size, `at ${width}`).toBe(columns);
  }
  // Two visits of one patient have two different link texts.
  const accepts = page.getByRole("link", { name: /^Accept the appointment with/ });
  expect(new Set(await accepts.evaluateAll((links) => links.map((link) => link.ariaLabel))).size).toBe(2);
  await expect(page.getByRole("link", { name: "View Details" }).last()).toHaveAccessibleDescription("Proof Patient 10:30 AM");
});

test("refuses a day of another doctor and a day in the past", async ({ page, server, logIn, faults }) => {
  const doctor = await makeDoctor(server.db);
  const other = await makeDoctor(server.db, { slots: [{ date: dayFromNow(2), time: "09:00" }] });
  await logIn({ role: "doctor", email: doctor.email });
  await page.goto(`/doctor/availability/change/${dayFromNow(2)}`);
  await expect(page.locator("input[name=slots]:checked")).toHaveCount(0);
  faults.allow(/^404 GET \/doctor\/availability\/change\//);
  expect((await page.goto(`/doctor/availability/change/${addDays(dayFromNow(0), -1)}`))?.status()).toBe(404);
  expect((await page.goto("/doctor/availability/change/2026-02-31"))?.status()).toBe(404);
  expect(await server.sql`select from availability_slots where doctor_id = ${other.id}`).toHaveLength(1);
});

test("statistics: the server's chart, then the one of recharts, and the range in the URL", async ({ page, server, logIn, hasJs }) => {
  const doctor = await makeDoctor(server.db);
  const patient = await makePatient(server.db);
  const month = dayFromNow(0).slice(0, 7);
  await makeVisit(server.db, { patient, doctor }, { date: `${month}-01`, status: "completed" });
  await makeVisit(server.db, { patient, doctor }, { date: addDays(`${month}-01`, -200), status: "completed" });
  await logIn({ role: "doctor", email: doctor.email });
  await page.goto("/doctor/stats");
  const chart = page.getByRole("img", { name: /total earnings/ });
  await expect(chart).toBeVisible();
  if (hasJs) await expect(chart.locator(".recharts-bar-rectangle").first()).toBeVisible();
  else await expect(chart.locator("svg[data-bars] rect")).toHaveCount(1);
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    // The chart fills its card between the paddings, and figures of a row share a line.
    const [card, drawn] = [await page.locator("figure.card").boundingBox(), await chart.boundingBox()];
    expect(card!.width - drawn!.width).toBeLessThan(48);
    const lines = await page
      .locator("dl > div")
      .evaluateAll((tiles) =>
        tiles.map((tile) => [tile.getBoundingClientRect().top, tile.querySelector("dd")!.getBoundingClientRect().top].map(Math.round)),
      );
    expect(new Map(lines.map(([top, figure]) => [top, figure])).size).toBe(new Set(lines.map(String)).size);
  }
  const table = page.getByRole("table");
  await page.getByText("Show as a table").click();
  await expect(table.getByRole("row")).toHaveCount(8);
  await page.getByRole("link", { name: "12 months" }).click();
  await page.waitForURL(/range=12m/);
  await expect(page.getByText("₹1,000 from 2 completed appointments in these months.")).toBeVisible();
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "Download CSV" }).click()]);
  expect(download.suggestedFilename()).toMatch(/^nadi-earnings-12m-\d{4}-\d\d-\d\d\.csv$/);
});

test("double text size cuts nothing and does not scroll sideways", { tag: "@js" }, async ({ page, server, logIn }) => {
  const [doctor, patient] = [await makeDoctor(server.db, { name: "Dr. Venkata Lakshmi Narasimha" }), await makePatient(server.db)];
  const name = "Venkateswara Rao Peddireddigari";
  const id = await makeVisit(server.db, { patient, doctor }, { date: dayFromNow(0), time: "00:00", name, status: "accepted" });
  await makeVisit(server.db, { patient, doctor }, { name });
  await logIn({ role: "doctor", email: doctor.email });
  const found: string[] = [];
  // By a user stylesheet, which media queries do not see, and by the browser's font size, which doubles rem.
  for (const path of [
    "/doctor-dashboard",
    "/doctor/appointments",
    `/doctor/patient/${id}`,
    "/doctor/availability/weekly",
    "/doctor/settings",
  ])
    for (const [how, width] of [
      ["style", 390],
      ["browser", 195],
    ] as const) {
      await page.setViewportSize({ width, height: width * 2 });
      await page.goto(path);
      if (how === "style") await page.evaluate(() => document.documentElement.style.setProperty("font-size", "32px"));
      for (const fault of await faultsOfLayout(page, "en"))
        if (/beside the screen|wide, the screen|^cut |out of its box|never free/.test(fault) && !/in a field/.test(fault))
          found.push(`${path} ${how}: ${fault}`);
    }
  expect(found).toEqual([]);
});

const PAGES = [
  "/doctor-dashboard",
  "/doctor/appointments",
  "/doctor/appointments?tab=completed&q=a",
  `/doctor/appointments/day/${dayFromNow(1)}`,
  "/doctor/patient/VISIT",
  "/doctor/appointments/VISIT/complete",
  "/doctor/stats",
  "/doctor/stats?view=figures",
  "/doctor/stats?range=12m",
  "/doctor/availability",
  "/doctor/availability/add",
  "/doctor/availability/weekly",
];
test("covers nothing and is not wider than the screen on a doctor's pages", { tag: "@js" }, async ({ page, server, logIn }) => {
  await logIn({ role: "doctor", email: "doctor@demo.test" });
  const [visit] = await server.sql<{ id: string }[]>`
    select a.id from appointments a join users u on u.id = a.doctor_id where u.email = 'doctor@demo.test' and a.status = 'accepted' limit 1`;
  for (const path of swept(PAGES)) {
    await page.setViewportSize(PHONE);
    await page.goto(path.replace("VISIT", visit?.id ?? ""));
    await hydrated(page);
    await expectFits(page, path, [PHONE, WIDE]);
  }
});

test("the day sheet is cards on a phone and a table on paper", { tag: "@js" }, async ({ page, server, logIn }) => {
  const doctor = await makeDoctor(server.db, { name: "Dr. Print" });
  const date = dayFromNow(0);
  await makeVisit(server.db, { patient: await makePatient(server.db), doctor }, { date, time: "17:30" });
  await logIn({ role: "doctor", email: doctor.email });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/doctor/appointments/day/${date}`);
  const head = page.locator("th", { hasText: "Phone" });
  await expect(head).toBeHidden();
  await page.emulateMedia({ media: "print" });
  await expect(head).toBeVisible();
});
