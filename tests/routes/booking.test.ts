/** The three steps of a booking over HTTP: every refusal with its text, nothing typed or uploaded is lost, one press one booking. */
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { appointments, files, medicalRecords } from "#app/db/schema/index.ts";
import { opened } from "#app/db/sealed.server.ts";
import { formatTime } from "#app/lib/dates.ts";
import { book, bookedId, bookingFields, bookingPage, readable, valuesOf } from "../factories/booking.ts";
import { addSlots, dayFromNow, makeDoctor, makePatient, makeVisit, newPhone, type Slot, type TestDoctor } from "../factories/people.ts";
import { asFile, photoWithPlace, png, svg } from "../factories/pictures.ts";
import { type LoggedIn, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

const TIMES = ["09:00", "09:30", "10:00", "10:30", "11:00", "11:30"];
const DAY = dayFromNow(4);
const SLOT: Slot = { date: DAY, time: "10:00" };

let server: TestServer;
let doctor: TestDoctor;
beforeAll(async () => {
  server = await startServer({ seed: false });
  doctor = await newDoctor();
});
afterAll(() => server?.stop());

const newDoctor = (slots: Slot[] = TIMES.map((time) => ({ date: DAY, time }))) => makeDoctor(server.db, { slots });
const newPatient = (): Promise<LoggedIn> => loginAs(server, { role: "patient", phone: newPhone() });
const visitsOf = (patient: LoggedIn) =>
  server.sql<{ id: string; status: string; doctor_id: string; patient_name: string; patient_phone: string }[]>`
    select * from appointments where patient_id = ${patient.userId} order by created_at`;
const reasonsOf = async (patient: LoggedIn) =>
  (
    await server.db
      .select({ reason: opened(appointments.reason) })
      .from(appointments)
      .where(eq(appointments.patientId, patient.userId))
      .orderBy(appointments.createdAt)
  ).map(({ reason }) => reason);
const filesOf = (patient: LoggedIn) =>
  server.db
    .select({ id: files.id, status: files.status, name: opened(files.originalName) })
    .from(files)
    .where(eq(files.ownerId, patient.userId))
    .orderBy(files.createdAt);

describe("step 1: date and time", () => {
  it.each(["", "?doctorId=", "?doctorId=nonsense", "?doctorId=00000000-0000-4000-8000-000000000000"])(
    "without a doctor (%s): told, and back to the dashboard",
    async (query) => {
      const patient = await newPatient();
      const answer = await patient.get(`/patient/appointments/datetime${query}`);
      expect(answer.location).toBe("/patient-dashboard");
      expect(readable((await patient.follow(answer)).text)).toContain("Doctor not specified. Please select a doctor.");
    },
  );
  it("the root of the flow begins with the first step, or says what is missing", async () => {
    const patient = await newPatient();
    expect((await patient.get(`/patient/appointments?doctorId=${doctor.id}`)).location).toBe(
      `/patient/appointments/datetime?doctorId=${doctor.id}`,
    );
    expect((await patient.get("/patient/appointments/")).location).toBe("/patient-dashboard");
  });
  it("a doctor who is not verified cannot be booked", async () => {
    const patient = await newPatient();
    const draft = await makeDoctor(server.db, { status: "suspended", slots: [SLOT] });
    expect((await patient.get(`/patient/appointments/datetime?doctorId=${draft.id}`)).location).toBe("/patient-dashboard");
    expect((await book(patient, draft.id, SLOT)).location).toContain("/patient/appointments/datetime");
    expect(await visitsOf(patient)).toHaveLength(0);
  });
  it("shows the free times to choose, the held ones and the key; a day without times says so", async () => {
    const own = await newDoctor();
    const other = await makePatient(server.db);
    await makeVisit(server.db, { patient: other, doctor: own }, { date: DAY, time: "09:30" });
    await makeVisit(server.db, { patient: other, doctor: own }, { date: DAY, time: "11:00", status: "cancelled" });
    const patient = await newPatient();
    const page = (await patient.get(`/patient/appointments/datetime?doctorId=${own.id}&date=${DAY}`)).text;
    const radios = [...page.matchAll(/<input\b[^>]*type="radio"[^>]*>/g)].map(([tag]) => ({
      time: /value="([^"]*)"/.exec(tag)?.[1],
      free: !/\sdisabled/.test(tag),
    }));
    expect(radios).toEqual(TIMES.map((time) => ({ time, free: time !== "09:30" })));
    expect(readable(page)).toContain("9:30 AM Booked");
    const empty = await patient.get(`/patient/appointments/datetime?doctorId=${own.id}&date=${dayFromNow(5)}`);
    expect(readable(empty.text)).toContain("No slots set for this date");
  });
  it("a month without a free day asks for a date; the months are stepped through", async () => {
    const own = await newDoctor([]);
    const patient = await newPatient();
    const at = (query: string) => patient.get(`/patient/appointments/datetime?doctorId=${own.id}${query}`);
    const page = (await at("")).text;
    expect(readable(page)).toContain("Please select a date first");
    expect(readable(page)).toContain("No free times in this month. Please look at another month, or at another doctor.");
    expect(readable(page)).not.toContain("No slots set for this date");
    const thisMonth = dayFromNow(0).slice(0, 7);
    const [next] = [...page.matchAll(/href="[^"]*month=(\d{4}-\d{2})"/g)].map(([, month]) => month!);
    expect(next! > thisMonth).toBe(true);
    expect((await at(`&month=${next}`)).text).toContain(`month=${thisMonth}"`);
  });
  it("past days and, today, past times are not offered", async () => {
    // The clock of this server at ten in the morning of the day after tomorrow, India time.
    const today = dayFromNow(2);
    const at = (time: string) => Date.parse(`${today}T${time}:00+05:30`) - Date.now();
    const own = await makeDoctor(server.db, {
      slots: [
        ...TIMES.map((time) => ({ date: today, time })),
        { date: dayFromNow(1), time: "10:00" },
        { date: dayFromNow(3), time: "10:00" },
      ],
    });
    const patient = await newPatient();
    server.clock.set(at("10:00"));
    try {
      const page = (await patient.get(`/patient/appointments/datetime?doctorId=${own.id}&date=${today}`)).text;
      const free = [...page.matchAll(/<input\b[^>]*type="radio"[^>]*>/g)].filter(([tag]) => !/\sdisabled/.test(tag));
      expect(free.map(([tag]) => /value="([^"]*)"/.exec(tag)?.[1])).toEqual(["10:30", "11:00", "11:30"]);
      expect(page).not.toMatch(new RegExp(`href="[^"]*date=${dayFromNow(1)}`));
      expect(page).toMatch(new RegExp(`href="[^"]*date=${dayFromNow(3)}`));
      // Asked for all the same, in the address or in a form, they are refused.
      for (const slot of [
        { date: dayFromNow(1), time: "10:00" },
        { date: today, time: "09:30" },
        { date: today, time: "10:00" },
      ]) {
        const answer = await book(patient, own.id, slot);
        expect(answer.status).toBe(409);
        expect(readable(answer.text)).toContain("This time is in the past. Please choose another.");
        expect(readable(answer.text)).not.toContain("just taken");
      }
      expect(await visitsOf(patient)).toHaveLength(0);
      expect(bookedId(await book(patient, own.id, { date: today, time: "10:30" }))).toBeTruthy();
    } finally {
      server.clock.set(0);
    }
  });
});

