/** The shortest way of a new patient to a doctor (specification 000 §1, 001 §4.2). */
import type { Locator } from "@playwright/test";
import sharp from "sharp";
import { bookingPage } from "../factories/booking.ts";
import { dayFromNow, makeDoctor, newPhone } from "../factories/people.ts";
import { expect, hydrated, test } from "../setup/browser.ts";

const MOST_PRESSES = 11;

test("a new patient books the nearest general physician in at most eleven presses", async ({ page, server }, { annotations }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const phone = newPhone();
  let presses = 0;
  const press = async (goal: Locator) => {
    presses++;
    await goal.click();
  };
  const start = Date.now();
  await page.goto("/");
  await press(page.getByRole("link", { name: "Skip", exact: true }));
  await press(page.getByRole("link", { name: /Patient/ }));
  await page.getByLabel("Mobile number").fill(phone.slice(3));
  await press(page.getByRole("button", { name: "Send code" }));
  await expect(page.getByLabel("Code from the SMS")).toBeVisible();
  await page.getByLabel("Code from the SMS").fill(await server.lastCode(phone));
  await press(page.getByRole("button", { name: "Verify and continue" }));
  await page.waitForURL("**/patient-dashboard");
  await press(page.getByRole("link", { name: "General", exact: true }));
  const card = page.locator("main .card", { has: page.getByRole("link", { name: /^Dr\./ }) }).first();
  // The first one is a general physician with a free time, and no other is nearer.
  await expect(card).toContainText("General Physician");
  await expect(card).toContainText("Next slot:");
  const distances = (await page.locator("main .card", { hasText: "General Physician" }).allInnerTexts()).map((text) =>
    Number(/([\d.]+) km/.exec(text)?.[1] ?? Number.POSITIVE_INFINITY),
  );
  expect(distances[0]).toBe(Math.min(...distances));
  await press(card.getByRole("link", { name: /^Dr\./ }));
  await press(page.getByRole("link", { name: "Book Now" }));
  await press(page.locator("label[data-slot]", { has: page.locator("input:not([disabled])") }).first());
  await press(page.getByRole("button", { name: "Continue" }));
  await page.getByLabel("Name", { exact: true }).fill("Ravi Kumar");
  await page.getByLabel(/^Age/).fill("46");
  await press(page.getByLabel("Male", { exact: true }));
  await press(page.getByRole("button", { name: "Book", exact: true }));
  await page.waitForURL(/\/patient\/appointments\//);
  await expect(page.getByRole("heading", { name: "Appointment booked in progress!" })).toBeVisible();
  annotations.push({ type: "presses", description: `${presses} in ${((Date.now() - start) / 1000).toFixed(1)} s` });
  expect(presses).toBeLessThanOrEqual(MOST_PRESSES);
  // What happens next is on the screen, without scrolling.
  const next = page.getByText(/^(Request sent to|We have asked) Dr\./);
  await expect(next).toBeInViewport({ ratio: 1 });
});

test("from a doctor's page without a login at most eight presses; cancelling takes three, and booking again three", async ({
  page,
  server,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const name = "Dr. Short Way";
  const doctor = await makeDoctor(server.db, { name, slots: [4, 5].map((n) => ({ date: dayFromNow(n), time: "10:00" })) });
  const phone = newPhone();
  let presses = 0;
  const press = async (name: string | RegExp, role: "link" | "button" = "button") => {
    presses++;
    await page.getByRole(role, { name }).first().click();
  };
  await page.goto(`/details/doctor/${doctor.id}`);
  await press(/10:00 AM/, "link");
  await expect(page.getByText(`${name},`)).toBeInViewport();
  await page.getByLabel("Mobile number").fill(phone.slice(3));
  await press("Send code");
  await expect(page.getByLabel("Code from the SMS")).toBeVisible();
  await expect(page.getByText(`${name},`)).toBeInViewport();
  await page.getByLabel("Code from the SMS").fill(await server.lastCode(phone));
  await press("Verify and continue");
  await page.getByLabel("Name", { exact: true }).fill("Ravi Kumar");
  await page.getByLabel(/^Age/).fill("46");
  presses++;
  await page.getByLabel("Male", { exact: true }).click();
  await press(/^Book$/);
  await expect(page.getByRole("heading", { name: "Appointment booked in progress!" })).toBeVisible();
  expect(presses).toBeLessThanOrEqual(8);

  await page.goto("/patient/calendar");
  presses = 0;
  await press("Cancel", "link");
  await press("Yes, cancel appointment");
  await page.waitForURL(/\/patient\/(calendar|appointments\/[0-9a-f-]{36})$/);
  expect(presses).toBeLessThanOrEqual(3);

  const [row] = await server.sql<
    { id: string }[]
  >`select a.id from appointments a join users u on u.id = a.patient_id where u.phone = ${phone}`;
  await page.goto(`/patient/appointments/${row!.id}`);
  presses = 0;
  await press("Book again");
  await press("Continue");
  await press(/^Book$/);
  await expect(page.getByRole("heading", { name: "Appointment booked in progress!" })).toBeVisible();
  expect(presses).toBeLessThanOrEqual(3);
});

test("a photo over the limit is made smaller before it is sent, and only the one that was chosen last", { tag: "@js" }, async ({
  page,
  server,
  logIn,
}) => {
  // As on a slow phone: the browser reads no photo before the test says so.
  await page.addInitScript(() => {
    const read = window.createImageBitmap.bind(window) as (file: Blob) => Promise<ImageBitmap>;
    const own = Object.assign(window, { waiting: 0 });
    window.createImageBitmap = async (file: ImageBitmapSource) => {
      own.waiting++;
      await new Promise((done) => window.addEventListener("read", done, { once: true }));
      return read(file as Blob);
    };
  });
  const slot = { date: dayFromNow(4), time: "10:00" };
  const doctor = await makeDoctor(server.db, { slots: [slot] });
  await logIn({ role: "patient", phone: newPhone() });
  await page.goto(bookingPage(doctor.id, slot));
  await hydrated(page);
  await page.getByText("Add medical history or reports").click();
  const picture = await sharp({ create: { width: 900, height: 1200, channels: 3, background: "#e8e4da" } })
    .jpeg()
    .toBuffer();
  const choose = (name: string) =>
    page.locator("input[type=file]").setInputFiles({
      name,
      mimeType: "image/jpeg",
      buffer: Buffer.concat([picture, Buffer.alloc(11_000_000)]),
    });
  await choose("first.jpg");
  const status = page.getByText("The photo is being made smaller.");
  await expect(status).toBeVisible();
  let posts = 0;
  page.on("request", (request) => {
    if (request.method() === "POST") posts++;
  });
  await page.getByRole("button", { name: "Book", exact: true }).click();
  await choose("second.jpg");
  await expect(status).toBeVisible();
  await expect.poll(() => page.evaluate(() => (window as unknown as { waiting: number }).waiting)).toBe(2);
  expect(posts).toBe(0);
  await page.evaluate(() => window.dispatchEvent(new Event("read")));
  await expect(page.getByText("second.jpg")).toBeVisible();
  await expect(page.getByText("first.jpg")).toHaveCount(0);
  await expect(status).toHaveCount(0);
});
