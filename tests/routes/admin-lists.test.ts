/** The admin lists: the total, the redirect from a page behind the end, search over all statuses, sorting. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hashToken, randomToken } from "#app/lib/ids.server.ts";
import { readable } from "../factories/booking.ts";
import { makeAdmin, makeHospital, makeReviewer } from "../factories/cases.ts";
import { dayFromNow, makeDoctor, makePatient, makeVisit } from "../factories/people.ts";
import { type LoggedIn, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

let server: TestServer;
let admin: LoggedIn;
beforeAll(async () => {
  server = await startServer({ seed: false });
  admin = await loginAs(server, await makeAdmin(server.db));
  for (let i = 0; i < 22; i++) await makeDoctor(server.db, { name: `Dr. Row ${String(i).padStart(2, "0")}` });
  await makeDoctor(server.db, { name: "Dr. Row Suspended", status: "suspended" });
  for (const status of ["active", "pending", "refused"] as const) await makeHospital(server.db, { name: `Listed House ${status}`, status });
});
afterAll(() => server?.stop());

const page = async (path: string) => readable((await admin.get(path)).text);

describe("doctors", () => {
  it("shows the range and the total", async () => {
    expect(await page("/admin/doctors?status=verified")).toContain("1–20 of 22");
    expect(await page("/admin/doctors?status=verified&page=2")).toContain("21–22 of 22");
    expect(await page("/admin/users?show=doctor")).toContain("1–20 of 23");
  });
  it("redirects a page behind the end to the last page", async () => {
    expect((await admin.get("/admin/doctors?status=verified&page=99")).location).toBe("/admin/doctors?status=verified&page=2");
    expect((await admin.get("/admin/users?show=admin&page=7")).location).toBe("/admin/users?show=admin");
    expect((await admin.get("/admin/hospitals?status=refused&page=3")).location).toBe("/admin/hospitals?status=refused");
  });
  it("searches all statuses unless one is chosen", async () => {
    const found = await page("/admin/doctors?q=Dr.+Row+Sus");
    expect(found).toContain("Dr. Row Suspended");
    expect(found).toContain("1–1 of 1");
    expect(await page("/admin/doctors?q=Dr.+Row+Sus&status=verified")).not.toContain("Dr. Row Suspended");
    const houses = await page("/admin/hospitals?q=Listed+House");
    for (const status of ["active", "pending", "refused"]) expect(houses).toContain(`Listed House ${status}`);
  });
  it("sorts users and hospitals", async () => {
    const order = async (path: string, names: string[]) => {
      const text = await page(path);
      const places = names.map((name) => text.indexOf(name));
      expect(places.every((place) => place >= 0)).toBe(true);
      return names.toSorted((a, b) => places[names.indexOf(a)]! - places[names.indexOf(b)]!);
    };
    const people = ["Dr. Sorted Zeta", "Dr. Sorted Alpha", "Dr. Sorted Mu"];
    for (const name of people) await makeDoctor(server.db, { name });
    const byName = ["Dr. Sorted Alpha", "Dr. Sorted Mu", "Dr. Sorted Zeta"];
    expect(await order("/admin/users?q=Dr.+Sorted", people)).toEqual(people.toReversed());
    expect(await order("/admin/users?q=Dr.+Sorted&sort=oldest", people)).toEqual(people);
    expect(await order("/admin/users?q=Dr.+Sorted&sort=name", people)).toEqual(byName);
    expect(await order("/admin/users?q=Dr.+Sorted&sort=nonsense", people)).toEqual(people.toReversed());

    const houses = ["Sorted House B", "Sorted House A", "Sorted House C"];
    const made = [];
    for (const [i, name] of houses.entries())
      made.push(
        await makeHospital(server.db, { name, city: ["Adoni", "Nellore", "Guntur"][i]!, createdAt: new Date(Date.now() - i * 60_000) }),
      );
    const doctor = await makeDoctor(server.db, { name: "Dr. Zone" });
    await server.sql`update doctors set hospital_id = ${made[2]!.id} where id = ${doctor.id}`;
    expect(await order("/admin/hospitals?q=Sorted+House", houses)).toEqual(houses.toSorted());
    expect(await order("/admin/hospitals?q=Sorted+House&sort=newest", houses)).toEqual(houses);
    expect(await order("/admin/hospitals?q=Sorted+House&sort=city", houses)).toEqual([
      "Sorted House B",
      "Sorted House C",
      "Sorted House A",
    ]);
    expect((await order("/admin/hospitals?q=Sorted+House&sort=doctors", houses))[0]).toBe("Sorted House C");
  });
  it("sorts by name", async () => {
    const names = [...(await admin.get("/admin/doctors?status=verified&sort=name")).text.matchAll(/>(Dr\. Row \d\d)</g)].map(
      ([, name]) => name,
    );
    expect(names).toHaveLength(20);
    expect(names).toEqual([...names].sort());
  });
});

/** Makes a doctor whose account was created on a day in India. */
async function makeListed(name: string, city: string, category: string, specialty: string, registered: string, status = "verified") {
  const { id } = await makeDoctor(server.db, { name });
  await server.sql`update doctors set city = ${city}, category = ${category}, primary_specialization = ${specialty}, registration_status = ${status} where id = ${id}`;
  await server.sql`update users set created_at = ${`${registered}T23:30:00+05:30`} where id = ${id}`;
}
/** Returns which of these names a page lists. */
const listed = async (path: string, names: string[]) => {
  const text = await page(path);
  return names.filter((name) => text.includes(name));
};

