/** Imports: check, decisions, commit, undo and export, with the jobs run here. */

import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import fc from "fast-check";
import { writeXlsx } from "hucre/xlsx";
import { beforeEach, describe, expect, it } from "vitest";
import { clinicExports, clinicPatients, importRows, imports, patients, placeDoctors } from "#app/db/schema/index.ts";
import { bookForCaller, findKnownCallers } from "#app/domains/booking/appointments/book-for-caller.server.ts";
import { joinWaitlist } from "#app/domains/booking/waitlist/join-waitlist.server.ts";
import { listAgenda } from "#app/domains/clinic/agenda/queries.server.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { getMoneyFigures } from "#app/domains/money/takings/figures.server.ts";
import { getPlatformFigures } from "#app/domains/oversight/figures/queries.server.ts";
import { LONG_PROOF_LIFE } from "#app/domains/platform/accounts/proof.ts";
import { LIMITS } from "#app/domains/platform/limits/limits.ts";
import { getDoctorStats } from "#app/domains/practice/statistics/queries.server.ts";
import { getOwnQueueReport, getPlaceQueueReport } from "#app/domains/waiting-room/figures/queries.server.ts";
import { addWalkIn, findKnownPeople } from "#app/domains/waiting-room/queue/add-walk-in.server.ts";
import { knownValue, readKnown, type Typed } from "#app/domains/waiting-room/queue/known-person.ts";
import { unavailable } from "#app/integrations/failure.server.ts";
import { addDays, todayInIndia } from "#app/lib/dates.ts";
import { days, minutes } from "#app/lib/durations.ts";
import type { ImportKind } from "#app/lib/vocabulary.ts";
import { CHANNELS } from "#app/realtime/channels.server.ts";
import { addPlaceDoctor, makeMember, makePlace } from "../../../../tests/factories/members.ts";
import { makeDoctor, makePatient, makeStaff, makeVisit } from "../../../../tests/factories/people.ts";
import { makePractice } from "../../../../tests/factories/practices.ts";
import { makeSession } from "../../../../tests/factories/queues.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { chooseColumns, decideAll, decideAllAndRows, decideRows, type RowChoice, startImport, undoImport } from "./change-import.server.ts";
import type { Clinic } from "./clinic.server.ts";
import type { ImportField } from "./columns.ts";
import { listEarlierYears } from "./earlier-years.server.ts";
import { openExport, requestExport, writeExport } from "./export.server.ts";
import { tableOf } from "./export-tables.server.ts";
import { countUsed, getImport, listQuestions, listRows } from "./queries.server.ts";
import { getRegistered, listRegister } from "./register.server.ts";
import type { PatientRow } from "./rows.ts";
import { rowsFile, takeRows } from "./rows-file.server.ts";
import { runImport } from "./run-import.server.ts";
import { sweepMovedData } from "./sweep-imports.server.ts";
import { readOtherSheet, storeImportFile, uploadImport } from "./upload-import.server.ts";

const { db, sql, ctx } = testDb();
let owner: Ctx<Actor>;
let clinic: Clinic;
beforeEach(async () => {
  const place = await makePlace(db);
  owner = ctx(place.owner);
  clinic = { hospitalId: place.id };
});

const fails = () => Promise.reject(unavailable("bucket", "no answer in time"));
const bytes = (csv: string) => new TextEncoder().encode(csv);
async function upload(csv: string, kind: ImportKind = "patients", of = clinic, by = owner): Promise<string> {
  const { id } = await storeImportFile(by, of, { name: "register.csv", bytes: bytes(csv) });
  return uploadImport(by, of, { kind, fileId: id });
}
/** Uploads a file and checks it with the guessed columns. */
async function check(csv: string, kind: ImportKind = "patients", of = clinic, by = owner): Promise<string> {
  const id = await upload(csv, kind, of, by);
  const { mapping, order } = await getImport(by, of, id);
  await chooseColumns(by, of, { id, mapping: mapping as (ImportField | null)[], order });
  await runImport(by, id);
  return id;
}
async function commit(id: string, of = clinic, by = owner): Promise<void> {
  await startImport(by, of, id);
  await runImport(by, id);
}
async function undo(id: string): Promise<void> {
  await undoImport(owner, clinic, id);
  await runImport(owner, id);
}
const groups = async (id: string) => (await getImport(owner, clinic, id)).groups;
const register = () =>
  db.select().from(clinicPatients).where(eq(clinicPatients.hospitalId, clinic.hospitalId!)).orderBy(clinicPatients.name);

/** Everything that an import may write, as text. */
async function dump(): Promise<string> {
  const rows = await Promise.all([
    sql`select u.id, u.role, u.phone from users u where role = 'patient' order by id`,
    sql`select * from patients order by id`,
    sql`select * from clinic_patients order by id`,
    sql`select * from past_appointments order by id`,
    sql`select * from appointments order by id`,
    sql`select * from slot_claims order by doctor_id, date, time, seat`,
  ]);
  return JSON.stringify(rows);
}

/** Texts that a spreadsheet would run as a formula. */
const FORMULAS = `Name,Mobile,Address,Note
Gouri,9000000131,=1+1,-2 kg since May
Hari,9000000132,@home,'quoted'
`;
const REGISTER = `OP No,Name,Mobile,Age/DOB,Sex,Bl Gr,Note
OP/1,Lakshmi Prasanna Devi,90000 00121,46,F,O+,Comes on Mondays
OP/2,షేక్ రెహానా,090000 00122,02/03/1984,స్త్రీ,B pos,
OP/3,Arjun,90000 00121,7 months,M,,
OP/4,Gudivada Ramesh,98480 1234,34,M,,
,,,,,,
OP/5,,90000 00155,41,F,,
`;

