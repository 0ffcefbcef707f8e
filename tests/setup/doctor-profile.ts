/** One server, one hospital and the forms of a doctor's profile. Importing this file registers the hooks that start and stop the server. */
import { afterAll, beforeAll } from "vitest";
import { multipart, newDoctor, newHospital, plain } from "./applications.ts";
import type { Browser, Fields } from "./http.ts";
import type { LoggedIn } from "./people.ts";
import { startServer, type TestServer } from "./server.ts";

export let server: TestServer;
export let hospital: string;
beforeAll(async () => {
  server = await startServer();
  hospital = await newHospital(server, { name: "Profile Test Hospital" });
});
afterAll(() => server?.stop());

/** Inserts a verified doctor with every field of a profile. */
export async function verifiedDoctor(): Promise<LoggedIn> {
  const doctor = await newDoctor(server, "verified");
  await server.sql`
    update doctors set full_name = 'Dr. Asha Rani', primary_specialization = 'Cardiologist', category = 'Cardiology', experience_years = 12,
      consultation_fee = 50000, about = 'Hearts of all ages.', gender = 'female', date_of_birth = '1985-03-14', council_name = 'Andhra Pradesh Medical Council',
      council_number = ${doctor.userId}, council_year = 2010, languages = '{Telugu,English}', hospital_id = ${hospital}, city = 'Guntur', state = 'Andhra Pradesh',
      aadhaar_last4 = '0124', pan_last4 = '234F', qualifications = '[{"degree":"MBBS","universityCollege":"Guntur Medical College","year":2009}]'
    where id = ${doctor.userId}`;
  return doctor;
}
/** Returns the fields of the edit form, as a browser would send them back. */
export async function formOf(doctor: Browser, changes: Fields = {}): Promise<Fields> {
  const { text, status } = await doctor.get("/doctor/profile/edit");
  if (status !== 200) throw new Error(`edit: ${status}`);
  const inner = /<form[^>]*id="profile"[^>]*>(.*?)<\/form>/s.exec(text)?.[1] ?? "";
  const fields: Record<string, string | string[]> = {};
  for (const [tag] of inner.matchAll(/<input[^>]*>/g)) {
    const at = (name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1];
    const name = at("name");
    if (!name || at("type") === "file" || ((at("type") === "radio" || at("type") === "checkbox") && !/\bchecked\b/.test(tag))) continue;
    fields[name] = plain(at("value") ?? "");
  }
  for (const [, name = "", value = ""] of inner.matchAll(/<textarea[^>]*name="([^"]*)"[^>]*>(.*?)<\/textarea>/gs))
    fields[name] = plain(value);
  for (const [, name = "", options = ""] of inner.matchAll(/<select[^>]*name="([^"]*)"[^>]*>(.*?)<\/select>/gs))
    fields[name] = /<option value="([^"]*)"[^>]*selected/.exec(options)?.[1] ?? "";
  return { ...fields, ...changes };
}
export const save = (doctor: Browser, fields: Fields, photo?: [Blob, string]) =>
  doctor.postFiles("/doctor/profile/edit", multipart(fields, photo ? ({ photo: [photo] } as never) : {}));
export const rowOf = async (id: string) => (await server.sql`select * from doctors where id = ${id}`)[0]!;
export const openChange = async (id: string, field: string) =>
  (
    await server.sql<{ id: string }[]>`select id from profile_changes where doctor_id = ${id} and field = ${field} and status = 'pending'`
  )[0]?.id;
