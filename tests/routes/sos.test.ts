/** SOS over HTTP: when every service fails, hangs or returns invalid data, or the database is down, the numbers are shown. */
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { dropDatabase } from "../../scripts/databases.ts";
import { readable } from "../factories/booking.ts";
import { newPhone } from "../factories/people.ts";
import { type DatabaseProxy, proxyDatabase } from "../mocks/database-proxy.ts";
import { textReply } from "../mocks/gemini.ts";
import { httpStub, type Reply, type Seen } from "../mocks/http-stub.ts";
import { placesReply } from "../mocks/places.ts";
import { cloneTemplate } from "../setup/database.ts";
import { type Answer, Browser } from "../setup/http.ts";
import { loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

const PATH = "/patient/emergency-contact";
const HERE = { latitude: "27.10123", longitude: "71.20456" };
let places: (seen: Seen) => Reply;
let gemini: () => Reply;
const stubs = { places: await httpStub((seen) => places(seen)), gemini: await httpStub(() => gemini()) };
const database = await cloneTemplate("reference");
let proxy: DatabaseProxy;
let server: TestServer;
beforeAll(async () => {
  proxy = await proxyDatabase(database);
  server = await startServer({
    database: proxy.address,
    env: {
      GOOGLE_MAPS_SERVER_KEY: "maps-secret",
      GOOGLE_MAPS_BASE_URL: stubs.places.url,
      GEMINI_API_KEY: "gemini-secret",
      GEMINI_BASE_URL: stubs.gemini.url,
    },
  });
});
afterAll(async () => {
  await proxy.giveBack();
  await server?.stop();
  await proxy.stop();
  await dropDatabase(database);
  await stubs.places[Symbol.asyncDispose]();
  await stubs.gemini[Symbol.asyncDispose]();
});

const near = (seen: Seen) =>
  placesReply(seen, [
    { id: "a", name: "Desert Hospital", lat: 27.105, lng: 71.2, phone: "+91 2992 252 343" },
    { id: "b", name: "Fort Hospital", lat: 27.11, lng: 71.2 },
  ]);
const MODEL = JSON.stringify([
  { name: "Fort Hospital", address: "Fort Road", phone: "98765 43210" },
  { name: "<script>alert(1)</script>", address: "", phone: null },
]);
function expectNumbers(answer: Answer) {
  expect(answer.text).toContain('href="tel:108"');
  expect(answer.text).toContain('href="tel:112"');
  // Before every other link and button of the page.
  expect(/<main[\s\S]*?<a[^>]*href="([^"]*)"/.exec(answer.text)?.[1]).toBe("tel:108");
}
async function press(browser = new Browser(server.url)) {
  const answer = await browser.post(PATH, { intent: "locate", ...HERE });
  const page = answer.status === 303 ? await browser.follow(answer) : answer;
  expectNumbers(page);
  return { browser, answer, page, text: readable(page.text) };
}

it("finds, sorts verified before unverified, and escapes the output of the model", async () => {
  [places, gemini] = [near, () => textReply(MODEL)];
  const { answer, page, text } = await press();
  expect(answer.status).toBe(303);
  expect(answer.setCookies.join()).toMatch(/nadi_sos=[\w-]{43}; Max-Age=3600; Path=\/; HttpOnly; SameSite=Lax/);
  expect(page.headers.get("cache-control")).toBe("no-store");
  expect(text).toContain("Contacting hospitals: call this one first (1 of 2)");
  expect(text.indexOf("Desert Hospital")).toBeLessThan(text.indexOf("Fort Hospital"));
  expect(page.text).toContain('href="tel:+912992252343"');
  expect(page.text.includes('href="tel:+919876543210"')).toBe(true);
  expect(text).toContain("Unverified number");
  expect(page.text).not.toContain("alert(1)");
});

it.each<[string, Reply]>([
  ["empty", { body: "" }],
  ["garbage", { body: "}{" }],
  ["HTML", { body: "<html><script>alert(1)</script></html>", headers: { "content-type": "text/html" } }],
  ["500", { status: 500, body: "{}" }],
])("both services answer %s: the specified text, and no more", async (_, reply) => {
  [places, gemini] = [() => reply, () => reply];
  const { page, text } = await press();
  expect(text).toContain("failed to load");
  expect(page.text).not.toContain("alert(1)");
});

it("both providers time out: responds within the deadline, and other pages work meanwhile", async () => {
  [places, gemini] = [() => "hang", () => "hang"];
  const presses = Promise.all(Array.from({ length: 5 }, () => press()));
  let over = false;
  void presses.finally(() => {
    over = true;
  });
  expect((await new Browser(server.url).get("/choose-role")).status).toBe(200);
  expect((await new Browser(server.url).get("/doctorspages/Cards-data")).status).toBe(200);
  expect(over).toBe(false);
  for (const { text } of await presses) expect(text).toContain("failed to load");
});

it("Places finds none up to 10 km", async () => {
  [places, gemini] = [(seen) => placesReply(seen, []), () => textReply("[]")];
  expect((await press()).text).toContain("No hospitals found within 10 km. Please call 108 for emergency services.");
});