describe("patients", () => {
  it("adds each person of the register with an unclaimed account, sealed, and notifies no one", async () => {
    const id = await check(REGISTER);
    expect(await groups(id)).toEqual({ new: 3, here: 0, decision: 0, unreadable: 2 });
    await commit(id);
    const added = await register();
    expect(added.map(({ name, phone, number }) => [name, phone, number])).toEqual([
      ["Arjun", "+919000000121", "OP/3"],
      ["Lakshmi Prasanna Devi", "+919000000121", "OP/1"],
      ["షేక్ రెహానా", "+919000000122", "OP/2"],
    ]);
    expect(JSON.stringify(added)).not.toContain("Mondays");
    expect(added[0]!.patientId).toBe(added[1]!.patientId);
    const [account] = await db.select().from(patients).where(eq(patients.id, added[0]!.patientId!));
    expect(account?.unclaimedSince).not.toBeNull();
    expect(await sql`select from notifications where user_id = ${added[0]!.patientId!}`).toHaveLength(0);
    expect(await sql`select from pgboss.job where name like '%sms%'`).toHaveLength(0);
    expect((await getImport(owner, clinic, id)).outcomes).toMatchObject({ added: 3, unreadable: 2 });
    expect(await sql`select from audit_log where action = 'import-patient' and hospital_id = ${clinic.hospitalId!}`).toHaveLength(2);
  });

  it("imports the same file twice without adding anyone", async () => {
    await commit(await check(REGISTER));
    const again = await check(REGISTER);
    expect(await groups(again)).toEqual({ new: 0, here: 3, decision: 0, unreadable: 2 });
    await commit(again);
    expect(await register()).toHaveLength(3);
  });

  it("asks where two persons are possible, and does what was decided", async () => {
    await commit(await check("Name,Mobile,Age\nLakshmi Prasanna Devi,9000000121,46\n"));
    const id = await check("Name,Mobile,Age,OP No\nLakshmi P.,9000000121,46,OP/7\nArjun,9000000121,9,OP/8\nB. Rao,9000000121,30,\n");
    expect(await groups(id)).toMatchObject({ decision: 3 });
    await decideAll(owner, clinic, { id, decision: "leave-out" });
    await decideRows(owner, clinic, {
      id,
      rows: new Map([
        [2, { decision: "same" }],
        [3, { decision: "other" }],
        [4, { decision: null }],
      ]),
    });
    expect(await getImport(owner, clinic, id)).toMatchObject({ undecided: 1, ready: 2 });
    await commit(id);
    expect((await register()).map(({ name, number }) => [name, number])).toEqual([
      ["Arjun", "OP/8"],
      ["Lakshmi Prasanna Devi", "OP/7"],
    ]);
    expect((await getImport(owner, clinic, id)).outcomes).toMatchObject({ added: 2, merged: 1, undecided: 1 });
    const undecided = await rowsFile(owner, clinic, id, { group: "decision", outcome: "left-out", undecided: true });
    expect(undecided.trim().split("\r\n")).toHaveLength(2);
    expect(undecided).toContain("B. Rao");
  });

  it("fills the person of an earlier row with what a later row has, and an undo removes the person", async () => {
    const id = await check("Name,Mobile,Age,OP No\nSita,9000000121,46,\nRavi,9000000122,50,\nSita,9000000121,12,OP/7\n");
    expect((await listRows(owner, clinic, id, { group: "decision" })).rows).toMatchObject([{ number: 4, reason: "twice" }]);
    await decideAll(owner, clinic, { id, decision: "same" });
    await commit(id);
    expect((await register()).map(({ name, number }) => [name, number])).toEqual([
      ["Ravi", null],
      ["Sita", "OP/7"],
    ]);
    expect((await getImport(owner, clinic, id)).outcomes).toMatchObject({ added: 3, here: 0 });
    await undo(id);
    expect(await register()).toHaveLength(0);
  });

  it("leaves a person out in each row when the first of them is left out", async () => {
    await commit(await check("Name,Mobile,Age\nLakshmi,9000000121,46\n"));
    const id = await check("Name,Mobile,Age\nArjun,9000000121,9\nArjun,9000000121,9\nArjun,9000000121,60\n");
    const { rows } = await listRows(owner, clinic, id, {});
    expect(rows.map(({ group, reason }) => [group, reason])).toEqual([
      ["decision", "same-phone"],
      ["here", null],
      ["decision", "twice"],
    ]);
    await decideRows(owner, clinic, { id, rows: new Map([[4, { decision: "same" }]]) });
    await commit(id);
    expect((await register()).map(({ name }) => name)).toEqual(["Lakshmi"]);
    expect((await getImport(owner, clinic, id)).outcomes).toMatchObject({ added: 0, here: 0, undecided: 1, leftOut: 2 });
  });

  it("two imports of one file at once add each person once", async () => {
    const [a, b] = [await check(REGISTER), await check(REGISTER)];
    await Promise.all([startImport(owner, clinic, a), startImport(owner, clinic, b)]);
    await Promise.all([runImport(owner, a), runImport(owner, b), runImport(owner, a)]);
    expect(await register()).toHaveLength(3);
  });

  it("compares again what another import has added or removed since the check", async () => {
    const file = "Name,Mobile,Age\nArjun,9000000121,9\nSita,9000000122,46\n";
    await commit(await check("Name,Mobile,Age\nLakshmi,9000000121,46\n"));
    const [a, b] = [await check(file), await check(file)];
    // Both decided to add Arjun. The jobs began before either check.
    for (const id of [a, b]) await decideAll(owner, clinic, { id, decision: "other" });
    await commit(a, clinic, { ...owner, now: new Date(owner.now.getTime() - 10_000) });
    const c = await check("Name,Mobile,Age\nSita,9000000122,46\n");
    expect(await groups(c)).toMatchObject({ here: 1 });
    await commit(b);
    expect((await register()).map(({ name }) => name)).toEqual(["Arjun", "Lakshmi", "Sita"]);
    await undo(a);
    await commit(c);
    expect((await register()).map(({ name }) => name)).toEqual(["Lakshmi", "Sita"]);
  });

  it("asks about a person whom someone has added meanwhile under another name", async () => {
    const [a, b] = [await check("Name,Mobile,Age\nArjun,9000000121,9\n"), await check("Name,Mobile,Age\nSita,9000000121,46\n")];
    await commit(a);
    await sql`update clinic_patients set import_id = null`;
    await commit(b);
    expect((await getImport(owner, clinic, b)).outcomes).toMatchObject({ added: 0, undecided: 1 });
    expect((await listRows(owner, clinic, b, { group: "decision" })).rows).toMatchObject([{ reason: "same-phone", decision: null }]);
  });

  it("stops with a sentence at a value that the database refuses, and can be undone", async () => {
    const id = await check(REGISTER);
    await startImport(owner, clinic, id);
    await sql`alter table clinic_patients add constraint refuses check (name <> 'Arjun') not valid`;
    try {
      await runImport(owner, id);
      expect(await getImport(owner, clinic, id)).toMatchObject({ state: "stopped", fault: "value-refused" });
    } finally {
      await sql`alter table clinic_patients drop constraint refuses`;
    }
    await undo(id);
    expect(await getImport(owner, clinic, id)).toMatchObject({ state: "undone" });
  });

  it("finishes an undo whose starter has deleted the account", async () => {
    const id = await check(REGISTER);
    await commit(id);
    await undoImport(owner, clinic, id);
    await sql`update imports set created_by = null where id = ${id}`;
    await runImport(owner, id);
    expect(await getImport(owner, clinic, id)).toMatchObject({ state: "undone", outcomes: { removed: 3 } });
    expect(await register()).toHaveLength(0);
  });

  it("goes on where it was when the disk was full or the bucket silent, and adds no one twice", async () => {
    const silent = { ...owner, integrations: { ...owner.integrations, storage: { ...owner.integrations.storage, get: fails } } };
    const id = await upload(REGISTER);
    const { mapping, order } = await getImport(owner, clinic, id);
    await chooseColumns(owner, clinic, { id, mapping: mapping as (ImportField | null)[], order });
    await expect(runImport(silent, id)).rejects.toMatchObject({ code: "unavailable" });
    await runImport(owner, id);
    await startImport(owner, clinic, id);
    await sql`create function disk_full() returns trigger language plpgsql as $$ begin raise exception 'no space' using errcode = '53100'; end $$`;
    await sql`create trigger disk_full before update on import_rows for each statement execute function disk_full()`;
    try {
      // After the patients, in their transaction.
      await expect(runImport(owner, id)).rejects.toThrow();
      expect(await getImport(owner, clinic, id)).toMatchObject({ state: "importing", done: 0 });
      expect(await register()).toHaveLength(0);
    } finally {
      await sql`drop trigger disk_full on import_rows`;
      await sql`drop function disk_full()`;
    }
    await runImport(owner, id);
    expect(await getImport(owner, clinic, id)).toMatchObject({ state: "done", outcomes: { added: 3 } });
    expect(await register()).toHaveLength(3);
  });

  it("finds the order of dates in a column that it did not guess, and asks before it reads them", async () => {
    const columns = async (csv: string) => {
      const id = await upload(csv);
      const choose = () => chooseColumns(owner, clinic, { id, mapping: ["name", "born"], order: "dmy" });
      await choose();
      return { id, choose, facts: await getImport(owner, clinic, id) };
    };
    const decided = await columns("Name,Card\nSita,02/03/1984\nRavi,03/25/1984\n");
    expect(decided.facts).toMatchObject({ state: "checking", order: "mdy" });
    // Both files have their question: only this one is open.
    const open = await columns("Name,Card,Seen\nSita,02/03/1984,25/12/2020\n");
    expect(open.facts).toMatchObject({
      state: "uploaded",
      mapping: ["name", "born", null],
      reading: { ask: { row: 2, value: "02/03/1984" } },
    });
    await open.choose();
    expect(await getImport(owner, clinic, open.id)).toMatchObject({ state: "checking", order: "dmy" });
  });

  it("reads dates without a format by the first day of their workbook, also once the rows are corrected as CSV", async () => {
    const rows = [
      ["Name", "DOB", "Number"],
      ["Sita", 29281, 29281],
      ["Ravi", 29281, 29282],
    ];
    const read = async (dateSystem: "1900" | "1904") => {
      const { id: fileId } = await storeImportFile(owner, clinic, {
        name: "register.xlsx",
        bytes: await writeXlsx({ sheets: [{ name: "Register", rows }], dateSystem }),
      });
      const id = await uploadImport(owner, clinic, { kind: "patients", fileId });
      await chooseColumns(owner, clinic, { id, mapping: ["name", "born", "number"], order: "dmy" });
      await runImport(owner, id);
      return id;
    };
    const bornOf = async (id: string) =>
      (await listRows(owner, clinic, id, {})).rows.map(({ values }) => (values as PatientRow).born?.date);
    const [mac, windows] = [await read("1904"), await read("1900")];
    expect(await bornOf(mac)).toEqual(["1984-03-02", "1984-03-02"]);
    expect(await bornOf(windows)).toEqual(["1980-03-01", "1980-03-01"]);
    const again = await check(await rowsFile(owner, clinic, mac, {}));
    expect(await bornOf(again)).toEqual(["1984-03-02", "1984-03-02"]);
    expect((await listRows(owner, clinic, mac, {})).rows[0]!.cells).toEqual(["Sita", "1984-03-02", "29281"]);
  });

  it("limits uploads and checks of a day", async () => {
    const id = await upload(REGISTER);
    const at = (ms: number) => {
      const now = new Date(owner.now.getTime() + ms);
      return { ...owner, now, actor: { ...owner.actor, provenAt: now } };
    };
    const columns = { id, mapping: [null, "name", "phone", null, null, null, null] as (ImportField | null)[], order: "dmy" as const };
    const step = days(1) / LIMITS["import-check-day"].max - 1;
    for (let n = 0; n < LIMITS["import-check-day"].max; n++) {
      await chooseColumns(at(n * step), clinic, columns);
      await sql`update imports set state = 'checked' where id = ${id}`;
      if (n > 0 && n < LIMITS["import-day"].max) await storeImportFile(at(n * step), clinic, { name: "a.csv", bytes: bytes(REGISTER) });
    }
    const last = at(days(1) - 1);
    await expect(chooseColumns(last, clinic, columns)).rejects.toMatchObject({ code: "too-many" });
    await expect(readOtherSheet(last, clinic, { id, sheet: "x" })).rejects.toMatchObject({ code: "too-many" });
    await expect(storeImportFile(last, clinic, { name: "a.csv", bytes: bytes(REGISTER) })).rejects.toMatchObject({ code: "too-many" });
  });

  it("stops when the member is removed meanwhile", async () => {
    const id = await check(REGISTER);
    await startImport(owner, clinic, id);
    await sql`update memberships set state = 'ended', ended_at = now() where user_id = ${owner.actor.userId}`;
    await runImport(owner, id);
    const [row] = await db.select().from(imports).where(eq(imports.id, id));
    expect(row).toMatchObject({ state: "stopped", fault: "not-allowed" });
    expect(await register()).toHaveLength(0);
  });

  it("stops when the user is disabled meanwhile, and finishes an undo", async () => {
    const [id, undone] = [await check(REGISTER), await check("Name,Mobile\nSita,9000000188\n")];
    await commit(undone);
    await undoImport(owner, clinic, undone);
    await startImport(owner, clinic, id);
    await sql`update users set status = 'disabled' where id = ${owner.actor.userId}`;
    await Promise.all([runImport(owner, id), runImport(owner, undone)]);
    const stateOf = async (one: string) => (await db.select().from(imports).where(eq(imports.id, one)))[0];
    expect(await stateOf(id)).toMatchObject({ state: "stopped", fault: "not-allowed" });
    expect(await stateOf(undone)).toMatchObject({ state: "undone" });
    expect(await register()).toHaveLength(0);
  });

  it("is checked for the other owner when the one who uploaded it has left", async () => {
    const id = await upload(REGISTER);
    const other = ctx(await makeMember(db, clinic.hospitalId!, "owner"));
    await sql`update memberships set state = 'ended', ended_at = now() where user_id = ${owner.actor.userId}`;
    await chooseColumns(other, clinic, { id, mapping: [null, "name", "phone", null, null, null, null], order: "dmy" });
    await runImport(owner, id);
    expect(await getImport(other, clinic, id)).toMatchObject({ state: "checked", groups: { new: 3 } });
  });

  it("keeps its rows while it can be undone, however long ago it was uploaded", async () => {
    const id = await check(REGISTER);
    await commit(id);
    await sql`update imports set created_at = created_at - interval '60 days' where id = ${id}`;
    const rowsAfter = async (count: number) => {
      await sweepMovedData({ ...owner, now: new Date(owner.now.getTime() + days(count)) });
      return db.$count(importRows, eq(importRows.importId, id));
    };
    expect(await rowsAfter(7)).toBeGreaterThan(0);
    await sql`update imports set state = 'undoing' where id = ${id}`;
    expect(await rowsAfter(20)).toBeGreaterThan(0);
    await sql`update imports set state = 'undone' where id = ${id}`;
    expect(await rowsAfter(9)).toBe(0);
  });

  it("leaves patients that were used since, and says which", async () => {
    const id = await check(REGISTER);
    await commit(id);
    await sql`update clinic_patients set updated_at = updated_at + interval '1 hour' where name = 'Arjun' and hospital_id = ${clinic.hospitalId!}`;
    expect(await countUsed(owner, clinic, id)).toBe(1);
    await undo(id);
    expect((await register()).map(({ name }) => name)).toEqual(["Arjun"]);
    expect(await getImport(owner, clinic, id)).toMatchObject({ state: "undone", outcomes: { removed: 2, stays: 1 } });
    expect((await listRows(owner, clinic, id, { outcome: "stays" })).rows.map(({ number }) => number)).toEqual([4]);
  });

  it("leaves patients with a token since, and accounts with a talk by message", async () => {
    const id = await check(REGISTER);
    await commit(id);
    const doctor = await makeDoctor(db, { name: "Anjali Vemuri" });
    await addPlaceDoctor(db, clinic.hospitalId!, doctor.id);
    await sql`update doctors set hospital_id = ${clinic.hospitalId!} where id = ${doctor.id}`;
    const sessionId = await makeSession(db, doctor.id);
    const reception = ctx(await makeMember(db, clinic.hospitalId!, "reception"));
    const formKey = randomUUID();
    await addWalkIn(reception, {
      sessionId,
      formKey,
      name: "Arjun",
      phone: "+919000000121",
      age: 9,
      gender: "male",
      priority: "normal",
    } as never);
    const [rehana] =
      await sql`select patient_id from clinic_patients where phone = '+919000000122' and hospital_id = ${clinic.hospitalId!}`;
    await sql`insert into message_threads (channel, phone, patient_id) values ('sms', '+919000000122', ${rehana!.patient_id})`;
    expect(await countUsed(owner, clinic, id)).toBe(2);
    await undo(id);
    // The token has a sealed name: both of the family stay.
    expect((await register()).map(({ name }) => name)).toEqual(["Arjun", "Lakshmi Prasanna Devi"]);
    expect(await sql`select from message_threads where patient_id = ${rehana!.patient_id}`).toHaveLength(1);
  });

  it("can be undone until the end of the seventh day, and once", async () => {
    const id = await check(REGISTER);
    await commit(id);
    const { undoUntil } = await getImport(owner, clinic, id);
    const at = (now: Date) => ({ ...owner, now, actor: { ...owner.actor, provenAt: now } });
    expect(undoUntil!.getTime()).toBe((await getImport(owner, clinic, id)).finishedAt!.getTime() + days(7));
    await expect(undoImport(at(new Date(undoUntil!.getTime() + 1)), clinic, id)).rejects.toMatchObject({ code: "conflict" });
    await undoImport(at(undoUntil!), clinic, id);
    await expect(undoImport(owner, clinic, id)).rejects.toMatchObject({ code: "conflict" });
    await runImport(owner, id);
    await expect(undoImport(owner, clinic, id)).rejects.toMatchObject({ code: "conflict" });
    expect(await register()).toHaveLength(0);
  });

  it("an undo leaves the tables as they were, whatever the file has", async () => {
    await commit(await check("Name,Mobile,Age\nLakshmi Prasanna Devi,9000000121,46\nArjun,9000000122,9\n"));
    const name = fc.constantFrom("Lakshmi Prasanna Devi", "Lakshmi P.", "Arjun", "Sita", "", "=A1", "షేక్ రెహానా");
    const phone = fc.constantFrom("9000000121", "9000000122", "9000000199", "98480 1234", "", "90000 00121 / 90000 00188");
    const age = fc.constantFrom("46", "9", "", "210", "31/02/1990", "02/03/1984");
    const number = fc.constantFrom("", "1", "2");
    const decision = fc.constantFrom("same" as const, "other" as const, "leave-out" as const, null);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(name, phone, age, number), { minLength: 1, maxLength: 8 }), decision, async (rows, decided) => {
        const before = await dump();
        const id = await check(`Name,Mobile,Age,OP No\n${rows.map((row) => row.join(",")).join("\n")}\nEnd,9000000177,1,\n`);
        await decideAll(owner, clinic, { id, decision: decided });
        await commit(id);
        await undo(id);
        expect(await dump()).toBe(before);
      }),
      { numRuns: 8 },
    );
  }, 60_000);
});

