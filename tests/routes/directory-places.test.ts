/** A doctor with places in two towns: in the lists of both, with fee and times of the place, and on both hospitals' pages. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readable } from "../factories/booking.ts";
import { makeHospital } from "../factories/cases.ts";
import { dayFromNow, makeDoctor, type TestDoctor } from "../factories/people.ts";
import { makePractice } from "../factories/practices.ts";
import { Browser } from "../setup/http.ts";
import { startServer, type TestServer } from "../setup/server.ts";

let server: TestServer;
let browser: Browser;
let single: TestDoctor;
afterAll(() => server?.stop());
const text = async (path: string) => readable((await browser.get(path)).text);

describe("a doctor with places in two towns", () => {
  const [here, there] = [
    { latitude: 15.1394, longitude: 76.9214 },
    { latitude: 13.6288, longitude: 79.4192 },
  ];
  let two: TestDoctor;
  let practiceId: string;
  let clinic: string;
  beforeAll(async () => {
    server = await startServer({ seed: false });
    browser = new Browser(server.url);
    const { db, sql } = server;
    single = await makeDoctor(db);
    two = await makeDoctor(db, {
      name: "Dr. Two Places",
      fee: 40_000,
      specialization: "Cardiologist",
      slots: [{ date: dayFromNow(3), time: "10:00" }],
    });
    await sql`update doctors set city = 'Ballari', ${sql(here)} where id = ${two.id}`;
    clinic = (await makeHospital(db, { name: "Tirupati Evening Clinic", city: "Tirupati", ...there })).id;
    practiceId = (await makePractice(db, two.id, { hospitalId: clinic, fee: 25_000, slots: [{ date: dayFromNow(2), time: "18:00" }] })).id;
  });
  it("is in the list of each town, with the fee and the next time of the place there", async () => {
    const [row] = await server.sql<{ id: number }[]>`select id from cities where name = 'Tirupati' limit 1`;
    const reader = new Browser(server.url);
    expect((await reader.post("/location/cities", { intent: "city", city: String(row!.id) })).status).toBe(303);
    const list = readable((await reader.get("/doctorspages/Cards-data?q=Two+Places")).text);
    for (const words of ["Dr. Two Places", "Tirupati", "₹250", "6:00 PM"]) expect(list).toContain(words);
    expect(list).not.toContain("₹400");
    expect(await text("/doctorspages/Cards-data?q=Two+Places+Ballari")).toContain("₹400");
  });
  it("is on the page of the second hospital, which counts the doctor", async () => {
    for (const path of [`/hospital/${clinic}`, `/hospital/${clinic}/doctors`]) expect(await text(path), path).toContain("Dr. Two Places");
    const [{ n } = { n: 0 }] = await server.sql<{ n: number }[]>`select doctors_count as n from hospitals where id = ${clinic}`;
    expect(n).toBe(1);
  });
  it("has a page with each place, its fee and a link to its times", async () => {
    const page = await browser.get(`/details/doctor/${two.id}`);
    for (const words of ["Tirupati Evening Clinic", "Ballari", "₹250", "₹400", "Book here", "₹250–₹400"])
      expect(readable(page.text)).toContain(words);
    expect(page.text).toContain(`practiceId=${practiceId}`);
    expect(await text(`/details/doctor/${single.id}`)).not.toContain("Book here");
  });
});
