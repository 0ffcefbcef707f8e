/** A photo is encoded again without its position, stored outside every served folder, and sent with safe headers. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import sharp from "sharp";
import { afterAll, beforeAll, expect, it } from "vitest";
import { files } from "#app/db/schema/index.ts";
import { opened } from "#app/db/sealed.server.ts";
import { book, bookedId } from "../factories/booking.ts";
import { dayFromNow, makeDoctor, newPhone, type TestDoctor } from "../factories/people.ts";
import { asFile, photoWithPlace, png } from "../factories/pictures.ts";
import { raw } from "../setup/http.ts";
import { type LoggedIn, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

let server: TestServer;
let doctor: TestDoctor;
let patient: LoggedIn;
const DAY = dayFromNow(4);
beforeAll(async () => {
  server = await startServer({ seed: false });
  doctor = await makeDoctor(server.db, { slots: ["10:00", "10:30"].map((time) => ({ date: DAY, time })) });
  patient = await loginAs(server, { role: "patient", phone: newPhone() });
});
afterAll(() => server?.stop());

type Row = { id: string; storage_key: string; media_type: string; byte_size: number; width: number; height: number };
const nameOf = async (id: string) =>
  (
    await server.db
      .select({ name: opened(files.originalName) })
      .from(files)
      .where(eq(files.id, id))
  )[0]?.name;
async function upload(file: File): Promise<Row> {
  await book(patient, doctor.id, { date: DAY, time: "10:00" }, { intent: "add" }, [file]);
  const [row] = await server.sql<Row[]>`select * from files where owner_id = ${patient.userId} order by created_at desc limit 1`;
  return row!;
}
const bytesOf = async (id: string, query = "") =>
  raw(server.url, { path: `/files/${id}${query}`, headers: { cookie: `nadi_session=${patient.token}` } });

it("removes place and camera of a photo, turns it upright and encodes it as JPEG", async () => {
  const photo = await photoWithPlace({ width: 64, height: 40 });
  const before = await sharp(photo).metadata();
  expect(before.orientation).toBe(6);
  expect(photo.includes("SECRETCAMERA")).toBe(true);
  const row = await upload(asFile(photo, "IMG_20261121.jpg"));
  const { body } = await bytesOf(row.id);
  const after = await sharp(body).metadata();
  expect(after).toMatchObject({ format: "jpeg", width: 40, height: 64 });
  expect(after.exif ?? after.xmp ?? after.iptc ?? after.icc).toBeUndefined();
  expect(body.includes("SECRETCAMERA")).toBe(false);
  expect(body.includes("Exif")).toBe(false);
  expect(row).toMatchObject({ media_type: "image/jpeg", byte_size: body.length, width: 40, height: 64 });
  expect(await nameOf(row.id)).toBe("IMG_20261121.jpg");
});

it("removes what is hidden behind or beside the picture", async () => {
  const bytes = Buffer.concat([await png(), Buffer.from("<script>alert('polyglot')</script>PK\u0003\u0004")]);
  const row = await upload(asFile(bytes, "two-in-one.png", "image/png"));
  const { body, headers } = await bytesOf(row.id);
  expect(headers["content-type"]).toBe("image/jpeg");
  expect(body.includes("polyglot")).toBe(false);
  expect((await sharp(body).metadata()).format).toBe("jpeg");
});

it("reduces a large photo to 2400 px", async () => {
  const row = await upload(asFile(await png(3000, 1500), "wide.png", "image/png"));
  expect(row).toMatchObject({ width: 2400, height: 1200 });
});

it("sends no-store, nosniff and a sandbox, inline or as a download with its name", async () => {
  const row = await upload(asFile(await png(), 'नुस्खा "1"; x=\r\n../../etc.png', "image/png"));
  const shown = await bytesOf(row.id);
  expect(shown.status).toBe(200);
  expect(shown.headers["cache-control"]).toBe("no-store");
  expect(shown.headers["x-content-type-options"]).toBe("nosniff");
  expect(shown.headers["content-security-policy"]).toContain("sandbox");
  expect(shown.headers["content-security-policy"]).toContain("default-src 'none'");
  expect(shown.headers["content-disposition"]).toMatch(/^inline; filename=document\.jpg; filename\*=UTF-8''[%\w.!-]+\.jpg$/);
  const saved = await bytesOf(row.id, "?download=1");
  expect(saved.headers["content-disposition"]).toMatch(/^attachment; /);
  expect(saved.headers["content-disposition"]).not.toMatch(/[\r\n/\\]/);
});

it("stores files outside every served folder, under random names", async () => {
  const row = await upload(asFile(await png(50, 50), "lakshmi-report.png", "image/png"));
  expect(row.storage_key).toMatch(/^medical-record\/[0-9a-f]{40}$/);
  const dataDir = /"dataDir":"([^"]+)"/.exec(server.output())?.[1] ?? dataDirOf();
  const stored = readdirSync(join(dataDir, "files"), { recursive: true }) as string[];
  const name = stored.find((f) => f.endsWith(row.storage_key.split("/")[1]!));
  expect(name).toBeDefined();
  const bytes = readFileSync(join(dataDir, "files", name!));
  expect(bytes.subarray(0, 4).toString()).toBe("nadi");
  expect(bytes.includes("JFIF")).toBe(false);
  expect((await bytesOf(row.id)).body).toHaveLength(row.byte_size);
  for (const path of [
    `/${row.storage_key}`,
    `/files/${row.storage_key}`,
    `/.data/files/${row.storage_key}`,
    `/assets/..%2f..%2f.data%2ffiles%2f${row.storage_key}`,
  ])
    expect([400, 404], path).toContain((await raw(server.url, { path, headers: { cookie: `nadi_session=${patient.token}` } })).status);
});
/** Returns the data folder of the server, from its process. */
const dataDirOf = () => /(?:^|\0)DATA_DIR=([^\0]+)/.exec(readFileSync(`/proc/${server.pid}/environ`, "latin1"))?.[1] ?? "";

it("shows a document on the doctor's page with its type and description", async () => {
  const answer = await book(
    patient,
    doctor.id,
    { date: DAY, time: "10:30" },
    { newRecordType: "ct_scan", newRecordDescription: "Head, March" },
    [asFile(await png(), "ct.png", "image/png")],
  );
  const id = bookedId(answer);
  const asDoctor = await loginAs(server, { role: "doctor", email: doctor.email });
  const page = await asDoctor.get(`/doctor/patient/${id}`);
  expect(page.text).toContain("Head, March");
  expect(page.text).toContain("CT scan");
  const [row] = await server.sql`select file_id from medical_records where appointment_id = ${id} `;
  expect(page.text).toContain(`/files/${row!.file_id}?download=1`);
  expect((await asDoctor.get(`/files/${row!.file_id}`)).headers.get("content-type")).toBe("image/jpeg");
});

it("returns not found when the storage lost the bytes", async () => {
  const row = await upload(asFile(await png(), "lost.png", "image/png"));
  await server.sql`update files set storage_key = 'medical-record/0000000000000000000000000000000000000000' where id = ${row.id}`;
  expect((await bytesOf(row.id)).status).toBe(404);
});
