/** Hospitals and their reviewers on the admin pages over HTTP. */
import { describe, expect, it } from "vitest";
import { readable, valuesOf } from "../factories/booking.ts";
import { makeCase, makeHospital, makeReviewer, type TestHospital } from "../factories/cases.ts";
import { pressContinue, proveDoctorPhone } from "../factories/logins.ts";
import { newPhone, typed } from "../factories/people.ts";
import { admin, at, hospitalAt, house, page, second, server, statusOf } from "../setup/admin.ts";
import { DEMO_KEY } from "../setup/database.ts";
import { Browser } from "../setup/http.ts";
import { loginAs } from "../setup/people.ts";

describe("hospitals", () => {
  const fields = {
    seen: "",
    name: "",
    category: "Clinic",
    address: "12 Temple Street",
    area: "One Town",
    city: "Vijayawada",
    state: "Andhra Pradesh",
    pinCode: "520001",
    phone: "0866 2571234",
    email: "",
    workingHours: "",
    about: "",
  };

  it("are added and changed, with errors beside the fields", async () => {
    const bad = await admin.post("/admin/hospitals/new", {
      ...fields,
      name: " ",
      city: "Atlantis",
      pinCode: "12",
      phone: "call me",
      email: "not an address",
    });
    expect(bad.status).toBe(400);
    for (const sentence of [
      "Enter the name of the hospital.",
      "Enter the 6-digit PIN code.",
      "Enter a landline or mobile number.",
      "Please enter a valid email address",
    ])
      expect(readable(bad.text)).toContain(sentence);
    expect(readable(bad.text)).not.toContain("Invalid input");
    const blanks = await admin.post("/admin/hospitals/new", Object.fromEntries(Object.keys(fields).map((name) => [name, "  "])));
    expect([blanks.status, readable(blanks.text)]).toEqual([400, expect.not.stringContaining("Invalid input")]);
    expect(valuesOf(bad.text)).toMatchObject({ city: "Atlantis", address: "12 Temple Street" });
    expect(readable((await admin.post("/admin/hospitals/new", { ...fields, name: "Atlantis Clinic", city: "Atlantis" })).text)).toContain(
      "We could not find this city in this state.",
    );

    const made = await admin.post("/admin/hospitals/new", { ...fields, name: "Temple Street Clinic" });
    expect(made.status).toBe(303);
    const here = made.location!;
    expect(await page(here)).toContain("Temple Street Clinic");
    expect((await admin.post("/admin/hospitals/new", { ...fields, name: "Temple Street Clinic" })).status).toBe(409);
    const form = valuesOf((await admin.get(`${here}/edit`)).text);
    expect(form).toMatchObject({ name: "Temple Street Clinic", category: "Clinic", state: "Andhra Pradesh" });
    expect((await admin.post(`${here}/edit`, { ...form, name: "Temple Road Clinic" })).status).toBe(303);
    const stale = await second.post(`${here}/edit`, { ...form, name: "Stale Clinic" });
    expect([stale.status, readable(stale.text)]).toEqual([409, expect.stringContaining("This hospital was changed after you opened it.")]);
    expect(await page(`/admin/hospitals?q=temple+road`)).toContain("Temple Road Clinic");
  });
  it("have access facts, which patients see", async () => {
    const made = await admin.post("/admin/hospitals/new", { ...fields, name: "Reachable Clinic" });
    const form = valuesOf((await admin.get(`${made.location}/edit`)).text);
    expect((await admin.post(`${made.location}/edit`, { ...form, access: ["lift", "ramp"] })).status).toBe(303);
    expect((await admin.get(`${made.location}/edit`)).text.match(/type="checkbox"[^>]*checked/g)).toHaveLength(2);
    expect(await page(made.location!.replace("/admin/hospitals/", "/hospital/"))).toContain("Facilities Ramp at the entrance, Lift");
    expect((await admin.post(`${made.location}/edit`, { ...form, access: "helipad" })).status).toBe(400);
  });
  it("are confirmed once when a doctor entered them", async () => {
    const entered = await makeHospital(server.db, { status: "pending", name: "To Be Confirmed" });
    expect(await page("/admin/hospitals?status=pending")).toContain("To Be Confirmed");
    const answers = await Promise.all([admin, second].map((who) => who.post(hospitalAt(entered), { intent: "confirm" })));
    expect(answers.map((a) => a.status).sort()).toEqual([303, 409]);
    expect(await page(hospitalAt(entered))).toContain("Confirmed");
  });
  it("are merged: doctors and reviewers of both move", async () => {
    const [entered, stays] = [
      await makeHospital(server.db, { status: "pending", name: "Krishnaa Nursing Home" }),
      await makeHospital(server.db, { name: "Krishnaa Nursing House" }),
    ];
    const one = await loginAs(server, await makeReviewer(server.db, stays));
    const it = await makeCase(server.db, { key: DEMO_KEY, hospital: entered, name: "Dr. Moves House" });
    expect((await one.get(`/reviewer/cases/${it.id}`)).status).toBe(404);
    expect(await page(hospitalAt(entered))).toContain("Krishnaa Nursing House");
    const path = `${hospitalAt(entered)}/merge`;
    const none = await admin.post(path, {});
    expect([none.status, readable(none.text)]).toEqual([400, expect.stringContaining("Choose the hospital to keep.")]);
    expect((await admin.post(path, { into: entered.id })).status).toBe(400);
    expect((await admin.post(path, { into: stays.id })).location).toBe(hospitalAt(stays));
    expect((await one.get(`/reviewer/cases/${it.id}`)).status).toBe(200);
    expect(await page(hospitalAt(entered))).toContain("This entry was merged into Krishnaa Nursing House.");
    expect((await admin.post(path, { into: stays.id })).status).toBe(409);
  });
  it("are refused, which sends their cases back with the reason", async () => {
    const entered = await makeHospital(server.db, { status: "pending", name: "A Shoe Shop" });
    const it = await makeCase(server.db, { key: DEMO_KEY, hospital: entered });
    const path = `${hospitalAt(entered)}/refuse`;
    expect((await admin.post(path, { reason: "" })).status).toBe(400);
    expect((await admin.post(path, { reason: "It is a shop." })).status).toBe(303);
    expect(await statusOf(it)).toBe("rejected");
    expect(await page(at(it))).toContain("Your hospital A Shoe Shop was not accepted. Choose another hospital. Reason: It is a shop.");
    expect((await admin.post(path, { reason: "Twice." })).status).toBe(409);
    expect((await admin.post(hospitalAt(entered), { intent: "confirm" })).status).toBe(409);
  });
});