describe("filters of doctors", () => {
  const names = ["Dr. Filter Asha", "Dr. Filter Balu", "Dr. Filter Chitra"];
  const [asha, balu, chitra] = names as [string, string, string];
  beforeAll(async () => {
    await makeListed(asha, "Tenali", "Dentistry", "Dentist", "2026-03-10");
    await makeListed(balu, "tenali", "Cardiology", "Cardiologist", "2026-03-12");
    await makeListed(chitra, "Ongole", "Dentistry", "Orthodontist", "2026-03-14", "suspended");
  });
  it("filters by city, category and specialty over all statuses unless one is chosen", async () => {
    expect(await listed("/admin/doctors?city=Tenali", names)).toEqual([asha, balu]);
    expect(await listed("/admin/doctors?category=Dentistry", names)).toEqual([asha, chitra]);
    expect(await listed("/admin/doctors?category=Dentistry&status=verified", names)).toEqual([asha]);
    expect(await listed("/admin/doctors?specialty=Orthodontist", names)).toEqual([chitra]);
    expect(await listed("/admin/doctors?city=Tenali&q=Balu", names)).toEqual([balu]);
  });
  it("filters by the day of registration in India, both days included", async () => {
    expect(await listed("/admin/doctors?q=Dr.+Filter&from=2026-03-12", names)).toEqual([balu, chitra]);
    expect(await listed("/admin/doctors?q=Dr.+Filter&to=2026-03-12", names)).toEqual([asha, balu]);
    expect(await listed("/admin/doctors?from=2026-03-12&to=2026-03-12", names)).toEqual([balu]);
  });
  it("ignores values that are not valid", async () => {
    const invalid = "/admin/doctors?q=Dr.+Filter&category=Alchemy&from=2026-02-31&to=soon";
    expect(await listed(invalid, names)).toEqual(names);
  });
  it("counts and pages what is filtered, and leads a page behind the end to the last one", async () => {
    expect(await page("/admin/doctors?city=Tenali")).toContain("1–2 of 2");
    expect((await admin.get("/admin/doctors?city=Tenali&page=4")).location).toBe("/admin/doctors?city=Tenali");
  });
  it("sorts by city and by registration", async () => {
    const order = async (sort: string) => {
      const text = await page(`/admin/doctors?q=Dr.+Filter&sort=${sort}`);
      return names.toSorted((a, b) => text.indexOf(a) - text.indexOf(b));
    };
    expect(await order("city")).toEqual([chitra, asha, balu]);
    expect(await order("registered")).toEqual([chitra, balu, asha]);
  });
  it("preserves search, status, sorting and filters in the forms and links of the page", async () => {
    const { text } = await admin.get("/admin/doctors?q=Dr.+Filter&status=verified&sort=name&city=Tenali");
    const forms = [...text.matchAll(/<form[^>]*action="\/admin\/doctors"[^>]*>(.*?)<\/form>/gs)].map(([, form]) => form!);
    const [search, filters] = forms as [string, string];
    expect(search).toContain('name="city" value="Tenali"');
    for (const field of ['name="q" value="Dr. Filter"', 'name="status" value="verified"', 'name="sort" value="name"'])
      expect(filters).toContain(field);
    expect(filters).toMatch(/<option value="Tenali" selected/i);
    expect(text).toContain("/admin/doctors?q=Dr.+Filter&amp;status=suspended&amp;sort=name&amp;city=Tenali");
    expect(text).toContain('href="/admin/doctors?q=Dr.+Filter&amp;status=verified&amp;sort=name"');
  });
  it("shows how to go on when nothing matches, in each language", async () => {
    for (const [language, sentence] of [
      ["en", "No doctors found"],
      ["te", "ఏ డాక్టరూ దొరకలేదు"],
      ["hi", "कोई डॉक्टर नहीं मिला"],
    ] as const) {
      admin.cookies.set("lang", language);
      expect(await page("/admin/doctors?city=Nowhere")).toContain(sentence);
    }
    admin.cookies.delete("lang");
  });
});