describe("step 2: patient detail", () => {
  it.each(["", "&date=2026-13-40&time=10:00", `&date=${DAY}`, `&date=${DAY}&time=25:99`, "&time=10:00"])(
    "without date and time (%s): told, and back to the first step with what is known",
    async (query) => {
      const patient = await newPatient();
      const address = `/patient/appointments/patient-detail?doctorId=${doctor.id}${query}`;
      for (const ask of [() => patient.get(address), () => patient.post(address, bookingFields())]) {
        const answer = await ask();
        expect(answer.status).toBe(303);
        expect(answer.location).toContain(`/patient/appointments/datetime?doctorId=${doctor.id}`);
        expect(readable((await patient.follow(answer)).text)).toContain("Missing appointment details. Please select again.");
      }
    },
  );
  it("says what is missing on the dashboard when the doctor is missing too", async () => {
    const patient = await newPatient();
    const answer = await patient.get(`/patient/appointments/patient-detail?date=${DAY}&time=10:00`);
    expect(answer.location).toBe("/patient/appointments/datetime");
    const shown = await patient.follow(answer);
    expect(shown.status).toBe(200);
    expect(readable(shown.text)).toContain("Missing appointment details. Please select again.");
    expect(readable(shown.text)).not.toContain("Doctor not specified");
  });
  it("the three steps are named; blood groups and kinds of papers are those of the specification", async () => {
    const patient = await newPatient();
    const page = await patient.get(bookingPage(doctor.id, SLOT));
    expect(readable(page.text)).toMatch(/Date & Time.*Patient Detail.*Payment/);
    const choices = (name: string) => {
      const select = new RegExp(`<select[^>]*name="${name}"[^>]*>([\\s\\S]*?)</select>`).exec(page.text)![1]!;
      return [...select.matchAll(/<option[^>]*value="([^"]+)"/g)].map(([, value]) => value);
    };
    expect(choices("bloodGroup")).toEqual(["A+", "A-", "B+", "B-", "AB+", "AB-", "O+", "O-"]);
    expect(choices("newRecordType")).toEqual(["prescription", "ct_scan", "xray", "other"]);
  });
  it("takes the time as people write it", async () => {
    const patient = await newPatient();
    const page = await patient.get(
      `/patient/appointments/patient-detail?doctorId=${doctor.id}&date=${DAY}&time=${encodeURIComponent("9:30 AM")}`,
    );
    expect(page.status).toBe(200);
    expect(readable(page.text)).toContain("9:30 AM");
  });

  const REQUIRED = "Please fill all required fields";
  const PHONE = "Please enter a valid 10-digit mobile number.";
  const AGE = "Please enter a valid age.";
  it.each([
    [{ name: "" }, REQUIRED],
    [{ name: "   " }, REQUIRED],
    [{ name: undefined }, REQUIRED],
    [{ phone: "" }, REQUIRED],
    [{ age: "" }, REQUIRED],
    [{ gender: undefined }, REQUIRED],
    [{ gender: "unknown" }, REQUIRED],
    [{ phone: "12345" }, PHONE],
    [{ phone: "98765432101" }, PHONE],
    [{ phone: "abcdefghij" }, PHONE],
    [{ age: "0" }, AGE],
    [{ age: "121" }, AGE],
    [{ age: "-3" }, AGE],
    [{ age: "4.5" }, AGE],
    [{ age: "old" }, AGE],
    [{ bloodGroup: "Z+" }, "Please check the fields below."],
    [{ medicalHistory: "x".repeat(2001) }, "Please shorten this text."],
  ])("%j: %s, and everything typed is kept", async (over, sentence) => {
    const patient = await newPatient();
    const fields = bookingFields(over);
    const answer = await book(patient, doctor.id, SLOT, over);
    expect(answer.status).toBe(400);
    expect(readable(answer.text)).toContain(sentence);
    const shown = valuesOf(answer.text);
    for (const name of ["name", "phone", "age", "gender", "medicalHistory", "reason"]) {
      if (name === "gender" && fields.gender === "unknown") continue; // no such choice to show
      expect(shown[name] ?? "", name).toBe((fields[name] ?? "").trim() === "" ? (shown[name] ?? "") : fields[name]);
    }
    // Also on another phone or after a reload.
    const again = valuesOf((await patient.get(bookingPage(doctor.id, SLOT))).text);
    if (fields.reason) expect(again.reason).toBe("Cough at night");
    expect(await visitsOf(patient)).toHaveLength(0);
  });

  it("age 1 and 120 are ages, a number with its prefix is a number, and an empty reason is a Routine Checkup", async () => {
    const own = await newDoctor();
    const patient = await newPatient();
    expect(
      bookedId(await book(patient, own.id, { date: DAY, time: "09:00" }, { age: "1", phone: "+91 98765 43210", reason: "" })),
    ).toBeTruthy();
    expect(
      bookedId(
        await book(patient, own.id, { date: DAY, time: "09:30" }, { age: "120", gender: "Female", bloodGroup: "", medicalHistory: "" }),
      ),
    ).toBeTruthy();
    expect(await visitsOf(patient)).toMatchObject([
      { patient_phone: "+919876543210" },
      { blood_group: null, medical_history: null, patient_gender: "female" },
    ]);
    expect(await reasonsOf(patient)).toEqual(["Routine Checkup", "Cough at night"]);
  });
  it("what is typed stays text", async () => {
    const own = await newDoctor();
    const patient = await newPatient();
    const name = `<script>alert(1)</script> "O'Neil" & Co`;
    const answer = await book(patient, own.id, SLOT, { name, age: "x" });
    expect(answer.text).not.toContain("<script>alert(1)");
    expect(valuesOf(answer.text).name).toBe(name);
    const id = bookedId(await book(patient, own.id, SLOT, { name }));
    const page = await patient.get(`/patient/appointments/payment/${id}`);
    expect(page.text).not.toContain("<script>alert(1)");
    expect(readable(page.text)).toContain(name);
  });
  it("says on the payment page what has become of the appointment", async () => {
    const own = await newDoctor();
    const patient = await newPatient();
    const id = bookedId(await book(patient, own.id, SLOT));
    const titleAfter = async (change: ReturnType<typeof server.sql>) => {
      await server.sql`update appointments set ${change} where id = ${id}`;
      return /<h1[^>]*>([^<]*)/.exec((await patient.get(`/patient/appointments/payment/${id}`)).text)?.[1];
    };
    expect(await titleAfter(server.sql`status = 'pending'`)).toBe("Appointment booked in progress!");
    expect(await titleAfter(server.sql`status = 'accepted'`)).toBe("Your appointment is confirmed");
    expect(await titleAfter(server.sql`date = current_date - 1`)).toBe("The time of this appointment has passed");
    expect(await titleAfter(server.sql`status = 'completed', completed_at = now()`)).toBe("This appointment is completed");
    expect(await titleAfter(server.sql`status = 'cancelled', completed_at = null`)).toBe("This appointment is cancelled");
  });
  it("fields that the form does not have change nothing", async () => {
    const own = await newDoctor();
    const [patient, other] = [await newPatient(), await newPatient()];
    const extra = { patientId: other.userId, status: "completed", fee: "1", doctorId: doctor.id, date: dayFromNow(9), __proto__: "x" };
    const id = bookedId(await book(patient, own.id, SLOT, extra));
    expect(id).toBeTruthy();
    expect(await visitsOf(other)).toHaveLength(0);
    expect(await visitsOf(patient)).toMatchObject([{ id, status: "pending", doctor_id: own.id, fee: "50000", date: DAY }]);
  });
  it("twenty bookings an hour, then 429", async () => {
    const own = await newDoctor();
    const patient = await newPatient();
    await server.sql`insert into rate_limits (key, at) select 'booking:' || encode(sha256(${patient.userId}::text::bytea), 'hex'), now() from generate_series(1, 20)`;
    const answer = await book(patient, own.id, SLOT);
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(valuesOf(answer.text).name).toBe("Lakshmi Devi");
  });
});

