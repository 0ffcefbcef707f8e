/** The first two steps of a booking over HTTP: each refusal has its text, and the form preserves the input. */
import { describe, expect, it } from "vitest";
import { formatDayShort, formatTime } from "#app/lib/dates.ts";
import { book, bookedId, bookingFields, bookingPage, readable, valuesOf } from "../factories/booking.ts";
import { dayFromNow, makeDoctor, makePatient, makeVisit } from "../factories/people.ts";
import { asFile, png } from "../factories/pictures.ts";
import { DAY, doctor, newDoctor, newPatient, notesOf, reasonsOf, SLOT, server, TIMES, visitsOf } from "../setup/booking.ts";

describe("step 1: date and time", () => {
  it.each(["", "?doctorId=", "?doctorId=nonsense", "?doctorId=00000000-0000-4000-8000-000000000000"])(
    "without a doctor (%s): returns to the dashboard with a message",
    async (query) => {
      const patient = await newPatient();
      const answer = await patient.get(`/patient/appointments/datetime${query}`);
      expect(answer.location).toBe("/patient-dashboard");
      expect(readable((await patient.follow(answer)).text)).toContain("Doctor not specified. Please select a doctor.");
    },
  );
  it("the root of the flow redirects to the first step, or to the dashboard without a doctor", async () => {
    const patient = await newPatient();
    expect((await patient.get(`/patient/appointments?doctorId=${doctor.id}`)).location).toBe(
      `/patient/appointments/datetime?doctorId=${doctor.id}`,
    );
    expect((await patient.get("/patient/appointments/")).location).toBe("/patient-dashboard");
  });
  it("refuses a doctor who is not verified", async () => {
    const patient = await newPatient();
    const draft = await makeDoctor(server.db, { status: "suspended", slots: [SLOT] });
    expect((await patient.get(`/patient/appointments/datetime?doctorId=${draft.id}`)).location).toBe("/patient-dashboard");
    expect((await book(patient, draft.id, SLOT)).location).toContain("/patient/appointments/datetime");
    expect(await visitsOf(patient)).toHaveLength(0);
  });
  it("shows free times with their number, says of a chosen one that it was booked, and has a message for a day without slots", async () => {
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
    expect(radios).toEqual(TIMES.filter((time) => time !== "09:30").map((time) => ({ time, free: true })));
    expect(readable(page)).toContain(": 5 free times");
    expect(readable(page)).toContain("Morning , 5 free");
    expect(readable(page)).not.toContain("9:30 AM");
    const late = (await patient.get(`/patient/appointments/datetime?doctorId=${own.id}&date=${DAY}&time=09:30`)).text;
    expect(readable(late)).toContain("9:30 AM Booked");
    const empty = await patient.get(`/patient/appointments/datetime?doctorId=${own.id}&date=${dayFromNow(5)}`);
    expect(readable(empty.text)).toContain("No slots set for this date");
  });
  it("shows the next seven days with their free times, opens the waitlist for a full one, and the month on request", async () => {
    const [full, free] = [dayFromNow(2), dayFromNow(3)];
    const later = dayFromNow(21);
    const own = await makeDoctor(server.db, {
      slots: [{ date: full, time: "10:00" }, ...TIMES.map((time) => ({ date: free, time })), { date: later, time: "10:00" }],
    });
    await makeVisit(server.db, { patient: await makePatient(server.db), doctor: own }, { date: full, time: "10:00" });
    const patient = await newPatient();
    const times = `/patient/appointments/datetime?doctorId=${own.id}`;
    const page = (await patient.get(times)).text;
    const strip = /<ul\b[^>]*data-strip[\s\S]*?<\/ul>/.exec(page)![0];
    const cells = strip.split("<li").slice(1);
    expect(cells.map((cell) => /<small[^>]*>([^<]*)/.exec(cell)?.[1])).toEqual([
      "No times",
      "No times",
      "Full",
      "6 free",
      "No times",
      "No times",
      "No times",
      undefined,
    ]);
    expect(cells[2]).toContain(`href="/patient/waitlist/join?doctorId=${own.id}&amp;date=${full}"`);
    expect(cells[3]).toContain('aria-current="date"');
    expect(cells[0]).not.toContain("href=");
    expect(page).not.toContain("data-calendar");
    const more = /href="([^"]*)"/.exec(cells[7]!)![1]!.replaceAll("&amp;", "&");
    const month = (await patient.get(more)).text;
    expect(readable(month)).toContain("Hide month");
    expect(valuesOf(month).date).toBe(free);
    // A day of the month keeps it open.
    expect(month).toMatch(new RegExp(`<table[\\s\\S]*href="[^"]*month=${free.slice(0, 7)}&amp;date=${free}"`));
    // From a later day back to the free one of these seven.
    const [, hide] = /href="([^"]*)"[^>]*>(?:(?!<\/a>)[\s\S])*Hide month/.exec((await patient.get(`${times}&date=${later}`)).text)!;
    const hidden = (await patient.get(hide!.replaceAll("&amp;", "&"))).text;
    expect(readable(hidden)).toContain("Show month");
    expect(valuesOf(hidden).date).toBe(free);
  });
  it("a month without a free day asks for a date, and links to other months", async () => {
    const own = await newDoctor([]);
    const patient = await newPatient();
    const at = (query: string) => patient.get(`/patient/appointments/datetime?doctorId=${own.id}${query}`);
    const page = (await at("")).text;
    expect(readable(page)).toContain("Please select a date first");
    expect(readable(page)).toContain("No free times this month. Try another month or another doctor.");
    expect(readable(page)).not.toContain("No slots set for this date");
    const thisMonth = dayFromNow(0).slice(0, 7);
    const [next] = [...page.matchAll(/href="[^"]*month=(\d{4}-\d{2})"/g)].map(([, month]) => month!);
    expect(next! > thisMonth).toBe(true);
    expect((await at(`&month=${next}`)).text).toContain(`month=${thisMonth}"`);
  });
  it("starts at the first free day, also some months ahead, and at the day of the URL", async () => {
    const far = dayFromNow(100);
    const own = await newDoctor([
      { date: DAY, time: "09:00" },
      { date: far, time: "10:00" },
    ]);
    await makeVisit(server.db, { patient: await makePatient(server.db), doctor: own }, { date: DAY, time: "09:00" });
    const patient = await newPatient();
    const at = async (query: string) => (await patient.get(`/patient/appointments/datetime?doctorId=${own.id}${query}`)).text;
    expect(valuesOf(await at("")).date).toBe(far);
    // Without a free day in the next seven the month stays.
    expect(readable(await at(""))).not.toContain("Hide month");
    const full = await at(`&date=${DAY}`);
    expect(valuesOf(full).date).toBe(DAY);
    expect(readable(full)).toContain("All times on this day are booked. Choose another day.");
  });
  it("repeats the chosen time in the dock, with the end of the free change", async () => {
    const soon = { date: dayFromNow(1), time: "00:00" };
    const own = await newDoctor([SLOT, { date: DAY, time: "11:00" }, soon]);
    const patient = await newPatient();
    const dockOf = async (path: string) => readable((await patient.get(path)).text.split('class="dock')[1]!);
    const times = `/patient/appointments/datetime?doctorId=${own.id}`;
    const day = (date: string) => formatDayShort(date);
    const dock = await dockOf(`${times}&date=${DAY}`);
    expect(dock).toContain(`${day(DAY)}, 10:00 AM You can change it until ${day(dayFromNow(3))}, 10:00 AM`);
    expect(dock).toContain(`${day(DAY)}, 11:00 AM You can change it until ${day(dayFromNow(3))}, 11:00 AM`);
    expect(await dockOf(`${times}&date=${soon.date}`)).toContain(`${day(soon.date)}, 12:00 AM You can cancel until the doctor accepts`);
    const id = bookedId(await book(patient, own.id, SLOT))!;
    expect(await dockOf(`/patient/appointments/${id}/reschedule`)).toContain(
      `${day(DAY)}, 11:00 AM You can change it until ${day(dayFromNow(3))}, 11:00 AM`,
    );
  });
  it("offers no past days and no past times of today", async () => {
    // The clock of this server at ten in the morning, India time, of a day whose month has a next day.
    const n = [2, 3].find((one) => dayFromNow(one).slice(0, 7) === dayFromNow(one + 1).slice(0, 7))!;
    const [yesterday, today, tomorrow] = [dayFromNow(n - 1), dayFromNow(n), dayFromNow(n + 1)];
    const at = (time: string) => Date.parse(`${today}T${time}:00+05:30`);
    const own = await makeDoctor(server.db, {
      slots: [...TIMES.map((time) => ({ date: today, time })), { date: yesterday, time: "10:00" }, { date: tomorrow, time: "10:00" }],
    });
    const patient = await newPatient();
    server.clock.to(at("10:00"));
    try {
      const page = (await patient.get(`/patient/appointments/datetime?doctorId=${own.id}&date=${today}`)).text;
      // Past times are not on the page at all.
      const free = [...page.matchAll(/<input\b[^>]*type="radio"[^>]*>/g)];
      expect(free.map(([tag]) => /value="([^"]*)"/.exec(tag)?.[1])).toEqual(["10:30", "11:00", "11:30"]);
      expect(page).not.toMatch(new RegExp(`href="[^"]*date=${yesterday}`));
      expect(page).toMatch(new RegExp(`href="[^"]*date=${tomorrow}`));
      // Requested by URL or form, they are refused too.
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
    "without date and time (%s): returns to the first step with a message and the known values",
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
  it("returns to the first step with a message when the doctor is missing too", async () => {
    const patient = await newPatient();
    const answer = await patient.get(`/patient/appointments/patient-detail?date=${DAY}&time=10:00`);
    expect(answer.location).toBe("/patient/appointments/datetime");
    const shown = await patient.follow(answer);
    expect(shown.status).toBe(200);
    expect(readable(shown.text)).toContain("Missing appointment details. Please select again.");
    expect(readable(shown.text)).not.toContain("Doctor not specified");
  });
  it("names the three steps, with the blood groups and document types of the specification", async () => {
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
  it("folds what is optional for the doctor, and opens it when it has a value or an error", async () => {
    const own = await newDoctor();
    const foldOf = (html: string) => /<details[^>]*id="documents"[^>]*>/.exec(html)![0];
    const isOpen = (html: string) => /\sopen(=|\s|>)/.test(foldOf(html));
    const bare = { bloodGroup: "", medicalHistory: "", reason: "" };
    const patient = await newPatient();
    const page = (await patient.get(bookingPage(own.id, SLOT))).text;
    expect(isOpen(page)).toBe(false);
    const [before, after] = page.split(foldOf(page));
    expect(before).toMatch(/name="reason"/);
    for (const name of ["bloodGroup", "medicalHistory", "note", "newRecords"]) expect(after, name).toContain(`name="${name}"`);
    expect(isOpen((await book(patient, own.id, SLOT, { ...bare, age: "x" })).text)).toBe(false);
    expect(isOpen((await book(patient, own.id, SLOT, { ...bare, bloodGroup: "Z+" })).text)).toBe(true);
    expect(isOpen((await book(patient, own.id, SLOT, { ...bare, age: "x", note: "Wheelchair" })).text)).toBe(true);
    // The doctor reads it all.
    const id = bookedId(await book(patient, own.id, SLOT, { note: "Wheelchair" }));
    expect(id).toBeTruthy();
    expect(await notesOf(patient)).toEqual([{ note: "Wheelchair", medicalHistory: "Asthma since 2009" }]);
  });
  it("names the missing fields below the sentence of the specification", async () => {
    const patient = await newPatient();
    const { text } = await book(patient, doctor.id, SLOT, { name: "", age: "", gender: undefined, phone: "12" });
    const summary = text.slice(text.indexOf('role="alert"'));
    expect(summary).toMatch(
      /<p>Please fill all required fields<\/p><ul[^>]*><li><a href="#booking-name">Name<\/a><\/li><li><a href="#booking-age">Age<\/a><\/li><li><a href="#booking-gender">Gender<\/a>/,
    );
    expect(summary).toContain('<a href="#booking-phone">Phone: Please enter a valid 10-digit mobile number.</a>');
  });
  it("accepts a time with AM and PM", async () => {
    const patient = await newPatient();
    const page = await patient.get(
      `/patient/appointments/patient-detail?doctorId=${doctor.id}&date=${DAY}&time=${encodeURIComponent("9:30 AM")}`,
    );
    expect(page.status).toBe(200);
    expect(readable(page.text)).toContain("9:30 AM");
  });

  it("shows before and after booking until when the appointment can be changed", async () => {
    const own = await newDoctor([
      { date: DAY, time: "10:00" },
      { date: dayFromNow(1), time: "00:00" },
      { date: dayFromNow(1), time: "00:30" },
    ]);
    const [place] = await server.sql`
      insert into hospitals (name, category, address, city, state, phone)
      values ('Krishna Clinic', 'Clinic', '3 MG Road', 'Vijayawada', 'Andhra Pradesh', '+918662400000') returning id`;
    await server.sql`update doctors set hospital_id = ${place!.id} where id = ${own.id}`;
    const patient = await newPatient();
    const RULE =
      "You can reschedule or cancel up to 24 hours before the appointment. After that, you can only cancel, and only until the doctor accepts.";
    const times = await patient.get(`/patient/appointments/datetime?doctorId=${own.id}`);
    expect(readable(times.text)).toContain(RULE);
    const until = `You can reschedule or cancel until ${formatDayShort(dayFromNow(3))}, 10:00 AM.`;
    expect(readable((await patient.get(bookingPage(own.id, SLOT))).text)).toContain(until);
    const far = bookedId(await book(patient, own.id, SLOT))!;
    expect(readable((await patient.get(`/patient/appointments/payment/${far}`)).text)).toContain(until);
    expect(readable((await patient.get("/patient/calendar")).text)).toContain(until);
    // Less than 24 hours ahead.
    const soon = { date: dayFromNow(1), time: "00:00" };
    const SOON = "Less than 24 hours are left: you can cancel only until the doctor accepts. To cancel later, please call the clinic.";
    expect(readable((await patient.get(bookingPage(own.id, soon))).text)).toContain(SOON);
    const near = bookedId(await book(patient, own.id, soon))!;
    expect(readable((await patient.get(`/patient/appointments/payment/${near}`)).text)).toContain(
      "Less than 24 hours are left, so the time can no longer be changed here. You can cancel until the doctor accepts.",
    );
    await server.sql`update appointments set status = 'accepted' where id = ${near}`;
    const LATE = "Less than 24 hours are left, so you can no longer reschedule or cancel this appointment here. Please call the clinic.";
    expect(readable((await patient.get(`/patient/appointments/payment/${near}`)).text)).toContain(LATE);
    // The card of a visit that is locked has the number to call.
    const card = (await patient.get("/patient/calendar")).text;
    expect(readable(card)).toContain(LATE);
    expect(card).toContain('href="tel:+918662400000"');
    await server.sql`update doctors set hospital_id = null where id = ${own.id}`;
    const without = (await patient.get("/patient/calendar")).text;
    expect(without).not.toContain('href="tel:+918662400000"');
    expect(readable(without)).toContain("Contact support");
  });
  it("opens another time on the day of the appointment", async () => {
    const own = await newDoctor([
      { date: dayFromNow(2), time: "09:00" },
      { date: DAY, time: "10:00" },
      { date: DAY, time: "11:00" },
    ]);
    const patient = await newPatient();
    const id = bookedId(await book(patient, own.id, SLOT))!;
    const page = (await patient.get(`/patient/appointments/${id}/reschedule`)).text;
    expect(valuesOf(page).date).toBe(DAY);
    const other = (await patient.get(`/patient/appointments/${id}/reschedule?month=${dayFromNow(2).slice(0, 7)}`)).text;
    expect(valuesOf(other).date).toBe(dayFromNow(2));
  });

  it("asks for SMS about the appointment, ticked, and takes it with Book", async () => {
    const own = await newDoctor();
    const patient = await newPatient();
    const boxOf = (html: string) => /<input[^>]*name="smsUpdates"[^>]*>/.exec(html)?.[0] ?? "";
    const page = (await patient.get(bookingPage(own.id, SLOT))).text;
    expect(boxOf(page)).toMatch(/\schecked/);
    expect(readable(page)).toContain("Send me SMS about this appointment");
    const wanted = async (answer: Awaited<ReturnType<typeof book>>) =>
      (await server.sql`select sms_updates from appointments where id = ${bookedId(answer)}`)[0]?.sms_updates;
    expect(await wanted(await book(patient, own.id, SLOT, { smsUpdates: "on" }))).toBe(true);
    expect(await wanted(await book(patient, own.id, { date: DAY, time: "11:00" }))).toBe(false);
    // Unticked stays unticked when the form is refused, when another patient is chosen and after a reload.
    const other = await newPatient();
    expect(boxOf((await book(other, own.id, { date: DAY, time: "09:00" }, { age: "0" })).text)).not.toMatch(/\schecked/);
    await book(other, own.id, { date: DAY, time: "09:00" }, { intent: "for:new" });
    expect(boxOf((await other.get(bookingPage(own.id, { date: DAY, time: "09:00" }))).text)).not.toMatch(/\schecked/);
    await book(other, own.id, { date: DAY, time: "09:00" }, { intent: "for:me", smsUpdates: "on" });
    expect(boxOf((await other.get(bookingPage(own.id, { date: DAY, time: "09:00" }))).text)).toMatch(/\schecked/);
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
    [{ phone: "98765 43210 5" }, PHONE],
    [{ phone: "+971 50 123 4567" }, PHONE],
    [{ phone: "abcdefghij" }, PHONE],
    [{ age: "0" }, AGE],
    [{ age: "121" }, AGE],
    [{ age: "-3" }, AGE],
    [{ age: "4.5" }, AGE],
    [{ age: "old" }, AGE],
    [{ bloodGroup: "Z+" }, "Please check the fields below."],
    [{ medicalHistory: "x".repeat(2001) }, "Please shorten this text."],
  ])("%j: %s, and preserves the input", async (over, sentence) => {
    const patient = await newPatient();
    const fields = bookingFields(over);
    const answer = await book(patient, doctor.id, SLOT, over);
    expect(answer.status).toBe(400);
    expect(readable(answer.text)).toContain(sentence);
    const shown = valuesOf(answer.text);
    for (const name of ["name", "phone", "age", "gender", "medicalHistory", "reason"]) {
      if (name === "gender" && fields.gender === "unknown") continue; // not an option of the field
      expect(shown[name] ?? "", name).toBe((fields[name] ?? "").trim() === "" ? (shown[name] ?? "") : fields[name]);
    }
    // Also on another phone or after a reload.
    const again = valuesOf((await patient.get(bookingPage(doctor.id, SLOT))).text);
    if (fields.reason) expect(again.reason).toBe("Cough at night");
    expect(await visitsOf(patient)).toHaveLength(0);
  });

  it("a refused form preserves the input, and a later visit starts without the refused values", async () => {
    const own = await newDoctor();
    const patient = await newPatient();
    const refused = await book(patient, own.id, SLOT, { age: "900", phone: "98765" });
    expect(valuesOf(refused.text)).toMatchObject({ age: "900", phone: "98765", name: "Lakshmi Devi" });
    const later = valuesOf((await patient.get(bookingPage(own.id, SLOT))).text);
    expect(later).toMatchObject({ name: "Lakshmi Devi", reason: "Cough at night", age: "" });
    expect(later.phone).not.toBe("98765");
  });

  it("accepts ages 1 and 120 and a number with its prefix, and stores Routine Checkup for an empty reason", async () => {
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
  it("escapes markup in the input", async () => {
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
  it("shows the current status of the appointment on the payment page", async () => {
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
  it("ignores fields that the form does not have", async () => {
    const own = await newDoctor();
    const [patient, other] = [await newPatient(), await newPatient()];
    const extra = { patientId: other.userId, status: "completed", fee: "1", doctorId: doctor.id, date: dayFromNow(9), __proto__: "x" };
    const id = bookedId(await book(patient, own.id, SLOT, extra));
    expect(id).toBeTruthy();
    expect(await visitsOf(other)).toHaveLength(0);
    expect(await visitsOf(patient)).toMatchObject([{ id, status: "pending", doctor_id: own.id, fee: "50000", date: DAY }]);
  });
  it("refuses the twenty-first booking of an hour with 429", async () => {
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
  it("is refused with the nearest free times, and the form and its documents are preserved", async () => {
    const own = await newDoctor();
    const [first, second] = [await newPatient(), await newPatient()];
    expect(bookedId(await book(first, own.id, SLOT))).toBeTruthy();
    const answer = await book(second, own.id, SLOT, {}, [asFile(await png(), "report.png", "image/png")]);
    expect(answer.status).toBe(409);
    const text = readable(answer.text);
    expect(text).toContain("This slot was just taken. Please choose another.");
    expect(text).toContain("Nearest free times");
    const buttons = [...answer.text.matchAll(/<button[^>]*value="(at:[^"]+)"/g)].map(([, value]) => value!);
    expect(buttons).toEqual(["09:00", "09:30", "10:30", "11:00"].map((time) => `at:${DAY} ${time}`));
    for (const time of ["09:00", "09:30", "10:30", "11:00"]) expect(text).toContain(formatTime(time));
    expect(text).toContain("report.png");
    // One press on a nearest time: the form has the input, also what was typed after the refusal, and can be booked.
    const typed = { ...valuesOf(answer.text), reason: "Cough at night and fever" };
    const moved = await second.post(bookingPage(own.id, SLOT), { ...typed, intent: buttons[2]! });
    const there = bookingPage(own.id, { date: DAY, time: "10:30" });
    expect(moved.location).toBe(there);
    const values = valuesOf((await second.get(there)).text);
    expect(values).toMatchObject({ name: "Lakshmi Devi", phone: "9876543210", age: "34", gender: "female", reason: typed.reason });
    // "All times" preserves it too.
    const all = await second.post(there, { ...values, note: "Allergic to penicillin", intent: "at:" });
    expect(all.location).toBe(`/patient/appointments/datetime?doctorId=${own.id}&date=${DAY}`);
    const done = await second.post(there, { ...valuesOf((await second.get(there)).text), intent: "book" });
    const id = bookedId(done);
    expect(id).toBeTruthy();
    expect((await server.sql`select from medical_records where appointment_id = ${id}`).count).toBe(1);
    expect(await notesOf(second)).toMatchObject([{ note: "Allergic to penicillin" }]);
  });
  it("shows the reason above the free times, and no longer offers the taken time", async () => {
    const own = await newDoctor();
    const [first, second] = [await newPatient(), await newPatient()];
    const form = (await second.get(bookingPage(own.id, SLOT))).text;
    expect(form).toMatch(/<button[^>]*value="book"/);
    expect(bookedId(await book(first, own.id, SLOT))).toBeTruthy();
    const { text } = await book(second, own.id, SLOT);
    const words = readable(text);
    expect(words.indexOf("This slot was just taken.")).toBeGreaterThan(0);
    expect(words.indexOf("This slot was just taken.")).toBeLessThan(words.indexOf("Nearest free times"));
    const dock = text.slice(text.lastIndexOf('class="dock'));
    expect(readable(dock)).not.toContain("10:00 AM");
    expect(dock).toMatch(/<button[^>]*value="at:"/);
    expect(text).not.toMatch(/<button[^>]*value="book"/);
  });
  it.each([
    ["already booked", SLOT, "This time is already booked. Please choose another."],
    ["never offered", { date: DAY, time: "23:30" }, "The doctor does not offer this time. Please choose another."],
    ["in the past", { date: dayFromNow(-1), time: "10:00" }, "This time is in the past. Please choose another."],
  ])("refuses the form for a time that is %s", async (_, slot, sentence) => {
    const own = await newDoctor();
    await makeVisit(server.db, { patient: await makePatient(server.db), doctor: own }, SLOT);
    const patient = await newPatient();
    const page = await patient.get(bookingPage(own.id, slot));
    const words = readable(page.text);
    expect(words).toContain(sentence);
    expect(words.indexOf(sentence)).toBeLessThan(words.indexOf("Nearest free times"));
    expect(page.text).not.toMatch(/name="(name|phone|age)"|value="book"/);
  });
  it("is refused when the doctor does not offer it", async () => {
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
  it("is free again after a cancellation", async () => {
    const own = await newDoctor();
    const patient = await newPatient();
    await makeVisit(server.db, { patient: await makePatient(server.db), doctor: own }, { ...SLOT, status: "cancelled" });
    expect(bookedId(await book(patient, own.id, SLOT))).toBeTruthy();
  });
});

describe("malformed requests", () => {
  it.each([
    ["a body that is no multipart", "multipart/form-data; boundary=x", "nonsense"],
    ["a multipart that stops", "multipart/form-data; boundary=x", '--x\r\nContent-Disposition: form-data; name="name"\r\n\r\nhalf'],
    ["no boundary", "multipart/form-data", "--x--"],
    ["JSON", "application/json", "{"],
    ["an empty form", "application/x-www-form-urlencoded", ""],
    ["a NUL", "application/x-www-form-urlencoded", "intent=book&name=%00"],
  ])("%s is refused with a client error", async (_, type, body) => {
    const patient = await newPatient();
    const answer = await patient.send("POST", bookingPage(doctor.id, SLOT), { headers: { "content-type": type }, body });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    expect(await visitsOf(patient)).toHaveLength(0);
  });
});
