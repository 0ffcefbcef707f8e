/** Open Graph: the tags of every public page, and their images. */
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LANGUAGES } from "#app/lib/language.ts";
import { makeDoctor } from "../factories/people.ts";
import { type RawAnswer, raw } from "../setup/http.ts";
import { DEMO, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

let server: TestServer;
const at = { doctor: "", hospital: "" };
beforeAll(async () => {
  server = await startServer();
  const [row] = await server.sql<{ doctor: string; hospital: string }[]>`
    select d.id as doctor, h.id as hospital from doctors d join hospitals h on h.id = d.hospital_id
    where d.registration_status = 'verified' and h.status = 'active' and d.rating_count > 0 order by d.full_name limit 1`;
  Object.assign(at, row);
});
afterAll(() => server?.stop());

const ask = (path: string, headers: Record<string, string> = {}) =>
  raw(server.url, { path, headers: { host: new URL(server.url).host, ...headers } });
/** Returns the tags of a page by name, unescaped. */
const tagsOf = (page: string) =>
  Object.fromEntries(
    [...page.matchAll(/<meta (?:property|name)="([^"]+)" content="([^"]*)"/g)].map(([, name, content]) => [
      name!,
      content!.replaceAll("&amp;", "&").replaceAll("&quot;", '"').replaceAll("&#x27;", "'"),
    ]),
  );
const cardOf = async (path: string, headers?: Record<string, string>) => {
  const tags = tagsOf((await ask(path, headers)).text);
  return tags["og:image"]?.replace(server.url, "") ?? "";
};
const isCard = async ({ status, headers, body }: RawAnswer) => {
  expect([status, headers["content-type"]]).toEqual([200, "image/png"]);
  expect(await sharp(body).metadata()).toMatchObject({ format: "png", width: 1200, height: 630 });
  // Messengers ignore larger ones.
  expect(body.length).toBeLessThan(300_000);
};

const PUBLIC: [string, () => string][] = [
  ["splash", () => "/"],
  ["choose role", () => "/choose-role"],
  ["SOS", () => "/patient/emergency-contact"],
  ["doctors", () => "/doctorspages/Cards-data"],
  ["doctors of a specialty", () => "/doctorspages/Cards-data?specialty=Dentist"],
  ["a doctor", () => `/details/doctor/${at.doctor}`],
  ["hospitals", () => "/hospitalpages/Cards-data"],
  ["a hospital", () => `/hospital/${at.hospital}`],
  ["a hospital's doctors", () => `/hospital/${at.hospital}/doctors`],
  ["help", () => "/patient/help"],
  ["terms", () => "/patient/terms"],
  ["contact", () => "/patient/contact-us"],
  ["login of patients", () => "/dual-patient"],
  ["login of doctors", () => "/dual-doctor"],
  ["the API", () => "/docs/api"],
];

describe.each(PUBLIC)("%s", (_, path) => {
  it.each(LANGUAGES)("has a description and a picture in %s", async (language) => {
    const tags = tagsOf((await ask(path(), { cookie: `lang=${language}` })).text);
    for (const name of ["description", "og:title", "og:description", "og:image:alt"]) expect(tags[name], name).toMatch(/\S{3}/);
    expect(tags).toMatchObject({ "og:image:width": "1200", "og:image:height": "630", "twitter:card": "summary_large_image" });
    const image = new URL(tags["og:image"] ?? "");
    expect([image.origin, image.searchParams.get("lang")]).toEqual([server.url, language]);
    await isCard(await ask(image.pathname + image.search));
  });
});

it("a patient's own pages have no tags", async () => {
  const { token } = await loginAs(server, DEMO.patient);
  for (const path of [`/details/doctor/${at.doctor}`, `/hospital/${at.hospital}`, "/patient/help"])
    expect(tagsOf((await ask(path, { cookie: `nadi_session=${token}` })).text)["og:image"], path).toBeUndefined();
});

describe("the image of a doctor", () => {
  it("differs by language and after each change, and is equal otherwise", async () => {
    const path = `/details/doctor/${at.doctor}`;
    const seen = new Set<string>();
    for (const language of LANGUAGES) seen.add((await ask(await cardOf(path, { cookie: `lang=${language}` }))).body.toString("base64"));
    expect(seen.size).toBe(LANGUAGES.length);
    const before = await cardOf(path);
    expect(await cardOf(path)).toBe(before);
    await server.sql`update doctors set consultation_fee = consultation_fee + 10000 where id = ${at.doctor}`;
    await server.sql`select pg_notify('nadi_pages', '')`;
    await expect.poll(() => cardOf(path)).not.toBe(before);
  });

  it("is cached long under its version, shortly under another, and answers 304", async () => {
    const path = await cardOf(`/details/doctor/${at.doctor}`);
    const first = await ask(path);
    expect(first.headers["cache-control"]).toBe("public, max-age=2592000");
    expect(first.headers["set-cookie"]).toBeUndefined();
    const old = await ask(path.replace(/v=\w+/, "v=00000000"));
    expect(old.headers["cache-control"]).toBe("public, max-age=3600");
    expect(old.headers.etag).toBe(first.headers.etag);
    const again = await ask(path, { "if-none-match": String(first.headers.etag) });
    expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, first.headers.etag]);
  });

  it("is the same for every visitor and user", async () => {
    const path = await cardOf(`/details/doctor/${at.doctor}`);
    const { token } = await loginAs(server, DEMO.patient);
    const mine = await ask(path, { cookie: `nadi_session=${token}` });
    expect(mine.headers["cache-control"]).toContain("public");
    expect(mine.body.equals((await ask(path)).body)).toBe(true);
  });

  it.each([
    "డాక్టర్ లక్ష్మీ ప్రసన్న కుమారి చల్లా వెంకట సత్యనారాయణ",
    "डॉ. क्षितिज श्रीवास्तव",
    "டாக்டர் முருகன்",
    "<b>Dr. & \"O'Neil\"</b> <span foreground='red'>",
    "&lt; &#0; &amp;amp; %s",
    "\u0001\u0007 Dr. Bell \u202e",
    "😀 Dr. Emoji 🦷",
    `Dr. ${"Long".repeat(60)}`,
    "Dr. . - ' …",
  ])("is drawn for the name %j", async (name) => {
    const { id } = await makeDoctor(server.db, { name });
    await isCard(await ask(`/cards/doctor/${id}?lang=te`));
  });

  it.each(["draft", "under review by hospital", "suspended", "rejected"] as const)(
    "is not found while the doctor is %s",
    async (status) => {
      const { id } = await makeDoctor(server.db, { name: "Dr. Hidden" });
      expect((await ask(`/cards/doctor/${id}`)).status).toBe(200);
      await server.sql`update doctors set registration_status = ${status} where id = ${id}`;
      const hidden = await ask(`/cards/doctor/${id}`);
      expect([hidden.status, hidden.headers["cache-control"]]).toEqual([404, "no-store"]);
    },
  );

  it("is not found for a hospital that is merged or not confirmed", async () => {
    for (const status of ["pending", "refused"]) {
      const [row] = await server.sql<{ id: string }[]>`
        insert into hospitals (name, category, address, city, state, status) values (${`Hidden ${status}`}, 'Clinic', '1 Road', 'Guntur', 'Andhra Pradesh', ${status}) returning id`;
      expect((await ask(`/cards/hospital/${row!.id}`)).status, status).toBe(404);
    }
    const [row] = await server.sql<{ id: string }[]>`
      insert into hospitals (name, category, address, city, state, status, merged_into) values ('Merged', 'Clinic', '1 Road', 'Guntur', 'Andhra Pradesh', 'merged', ${at.hospital}) returning id`;
    expect((await ask(`/cards/hospital/${row!.id}`)).status).toBe(404);
  });

  it.each([
    "/cards/doctor",
    "/cards/hospital",
    "/cards/doctor/1",
    "/cards/doctor/00000000-0000-4000-8000-000000000000",
    "/cards/doctor/%2e%2e%2f%2e%2e%2fetc%2fpasswd",
    "/cards/doctor/'%20or%201=1--",
    "/cards/patient/00000000-0000-4000-8000-000000000000",
    "/cards/nadi/1",
    "/cards/constructor",
    "/cards/__proto__/x",
    "/cards/doctor/a.png?lang=../../x&v=%F0%9F%98%80",
  ])("answers 404 to %s", async (path) => expect((await ask(path)).status).toBe(404));

  it("is not found for a doctor's id under the hospitals' address", async () => {
    expect((await ask(`/cards/hospital/${at.doctor}`)).status).toBe(404);
    expect((await ask(`/cards/doctor/${at.hospital}`)).status).toBe(404);
  });

  it("is drawn a limited number of times for one address, then served from memory", async () => {
    const doctors = await Promise.all(Array.from({ length: 3 }, (_, i) => makeDoctor(server.db, { name: `Dr. Many ${i}` })));
    const [known, other] = [`/cards/doctor/${doctors[0]!.id}?lang=en`, `/cards/doctor/${doctors[1]!.id}?lang=en`];
    await isCard(await ask(known));
    const keys = await server.sql<{ key: string }[]>`select distinct key from rate_limits where key like 'share-card:%'`;
    for (const { key } of keys) await server.sql`insert into rate_limits (key, at) select ${key}, now() from generate_series(1, 120)`;
    const refused = await ask(other);
    expect([refused.status, Number(refused.headers["retry-after"]) > 0]).toEqual([429, true]);
    await isCard(await ask(known));
    // The card of Nadi always exists, in three languages.
    await isCard(await ask("/cards/nadi?lang=hi"));
    await server.sql`delete from rate_limits where key like 'share-card:%'`;
    // Concurrent requests share one drawing.
    const all = await Promise.all(Array.from({ length: 40 }, () => ask(`/cards/doctor/${doctors[2]!.id}?lang=hi`)));
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200]));
    const [row] = await server.sql<{ n: number }[]>`select count(*)::int as n from rate_limits where key like 'share-card:%'`;
    expect(row!.n).toBeLessThanOrEqual(40);
  });
});