describe("a slot that is taken", () => {
  it("says so, offers the nearest free times, and keeps the form and its papers", async () => {
    const own = await newDoctor();
    const [first, second] = [await newPatient(), await newPatient()];
    expect(bookedId(await book(first, own.id, SLOT))).toBeTruthy();
    const answer = await book(second, own.id, SLOT, {}, [asFile(await png(), "report.png", "image/png")]);
    expect(answer.status).toBe(409);
    const text = readable(answer.text);
    expect(text).toContain("This slot was just taken. Please choose another.");
    expect(text).toContain("Nearest free times");
    const links = [...answer.text.matchAll(/href="([^"]*patient-detail\?[^"]*)"/g)].map((m) => m[1]!.replaceAll("&amp;", "&"));
    expect(links).toEqual(["09:00", "09:30", "10:30", "11:00"].map((time) => bookingPage(own.id, { date: DAY, time })));
    for (const time of ["09:00", "09:30", "10:30", "11:00"]) expect(text).toContain(formatTime(time));
    expect(text).toContain("report.png");
    // One press on a nearest time: everything is still there, and it can be booked.
    const next = await second.get(links[2]!);
    const kept = valuesOf(next.text);
    expect(kept).toMatchObject({ name: "Lakshmi Devi", phone: "9876543210", age: "34", gender: "female", reason: "Cough at night" });
    const done = await second.post(links[2]!, { ...kept, intent: "book" });
    const id = bookedId(done);
    expect(id).toBeTruthy();
    expect((await server.sql`select from medical_records where appointment_id = ${id}`).count).toBe(1);
  });
  it("refuses a slot that the doctor does not offer, and says so", async () => {
    const own = await newDoctor();
    const patient = await newPatient();
    for (const slot of [
      { date: DAY, time: "23:30" },
      { date: dayFromNow(300), time: "10:00" },
    ]) {
      const answer = await book(patient, own.id, slot);
      expect(answer.status).toBe(409);
      expect(readable(answer.text)).toContain("The doctor does not offer this time. Please choose another.");
    }
    expect(await visitsOf(patient)).toHaveLength(0);
  });
  it("a cancelled visit frees its slot", async () => {
    const own = await newDoctor();
    const patient = await newPatient();
    await makeVisit(server.db, { patient: await makePatient(server.db), doctor: own }, { ...SLOT, status: "cancelled" });
    expect(bookedId(await book(patient, own.id, SLOT))).toBeTruthy();
  });
});

