/** Documents of a booking over HTTP: types, limits and whose files are attached. */
import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { files, medicalRecords } from "#app/db/schema/index.ts";
import { opened } from "#app/db/sealed.server.ts";
import { book, bookedId, bookingPage, readable, valuesOf } from "../factories/booking.ts";
import { pdf } from "../factories/pdfs.ts";
import { dayFromNow } from "../factories/people.ts";
import { asFile, photoWithPlace, png, svg } from "../factories/pictures.ts";
import { DAY, newDoctor, newPatient, SLOT, server, visitsOf } from "../setup/booking.ts";
import { type LoggedIn, loginAs } from "../setup/people.ts";

const filesOf = (patient: LoggedIn) =>
  server.db
    .select({ id: files.id, status: files.status, name: opened(files.originalName) })
    .from(files)
    .where(eq(files.ownerId, patient.userId))
    .orderBy(files.createdAt);

describe("documents", () => {
  const IMAGES_ONLY = "You can add photos (JPEG, PNG or WebP) and PDF files. Take a new photo or choose another file.";
  const BROKEN = "This PDF is damaged or incomplete. Save it again, or add photos of its pages.";
  let photo: Buffer;
  beforeAll(async () => {
    photo = await photoWithPlace();
  });

  it("store their type and description, and the file's name as the default description", async () => {
    const own = await newDoctor();
    const patient = await newPatient();
    const here = bookingPage(own.id, SLOT);
    const add = (over: Record<string, string>, files: File[]) => book(patient, own.id, SLOT, { intent: "add", ...over }, files);
    expect((await add({ newRecordType: "xray", newRecordDescription: "Chest, March" }, [asFile(photo, "IMG_1.jpg")])).location).toBe(
      `${here}#documents`,
    );
    const page = (await patient.get(here)).text;
    const values = valuesOf(page);
    expect(values).toMatchObject({ "records[0].recordType": "xray", "records[0].description": "Chest, March", name: "Lakshmi Devi" });
    const form = new FormData();
    for (const [name, value] of Object.entries({ ...values, intent: "book", newRecordType: "ct_scan" })) form.append(name, value);
    form.append("newRecords", asFile(await png(), "scan of head.png", "image/png"));
    form.append("newRecords", asFile(photo, "second.jpg"));
    const id = bookedId(await patient.postFiles(here, form));
    const records = await server.db
      .select({ recordType: medicalRecords.recordType, description: opened(medicalRecords.description) })
      .from(medicalRecords)
      .where(eq(medicalRecords.appointmentId, id!));
    expect(records.sort((a, b) => (a.description < b.description ? -1 : 1))).toEqual([
      { recordType: "xray", description: "Chest, March" },
      { recordType: "ct_scan", description: "scan of head.png" },
      { recordType: "ct_scan", description: "second.jpg" },
    ]);
    expect((await filesOf(patient)).map((f) => f.status)).toEqual(["attached", "attached", "attached"]);
    // No upload remains for the next visit.
    const fresh = (await patient.get(bookingPage(own.id, { date: DAY, time: "11:00" }))).text;
    expect(fresh).not.toContain("second.jpg");
  });

  it("stay in a form whose day was changed midway, which books once", async () => {
    const other = { date: dayFromNow(9), time: "11:00" };
    const own = await newDoctor([SLOT, other]);
    const patient = await newPatient();
    const moved = await book(patient, own.id, SLOT, { intent: `at:${other.date} ${other.time}` }, [asFile(photo, "IMG_1.jpg")]);
    expect(moved.location).toBe(bookingPage(own.id, other));
    const values = valuesOf((await patient.get(moved.location!)).text);
    expect(values).toMatchObject({ "records[0].description": "IMG_1.jpg", name: "Lakshmi Devi", reason: "Cough at night" });
    const send = () => {
      const form = new FormData();
      for (const [name, value] of Object.entries({ ...values, intent: "book" })) form.append(name, value);
      return patient.postFiles(moved.location!, form);
    };
    const ids = (await Promise.all([send(), send()])).map(bookedId);
    expect([new Set(ids).size, ids[0]]).toEqual([1, expect.any(String)]);
    expect(await server.sql`select date::text as date, time::text as time from appointments where patient_id = ${patient.userId}`).toEqual([
      { date: other.date, time: "11:00:00" },
    ]);
    expect((await filesOf(patient)).map((f) => f.status)).toEqual(["attached"]);
  });

  const refused: [string, () => Promise<File> | File, number, string][] = [
    ["HTML named .png", () => asFile("<html><script>alert(1)</script></html>", "x.png", "image/png"), 415, IMAGES_ONLY],
    ["SVG", () => asFile(svg, "x.svg", "image/svg+xml"), 415, IMAGES_ONLY],
    ["SVG named .jpg", () => asFile(svg, "x.jpg"), 415, IMAGES_ONLY],
    ["a page named .pdf", () => asFile("<html><script>alert(1)</script></html>", "x.pdf", "application/pdf"), 415, IMAGES_ONLY],
    ["a page with a PDF inside", () => asFile(Buffer.concat([Buffer.from("<html>"), pdf()]), "x.pdf", "application/pdf"), 415, IMAGES_ONLY],
    ["a PDF without cross-reference", () => asFile("%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF", "x.pdf"), 415, BROKEN],
    ["a truncated PDF named .jpg", () => asFile(pdf().subarray(0, 300), "half.jpg"), 415, BROKEN],
    [
      "a PDF with JavaScript",
      () => asFile(pdf({ packed: "6 0 << /S /Java#53cript /JS (app.alert) >>" }), "x.pdf"),
      415,
      "This PDF has scripts or other files inside. Print it to a new PDF, or add photos of its pages.",
    ],
    [
      "a PDF with a password",
      () => asFile(pdf({ trailer: "/Encrypt 9 0 R" }), "x.pdf"),
      415,
      "This PDF has a password. Save a copy without the password, or add photos of its pages.",
    ],
    [
      "a PDF of more than 10 MB",
      () => asFile(pdf({ filling: Buffer.alloc(10 * 1024 * 1024, 65) }), "x.pdf"),
      413,
      "This PDF is too large. Choose one of at most 10 MB.",
    ],
    [
      "a GIF",
      () => asFile(Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64"), "x.gif", "image/gif"),
      415,
      IMAGES_ONLY,
    ],
    ["a truncated photo", async () => asFile((await png(800, 800)).subarray(0, 300), "half.png", "image/png"), 415, IMAGES_ONLY],
    ["zero bytes", () => asFile(new Uint8Array(), "empty.jpg"), 415, IMAGES_ONLY],
    [
      "more than 10 MB",
      () => asFile(Buffer.alloc(10 * 1024 * 1024 + 1, 7), "big.jpg"),
      413,
      "This picture is too large. Choose one of at most 10 MB.",
    ],
    [
      "more than 65 million pixels",
      async () => asFile(await png(9000, 7300), "bomb.png", "image/png"),
      413,
      "This picture has too many pixels. Choose a smaller one.",
    ],
  ];
  it.each(refused)("refuse %s beside its field, and preserve the valid file and the input", async (_, bad, status, sentence) => {
    const own = await newDoctor();
    const patient = await newPatient();
    const answer = await book(patient, own.id, SLOT, {}, [asFile(photo, "good.jpg"), await bad()]);
    expect(answer.status).toBe(status);
    expect(readable(answer.text)).toContain(sentence);
    expect(valuesOf(answer.text)).toMatchObject({
      name: "Lakshmi Devi",
      phone: "9876543210",
      age: "34",
      gender: "female",
      medicalHistory: "Asthma since 2009",
    });
    expect(readable(answer.text)).toContain("good.jpg");
    expect((await filesOf(patient)).map((f) => f.name)).toEqual(["good.jpg"]);
    expect(await visitsOf(patient)).toHaveLength(0);
  });

  it("accept a PDF whatever its name, store it encrypted, and send it only as a download", async () => {
    const own = await newDoctor();
    const patient = await newPatient();
    const report = pdf();
    const polyglot = Buffer.concat([report, Buffer.from("<script>alert(1)</script>PK")]);
    const here = bookingPage(own.id, SLOT);
    expect((await patient.get(here)).text).toMatch(/<input[^>]*accept="[^"]*application\/pdf[^>]*name="newRecords"/);
    await book(patient, own.id, SLOT, { intent: "add", newRecordType: "other" }, [asFile(polyglot, "../blood test.exe", "image/png")]);
    expect(readable((await patient.get(here)).text)).toContain("blood test.pdf");
    const id = bookedId(await patient.post(here, { ...valuesOf((await patient.get(here)).text), intent: "book" }));
    const [stored] = await server.sql`select id, media_type, byte_size, sealed from files where owner_id = ${patient.userId}`;
    expect(stored).toMatchObject({ media_type: "application/pdf", byte_size: report.length - 1, sealed: true });
    const asDoctor = await loginAs(server, { role: "doctor", email: own.email });
    const page = (await asDoctor.get(`/doctor/patient/${id}`)).text;
    expect(readable(page)).toContain("blood test.pdf, 1 KB");
    expect(page).toContain(`/files/${stored!.id}?download=1`);
    expect(page).not.toContain(`"/files/${stored!.id}"`);
    expect((await fetch(`${server.url}/files/${stored!.id}`)).status).toBe(404);
    for (const who of [patient, asDoctor])
      for (const path of [`/files/${stored!.id}`, `/files/${stored!.id}?download=1`]) {
        const file = await who.get(path);
        expect(file.headers.get("content-type")).toBe("application/pdf");
        expect(file.headers.get("content-disposition")).toBe("attachment; filename=document.pdf; filename*=UTF-8''blood%20test.pdf");
        expect(file.headers.get("x-content-type-options")).toBe("nosniff");
        expect(file.headers.get("content-security-policy")).toMatch(/default-src 'none'.*sandbox/);
        expect(file.headers.get("cache-control")).toBe("no-store");
        expect(file.text).toBe(report.subarray(0, -1).toString());
      }
    expect((await (await newPatient()).get(`/files/${stored!.id}`)).status).toBe(404);
    expect((await (await loginAs(server, { role: "doctor", email: (await newDoctor()).email })).get(`/files/${stored!.id}`)).status).toBe(
      404,
    );
  });

  it("refuse a far too large file, and preserve the earlier input", async () => {
    const own = await newDoctor();
    const patient = await newPatient();
    const answer = await book(patient, own.id, SLOT, {}, [asFile(Buffer.alloc(25 * 1024 * 1024, 7), "film.jpg")]);
    expect(answer.status).toBe(413);
    expect(answer.text).toContain("</html>");
    expect(valuesOf(answer.text)).toMatchObject({ name: "Lakshmi Devi", reason: "Cough at night" });
    expect((await patient.get("/patient/calendar")).status).toBe(200);
  });

  it("are limited to eight, at once or one after the other", async () => {
    const own = await newDoctor();
    const patient = await newPatient();
    const many = (n: number) => Array.from({ length: n }, (_, i) => asFile(photo, `p${i + 1}.jpg`));
    const atOnce = await book(patient, own.id, SLOT, {}, many(9));
    expect(atOnce.status).toBe(413);
    expect(readable(atOnce.text)).toContain("You can add at most 8 medical records.");
    expect(valuesOf(atOnce.text).name).toBe("Lakshmi Devi");
    expect(await visitsOf(patient)).toHaveLength(0);

    const careful = await newPatient();
    await book(careful, own.id, SLOT, { intent: "add" }, many(7));
    const values = valuesOf((await careful.get(bookingPage(own.id, SLOT))).text);
    const form = new FormData();
    for (const [name, value] of Object.entries({ ...values, intent: "book" })) form.append(name, value);
    for (const file of [asFile(photo, "eighth.jpg"), asFile(photo, "ninth.jpg")]) form.append("newRecords", file);
    const after = await careful.postFiles(bookingPage(own.id, SLOT), form);
    expect(after.status).toBe(413);
    expect(readable(after.text)).toContain("You can add at most 8 medical records.");
    expect(await visitsOf(careful)).toHaveLength(0);
  });

  it("can be removed one by one", async () => {
    const own = await newDoctor();
    const patient = await newPatient();
    await book(patient, own.id, SLOT, { intent: "add" }, [asFile(photo, "one.jpg"), asFile(photo, "two.jpg")]);
    const here = bookingPage(own.id, SLOT);
    const values = valuesOf((await patient.get(here)).text);
    const first = (await patient.get(here)).text.match(/value="(remove:[0-9a-f-]+)"/)?.[1];
    await patient.post(here, { ...values, intent: first! });
    const page = readable((await patient.get(here)).text);
    expect(page).not.toContain("one.jpg");
    expect(page).toContain("two.jpg");
  });

  it("refuse files of another user and of another visit", async () => {
    const own = await newDoctor();
    const [attacker, victim] = [await newPatient(), await newPatient()];
    await book(victim, own.id, SLOT, { intent: "add" }, [asFile(photo, "private.jpg")]);
    const [theirs] = await filesOf(victim);
    const answer = await book(attacker, own.id, SLOT, { "records[0].fileId": theirs!.id, "records[0].recordType": "other" });
    const id = bookedId(answer);
    expect((await server.sql`select from medical_records where file_id = ${theirs!.id}`).count).toBe(0);
    if (id) expect(readable((await attacker.get(`/patient/appointments/payment/${id}`)).text)).not.toContain("private.jpg");
    expect((await filesOf(victim))[0]?.status).toBe("pending");
    // A text part cannot pretend to be an upload.
    const forged = await book(
      await newPatient(),
      own.id,
      { date: DAY, time: "11:30" },
      { newRecords: JSON.stringify({ id: theirs!.id, name: "x" }) },
    );
    expect(forged.status).toBeLessThan(500);
    expect((await server.sql`select from medical_records where file_id = ${theirs!.id}`).count).toBe(0);
  });
});