describe("a reviewer", () => {
  const invite = async (to: string, hospital: TestHospital) => {
    const answer = await admin.post(hospitalAt(hospital), { intent: "invite", email: to, name: "Sister Grace" });
    expect(answer.status).toBe(303);
    await expect.poll(async () => (await server.outbox(to))[0]?.body ?? "", { timeout: 10_000 }).toContain("/invitation/");
    return /\/invitation\/[\w-]+/.exec((await server.outbox(to))[0]!.body)![0];
  };

  it("is invited by email, creates an account, logs in with password and code, and sees the hospital's cases", async () => {
    const hospital = await makeHospital(server.db, { name: "Inviting Hospital" });
    const it = await makeCase(server.db, { key: DEMO_KEY, hospital, name: "Dr. Waits For Grace" });
    const [email, phone] = ["grace@invited.test", newPhone()];
    const link = await invite(email, hospital);
    expect(await page(hospitalAt(hospital))).toContain(email);

    const grace = new Browser(server.url);
    const opened = await grace.get(link);
    expect([opened.status, opened.headers.get("cache-control"), opened.headers.get("referrer-policy")]).toEqual([
      200,
      "no-store",
      "same-origin",
    ]);
    expect(readable(opened.text)).toContain("Review doctors for Inviting Hospital");
    expect(valuesOf(opened.text).name).toBe("Sister Grace");
    const wrongForm = await grace.post(link, { intent: "make", name: "", phone: "12", password: "short" });
    expect(wrongForm.status).toBe(400);
    for (const sentence of ["Enter your name.", "Please enter a valid 10-digit mobile number", "Password must be at least 6 characters"])
      expect(readable(wrongForm.text)).toContain(sentence);
    const account = { intent: "make", name: "Sister Grace", phone: typed(phone), password: "a long secret" };
    const answers = await Promise.all([1, 2, 3].map(() => new Browser(server.url).post(link, account)));
    expect(answers.map((a) => a.status).sort()).toEqual([303, 404, 404]);
    expect(answers.find((a) => a.status === 303)?.location).toBe("/dual-doctor");
    expect(answers.every((a) => !a.setCookies.some((c) => c.startsWith("nadi_session")))).toBe(true);

    await proveDoctorPhone(server, grace, { email, password: "a long secret", mobile: phone });
    expect((await pressContinue(grace)).location).toBe("/reviewer");
    expect(readable((await grace.get("/reviewer")).text)).toContain("Dr. Waits For Grace");
    expect((await grace.get(`/reviewer/cases/${it.id}`)).status).toBe(200);

    const over = await grace.get(link);
    expect([over.status, readable(over.text)]).toEqual([404, expect.stringContaining("Ask the administrator for a new one.")]);
    expect(server.output()).not.toContain(link.split("/").at(-1));
  });
  it("gets the email in the chosen language with English below, and the pages in the same language", async () => {
    const hospital = await makeHospital(server.db, { name: "Telugu Hospital" });
    const [email, phone] = ["telugu@invited.test", newPhone()];
    await admin.post(hospitalAt(hospital), { intent: "invite", email, language: "te" });
    await expect.poll(async () => (await server.outbox(email))[0]?.body ?? "", { timeout: 10_000 }).toContain("/invitation/");
    const [message] = await server.outbox(email);
    expect([message!.subject, message!.body]).toEqual([
      expect.stringContaining("డాక్టర్ల పరిశీలన"),
      expect.stringMatching(/ఆహ్వానిస్తున్నాం[\s\S]*You are invited/),
    ]);
    const link = /\/invitation\/[\w-]+\?lang=te/.exec(message!.body)![0];
    const visitor = new Browser(server.url);
    expect((await visitor.get(link)).text).toContain('lang="te"');
    await visitor.post(link, { intent: "make", name: "Lakshmi", phone: typed(phone), password: "a long secret" });
    expect((await server.sql`select language from users where email = ${email}`)[0]?.language).toBe("te");
    expect((await admin.post(hospitalAt(hospital), { intent: "invite", email: "x@invited.test", language: "xx" })).status).toBe(400);
  });
  it("of another hospital accepts with one press, and an invitation expires and can be withdrawn", async () => {
    const hospital = await makeHospital(server.db, { name: "Second Hospital" });
    const known = await makeReviewer(server.db, house);
    const link = await invite(known.email, hospital);
    const visitor = new Browser(server.url);
    const opened = await visitor.get(link);
    expect(opened.text).not.toContain('name="password"');
    expect((await visitor.post(link, { intent: "accept" })).status).toBe(303);
    expect(await page(hospitalAt(hospital))).toContain(known.email);

    const late = await invite("late@invited.test", hospital);
    await admin.post(hospitalAt(hospital), { intent: "take-back", email: "late@invited.test" });
    expect((await visitor.get(late)).status).toBe(404);
    const forgotten = await invite("forgotten@invited.test", hospital);
    server.clock.advance(7 * 86_400_000 + 60_000);
    try {
      expect((await visitor.get(forgotten)).status).toBe(404);
      expect(
        (await visitor.post(forgotten, { intent: "make", name: "X", phone: typed(newPhone()), password: "a long secret" })).status,
      ).toBe(404);
    } finally {
      server.clock.set(0);
    }
    for (const token of ["x", "%00", "..%2f..", "a".repeat(5000)])
      expect((await visitor.get(`/invitation/${token}`)).status, token.slice(0, 10)).toBeGreaterThanOrEqual(400);
  });
  it("is removed after a confirmation", async () => {
    const hospital = await makeHospital(server.db);
    const gone = await makeReviewer(server.db, hospital);
    const path = `${hospitalAt(hospital)}/reviewers/${gone.userId}/remove`;
    expect(await page(path)).toContain("as a reviewer?");
    expect((await admin.post(path)).location).toBe(hospitalAt(hospital));
    expect((await admin.post(path)).status).toBe(404);
    expect(await page(hospitalAt(hospital))).toContain("This hospital has no reviewer yet.");
  });
});
