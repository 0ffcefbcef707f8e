import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readable } from "../factories/booking.ts";
import { newPhone, typed } from "../factories/people.ts";
import { httpStub } from "../mocks/http-stub.ts";
import { Browser } from "../setup/http.ts";
import { type LoggedIn, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

let server: TestServer;
let patient: LoggedIn;
beforeAll(async () => {
  server = await startServer({ seed: false });
  patient = await loginAs(server, { role: "patient", phone: newPhone() });
});
afterAll(() => server?.stop());

const cityId = async (name: string) =>
  String((await server.sql`select id from cities where name = ${name} and state = 'Andhra Pradesh' order by rank desc limit 1`)[0]!.id);
const placeOf = async (who: LoggedIn) =>
  (
    await server.sql`select c.name, p.latitude, p.accuracy, p.place_source from patients p left join cities c on c.id = p.city_id where p.id = ${who.userId}`
  )[0];

describe("a patient", () => {
  it("searches from two letters, chooses, and reaches the dashboard of that city", async () => {
    expect((await patient.get("/location")).text).toContain("You have not chosen a city. We show results near Vijayawada.");
    expect((await patient.get("/location?q=g")).text).toContain("No locations found");
    expect((await patient.get("/location?q=zzzzqq")).text).toContain("Try a different search term");
    const found = await patient.get("/location?q=gunt");
    expect(found.text.match(/name="city"/g)!.length).toBeLessThanOrEqual(8);
    expect(found.text).toContain("Guntur, Andhra Pradesh");
    const chosen = await patient.post("/location/cities", { intent: "city", city: await cityId("Guntur") });
    expect(chosen).toMatchObject({ status: 303, location: "/patient-dashboard" });
    const dashboard = await patient.follow(chosen);
    expect(dashboard.text).toContain("Location set to Guntur");
    expect(dashboard.text).toMatch(/<b>Guntur<\/b>/);
    const page = readable((await patient.get("/location")).text);
    for (const fact of ["Guntur, Andhra Pradesh", "16.2997, 80.4573", "You chose it"]) expect(page).toContain(fact);
  });
  it("returns the city of a position to the script, stored with its accuracy", async () => {
    const at = { intent: "position", latitude: "16.30512345", longitude: "80.43712345", accuracy: "24.6", stay: "1" };
    const answer = await patient.post("/location/cities", at);
    expect(JSON.parse(answer.text)).toEqual({ message: "Location detected: Guntur", to: "/patient-dashboard" });
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(await placeOf(patient)).toEqual({ name: "Guntur", latitude: 16.3051, accuracy: 25, place_source: "position" });
    const page = readable((await patient.get("/location")).text);
    for (const fact of ["16.3051, 80.4371", "25 metres", "From your phone's location"]) expect(page).toContain(fact);
    const abroad = await patient.post("/location/cities", { ...at, latitude: "51.5", longitude: "0" });
    expect(JSON.parse(abroad.text)).toEqual({ message: "Could not determine city from location", to: null });
    expect((await placeOf(patient))?.name).toBe("Guntur");
  });
  it("an invalid choice changes nothing", async () => {
    for (const choice of [
      {},
      { intent: "city", city: "1; drop table cities" },
      { intent: "position", latitude: "91", longitude: "0" },
      { intent: "nonsense" },
    ])
      expect((await patient.post("/location/cities", choice as Record<string, string>)).status).toBe(400);
    const unknown = await patient.post("/location/cities", { intent: "city", city: "2000000000" });
    expect(unknown.location).toBe("/location");
    expect((await placeOf(patient))?.name).toBe("Guntur");
    await patient.get(`/location/cities?intent=city&city=${await cityId("Tirupati")}`);
    expect((await placeOf(patient))?.name).toBe("Guntur");
  });
  it("shows the alternative without an IP lookup", async () => {
    const asked = await patient.post("/location/cities", { intent: "ip" });
    expect((await patient.follow(asked)).text).toContain(
      "We could not find your city from your internet connection. Search for it by name.",
    );
  });
  it("links back to the previous page, on this site only", async () => {
    const back = async (path: string, referer?: string) =>
      /class="icon-btn ml-[^"]*" href="([^"]+)"|href="([^"]+)" class="icon-btn ml-/
        .exec((await patient.get(path, referer ? { referer } : {})).text)
        ?.slice(1)
        .find(Boolean);
    expect(await back("/location")).toBe("/patient-dashboard");
    expect(await back("/location", `${server.url}/patient/calendar?month=1`)).toBe("/patient/calendar?month=1");
    expect(await back("/location", "https://evil.example/x")).toBe("/patient-dashboard");
    expect(await back("/location?from=//evil.example&q=gu")).toBe("/patient-dashboard");
    expect(await back("/location?from=/.//evil.example&q=gu")).toBe("/patient-dashboard");
    expect(await back("/location?from=/patient/profile&q=gu", `${server.url}/location`)).toBe("/patient/profile");
  });
});

