/** The public directory over HTTP: lists, hospitals, their doctors, and data for search engines. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readable } from "../factories/booking.ts";
import { dayFromNow, makeDoctor, newPhone } from "../factories/people.ts";
import { Browser } from "../setup/http.ts";
import { DEMO, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

let server: TestServer;
let browser: Browser;
let hospital = { id: "", name: "" };
let doctor = { id: "", name: "" };
let lonely = "";
const UNKNOWN = "00000000-0000-4000-8000-000000000000";
/** Without the top bar and the dialog of SOS, which have 108 and 112 on each page. */
const mainOf = (page: string) => page.slice(page.indexOf("<main"), page.indexOf("</main>"));
const text = async (path: string) => readable((await browser.get(path)).text);

beforeAll(async () => {
  server = await startServer();
  browser = new Browser(server.url);
  const { sql } = server;
  [hospital] = (await sql`
    select h.id, h.name from hospitals h join doctors d on d.hospital_id = h.id where d.registration_status = 'verified' and h.status = 'active' and h.category = 'Hospital'
    order by h.name limit 1`) as unknown as [typeof hospital];
  [doctor] = (await sql`
    select id, full_name as name from doctors where hospital_id = ${hospital.id} and registration_status = 'verified' order by full_name limit 1`) as unknown as [
    typeof doctor,
  ];
  const [row] = await sql`
    insert into hospitals (name, category, address, city, state) values ('Lonely Clinic', 'Clinic', '1 Road', 'Guntur', 'Andhra Pradesh') returning id`;
  lonely = row!.id;
});
afterAll(() => server?.stop());

describe("a doctor's contact card", () => {
  it("is a file for visitors and patients, in their language, linked on the page", async () => {
    const path = `/details/doctor/${doctor.id}/contact.vcf`;
    expect((await browser.get(`/details/doctor/${doctor.id}`)).text).toContain(path);
    const answer = await browser.get(path);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("text/vcard; charset=utf-8");
    expect(answer.headers.get("content-disposition")).toMatch(/^attachment; filename=.*\.vcf/);
    expect(answer.text).toMatch(new RegExp(`^BEGIN:VCARD\r\nVERSION:3.0\r\n[^]*FN:${doctor.name}\r\n`));
    expect(answer.text).toContain(hospital.name.replaceAll(",", "\\,"));
    const patient = await loginAs(server, DEMO.patient);
    patient.cookies.set("lang", "te");
    expect((await patient.get(path)).status).toBe(200);
  });
  it("has no card for doctors who are not listed", async () => {
    const suspended = await makeDoctor(server.db, { status: "suspended" });
    for (const id of [suspended.id, UNKNOWN, "nonsense"]) {
      const answer = await browser.get(`/details/doctor/${id}/contact.vcf`);
      expect(answer.status, id).toBe(404);
      expect(answer.text).not.toContain("VCARD");
    }
  });
});

