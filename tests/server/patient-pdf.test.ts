/** A PDF of a patient from the upload to the deletion, with files on disk and in a bucket: the stored bytes are the sent ones. */
import { existsSync, readFileSync } from "node:fs";
import { strFromU8, unzipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tokenFor } from "../api/people.ts";
import { book, bookedId } from "../factories/booking.ts";
import { pdf } from "../factories/pdfs.ts";
import { dayFromNow, makeDoctor, newPhone, type TestDoctor } from "../factories/people.ts";
import { asFile } from "../factories/pictures.ts";
import { httpStub } from "../mocks/http-stub.ts";
import { raw } from "../setup/http.ts";
import { type LoggedIn, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

const REPORT = pdf({ filling: Buffer.from("(Haemoglobin 9.1) Tj") });
/** What follows the end mark is not stored. */
const STORED = REPORT.subarray(0, -1);
const BUCKET = "nadi";
const DAY = dayFromNow(5);

describe.each(["disk", "bucket"])("a PDF on %s", (place) => {
  const bucket = new Map<string, Buffer>();
  let stub: Awaited<ReturnType<typeof httpStub>>;
  let server: TestServer;
  let doctor: TestDoctor;
  let patient: LoggedIn;
  const storedBytes = (key: string): Buffer | undefined => {
    const file = `${server.dataDir}/files/${key}`;
    if (place === "bucket") return bucket.get(`/${BUCKET}/${key}`);
    return existsSync(file) ? readFileSync(file) : undefined;
  };
  const filesOfPatient = () =>
    server.sql<{ id: string; storage_key: string; media_type: string; byte_size: number }[]>`
      select id, storage_key, media_type, byte_size from files where owner_id = ${patient.userId} order by created_at`;

  beforeAll(async () => {
    stub = await httpStub(({ method, path, body }) => {
      if (method === "PUT") bucket.set(path, body);
      if (method === "DELETE") bucket.delete(path);
      const found = bucket.get(path);
      return method === "GET" && !found ? { status: 404 } : { body: found ?? "" };
    });
    server = await startServer({
      seed: false,
      env:
        place === "bucket"
          ? {
              UPLOADS_S3_ENDPOINT: stub.url,
              UPLOADS_S3_BUCKET: BUCKET,
              UPLOADS_S3_ACCESS_KEY_ID: "id",
              UPLOADS_S3_SECRET_ACCESS_KEY: "secret",
            }
          : {},
    });
    doctor = await makeDoctor(server.db, { slots: ["10:00", "10:30"].map((time) => ({ date: DAY, time })) });
    patient = await loginAs(server, { role: "patient", phone: newPhone() });
  });
  afterAll(async () => {
    await server?.stop();
    await stub?.[Symbol.asyncDispose]();
  });

  /** Books over the API with one document and returns the status and the body. */
  async function bookByApi(file: Buffer) {
    const form = new FormData();
    const info = JSON.stringify({ name: "Lakshmi Devi", phone: "9876543210", age: "34", gender: "female" });
    const fields = { doctor: doctor.id, date: DAY, time: "10:30 AM", reason: "Tired", patientInfo: info };
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    form.append(
      "medicalRecordsMeta",
      JSON.stringify([{ originalname: "api.pdf", record_type: "other", description: "From the laboratory" }]),
    );
    form.append("medicalRecords", asFile(file, "api.pdf", "application/pdf"));
    const headers = { authorization: `Bearer ${await tokenFor(server, patient.userId)}` };
    const answer = await fetch(`${server.url}/api/appointments/book`, { method: "POST", headers, body: form });
    return { status: answer.status, body: (await answer.json()) as { message: string } };
  }

  it("is stored encrypted from the form and from the API, and opens for patient and doctor", async () => {
    expect(bookedId(await book(patient, doctor.id, { date: DAY, time: "10:00" }, {}, [asFile(REPORT, "blood test.pdf")]))).toBeTruthy();
    expect(await bookByApi(REPORT)).toMatchObject({ status: 201 });
    const files = await filesOfPatient();
    expect(files).toMatchObject(Array(2).fill({ media_type: "application/pdf", byte_size: STORED.length }));
    const asDoctor = await loginAs(server, { role: "doctor", email: doctor.email });
    for (const { id, storage_key: key } of files) {
      const bytes = storedBytes(key)!;
      expect(bytes.length).toBeGreaterThan(STORED.length);
      expect(bytes.includes("Haemoglobin") || bytes.includes("%PDF")).toBe(false);
      for (const reader of [patient, asDoctor]) {
        const answer = await raw(server.url, { path: `/files/${id}`, headers: { cookie: `nadi_session=${reader.token}` } });
        expect([answer.status, answer.body.equals(STORED)]).toEqual([200, true]);
      }
    }
  });

  it("is refused by the API when it has scripts, and nothing is stored", async () => {
    const before = (await filesOfPatient()).length;
    expect(await bookByApi(pdf({ catalog: "/OpenAction << /S /JavaScript /JS (app.alert) >>" }))).toMatchObject({
      status: 415,
      body: { message: "This PDF has scripts or other files inside. Print it to a new PDF, or add photos of its pages." },
    });
    expect(await filesOfPatient()).toHaveLength(before);
  });

  it("is in the download of the patient's own data, byte for byte", async () => {
    const answer = await raw(server.url, { path: "/patient/data/download", headers: { cookie: `nadi_session=${patient.token}` } });
    const zip = unzipSync(answer.body);
    const listed = JSON.parse(strFromU8(zip["data.json"]!)).files as { path: string; bytes: number }[];
    expect(listed).toHaveLength(2);
    for (const { path, bytes } of listed) {
      expect(path).toMatch(/\.pdf$/);
      expect([bytes, Buffer.from(zip[path]!).equals(STORED)]).toEqual([STORED.length, true]);
    }
  });

  it("is deleted with the account, from the storage too", async () => {
    const files = await filesOfPatient();
    expect((await patient.post("/patient/data/delete", { word: "DELETE" })).location).toBe("/choose-role");
    expect(await filesOfPatient()).toEqual([]);
    for (const { storage_key: key } of files) expect(storedBytes(key)).toBeUndefined();
    const asDoctor = await loginAs(server, { role: "doctor", email: doctor.email });
    for (const { id } of files) expect((await asDoctor.get(`/files/${id}`)).status).toBe(404);
  });
});
