/** `/h/{slug}`, `/d/{slug}`, the poster and the frame over HTTP, and the owner's form for name and websites. */
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { doctors, hospitals, practices, shortNames } from "#app/db/schema/index.ts";
import { mergeHospitals } from "#app/domains/credentials/hospitals/merge-hospitals.server.ts";
import { readable } from "../factories/booking.ts";
import { makeAdmin, makeHospital } from "../factories/cases.ts";
import { addSlots, dayFromNow, makeDoctor, makePatient, makeVisit } from "../factories/people.ts";
import { makeClinic } from "../factories/queues.ts";
import { Browser, raw } from "../setup/http.ts";
import { loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

let server: TestServer;
let clinic: Awaited<ReturnType<typeof makeClinic>>;
let owner: Browser;
const today = dayFromNow(0);
/** Late, so that they are free at any time of the day but the last minutes. */
const LATE = ["23:58", "23:59"];
const slotsAt = (times: string[]) => times.map((time) => ({ date: today, time }));

const slugOf = async (id: string) =>
  (await server.sql<{ slug: string }[]>`select slug from short_names where ${id} in (hospital_id, doctor_id) and is_current`)[0]?.slug;
const visitor = () => new Browser(server.url);
const web = () => `/clinic/${clinic.place.id}/web`;
const emailOf = async (id: string) => (await server.sql<{ email: string }[]>`select email from users where id = ${id}`)[0]!.email;
const ctx = (actor: unknown) => ({ db: server.db, actor, now: new Date(), integrations: {}, requestId: "test", ip: "" }) as never;

beforeAll(async () => {
  server = await startServer({ seed: false });
  clinic = await makeClinic(server.db, { doctor: "Dr. Anitha Vemuri" });
  await addSlots(server.db, clinic.doctor.id, slotsAt(LATE));
  await server.db
    .update(doctors)
    .set({ languages: ["Telugu", "English"] })
    .where(eq(doctors.id, clinic.doctor.id));
  owner = await loginAs(server, { role: "staff", email: await emailOf(clinic.place.owner.userId) });
});
afterAll(() => server?.stop());

describe("short names", () => {
  it("are made from name and town, once for each listed row, without the same one twice", async () => {
    const values = { name: "Śrī Lakshmi  Nursing Home", city: "Guntur" };
    const rows = [];
    for (let i = 0; i < 5; i++) rows.push(await makeHospital(server.db, values));
    const slugs = await Promise.all(rows.map(({ id }) => slugOf(id)));
    expect(slugs.slice(0, 3)).toEqual([
      "sri-lakshmi-nursing-home-guntur",
      "sri-lakshmi-nursing-home-guntur-2",
      "sri-lakshmi-nursing-home-guntur-3",
    ]);
    expect(slugs.slice(3).every((slug) => /^sri-lakshmi-nursing-home-guntur-[0-9a-f]{8}$/.test(slug!))).toBe(true);
    expect(new Set(slugs).size).toBe(5);
    const telugu = await makeHospital(server.db, { name: "శ్రీ ఆసుపత్రి", city: "" });
    expect(await slugOf(telugu.id)).toBe("hospital");
  });
  it("stay when the name changes, and come with the confirmation of a hospital and a doctor", async () => {
    const pending = await makeHospital(server.db, { name: "New Hope", city: "Eluru", status: "pending" });
    expect(await slugOf(pending.id)).toBeUndefined();
    await server.db.update(hospitals).set({ status: "active" }).where(eq(hospitals.id, pending.id));
    expect(await slugOf(pending.id)).toBe("new-hope-eluru");
    await server.db.update(hospitals).set({ name: "Other" }).where(eq(hospitals.id, pending.id));
    expect(await slugOf(pending.id)).toBe("new-hope-eluru");
    expect(await slugOf(clinic.doctor.id)).toMatch(/^dr-anitha-vemuri/);
  });
});

describe("/h/{slug}", () => {
  const page = async () => `/h/${await slugOf(clinic.place.id)}`;
  it("shows doctors, today's free times, languages and directions to visitors, and names the specified address as canonical", async () => {
    const answer = await visitor().get(await page());
    expect(answer.status).toBe(200);
    const words = readable(answer.text);
    for (const text of [clinic.place.name, "Dr. Anitha Vemuri", "Free times today", "Telugu, English", "Directions"])
      expect(words).toContain(text);
    expect(answer.text).toContain(`doctorId=${clinic.doctor.id}&amp;date=${today}&amp;time=23%3A59`);
    // A visitor with the QR code of the door wants a time first.
    expect(answer.text.indexOf('id="free"')).toBeLessThan(answer.text.indexOf('id="contact"'));
    expect(answer.text).toMatch(new RegExp(`rel="canonical" href="[^"]*/hospital/${clinic.place.id}"`));
    expect(answer.headers.get("set-cookie") ?? "").not.toContain("session");
  });
  it("comes from the cache of visitors and changes with a booking", async () => {
    const at = await page();
    await visitor().get(at);
    const again = await visitor().get(at);
    expect([again.headers.get("cache-control"), Boolean(again.headers.get("etag"))]).toEqual(["private, no-cache", true]);
  });
  it("shows the tokens that are left where the place gives tokens", async () => {
    await server.db.update(practices).set({ mode: "tokens" }).where(eq(practices.doctorId, clinic.doctor.id));
    await server.sql`update availability_slots set seats = 3 where doctor_id = ${clinic.doctor.id} and date = ${today} and time = '23:59'`;
    await server.sql`select pg_notify('nadi_pages', '')`;
    await expect.poll(async () => readable((await visitor().get(await page())).text), { timeout: 10_000 }).toContain("4 tokens left today");
    await server.db.update(practices).set({ mode: "slots" }).where(eq(practices.doctorId, clinic.doctor.id));
    await server.sql`update availability_slots set seats = 1 where doctor_id = ${clinic.doctor.id}`;
    await server.sql`select pg_notify('nadi_pages', '')`;
  });
  it("does not show full times", async () => {
    const patient = await makePatient(server.db);
    await makeVisit(server.db, { patient, doctor: clinic.doctor }, { date: today, time: "23:58", status: "accepted" });
    await server.sql`select pg_notify('nadi_pages', '')`;
    await expect.poll(async () => (await visitor().get(await page())).text, { timeout: 10_000 }).not.toContain("time=23%3A58");
  });
  it("answers 404 to unknown names, and other writings of a name with a redirect", async () => {
    for (const path of [
      "/h/no-such-name",
      "/d/no-such-name",
      "/h/no-such-name/poster",
      "/embed/no-such-name",
      "/h/%27%20or%201=1",
      "/d/..%2f",
    ])
      expect((await visitor().get(path)).status, path).toBe(404);
    const upper = await visitor().get((await page()).toUpperCase().replace("/H/", "/h/"));
    expect([upper.status, upper.location]).toEqual([301, await page()]);
  });
  it("leads from a merged hospital to the one it is merged into", async () => {
    const old = await makeHospital(server.db, { name: "Old Duplicate", city: "Guntur" });
    const slug = await slugOf(old.id);
    const target = await makeHospital(server.db, { name: "The Target", city: "Guntur" });
    await mergeHospitals(ctx(await makeAdmin(server.db)), { id: old.id, into: target.id });
    const answer = await visitor().get(`/h/${slug}?lang=te`);
    expect([answer.status, answer.location]).toEqual([301, `/h/${await slugOf(target.id)}?lang=te`]);
  });
});

describe("/d/{slug}", () => {
  it("is the doctor's page, with the specified address as canonical", async () => {
    const answer = await visitor().get(`/d/${await slugOf(clinic.doctor.id)}`);
    expect([answer.status, readable(answer.text).includes("Dr. Anitha Vemuri")]).toEqual([200, true]);
    expect(answer.text).toMatch(new RegExp(`rel="canonical" href="[^"]*/details/doctor/${clinic.doctor.id}"`));
  });
  it("does not show a doctor who is not listed", async () => {
    const doctor = await makeDoctor(server.db, { name: "Dr. Suspended" });
    const path = `/d/${await slugOf(doctor.id)}`;
    expect((await visitor().get(path)).status).toBe(200);
    await server.db
      .update(doctors)
      .set({ registrationStatus: "suspended" as never })
      .where(eq(doctors.id, doctor.id));
    await server.sql`select pg_notify('nadi_pages', '')`;
    await expect.poll(async () => (await visitor().get(path)).status, { timeout: 10_000 }).toBe(404);
  });
});

describe("/h/{slug}/poster", () => {
  it.each(["a4", "a5"])("is one %s sheet with the QR code and three languages", async (size) => {
    const slug = await slugOf(clinic.place.id);
    const answer = await visitor().get(`/h/${slug}/poster?size=${size}`);
    expect(answer.status).toBe(200);
    expect(answer.text).toContain(size === "a4" ? "size:210mm 297mm" : "size:148mm 210mm");
    for (const part of ["<svg", 'lang="te"', 'lang="hi"', `/h/${slug}`, "Book with your phone"]) expect(answer.text).toContain(part);
    expect(answer.headers.get("content-security-policy")).not.toContain("script-src");
  });
});

describe("/embed/{slug}", () => {
  const frame = async () => `/embed/${await slugOf(clinic.place.id)}`;
  it("is at most 6 KB, has no cookies and no scripts, and its links open the top window", async () => {
    const answer = await raw(server.url, { path: `${await frame()}?lang=te`, headers: { host: new URL(server.url).host } });
    expect(answer.status).toBe(200);
    expect(answer.body.length).toBeLessThanOrEqual(6 * 1024);
    expect(answer.headers["set-cookie"]).toBeUndefined();
    expect(answer.text).not.toMatch(/<script|<link|<img|\son\w+=/);
    const links = [...answer.text.matchAll(/<a [^>]*>/g)].map(([tag]) => tag);
    expect(links.length).toBeGreaterThan(1);
    for (const tag of links) expect(tag).toMatch(/target="_top"/);
    expect(answer.text).toContain("lang=te");
  });
  it("stays within 6 KB with eight doctors and all their times", async () => {
    const place = await makeHospital(server.db, { name: "A hospital with a long name for mothers and children", city: "Visakhapatnam" });
    for (let i = 0; i < 9; i++) {
      const doctor = await makeDoctor(server.db, { name: `Dr. Venkata Lakshmi Narasimha ${i}` });
      await server.db.update(doctors).set({ hospitalId: place.id }).where(eq(doctors.id, doctor.id));
      await addSlots(server.db, doctor.id, slotsAt(["23:52", "23:53", "23:54", "23:55", "23:56", "23:57", "23:58", "23:59"]));
    }
    const answer = await raw(server.url, {
      path: `/embed/${await slugOf(place.id)}?lang=te`,
      headers: { host: new URL(server.url).host, "accept-encoding": "gzip" },
    });
    expect(answer.status).toBe(200);
    expect(answer.body.length).toBeLessThanOrEqual(6 * 1024);
  });
  it("may be framed by the websites that the owner lists, and by no other", async () => {
    expect((await visitor().get(await frame())).headers.get("content-security-policy")).toMatch(/frame-ancestors 'self'$/);
    const saved = await owner.post(web(), { intent: "origins", origins: "clinic.example/contact\nhttp://localhost:4000" });
    expect(saved.status).toBe(303);
    expect((await visitor().get(await frame())).headers.get("content-security-policy")).toMatch(
      /frame-ancestors 'self' https:\/\/clinic\.example http:\/\/localhost:4000$/,
    );
    const [audit] = await server.sql`select details from audit_log where action = 'set-embed-origins'`;
    expect(audit!.details).toMatchObject({ websites: "https://clinic.example http://localhost:4000" });
    const refused = await owner.post(web(), { intent: "origins", origins: "https://*.example; script-src *" });
    expect([refused.status, readable(refused.text).includes("is not the address of a website")]).toEqual([400, true]);
  });
  it("answers 304 to its own ETag, until the list of websites changes", async () => {
    const first = await visitor().get(await frame());
    const etag = first.headers.get("etag")!;
    expect((await visitor().get(await frame(), { "if-none-match": etag })).status).toBe(304);
    await owner.post(web(), { intent: "origins", origins: "" });
    expect((await visitor().get(await frame(), { "if-none-match": etag })).status).toBe(200);
  });
});

describe("the owner's page", () => {
  it("shows the addresses and a snippet with a plain link", async () => {
    const slug = await slugOf(clinic.place.id);
    const words = readable((await owner.get(web())).text);
    expect(words).toContain(`/embed/${slug}" title=`);
    expect(words).toContain(`/h/${slug}">Book an appointment at`);
  });
  it("changes the short name; the old one redirects and cannot be taken by another place", async () => {
    const before = await slugOf(clinic.place.id);
    expect((await owner.post(web(), { intent: "name", slug: "Anitha Clinic" })).status).toBe(303);
    expect(await slugOf(clinic.place.id)).toBe("anitha-clinic");
    for (const [path, leadsTo] of [
      [`/h/${before}`, "/h/anitha-clinic"],
      [`/h/${before}/poster?size=a5`, "/h/anitha-clinic/poster?size=a5"],
      [`/embed/${before}?lang=hi`, "/embed/anitha-clinic?lang=hi"],
    ] as const)
      expect([(await visitor().get(path)).status, (await visitor().get(path)).location]).toEqual([301, leadsTo]);
    const other = await makeClinic(server.db);
    const stranger = await loginAs(server, { role: "staff", email: await emailOf(other.place.owner.userId) });
    for (const slug of [before!, "anitha-clinic"]) {
      const refused = await stranger.post(`/clinic/${other.place.id}/web`, { intent: "name", slug });
      expect([refused.status, readable(refused.text).includes("Another hospital uses this name")]).toEqual([409, true]);
    }
    expect(await server.db.$count(shortNames, eq(shortNames.hospitalId, clinic.place.id))).toBe(2);
    // Its own old name can be chosen again.
    expect((await owner.post(web(), { intent: "name", slug: before! })).status).toBe(303);
    expect(await slugOf(clinic.place.id)).toBe(before);
  });
  it("refuses names that are no address, and more than five changes in a day", async () => {
    for (const slug of ["ab", "a/b", "నాడి", "-", "x".repeat(61), "..", "a--b"])
      expect((await owner.post(web(), { intent: "name", slug })).status, slug).toBe(400);
    const answers = [];
    for (let i = 0; i < 6; i++) answers.push((await owner.post(web(), { intent: "name", slug: `name-${i}` })).status);
    expect(answers.at(-1)).toBe(429);
  });
  it("is refused to the reception", async () => {
    const reception = await loginAs(server, { role: "staff", email: await emailOf(clinic.reception.userId) });
    expect((await reception.get(web())).status).toBe(403);
    expect((await reception.post(web(), { intent: "name", slug: "taken-by-reception" })).status).toBe(403);
  });
});