describe("filters of hospitals", () => {
  const names = ["Filter House Amla", "Filter House Bel", "Filter House Champa"];
  const [amla, bel, champa] = names as [string, string, string];
  beforeAll(async () => {
    const made = async (name: string, city: string, category: "Clinic" | "Dental", day: string) =>
      makeHospital(server.db, { name, city, category, createdAt: new Date(`${day}T23:30:00+05:30`) });
    const first = await made(amla, "Machilipatnam", "Clinic", "2026-04-10");
    await made(bel, "Machilipatnam", "Dental", "2026-04-12");
    await made(champa, "Bhimavaram", "Dental", "2026-04-14");
    await makeReviewer(server.db, first);
  });
  it("filters by city, kind, reviewers and the day it was added", async () => {
    expect(await listed("/admin/hospitals?city=machilipatnam", names)).toEqual([amla, bel]);
    expect(await listed("/admin/hospitals?q=Filter+House&category=Dental", names)).toEqual([bel, champa]);
    expect(await listed("/admin/hospitals?q=Filter+House&reviewers=with", names)).toEqual([amla]);
    expect(await listed("/admin/hospitals?q=Filter+House&reviewers=without", names)).toEqual([bel, champa]);
    expect(await listed("/admin/hospitals?from=2026-04-12&to=2026-04-12", names)).toEqual([bel]);
    expect(await listed("/admin/hospitals?q=Filter+House&category=Castle&reviewers=maybe&from=x", names)).toEqual(names);
  });
  it("shows how to go on when nothing matches", async () => {
    expect(await page("/admin/hospitals?city=Nowhere")).toContain("No hospitals found");
  });
});

describe("profile changes and reviews", () => {
  it("show the range and the total, and redirect a page behind the end to the last page", async () => {
    const patient = await makePatient(server.db);
    for (let i = 0; i < 21; i++) {
      const doctor = await makeDoctor(server.db, { name: `Dr. Changing ${i}` });
      await server.sql`insert into profile_changes (doctor_id, field, before, after)
        values (${doctor.id}, 'name', '{"fullName":"Dr. Old"}', '{"fullName":"Dr. New"}')`;
      const visit = await makeVisit(server.db, { patient, doctor }, { status: "completed", date: dayFromNow(-1) });
      await server.sql`insert into reviews (appointment_id, patient_id, doctor_id, rating, status) values (${visit}, ${patient.id}, ${doctor.id}, 4, 'shown')`;
    }
    for (const [path, last] of [
      ["/admin/changes", "/admin/changes?page=2"],
      ["/admin/reviews?tab=all", "/admin/reviews?tab=all&page=2"],
    ] as const) {
      expect(await page(path)).toContain("1–20 of 21");
      expect(await page(last)).toContain("21–21 of 21");
      const beyond = `${path}${path.includes("?") ? "&" : "?"}page=9`;
      expect((await admin.get(beyond)).location).toBe(last);
    }
    expect((await admin.get("/admin/reviews?page=4")).location).toBe("/admin/reviews");
  });
});

it("shows the browser and the system of a session", async () => {
  const doctor = await makeDoctor(server.db);
  const agent = "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Mobile Safari/537.36";
  await server.sql`insert into sessions (token_hash, user_id, expires_at, user_agent)
    values (${hashToken(randomToken())}, ${doctor.id}, now() + interval '1 day', ${agent})`;
  const text = await page(`/admin/users/${doctor.id}`);
  expect(text).toContain("Chrome on Android");
  expect(text).not.toContain("AppleWebKit");
});
