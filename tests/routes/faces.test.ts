/** Pictures, names in the reader's script, the demo ribbon, and the pages of a doctor and of a hospital. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addDays } from "#app/lib/dates.ts";
import { EMPTY_DRAWINGS } from "#app/ui/states.tsx";
import { PORTRAITS } from "../../demo/faces.server.ts";
import { readable } from "../factories/booking.ts";
import { addSlots, dayFromNow, makeDoctor, newPhone } from "../factories/people.ts";
import { Browser, raw } from "../setup/http.ts";
import { placesOf } from "../setup/pages.ts";
import { DEMO, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

let server: TestServer;
let visitor: Browser;
beforeAll(async () => {
  server = await startServer();
  visitor = new Browser(server.url);
});
afterAll(() => server?.stop());

let asked = 0;
/** Returns a page of a visitor. The number keeps it out of the page cache. */
const get = async (path: string, language = "en") =>
  (await visitor.get(`${path}${path.includes("?") ? "&" : "?"}lang=${language}&x=${++asked}`)).text;
const picturesOf = (html: string) =>
  [...html.matchAll(/<img\b[^>]*>/g)].map(([tag]) => tag).filter((tag) => /src="\/(faces|photos)\//.test(tag));
const sourceOf = (tag: string) => /src="([^"]+)"/.exec(tag)?.[1] ?? "";

