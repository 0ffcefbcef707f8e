/** The admin pages over HTTP: overview, doctors, suspension, and what other roles get. */
import { describe, expect, it } from "vitest";
import { readable } from "../factories/booking.ts";
import { decisionFields, makeCase, makeHospital } from "../factories/cases.ts";
import { dayFromNow, makeDoctor, makePatient, makeVisit, typed } from "../factories/people.ts";
import { admin, approved, at, hospitalAt, house, page, reviewer, second, server, statusOf, wrong } from "../setup/admin.ts";
import { DEMO_KEY } from "../setup/database.ts";
import { type Answer, Browser } from "../setup/http.ts";
import { ownNow } from "../setup/own-day.ts";
import { loginAs } from "../setup/people.ts";

describe("the overview", () => {
  it("counts what waits and for how long, hospitals to confirm, cases without a reviewer, and lists the newest decisions", async () => {
    const entered = await makeHospital(server.db, { name: "Entered By Hand", status: "pending" });
    await makeCase(server.db, {
      key: DEMO_KEY,
      hospital: entered,
      name: "Dr. Without Reviewer",
      submittedAt: new Date(ownNow().getTime() - 9 * 86_400_000 - 60_000),
    });
    const it = await approved({ name: "Dr. Freshly Decided" });
    await admin.post(at(it), decisionFields(it, "approve", ["matches"]));
    const text = await page("/admin");
    for (const word of [
      "Pending admin approval",
      "Under review by hospital",
      "Oldest: 9 days",
      "Entered By Hand",
      "Applications waiting for this hospital: 1",
      "Dr. Without Reviewer",
      "Waiting 9 days",
      "Dr. Freshly Decided",
      "Admin approval: verified",
    ])
      expect(text, word).toContain(word);
  });
});

describe("doctors", () => {
  it("are listed by status, and found by name, email, phone and registration number", async () => {
    const it = await approved({ name: "Dr. Searchable Name" });
    const list = (query: string) => page(`/admin/doctors?status=pending+admin+approval&q=${encodeURIComponent(query)}`);
    const [number] = await server.sql`select council_number n from doctors where id = ${it.id}`;
    const half = typed(it.phone).slice(0, 6);
    for (const query of ["searchable", it.email, typed(it.phone), `0${half}`, `+91 ${half}`, String(number?.n)])
      expect(await list(query), query).toContain("Dr. Searchable Name");
    const elsewhere = await page("/admin/doctors?status=verified&q=searchable");
    expect(elsewhere).toContain("Other tabs have results");
    expect(elsewhere).toContain("Pending admin approval (1)");
    expect(await list("no such name")).toContain("No doctors found");
    expect(await page("/admin/doctors?status=verified")).not.toContain("Dr. Searchable Name");
    for (const odd of ["?status=nonsense", "?page=-1&q=%25", "?status=draft&page=9999"])
      expect((await admin.follow(await admin.get(`/admin/doctors${odd}`))).status, odd).toBe(200);
  });
  it("approving verifies, lists and notifies the doctor by email", async () => {
    const it = await approved({ name: "Dr. Qwerty Approved" });
    const text = await page(at(it));
    expect(text).toMatch(/Hospital review: approved Reviewer \d+/);
    const answer = await admin.post(at(it), decisionFields(it, "approve", ["matches"]));
    expect(answer.status).toBe(303);
    // Goes to the next waiting case, or to the list.
    const rest = await server.sql`select id from doctors where registration_status = 'pending admin approval'`;
    expect(["/admin/doctors", ...rest.map(({ id }) => `/admin/doctors/${id}`)]).toContain(answer.location);
    expect(await statusOf(it)).toBe("verified");
    expect(readable((await new Browser(server.url).get("/doctorspages/Cards-data?q=Qwerty")).text)).toContain("Dr. Qwerty Approved");
    await expect
      .poll(async () => (await server.outbox(it.email)).map((l) => l.subject).join(), { timeout: 10_000 })
      .toContain("You are verified");
  });
  it("are sent back with reasons", async () => {
    const it = await approved();
    expect(
      (await admin.post(at(it), decisionFields(it, "send-back", [["Another name on it."], "matches", "matches", "matches"]))).status,
    ).toBe(303);
    expect(await statusOf(it)).toBe("rejected");
    expect(await page(at(it))).toContain("Another name on it.");
  });
  it("cannot be approved before their hospital decided, nor by the user who approved there", async () => {
    const early = await makeCase(server.db, { key: DEMO_KEY, hospital: house });
    const refused = await admin.post(at(early), decisionFields(early, "approve", ["matches"]));
    expect([refused.status, readable(refused.text)]).toEqual([
      409,
      expect.stringContaining("The status of this application has changed to: Under review by hospital."),
    ]);
    const it = await approved({ approvedBy: admin.userId });
    const same = await admin.post(at(it), decisionFields(it, "approve", ["matches"]));
    expect([same.status, readable(same.text)]).toEqual([403, expect.stringContaining("Another administrator must approve it here.")]);
    expect((await second.post(at(it), decisionFields(it, "approve", ["matches"]))).status).toBe(303);
  });
  it("cannot be approved while their hospital is not confirmed, and the page states it", async () => {
    const entered = await makeHospital(server.db, { status: "pending", name: "Unconfirmed House" });
    const it = await approved({ hospital: entered });
    expect(await page(at(it))).toContain("Confirm the hospital before you approve: Unconfirmed House");
    expect((await admin.post(at(it), decisionFields(it, "approve", ["matches"]))).status).toBe(409);
    await admin.post(hospitalAt(entered), { intent: "confirm" });
    expect((await admin.post(at(it), decisionFields(it, "approve", ["matches"]))).status).toBe(303);
  });
  it("accept one of two decisions at once, and refuse the other", async () => {
    const it = await approved();
    const answers = await Promise.all([
      admin.post(at(it), decisionFields(it, "approve", ["matches"])),
      second.post(at(it), decisionFields(it, "send-back", [["No."]])),
    ]);
    expect(answers.map((a) => a.status).sort()).toEqual([303, 409]);
    expect(readable(answers.find((a) => a.status === 409)!.text)).toMatch(
      /The status of this application has changed to: (Verified|Rejected)\./,
    );
  });
  it("show their numbers only after a reason, which is logged", async () => {
    const it = await approved();
    const hidden = (answer: Answer) => {
      for (const number of Object.values(it.numbers)) expect(answer.text).not.toContain(number);
    };
    for (const path of [at(it), `${at(it)}.data`, "/admin/doctors", "/admin/audit", `/admin/users/${it.id}`]) hidden(await admin.get(path));
    hidden(await admin.post(`${at(it)}/reveal/account`, { reason: "" }));
    const shown = await admin.post(`${at(it)}/reveal/account`, { reason: "A payment came back." });
    expect([shown.status, shown.text.includes(it.numbers.account)]).toEqual([200, true]);
    const log = await page(`/admin/audit?person=${it.id}&action=reveal-number`);
    expect(log).toContain("A payment came back.");
    expect(log).not.toContain(it.numbers.account);
  });
});

