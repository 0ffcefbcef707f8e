/** Pages of an import over HTTP: long lists, and the imported history among the figures. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { clinicPatients, importRows, imports } from "#app/db/schema/index.ts";
import { sealed } from "#app/db/sealed.server.ts";
import { readable } from "../factories/booking.ts";
import { makeMember, makePlace } from "../factories/members.ts";
import { newEmail } from "../factories/people.ts";
import { DEMO_KEY } from "../setup/database.ts";
import { type LoggedIn, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

let server: TestServer;
let place: { id: string };
let owner: LoggedIn;
let reception: LoggedIn;
beforeAll(async () => {
  server = await startServer({ seed: false });
  const made = await makePlace(server.db);
  place = made;
  const logIn = async (userId: string) => {
    const email = newEmail();
    await server.sql`update users set email = ${email} where id = ${userId}`;
    return loginAs(server, { role: "staff", email });
  };
  owner = await logIn(made.owner.userId);
  reception = await logIn((await makeMember(server.db, made.id, "reception")).userId);
});
afterAll(() => server?.stop());

/** Inserts a checked import of so many rows. Only those of the last page have content. */
async function checkedImport(count: number): Promise<string> {
  const id = randomUUID();
  const reading = { fileName: "a.csv", sheets: [], sheet: null, columns: [{ header: "Name", examples: [] }], ask: null };
  await server.db.insert(imports).values({
    ...{ id, hospitalId: place.id, kind: "patients", state: "checked", createdBy: owner.userId, mapping: ["name"] },
    ...{ reading: sealed(imports.reading, id, reading, [DEMO_KEY]), rowCount: count, columnCount: 1 },
  });
  await server.sql`insert into import_rows (import_id, number, "group", content) select ${id}, n, 'new', '{}' from generate_series(2, ${count}::int) n`;
  const values = { name: "Lakshmi the Last", phone: null, born: null, gender: null, blood: null, address: null, number: null, note: null };
  const content = { cells: ["Lakshmi the Last"], values, notices: [], like: null };
  const number = count + 1;
  await server.db
    .insert(importRows)
    .values({ importId: id, number, group: "new", content: sealed(importRows.content, [id, String(number)], content, [DEMO_KEY]) });
  return id;
}

it("shows the last of 20,001 rows, and where it is in the list", async () => {
  const id = await checkedImport(20_001);
  const page = await owner.get(`/clinic/${place.id}/import/${id}?group=new&page=1001`);
  expect(page.status).toBe(200);
  expect(readable(page.text)).toContain("Lakshmi the Last");
  expect(readable(page.text)).toContain("20,001–20,001 of 20,001");
});

it("says that no imported patient matches a search, and not that there are none", async () => {
  await server.db.insert(clinicPatients).values({ hospitalId: place.id, name: "Sita", nameKey: "sita" });
  const page = readable((await owner.get(`/clinic/${place.id}/patients?q=OP1120`)).text);
  expect(page).toContain("No imported patient matches “OP1120”");
  expect(page).not.toContain("No imported patients yet");
});

it("shows the last of 50,001 patients of the register", async () => {
  await server.sql`insert into clinic_patients (hospital_id, name, name_key) select ${place.id}, 'A ' || n, 'a ' || n from generate_series(1, 50000) n`;
  await server.db.insert(clinicPatients).values({ hospitalId: place.id, name: "Zubeda", nameKey: "zubeda" });
  const page = await owner.get(`/clinic/${place.id}/patients?page=1001`);
  expect(page.status).toBe(200);
  expect(readable(page.text)).toContain("Zubeda");
});

it("shows the years before Nadi to the owner, below the figures of the queues, and to no other member", async () => {
  const [patient] = await server.db.insert(clinicPatients).values({ hospitalId: place.id, name: "Ravi", nameKey: "ravi" }).returning();
  await server.sql`insert into past_appointments (clinic_patient_id, date, status, fee, paid) values (${patient!.id}, '2019-03-04', 'seen', 50000, 30000)`;
  const title = "Years before Nadi, from your imports";
  const { text } = await owner.get(`/clinic/${place.id}/figures`);
  expect(readable(text)).toMatch(new RegExp(`${title}.* 2019 1 1 1 0 0 ₹500 ₹300`));
  const other = await reception.get(`/clinic/${place.id}/figures`);
  expect(other.text).not.toContain(title);
});
