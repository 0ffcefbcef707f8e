/** One server, two administrators and users of other roles. Importing this file registers the hooks that start and stop the server. */
import { afterAll, beforeAll } from "vitest";
import { readable } from "../factories/booking.ts";
import { makeAdmin, makeCase, makeHospital, makeReviewer, type TestCase, type TestHospital } from "../factories/cases.ts";
import { makeDoctor, makePatient } from "../factories/people.ts";
import { DEMO_KEY } from "./database.ts";
import { Browser } from "./http.ts";
import { type LoggedIn, loginAs } from "./people.ts";
import { startServer, type TestServer } from "./server.ts";

export let server: TestServer;
export let house: TestHospital;
export let admin: LoggedIn;
export let second: LoggedIn;
export let reviewer: LoggedIn;
export const wrong: Record<string, Browser> = {};

export const approved = (over: Partial<Parameters<typeof makeCase>[1]> = {}) =>
  makeCase(server.db, {
    key: DEMO_KEY,
    hospital: house,
    status: "pending admin approval",
    decided: "matches",
    approvedBy: reviewer.userId,
    openedBy: [admin.userId, second.userId],
    ...over,
  });
export const at = (of: { id: string }) => `/admin/doctors/${of.id}`;
export const hospitalAt = (of: { id: string }) => `/admin/hospitals/${of.id}`;
export const statusOf = async (of: TestCase) => (await server.sql`select registration_status s from doctors where id = ${of.id}`)[0]?.s;
export const page = async (path: string, browser: Browser = admin) => readable((await browser.get(path)).text);

beforeAll(async () => {
  server = await startServer({ seed: false });
  house = await makeHospital(server.db, { name: "Proof Central Hospital" });
  const staff = await makeReviewer(server.db, house);
  reviewer = await loginAs(server, staff);
  admin = await loginAs(server, await makeAdmin(server.db));
  second = await loginAs(server, await makeAdmin(server.db));
  wrong.reviewer = reviewer;
  wrong.doctor = await loginAs(server, { role: "doctor", email: (await makeDoctor(server.db)).email });
  wrong.patient = await loginAs(server, { role: "patient", phone: (await makePatient(server.db)).phone });
  wrong.visitor = new Browser(server.url);
});
afterAll(() => server?.stop());