describe("appointments", () => {
  const day = (count: number) => addDays(todayInIndia(owner.now), count).split("-").reverse().join("/");
  it("brings history, asks about unknown doctors and patients, and takes real times", async () => {
    const doctor = await makeDoctor(db, { name: "Anjali Vemuri" });
    await addPlaceDoctor(db, clinic.hospitalId!, doctor.id);
    await sql`update doctors set hospital_id = ${clinic.hospitalId!} where id = ${doctor.id}`;
    await sql`insert into availability_slots (doctor_id, date, time) values (${doctor.id}, ${addDays(todayInIndia(owner.now), 3)}, '10:30')`;
    await commit(await check("OP No,Name,Mobile,Age,Sex\nOP/1,Lakshmi Devi,9000000121,46,F\nOP/2,Arjun,9000000122,9,M\n"));
    const before = await dump();
    const id = await check(
      [
        "Date,Time,Doctor,OP No,Mobile,Name,Status,Fee,Paid",
        `${day(-30)},10.30,Dr. Anjali,OP/1,,,seen,500,500`,
        `${day(-20)},,Dr. Kolli,OP/2,,,no show,500,`,
        `${day(3)},10:30 AM,Anjali Vemuri,OP/1,,,booked,,`,
        `${day(3)},10:30 AM,Anjali Vemuri,OP/2,,,booked,,`,
        `${day(4)},11:00,Anjali Vemuri,OP/2,,,booked,,`,
        `${day(-5)},09:00,,,9000000199,Sita,seen,,`,
        "31/02/2026,10:00,,OP/1,,,seen,,",
      ].join("\n"),
      "appointments",
    );
    expect(await groups(id)).toEqual({ new: 2, here: 0, decision: 4, unreadable: 1 });
    const { rows } = await listRows(owner, clinic, id, { group: "decision" });
    expect(rows.map(({ reason }) => reason)).toEqual(["doctor-unknown", "time-taken", "time-closed", "patient-unknown"]);
    await decideRows(owner, clinic, {
      id,
      rows: new Map([
        [3, { decision: "other" }],
        [7, { decision: "other" }],
      ]),
    });
    await commit(id);
    const past = await sql`select doctor_name, status, fee::int from past_appointments order by date`;
    expect(past.map((row) => ({ ...row }))).toEqual([
      { doctor_name: "Dr. Anjali", status: "seen", fee: 50_000 },
      { doctor_name: "Dr. Kolli", status: "no-show", fee: 50_000 },
      { doctor_name: "Anjali Vemuri", status: "seen", fee: null },
    ]);
    expect(await sql`select from slot_claims where doctor_id = ${doctor.id}`).toHaveLength(1);
    expect(await sql`select from notifications`).toHaveLength(0);
    await undo(id);
    expect(await sql`select from notifications`).toHaveLength(0);
    expect(await dump()).toBe(before);
  });

  /** A doctor of the clinic with times in three days. */
  async function doctorHere(name: string, ...times: string[]) {
    const date = addDays(todayInIndia(owner.now), 3);
    const doctor = await makeDoctor(db, { name, slots: times.map((time) => ({ date, time })) });
    await addPlaceDoctor(db, clinic.hospitalId!, doctor.id);
    await sql`update doctors set hospital_id = ${clinic.hospitalId!} where id = ${doctor.id}`;
    return doctor;
  }
  const reasons = async (id: string) => (await listRows(owner, clinic, id, {})).rows.map(({ group, reason }) => reason ?? group);
  const history = () =>
    sql`select p.date::text, p.doctor_name, p.status from past_appointments p join clinic_patients c on c.id = p.clinic_patient_id
      where c.hospital_id = ${clinic.hospitalId!} order by p.date, p.doctor_name, p.status`;

  it("keeps two visits of one time: cancelled and booked again, and of two doctors", async () => {
    await Promise.all([doctorHere("Anjali Vemuri"), doctorHere("Kiran Rao")]);
    await commit(await check("OP No,Name,Mobile,Age,Sex\nOP/1,Lakshmi,9000000121,46,F\n"));
    const lines = [
      `${day(-9)},10:30,Anjali Vemuri,cancelled`,
      `${day(-9)},10:30,Anjali Vemuri,seen`,
      `${day(-9)},10:30,Dr. Anjali,seen`,
      `${day(-8)},,Anjali Vemuri,seen`,
      `${day(-8)},,Kiran Rao,seen`,
    ];
    const file = `Date,Time,Doctor,Status,OP No\n${lines.map((line) => `${line},OP/1`).join("\n")}\n`;
    const id = await check(file, "appointments");
    expect(await reasons(id)).toEqual(["new", "new", "here", "new", "new"]);
    await commit(id);
    expect((await history()).map(({ doctor_name, status }) => [doctor_name, status])).toEqual([
      ["Anjali Vemuri", "cancelled"],
      ["Anjali Vemuri", "seen"],
      ["Anjali Vemuri", "seen"],
      ["Kiran Rao", "seen"],
    ]);
    expect(await groups(await check(file, "appointments"))).toMatchObject({ new: 0, here: 5 });
  });

  it("asks the next question of a row after each decision, and imports what was decided", async () => {
    const doctor = await doctorHere("Anjali Vemuri", "10:30", "11:00");
    await doctorHere("Kiran Rao");
    await commit(await check("OP No,Name,Mobile,Age,Sex\nOP/1,Lakshmi,9000000121,46,F\n"));
    const file = [
      "Date,Time,Doctor,Mobile,Name,Paid",
      // Her phone and another name; no doctor; no such time.
      `${day(3)},10:00,,9000000121,Lakshmi D.,200`,
      `${day(-3)},10:00,Dr. Kolli,9000000121,Gouri,`,
    ].join("\n");
    const id = await check(file, "appointments");
    expect(await reasons(id)).toEqual(["patient-unclear", "patient-unclear"]);
    expect((await listRows(owner, clinic, id, {})).rows[0]!.notices).toEqual(["payment-not-stored"]);
    const decide = (row: number, decision: "same" | "other") => decideRows(owner, clinic, { id, rows: new Map([[row, { decision }]]) });
    expect(await decide(2, "same")).toBe(1);
    expect(await decide(3, "other")).toBe(1);
    expect(await reasons(id)).toEqual(["doctor-needed", "doctor-unknown"]);
    expect(await getImport(owner, clinic, id)).toMatchObject({ undecided: 2, ready: 0 });
    expect(
      await decideAll(owner, clinic, { id, question: "doctor-needed", doctorName: null, decision: "doctor", doctorId: doctor.id }),
    ).toBe(1);
    expect(await reasons(id)).toEqual(["time-closed", "doctor-unknown"]);
    expect(await decideAll(owner, clinic, { id, decision: "other" })).toBe(0);
    await commit(id);
    expect((await getImport(owner, clinic, id)).outcomes).toMatchObject({ added: 2, undecided: 0 });
    const booked =
      await sql`select doctor_id, to_char(time, 'HH24:MI') as time, patient_name from appointments where doctor_id = ${doctor.id}`;
    expect(booked.map((row) => ({ ...row }))).toEqual([{ doctor_id: doctor.id, time: "10:30", patient_name: "Lakshmi" }]);
    // A new patient, although the last question was about the doctor.
    expect((await register()).map(({ name }) => name)).toEqual(["Gouri", "Lakshmi"]);
  });

  it("promises a decided row no seat of another row of the file", async () => {
    const doctor = await doctorHere("Anjali Vemuri", "10:30", "11:00");
    await doctorHere("Kiran Rao");
    await commit(await check("OP No,Name,Mobile,Age,Sex\nOP/1,Lakshmi,9000000121,46,F\nOP/2,Ravi,9000000122,46,M\n"));
    const file = [
      "Date,Time,Doctor,Mobile,Name",
      `${day(3)},10:30,Anjali Vemuri,9000000121,Lakshmi`,
      `${day(3)},10:30,Anjali Vemuri,9000000122,Ravi K.`,
      `${day(3)},11:00,,9000000121,Lakshmi`,
      `${day(3)},11:00,,9000000122,Ravi`,
    ].join("\n");
    const id = await check(file, "appointments");
    expect(await reasons(id)).toEqual(["new", "patient-unclear", "doctor-needed", "doctor-needed"]);
    const decide = (row: number, choice: RowChoice) => decideRows(owner, clinic, { id, rows: new Map([[row, choice]]) });
    expect(await decide(3, { decision: "same" })).toBe(1);
    expect(await decide(4, { decision: "doctor", doctorId: doctor.id })).toBe(0);
    expect(await decide(5, { decision: "doctor", doctorId: doctor.id })).toBe(1);
    expect(await reasons(id)).toEqual(["new", "time-taken", "doctor-needed", "time-taken"]);
  });

  const seats = async (doctorId: string) =>
    (
      await sql`select to_char(time, 'HH24:MI') as time, patient_name from appointments where doctor_id = ${doctorId} and status <> 'cancelled' order by time`
    ).map(({ time, patient_name }) => `${time} ${patient_name}`);

  it("gives the next free time to one row, says which, and books it", async () => {
    const doctor = await doctorHere("Anjali Vemuri", "09:00", "10:30", "11:00", "11:30");
    const people = ["Lakshmi", "Ravi", "Gouri", "Sita"].map((name, n) => `OP/${n},${name},900000012${n},46,F`);
    await commit(await check(`OP No,Name,Mobile,Age,Sex\n${people.join("\n")}\n`));
    const file = [
      "Date,Time,Doctor,Mobile,Name",
      `${day(3)},10:30,Anjali Vemuri,9000000120,Lakshmi`,
      `${day(3)},10:30,Anjali Vemuri,9000000121,Ravi`,
      `${day(3)},11:00,Anjali Vemuri,9000000122,Gouri K.`,
      `${day(3)},10:30,Anjali Vemuri,9000000123,Sita`,
    ].join("\n");
    const id = await check(file, "appointments");
    expect(await reasons(id)).toEqual(["new", "time-taken", "patient-unclear", "time-taken"]);
    const decide = (row: number, decision: "same" | "other") => decideRows(owner, clinic, { id, rows: new Map([[row, { decision }]]) });
    expect(await decide(3, "other")).toBe(0);
    // Her time is that of the row before by now.
    expect(await decide(4, "same")).toBe(1);
    expect(await decide(5, "other")).toBe(0);
    expect(await decide(4, "other")).toBe(1);
    expect(await reasons(id)).toEqual(["new", "time-taken", "day-full", "time-taken"]);
    const shown = (await rowsFile(owner, clinic, id, {})).split("\n").map((line) => line.split(",").at(-1)!.trim());
    expect(shown.slice(1, 5)).toEqual(["", "Next free time of that day: 11:00 AM", "", "Next free time of that day: 11:30 AM"]);
    await commit(id);
    expect(await seats(doctor.id)).toEqual(["10:30 Lakshmi", "11:00 Ravi", "11:30 Sita"]);
    expect((await getImport(owner, clinic, id)).outcomes).toMatchObject({ added: 3, moved: 2, undecided: 1, leftOut: 0 });
    expect((await rowsFile(owner, clinic, id, { outcome: "moved" })).trim().split("\r\n")).toHaveLength(3);
    // Imported again, the rows are here at the times that they got, also when the desk has moved one since.
    const [lakshmi] = await sql<{ id: string }[]>`select id from appointments where doctor_id = ${doctor.id} and patient_name = 'Lakshmi'`;
    await sql`update appointments set time = '09:00' where id = ${lakshmi!.id}`;
    const again = await check(file, "appointments");
    expect(await groups(again)).toEqual({ new: 0, here: 3, decision: 1, unreadable: 0 });
  });

  it("two imports of one file at once give a row one time, where both choose the next free one", async () => {
    const doctor = await doctorHere("Anjali Vemuri", "10:30", "11:00", "11:30", "12:00");
    await commit(await check("OP No,Name,Mobile,Age,Sex\nOP/1,Lakshmi,9000000121,46,F\nOP/2,Ravi,9000000122,50,M\n"));
    const line = (of: string) => `${day(3)},10:30,Anjali Vemuri,${of}`;
    const file = `Date,Time,Doctor,Mobile,Name\n${line("9000000121,Lakshmi")}\n${line("9000000122,Ravi")}\n`;
    const ids = [await check(file, "appointments"), await check(file, "appointments")];
    for (const id of ids) await decideAll(owner, clinic, { id, decision: "other" });
    await commit(ids[0]!);
    // The second asks again, as its times are gone.
    if (await startImport(owner, clinic, ids[1]!)) {
      await decideAll(owner, clinic, { id: ids[1]!, decision: "other" });
      await startImport(owner, clinic, ids[1]!);
    }
    await runImport(owner, ids[1]!);
    expect(await seats(doctor.id)).toEqual(["10:30 Lakshmi", "11:00 Ravi"]);
  });

  it("asks again, and imports nothing, when the time of a row was booked since the check", async () => {
    const doctor = await doctorHere("Anjali Vemuri", "10:30", "11:00", "11:30");
    await commit(await check("OP No,Name,Mobile,Age,Sex\nOP/1,Lakshmi,9000000121,46,F\nOP/2,Ravi,9000000122,46,M\n"));
    const id = await check(
      `Date,Time,Doctor,OP No\n${day(3)},10:30,Anjali Vemuri,OP/1\n${day(3)},10:30,Anjali Vemuri,OP/2\n${day(-3)},10:30,,OP/2\n`,
      "appointments",
    );
    await decideAll(owner, clinic, { id, decision: "other" });
    for (const time of ["10:30", "11:00"] as const)
      await makeVisit(db, { doctor, patient: await makePatient(db) }, { name: "Caller", date: addDays(todayInIndia(owner.now), 3), time });
    expect(await startImport(owner, clinic, id)).toBe(2);
    expect(await getImport(owner, clinic, id)).toMatchObject({ state: "checked", undecided: 2 });
    expect(await reasons(id)).toEqual(["time-taken", "time-taken", "new"]);
    expect(await history()).toHaveLength(0);
    await decideRows(owner, clinic, { id, rows: new Map([[2, { decision: "other" }]]) });
    expect(await startImport(owner, clinic, id)).toBe(0);
    await runImport(owner, id);
    expect(await seats(doctor.id)).toEqual(["10:30 Caller", "11:00 Caller", "11:30 Lakshmi"]);
    expect((await getImport(owner, clinic, id)).outcomes).toMatchObject({ added: 2, undecided: 1 });
  });

  it("says at once that a new patient cannot be booked without age and gender", async () => {
    await doctorHere("Anjali Vemuri", "10:30");
    await commit(await check("OP No,Name,Mobile,Age,Sex\nOP/1,Lakshmi,9000000121,46,F\n"));
    const id = await check(`Date,Time,Doctor,Mobile,Name\n${day(3)},10:30,Anjali Vemuri,9000000121,Gouri\n`, "appointments");
    expect(await reasons(id)).toEqual(["patient-unclear"]);
    await decideAll(owner, clinic, { id, decision: "other" });
    expect((await listRows(owner, clinic, id, {})).rows).toMatchObject([{ group: "unreadable", reason: "patient-incomplete" }]);
  });

  it("gives a doctor to all rows that name none, and to no row of another name", async () => {
    const doctor = await doctorHere("Anjali Vemuri", "10:30", "11:00");
    await doctorHere("Kiran Rao");
    await commit(await check("OP No,Name,Mobile,Age,Sex\nOP/1,Lakshmi,9000000121,46,F\nOP/2,Ravi,9000000122,46,M\n"));
    const id = await check(`Date,Time,Doctor,OP No\n${day(3)},10:30,,OP/1\n${day(3)},11:00,Dr. Kolli,OP/2\n`, "appointments");
    await decideAll(owner, clinic, { id, question: "doctor-needed", doctorName: null, decision: "doctor", doctorId: doctor.id });
    expect((await listRows(owner, clinic, id, {})).rows.map(({ decidedDoctorId }) => decidedDoctorId)).toEqual([doctor.id, null]);
  });

  it("finds a doctor by the word for messages or the registration number, and counts the seats of a time", async () => {
    const doctor = await doctorHere("Anjali Vemuri", "10:30");
    const other = await doctorHere("Kiran Rao");
    await sql`update practices set keyword = 'ANJU' where doctor_id = ${doctor.id}`;
    await sql`update doctors set council_number = 'APMC/77' where id = ${other.id}`;
    await sql`update availability_slots set seats = 2 where doctor_id = ${doctor.id}`;
    await commit(await check("OP No,Name,Mobile,Age,Sex\nOP/1,A,9000000121,46,F\nOP/2,B,9000000122,46,F\nOP/3,C,9000000123,46,F\n"));
    const lines = [1, 2, 3].map((n) => `${day(3)},10:30,anju,OP/${n}`);
    const id = await check(`Date,Time,Doctor,OP No\n${lines.join("\n")}\n${day(-3)},10:30,apmc 77,OP/1\n`, "appointments");
    expect(await reasons(id)).toEqual(["new", "new", "time-taken", "new"]);
    await commit(id);
    expect(await sql`select from slot_claims where doctor_id = ${doctor.id}`).toHaveLength(2);
    expect(await sql`select from past_appointments where doctor_id = ${other.id}`).toHaveLength(1);
  });

  it("an undo leaves the tables as they were, whatever appointments the file has", async () => {
    await doctorHere("Anjali Vemuri", "10:30", "11:00");
    await doctorHere("Kiran Rao", "10:30");
    await commit(await check("OP No,Name,Mobile,Age,Sex\nOP/1,Lakshmi,9000000121,46,F\nOP/2,Arjun,9000000122,9,M\n"));
    const row = fc.tuple(
      fc.constantFrom(day(-9), day(-8), day(3), "31/02/2026"),
      fc.constantFrom("10:30", "11:00", ""),
      fc.constantFrom("Anjali Vemuri", "Dr. Kiran", "Dr. Kolli", ""),
      fc.constantFrom("OP/1,,", "OP/2,9000000121,", ",9000000121,Lakshmi", ",9000000121,Sita", ",9000000199,Gouri"),
      fc.constantFrom("seen", "booked", "cancelled", ""),
    );
    const decision = fc.constantFrom("same" as const, "other" as const, null);
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 8 }), decision, decision, async (rows, first, second) => {
        const before = await dump();
        const lines = rows.map(([date, time, doctor, who, status]) => [date, time, doctor, who, status].join(","));
        const id = await check(
          `Date,Time,Doctor,OP No,Mobile,Name,Status\n${lines.join("\n")}\n${day(-7)},,,OP/1,,,seen\n`,
          "appointments",
        );
        for (const one of [first, second]) await decideAll(owner, clinic, { id, decision: one });
        await commit(id);
        await undo(id);
        expect(await dump()).toBe(before);
      }),
      { numRuns: 6 },
    );
  }, 60_000);

  it("shows each person that their history was added and removed, once for each import", async () => {
    await commit(await check("OP No,Name,Mobile,Age\nOP/1,Lakshmi,9000000121,46\n"));
    const id = await check(`Date,Time,OP No\n${day(-3)},10:00,OP/1\n${day(-4)},10:00,OP/1\n`, "appointments");
    await commit(id);
    await undo(id);
    const logged = await sql`select a.action from audit_log a join clinic_patients c on c.patient_id = a.person_id
      where c.hospital_id = ${clinic.hospitalId!} and a.subject_id = ${id} order by a.id`;
    expect(logged.map(({ action }) => action)).toEqual(["import-patient", "import-undo-patient"]);
  });

  it("adds no patient for a coming appointment that cannot be booked, and does not ask in vain", async () => {
    const doctor = await makeDoctor(db, { name: "Anjali Vemuri", slots: [{ date: addDays(todayInIndia(owner.now), 3), time: "10:30" }] });
    await addPlaceDoctor(db, clinic.hospitalId!, doctor.id);
    await sql`update doctors set hospital_id = ${clinic.hospitalId!} where id = ${doctor.id}`;
    await commit(await check("Name,Mobile,Age,Sex\nLakshmi Devi,9000000121,46,F\n"));
    const before = await dump();
    const lines = ["9000000199,Sita", "9000000121,Gouri"].map((who) => `${day(3)},10:30,Anjali Vemuri,${who}`);
    const id = await check(`Date,Time,Doctor,Mobile,Name\n${lines.join("\n")}\n`, "appointments");
    const { rows } = await listRows(owner, clinic, id, {});
    expect(rows.map(({ group, reason }) => [group, reason])).toEqual([
      ["unreadable", "patient-incomplete"],
      ["decision", "patient-unclear"],
    ]);
    await decideAll(owner, clinic, { id, decision: "other" });
    await commit(id);
    expect((await getImport(owner, clinic, id)).outcomes).toMatchObject({ added: 0, unreadable: 2 });
    expect(await dump()).toBe(before);
  });

  it("announces its bookings once, and their undo, and offers the freed time to the first who waits", async () => {
    const date = addDays(todayInIndia(owner.now), 3);
    const doctor = await makeDoctor(db, { name: "Anjali Vemuri", slots: [0, 1, 2].map((n) => ({ date, time: `1${n}:00` })) });
    await addPlaceDoctor(db, clinic.hospitalId!, doctor.id);
    await sql`update doctors set hospital_id = ${clinic.hospitalId!} where id = ${doctor.id}`;
    await commit(await check("Name,Mobile,Age,Sex\nLakshmi,9000000121,46,F\nArjun,9000000122,9,M\nSita,9000000123,30,F\n"));
    const lines = ["9000000121,Lakshmi", "9000000122,Arjun", "9000000123,Sita"].map((who, n) => `${day(3)},1${n}:00,Anjali Vemuri,${who}`);
    const id = await check(`Date,Time,Doctor,Mobile,Name\n${lines.join("\n")}\n`, "appointments");
    expect(await groups(id)).toMatchObject({ new: 3 });
    const purges = async () => (await sql`select from live_events where channel = ${CHANNELS.pages}`).length;
    const before = await purges();
    await commit(id);
    expect(await purges()).toBe(before + 1);
    const waits = await makePatient(db, { name: "Waits" });
    const wish = { practiceId: undefined, appointment: undefined, who: "me" as const, name: undefined, age: 40, gender: "female" as const };
    await joinWaitlist(ctx(waits.actor), { doctorId: doctor.id, date, days: 0, parts: [], sms: true, ...wish });
    await undo(id);
    expect(await sql`select from waitlist_offers where doctor_id = ${doctor.id} and state = 'offered'`).toHaveLength(1);
    const events =
      await sql`select kind, count(*)::int as n from domain_events where doctor_id = ${doctor.id} and kind like 'appointment.%' group by 1`;
    expect(Object.fromEntries(events.map(({ kind, n }) => [kind, n]))).toEqual({
      "appointment.book": 3,
      "appointment.accept": 3,
      "appointment.cancel": 3,
    });
  });

  it("gives rows of an unknown doctor one of the clinic, also for all of a name", async () => {
    const doctor = await makeDoctor(db, { name: "Anjali Vemuri", slots: [{ date: addDays(todayInIndia(owner.now), 3), time: "10:30" }] });
    await addPlaceDoctor(db, clinic.hospitalId!, doctor.id);
    await sql`update doctors set hospital_id = ${clinic.hospitalId!} where id = ${doctor.id}`;
    await commit(await check("OP No,Name,Mobile,Age,Sex\nOP/1,Lakshmi,9000000121,46,F\n"));
    const lines = [`${day(-3)},,Dr. Kolli`, `${day(-2)},,Dr. Kolli`, `${day(3)},10:30,Dr. Kolli`, `${day(-4)},,Dr. Rao`];
    const id = await check(`Date,Time,Doctor,OP No\n${lines.map((line) => `${line},OP/1`).join("\n")}\n`, "appointments");
    const { asked, doctors } = await listQuestions(owner, clinic, id);
    expect(doctors).toEqual([{ id: doctor.id, name: "Anjali Vemuri" }]);
    expect(asked).toEqual([
      { question: "doctor-unknown", doctorName: "Dr. Kolli", count: 2 },
      { question: "doctor-needed", doctorName: "Dr. Kolli", count: 1 },
      { question: "doctor-unknown", doctorName: "Dr. Rao", count: 1 },
    ]);
    const chosen = { decision: "doctor" as const, doctorId: doctor.id };
    const stranger = { decision: "doctor" as const, doctorId: (await makeDoctor(db)).id };
    await expect(decideAll(owner, clinic, { id, ...stranger })).rejects.toMatchObject({ code: "invalid" });
    await expect(decideRows(owner, clinic, { id, rows: new Map([[2, stranger]]) })).rejects.toMatchObject({ code: "invalid" });
    // Of a call with both, nothing is stored when one is refused.
    const both = { id, all: { decision: "leave-out" as const }, rows: new Map([[2, stranger]]) };
    await expect(decideAllAndRows(owner, clinic, both)).rejects.toMatchObject({ code: "invalid" });
    expect(await getImport(owner, clinic, id)).toMatchObject({ undecided: 4 });
    await decideAllAndRows(owner, clinic, { ...both, rows: new Map([2, 3, 4, 5].map((row) => [row, { decision: null }])) });
    expect(await getImport(owner, clinic, id)).toMatchObject({ undecided: 4 });
    await decideAll(owner, clinic, { id, question: "doctor-unknown", doctorName: "Dr. Kolli", ...chosen });
    await decideRows(owner, clinic, { id, rows: new Map([[4, chosen]]) });
    expect(await getImport(owner, clinic, id)).toMatchObject({ ready: 3, undecided: 1 });
    await commit(id);
    const past =
      await sql`select p.doctor_id, p.doctor_name from past_appointments p join clinic_patients c on c.id = p.clinic_patient_id where c.hospital_id = ${clinic.hospitalId!}`;
    expect(past.map((row) => ({ ...row }))).toEqual([1, 2].map(() => ({ doctor_id: doctor.id, doctor_name: "Dr. Kolli" })));
    expect(await sql`select from slot_claims where doctor_id = ${doctor.id}`).toHaveLength(1);
    // Imported again, the coming visit is known by the doctor of the file.
    const again = await check(`Date,Time,Doctor,OP No\n${day(3)},10:30,Dr. Kolli,OP/1\n`, "appointments");
    expect(await groups(again)).toMatchObject({ here: 1, decision: 0 });
  });

  it("leaves out a time of a practice that was closed meanwhile, and stops when the clinic was", async () => {
    const date = addDays(todayInIndia(owner.now), 3);
    const doctor = await makeDoctor(db, { name: "Anjali Vemuri" });
    await addPlaceDoctor(db, clinic.hospitalId!, doctor.id);
    const slots = ["10:30", "11:00"].map((time) => ({ date, time }));
    const practice = await makePractice(db, doctor.id, { hospitalId: clinic.hospitalId!, slots });
    await commit(await check("OP No,Name,Mobile,Age,Sex\nOP/1,Lakshmi,9000000121,46,F\n"));
    const [open, closed] = [
      await check(`Date,Time,Doctor,OP No\n${day(3)},10:30,Anjali Vemuri,OP/1\n`, "appointments"),
      await check(`Date,Time,Doctor,OP No\n${day(3)},11:00,Anjali Vemuri,OP/1\n`, "appointments"),
    ];
    expect(await groups(open)).toMatchObject({ new: 1 });
    for (const id of [open, closed]) await startImport(owner, clinic, id);
    await sql`update practices set state = 'closed', closed_at = now() where id = ${practice.id}`;
    await runImport(owner, open);
    expect((await listRows(owner, clinic, open, { outcome: "left-out" })).rows).toMatchObject([
      { group: "decision", reason: "time-closed" },
    ]);
    expect(await sql`select from slot_claims where doctor_id = ${doctor.id}`).toHaveLength(0);
    await sql`update hospitals set status = 'pending' where id = ${clinic.hospitalId!}`;
    await runImport(owner, closed);
    await sql`update hospitals set status = 'active' where id = ${clinic.hospitalId!}`;
    expect(await getImport(owner, clinic, closed)).toMatchObject({ state: "stopped", fault: "not-allowed" });
  });

  it("and the desk at once give a time to one of them", async () => {
    const date = addDays(todayInIndia(owner.now), 3);
    const doctor = await makeDoctor(db, { name: "Anjali Vemuri", slots: ["10:00", "10:30", "11:00"].map((time) => ({ date, time })) });
    await addPlaceDoctor(db, clinic.hospitalId!, doctor.id);
    await sql`update doctors set hospital_id = ${clinic.hospitalId!} where id = ${doctor.id}`;
    const reception = ctx(await makeMember(db, clinic.hospitalId!, "reception"));
    await commit(await check("OP No,Name,Mobile,Age,Sex\nOP/1,Lakshmi,9000000121,46,F\n"));
    const lines = ["10:00", "10:30", "11:00"].map((time) => `${day(3)},${time},Anjali Vemuri,OP/1`);
    const id = await check(`Date,Time,Doctor,OP No\n${lines.join("\n")}\n`, "appointments");
    await startImport(owner, clinic, id);
    const call = { hospitalId: clinic.hospitalId!, doctorId: doctor.id, name: "Arjun", age: 9, gender: "male" as const };
    const calls = ["10:00", "10:30", "11:00"].map((time, n) =>
      bookForCaller(reception, { ...call, at: { date, time }, phone: `+91900000013${n}`, idempotencyKey: `race-${n}-${id}` }),
    );
    const booked = (await Promise.allSettled([...calls, runImport(owner, id)])).slice(0, 3).filter(({ status }) => status === "fulfilled");
    await runImport(owner, id);
    const { outcomes } = await getImport(owner, clinic, id);
    expect(booked.length + outcomes.added).toBe(3);
    expect(await sql`select from slot_claims where doctor_id = ${doctor.id}`).toHaveLength(3);
    expect(await sql`select from appointments where doctor_id = ${doctor.id}`).toHaveLength(3);
  });

  it("adds a decided person once for all visits, by number too, and each visit once in two imports", async () => {
    await commit(await check("OP No,Name,Mobile,Age\nOP/1,Lakshmi,9000000121,46\n"));
    const file = [
      "Date,Time,Doctor,OP No,Mobile,Name",
      ...[1, 2, 3].map((n) => `${day(-n)},10:00,,,9000000121,Arjun`),
      ...[4, 5].map((n) => `${day(-n)},10:00,,OP/7,,Sita`),
      ...[6, 7].map((n) => `${day(-n)},10:00,,OP/8,,Sita`),
    ].join("\n");
    const [a, b] = [await check(file, "appointments"), await check(file, "appointments")];
    for (const id of [a, b]) await decideAll(owner, clinic, { id, decision: "other" });
    await Promise.all([startImport(owner, clinic, a), startImport(owner, clinic, b)]);
    await Promise.all([runImport(owner, a), runImport(owner, b)]);
    expect((await register()).map(({ name, number }) => [name, number])).toEqual([
      ["Arjun", null],
      ["Lakshmi", "OP/1"],
      ["Sita", "OP/7"],
      ["Sita", "OP/8"],
    ]);
    const visits = sql`select from past_appointments p join clinic_patients c on c.id = p.clinic_patient_id where c.hospital_id = ${clinic.hospitalId!}`;
    expect(await visits).toHaveLength(7);
  });
});

