/** A patient with signed documents, a permission and links, for tests of the layout of every page of a visit and of records. */
import { valuesOf } from "../factories/booking.ts";
import { dayFromNow, letSign, makeDoctor, makeVisit, newPhone } from "../factories/people.ts";
import { asFile, photoWithPlace } from "../factories/pictures.ts";
import type { Browser } from "./http.ts";
import { loginAs } from "./people.ts";
import type { TestServer } from "./server.ts";

/** Long, as names and medicines are. */
export const PATIENT = "Venkata Satyanarayana Murthy Chaganti";
const MEDICINES = ["Metoprolol succinate", "Isosorbide dinitrate", "Hydrochlorothiazide", "Amoxicillin and clavulanic acid", "Paracetamol"];

/** Signs in the forms of the pages, without scripts. `lang`: the patient's language. */
export async function makeVisitWorld(server: TestServer, lang = "te") {
  const { db, sql } = server;
  const make = async (name: string) => {
    const doctor = await makeDoctor(db, { name });
    await letSign(db, doctor.id);
    await sql`update doctors set hospital_id = (select id from hospitals where status = 'active' order by name limit 1) where id = ${doctor.id}`;
    return { doctor, browser: await loginAs(server, { role: "doctor", email: doctor.email }) };
  };
  const [writer, reader] = [await make("Dr. Anjali Vemuri"), await make("Dr. Suresh Babu Kolli")];
  const phone = newPhone();
  const me = await loginAs(server, { role: "patient", phone });
  await sql`update patients set name = ${PATIENT} where id = ${me.userId}`;
  await me.post("/patient/family/add", { name: "Ravi", relation: "son", gender: "male", age: "7" });
  const patient = { id: me.userId, phone, actor: { userId: me.userId, role: "patient" as const } };
  let hour = 0;
  const newVisit = ({ doctor }: typeof writer) =>
    makeVisit(
      db,
      { patient, doctor },
      { status: "accepted", date: dayFromNow(-1), time: `${String(9 + hour++).padStart(2, "0")}:00`, name: PATIENT },
    );
  /** Writes a draft. Returns the fields of the form. */
  const write = async (browser: Browser, visit: string, over: Record<string, string> = {}) => {
    const at = `/doctor/visits/${visit}`;
    const fields = valuesOf((await browser.get(at)).text);
    for (const name of ["q", "save"]) delete fields[name];
    const medicines = Object.fromEntries(
      MEDICINES.flatMap((name, i) => [
        [`medicine_${i + 1}`, name],
        [`strength_${i + 1}`, "25 mg"],
        [`dose_${i + 1}_morning`, i === 1 ? "½" : "1"],
        [`dose_${i + 1}_night`, "1"],
        [`days_${i + 1}`, "30"],
        [`words_${i + 1}`, i === 1 ? "For chest pain: 1 tablet, sit down. Pain after 5 minutes: call 108." : ""],
      ]),
    );
    const note = {
      allergies: "Sulfa drugs",
      conditions: "Diabetes type 2",
      complaint: "Chest tightness when climbing stairs, 3 weeks",
      findings: "BP 148/92, pulse 84 regular. Chest clear.",
      diagnosis: "Stable angina",
      diagnosis_code: "I20.8",
      advice: "Bring the sugar book next time.",
      advice_water: "on",
      follow_up: "2-weeks",
    };
    return { ...fields, ...medicines, ...note, lines: "5", language: lang, ...over };
  };
  const sign = async ({ browser }: typeof writer, visit: string, over: Record<string, string> = {}) => {
    const at = `/doctor/visits/${visit}`;
    const reviewed = await browser.post(at, { ...(await write(browser, visit, over)), review: "1" });
    if (reviewed.location !== `${at}/review`) throw new Error(`not reviewed: ${reviewed.status}`);
    const { version } = valuesOf((await browser.get(`${at}/review`)).text);
    await browser.post(`${at}/review`, { version: version! });
    const [row] = await sql<{ id: string; code: string }[]>`
      select id, code from visit_documents where encounter_id = ${visit} and state = 'signed' and kind = 'prescription'`;
    return row!;
  };
  const [first, second, open, drafted] = [await newVisit(writer), await newVisit(writer), await newVisit(reader), await newVisit(reader)];
  const superseded = await sign(writer, first);
  await writer.browser.post(`/doctor/visits/${first}`, { correct: "1" });
  const valid = await sign(writer, first, { diagnosis: "Stable angina, second reading" });
  const cancelled = await sign(writer, second);
  await writer.browser.post(`/doctor/visits/${second}`, { cancel: cancelled.id });
  const sick = { type: "sick-leave", from: dayFromNow(-1), until: dayFromNow(2), words: "Rest at home", language: lang };
  const { seen } = valuesOf((await writer.browser.post(`/doctor/visits/${first}/certificate`, { ...sick, intent: "review" })).text);
  await writer.browser.post(`/doctor/visits/${first}/certificate`, { ...sick, seen: seen!, intent: "sign" });
  const [certificate] = await sql<{ id: string; code: string }[]>`
    select id, code from visit_documents where encounter_id = ${first} and kind = 'certificate'`;
  const form = new FormData();
  for (const [name, value] of Object.entries({ recordType: "other", description: "Blood test of the whole family", person: "me" }))
    form.append(name, value);
  form.append("file", asFile(await photoWithPlace(), "x.jpg"));
  await me.postFiles("/patient/records/add", form);
  await me.post("/patient/records/access", { intent: "allow", doctor: reader.doctor.id, until: dayFromNow(30) });
  const share = `/patient/records/share/signed/${valid.id}`;
  const linkOf = async (times: string) => /\/s\/[\w-]{22}/.exec((await me.post(share, { intent: "share", days: "7", times })).text)![0];
  const [link, ended] = [await linkOf("20"), await linkOf("1")];
  await me.get(`${ended}/open`);
  // A draft with everything.
  await reader.browser.post(`/doctor/visits/${drafted}`, { ...(await write(reader.browser, drafted)), save: "1" });
  return {
    patient: { role: "patient", phone },
    writer: { role: "doctor", email: writer.doctor.email },
    reader: { role: "doctor", email: reader.doctor.email },
    /** Pages of the application, by who opens them. */
    pages: {
      writer: [`/doctor/visits/${first}`, `/doctor/visits/${second}`, `/doctor/visits/${first}/certificate`],
      reader: [
        `/doctor/visits/${open}`,
        `/doctor/visits/${drafted}`,
        `/doctor/visits/${drafted}/review`,
        `/doctor/patients/${open}`,
        `/doctor/patients/${open}/records`,
      ],
      patient: ["/patient/records", "/patient/records/access", share, "/patient/data/opened"],
    },
    /** Documents of their own, with their own styles. */
    prints: {
      writer: [`/doctor/visits/${first}/documents/${valid.id}`, `/doctor/visits/${first}/documents/${certificate!.id}`],
      reader: [`/doctor/patients/${open}/records/${superseded.id}`],
      patient: [`/patient/appointments/${second}/documents/${cancelled.id}`],
    },
    open: [
      `/rx/${valid.code}`,
      `/rx/${superseded.code}`,
      `/rx/${cancelled.code}`,
      `/rx/${certificate!.code}`,
      "/rx/AAAA-AAAA-AAAA",
      link,
      `${link}/open`,
      ended,
      `/s/${"A".repeat(22)}`,
    ],
  };
}