describe("drawings", () => {
  it("are small files without scripts or links, cached for a year", async () => {
    const files = readdirSync("public/faces/1");
    expect(files.length).toBeGreaterThan(30);
    for (const file of files) {
      const text = readFileSync(`public/faces/1/${file}`, "utf8");
      expect(text.length, file).toBeLessThan(2_000);
      expect(text, file).toMatch(/^<svg xmlns/);
      expect(text, file).not.toMatch(/<script|href|\bon\w+=|<text|url\(/);
    }
    const { status, headers } = await raw(server.url, { path: "/faces/1/w01.svg" });
    expect([status, headers["content-type"], headers["cache-control"]]).toEqual([
      200,
      "image/svg+xml",
      "public,max-age=31536000,immutable",
    ]);
    expect((await raw(server.url, { path: "/faces/1/none.svg" })).status).toBe(404);
  });
  it("exist for every empty state that names one, each its own", () => {
    const drawings = EMPTY_DRAWINGS.map((name) => readFileSync(`public/faces/1/${name}.svg`, "utf8"));
    expect(new Set(drawings).size).toBe(drawings.length);
  });
  it("show every doctor of the demo with an own portrait that fits the gender", async () => {
    const rows = await server.sql<{ name: string; gender: string; portrait: string }[]>`
      select full_name as name, gender, portrait from doctors where is_demo and registration_status = 'verified'`;
    expect(rows.map(({ name }) => name).sort()).toEqual(Object.keys(PORTRAITS).sort());
    expect(new Set(rows.map(({ portrait }) => portrait)).size).toBe(rows.length);
    for (const { name, gender, portrait } of rows) {
      expect(portrait[0], name).toBe(gender === "female" ? "w" : "m");
      expect(existsSync(`public/faces/1/${portrait}.svg`), name).toBe(true);
    }
  });
  it("reserve their space on cards and load after the text", async () => {
    const pictures = picturesOf(await get("/doctorspages/Cards-data"));
    expect(pictures.length).toBeGreaterThan(3);
    for (const tag of pictures) expect(tag).toMatch(/width="72" height="72" loading="lazy"/);
    for (const tag of picturesOf(await get("/hospitalpages/Cards-data"))) expect(tag).toMatch(/width="64" height="64" loading="lazy"/);
  });
  it("are requested before the scripts where the page is about them", async () => {
    const { doctor, hospital } = await placesOf(server);
    for (const path of [`/details/doctor/${doctor}`, `/hospital/${hospital}`]) {
      const [main = ""] = picturesOf(await get(path));
      expect(main, path).toContain('fetchPriority="high"');
      expect(main, path).not.toContain("lazy");
    }
  });
  it("are never given to a real doctor, whose photo replaces a drawing", async () => {
    const real = await makeDoctor(server.db, { name: "Dr. Real Person" });
    const portraits = async () => picturesOf(await get(`/details/doctor/${real.id}`)).map(sourceOf);
    expect(await portraits()).toEqual([]);
    await server.sql`update doctors set portrait = 'w01' where id = ${real.id}`;
    expect(await portraits()).toEqual(["/faces/1/w01.svg"]);
    const [file] = await server.sql<{ id: string }[]>`
      insert into files (owner_id, purpose, status, media_type, storage_key, byte_size, original_name) values (${real.id}, 'profile-photo', 'attached', 'image/jpeg', 'x', 1, 'x') returning id`;
    await server.sql`update doctors set photo_file_id = ${file!.id} where id = ${real.id}`;
    expect(await portraits()).toEqual([`/photos/${file!.id}`]);
  });
});

describe("the demo ribbon", () => {
  it("is once on a page with doctors or hospitals, instead of a mark in each card", async () => {
    const patient = await loginAs(server, DEMO.patient);
    for (const path of [
      "/patient-dashboard",
      "/doctorspages/Cards-data",
      "/hospitalpages/Cards-data",
      "/patient/calendar",
      "/favourites",
    ]) {
      const page = (await patient.get(path)).text;
      expect(page.split("Demo: these doctors and hospitals are not real.").length, path).toBe(2);
      expect(page, path).not.toContain("(Demo)");
    }
    expect((await patient.get("/patient/settings")).text).not.toContain("Demo: these doctors");
  });
  it("leaves the mark at phone numbers", async () => {
    const [row] = await server.sql<{ id: string; hospital: string }[]>`
      select d.id, hospital_id as hospital from doctors d join users u on u.id = d.id where u.email = ${DEMO.doctor.email}`;
    for (const path of [`/details/doctor/${row!.id}`, `/hospital/${row!.hospital}`])
      expect(await get(path), path).toContain("Demo number: it does not connect.");
  });
});

describe("the page of a doctor", () => {
  it("has the facts, and two free times of each of the next three days, which lead into the booking", async () => {
    const day = dayFromNow(2);
    const doctor = await makeDoctor(server.db, { name: "Dr. Next Times" });
    await server.sql`update doctors set experience_years = 14, languages = '{Telugu,Hindi}' where id = ${doctor.id}`;
    const bare = await get(`/details/doctor/${doctor.id}`);
    expect(readable(bare)).toContain("No free slots in the coming days");
    expect(bare).not.toContain("/patient/appointments/patient-detail");
    await addSlots(
      server.db,
      doctor.id,
      [0, 1, 2, 3].flatMap((days) => ["10:00", "10:30", "11:00"].map((time) => ({ date: addDays(day, days), time }))),
    );
    const page = await get(`/details/doctor/${doctor.id}`);
    const shown = readable(page);
    for (const words of ["Registration checked by Nadi", "14 years", "Telugu, Hindi", "Times at the clinic", "All times"])
      expect(shown).toContain(words);
    const links = [...page.matchAll(/href="(\/patient\/appointments\/patient-detail[^"]+)"/g)].map(([, at]) =>
      at!.replaceAll("&amp;", "&"),
    );
    expect(links).toEqual(
      [0, 1, 2].flatMap((days) =>
        ["10:00", "10:30"].map(
          (time) => `/patient/appointments/patient-detail?${new URLSearchParams({ doctorId: doctor.id, date: addDays(day, days), time })}`,
        ),
      ),
    );
    const patient = await loginAs(server, { role: "patient", phone: newPhone() });
    const step = await patient.get(links[0]!);
    expect([step.status, readable(step.text).includes("10:00 AM")]).toEqual([200, true]);
    await server.sql`update doctors set registration_status = 'suspended' where id = ${doctor.id}`;
    const gone = await visitor.get(`/details/doctor/${doctor.id}`);
    expect([gone.status, gone.text.includes("patient-detail")]).toEqual([404, false]);
  });
});

