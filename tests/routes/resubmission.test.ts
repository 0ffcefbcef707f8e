/** A case that was sent back and submitted again: the decision on unchanged documents stays. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { readable } from "../factories/booking.ts";
import { makeReviewer } from "../factories/cases.ts";
import { confirmIdentity } from "../factories/logins.ts";
import { allPictures, applied, bank, multipart, newHospital, professional, writerFields } from "../setup/applications.ts";
import type { Fields } from "../setup/http.ts";
import { type LoggedIn, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

let server: TestServer;
let reviewer: LoggedIn;
let hospitalId: string;
beforeAll(async () => {
  server = await startServer({ seed: false });
  hospitalId = await newHospital(server);
  reviewer = await loginAs(server, await makeReviewer(server.db, { id: hospitalId, name: "" }));
});
afterAll(() => server?.stop());

type Row = { id: string; kind: string; decision: string };
const allOf = (id: string) =>
  server.sql<Row[]>`select d.id, d.kind, d.decision from doctor_documents d join files f on f.id = d.file_id
    where d.doctor_id = ${id} and f.status = 'attached' order by d.created_at desc, d.kind`;
/** Returns the newest of each kind, and every certificate. */
const documentsOf = async (id: string) => {
  const rows = await allOf(id);
  return rows.filter((row) => row.kind === "qualificationCertificates" || rows.find((r) => r.kind === row.kind) === row);
};
/** What the reviewer's page posts: everything matches except the Aadhaar scan. */
async function sendBack(id: string) {
  const rows = await documentsOf(id);
  const [case_] = await server.sql<{ at: string }[]>`select submitted_at as at from doctors where id = ${id}`;
  const fields: Fields = { intent: "send-back", seen: new Date(case_!.at).toISOString() };
  rows.forEach(({ id, kind }, i) => {
    const again = kind === "identityDocument";
    fields[`documents[${i}].id`] = id;
    fields[`documents[${i}].decision`] = again ? "ask-again" : "matches";
    fields[`documents[${i}].reason`] = again ? "Blurred." : "";
  });
  expect((await reviewer.post(`/reviewer/cases/${id}`, fields)).status).toBe(303);
}
async function submitAgain(doctor: LoggedIn, changes: Fields = {}, account: Fields = bank()) {
  await toLastStep(doctor, changes);
  const last = await doctor.get("/banking-information");
  return doctor.post("/banking-information", { ...writerFields(last), ...account });
}
async function toLastStep(doctor: LoggedIn, changes: Fields) {
  await doctor.post("/doctor-verify");
  const { identityDocument } = await allPictures();
  const second = await doctor.get("/doctor-verification");
  const given = professional({ fullName: "Dr. Asha Again", medicalCouncilRegistrationNumber: "APMC/KEPT1", ...changes });
  const answer = await doctor.postFiles(
    "/doctor-verification",
    multipart({ ...writerFields(second), ...given }, { identityDocument: identityDocument! }),
  );
  expect(answer.location).toBe("/banking-information");
}
const decisions = async (id: string) => {
  const rows = await documentsOf(id);
  const newest = (kind: string) => rows.find((row) => row.kind === kind)?.decision;
  return Object.fromEntries(
    ["profileImage", "identityDocument", "medicalCouncilCertificate", "qualificationCertificates"].map((k) => [k, newest(k)]),
  );
};

it("preserves approved documents, asks for the new one, and shows that the case was re-submitted", async () => {
  const given = professional({ fullName: "Dr. Asha Again", medicalCouncilRegistrationNumber: "APMC/KEPT1" });
  const doctor = await applied(server, { hospital: { mode: "select", hospitalId, intent: "next" }, professional: given });
  await sendBack(doctor.userId);
  expect((await submitAgain(doctor)).location).toBe("/doctor-verify");
  expect(await decisions(doctor.userId)).toEqual({
    profileImage: "matches",
    identityDocument: "undecided",
    medicalCouncilCertificate: "matches",
    qualificationCertificates: "matches",
  });
  expect(readable((await reviewer.get("/reviewer")).text)).toContain("Submitted again");
  const page = readable((await reviewer.get(`/reviewer/cases/${doctor.userId}`)).text);
  expect(page).toContain("Submitted again");
  expect(page).toContain("Documents that did not change keep their decision.");

  // A value that a document proves has changed: the same image is compared again.
  await sendBack(doctor.userId);
  expect((await submitAgain(doctor, { medicalCouncilRegistrationNumber: "APMC/CHANGED" })).location).toBe("/doctor-verify");
  expect(await decisions(doctor.userId)).toMatchObject({ profileImage: "matches", medicalCouncilCertificate: "undecided" });
});