describe("a patient's enquiry", () => {
  const ask = async (symptoms: string) => {
    const patient = await loginAs(server, DEMO.patient);
    return patient.post("/patient/appointments/Query", { symptoms, started: "yesterday", medications: "none" });
  };
  it.each([
    ["toothache since Monday", "/patient-dashboard?category=Dentistry"],
    ["labs for my mother", "/patient-dashboard?category=Laboratory"],
    ["for my children", "/patient-dashboard?category=General"],
    ["skin rash", "/doctorspages/Cards-data?specialty=Dermatologist&sort=distance"],
    ["I am pregnant", "/doctorspages/Cards-data?specialty=Gynecologist&sort=distance"],
    ["my kid has a cold", "/patient-dashboard?category=General"],
    ["కళ్ళు ఎర్రగా ఉన్నాయి", "/doctorspages/Cards-data?specialty=Ophthalmologist&sort=distance"],
    ["itching skin", "/doctorspages/Cards-data?specialty=Dermatologist&sort=distance"],
    // The table of the specification has priority.
    ["skin and chest", "/patient-dashboard?category=Cardiology"],
  ])("leads %j to %s", async (symptoms, path) => expect((await ask(symptoms)).location).toBe(path));
  it.each([
    ["chest pain", "Cardiology", "/patient-dashboard?category=Cardiology", "Cardiology Doctors"],
    [
      "my skin is itching and I cannot breathe",
      "Dermatologist",
      "/doctorspages/Cards-data?specialty=Dermatologist&sort=distance",
      "Dermatologist Doctors",
    ],
    ["cannot breathe", "other", "/doctorspages/Cards-data", "All Doctors"],
  ])("leads %j to SOS, which shows the reason and links the doctors", async (symptoms, enquiry, path, words) => {
    const patient = await loginAs(server, DEMO.patient);
    const answer = await patient.post("/patient/appointments/Query", { symptoms, started: "now", medications: "none" });
    expect(answer.location).toBe(`/patient/emergency-contact?enquiry=${enquiry}`);
    // Not a toast: a reload shows it again.
    for (let i = 0; i < 2; i++) {
      const page = await patient.get(answer.location!);
      expect(readable(page.text)).toContain("This may be an emergency. Call 108 now. Not an emergency? See:");
      expect(page.text.replaceAll("&amp;", "&")).toContain(`href="${path}"`);
      expect(readable(page.text)).toContain(words);
    }
    const strange = await patient.get("/patient/emergency-contact?enquiry=%3Cscript%3E");
    expect([strange.status, strange.text.includes("<script>E")]).toEqual([200, false]);
    expect(readable((await patient.get("/patient/emergency-contact")).text)).not.toContain("This may be an emergency");
  });
  it("offers specialties, a general physician and the assistant for unknown words, which are kept and no error", async () => {
    const none = await ask("my elbow tingles");
    expect([none.status, readable(none.text).includes("No matching category found")]).toEqual([400, true]);
    const page = none.text.replaceAll("&amp;", "&");
    for (const path of [
      "/doctorspages/Cards-data?specialty=Dermatologist&sort=distance",
      "/patient-dashboard?category=General",
      "/patient/ai-chat",
    ])
      expect(page).toContain(`href="${path}"`);
    const field = /<textarea[^>]*name="symptoms"[^>]*>([^<]*)</.exec(page)!;
    expect([field[1]!.trim(), field[0].includes('aria-invalid="true"')]).toEqual(["my elbow tingles", false]);
  });
  it("shows a message when a city has none of a category, and lists those further away under their own heading", async () => {
    const patient = await loginAs(server, { role: "patient", phone: newPhone() });
    const [city] = await server.sql<{ id: number }[]>`select id from cities where name = 'Tirupati' order by rank desc limit 1`;
    await patient.post("/location/cities", { intent: "city", city: String(city!.id) });
    const dashboard = readable((await patient.get("/patient-dashboard")).text);
    expect(dashboard).toMatch(/Nearby Doctors See all No doctors found in Tirupati or within 50 km\. Further away .* km/);
    expect(dashboard).toMatch(/Nearby Hospitals .*No hospitals found in Tirupati or within 50 km\. Further away/);
    const category = readable((await patient.get("/patient-dashboard?category=Dentistry")).text);
    expect(category).toMatch(/No Dentistry providers found in Tirupati .*Further away .* km/);
    // Where doctors are near, no message is shown.
    const [home] = await server.sql<{ id: number }[]>`select id from cities where name = 'Vijayawada' order by rank desc limit 1`;
    await patient.post("/location/cities", { intent: "city", city: String(home!.id) });
    expect(readable((await patient.get("/patient-dashboard")).text)).not.toContain("Further away");
  });
  it("links a category's four doctors to the list of all", async () => {
    const patient = await loginAs(server, DEMO.patient);
    for (let i = 0; i < 5; i++) await makeDoctor(server.db, { specialization: "General Physician" });
    const page = await patient.get("/patient-dashboard?category=General");
    const count = Number(/(\d+) doctor\(s\)/.exec(readable(page.text))?.[1]);
    expect(count).toBeGreaterThan(4);
    expect(readable(page.text)).toContain(`See all ${count} doctors`);
    const link = /href="(\/doctorspages\/Cards-data\?category=[^"]*)"/.exec(page.text)?.[1]?.replaceAll("&amp;", "&") ?? "";
    const list = readable((await patient.get(link)).text);
    expect(list).toContain("General Doctors");
    expect(list).toMatch(new RegExp(`Doctors found: ${count}\\b`));
  });
});

describe("a hospital's page", () => {
  it("shows its address and contacts, and lists its doctors", async () => {
    const page = await browser.get(`/hospital/${hospital.id}`);
    expect(page.status).toBe(200);
    const shown = readable(page.text);
    for (const words of [hospital.name, doctor.name, "Address", "Email", "Contact", "Call", "Directions", "About", "Map", "Doctors"])
      expect(shown).toContain(words);
    expect(page.text).toContain("https://www.google.com/maps/dir/?api=1&amp;destination=");
    expect(page.text).toContain("https://www.openstreetmap.org/?mlat=");
    expect(page.text).toMatch(/href="tel:\+91\d{10}"/);
    expect(await text(`/hospital/${lonely}`)).toContain("No doctors listed for this hospital.");
  });
  it("links to a page with all its doctors", async () => {
    const shown = await text(`/hospital/${hospital.id}/doctors`);
    for (const words of [`Doctors at ${hospital.name}`, doctor.name, "Specialties", "Address", "Opening hours", "Contact", "Doctors"])
      expect(shown).toContain(words);
    expect(shown).toMatch(/, \d+ years/);
    expect(await text(`/hospital/${lonely}/doctors`)).toContain("No Doctors Available");
  });
  it("is not found for wrong ids, and before it is confirmed", async () => {
    const [pending] = await server.sql`
      insert into hospitals (name, category, address, city, state, status) values ('Secret', 'Hospital', 'x', 'y', 'z', 'pending') returning id`;
    for (const id of [UNKNOWN, pending!.id, "1", "nonsense", "%27%20or%201=1", "x".repeat(2000)]) {
      for (const [path, sentence] of [
        [`/hospital/${id}`, "Hospital not found"],
        [`/hospital/${id}/doctors`, "Hospital Not Found"],
        [`/details/${id}`, "Item not found."],
        [`/details/hospital/${id}`, "Item not found."],
        [`/details/doctor/${id}`, "Doctor not found"],
      ] as const) {
        const page = await browser.get(path);
        expect(page.status, path).toBe(404);
        expect(readable(page.text), path).toContain(sentence);
      }
    }
  });
  it("of a merged hospital redirects to the other", async () => {
    const [merged] = await server.sql`
      insert into hospitals (name, category, address, city, state, status, merged_into)
      values ('Old', 'Hospital', 'x', 'y', 'z', 'merged', ${hospital.id}) returning id`;
    for (const rest of ["", "/doctors"]) {
      const page = await browser.get(`/hospital/${merged!.id}${rest}`);
      expect([page.status, page.location]).toEqual([301, `/hospital/${hospital.id}${rest}`]);
    }
  });
  it("the details address redirects to the page", async () => {
    for (const [path, to] of [
      [`/details/${doctor.id}`, `/details/doctor/${doctor.id}`],
      [`/details/${hospital.id}`, `/hospital/${hospital.id}`],
      [`/details/hospital/${hospital.id}`, `/hospital/${hospital.id}`],
    ] as const) {
      const answer = await browser.get(path);
      expect([answer.status, answer.location]).toEqual([301, to]);
    }
    for (const path of [`/details/doctor/${hospital.id}`, `/details/hospital/${doctor.id}`, `/details/nurse/${doctor.id}`])
      expect((await browser.get(path)).status, path).toBe(404);
  });
});