describe("names in the reader's script", () => {
  it("show doctors, hospitals and cities in Telugu and Hindi, and fall back to the entered name", async () => {
    const { id, hospital } = (
      await server.sql<{ id: string; hospital: string }[]>`
        select d.id, hospital_id as hospital from doctors d join users u on u.id = d.id where u.email = ${DEMO.doctor.email}`
    )[0]!;
    for (const [language, name, house, city] of [
      ["te", "డా. అంజలి వేమూరి", "కృష్ణా హార్ట్ సెంటర్", "విజయవాడ"],
      ["hi", "डॉ. अंजलि वेमूरी", "कृष्णा हार्ट सेंटर", "विजयवाड़ा"],
      ["en", "Dr. Anjali Vemuri", "Krishna Heart Centre", "Vijayawada"],
    ] as const) {
      const doctor = readable(await get(`/details/doctor/${id}`, language));
      for (const words of [name, house, city]) expect(doctor, language).toContain(words);
      const page = readable(await get(`/hospital/${hospital}`, language));
      for (const words of [name, house, city]) expect(page, language).toContain(words);
    }
    const real = await makeDoctor(server.db, { name: "Dr. Only Latin" });
    expect(readable(await get(`/details/doctor/${real.id}`, "te"))).toContain("Dr. Only Latin");
  });
  it("are found in every script, whatever the language of the page", async () => {
    for (const language of ["en", "te"])
      for (const text of ["Anjali", "అంజలి", "अंजलि", "కృష్ణా హార్ట్", "Krishna Heart"])
        expect(await get(`/doctorspages/Cards-data?q=${encodeURIComponent(text)}`, language), `${language} ${text}`).toContain(
          "/faces/1/w01.svg",
        );
    for (const text of ["Vennela", "వెన్నెల", "वेन्नेला"])
      expect(await get(`/hospitalpages/Cards-data?q=${encodeURIComponent(text)}`), text).toContain("Vennela Diagnostics");
  });
  it("are dropped when the text that they translate changes", async () => {
    const doctor = await makeDoctor(server.db, { name: "Dr. Old Name" });
    const path = `/details/doctor/${doctor.id}`;
    await server.sql`
      update doctors set area = 'Patamata', translations = jsonb_build_object('te', jsonb_build_object('name', 'డా. ఘటోత్కచ'::text, 'area', 'పటమట'::text)) where id = ${doctor.id}`;
    expect(readable(await get(path, "te"))).toContain("డా. ఘటోత్కచ");
    await server.sql`update doctors set full_name = 'Dr. New Name' where id = ${doctor.id}`;
    const said = readable(await get(path, "te"));
    for (const words of ["Dr. New Name", "పటమట"]) expect(said).toContain(words);
    expect(said).not.toContain("ఘటోత్కచ");
    expect(await get(`/doctorspages/Cards-data?q=${encodeURIComponent("ఘటోత్కచ")}`)).not.toContain(doctor.id);
  });
  it("follow a change of the hospital's names in the search for its doctors", async () => {
    const [made] = await server.sql<{ id: string }[]>`
      insert into hospitals (name, category, address, city, state) values ('Renamed House', 'Clinic', '1 Road', 'Guntur', 'Andhra Pradesh') returning id`;
    const doctor = await makeDoctor(server.db, { name: "Dr. Inside" });
    await server.sql`update doctors set hospital_id = ${made!.id} where id = ${doctor.id}`;
    await server.sql`update hospitals set translations = jsonb_build_object('te', jsonb_build_object('name', 'సుగంధాలయం'::text)) where id = ${made!.id}`;
    expect(await get(`/doctorspages/Cards-data?q=${encodeURIComponent("సుగంధాలయం")}`)).toContain(doctor.id);
  });
});

describe("access to a hospital", () => {
  it("is shown when it is known, and only then", async () => {
    const [made] = await server.sql<{ id: string }[]>`
      insert into hospitals (name, category, address, city, state) values ('Quiet Clinic', 'Clinic', '1 Road', 'Guntur', 'Andhra Pradesh') returning id`;
    expect(readable(await get(`/hospital/${made!.id}`))).not.toContain("Facilities");
    await server.sql`update hospitals set access = '{ramp,lift}' where id = ${made!.id}`;
    expect(readable(await get(`/hospital/${made!.id}`))).toContain("Facilities Ramp at the entrance, Lift");
  });
});
