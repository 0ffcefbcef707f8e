/** All scripts of a patient's page together, with the live connection, are at most 170 KB compressed. */
import type { Page } from "@playwright/test";
import { expect, test } from "../setup/browser.ts";
import { DEMO } from "../setup/people.ts";
import { swept } from "../setup/swept.ts";

const BUDGET = 170 * 1024;

test("limits the size of scripts on patient pages", { tag: "@js" }, async ({ page, server, logIn }) => {
  const { userId } = await logIn(DEMO.patient);
  const [slot] = await server.sql<{ doctor: string; date: string; time: string }[]>`
    select d.id as doctor, s.date::text, to_char(s.time, 'HH24:MI') as time from doctors d join availability_slots s on s.doctor_id = d.id
    where d.registration_status = 'verified' and s.date > current_date + 2 and not exists
      (select from appointments a where a.doctor_id = d.id and a.date = s.date and a.time = s.time) order by 2, 3 limit 1`;
  const [seen] = await server.sql<
    { id: string }[]
  >`select id from appointments where patient_id = ${userId} and status = 'completed' limit 1`;
  const [visit] = await server.sql<{ id: string }[]>`select id from appointments where patient_id = ${userId} limit 1`;
  const { doctor, date, time } = slot!;
  const heavy: Record<string, number> = {};
  const paths = [
    "/patient-dashboard",
    "/doctorspages/Cards-data",
    `/details/doctor/${doctor}`,
    `/patient/appointments/datetime?doctorId=${doctor}`,
    `/patient/appointments/patient-detail?${new URLSearchParams({ doctorId: doctor, date, time })}`,
    `/patient/appointments/payment/${visit!.id}`,
    `/patient/appointments/${visit!.id}`,
    "/patient/calendar",
    "/patient/profile",
    "/patient/profile/edit",
    "/patient/wallet",
    `/patient/appointments/${seen!.id}/review`,
    "/patient/family/add",
    "/patient/ai-chat",
    "/location",
    "/hospitalpages/Cards-data",
    "/patient/appointments/Query",
    "/patient/notifications",
  ];
  const measure = async (tab: Page, path: string) => {
    const live = tab.waitForEvent("websocket", { predicate: (socket) => socket.url().includes("/socket.io") });
    await tab.goto(path);
    await live;
    await tab.waitForLoadState("networkidle");
    const total = await tab.evaluate(() =>
      (performance.getEntriesByType("resource") as PerformanceResourceTiming[])
        .filter(({ name }) => new URL(name).pathname.endsWith(".js"))
        .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
    );
    expect(total, path).toBeGreaterThan(50 * 1024);
    if (total > BUDGET) heavy[path] = total;
  };
  // Two tabs: one loads while the other waits until its network is quiet.
  const waiting = swept(paths);
  const work = async (tab: Page) => {
    for (let path = waiting.shift(); path; path = waiting.shift()) await measure(tab, path);
  };
  await Promise.all([work(page), work(await page.context().newPage())]);
  expect(heavy).toEqual({});
});