describe("suspension", () => {
  it("requires a reason, ends the sessions, unlists the doctor and lists the coming visits, and can be reversed", async () => {
    const it = await approved({ name: "Dr. Zyx Suspended", status: "verified" });
    const patient = await makePatient(server.db);
    const visit = await makeVisit(server.db, { patient, doctor: it }, { status: "accepted", date: dayFromNow(2), name: "Waiting Patient" });
    const theirs = await loginAs(server, { role: "patient", phone: patient.phone });
    const own = (place: string) => theirs.get(`/patient/appointments/${place}`);
    expect(readable((await own(`payment/${visit}`)).text)).toContain("How would you like to pay?");
    const doctor = await loginAs(server, { role: "doctor", email: it.email });
    expect((await doctor.get("/doctor-dashboard")).status).toBe(200);

    const path = `${at(it)}/suspend`;
    expect(await page(path)).toContain("Suspend Dr. Zyx Suspended?");
    const silent = await admin.post(path, { reason: "  " });
    expect([silent.status, readable(silent.text)]).toEqual([400, expect.stringContaining("Write why you are suspending the doctor.")]);
    expect((await admin.post(path, { reason: "A complaint is looked into." })).status).toBe(303);
    expect(await statusOf(it)).toBe("suspended");
    expect((await doctor.get("/doctor-dashboard")).location).toMatch(/^\/dual-doctor/);
    expect((await new Browser(server.url).get(`/details/doctor/${it.id}`)).status).toBe(404);
    const again = await loginAs(server, { role: "doctor", email: it.email });
    expect((await again.get("/doctor/appointments")).status).toBe(303);
    const text = await page(at(it));
    for (const word of ["Waiting Patient", "Booked appointments: 1", "A complaint is looked into."]) expect(text).toContain(word);
    expect((await server.sql`select status from appointments where doctor_id = ${it.id}`)[0]?.status).toBe("accepted");
    expect((await admin.post(path, { reason: "Twice." })).status).toBe(409);
    // The patient is asked for no payment and offered no other time, and may cancel.
    const unpaid = readable((await own(`payment/${visit}`)).text);
    expect(unpaid).toContain("This doctor is not seeing patients on Nadi right now. Call the clinic before you pay or go there.");
    expect(unpaid).not.toMatch(/How would you like to pay|\bUPI\b/);
    const calendar = (await theirs.get("/patient/calendar")).text;
    expect(readable(calendar)).toContain("This doctor is not seeing patients on Nadi right now.");
    expect(calendar).toContain(`/patient/appointments/${visit}/cancel`);
    expect(calendar).not.toContain(`/patient/appointments/${visit}/reschedule`);
    const moved = await theirs.post(`/patient/appointments/${visit}/reschedule`, { date: dayFromNow(3), time: "10:00" });
    expect([moved.status, readable(moved.text)]).toEqual([
      409,
      expect.stringContaining("This doctor is not seeing patients on Nadi right now."),
    ]);

    expect((await admin.post(`${at(it)}/reinstate`, { note: "" })).status).toBe(303);
    expect(await statusOf(it)).toBe("verified");
    expect((await new Browser(server.url).get(`/details/doctor/${it.id}`)).status).toBe(200);
    expect((await admin.post(`${at(it)}/reinstate`, {})).status).toBe(409);
  });
});

