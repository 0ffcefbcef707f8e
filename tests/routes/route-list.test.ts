/** Every path of specification 001 §2.1, and those it mentions in passing, answers its users with its page. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readable } from "../factories/booking.ts";
import { newEmail, newPhone } from "../factories/people.ts";
import { Browser } from "../setup/http.ts";
import { DEMO, type LoggedIn, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

type Who = "visitor" | "patient" | "doctor" | "draft" | "waiting";
let server: TestServer;
const people = {} as Record<Who, Browser>;
const ids = { doctor: "", hospital: "", visit: "", slot: "", freeDay: "" };

beforeAll(async () => {
  server = await startServer();
  const { sql } = server;
  const [patient, doctor] = [await loginAs(server, DEMO.patient), await loginAs(server, DEMO.doctor)];
  Object.assign(people, {
    visitor: new Browser(server.url),
    patient,
    doctor,
    draft: await applicant("draft"),
    waiting: await applicant("under review by hospital"),
  });
  const [row] = await sql<{ doctor: string; hospital: string; slot: string }[]>`
    select d.id as doctor, d.hospital_id as hospital, 'date=' || s.date || '&time=' || to_char(s.time, 'HH24:MI') as slot
    from doctors d join availability_slots s on s.doctor_id = d.id
    where d.hospital_id is not null and d.registration_status = 'verified' and d.id <> ${doctor.userId} and s.date > current_date + 2
      and not exists (select from appointments a where a.doctor_id = d.id and a.date = s.date and a.time = s.time) limit 1`;
  const [visit] = await sql<{ id: string }[]>`select id from appointments where doctor_id = ${doctor.userId} limit 1`;
  const [day] = await sql<
    { date: string }[]
  >`select date::text from availability_slots where doctor_id = ${doctor.userId} and date > current_date + 2 limit 1`;
  Object.assign(ids, row, { visit: visit!.id, freeDay: day!.date });
});
afterAll(() => server?.stop());

/** Inserts a doctor with this status of the application. */
async function applicant(status: string): Promise<LoggedIn> {
  const who = { role: "doctor", phone: newPhone(), email: newEmail() };
  const doctor = await loginAs(server, who);
  await server.sql`insert into doctors (id, full_name, registration_status, category, primary_specialization, city, state) values (${doctor.userId}, 'Dr. New', ${status}, '', '', '', '')`;
  return doctor;
}

/** `heading`: the heading of the page. A path: the redirect. */
const ROUTES: [path: string, who: Who, heading: string | { leadsTo: string }][] = [
  // General
  ["/", "visitor", "Your Digital Healthcare Companion"],
  ["/choose-role", "visitor", "Let's get started"],
  ["/dual-patient", "visitor", "Log in with your mobile number"],
  ["/dual-doctor", "visitor", "Doctor login"],
  ["/doctor-verify", "waiting", "Verification status"],
  ["/hospital-form", "draft", "Hospital Information"],
  // The second and third step redirect to the one that is missing.
  ["/doctor-verification", "draft", { leadsTo: "/hospital-form" }],
  ["/banking-information", "draft", { leadsTo: "/hospital-form" }],
  // Doctor
  ["/doctor-dashboard", "doctor", "Your day"],
  ["/doctor/appointments", "doctor", "Appointments"],
  ["/doctor/patient/{visit}", "doctor", "The appointment"],
  ["/doctor/stats", "doctor", "Doctor Statistics"],
  ["/doctor/availability", "doctor", "Availability"],
  ["/doctor/availability/change/{freeDay}", "doctor", "Change availability"],
  ["/doctor/availability/add", "doctor", "Add Availability"],
  ["/doctor/profile", "doctor", "Profile"],
  ["/doctor/profile-view", "doctor", "Basic Information"],
  ["/doctor/profile/edit", "doctor", "Edit Profile"],
  ["/doctor/notifications", "doctor", "Notifications"],
  ["/doctor/ai-chat", "doctor", "Ask Nadi"],
  ["/doctor/settings", "doctor", "Settings"],
  ["/doctor/help", "doctor", "Help and Support"],
  ["/doctor/terms", "doctor", "Terms and Conditions"],
  // Patient
  ["/patient-dashboard", "patient", "Categories"],
  ["/patient/profile", "patient", "Profile"],
  ["/patient/profile/edit", "patient", "Edit Profile"],
  ["/patient/settings", "patient", "Settings"],
  ["/patient/notifications", "patient", "Notifications"],
  ["/patient/calendar", "patient", "Your Appointments"],
  ["/patient/emergency-contact", "visitor", "Emergency"],
  ["/patient/help", "patient", "Help and Support"],
  ["/patient/terms", "patient", "Terms and Conditions"],
  ["/patient/help", "visitor", "Help and Support"],
  ["/patient/terms", "visitor", "Terms and Conditions"],
  ["/patient/contact-us", "visitor", "Contact Us"],
  ["/accessibility", "visitor", "Known problems"],
  ["/accessibility", "patient", "Known problems"],
  ["/location", "patient", "Location Selection"],
  ["/patient/chat", "patient", "Ask Nadi"],
  ["/patient/ai-chat", "patient", "Ask Nadi"],
  ["/patient/contact-us", "patient", "Contact Us"],
  ["/patient/wallet", "patient", "Wallet"],
  ["/patient/appointments/Query", "patient", "What is the problem?"],
  // Listings and details
  ["/doctorspages/Cards-data", "visitor", "All Doctors"],
  ["/hospitalpages/Cards-data", "visitor", "All Hospitals"],
  ["/hospital/{hospital}", "visitor", "About"],
  ["/hospital/{hospital}/doctors", "visitor", "Doctors at"],
  ["/details/{doctor}", "visitor", { leadsTo: "/details/doctor/{doctor}" }],
  ["/details/{hospital}", "visitor", { leadsTo: "/hospital/{hospital}" }],
  ["/details/doctor/{doctor}", "visitor", "About me"],
  ["/details/hospital/{hospital}", "visitor", { leadsTo: "/hospital/{hospital}" }],
  // Booking flow
  ["/patient/appointments/", "patient", { leadsTo: "/patient-dashboard" }],
  ["/patient/appointments/?doctorId={doctor}", "patient", { leadsTo: "/patient/appointments/datetime?doctorId={doctor}" }],
  ["/patient/appointments/datetime?doctorId={doctor}", "patient", "Date & Time"],
  ["/patient/appointments/patient-detail?doctorId={doctor}&{slot}", "patient", "Patient Detail"],
  // Mentioned in passing
  ["/doctor", "doctor", { leadsTo: "/doctor-dashboard" }],
  ["/doctor/login", "visitor", { leadsTo: "/dual-doctor" }],
  ["/doctor/registration-status", "waiting", { leadsTo: "/doctor-verify" }],
];
const filled = (path: string) => path.replace(/\{(\w+)\}/g, (_, name: keyof typeof ids) => ids[name]);