describe("a doctor of two clinics", () => {
  const day = (count: number) => addDays(todayInIndia(owner.now), count);
  async function bookedAt(hospitalId: string) {
    const doctor = await makeDoctor(db, { name: "Anjali Vemuri", slots: [{ date: day(3), time: "10:30" }] });
    await addPlaceDoctor(db, clinic.hospitalId!, doctor.id);
    await sql`update doctors set hospital_id = ${hospitalId} where id = ${doctor.id}`;
    const patient = await makePatient(db);
    await makeVisit(db, { patient, doctor }, { name: "Lakshmi Devi", date: day(5), time: "09:00" });
    return { doctor, patient };
  }

  it("keeps the times and patients of the other one", async () => {
    const { doctor, patient } = await bookedAt((await makePlace(db)).id);
    const phone = patient.phone.slice(-10);
    const people = await check(`Name,Mobile,Age,Sex\nLakshmi Devi,${phone},46,F\nArjun,9000000122,9,M\n`);
    expect(await groups(people)).toMatchObject({ new: 2, here: 0, decision: 0 });
    await commit(people);
    // Booked with the other clinic meanwhile: this one does not learn of it.
    expect(await countUsed(owner, clinic, people)).toBe(0);
    const file = `Date,Time,Doctor,Mobile,Name\n${day(3)},10:30,Anjali Vemuri,9000000122,Arjun\n`;
    const times = await check(file, "appointments");
    expect((await listRows(owner, clinic, times, { group: "decision" })).rows.map(({ reason }) => reason)).toEqual(["time-closed"]);
    await decideAll(owner, clinic, { id: times, decision: "other" });
    await commit(times);
    expect(await sql`select from appointments where doctor_id = ${doctor.id}`).toHaveLength(1);
  });

  it("asks about a patient who only has appointments here", async () => {
    const { doctor, patient } = await bookedAt(clinic.hospitalId!);
    const id = await check(`Name,Mobile,Age,Sex\nLakshmi D.,${patient.phone.slice(-10)},46,F\n`);
    expect(await getImport(owner, clinic, id)).toMatchObject({ state: "checked", groups: { decision: 1 } });
    // The doctor has left: the patients to come are no longer those of this clinic.
    await sql`update place_doctors set state = 'ended', ended_at = now() where doctor_id = ${doctor.id}`;
    expect(await groups(await check(`Name,Mobile,Age,Sex\nLakshmi D.,${patient.phone.slice(-10)},46,F\n`))).toMatchObject({
      new: 1,
      decision: 0,
    });
  });
});