describe("coming visits of a suspended doctor", () => {
  it("are cancelled by a form post without JavaScript that lists them, and the patients are notified", async () => {
    const it = await makeDoctor(server.db, { status: "suspended", name: "Dr. Plain Suspended" });
    const patient = await makePatient(server.db);
    const [gone, stays] = [
      await makeVisit(server.db, { patient, doctor: it }, { name: "Cancelled Person", time: "10:00" }),
      await makeVisit(server.db, { patient, doctor: it }, { name: "Booked Person", time: "11:00" }),
    ];
    const path = `${at(it)}/visits`;
    const shown = await page(path);
    for (const word of ["Cancelled Person", "Booked Person", "All appointments: 2"]) expect(shown).toContain(word);
    const empty = await admin.post(path, { intent: "cancel", reason: "" });
    expect(empty.status).toBe(400);
    for (const word of ["Choose at least one appointment.", "Choose a reason for the patients."])
      expect(readable(empty.text)).toContain(word);
    const answer = await admin.post(path, { intent: "cancel", visits: gone, reason: "doctor-left", note: "" });
    expect([answer.status, answer.location]).toEqual([303, at(it)]);
    expect(await page(at(it))).toContain("Appointments cancelled: 1.");
    const rows = await server.sql`select id, status from appointments where doctor_id = ${it.id}`;
    expect(Object.fromEntries(rows.map(({ id, status }) => [id, status]))).toEqual({ [gone]: "cancelled", [stays]: "pending" });
    const theirs = await loginAs(server, { role: "patient", phone: patient.phone });
    expect(await page("/patient/notifications", theirs)).toContain("The doctor no longer works at this hospital.");
    expect((await admin.post(path, { intent: "cancel", visits: gone, reason: "doctor-left" })).status).toBe(303);
    expect(await page(at(it))).toContain("Appointments cancelled: 0. Already changed or asked: 1.");
  });
  it("stay booked when their patients are asked once to choose another doctor", async () => {
    const it = await makeDoctor(server.db, { status: "suspended", name: "Dr. Choose Another" });
    const patient = await makePatient(server.db);
    const visit = await makeVisit(server.db, { patient, doctor: it }, { name: "Asked Person" });
    for (const says of ["Patients asked: 1.", "Patients asked: 0. Already changed or asked: 1."]) {
      const answer = await admin.post(`${at(it)}/visits`, { intent: "choose-again", visits: visit, reason: "doctor-left" });
      expect([answer.status, answer.location]).toEqual([303, at(it)]);
      expect(await page(at(it))).toContain(says);
    }
    expect((await server.sql`select status from appointments where id = ${visit}`)[0]?.status).toBe("pending");
    const asked = await server.sql`select from notifications where user_id = ${patient.id} and kind = 'appointment-choose-again'`;
    expect(asked).toHaveLength(1);
  });
  it("cannot be changed for a doctor who is not suspended", async () => {
    const it = await makeDoctor(server.db, { name: "Dr. Not Suspended" });
    const visit = await makeVisit(server.db, { patient: await makePatient(server.db), doctor: it }, { name: "Unread Person" });
    const path = `${at(it)}/visits`;
    const shown = await page(path);
    expect(shown).toContain("Dr. Not Suspended is not suspended.");
    expect(shown).not.toContain("Unread Person");
    expect((await admin.post(path, { intent: "cancel", all: "on", reason: "doctor-away" })).status).toBe(409);
    expect((await server.sql`select status from appointments where id = ${visit}`)[0]?.status).toBe("pending");
  });
});