describe("a doctor's page (spec 001 §2.7)", () => {
  it("has a head, three tiles, About me, contact, the fee and Book Now", async () => {
    const { sql } = server;
    await sql`update doctors set additional_specializations = 'Heart failure, Echo', consultation_fee = 65000 where id = ${doctor.id}`;
    const page = await browser.get(`/details/doctor/${doctor.id}?x=1`);
    const shown = readable(page.text);
    for (const words of [
      doctor.name,
      "Hospital Available",
      "Experience",
      "Status",
      "Verified",
      "About me",
      "Heart failure, Echo",
      "Contact",
      hospital.name,
    ])
      expect(shown).toContain(words);
    expect(shown).toContain("₹650");
    expect(shown).toContain("City");
    expect(page.text).toMatch(/href="tel:\+91\d{10}"/);
    expect(page.text).toContain(`href="/patient/appointments/datetime?doctorId=${doctor.id}"`);
    expect(shown).toContain("Book Now");
    expect(page.text).toContain(`aria-label="Favourite: ${doctor.name}"`);
  });
  it("shows what is missing: no hospital, no details, no fee", async () => {
    const bare = await makeDoctor(server.db, { name: "Dr. Bare", fee: null });
    const shown = await text(`/details/doctor/${bare.id}`);
    for (const words of ["Hospital N/A", "No additional details provided.", "Not mentioned", "Book Now"]) expect(shown).toContain(words);
  });
});