describe("papers", () => {
  const IMAGES_ONLY = "Only pictures can be added here: JPEG, PNG or WebP. A screenshot or a new photo taken with this phone will do.";
  let photo: Buffer;
  beforeAll(async () => {
    photo = await photoWithPlace();
  });

  it("each with type and description; the description defaults to the file's name", async () => {
    const own = await newDoctor();
    const patient = await newPatient();
    const here = bookingPage(own.id, SLOT);
    const add = (over: Record<string, string>, files: File[]) => book(patient, own.id, SLOT, { intent: "add", ...over }, files);
    expect((await add({ newRecordType: "xray", newRecordDescription: "Chest, March" }, [asFile(photo, "IMG_1.jpg")])).location).toBe(
      `${here}#papers`,
    );
    const page = (await patient.get(here)).text;
    const kept = valuesOf(page);
    expect(kept).toMatchObject({ "records[0].recordType": "xray", "records[0].description": "Chest, March", name: "Lakshmi Devi" });
    const form = new FormData();
    for (const [name, value] of Object.entries({ ...kept, intent: "book", newRecordType: "ct_scan" })) form.append(name, value);
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
    // Nothing is left over for the next visit.
    const fresh = (await patient.get(bookingPage(own.id, { date: DAY, time: "11:00" }))).text;
    expect(fresh).not.toContain("second.jpg");
  });

  const refused: [string, () => Promise<File> | File, number, string][] = [
    ["HTML named .png", () => asFile("<html><script>alert(1)</script></html>", "x.png", "image/png"), 415, IMAGES_ONLY],
    ["SVG", () => asFile(svg, "x.svg", "image/svg+xml"), 415, IMAGES_ONLY],
    ["SVG named .jpg", () => asFile(svg, "x.jpg"), 415, IMAGES_ONLY],
    ["a PDF", () => asFile("%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF", "x.pdf", "application/pdf"), 415, IMAGES_ONLY],
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
      "This picture is too large. Please choose one of at most 10 MB.",
    ],
    [
      "more than 65 million pixels",
      async () => asFile(await png(9000, 7300), "bomb.png", "image/png"),
      413,
      "This picture has too many pixels. Please choose a smaller one.",
    ],
  ];
  it.each(refused)("%s is refused beside its field; the good one and the words beside it are kept", async (_, bad, status, sentence) => {
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

  it("a file far too large is refused, and what was typed before it is kept", async () => {
    const own = await newDoctor();
    const patient = await newPatient();
    const answer = await book(patient, own.id, SLOT, {}, [asFile(Buffer.alloc(25 * 1024 * 1024, 7), "film.jpg")]);
    expect(answer.status).toBe(413);
    expect(answer.text).toContain("</html>");
    expect(valuesOf(answer.text)).toMatchObject({ name: "Lakshmi Devi", reason: "Cough at night" });
    expect((await patient.get("/patient/calendar")).status).toBe(200);
  });

  it("nine papers are one too many, whether at once or one after the other", async () => {
    const own = await newDoctor();
    const patient = await newPatient();
    const many = (n: number) => Array.from({ length: n }, (_, i) => asFile(photo, `p${i + 1}.jpg`));
    const atOnce = await book(patient, own.id, SLOT, {}, many(9));
    expect(atOnce.status).toBe(413);
    expect(readable(atOnce.text)).toContain("At most 8 papers can be added.");
    expect(valuesOf(atOnce.text).name).toBe("Lakshmi Devi");
    expect(await visitsOf(patient)).toHaveLength(0);

    const careful = await newPatient();
    await book(careful, own.id, SLOT, { intent: "add" }, many(7));
    const kept = valuesOf((await careful.get(bookingPage(own.id, SLOT))).text);
    const form = new FormData();
    for (const [name, value] of Object.entries({ ...kept, intent: "book" })) form.append(name, value);
    for (const file of [asFile(photo, "eighth.jpg"), asFile(photo, "ninth.jpg")]) form.append("newRecords", file);
    const after = await careful.postFiles(bookingPage(own.id, SLOT), form);
    expect(after.status).toBe(413);
    expect(readable(after.text)).toContain("At most 8 papers can be added.");
    expect(await visitsOf(careful)).toHaveLength(0);
  });

  it("one paper can be taken out again", async () => {
    const own = await newDoctor();
    const patient = await newPatient();
    await book(patient, own.id, SLOT, { intent: "add" }, [asFile(photo, "one.jpg"), asFile(photo, "two.jpg")]);
    const here = bookingPage(own.id, SLOT);
    const kept = valuesOf((await patient.get(here)).text);
    const first = (await patient.get(here)).text.match(/value="(remove:[0-9a-f-]+)"/)?.[1];
    await patient.post(here, { ...kept, intent: first! });
    const page = readable((await patient.get(here)).text);
    expect(page).not.toContain("one.jpg");
    expect(page).toContain("two.jpg");
  });

  it("somebody else's file, or one of another visit, is not attached", async () => {
    const own = await newDoctor();
    const [thief, victim] = [await newPatient(), await newPatient()];
    await book(victim, own.id, SLOT, { intent: "add" }, [asFile(photo, "private.jpg")]);
    const [theirs] = await filesOf(victim);
    const answer = await book(thief, own.id, SLOT, { "records[0].fileId": theirs!.id, "records[0].recordType": "other" });
    const id = bookedId(answer);
    expect((await server.sql`select from medical_records where file_id = ${theirs!.id}`).count).toBe(0);
    if (id) expect(readable((await thief.get(`/patient/appointments/payment/${id}`)).text)).not.toContain("private.jpg");
    expect((await filesOf(victim))[0]?.status).toBe("pending");
    // A text part cannot pretend to be an upload either.
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

describe("one press, one booking", () => {
  it("the same form twice, one after the other: the second leads to the first booking", async () => {
    const own = await newDoctor();
    const patient = await newPatient();
    const photo = await photoWithPlace();
    const press = () => book(patient, own.id, SLOT, { idempotencyKey: "the-same-key-1" }, [asFile(photo, "once.jpg")]);
    const [first, second] = [await press(), await press()];
    expect(bookedId(first)).toBeTruthy();
    expect(second.location).toBe(first.location);
    expect(await visitsOf(patient)).toHaveLength(1);
    // The paper of the second press does not wait for the next visit.
    expect(readable((await patient.get(bookingPage(own.id, { date: DAY, time: "11:00" }))).text)).not.toContain("once.jpg");
  });
  it("the same form ten times at once", async () => {
    const own = await newDoctor();
    const patient = await newPatient();
    const answers = await Promise.all(Array.from({ length: 10 }, () => book(patient, own.id, SLOT, { idempotencyKey: "the-same-key-2" })));
    expect(new Set(answers.map((a) => a.location)).size).toBe(1);
    expect(bookedId(answers[0]!)).toBeTruthy();
    expect(await visitsOf(patient)).toHaveLength(1);
    expect((await server.sql`select from notifications where user_id = ${own.id}`).count).toBe(1);
  });
  it("a lost answer and a new form for the same slot: the same booking", async () => {
    const own = await newDoctor();
    const patient = await newPatient();
    const first = await book(patient, own.id, SLOT);
    const page = valuesOf((await patient.get(bookingPage(own.id, SLOT))).text);
    expect(page.idempotencyKey).toBeTruthy();
    const again = await book(patient, own.id, SLOT, { idempotencyKey: page.idempotencyKey });
    expect(again.location).toBe(first.location);
    expect(await visitsOf(patient)).toHaveLength(1);
  });
  it("refuses the key of a booking with another person, slot or doctor, and spends no limit on a retry", async () => {
    const [own, other] = [await newDoctor(), await newDoctor()];
    const patient = await newPatient();
    const key = "the-same-key-3";
    const first = await book(patient, own.id, SLOT, { idempotencyKey: key });
    const spent = () => server.sql`select count(*)::int from rate_limits`.then(([row]) => row!.count as number);
    const before = await spent();
    for (const [doctorId, slot, over] of [
      [own.id, SLOT, { name: "Somebody Else" }],
      [own.id, SLOT, { age: "35" }],
      [own.id, { ...SLOT, time: "11:30" as typeof SLOT.time }, {}],
      [other.id, SLOT, {}],
    ] as const) {
      const answer = await book(patient, doctorId, slot, { idempotencyKey: key, ...over });
      expect([answer.status, bookedId(answer)]).toEqual([409, null]);
    }
    expect((await book(patient, own.id, SLOT, { idempotencyKey: key })).location).toBe(first.location);
    expect((await book(patient, own.id, SLOT)).location).toBe(first.location); // the slot they hold, with a new key
    expect(await spent()).toBe(before);
    expect(await visitsOf(patient)).toHaveLength(1);
  });
  it("somebody else's key is another key", async () => {
    const own = await newDoctor();
    const [a, b] = [await newPatient(), await newPatient()];
    const first = await book(a, own.id, { date: DAY, time: "09:00" }, { idempotencyKey: "shared-key-1" });
    const second = await book(b, own.id, { date: DAY, time: "09:30" }, { idempotencyKey: "shared-key-1" });
    expect(bookedId(second)).toBeTruthy();
    expect(second.location).not.toBe(first.location);
  });
  it("each page gets a key of its own; a form without one is refused", async () => {
    const patient = await newPatient();
    const key = async () => valuesOf((await patient.get(bookingPage(doctor.id, SLOT))).text).idempotencyKey;
    expect(await key()).not.toBe(await key());
    expect((await book(patient, doctor.id, SLOT, { idempotencyKey: undefined })).status).toBe(400);
  });
});

describe("step 3: payment", () => {
  it("UPI with a QR code and a reference, marked as demo; paying at the clinic is noted", async () => {
    const own = await newDoctor();
    const [place] = await server.sql`
      insert into hospitals (name, category, address, city, state, pin_code, phone)
      values ('Lotus Clinic', 'Clinic', '12 Brodipet, Guntur', 'Guntur', 'Andhra Pradesh', '522002', '+919848012345') returning id`;
    await server.sql`update doctors set hospital_id = ${place!.id} where id = ${own.id}`;
    const patient = await newPatient();
    const answer = await book(patient, own.id, SLOT);
    const page = await patient.follow(answer);
    const text = readable(page.text);
    expect(text).toContain("Appointment booked in progress!");
    expect(text).toContain("This is a demo payee. Please do not send money.");
    const [row] = await server.sql`select payment_reference from appointments where id = ${bookedId(answer)}`;
    expect(text).toContain(row!.payment_reference);
    const link = /href="(upi:[^"]*)"/.exec(page.text)?.[1]?.replaceAll("&amp;", "&") ?? "";
    expect(new URL(link).searchParams.get("tr")).toBe(row!.payment_reference);
    expect(new URL(link).searchParams.get("am")).toBe("500.00");
    expect(page.text).toContain("<svg");
    // Where to go, in the words one says to a driver, and whom to call.
    expect(page.text).toContain(`href="/hospital/${place!.id}"`);
    expect(text).toContain("Where Lotus Clinic 12 Brodipet, Guntur 522002 Phone +91 98480 12345");
    const chosen = await patient.post(answer.location!, { method: "clinic" });
    expect(readable((await patient.get("/patient/calendar")).text)).toContain("Lotus Clinic");
    expect(chosen.location).toBe("/patient/calendar");
    expect(await visitsOf(patient)).toMatchObject([{ payment_method: "clinic", status: "pending" }]);
    expect((await patient.post(answer.location!, { method: "paid" })).status).toBe(400);
  });
  it("a doctor without a fee, and a visit that is over", async () => {
    const free = await makeDoctor(server.db, { slots: [SLOT], fee: null });
    const patient = await newPatient();
    const answer = await book(patient, free.id, SLOT);
    expect(readable((await patient.follow(answer)).text)).toContain("The doctor has not named a fee. You settle it at the clinic.");
    await server.sql`update appointments set status = 'cancelled' where id = ${bookedId(answer)}`;
    expect(readable((await patient.get(answer.location!)).text)).toContain("This visit is no longer open, so there is nothing to pay.");
    expect((await patient.post(answer.location!, { method: "clinic" })).status).toBe(404);
  });
  it("the external link of PAYMENT_LINK_TEMPLATE, with our reference and the amount", async () => {
    const other = await startServer({ seed: false, env: { PAYMENT_LINK_TEMPLATE: "https://pay.example/{reference}?amount={amount}" } });
    try {
      const own = await makeDoctor(other.db, { slots: [SLOT] });
      const patient = await loginAs(other, { role: "patient", phone: newPhone() });
      const page = await patient.follow(await book(patient, own.id, SLOT));
      expect(page.text).toMatch(/href="https:\/\/pay\.example\/ND-[2-9A-Z]{4}-[2-9A-Z]{4}\?amount=500\.00"/);
      expect(page.text).not.toContain("upi://");
    } finally {
      await other.stop();
    }
  });
});

describe("posts that are no forms", () => {
  it.each([
    ["a body that is no multipart", "multipart/form-data; boundary=x", "nonsense"],
    ["a multipart that stops", "multipart/form-data; boundary=x", '--x\r\nContent-Disposition: form-data; name="name"\r\n\r\nhalf'],
    ["no boundary", "multipart/form-data", "--x--"],
    ["JSON", "application/json", "{"],
    ["an empty form", "application/x-www-form-urlencoded", ""],
    ["a NUL", "application/x-www-form-urlencoded", "intent=book&name=%00"],
  ])("%s is the sender's fault", async (_, type, body) => {
    const patient = await newPatient();
    const answer = await patient.send("POST", bookingPage(doctor.id, SLOT), { headers: { "content-type": type }, body });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    expect(await visitsOf(patient)).toHaveLength(0);
  });
});

it("the calendar lists a booking with its status", async () => {
  const own = await newDoctor();
  await addSlots(server.db, own.id, [{ date: dayFromNow(6), time: "15:00" }]);
  const patient = await newPatient();
  expect(readable((await patient.get("/patient/calendar")).text)).toContain("No bookings found.");
  expect(readable((await patient.get("/patient/calendar")).text)).toContain("No Appointments");
  await book(patient, own.id, { date: dayFromNow(6), time: "15:00" });
  const page = readable((await patient.get(`/patient/calendar?month=${dayFromNow(6).slice(0, 7)}`)).text);
  for (const words of ["Your Appointments", "Active Appointment", "3:00 PM", "Pending", "Your Bookings", "For Lakshmi Devi"])
    expect(page).toContain(words);
});

it("times and bookings that cannot be read: each says so in the specification's words (§8)", async () => {
  const patient = await newPatient();
  const held = (table: string, path: string) =>
    server.sql.begin(async (tx) => {
      await tx.unsafe(`lock table ${table} in access exclusive mode`);
      return patient.get(path);
    });
  for (const [table, path, sentence] of [
    ["availability_slots", `/patient/appointments/datetime?doctorId=${doctor.id}`, "Failed to fetch availability"],
    ["appointments", "/patient/calendar", "Failed to load bookings"],
  ] as const) {
    const answer = await held(table, path);
    expect([answer.status, readable(answer.text).includes(sentence)], path).toEqual([503, true]);
    expect((await patient.get(path)).status).toBe(200);
  }
});

describe("the calendar's side and days (spec 001 §2.12, §4.3)", () => {
  const seen = async (visits: Parameters<typeof makeVisit>[2][], month = dayFromNow(0).slice(0, 7)) => {
    const own = await newDoctor([]);
    const patient = await newPatient();
    const [row] = await server.sql<{ phone: string }[]>`select phone from users where id = ${patient.userId}`;
    const me = { id: patient.userId, phone: row!.phone, actor: { userId: patient.userId, role: "patient" as const } };
    for (const visit of visits) await makeVisit(server.db, { patient: me, doctor: own }, visit);
    const { text } = await patient.get(`/patient/calendar?month=${month}`);
    return { text, words: readable(text) };
  };
  const badges = (html: string) =>
    [...html.matchAll(/class="badge ?([a-z]*)"[^>]*>\s*(?:<svg.*?<\/svg>)?\s*([^<]*)</g)].map(([, tone, word]) => [word, tone]);

  it("nothing to come: the visit before, whose time has passed, as completed", async () => {
    const { words, text } = await seen([
      { date: dayFromNow(-9), status: "completed" },
      { date: dayFromNow(-3), time: "09:00", status: "accepted", reason: "Fever" },
      { date: dayFromNow(-2), status: "cancelled" },
    ]);
    expect(words).toContain("Completed Appointment");
    expect(words.indexOf("Fever")).toBeLessThan(words.indexOf("Your Bookings"));
    expect(words).toContain("Schedule Appointment");
    for (const none of ["Active Appointment", "No Appointments", "Today's Appointments"]) expect(words).not.toContain(none);
    expect(badges(text)).toContainEqual(["Completed", ""]);
    expect(badges(text)).not.toContainEqual(["Accepted", "ok"]);
  });
  it("today's come first; each status has its colour and word", async () => {
    const { words, text } = await seen([
      { date: dayFromNow(0), time: "00:30", status: "pending" },
      { date: dayFromNow(0), time: "00:00", status: "accepted" },
      { date: dayFromNow(3), status: "accepted" },
      { date: dayFromNow(4), status: "pending" },
      { date: dayFromNow(5), status: "cancelled" },
    ]);
    expect(words).toContain("Today's Appointments");
    expect(words).not.toContain("Active Appointment");
    for (const look of [
      ["Accepted", "ok"],
      ["Pending", "warn"],
      ["Cancelled", "bad"],
      ["Completed", ""],
    ])
      expect(badges(text)).toContainEqual(look);
    // A request that nobody answered took place for nobody: it stays what it is.
    expect(words.slice(words.indexOf("Today's"))).toMatch(/12:00 AM Completed.*12:30 AM Pending/);
  });
  it("a day's times stand on it in their order, today and past days are marked", async () => {
    const [today, day] = [dayFromNow(0), dayFromNow(40)];
    const { text, words } = await seen(
      ["14:00", "09:30", "12:00"].map((time) => ({ date: day, time, status: "accepted" as const })),
      day.slice(0, 7),
    );
    expect(text).toMatch(
      /<small aria-hidden="true"> 9:30 AM<\/small><small aria-hidden="true"> 12:00 PM<\/small><small aria-hidden="true"> \+1<\/small>/,
    );
    expect(words).toContain("9:30 AM, 12:00 PM, 2:00 PM");
    const now = await seen([], today.slice(0, 7));
    expect(now.text).toMatch(new RegExp(`<span class="now"[^>]*><span[^>]*>${Number(today.slice(8))}<`));
    if (!today.endsWith("-01")) expect(now.text).toContain('<span class="past"');
    expect([...now.text.matchAll(/href="[^"]*month=(\d{4}-\d{2})"/g)]).toHaveLength(2);
  });
});