describe("figures", () => {
  it("of the platform are shown by week and exported in the same range", async () => {
    const doctor = await makeDoctor(server.db, { name: "Dr. Aardvark Without Times" });
    await makeVisit(server.db, { patient: await makePatient(server.db), doctor }, { name: "Unnamed In Figures" });
    const text = await page("/admin/figures?weeks=4");
    for (const word of [
      "Platform figures",
      "Usual time to acceptance",
      "Cancelled by patients",
      "New doctors",
      "Dr. Aardvark Without Times",
    ])
      expect(text, word).toContain(word);
    expect(text).not.toContain("Unnamed In Figures");
    const csv = await admin.get("/admin/figures.csv?weeks=4");
    expect(csv.headers.get("content-type")).toContain("text/csv");
    const lines = csv.text.trim().split("\r\n");
    expect(lines).toHaveLength(5);
    expect(lines[0]).toMatch(/Week from,Bookings,"?Usual time to acceptance, minutes"?,/);
    expect(Number(lines[4]?.split(",")[1])).toBeGreaterThan(0);
    expect(csv.text).not.toMatch(/Aardvark|Unnamed/);
    expect((await admin.get("/admin/figures.csv?weeks=nonsense")).text.trim().split("\r\n")).toHaveLength(13);
  });
});

describe("other roles", () => {
  it("get nothing and change nothing on every admin page", async () => {
    const it = await approved({ name: "Dr. Not For Them" });
    const entered = await makeHospital(server.db, { status: "pending", name: "Not For Them House" });
    const paths: [string, Record<string, string>][] = [
      ["/admin", {}],
      ["/admin/doctors", {}],
      [at(it), decisionFields(it, "approve", ["matches"])],
      [`${at(it)}/reveal/pan`, { reason: "I am curious." }],
      [`${at(it)}/suspend`, { reason: "x" }],
      [`${at(it)}/reinstate`, {}],
      [`${at(it)}/visits`, { intent: "cancel", all: "on", reason: "doctor-away" }],
      ["/admin/hospitals", {}],
      ["/admin/hospitals/new", { name: "Theirs", category: "Clinic", address: "x", city: "Vijayawada", state: "Andhra Pradesh" }],
      [hospitalAt(entered), { intent: "confirm" }],
      [`${hospitalAt(entered)}/edit`, {}],
      [`${hospitalAt(entered)}/merge`, { into: house.id }],
      [`${hospitalAt(entered)}/refuse`, { reason: "x" }],
      [`${hospitalAt(house)}/reviewers/${reviewer.userId}/remove`, {}],
      ["/admin/users", {}],
      [`/admin/users/${admin.userId}`, { intent: "disable", reason: "x" }],
      ["/admin/payments", { id: crypto.randomUUID() }],
      ["/admin/appointments/0192a0c4-0000-4000-8000-00000000000a/cancel", { askedBy: "patient", why: "x" }],
      ["/admin/appointments/0192a0c4-0000-4000-8000-00000000000a/move", { askedBy: "patient", why: "x", to: "2030-01-01 10:00" }],
      [`/admin/doctors/assign?case=${it.id}`, { "cases[0].id": it.id, "cases[0].from": "" }],
      ["/admin/announcements", {}],
      ["/admin/announcements/new", { audience: "patients", title_en: "x", message_en: "x", ends: dayFromNow(1) }],
      ["/admin/figures", {}],
      ["/admin/figures.csv", {}],
      ["/admin/audit", {}],
      ["/admin/audit.csv", {}],
    ];
    const state = async () =>
      (
        await server.sql`select md5(string_agg(t, '|' order by t)) as sum from (
          select to_json(d)::text t from doctors d union all select to_json(h)::text from hospitals h union all select to_json(u)::text from users u
          union all select to_json(r)::text from hospital_reviewers r union all select to_json(e)::text from verification_events e) rows`
      )[0]?.sum;
    const before = await state();
    for (const [name, browser] of Object.entries(wrong))
      for (const [path, fields] of paths)
        for (const address of [path, `${path}.data`]) {
          const [read, posted] = [await browser.get(address), await browser.post(address, fields)];
          for (const answer of [read, posted]) {
            expect(answer.text, `${name} ${address}`).not.toMatch(/Not For Them|CANRY/);
            // 202 is the redirect of a data request; 405: a read-only page.
            expect([202, 303, 403, 404, 405], `${name} ${address}`).toContain(answer.status);
          }
        }
    expect(await state()).toBe(before);
  });
  it("a malformed id is not found", async () => {
    const unknown = crypto.randomUUID();
    for (const id of [unknown, "1", "nonsense", "%27%20or%201=1"])
      for (const path of [
        `/admin/doctors/${id}`,
        `/admin/doctors/${id}/suspend`,
        `/admin/doctors/${id}/visits`,
        `/admin/doctors/${id}/reveal/pan`,
        `/admin/hospitals/${id}`,
        `/admin/hospitals/${id}/edit`,
        `/admin/hospitals/${id}/merge`,
        `/admin/users/${id}`,
      ]) {
        expect((await admin.get(path)).status, path).toBe(404);
        const posted = await admin.post(path, { intent: "enable", reason: "Because of it.", into: house.id });
        expect([400, 404], `POST ${path} ${posted.status}`).toContain(posted.status);
      }
  });
});