describe("the first page of visitors", () => {
  const visitor = () => new Browser(server.url);

  it("offers search, words, the nearest doctors with three times each, categories and the login, and no heart", async () => {
    const { status, text } = await visitor().get("/find-a-doctor");
    expect(status).toBe(200);
    expect(text).toMatch(/<form role="search" class="[^"]*" action="\/doctorspages\/Cards-data"/);
    expect(text).toContain('href="/doctorspages/Cards-data?q=Fever"');
    expect(text).toContain('href="/doctorspages/Cards-data?category=Dentistry"');
    expect(text).toContain('href="/dual-patient?redirectTo=%2Ffind-a-doctor"');
    expect(text).not.toContain("Save as favourite");
    const cards = text.split('class="card doc').slice(1);
    expect(cards).toHaveLength(4);
    for (const card of cards) expect(card.match(/href="\/patient\/appointments\/patient-detail\?/g)).toHaveLength(3);
  });

  it("is linked from the splash, the choice of a role, the login and Home of every page", async () => {
    for (const path of ["/", "/choose-role", "/dual-patient", "/doctorspages/Cards-data", "/hospitalpages/Cards-data", "/patient/help"]) {
      const { text } = await visitor().get(path);
      expect(text, path).toContain('href="/find-a-doctor"');
      // Its login is no wall before search.
      expect(text, path).not.toContain('href="/patient-dashboard"');
      if (path.length > 20) expect(text, path).toContain(`href="/dual-patient?redirectTo=${encodeURIComponent(path)}"`);
    }
  });

  it("shows patients their dashboard, which has no login", async () => {
    const patient = await loginAs(server, { role: "patient", phone: newPhone() });
    expect((await patient.get("/find-a-doctor")).location).toBe("/patient-dashboard");
    expect((await patient.get("/hospitalpages/Cards-data")).text).not.toContain("/dual-patient");
  });

  it("allows the script of the search on a page without scripts", async () => {
    const patient = await loginAs(server, { role: "patient", phone: newPhone() });
    patient.cookies.set("lite", "1");
    const page = await patient.get("/patient-dashboard");
    const [, script] = /<script src="([^"]+)"/.exec(page.text)!;
    expect(page.headers.get("content-security-policy")).toMatch(new RegExp(`script-src [^;]*${script}[;]`));
  });

  it("suggests doctors, a specialty, an illness, a hospital and an area in three languages, in at most 2 KB", async () => {
    const ask = async (q: string, language = "en") => {
      const browser = visitor();
      browser.cookies.set("lang", language);
      const answer = await browser.get(`/find-a-doctor/suggestions?${new URLSearchParams({ q })}`);
      expect(answer.status).toBe(200);
      expect(Buffer.byteLength(answer.text), q).toBeLessThanOrEqual(2048);
      const { found, danger } = JSON.parse(answer.text) as {
        found: { kind: string; name: string; about: string; to: string }[];
        danger?: object;
      };
      expect(found.length).toBeLessThanOrEqual(6);
      const kinds = found.map(({ kind }) => kind);
      const order = ["doctor", "specialty", "illness", "hospital", "area"];
      expect(kinds).toEqual(kinds.toSorted((a, b) => order.indexOf(a) - order.indexOf(b)));
      return { names: found.map(({ kind, name }) => `${kind}: ${name}`), found, danger };
    };
    expect((await ask("v")).found).toEqual([]);
    expect((await ask("card")).names).toContain("specialty: Heart doctor (Cardiologist)");
    expect((await ask("heart")).names).toContain("specialty: Heart doctor (Cardiologist)");
    expect((await ask("గుండె", "te")).names).toContain("specialty: గుండె డాక్టర్");
    expect((await ask("fever")).names).toContain("illness: fever");
    expect((await ask("labbi")).names).toContain("area: Labbipet");
    expect((await ask("anjali")).names).toContain("doctor: Dr. Anjali Vemuri");
    expect((await ask(hospital.name.slice(0, 8))).names.some((name) => name.startsWith("hospital: "))).toBe(true);
    expect((await ask("జ్వరం", "te")).names).toContain("illness: జ్వరం");
    expect((await ask("बुखार", "hi")).names).toContain("illness: बुखार");
    expect((await ask("chest pain")).danger).toBeTruthy();
    await server.sql`
      insert into hospitals (name, category, address, city, state)
      values ('Lambaddress Clinic', 'Clinic', ${"గుంటూరు ".repeat(30).trim()}, 'Guntur', 'Andhra Pradesh')`;
    const long = (await ask("lambaddress")).found.find(({ name }) => name === "Lambaddress Clinic");
    expect(long!.about).toHaveLength(80);
    await server.sql`delete from hospitals where name = 'Lambaddress Clinic'`;
    for (const { to } of (await ask("card")).found) expect((await visitor().get(to)).status, to).toBe(200);
  });

  it("offers times of several days on a doctor's page", async () => {
    const days = [3, 4, 6].map((n) => dayFromNow(n));
    const slots = days.flatMap((date) => ["09:00", "10:00", "11:00"].map((time) => ({ date, time })));
    const { id } = await makeDoctor(server.db, { slots });
    const { text } = await visitor().get(`/details/doctor/${id}`);
    const offered = [...text.matchAll(/datetime="([^"]*)\+05:30"/gi)].map(([, at]) => at);
    expect(offered).toEqual(days.flatMap((date) => [`${date}T09:00`, `${date}T10:00`]));
  });
});