describe("imported patients at the desk", () => {
  async function desk() {
    const doctor = await makeDoctor(db, { name: "Anjali Vemuri" });
    await addPlaceDoctor(db, clinic.hospitalId!, doctor.id);
    await sql`update doctors set hospital_id = ${clinic.hospitalId!} where id = ${doctor.id}`;
    await commit(await check(REGISTER));
    await commit(await check("OP No,Name\nOP/90,Sita Without Phone\n"));
    const reception = ctx(await makeMember(db, clinic.hospitalId!, "reception"));
    const sessionId = await makeSession(db, doctor.id);
    const asCaller = (who: Ctx<Actor>, typed: Typed, hospitalId: string | null = clinic.hospitalId!) =>
      findKnownCallers(who, { hospitalId, doctorIds: [doctor.id], ...typed });
    const asWalkIn = (who: Ctx<Actor>, typed: Typed) => findKnownPeople(who, { sessionId, ...typed });
    return { doctor, reception, asCaller, asWalkIn };
  }
  const PHONE = { phone: "+919000000121" };

  it("are found by phone, a part of the name or the clinic's number, and see who found them", async () => {
    const { reception, asCaller, asWalkIn } = await desk();
    for (const find of [asCaller, asWalkIn]) {
      expect((await find(reception, PHONE)).map(({ name, age, gender }) => [name, age, gender])).toEqual([
        ["Arjun", 1, "male"],
        ["Lakshmi Prasanna Devi", 46, "female"],
      ]);
      const rehana = { name: "షేక్ రెహానా", age: 42, birthDate: "1984-03-02", gender: "female" as const, phone: "+919000000122" };
      expect(await find(reception, { name: "రెహానా" })).toEqual([rehana]);
      expect(await find(reception, { name: "op/2" })).toEqual([rehana]);
      const [sita] = await find(reception, { name: "sita" });
      expect(sita).toEqual({ name: "Sita Without Phone", age: null, birthDate: null, gender: null, phone: null });
      expect([rehana, sita!].map((person) => readKnown(knownValue(person)))).toEqual([rehana, { ...sita, phone: undefined }]);
    }
    const [account] = await sql`select id from users where phone = ${PHONE.phone} and role = 'patient'`;
    const read =
      await sql`select from audit_log where action = 'read-imported-patient' and person_id = ${account!.id} and hospital_id = ${clinic.hospitalId!}
      and actor_id = ${reception.actor.userId}`;
    expect(read).toHaveLength(2);
  });

  it("see no reading of those for whom the list has no place", async () => {
    const { doctor, reception, asCaller } = await desk();
    const patient = await makePatient(db);
    for (let n = 1; n <= 8; n++)
      await makeVisit(db, { patient, doctor }, { name: `Family ${n}`, date: addDays(todayInIndia(owner.now), n) });
    await sql`update appointments set patient_phone = '+919000000122' where patient_id = ${patient.id}`;
    const found = await asCaller(reception, { phone: "+919000000122" });
    expect(found.map(({ name }) => name.slice(0, 6))).toEqual(Array(8).fill("Family"));
    expect(await sql`select from audit_log where action = 'read-imported-patient' and hospital_id = ${clinic.hospitalId!}`).toHaveLength(0);
  });

  it("are not listed by a letter, and each search is recorded and counted", async () => {
    const { reception, asCaller, asWalkIn } = await desk();
    await commit(await check("OP No,Name,Mobile\nOP/91,Om,9000000191\n"));
    const found = async (name: string) => (await asCaller(reception, { name })).map((person) => person.name);
    expect([await found("om"), await found("OP/90"), await found("sit")]).toEqual([["Om"], ["Sita Without Phone"], ["Sita Without Phone"]]);
    // The Telugu one is four units of UTF-16, and two letters.
    for (const short of ["a", "si", "s.i", "రెహా", "OP/", "9"]) {
      for (const find of [asCaller, asWalkIn])
        await expect(find(reception, { name: short }), short).rejects.toMatchObject({
          code: "invalid",
          fields: { name: ["Enter at least three letters of the name, or the whole number."] },
        });
    }
    const searches = () =>
      sql`select details from audit_log where action = 'read-register' and subject_id = ${clinic.hospitalId!} and actor_id = ${reception.actor.userId} order by id`;
    const logged = await searches();
    expect(logged).toHaveLength(15);
    expect(logged[0]!.details).toEqual({ rows: 1 });
    await sql`insert into rate_limits (key, at) select key, at from rate_limits cross join generate_series(1, ${LIMITS["patient-search"].max}) where key like 'patient-search:%'`;
    for (const typed of [PHONE, { name: "sita" }]) await expect(asWalkIn(reception, typed)).rejects.toMatchObject({ code: "too-many" });
    expect(await searches()).toHaveLength(15);
  });

  it("are those of this clinic only, and of no one who may not book for it", async () => {
    const { doctor, asCaller, asWalkIn } = await desk();
    // The doctor has the register of the own practice, which is another one.
    expect([await asCaller(ctx(doctor.actor), PHONE, null), await asWalkIn(ctx(doctor.actor), PHONE)]).toEqual([[], []]);
    const elsewhere = await makePlace(db);
    await addPlaceDoctor(db, elsewhere.id, doctor.id);
    expect(await asCaller(ctx(elsewhere.owner), PHONE, elsewhere.id)).toEqual([]);
    const ended = ctx(await makeMember(db, clinic.hospitalId!, "reception", { state: "ended" }));
    const billing = ctx(await makeMember(db, clinic.hospitalId!, "billing"));
    for (const who of [ended, billing, ctx(elsewhere.owner), ctx((await makePatient(db)).actor)])
      for (const find of [asCaller, asWalkIn])
        await expect(find(who, PHONE)).rejects.toMatchObject({ code: expect.stringMatching(/not-found|forbidden/) });
  });
});

