/** Live updates: two browsers, two server processes, one database. */
import type { Page } from "@playwright/test";
import { dropDatabase } from "../../scripts/databases.ts";
import { expect, test } from "../setup/browser.ts";
import { cloneTemplate } from "../setup/database.ts";
import { NO_NETWORK } from "../setup/faults.ts";
import { DEMO, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

let database: Awaited<ReturnType<typeof cloneTemplate>>;
let here: TestServer;
let there: TestServer;
test.beforeAll(async () => {
  database = await cloneTemplate("demo");
  [here, there] = await Promise.all([startServer({ database }), startServer({ database })]);
});
test.afterAll(async () => {
  await Promise.all([here?.stop(), there?.stop()]);
  if (database) await dropDatabase(database);
});

/** Opens the demo patient's list on the first server. */
async function openList(page: Page) {
  const { token, userId } = await loginAs(here, DEMO.patient);
  await page.context().addCookies([{ name: "nadi_session", value: token, url: here.url, httpOnly: true, sameSite: "Lax" }]);
  await page.goto(`${here.url}/patient/notifications`);
  return userId;
}
/** A doctor accepts the patient's visit on the second server. */
async function acceptThere(): Promise<string> {
  const [visit] = await there.sql<{ id: string; email: string; doctor: string }[]>`
    select a.id, u.email, d.full_name as doctor from appointments a join users u on u.id = a.doctor_id join doctors d on d.id = a.doctor_id
    join users p on p.id = a.patient_id
    where p.phone = ${DEMO.patient.phone} and a.status = 'pending' order by a.date desc limit 1`;
  const doctor = await loginAs(there, { role: "doctor", email: visit!.email });
  expect((await doctor.post(`/doctor/appointments/${visit!.id}/accept`)).location).toBe("/doctor/appointments");
  return visit!.doctor;
}
/** Returns a pending visit, whatever was accepted before. */
const makeWaiting = () => there.sql`
  update appointments set status = 'pending', date = current_date + 9, accepted_at = null where id = (
    select a.id from appointments a join users p on p.id = a.patient_id
    where p.phone = ${DEMO.patient.phone} and a.status in ('accepted', 'pending') order by a.date desc limit 1)`;
const entries = (page: Page) => page.getByRole("heading", { name: /Appointment accepted/ });
const listening = async () => (await (await fetch(`${here.url}/metrics`)).text()).match(/^realtime_sockets (\d+)/m)?.[1] ?? "";

test("an acceptance on one server reaches a page of the other, also after the connection was cut", { tag: "@js" }, async ({
  page,
  context,
  faults,
}) => {
  const userId = await openList(page);
  const before = await entries(page).count();
  await expect.poll(listening).toBe("1");
  await makeWaiting();
  await acceptThere();
  await expect(page.locator("[data-sonner-toast]")).toContainText("will see");
  await expect(entries(page)).toHaveCount(before + 1);

  // The connection is cut: the server closes the socket, and the browser cannot reconnect.
  faults.allow(NO_NETWORK);
  await context.setOffline(true);
  await here.sql`select pg_notify('nadi_sessions', ${JSON.stringify({ userId })})`;
  await expect.poll(listening).toBe("0");
  await makeWaiting();
  await acceptThere();
  await context.setOffline(false);
  await expect(entries(page)).toHaveCount(before + 2, { timeout: 30_000 });
  await expect.poll(listening).toBe("1");
  await makeWaiting();
  await acceptThere();
  await expect(entries(page)).toHaveCount(before + 3);
});

test("by page load alone", { tag: "@no-js" }, async ({ page }) => {
  await openList(page);
  const before = await entries(page).count();
  await makeWaiting();
  await acceptThere();
  await page.reload();
  await expect(entries(page)).toHaveCount(before + 1);
  await expect(page.getByRole("link", { name: /Notifications, \d+ new/, includeHidden: true })).toHaveCount(1);
});