describe("the lists", () => {
  it("doctors: has a chip for each specialty in the order of the specification, and both directions of each sort order", async () => {
    const page = (await browser.get("/doctorspages/Cards-data?x=1")).text;
    const chips = /<nav[^>]*aria-label="Specialties"[^>]*>([\s\S]*?)<\/nav>/.exec(page)![1]!;
    const names = [...chips.matchAll(/<a\b[^>]*>([^<]+)<\/a>/g)].map(([, name]) => name);
    expect(names.join(", ")).toBe(
      "All, Cardiologist, Dermatologist, Pediatrician, Neurologist, Orthopedic, Psychiatrist, Gynecologist, Urologist, Endocrinologist, Oncologist, Dentist, Ophthalmologist, ENT Specialist, Pulmonologist, Rheumatologist, Gastroenterologist, Hematologist, Nephrologist",
    );
    for (const at of ["/doctorspages/Cards-data?x=1", "/hospitalpages/Cards-data?x=1"]) {
      const list = (await browser.get(at)).text;
      const select = /<select[^>]*name="sort"[^>]*>([\s\S]*?)<\/select>/.exec(list)![1]!;
      const values = [...select.matchAll(/<option value="([^"]+)"/g)].map(([, value]) => value!);
      const orders = values.filter((value) => !value.endsWith("-reversed"));
      expect(orders.length).toBeGreaterThanOrEqual(6);
      // No two of them are called the same.
      const called = [...select.matchAll(/<option value="[^"]+"[^>]*>([^<]+)</g)].map(([, words]) => words);
      expect(new Set(called).size).toBe(called.length);
      // "Soonest available" has one direction.
      expect(values).toEqual(orders.flatMap((order) => (order === "soonest" ? [order] : [order, `${order}-reversed`])));
      expect(list).toContain('aria-label="Favourite: ');
    }
    const first = async (query: string) =>
      /<h3[^>]*>(?:<[^>]*>)*([^<]+)</.exec((await browser.get(`/doctorspages/Cards-data?${query}`)).text)![1];
    expect(await first("sort=default")).not.toBe(await first("sort=default-reversed"));
  });
  it("hospital card: has name, address, phone, rating, two specialties and the number of others", async () => {
    const { sql } = server;
    await sql`update hospitals set specialties = '{Cardiology,Dentistry,General,Neurology}', address = '7 Card Road', phone = '+918660000007' where id = ${lonely}`;
    await sql`select pg_notify('nadi_pages', '')`;
    const shown = await text("/hospitalpages/Cards-data?q=lonely");
    for (const words of ["Lonely Clinic", "7 Card Road", "New", "Cardiology, Dentistry +2 more", "View Details"])
      expect(shown).toContain(words);
    expect(shown).not.toContain("Neurology");
    const page = (await browser.get("/hospitalpages/Cards-data?q=lonely")).text;
    expect(page).toContain(`href="/hospital/${lonely}"`);
    await sql`update hospitals set rating_sum = 9, rating_count = 2 where id = ${lonely}`;
    const rated = (await browser.get("/hospitalpages/Cards-data?q=lonely&x=2")).text;
    expect(readable(rated)).toContain("4.5 out of 5 stars 2 reviews");
  });
  it("hospitals: filters, sorts in both directions and clears the filters", async () => {
    const list = async (query: string) => {
      const page = (await browser.get(`/hospitalpages/Cards-data?${query}`)).text;
      const chips = /<nav[^>]*aria-label="Doctors at the hospital"[^>]*>([\s\S]*?)<\/nav>/.exec(page)![1]!;
      return {
        page,
        chips: [...chips.matchAll(/<a\b[^>]*>([^<]+)<\/a>/g)].map(([, name]) => name),
        shown: /<h3[^>]*>(?:<[^>]*>)*([^<]+)</.exec(page)?.[1],
      };
    };
    const all = await list("x=3");
    expect(all.chips).toEqual(["All", "Available Doctors", "No Doctors"]);
    expect((await list("sort=doctors")).shown).not.toBe((await list("sort=doctors-reversed")).shown);
    const none = await list("q=xyzzyplugh&doctors=none&sort=doctors");
    expect(none.shown).toBeUndefined();
    expect(none.page).toMatch(/<a[^>]*href="\/hospitalpages\/Cards-data"[^>]*>Reset Filters/);
  });
  it("hospitals: Open now, Emergency and Near can be switched on together", async () => {
    const on = (page: string) => [...page.matchAll(/<a\b[^>]*aria-current="true"[^>]*>([^<]+)<\/a>/g)].map(([, word]) => word);
    const page = (await browser.get("/hospitalpages/Cards-data?doctors=available&emergency=1&nearby=1")).text.replaceAll("&amp;", "&");
    expect(on(page)).toEqual(["Emergency", "Near you", "Available Doctors"]);
    expect(page).toContain('href="/hospitalpages/Cards-data?doctors=available&nearby=1"');
    expect(page).toContain('href="/hospitalpages/Cards-data?doctors=available&open=1&emergency=1&nearby=1"');
    expect(readable(page)).toContain("Within 50 km");
    expect(readable(page)).not.toContain("Further away");
    expect((await browser.get("/hospitalpages/Cards-data?open=1&x=4")).status).toBe(200);
  });
  it("the dashboard works when hospitals cannot be read", async () => {
    const patient = await loginAs(server, DEMO.patient);
    expect(readable((await patient.get("/patient-dashboard")).text)).toContain("Nearby Hospitals");
    await server.sql`alter table hospitals rename column specialties to specialties_away`;
    try {
      const page = await patient.get("/patient-dashboard");
      expect(page.status).toBe(200);
      expect(readable(page.text)).toContain("Nearby Doctors");
      expect(readable(page.text)).not.toContain("Nearby Hospitals");
    } finally {
      await server.sql`alter table hospitals rename column specialties_away to specialties`;
    }
  });
  it("hospitals: shows counts, search, filters and an empty state with a link", async () => {
    const all = await text("/hospitalpages/Cards-data");
    for (const words of ["All Hospitals", "With doctors", "Available Doctors", "No Doctors", "View Details", "New", "more"])
      expect(all).toContain(words);
    for (const sort of ["Default", "Name", "Distance", "Review", "Doctors", "Liked"])
      expect((await browser.get("/hospitalpages/Cards-data")).text).toContain(`<optgroup label="${sort}">`);
    const none = await text("/hospitalpages/Cards-data?q=xyzzyplugh");
    for (const words of ["No hospitals found", "We couldn't find any hospitals at the moment.", "Reset Filters"])
      expect(none.replaceAll("’", "'")).toContain(words);
    expect(await text("/hospitalpages/Cards-data?doctors=none&show=64")).toContain("Lonely Clinic");
    expect(await text("/hospitalpages/Cards-data?doctors=available")).not.toContain("Lonely Clinic");
    expect(await text("/hospitalpages/Cards-data?q=vijaywada")).toContain("Showing similar results.");
  });
  it("doctors: sorts, corrects typing errors, and has an empty state with a link", async () => {
    const page = (await browser.get("/doctorspages/Cards-data")).text;
    for (const sort of ["Default", "Distance", "Review", "Liked"]) expect(page).toContain(`<optgroup label="${sort}">`);
    const none = await text("/doctorspages/Cards-data?q=xyzzyplugh");
    for (const words of ["No doctors found", "No results found.", "Reset Filters"]) expect(none).toContain(words);
    expect(await text("/doctorspages/Cards-data?q=cardiolgist")).toContain("No exact match for “cardiolgist”. Showing similar results.");
    expect(await text(`/doctorspages/Cards-data?q=${encodeURIComponent(hospital.name)}`)).toContain(doctor.name);
  });
  it("loads more in place, and links to the next page after the maximum", async () => {
    await Promise.all(Array.from({ length: 70 }, (_, i) => makeDoctor(server.db, { name: `Dr. Zzpaging ${String(i).padStart(2, "0")}` })));
    const page = (await browser.get("/doctorspages/Cards-data?q=zzpaging")).text;
    expect(readable(page)).toContain("Showing 1 to 8 of 70");
    expect(page).toContain('href="/doctorspages/Cards-data?q=zzpaging&amp;show=16#n9"');
    const more = (await browser.get("/doctorspages/Cards-data?q=zzpaging&show=16")).text;
    expect(more).toContain('id="n9"');
    expect(readable(more)).toContain("Zzpaging 15");
    expect((await browser.get("/doctorspages/Cards-data?q=zzpaging&show=64")).text).toContain("?q=zzpaging&amp;from=64");
    const last = await text("/doctorspages/Cards-data?q=zzpaging&from=64");
    expect(last).toContain("Showing 65 to 70 of 70");
    expect(last).toContain("Previous page");
    expect(last).not.toContain("Load More");
  });
  it("doctors: lists the nearest first, and those further away than 50 km under their own heading", async () => {
    const patient = await loginAs(server, { role: "patient", phone: newPhone() });
    const said = readable((await patient.get("/doctorspages/Cards-data")).text);
    expect(said).toMatch(/Within 50 km (?!.*Further away.*Within)/);
    expect(said.indexOf("Within 50 km")).toBeGreaterThan(0);
    const urdu = "/doctorspages/Cards-data?language=Urdu";
    expect(readable((await patient.get(urdu)).text)).toMatch(/Within 50 km .*Further away/);
    for (const sort of ["distance", "soonest"])
      expect(readable((await patient.get(`${urdu}&sort=${sort}`)).text)).toContain("Further away");
    for (const sort of ["fee", "review", "name", "default-reversed"])
      expect(readable((await patient.get(`${urdu}&sort=${sort}`)).text)).not.toContain("Further away");
  });
  it("says that distances are from the centre of the city, unless the position is known", async () => {
    const CENTRE = "Distances are from the centre of Vijayawada.";
    const at = { intent: "position", latitude: "16.5062", longitude: "80.648", accuracy: "20", stay: "1" };
    const patient = await loginAs(server, { role: "patient", phone: newPhone() });
    for (const who of [new Browser(server.url), patient]) {
      const lists = () =>
        Promise.all(["/doctorspages/Cards-data", "/hospitalpages/Cards-data"].map(async (path) => readable((await who.get(path)).text)));
      for (const list of await lists()) expect(list).toContain(CENTRE);
      await who.post("/location/cities", at);
      for (const list of await lists()) expect(list).not.toContain("Distances are from");
    }
    expect(await text("/doctorspages/Cards-data?q=zzzzqqqq")).not.toContain(CENTRE);
  });
  it("doctors: filters work as a plain form, and each one in use can be removed alone or with all", async () => {
    const path = "/doctorspages/Cards-data?q=dr&day=&fee=800&gender=female&language=Telugu&sort=default";
    const page = (await browser.get(path)).text.replaceAll("&amp;", "&");
    const said = readable(page);
    expect(said).toContain("Filters 3");
    const links = page.match(/<a\b[^>]*>/g) ?? [];
    for (const [word, rest] of [
      ["Up to ₹800", "gender=female&language=Telugu"],
      ["Woman", "fee=800&language=Telugu"],
      ["Telugu", "fee=800&gender=female"],
    ])
      expect(links.find((tag) => tag.includes(`aria-label="Remove filter: ${word}"`))).toContain(
        `href="/doctorspages/Cards-data?q=dr&${rest}"`,
      );
    expect(page).toMatch(/href="\/doctorspages\/Cards-data\?q=dr"[^>]*>Clear all filters/);
    const fees = page.match(/<input[^>]*name="fee"[^>]*>/g) ?? [];
    expect(fees.filter((tag) => tag.includes("checked")).map((tag) => /value="(\d*)"/.exec(tag)?.[1])).toEqual(["800"]);
    // A chip keeps the filters, and unknown values filter nothing.
    expect(page).toContain('href="/doctorspages/Cards-data?q=dr&specialty=Dentist&fee=800&gender=female&language=Telugu"');
    expect(readable((await browser.get("/doctorspages/Cards-data?day=never&fee=-1&gender=x&language=%27&within=1e9")).text)).not.toContain(
      "Filters 1",
    );
    const counts = async (query: string) => Number(/Doctors found: (\d+)/.exec(await text(`/doctorspages/Cards-data?${query}`))?.[1]);
    expect(await counts("gender=female")).toBeLessThan(await counts("x=9"));
  });
  it("doctors: finds the doctors for an illness, and a search that fails inside a chip names the chip", async () => {
    expect(await text("/doctorspages/Cards-data?q=fever")).toContain("Doctors for “fever”: General Physician.");
    expect(await text(`/doctorspages/Cards-data?q=${encodeURIComponent("ఫీవర్")}`)).toContain("General Physician.");
    const none = (await browser.get("/doctorspages/Cards-data?q=suresh&specialty=Dentist&fee=800")).text.replaceAll("&amp;", "&");
    expect(readable(none)).toContain("No match for “suresh” in “Dentist”");
    expect(none).toMatch(/href="\/doctorspages\/Cards-data\?q=suresh&fee=800"[^>]*>Search all doctors/);
  });
  it.each([
    ["heart attack", "en", "This may be an emergency. Call 108 now.", "Not urgent? See the results below."],
    ["గుండెపోటు", "te", "ఇది అత్యవసరం కావచ్చు", "అత్యవసరం కాదా?"],
    ["दिल का दौरा", "hi", "108", "इमरजेंसी नहीं है?"],
    ["snake bite", "en", "This may be an emergency. Call 108 now.", "Not urgent?"],
  ])("shows 108 and 112 between the field and the results of a search for %j", async (typed, language, danger, below) => {
    const visitor = new Browser(server.url);
    visitor.cookies.set("lang", language);
    for (const path of ["/doctorspages/Cards-data", "/hospitalpages/Cards-data"]) {
      const main = mainOf((await visitor.get(`${path}?q=${encodeURIComponent(typed)}`)).text);
      const places = ['name="q"', 'role="alert"', 'href="tel:108"', 'href="tel:112"', 'href="tel:+91', "</form>", 'role="status"'].map(
        (part) => main.indexOf(part),
      );
      expect(places).not.toContain(-1);
      expect(places).toEqual(places.toSorted((a, b) => a - b));
      expect(readable(main)).toContain(danger);
      expect(readable(main)).toContain(below);
    }
  });
  it("doctors: finds cardiologists for a heart attack, and shows no alarm for harmless searches", async () => {
    const page = await text("/doctorspages/Cards-data?q=heart+attack");
    expect(page).toContain("Doctors for “heart attack”: Cardiologist.");
    expect(Number(/Doctors found: (\d+)/.exec(page)?.[1])).toBeGreaterThan(0);
    for (const typed of ["sugar tablet", "heart", "symptoms of stroke", "suresh"])
      for (const path of ["/doctorspages/Cards-data", "/hospitalpages/Cards-data"])
        expect(mainOf((await browser.get(`${path}?q=${encodeURIComponent(typed)}`)).text), typed).not.toContain('href="tel:112"');
    expect(Number(/Doctors found: (\d+)/.exec(await text("/doctorspages/Cards-data?q=sugar+tablet"))?.[1])).toBeGreaterThan(0);
  });
  it("doctors: General lists general physicians and pediatricians, and says so when the city has none", async () => {
    const patient = await loginAs(server, { role: "patient", phone: newPhone() });
    const general = readable((await patient.get("/doctorspages/Cards-data?category=General&show=64")).text);
    for (const words of ["General Doctors", "Pediatrician, "]) expect(general).toContain(words);
    for (const words of ["Gynecologist, ", "Urologist, ", "Dermatologist, "]) expect(general).not.toContain(words);
    const [city] = await server.sql<{ id: number }[]>`select id from cities where name = 'Tirupati' order by rank desc limit 1`;
    await patient.post("/location/cities", { intent: "city", city: String(city!.id) });
    expect(readable((await patient.get("/doctorspages/Cards-data?category=General")).text)).toContain(
      "No General providers found in Tirupati",
    );
    expect(readable((await patient.get("/doctorspages/Cards-data")).text)).toContain("No doctors found in Tirupati or within 50 km.");
  });
  it("any input leaves the page working", async () => {
    const hostile = ["%", "_", "\\", "'", '"', "';--", "<script>alert(1)</script>", "%00", "a".repeat(10_000), "😀", "రమేష్", "\u202e"];
    for (const path of ["/doctorspages/Cards-data", "/hospitalpages/Cards-data"])
      for (const typed of hostile)
        for (const rest of ["", "&sort=distance-reversed&from=99999&show=-1&specialty=x&doctors=y"]) {
          const query = typed === "%00" ? typed : encodeURIComponent(typed);
          const answer = await browser.get(`${path}?q=${query}${rest}`);
          // NUL and very long lines may be refused before they are read.
          expect(typed === "%00" ? [400] : typed.length > 5000 ? [200, 414, 431] : [200], `${path} ${typed.slice(0, 20)}`).toContain(
            answer.status,
          );
          expect(answer.text).not.toContain("<script>alert");
        }
  });
});

describe("for search engines", () => {
  const ldOf = (page: string) => JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page)?.[1] ?? "null");

  it("describes a doctor and a hospital, also on the cached page", async () => {
    await server.sql`update doctors set about = ${'</script><script>alert("x")</script>'} where id = ${doctor.id}`;
    await server.sql`select pg_notify('nadi_pages', '')`;
    for (const [path, type] of [
      [`/details/doctor/${doctor.id}`, "Physician"],
      [`/hospital/${hospital.id}`, "Hospital"],
    ] as const) {
      await browser.get(path);
      const { text: page, headers } = await browser.get(path);
      // The data, and the script of SOS.
      expect(page.match(/<\/script>/g)?.length, path).toBe(2);
      expect(ldOf(page)).toMatchObject({ "@context": "https://schema.org", "@type": type, url: expect.stringContaining(path) });
      expect(page).toContain(`<link rel="canonical" href="${server.url}${path}"`);
      for (const name of ["og:title", "og:description", "og:type", "og:url"]) expect(page).toContain(`property="${name}"`);
      expect(page).toMatch(/<meta name="description" content="[^"]{20,}"/);
      expect(headers.get("content-security-policy")).toMatch(/script-src 'sha256-[^']+';/);
    }
    expect(ldOf((await browser.get(`/details/doctor/${doctor.id}`)).text).description).toBe('</script><script>alert("x")</script>');
  });
  it("a search is not cached", async () => {
    expect((await browser.get("/doctorspages/Cards-data?q=rao")).text).toContain('content="noindex, follow"');
    expect((await browser.get("/doctorspages/Cards-data?specialty=Dentist&sort=fee")).text).toContain(
      `rel="canonical" href="${server.url}/doctorspages/Cards-data?specialty=Dentist"`,
    );
  });
  it("the sitemap lists public pages only", async () => {
    const robots = (await browser.get("/robots.txt")).text;
    expect(robots).toContain(`Sitemap: ${server.url}/sitemap.xml`);
    expect(robots).toContain("Disallow: /files/");
    const index = await browser.get("/sitemap.xml");
    expect(index.headers.get("content-type")).toContain("application/xml");
    expect(index.text).toMatch(/<lastmod>\d{4}-\d{2}-\d{2}T[\d:.]+Z<\/lastmod>/);
    const files = [...index.text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, at]) => new URL(at!).pathname);
    expect(files).toEqual(["/sitemaps/pages.xml", "/sitemaps/doctors-1.xml", "/sitemaps/hospitals-1.xml"]);
    const pages = (await Promise.all(files.map((file) => browser.get(file)))).flatMap(({ text: xml }) =>
      [...xml.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, at]) => at!),
    );
    expect(pages).toContain(`${server.url}/details/doctor/${doctor.id}`);
    expect(pages).toContain(`${server.url}/hospital/${lonely}`);
    expect(pages).toContain(`${server.url}/hospital/${lonely}?lang=te`);
    for (const path of [
      "/patient/emergency-contact",
      "/patient/help?lang=hi",
      "/patient/terms",
      "/patient/contact-us",
      "/choose-role?lang=te",
    ])
      expect(pages).toContain(server.url + path);
    const hidden =
      await server.sql`select id from doctors where registration_status <> 'verified' union all select id from hospitals where status <> 'active'`;
    for (const { id } of hidden) expect(pages.join()).not.toContain(id);
    for (const name of ["doctors-2.xml", "doctors-0.xml", "nurses-1.xml", "x"])
      expect((await browser.get(`/sitemaps/${name}`)).status).toBe(404);
  });
});

describe("Google's map", () => {
  it("is allowed with a key, on the page of a hospital with JavaScript, and nowhere else", async () => {
    const policyOf = async (at: TestServer, path: string) => {
      const patient = await loginAs(at, DEMO.patient);
      return (await patient.get(path)).headers.get("content-security-policy") ?? "";
    };
    expect(await policyOf(server, `/hospital/${hospital.id}`)).not.toContain("google");
    const withKey = await startServer({ env: { GOOGLE_MAPS_BROWSER_KEY: "browser-key" } });
    try {
      const policy = await policyOf(withKey, `/hospital/${hospital.id}`);
      expect(policy).toMatch(/img-src [^;]*https:\/\/\*\.gstatic\.com/);
      expect(policy).toMatch(/connect-src [^;]*https:\/\/\*\.googleapis\.com/);
      expect(policy).toMatch(/style-src [^;]*'nonce-[^;]*https:\/\/fonts\.googleapis\.com/);
      expect(await policyOf(withKey, "/hospitalpages/Cards-data")).not.toContain("google");
      const visitor = await new Browser(withKey.url).get(`/hospital/${hospital.id}`);
      expect(visitor.headers.get("content-security-policy")).not.toContain("google");
    } finally {
      await withKey.stop();
    }
  });
});