it("exports what an import reads: the export of a second clinic is the same", async () => {
  await commit(await check(REGISTER));
  await commit(await check(FORMULAS));
  const history = `Date,Time,Doctor,OP No,Status,Fee,Paid\n12/03/2020,10.30,Dr. Kolli,OP/1,seen,500,500\n`;
  const id = await check(history, "appointments");
  await decideAll(owner, clinic, { id, decision: "other" });
  await commit(id);
  const takeOut = async (kind: ImportKind, of: Clinic, by: Ctx<Actor>, format: "csv" | "xlsx" = "csv") => {
    const exportId = await requestExport(by, of, { kind, format });
    await writeExport(by, exportId);
    return (await openExport(by, of, exportId)).bytes;
  };
  const asText = (file: Uint8Array) => new TextDecoder().decode(file);
  const first = {
    patients: asText(await takeOut("patients", clinic, owner)),
    appointments: asText(await takeOut("appointments", clinic, owner)),
  };
  expect(first.patients).toContain("OP/1");
  expect(first.patients).toContain(",'=1+1,,'-2 kg since May");
  const place = await makePlace(db);
  const [second, by]: [Clinic, Ctx<Actor>] = [{ hospitalId: place.id }, ctx(place.owner)];
  for (const kind of ["patients", "appointments"] as const) {
    const imported = await check(first[kind], kind, second, by);
    await decideAll(by, second, { id: imported, decision: "other" });
    await commit(imported, second, by);
    expect(asText(await takeOut(kind, second, by)), kind).toBe(first[kind]);
  }
  const workbook = await takeOut("patients", clinic, owner, "xlsx");
  const { id: fileId } = await storeImportFile(by, second, { name: "x.xlsx", bytes: workbook });
  expect(await getImport(by, second, await uploadImport(by, second, { kind: "patients", fileId }))).toMatchObject({ rowCount: 5 });
  await db.update(clinicExports).set({ expiresAt: new Date(owner.now.getTime() - 1) });
  await expect(openExport(owner, clinic, (await sql`select id from clinic_exports limit 1`)[0]!.id)).rejects.toMatchObject({
    code: "not-found",
  });
});