it("refuses other bank details for a day after a password reset, and accepts the same ones", async () => {
  const account = bank();
  const given = professional({ fullName: "Dr. Asha Again", medicalCouncilRegistrationNumber: "APMC/KEPT2" });
  const doctor = await applied(server, { hospital: { mode: "select", hospitalId, intent: "next" }, professional: given, bank: account });
  const numbers = { medicalCouncilRegistrationNumber: "APMC/KEPT2" };
  const stored = async () =>
    (await server.sql`select account_sealed, account_holder_name from doctor_bank_accounts where doctor_id = ${doctor.userId}`)[0];
  await sendBack(doctor.userId);
  await server.sql`update users set bank_locked_until = now() + interval '24 hours' where id = ${doctor.userId}`;
  const before = await stored();
  for (const change of [bank(), { ...account, accountHolderName: "Another Holder" }, { ...account, ifscCode: "HDFC0001234" }]) {
    const refused = await submitAgain(doctor, numbers, change);
    expect(refused.status).toBe(403);
    expect(readable(refused.text)).toContain("you cannot change your bank details before");
    expect(await stored()).toEqual(before);
  }
  expect((await submitAgain(doctor, numbers, account)).location).toBe("/doctor-verify");

  await sendBack(doctor.userId);
  await server.sql`update users set bank_locked_until = now() - interval '1 hour' where id = ${doctor.userId}`;
  expect((await submitAgain(doctor, numbers, { ...account, accountHolderName: "Asha R Kumar" })).location).toBe("/doctor-verify");
  expect(await stored()).toMatchObject({ account_holder_name: "Asha R Kumar" });
});

it("requires a fresh proof before other bank details are submitted again, and preserves the input", async () => {
  const account = bank();
  const numbers = { medicalCouncilRegistrationNumber: "APMC/KEPT3" };
  const given = professional({ fullName: "Dr. Asha Again", ...numbers });
  const doctor = await applied(server, { hospital: { mode: "select", hospitalId, intent: "next" }, professional: given, bank: account });
  const stored = async () =>
    (await server.sql`select account_holder_name from doctor_bank_accounts where doctor_id = ${doctor.userId}`)[0]!.account_holder_name;
  const expireProof = () => server.sql`update sessions set proven_at = now() - interval '1 hour' where user_id = ${doctor.userId}`;
  await sendBack(doctor.userId);
  await expireProof();
  const refused = await submitAgain(doctor, numbers, { ...account, accountHolderName: "Another Holder" });
  expect([refused.status, refused.location]).toEqual([303, "/confirm-identity?next=%2Fbanking-information"]);
  expect(await stored()).toBe(account.accountHolderName);
  const [{ phone }] = await server.sql<[{ phone: string }]>`select phone from users where id = ${doctor.userId}`;
  const back = await doctor.follow(await confirmIdentity(server, doctor, phone, "/banking-information"));
  expect(back.text).toContain("Another Holder");
  const again = { ...account, accountHolderName: "Another Holder" };
  expect((await doctor.post("/banking-information", { ...writerFields(back), ...again })).location).toBe("/doctor-verify");
  expect(await stored()).toBe("Another Holder");

  // Unchanged details need none.
  await sendBack(doctor.userId);
  await expireProof();
  expect((await submitAgain(doctor, numbers, again)).location).toBe("/doctor-verify");
});

it("shows only the documents to replace, and submits the correction at once", async () => {
  const number = "APMC/CORRECT1";
  const given = professional({ fullName: "Dr. Only Asked", medicalCouncilRegistrationNumber: number });
  const doctor = await applied(server, { hospital: { mode: "select", hospitalId, intent: "next" }, professional: given });
  await sendBack(doctor.userId);
  await doctor.post("/doctor-verify");
  const page = await doctor.get("/doctor-verification");
  const filesOf = (html: string) => [...html.matchAll(/<input[^>]*type="file"[^>]*>/g)].map(([tag]) => /name="([^"]*)"/.exec(tag)?.[1]);
  expect(filesOf(page.text)).toEqual(["identityDocument"]);
  expect(page.text).not.toMatch(/name="(fullName|about|medicalCouncilName)"/);
  expect(readable(page.text)).toContain("Blurred.");
  expect(readable(page.text)).toContain("We need only these documents again.");

  // The old image does not answer the request.
  const early = await doctor.postFiles("/doctor-verification", multipart({ ...writerFields(page), intent: "submit" }));
  expect(early.status).toBe(400);
  expect(readable(early.text)).toContain("Aadhaar image is required");

  const { identityDocument } = await allPictures();
  const form = multipart({ ...writerFields(page), intent: "submit" }, { identityDocument: identityDocument! });
  expect((await doctor.postFiles("/doctor-verification", form)).location).toBe("/doctor-verify");
  const [row] =
    await server.sql`select registration_status as status, full_name as name, council_number as number from doctors where id = ${doctor.userId}`;
  expect(row).toEqual({ status: "under review by hospital", name: "Dr. Only Asked", number });
  expect(await decisions(doctor.userId)).toMatchObject({ profileImage: "matches", identityDocument: "undecided" });
});

it("links from a correction to all details, whose buttons stay there", async () => {
  const given = professional({ fullName: "Dr. All Details", medicalCouncilRegistrationNumber: "APMC/CORRECT2" });
  const doctor = await applied(server, { hospital: { mode: "select", hospitalId, intent: "next" }, professional: given });
  await sendBack(doctor.userId);
  await doctor.post("/doctor-verify");
  expect((await doctor.get("/doctor-verification")).text).toContain('href="/doctor-verification?all"');
  const all = await doctor.get("/doctor-verification?all");
  expect(all.text).toContain('value="Dr. All Details"');
  const more = await doctor.postFiles("/doctor-verification?all", multipart({ ...writerFields(all), intent: "add-qualification" }));
  expect(more.location).toBe("/doctor-verification?all#qualifications");
});
