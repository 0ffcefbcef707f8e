/**
 * A clinic from its first day: opened, staffed, a caller booked and moved, the freed time taken by a patient of the waitlist, a day of leave with
 * three booked appointments. In a browser, with and without scripts.
 */
import type { Page } from "@playwright/test";
import { formatDay } from "#app/lib/dates.ts";
import { makeHospital } from "../factories/cases.ts";
import { addSlots, dayFromNow, makeDoctor, makePatient, makeVisit, newPhone, typed } from "../factories/people.ts";
import { expectFits, PHONE, WIDE } from "../setup/axe.ts";
import { expect, test } from "../setup/browser.ts";
import { DEMO, loginAs } from "../setup/people.ts";
import type { TestServer } from "../setup/server.ts";

const PASSWORD = "a long secret phrase";
type Who = { name: string; email: string; phone: string };

/** Follows the link of an invitation, creates the account and logs in. */
async function join(page: Page, server: TestServer, who: Who) {
  const link = async () => /\/join\/[\w-]+/.exec((await server.outbox(who.email))[0]?.body ?? "")?.[0];
  await expect.poll(link).toBeTruthy();
  await page.goto((await link())!);
  await page.getByLabel("Your name").fill(who.name);
  await page.getByLabel(/Mobile number/).fill(who.phone);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Create my account" }).click();
  await page.waitForURL("**/dual-doctor");
  await page.getByLabel("Email").fill(who.email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByLabel(/Mobile number/).fill(who.phone);
  await page.getByRole("button", { name: "Send OTP" }).click();
  await expect(page.getByLabel("Code from the SMS")).toBeVisible();
  await page.getByLabel("Code from the SMS").fill(await server.lastCode(`+91${who.phone}`));
  await page.getByRole("button", { name: "Verify OTP" }).click();
  await page.getByRole("button", { name: "Continue" }).click();
  await page.waitForURL((url) => !url.pathname.startsWith("/dual-doctor"));
}

test("opens a clinic, books and moves a caller, gives away the freed time and closes a day", async ({
  page,
  server,
  logIn,
  newContext,
  hasJs,
}) => {
  const place = await makeHospital(server.db);
  const doctor = await makeDoctor(server.db, { name: "Dr. Anita Vemuri" });
  await server.sql`update doctors set hospital_id = ${place.id} where id = ${doctor.id}`;
  const [day, next, later] = [dayFromNow(4), dayFromNow(5), dayFromNow(6)];
  const at = (date: string, ...times: string[]) => times.map((time) => ({ date, time }));
  await addSlots(server.db, doctor.id, [
    ...at(day, "09:30"),
    ...at(next, "09:00", "09:30", "10:00"),
    ...at(later, "09:00", "09:30", "10:00", "10:30"),
  ]);
  for (const time of ["09:00", "09:30"])
    await makeVisit(server.db, { patient: await makePatient(server.db), doctor }, { date: next, time, status: "accepted" });
  const suffix = hasJs ? "js" : "nojs";
  const owner = { name: "Padma Owner", email: `owner.${suffix}@clinic.test`, phone: typed(newPhone()) };
  const reception = { name: "Sunitha Reception", email: `reception.${suffix}@clinic.test`, phone: typed(newPhone()) };
  const open = async (who: { role: string; phone?: string; email?: string }) => {
    const context = await newContext();
    const { token } = await loginAs(server, who);
    await context.addCookies([{ name: "nadi_session", value: token, url: server.url, httpOnly: true, sameSite: "Lax" }]);
    return context.newPage();
  };

  const theirs = await (await newContext()).newPage();
  const doctors = await open({ role: "doctor", email: doctor.email });
  await test.step("the place gets an owner, who asks the doctor", async () => {
    await logIn(DEMO.admin);
    await page.goto(`/admin/hospitals/${place.id}/owners`);
    await page.getByRole("textbox", { name: "Email" }).fill(owner.email);
    await page.getByRole("button", { name: "Send invitation" }).click();
    await expect(page.getByText(`Invitation sent to ${owner.email}.`)).toBeVisible();
    await join(theirs, server, owner);
    await theirs.goto(`/clinic/${place.id}/doctors`);
    await theirs.getByRole("button", { name: "Ask doctor: Dr. Anita Vemuri" }).click();
    await expect(theirs.getByText("Request sent to the doctor.")).toBeVisible();
    await doctors.goto("/clinic");
    await doctors.getByRole("button", { name: "Accept clinic" }).click();
    await expect(doctors.getByText("The staff of this clinic can now act for you.")).toBeVisible();
  });

  const desk = await (await newContext({ viewport: WIDE })).newPage();
  await test.step("a receptionist is invited and joins", async () => {
    await theirs.goto(`/clinic/${place.id}/invite`);
    await theirs.getByRole("textbox", { name: "Email" }).fill(reception.email);
    await theirs.getByRole("button", { name: "Send invitation" }).click();
    await expect(theirs.getByText(`Invitation sent to ${reception.email}.`)).toBeVisible();
    await join(desk, server, reception);
    await desk.waitForURL("**/desk");
  });

  const caller = typed(newPhone());
  await test.step("a caller is booked", async () => {
    await desk.getByRole("link", { name: "Book for a caller" }).click();
    await desk.waitForURL(/\/desk\/book/);
    await expectFits(desk, "/desk/book", hasJs ? [PHONE, WIDE] : [WIDE], hasJs ? [PHONE, WIDE] : []);
    await desk.getByRole("radio", { name: "9:30 AM" }).check();
    await desk.getByLabel("Phone").fill(caller);
    await desk.getByLabel("Name").fill("Venkata Ramana");
    await desk.getByRole("radio", { name: "Male", exact: true }).check();
    // Without an age: the rest of the input stays.
    await desk.getByRole("textbox", { name: "Age" }).fill("old");
    await desk.getByRole("button", { name: "Book appointment" }).click();
    await expect(desk.getByRole("textbox", { name: "Age" })).toHaveAttribute("aria-invalid", "true");
    await expect(desk.getByLabel("Name")).toHaveValue("Venkata Ramana");
    await desk.getByRole("textbox", { name: "Age" }).fill("61");
    await desk.getByRole("button", { name: "Book appointment" }).click();
    await desk.waitForURL(`**/desk?day=${day}`);
    await expect(desk.getByText("The patient is notified by SMS.")).toBeVisible();
    await expect.poll(async () => (await server.outbox(`+91${caller}`)).length).toBe(1);
  });

  const waiting = await open({ role: "patient", phone: newPhone() });
  await test.step("a patient joins the waitlist of the full day", async () => {
    await waiting.goto(`/patient/appointments/datetime?doctorId=${doctor.id}&date=${day}`);
    await waiting.getByRole("link", { name: "Join the waitlist" }).click();
    await waiting.getByRole("radio", { name: formatDay(day), exact: true }).check();
    await waiting.getByLabel("Name").fill("Lakshmi Devi");
    await waiting.getByLabel("Age").fill("34");
    await waiting.getByLabel("Female", { exact: true }).check();
    await waiting.getByRole("button", { name: "Join the waitlist" }).click();
    await expect(waiting.getByText("You are number 1 on the list.")).toBeVisible();
  });

  const visitOf = async (phone: string) =>
    (
      await server.sql`select date::text, to_char(time, 'HH24:MI') as time, status from appointments where patient_phone = ${`+91${phone}`} and status <> 'cancelled'`
    )[0];
  await test.step("the caller's appointment is moved", async () => {
    await desk.getByRole("link", { name: /^Venkata Ramana/ }).click();
    await desk.getByRole("complementary").getByRole("link", { name: "Change the time" }).click();
    await desk.waitForURL("**/move");
    await desk.goto(`${new URL(desk.url()).pathname}?day=${next}`);
    await desk.locator(`input[name=times][value="${next} 10:00"]`).check({ force: true });
    await desk.getByRole("button", { name: "Move now" }).click();
    await desk.waitForURL(`**/desk?day=${next}`);
    await expect(desk.getByRole("link", { name: /^Venkata Ramana/ })).toBeVisible();
    expect(await visitOf(caller)).toEqual({ date: next, time: "10:00", status: "accepted" });
  });

  await test.step("the waiting patient takes the freed time", async () => {
    await waiting.goto("/patient/waitlist");
    await waiting.getByRole("button", { name: /^Take this time/ }).click();
    await expect(waiting.getByText("The time is yours. Your appointment is booked.")).toBeVisible();
    await desk.goto(`/desk?day=${day}`);
    await expect(desk.getByRole("link", { name: /^Lakshmi Devi/ })).toBeVisible();
  });

  await test.step("the ill doctor closes the day of three appointments", async () => {
    await doctors.goto("/doctor/leave/add");
    await doctors.getByLabel("First day").fill(next);
    await doctors.getByLabel("Last day").fill(next);
    await doctors.getByRole("button", { name: "Add leave" }).click();
    await expect(doctors.getByRole("heading", { name: "3 appointments are booked on these days" })).toBeVisible();
    await doctors.getByLabel("Reason").selectOption("unwell");
    await doctors.getByRole("button", { name: "Add leave" }).click();
    await expect(doctors.getByText("3 patients were offered other times.")).toBeVisible();
  });

  await test.step("the caller logs in and takes another time", async () => {
    const own = await open({ role: "patient", phone: `+91${caller}` });
    const [visit] = await server.sql`select id from appointments where patient_phone = ${`+91${caller}`}`;
    await own.goto(`/patient/appointments/${visit!.id}`);
    await own
      .getByRole("button", { name: /^Take / })
      .first()
      .click();
    await expect(own.getByText("Your appointment moved to the new time.")).toBeVisible();
    expect(await visitOf(caller)).toMatchObject({ date: later, status: "accepted" });
  });
});