it("exports the ages of a working clinic", async () => {
  const doctor = await makeDoctor(db, { name: "Anjali Vemuri" });
  await addPlaceDoctor(db, clinic.hospitalId!, doctor.id);
  await sql`update doctors set hospital_id = ${clinic.hospitalId!} where id = ${doctor.id}`;
  const patient = await makePatient(db);
  await makeVisit(db, { patient, doctor }, { name: "Typed Age", date: addDays(todayInIndia(owner.now), 5) });
  // In this clinic, too, a coming row of the patient can be booked.
  const day = addDays(todayInIndia(owner.now), 3).split("-").reverse().join("/");
  const id = await check(`Date,Time,Mobile,Name\n${day},10:30,${patient.phone.slice(-10)},Typed Age\n`, "appointments");
  expect((await listRows(owner, clinic, id, {})).rows).toMatchObject([{ group: "decision", reason: "time-closed" }]);
  const exportId = await requestExport(owner, clinic, { kind: "patients", format: "csv" });
  await writeExport(owner, exportId);
  const text = new TextDecoder().decode((await openExport(owner, clinic, exportId)).bytes);
  expect(text).toMatch(new RegExp(`Typed Age,${patient.phone.slice(-10)},about \\d{4}-\\d\\d-\\d\\d,female`));
});

it("counts the imported history by year in a series of its own, and in no other figure", async () => {
  const { doctor } = await doctorWithVisits(40, [-30, -10]);
  const admin = ctx(await makeStaff(db, "admin"));
  const others = async () =>
    JSON.stringify([
      await getDoctorStats(ctx(doctor.actor), "all"),
      await getMoneyFigures(ctx(doctor.actor)),
      await getOwnQueueReport(ctx(doctor.actor), 365),
      await getPlaceQueueReport(owner, clinic.hospitalId!, 365),
      await getPlatformFigures(admin, 26),
    ]);
  const before = await others();
  await commit(await check("OP No,Name,Mobile,Age,Sex\nOP/1,Lakshmi,9000000121,46,F\nOP/2,Ravi,9000000122,46,M\n"));
  const lines = [
    "02/01/2024,10:30,seen,OP/1,500,500",
    "03/01/2024,10:30,seen,OP/1,500,300",
    "04/01/2024,10:30,no show,OP/2,500,",
    "05/01/2024,10:30,cancelled,OP/2,500,100",
    "06/01/2023,10:30,seen,OP/2,,",
  ];
  const file = `Date,Time,Status,OP No,Fee,Paid\n${lines.join("\n")}\n`;
  await commit(await check(file, "appointments"));
  const none = { missed: 0, cancelled: 0, fees: 0, paid: 0 };
  expect(await listEarlierYears(owner, clinic)).toEqual([
    { year: 2024, appointments: 3, seen: 2, missed: 1, cancelled: 1, patients: 1, fees: 100_000, paid: 90_000 },
    { ...none, year: 2023, appointments: 1, seen: 1, patients: 1 },
  ]);
  expect(await listEarlierYears(ctx(await makeMember(db, clinic.hospitalId!, "reception")), clinic)).toEqual([]);
  expect(await listEarlierYears(ctx(doctor.actor), { doctorId: doctor.id })).toEqual([]);
  expect(await others()).toBe(before);
});

/** A doctor of the clinic since `days` ago, with visits of patients of their own on these days. */
async function doctorWithVisits(acceptedDaysAgo: number, visits: readonly number[]) {
  const day = (count: number) => addDays(todayInIndia(owner.now), count);
  const doctor = await makeDoctor(db, { name: `Dr. ${visits.join()}` });
  await sql`update doctors set hospital_id = ${clinic.hospitalId!} where id = ${doctor.id}`;
  const acceptedAt = new Date(owner.now.getTime() - days(acceptedDaysAgo));
  await db.insert(placeDoctors).values({ hospitalId: clinic.hospitalId!, doctorId: doctor.id, state: "active", acceptedAt });
  const seen = [];
  for (const count of visits) {
    const patient = await makePatient(db);
    const name = `Visit ${count}`;
    await makeVisit(db, { doctor, patient }, { name, date: day(count), ...(count < 0 && { status: "completed" }) });
    seen.push({ name, phone: patient.phone, date: day(count) });
  }
  return { doctor, visits: seen };
}

it("knows a doctor's visits since the clinic accepted them, at the desk, in the agenda and when it matches a file", async () => {
  const { doctor, visits } = await doctorWithVisits(20, [-30, -10, 5]);
  const reception = ctx(await makeMember(db, clinic.hospitalId!, "reception"));
  const desk = { hospitalId: clinic.hospitalId!, doctorIds: [doctor.id] };
  const sessionId = await makeSession(db, doctor.id);
  const known: string[][] = [];
  for (const { phone, date } of visits) {
    const agenda = await listAgenda(reception, { ...desk, reasons: false }, { show: "all", day: date, seen: true, search: "", page: 1 });
    for (const found of [
      await findKnownCallers(reception, { ...desk, phone }),
      await findKnownPeople(reception, { sessionId, phone }),
      agenda.rows.map(({ patientName }) => ({ name: patientName })),
    ])
      known.push(found.map(({ name }) => name));
  }
  expect(known).toEqual([[], [], [], ...Array(3).fill(["Visit -10"]), ...Array(3).fill(["Visit 5"])]);
  const file = visits.map(({ name, phone }) => `${name},${phone}`).join("\n");
  expect(await groups(await check(`Name,Phone\n${file}\n`))).toEqual({ new: 1, here: 2, decision: 0, unreadable: 0 });
  // The doctor has seen them all.
  expect(await findKnownPeople(ctx(doctor.actor), { sessionId, phone: visits[0]!.phone })).toMatchObject([{ name: "Visit -30" }]);
});

it("leaves earlier visits with the clinic of their day when the doctor's profile names another hospital", async () => {
  const { doctor } = await doctorWithVisits(40, [-30, -10]);
  const next = await makePlace(db);
  await sql`update doctors set hospital_id = ${next.id} where id = ${doctor.id}`;
  await addPlaceDoctor(db, next.id, doctor.id);
  const patient = await makePatient(db);
  await makeVisit(db, { doctor, patient }, { name: "Visit at the next one", date: addDays(todayInIndia(owner.now), 3) });
  const namesOf = async (of: Clinic) => (await tableOf(owner, of, "appointments")).rows.map((cells) => cells[5]);
  expect(await namesOf(clinic)).toEqual(["Visit -30", "Visit -10"]);
  expect(await namesOf({ hospitalId: next.id })).toEqual(["Visit at the next one"]);
});