describe("a visitor", () => {
  it("stores the place in the browser, continues, and takes it to the login", async () => {
    const visitor = new Browser(server.url);
    const chosen = await visitor.post("/location/cities", {
      intent: "city",
      city: await cityId("Tirupati"),
      from: "/doctorspages/Cards-data?q=a",
    });
    expect(chosen.location).toBe("/doctorspages/Cards-data?q=a");
    expect(chosen.setCookies.find((line) => line.startsWith("nadi_place="))).toMatch(/HttpOnly; SameSite=Lax/);
    expect(readable((await visitor.get("/location")).text)).toContain("Tirupati, Andhra Pradesh");
    // No other user's page shows it, and the page is not cached.
    expect((await visitor.get("/doctorspages/Cards-data")).headers.get("cache-control")).toBe("no-store");
    expect(readable((await new Browser(server.url).get("/location")).text)).not.toContain("Tirupati");
    const phone = newPhone();
    await visitor.post("/dual-patient", { intent: "send", phoneNumber: typed(phone) });
    await visitor.post("/dual-patient", { intent: "verify", otp: await server.lastCode(phone) });
    expect(visitor.cookies.has("nadi_place")).toBe(false);
    expect((await visitor.get("/patient-dashboard")).text).toMatch(/<b>Tirupati<\/b>/);
  });
  it("the browser's place does not overwrite a patient's own choice", async () => {
    const browser = new Browser(server.url);
    const phone = newPhone();
    const known = await loginAs(server, { role: "patient", phone });
    await known.post("/location/cities", { intent: "city", city: await cityId("Guntur") });
    await browser.post("/location/cities", { intent: "city", city: await cityId("Tirupati") });
    await browser.post("/dual-patient", { intent: "send", phoneNumber: typed(phone) });
    await browser.post("/dual-patient", { intent: "verify", otp: await server.lastCode(phone) });
    expect((await placeOf(known))?.name).toBe("Guntur");
  });
  it("ignores a cookie that was written by hand", async () => {
    for (const value of ["2000000000~search", "x", "1~position~999~0~1"]) {
      const visitor = new Browser(server.url);
      visitor.cookies.set("nadi_place", value);
      expect((await visitor.get("/location")).status, value).toBe(200);
    }
  });
});

describe("with services", () => {
  it("the map service names the city, the IP lookup answers when the position is denied, and no position is logged", async () => {
    await using maps = await httpStub(() => ({
      body: JSON.stringify({
        status: "OK",
        results: [
          {
            address_components: [
              { long_name: "Vijayawada", short_name: "Vijayawada", types: ["locality"] },
              { long_name: "Andhra Pradesh", short_name: "AP", types: ["administrative_area_level_1"] },
              { long_name: "India", short_name: "IN", types: ["country"] },
            ],
          },
        ],
      }),
    }));
    await using ip = await httpStub(() => ({ body: '{"lat":17.385,"lon":78.4867}' }));
    const connected = await startServer({
      seed: false,
      env: { GOOGLE_MAPS_SERVER_KEY: "k", GOOGLE_MAPS_BASE_URL: maps.url, IP_GEO_URL: `${ip.url}/{ip}` },
    });
    try {
      const who = await loginAs(connected, { role: "patient", phone: newPhone() });
      const detected = await who.post("/location/cities", { intent: "position", latitude: "16.3051", longitude: "80.4371" });
      expect((await who.follow(detected)).text).toContain("Location detected: Vijayawada");
      expect((await who.get("/location")).text).toContain("We send your location to Google Maps");
      const byAddress = await who.post("/location/cities", { intent: "ip" });
      expect(byAddress.location).toBe("/patient-dashboard");
      expect((await who.follow(byAddress)).text).toContain("Location set to Hyderabad (via IP)");
      expect(readable((await who.get("/location")).text)).toContain("From your internet connection");
      expect([maps.seen.length, ip.seen.length]).toEqual([1, 1]);
      expect(JSON.stringify(connected.logs())).not.toMatch(/16\.3051|80\.4371/);
    } finally {
      await connected.stop();
    }
  });
});