it("an empty place, an unknown intent and a malformed cookie cause no error", async () => {
  const browser = new Browser(server.url);
  const empty = await browser.post(PATH, { intent: "place", place: "  " });
  expect(empty.status).toBe(400);
  expect(readable(empty.text)).toContain("Type your city, PIN code or area");
  expectNumbers(empty);
  const odd = await browser.follow(await browser.post(PATH, { intent: "<script>" }));
  expect(readable(odd.text)).toContain("Where are you?");
  browser.cookies.set("nadi_sos", "../../etc");
  expect(readable((await browser.get(PATH)).text)).toContain("Or find a hospital");
  expectNumbers(await browser.get(PATH));
});

it("says why a browser gives no position, and Start Over deletes the run", async () => {
  const browser = new Browser(server.url);
  for (const [reason, says] of [
    ["denied", "Location access was denied."],
    ["no-location", "Could not get your location."],
  ] as const) {
    const page = await browser.follow(await browser.post(PATH, { intent: "lost", reason }));
    expect(readable(page.text)).toContain(says);
    expectNumbers(page);
    const idle = await browser.follow(await browser.post(PATH, { intent: "over" }));
    expect(readable(idle.text)).not.toContain(says);
    expect(browser.cookies.has("nadi_sos")).toBe(false);
  }
  const asked = await browser.follow(await browser.post(PATH, { intent: "press" }));
  expect(readable(asked.text)).toContain("Where are you?");
});

it("offers the city that was chosen, and says that distances are from its centre", async () => {
  [places, gemini] = [
    (seen) => placesReply(seen, [{ id: "a", name: "Hill Hospital", lat: 13.65, lng: 79.42, phone: "+91 877 222 3334" }]),
    () => textReply("[]"),
  ];
  const [city] = await server.sql`select id from cities where name = 'Tirupati' and state = 'Andhra Pradesh'`;
  const visitor = new Browser(server.url);
  const patient = await loginAs(server, { role: "patient", phone: newPhone() });
  for (const browser of [visitor, patient]) {
    await browser.post("/location/cities", { intent: "city", city: String(city!.id) });
    const denied = await browser.follow(await browser.post(PATH, { intent: "lost", reason: "denied" }));
    expect(readable(denied.text)).toContain("Find hospitals near Tirupati");
    const found = await browser.follow(await browser.post(PATH, { intent: "city", city: String(city!.id) }));
    expectNumbers(found);
    expect(readable(found.text)).toMatch(/Hill Hospital .*\d\.\d km from the centre/);
    expect(readable(found.text)).not.toContain("away");
  }
  const none = await new Browser(server.url).post(PATH, { intent: "lost", reason: "denied" });
  expect(readable(none.text)).not.toContain("Find hospitals near");
  for (const unknown of ["2000000000", "-1", "x"]) {
    const browser = new Browser(server.url);
    const page = await browser.follow(await browser.post(PATH, { intent: "city", city: unknown }));
    expect(page.status, unknown).toBe(200);
    expectNumbers(page);
  }
});

it("leads back to the home page of who is logged in", async () => {
  const back = async (browser: Browser) => /<header[\s\S]*?<a[^>]*href="([^"]*)"/.exec((await browser.get(PATH)).text)?.[1];
  expect(await back(new Browser(server.url))).toBe("/choose-role");
  expect(await back(await loginAs(server, { role: "patient", phone: newPhone() }))).toBe("/patient-dashboard");
});

it("a run is shown to its own browser only, and no position or key is logged", async () => {
  [places, gemini] = [near, () => textReply(MODEL)];
  const { browser } = await press();
  expect(readable((await browser.get(PATH)).text)).toContain("Contacting hospitals: call this one first");
  expect(readable((await new Browser(server.url).get(PATH)).text)).toContain("Or find a hospital");
  expect(server.output()).not.toMatch(/27\.101|71\.204|maps-secret|gemini-secret|nadi_sos/);
  expect(JSON.stringify(await server.sql`select * from emergency_runs`)).not.toMatch(/27\.10123|71\.20456/);
});

it("with the database down the numbers are shown, with the results of the maps", async () => {
  [places, gemini] = [near, () => textReply(MODEL)];
  const known = (await press(await loginAs(server, { role: "patient", phone: newPhone() }))).browser;
  await proxy.disconnect();
  await vi.waitFor(async () => expect((await new Browser(server.url).get("/readyz")).status).toBe(503), { timeout: 15_000 });
  for (const browser of [new Browser(server.url), known]) {
    const page = await browser.get(PATH);
    expect(page.status).toBe(200);
    expectNumbers(page);
  }
  const { answer, page, text } = await press();
  expect(answer.status).toBe(200);
  expect(text).toContain("Desert Hospital");
  expect(page.text).toContain('href="tel:+912992252343"');
  const stopped = await known.post(PATH, { intent: "stop" });
  expectNumbers(stopped);
  [places, gemini] = [() => "hang", () => "hang"];
  expect((await press()).text).toContain("failed to load");
  await proxy.giveBack();
}, 60_000);

it("with the database frozen too", async () => {
  [places, gemini] = [near, () => textReply(MODEL)];
  await vi.waitFor(async () => expect((await new Browser(server.url).get("/readyz")).status).toBe(200), { timeout: 15_000 });
  proxy.freeze();
  const { text } = await press();
  expect(text).toContain("Desert Hospital");
  await proxy.giveBack();
}, 60_000);