it("exports the visits of doctors while they worked for the clinic, and no others", async () => {
  const place = clinic.hospitalId!;
  const day = (count: number) => addDays(todayInIndia(owner.now), count);
  const instant = (count: number) => new Date(owner.now.getTime() + days(count));
  const row = { hospitalId: place, state: "ended" as const };
  const doctorOf = async (name: string, records: Omit<typeof placeDoctors.$inferInsert, "doctorId">[]) => {
    const [doctor, patient] = [await makeDoctor(db, { name }), await makePatient(db)];
    await sql`update doctors set hospital_id = ${place} where id = ${doctor.id}`;
    if (records.length) await db.insert(placeDoctors).values(records.map((record) => ({ ...record, doctorId: doctor.id })));
    for (const count of [-30, -10, 5])
      await makeVisit(db, { doctor, patient }, { name: `${name} ${count}`, date: day(count), ...(count < 0 && { status: "completed" }) });
  };
  await doctorOf("Profile", []);
  await doctorOf("Claimed", [{ ...row, state: "claimed" }]);
  await doctorOf("Asked", [{ ...row, state: "asked" }]);
  await doctorOf("Declined", [{ ...row, endedAt: instant(9) }]);
  await doctorOf("Active", [{ ...row, state: "active", acceptedAt: instant(-20) }]);
  await doctorOf("Left", [{ ...row, acceptedAt: instant(-20), endedAt: instant(-2) }]);
  await doctorOf("Again", [
    { ...row, acceptedAt: instant(-40), endedAt: instant(-20) },
    { ...row, state: "active", acceptedAt: instant(-2) },
  ]);
  const shown = ["Active -10", "Active 5", "Again -30", "Again 5", "Left -10"];
  expect((await tableOf(owner, clinic, "patients")).rows.map(([name]) => name)).toEqual(shown);
  expect((await tableOf(owner, clinic, "appointments")).rows.map((cells) => cells[5]).toSorted()).toEqual(shown);
});

it("counts a refund that failed as paid, and not as refunded", async () => {
  const [doctor, patient] = [await makeDoctor(db), await makePatient(db)];
  const place = clinic.hospitalId!;
  await addPlaceDoctor(db, place, doctor.id);
  await sql`update doctors set hospital_id = ${place} where id = ${doctor.id}`;
  const visit = await makeVisit(db, { doctor, patient }, { status: "completed" });
  const [order, payment, refund] = [randomUUID(), randomUUID(), randomUUID()];
  await sql`insert into payment_orders (id, appointment_id, doctor_id, merchant_id, amount, provider, state, expires_at)
    values (${order}, ${visit}, ${doctor.id}, ${place}, 50000, 'local', 'paid', now())`;
  await sql`insert into payments (id, appointment_id, doctor_id, merchant_id, method, amount, refunded, state, order_id, provider_payment_id, idempotency_key)
    values (${payment}, ${visit}, ${doctor.id}, ${place}, 'online', 50000, 20000, 'partly-refunded', ${order}, ${`pay_${order}`}, 'export')`;
  await sql`insert into refunds (id, payment_id, method, amount, reason, idempotency_key) values (${refund}, ${payment}, 'online', 20000, 'agreed', 'export')`;
  await sql`insert into provider_refunds (refund_id, provider, state, settled_at) values (${refund}, 'local', 'failed', now())`;
  expect((await tableOf(owner, clinic, "payments")).rows.map((row) => row.slice(-2))).toEqual([["500.00", "0.00"]]);
  expect((await tableOf(owner, clinic, "appointments")).rows.map((row) => row.at(-1))).toEqual(["500.00"]);
});

it("is closed to other owners, members without the right, and without a recent proof", async () => {
  const id = await upload(REGISTER);
  const other = ctx((await makePlace(db)).owner);
  await expect(getImport(other, clinic, id)).rejects.toMatchObject({ code: "not-found" });
  await expect(startImport(other, clinic, id)).rejects.toMatchObject({ code: "not-found" });
  const unproven = { ...owner, actor: { ...owner.actor, provenAt: null } };
  await expect(storeImportFile(unproven, clinic, { name: "a.csv", bytes: bytes(REGISTER) })).rejects.toMatchObject({ code: "unproven" });
  await expect(requestExport(unproven, clinic, { kind: "patients", format: "csv" })).rejects.toMatchObject({ code: "unproven" });
  await expect(rowsFile(unproven, clinic, id, {})).rejects.toMatchObject({ code: "unproven" });
  await expect(takeRows(unproven, clinic, id, {})).rejects.toMatchObject({ code: "unproven" });
});

it("shows rows on the page for half an hour after a proof, and gives them as a file or by the API for five minutes", async () => {
  const id = await check(REGISTER);
  const provenFor = (ms: number) => ({ ...owner, actor: { ...owner.actor, provenAt: new Date(owner.now.getTime() - ms) } });
  await expect(rowsFile(provenFor(minutes(6)), clinic, id, {})).rejects.toMatchObject({ code: "unproven" });
  await expect(takeRows(provenFor(minutes(6)), clinic, id, {})).rejects.toMatchObject({ code: "unproven" });
  expect((await takeRows(provenFor(minutes(29)), clinic, id, {}, LONG_PROOF_LIFE)).rows.length).toBeGreaterThan(0);
  await expect(takeRows(provenFor(minutes(30)), clinic, id, {}, LONG_PROOF_LIFE)).rejects.toMatchObject({ code: "unproven" });
});

it("shows what is known of the person that a row may be: in the register with the address, in the file with its row", async () => {
  const head = "OP No,Name,Mobile,Age/DOB,Sex,Address\n";
  await commit(await check(`${head}OP/1,Lakshmi Devi,90000 00121,02/03/1984,F,Guntur\nOP/2,B. Ravi,,58,M,Tenali\n`));
  const id = await check(`${head},Lakshmi Devi,90000 00122,41,F,Vijayawada\n,Padma,,34,F,Eluru\n,Padma,,71,F,Nuzvid\n`);
  const { rows } = await takeRows(owner, clinic, id, { group: "decision" });
  expect(rows.map(({ number, reason, like }) => [number, reason, like])).toEqual([
    [
      2,
      "same-name",
      {
        ...{ name: "Lakshmi Devi", phone: "+919000000121", birthDate: "1984-03-02", about: false, gender: "female" },
        ...{ number: "OP/1", address: "Guntur", row: null },
      },
    ],
    [4, "twice", expect.objectContaining({ name: "Padma", phone: null, about: true, number: null, address: "Eluru", row: 3 })],
  ]);
});

it("records who downloaded the rows of an import, and limits it as an export", async () => {
  const id = await check(REGISTER);
  const logged = () => sql`select from audit_log where action = 'read-export' and subject_id = ${id} and actor_id = ${owner.actor.userId}`;
  for (let n = 0; n < LIMITS.export.max; n++) expect(await rowsFile(owner, clinic, id, {})).toContain("Lakshmi Prasanna Devi");
  await expect(rowsFile(owner, clinic, id, {})).rejects.toMatchObject({ code: "too-many" });
  expect(await logged()).toHaveLength(LIMITS.export.max);
});

it("shows a patient of the register with the imported history, to its owner after a proof, and the patient sees who read it", async () => {
  await commit(await check(REGISTER));
  await commit(await check("Date,Time,Doctor,OP No,Status,Fee,Paid\n12/03/2020,10.30,,OP/1,seen,500,400\n", "appointments"));
  const searches = async () => (await sql`select from rate_limits where key like 'patient-search:%'`).length;
  const before = await searches();
  const { rows, total } = await listRegister(owner, clinic, { search: "", page: 1 });
  expect([rows.length, total]).toEqual([3, 3]);
  const { id } = rows.find(({ number }) => number === "OP/1")!;
  expect(await getRegistered(owner, clinic, id)).toMatchObject({
    ...{ name: "Lakshmi Prasanna Devi", blood: "O+", note: "Comes on Mondays", gender: "female" },
    history: [{ date: "2020-03-12", time: "10:30", status: "seen", fee: 50_000, paid: 40_000 }],
  });
  const read = await sql`select a.action from audit_log a join users u on u.id = a.person_id
    where u.phone = '+919000000121' and a.action = 'read-imported-patient' and a.actor_id = ${owner.actor.userId}`;
  expect(read).toHaveLength(2);
  const place = await makePlace(db);
  await expect(getRegistered(ctx(place.owner), { hospitalId: place.id }, id)).rejects.toMatchObject({ code: "not-found" });
  await expect(getRegistered(ctx(place.owner), clinic, id)).rejects.toMatchObject({ code: "not-found" });
  const unproven = { ...owner, actor: { ...owner.actor, provenAt: null } };
  await expect(getRegistered(unproven, clinic, id)).rejects.toMatchObject({ code: "unproven" });
  await expect(listRegister(unproven, clinic, { search: "", page: 1 })).rejects.toMatchObject({ code: "unproven" });
  await sql`insert into past_appointments (clinic_patient_id, date, time, doctor_name, status, import_id)
    select clinic_patient_id, date - n, time, doctor_name, status, import_id from past_appointments cross join generate_series(1, 101) n`;
  const { history, visits } = await getRegistered(owner, clinic, id);
  expect([history.length, history[0]?.date, visits]).toEqual([100, "2020-03-12", 102]);
  await sql`insert into rate_limits (key, at) select key, at from rate_limits cross join generate_series(1, ${LIMITS.register.max}) where key like 'register:%'`;
  // The desk finds its patients all the same.
  expect(await searches()).toBe(before);
  await expect(getRegistered(owner, clinic, id)).rejects.toMatchObject({ code: "too-many" });
});

it("records each page of rows that a caller of the API reads, and limits them", async () => {
  const id = await check(REGISTER);
  const first = await takeRows(owner, clinic, id, { most: 2 });
  expect([first.rows.length, first.hasMore]).toEqual([2, true]);
  expect((await takeRows(owner, clinic, id, { most: 2, offset: 4 })).rows).toHaveLength(1);
  const logged = () =>
    sql`select details from audit_log where action = 'read-export' and subject_id = ${id} and actor_id = ${owner.actor.userId} order by id`;
  expect((await logged()).map(({ details }) => details)).toEqual([{ rows: 2 }, { rows: 1 }]);
  await sql`insert into rate_limits (key, at) select key, at from rate_limits cross join generate_series(1, ${LIMITS["import-rows"].max}) where key like 'import-rows:%'`;
  await expect(takeRows(owner, clinic, id, {})).rejects.toMatchObject({ code: "too-many" });
  expect(await logged()).toHaveLength(2);
});
