/** /patient/records over HTTP, without scripts: the timeline of each person, search, own documents, and that other users see nothing. */
import { existsSync } from "node:fs";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { doctors, visitDocuments } from "#app/db/schema/index.ts";
import { book, bookedId, valuesOf } from "../factories/booking.ts";
import { pdf } from "../factories/pdfs.ts";
import { dayFromNow, makeDoctor, makeVisit, newPhone, type TestDoctor } from "../factories/people.ts";
import { asFile, photoWithPlace } from "../factories/pictures.ts";
import { errorsOf, plain } from "../setup/applications.ts";
import { Browser } from "../setup/http.ts";
import { type LoggedIn, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

let server: TestServer;
let doctor: TestDoctor;
let asDoctor: LoggedIn;
let me: LoggedIn;
let stranger: LoggedIn;
const ILLNESS = "Zirconiumitis";
const SLOT = { date: dayFromNow(5), time: "10:00" };

beforeAll(async () => {
  server = await startServer({ seed: false });
  doctor = await makeDoctor(server.db, { name: "Dr. Anjali Vemuri", slots: [SLOT] });
  await server.db
    .update(doctors)
    .set({
      councilName: "Andhra Pradesh Medical Council",
      councilNumber: "APMC/2012/61742",
      qualifications: [{ degree: "MBBS", universityCollege: "NTR University", year: 2008 }],
    })
    .where(eq(doctors.id, doctor.id));
  asDoctor = await loginAs(server, { role: "doctor", email: doctor.email });
  me = await loginAs(server, { role: "patient", phone: newPhone() });
  stranger = await loginAs(server, { role: "patient", phone: newPhone() });
  await server.sql`update patients set name = 'Lakshmi Devi' where id = ${me.userId}`;
  await me.post("/patient/family/add", { name: "Ravi", relation: "son", gender: "male", age: "7" });
});
afterAll(() => server?.stop());

const visitOf = (name: string, date: string) =>
  makeVisit(
    server.db,
    { patient: { id: me.userId, phone: newPhone(), actor: { userId: me.userId, role: "patient" } }, doctor },
    { status: "completed", date, time: "09:00", name },
  );
/** Writes and signs a prescription. Returns its id. */
async function sign(visit: string, diagnosis: string): Promise<string> {
  const at = `/doctor/visits/${visit}`;
  const fields = valuesOf((await asDoctor.get(at)).text);
  for (const name of ["q", "save"]) delete fields[name];
  const medicine = { medicine_1: "Metoprolol succinate", strength_1: "25 mg", dose_1_morning: "1", days_1: "30" };
  const reviewed = await asDoctor.post(at, {
    ...fields,
    ...medicine,
    diagnosis,
    patientAge: "40",
    patientGender: "female",
    language: "te",
    review: "1",
  });
  expect(reviewed.location, plain(reviewed.text).slice(0, 300)).toBe(`${at}/review`);
  const review = await asDoctor.get(`${at}/review`);
  expect((await asDoctor.post(`${at}/review`, { version: valuesOf(review.text).version! })).status).toBe(303);
  const [row] = await server.db.select({ id: visitDocuments.id }).from(visitDocuments).where(eq(visitDocuments.encounterId, visit));
  return row!.id;
}
const add = (who: Browser, fields: Record<string, string>, file?: File) => {
  const form = new FormData();
  for (const [name, value] of Object.entries({ recordType: "other", ...fields })) form.append(name, value);
  if (file) form.append("file", file);
  return who.postFiles("/patient/records/add", form);
};
const records = async (query = "") => plain((await me.get(`/patient/records${query}`)).text);
const sonId = async () => (await server.sql<{ id: string }[]>`select id from family_members where patient_id = ${me.userId}`)[0]!.id;

describe("the timeline", () => {
  it("explains what will appear while it is empty", async () => {
    const page = plain((await stranger.get("/patient/records")).text);
    expect(page).toContain("No records yet");
    expect(page).toContain("Add document");
  });
  it("lists visits, prescriptions, documents of appointments and own documents of one person", async () => {
    const mine = await visitOf("lakshmi  DEVI", dayFromNow(-3));
    const document = await sign(mine, ILLNESS);
    await visitOf("Ravi", dayFromNow(-40));
    const booked = bookedId(await book(me, doctor.id, SLOT, { name: "Lakshmi Devi" }, [asFile(await photoWithPlace(), "ECG of June.jpg")]));
    expect(booked).not.toBeNull();
    const added = await add(me, { description: "Blood test", date: dayFromNow(-20) }, asFile(await photoWithPlace(), "x.jpg"));
    expect(added.location).toBe("/patient/records");
    // The first page shows the toast as well.
    await me.follow(added);
    const { text } = await me.get("/patient/records");
    const page = plain(text);
    for (const words of [
      "Lakshmi Devi",
      ILLNESS,
      "1 medicine",
      "Metoprolol succinate",
      "ECG of June.jpg",
      "Added to your appointment with Dr. Anjali Vemuri",
      "Blood test",
      "Added by you",
      "Only you can see this",
      "You and Dr. Anjali Vemuri can see this",
    ])
      expect(page).toContain(words);
    expect(text).toContain(`/patient/appointments/${mine}/documents/${document}`);
    expect((await me.get(`/patient/appointments/${mine}/documents/${document}`)).status).toBe(200);
    expect(page.indexOf(ILLNESS)).toBeLessThan(page.indexOf("Blood test"));
  });
  it("has the records of a family member in a tab of their own", async () => {
    const son = await records(`?for=${await sonId()}`);
    expect(son).toContain("Ravi (Son)");
    expect(son).toContain("Dr. Anjali Vemuri");
    for (const words of [ILLNESS, "Blood test", "ECG of June"]) expect(son).not.toContain(words);
  });
  it("finds doctors, illnesses and medicines, and filters by kind", async () => {
    expect(await records(`?q=${ILLNESS.toLowerCase()}`)).toContain(ILLNESS);
    expect(await records("?q=METOPROLOL+anjali")).toContain("1 medicine");
    expect(await records("?q=metoprolol")).not.toContain("Blood test");
    expect(await records("?q=blood")).toContain("Blood test");
    expect(await records("?q=nothing-like-this")).toContain("Nothing found");
    expect(await records("?kind=documents")).not.toContain("1 medicine");
    expect(await records("?kind=prescriptions")).not.toContain("Blood test");
    expect(await records("?kind=nonsense&page=0")).toContain("Blood test");
  });
  it("shows a cancelled prescription as cancelled", async () => {
    const visit = await visitOf("Lakshmi Devi", dayFromNow(-6));
    const document = await sign(visit, "Cough");
    await server.sql`update visit_documents set state = 'cancelled', ended_at = now() where id = ${document}`;
    expect(await records("?q=cough")).toMatch(/Cancelled on \d{1,2} \w{3} \d{4}/);
  });
});

describe("own documents", () => {
  it("needs a name and a file, and keeps what was typed and received", async () => {
    const nothing = await add(me, { description: "" });
    expect([nothing.status, errorsOf(nothing).description]).toEqual([400, "Enter a name for the document."]);
    const noFile = await add(me, { description: "Scan" });
    expect([noFile.status, errorsOf(noFile).file]).toEqual([400, "Choose a photo or a PDF."]);
    const refused = await add(me, { description: "", date: dayFromNow(2) }, asFile(pdf({}), "lab.pdf", "application/pdf"));
    expect(errorsOf(refused).date).toBe("Choose a valid date, not later than today.");
    const { received } = valuesOf(refused.text);
    expect(received).toMatch(/^[0-9a-f-]{36}$/);
    const added = await add(me, { description: "Lab", received: received! });
    expect(added.location).toBe("/patient/records");
    const file = new RegExp(`/files/${received}`);
    expect((await me.get("/patient/records?q=lab")).text).toMatch(file);
    expect((await me.get(`/files/${received}`)).headers.get("content-disposition")).toContain("attachment");
  });
  it("refuses a file that is no picture and no PDF, and another person's file", async () => {
    const wrong = await add(me, { description: "Bad" }, asFile(Buffer.from("MZ program"), "a.exe", "application/octet-stream"));
    expect(wrong.status).toBe(415);
    const [theirs] = await server.sql<{ id: string }[]>`select file_id as id from own_records where patient_id = ${me.userId} limit 1`;
    const stolen = await add(stranger, { description: "Stolen", received: theirs!.id });
    expect([stolen.status, errorsOf(stolen).file]).toEqual([400, "This file is no longer available. Choose it again."]);
    const forSon = await add(stranger, { description: "Not mine", person: await sonId() }, asFile(await photoWithPlace(), "y.jpg"));
    expect(forSon.status).toBe(400);
    expect(plain(forSon.text)).toContain("Choose a person of your family list.");
  });
  it("stays under the name of a family member who was removed, and is deleted with its bytes", async () => {
    const son = await sonId();
    const added = await add(me, { description: "Vaccination card", person: son }, asFile(await photoWithPlace(), "v.jpg"));
    expect(added.location).toBe(`/patient/records?for=${son}`);
    expect(await records(`?for=${son}`)).toContain("Vaccination card");
    await me.post(`/patient/family/${son}/remove`);
    const { text } = await me.get("/patient/records");
    const tab = [...text.matchAll(/\/patient\/records\?for=([^"&]+)/g)].map((match) => match[1]!);
    expect(plain((await me.get(`/patient/records?for=${tab[0]}`)).text)).toContain("Vaccination card");
    const [row] = await server.sql<{ id: string; key: string; file: string }[]>`
      select r.id, f.storage_key as key, f.id as file from own_records r join files f on f.id = r.file_id where r.patient_id = ${me.userId} order by r.created_at desc limit 1`;
    expect(plain((await me.get(`/patient/records/${row!.id}/remove`)).text)).toContain("Delete Vaccination card?");
    expect((await me.post(`/patient/records/${row!.id}/remove`)).location).toBe("/patient/records");
    expect(existsSync(`${server.dataDir}/files/${row!.key}`)).toBe(false);
    expect((await me.get(`/files/${row!.file}`)).status).toBe(404);
    expect((await me.post(`/patient/records/${row!.id}/remove`)).status).toBe(404);
  });
});

describe("other users", () => {
  it("find no record, file or page of the patient", async () => {
    const [row] = await server.sql<{ id: string; file: string }[]>`
      select id, file_id as file from own_records where patient_id = ${me.userId} limit 1`;
    for (const who of [stranger, asDoctor]) {
      expect((await who.get(`/files/${row!.file}`)).status).toBe(404);
      for (const path of [`/patient/records/${row!.id}/remove`, `/patient/records/${row!.id}/remove.data`]) {
        const answer = await who.get(path);
        expect(answer.status, path).not.toBe(200);
        expect(answer.text).not.toContain("Blood test");
      }
      expect((await who.post(`/patient/records/${row!.id}/remove`)).status).not.toBe(200);
    }
    expect((await stranger.post(`/patient/records/${row!.id}/remove`)).status).toBe(404);
    for (const path of ["/patient/records", "/patient/records.data", "/patient/records?for=nonsense"]) {
      for (const who of [stranger, asDoctor, new Browser(server.url)]) {
        const answer = await who.get(path);
        for (const words of ["Lakshmi", ILLNESS, "Blood test"]) expect(answer.text).not.toContain(words);
      }
    }
    expect((await stranger.get("/patient/records?for=nonsense")).status).toBe(404);
    expect((await new Browser(server.url).get("/patient/records")).location).toMatch(/^\/dual-patient/);
    expect(await server.sql`select from own_records where id = ${row!.id}`).toHaveLength(1);
  });
  it("never see the records in a cache", async () => {
    expect((await me.get("/patient/records")).headers.get("cache-control")).toBe("no-store");
  });
});
