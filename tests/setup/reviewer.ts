/** One server, two reviewers of one hospital and users of other roles. Importing this file registers the hooks that start and stop the server. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect } from "vitest";
import { makeAdmin, makeCase, makeHospital, makeReviewer, type TestCase, type TestHospital } from "../factories/cases.ts";
import { makeDoctor, makePatient } from "../factories/people.ts";
import { DEMO_KEY } from "./database.ts";
import { type Answer, Browser } from "./http.ts";
import { type LoggedIn, loginAs } from "./people.ts";
import { startServer, type TestServer } from "./server.ts";

export let server: TestServer;
export let house: TestHospital;
export let reviewer: LoggedIn;
export let colleague: LoggedIn;
export let admin: LoggedIn;
/** Users without permission. */
export const wrong: Record<string, Browser> = {};
export let picture: Buffer;

const put = async (key: string) => {
  const path = join(server.dataDir, "files", key);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, picture);
};
export const waiting = (over: Partial<Parameters<typeof makeCase>[1]> = {}) =>
  makeCase(server.db, { key: DEMO_KEY, hospital: house, put, openedBy: [reviewer.userId, colleague.userId], ...over });
export const at = (of: { id: string }) => `/reviewer/cases/${of.id}`;
export const dataUrl = (path: string) => path.replace(/(\?|$)/, ".data$1");
export const statusOf = async (of: TestCase) => (await server.sql`select registration_status s from doctors where id = ${of.id}`)[0]?.s;
export const noNumbers = (answer: Answer, of: TestCase) => {
  for (const number of Object.values(of.numbers)) expect(answer.text).not.toContain(number);
};

beforeAll(async () => {
  server = await startServer({ seed: false });
  picture = await sharp({ create: { width: 120, height: 80, channels: 3, background: "#336699" } })
    .jpeg()
    .toBuffer();
  house = await makeHospital(server.db, { name: "Proof Heart Hospital" });
  const [mine, second, stranger, chief] = [
    await makeReviewer(server.db, house),
    await makeReviewer(server.db, house),
    await makeReviewer(server.db, await makeHospital(server.db)),
    await makeAdmin(server.db),
  ];
  reviewer = await loginAs(server, mine);
  colleague = await loginAs(server, second);
  admin = await loginAs(server, chief);
  const [patient, doctor] = [await makePatient(server.db), await makeDoctor(server.db)];
  wrong.stranger = await loginAs(server, stranger);
  wrong.patient = await loginAs(server, { role: "patient", phone: patient.phone });
  wrong.doctor = await loginAs(server, { role: "doctor", email: doctor.email });
  wrong.visitor = new Browser(server.url);
});
afterAll(() => server?.stop());