describe("the route list", () => {
  it.each(ROUTES)("%s answers %s", async (path, who, heading) => {
    const answer = await people[who].get(filled(path));
    if (typeof heading !== "string") {
      expect([Math.floor(answer.status / 100), answer.location]).toEqual([3, filled(heading.leadsTo)]);
      return;
    }
    expect(answer.status, `${answer.location}`).toBe(200);
    expect(readable(answer.text)).toContain(heading);
  });
});

it("any other path is a page titled Page Not Found with Go Home", async () => {
  for (const [who, path] of [
    ["visitor", "/nowhere"],
    ["patient", "/patient/nowhere"],
    ["doctor", "/doctor/nowhere/at/all"],
    ["visitor", "/details/a/b/c"],
  ] as const) {
    const answer = await people[who].get(path);
    expect(answer.status, path).toBe(404);
    expect(answer.text, path).toMatch(/<h1[^>]*>Page Not Found<\/h1>/);
    expect(answer.text, path).toMatch(/<title>Page Not Found/);
    expect(answer.text, path).toMatch(/<a[^>]*href="\/"[^>]*>(?:<[^>]*>)*Go Home/);
  }
});

it("the role choice links to SOS in its dialog (§2.13)", async () => {
  const { text } = await people.visitor.get("/choose-role");
  const dialog = /<dialog[\s\S]*?<\/dialog>/.exec(text)?.[0] ?? "";
  expect(readable(dialog)).toContain("Emergency Assistance");
  expect(dialog).toMatch(/<a[^>]*href="\/patient\/emergency-contact"/);
});

it("each place of the patient's bars and of the dashboard links to the path of the specification (§2.3)", async () => {
  const { text } = await people.patient.get("/patient-dashboard");
  const bar = text.slice(text.lastIndexOf("<nav"));
  const links = [...bar.matchAll(/<a\b[^>]*href="([^"]+)"[^>]*>(?:<[^>]*>)*([^<]+)</g)].map(([, to, words]) => [words, to]);
  expect(links).toEqual([
    ["Home", "/patient-dashboard"],
    ["Hospitals", "/hospitalpages/Cards-data"],
    ["My Appointments", "/patient/calendar"],
    ["Profile", "/patient/profile"],
    ["Enquiry", "/patient/appointments/Query"],
  ]);
  expect(text).toMatch(/<a[^>]*class="city [^>]*href="\/location"|<a[^>]*href="\/location"[^>]*class="city /);
  expect(text).toMatch(/<a(?=[^>]*href="\/patient\/contact-us")(?=[^>]*title="Contact Support")/);
  expect(text).toContain('id="fold"');
  const tiles = ["Dentistry", "Cardiology", "Pulmonary", "General", "Neurology", "Gastroen", "Laboratory", "Vaccination"];
  for (const tile of tiles) expect(text).toContain(`href="/patient-dashboard?category=${tile}"`);
});
