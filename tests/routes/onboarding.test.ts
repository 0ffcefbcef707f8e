/** Applications of doctors over HTTP, up to step 1: spec 000 §2, §4, §5 and §8. */
import { describe, expect, it } from "vitest";
import {
  allPictures,
  bank,
  errorsOf,
  fieldValue,
  manualHospital,
  multipart,
  newDoctor,
  newHospital,
  plain,
  professional,
} from "../setup/applications.ts";
import { Browser, type Fields } from "../setup/http.ts";
import { failOn, hospital, select, server, statusOf } from "../setup/onboarding.ts";
import { DEMO, type LoggedIn, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

/** Returns the number of hospitals and clinics where a doctor may say to work. */
async function offered({ sql }: TestServer): Promise<number> {
  const [row] = await sql<{ n: number }[]>`
    select count(*)::int as n from hospitals where status = 'active' and category not in ('Pharmacy', 'Laboratory')`;
  return row!.n;
}

describe("access to the steps (§2, §4)", () => {
  const PAGES = [
    "/hospital-form",
    "/doctor-verification",
    "/banking-information",
    "/doctor-verify",
    "/doctor-dashboard",
    "/dual-doctor",
  ] as const;
  it.each([
    ["draft", null, "/hospital-form", "/hospital-form", null, "/hospital-form", "/doctor-verify"],
    ["under review by hospital", "/doctor-verify", "/doctor-verify", "/doctor-verify", null, "/doctor-verify", "/doctor-verify"],
    ["pending admin approval", "/doctor-verify", "/doctor-verify", "/doctor-verify", null, "/hospital-form", "/doctor-verify"],
    ["rejected", "/doctor-verify", "/doctor-verify", "/doctor-verify", null, "/hospital-form", "/doctor-verify"],
    ["suspended", "/doctor-verify", "/doctor-verify", "/doctor-verify", null, "/hospital-form", "/doctor-verify"],
    ["verified", "/doctor-dashboard", "/doctor-dashboard", "/doctor-dashboard", "/doctor-dashboard", null, "/doctor-dashboard"],
  ])("%s", async (status, ...wanted) => {
    const doctor = await newDoctor(server, status);
    for (const [i, page] of PAGES.entries()) {
      const answer = await doctor.get(page);
      expect([page, answer.status, answer.location]).toEqual([page, wanted[i] === null ? 200 : 303, wanted[i]]);
    }
    if (status === "draft") return;
    for (const page of PAGES.slice(0, 3)) {
      const answer = await doctor.post(page, { ...manualHospital() });
      expect([page, answer.status, answer.location]).toEqual([page, 303, wanted[0]]);
    }
    expect(await server.sql`select from verification_drafts where doctor_id = ${doctor.userId}`).toHaveLength(0);
  });

  it("refuses visitors and other roles", async () => {
    for (const page of ["/hospital-form", "/doctor-verification", "/banking-information", "/doctor-verify"]) {
      expect((await new Browser(server.url).get(page)).location).toMatch(/^\/dual-doctor/);
      expect((await new Browser(server.url).get(`${page}.data`)).text).toMatch(/^\[\["SingleFetchRedirect"/);
      for (const who of [DEMO.patient, DEMO.reviewer, DEMO.admin]) {
        const other = await loginAs(server, who);
        expect((await other.get(page)).status).toBe(303);
        expect((await other.post(page, manualHospital())).status).toBe(403);
      }
    }
    expect((await new Browser(server.url).get("/doctor/registration-status")).location).toBe("/doctor-verify");
  });

  it("redirects steps out of order to the one that is missing", async () => {
    const doctor = await newDoctor(server);
    expect((await doctor.get("/banking-information")).location).toBe("/hospital-form");
    await doctor.post("/hospital-form", select());
    expect((await doctor.get("/banking-information")).location).toBe("/doctor-verification");
    expect((await doctor.get("/doctor-verification")).status).toBe(200);
    // Complete except for one document.
    const pictures = await allPictures();
    const { profileImage, ...rest } = pictures;
    expect((await doctor.postFiles("/doctor-verification", multipart(professional(), rest))).status).toBe(400);
    expect((await doctor.get("/banking-information")).location).toBe("/doctor-verification");
    expect((await doctor.postFiles("/doctor-verification", multipart(professional(), { profileImage: profileImage! }))).location).toBe(
      "/banking-information",
    );
    expect((await doctor.get("/banking-information")).status).toBe(200);
  });

  it("refuses a submission out of order, with the missing step", async () => {
    const doctor = await newDoctor(server);
    const none = await doctor.post("/banking-information", bank());
    expect(none.location).toBe("/hospital-form");
    expect((await doctor.follow(none)).text).toContain("Please fill in all hospital details");
    await doctor.post("/hospital-form", select());
    const half = await doctor.post("/banking-information", bank());
    expect(half.location).toBe("/doctor-verification");
    expect(plain((await doctor.follow(half)).text)).toContain("Please complete your professional details.");
    expect(await statusOf(doctor.userId)).toBe("draft");
  });
});

describe("registering and logging in (/dual-doctor)", () => {
  let phone = 9_500_000_000;
  async function auth(who: { email: string; phone: string; password?: string }, mode: "login" | "register") {
    const browser = new Browser(server.url);
    server.clock.advance(31_000);
    const sent = await browser.post("/dual-doctor", {
      intent: "send-otp",
      mode,
      email: who.email,
      password: who.password ?? "lotus-pond-42",
      mobile: who.phone,
    });
    expect(sent.location).toBe("/dual-doctor");
    await browser.post("/dual-doctor", { intent: "verify-otp", otp: await server.lastCode(`+91${who.phone}`) });
    const last = await browser.post("/dual-doctor", { intent: "continue" });
    return { browser, last };
  }
  const person = () => ({ email: `new${++phone}@test.example`, phone: String(phone) });

  it("leads a new doctor to the first step, without waiting for an approval", async () => {
    const who = person();
    const { browser, last } = await auth(who, "register");
    expect(last.location).toBe("/hospital-form?registered=1");
    const page = await browser.follow(last);
    expect(plain(page.text)).toContain("Your account is created. Three short steps follow");
    expect(plain(page.text)).not.toContain("Registration Submitted");
    expect(plain(page.text)).not.toContain("wait for approval");
    // Again, with both known, and with either of the two.
    const login = "/dual-doctor";
    const register = "/dual-doctor?mode=register";
    const taken = "is already registered. Please use a different";
    for (const [changes, place, sentence] of [
      [{}, login, "Account already exists. Please login instead."],
      [{ email: person().email }, register, `This mobile number ${taken} number or login with your existing account.`],
      [{ phone: person().phone }, register, `This email or mobile number ${taken} one or login with your existing account.`],
    ] as const) {
      const again = await auth({ ...who, ...changes }, "register");
      expect(again.last.location).toBe(place);
      expect(plain((await again.browser.follow(again.last)).text)).toContain(sentence);
    }
    const back = await auth(who, "login");
    expect(back.last.location).toBe("/doctor-verify");
    const waits = plain((await back.browser.follow(back.last)).text);
    for (const untrue of ["Registration Submitted", "under review", "wait for approval"]) expect(waits).not.toContain(untrue);
    expect((await back.browser.get("/doctor-verify")).text).toContain('href="/hospital-form"');
  });
  it("leads a doctor under review to /doctor-verify, and an unknown one to the registration", async () => {
    const who = person();
    const { browser } = await auth(who, "register");
    await server.sql`update doctors set registration_status = 'under review by hospital' where id = (select id from users where email = ${who.email})`;
    const { browser: again, last } = await auth(who, "login");
    expect(last.location).toBe("/doctor-verify");
    expect(plain((await again.follow(last)).text)).toContain("Your registration is still under review.");
    expect((await browser.get("/dual-doctor")).location).toBe("/doctor-verify");
    const stranger = await auth(person(), "login");
    expect(stranger.last.location).toBe("/dual-doctor?mode=register");
    expect(plain((await stranger.browser.follow(stranger.last)).text)).toContain("No account found. Please register first.");
  });
  it("shows the errors field by field, and requires the code first", async () => {
    const browser = new Browser(server.url);
    const empty = await browser.post("/dual-doctor", { intent: "send-otp", mode: "register" });
    expect(errorsOf(empty)).toMatchObject({
      email: "Email is required",
      password: "Password is required",
      mobile: "Mobile number is required",
    });
    const wrong = await browser.post("/dual-doctor", {
      intent: "send-otp",
      mode: "register",
      email: "x@",
      password: "12345",
      mobile: "12345",
    });
    expect(errorsOf(wrong)).toMatchObject({
      email: "Please enter a valid email address",
      password: "Password must be at least 6 characters",
      mobile: "Please enter a valid 10-digit mobile number",
    });
    expect(plain((await browser.post("/dual-doctor", { intent: "continue" })).text)).toContain("Please verify OTP first");
  });
});

describe("step 1, Hospital Information", () => {
  it("shows the texts of the specification", async () => {
    const doctor = await newDoctor(server);
    const n = await offered(server);
    const page = await doctor.get("/hospital-form");
    const text = plain(page.text);
    for (const sentence of [
      "Step 1 of 3",
      "Hospital Information",
      "Select Hospital *",
      "Choose a hospital...",
      "Enter hospital details manually",
      "Hospital Name *",
      "Full Hospital Address *",
      "Contact Number (Landline or Mobile) *",
      "Next → Doctor Verification",
      `Refresh hospitals list (${n} loaded)`,
      `${n} hospitals loaded successfully`,
    ])
      expect(text).toContain(sentence);
    expect(page.text.match(/readOnly=""/g)).toHaveLength(3);
    const manual = await doctor.get("/hospital-form?mode=manual");
    expect(plain(manual.text)).toContain("You're entering hospital details manually. Please ensure the information is accurate.");
    expect(plain(manual.text)).toContain("Select from existing hospitals");
    expect(manual.text).not.toContain('readOnly=""');
  });

  it("fills and locks the chosen hospital, and clears it for manual entry", async () => {
    const doctor = await newDoctor(server);
    const id = await newHospital(server, { name: "Lock Test Hospital", phone: "+919876543210" });
    const chosen = await doctor.post("/hospital-form", { mode: "select", hospitalId: id, intent: "choose" });
    expect(chosen.location).toBe(`/hospital-form?hospitalId=${id}#chosen`);
    const page = await doctor.get(`/hospital-form?hospitalId=${id}`);
    expect(fieldValue(page, "hospitalName")).toBe("Lock Test Hospital");
    expect(fieldValue(page, "hospitalAddress")).toBe("1 Station Road, Guntur");
    expect(fieldValue(page, "contactNumber")).toBe("+91 98765 43210");
    expect(fieldValue(page, "hospitalId")).toBe(id);
    expect((await doctor.post("/hospital-form", { mode: "select", hospitalId: id, intent: "next" })).location).toBe("/doctor-verification");
    expect(fieldValue(await doctor.get("/hospital-form"), "hospitalId")).toBe(id);
    const manual = await doctor.get("/hospital-form?mode=manual");
    for (const name of ["hospitalName", "hospitalAddress", "contactNumber"]) expect(fieldValue(manual, name)).toBe("");
  });

  it.each([
    ["nothing chosen", { mode: "select", hospitalId: "" }, { hospitalId: "Please fill in all hospital details" }],
    ["no id", { mode: "select", hospitalId: "1; drop table hospitals" }, { hospitalId: "Please fill in all hospital details" }],
    [
      "an unknown hospital",
      { mode: "select", hospitalId: "00000000-0000-4000-8000-000000000000" },
      { hospitalId: "This hospital is no longer in the list. Choose another." },
    ],
    ["a blank name", { ...manualHospital(), hospitalName: "  " }, { hospitalName: "Please fill in all hospital details" }],
    ["a blank address", { ...manualHospital(), hospitalAddress: "" }, { hospitalAddress: "Please fill in all hospital details" }],
    ["a blank contact", { ...manualHospital(), contactNumber: "\t" }, { contactNumber: "Please fill in all hospital details" }],
    [
      "words for a contact",
      { ...manualHospital(), contactNumber: "ask at reception" },
      { contactNumber: "Please enter a landline or mobile number" },
    ],
    ["nothing at all", {}, { hospitalName: "Please fill in all hospital details" }],
  ])("%s", async (_, fields, errors) => {
    const doctor = await newDoctor(server);
    const answer = await doctor.post("/hospital-form", { ...fields, intent: "next" } as Fields);
    expect(answer.status).toBe(400);
    expect(errorsOf(answer)).toMatchObject(errors);
    expect(await server.sql`select from verification_drafts where doctor_id = ${doctor.userId}`).toHaveLength(0);
  });
  it("preserves the input when it is refused", async () => {
    const doctor = await newDoctor(server);
    const answer = await doctor.post("/hospital-form?mode=manual", { ...manualHospital("Typed Clinic"), contactNumber: "" });
    expect(fieldValue(answer, "hospitalName")).toBe("Typed Clinic");
    expect(fieldValue(answer, "hospitalAddress")).toBe("12 Brodipet, Guntur 522002");
  });

  it("accepts confirmed hospitals only, and follows a merged one", async () => {
    const doctor = await newDoctor(server);
    for (const status of ["pending", "refused"]) {
      const id = await newHospital(server, { status });
      expect((await doctor.post("/hospital-form", { mode: "select", hospitalId: id, intent: "next" })).status).toBe(400);
      expect(fieldValue(await doctor.get(`/hospital-form?hospitalId=${id}`), "hospitalName")).toBe("");
    }
    const merged = await newHospital(server, { status: "merged", mergedInto: hospital });
    expect((await doctor.post("/hospital-form", { mode: "select", hospitalId: merged, intent: "next" })).location).toBe(
      "/doctor-verification",
    );
    expect(fieldValue(await doctor.get("/hospital-form"), "hospitalId")).toBe(hospital);
  });

  it("searches 5,000 hospitals and shows at most 50 options", async () => {
    const many = await startServer();
    try {
      await many.sql`insert into hospitals (name, category, address, city, state, phone)
        select 'Bulk Hospital ' || i, 'Hospital', i || ' Long Road, Eluru', case when i % 100 = 0 then 'Eluru' else 'Nuzvid' end, 'Andhra Pradesh', '+914000000001' from generate_series(1, 5000) i`;
      const doctor = await newDoctor(many);
      const page = await doctor.get("/hospital-form");
      expect(page.text.match(/<option /g)).toHaveLength(51);
      expect(plain(page.text)).toContain(`(${await offered(many)} loaded)`);
      const found = await doctor.get(`/hospital-form?q=${encodeURIComponent("hospital 4999")}`);
      expect(found.text.match(/<option /g)).toHaveLength(2);
      expect(plain(found.text)).toContain('1 hospital found for "hospital 4999".');
      // Special characters of patterns are ordinary characters, and the page works.
      for (const q of ["%", "_", "\\", "'", "<script>", "x".repeat(5000)])
        expect((await doctor.get(`/hospital-form?q=${encodeURIComponent(q)}`)).status).toBe(200);
      expect((await doctor.get("/hospital-form?q=%25")).text.match(/<option /g)).toHaveLength(1);
      expect((await doctor.get(`/hospital-form?q=${encodeURIComponent('"><script>alert(1)</script>')}`)).text).not.toContain(
        "<script>alert(1)",
      );
    } finally {
      await many.stop();
    }
  });

  it("reports a list that cannot be read or is empty, and still accepts a hospital by hand", async () => {
    const other = await startServer({ seed: false });
    try {
      const doctor = await newDoctor(other);
      const empty = plain((await doctor.get("/hospital-form")).text);
      expect(empty).toContain("No hospitals found. Retry");
      expect(empty).toContain("Refresh hospitals list (0 loaded)");
      await other.sql`alter table hospitals rename column address to address_gone`;
      const broken = await doctor.get("/hospital-form");
      expect(broken.status).toBe(200);
      expect(plain(broken.text)).toContain("Error Failed to load hospitals: Failed to fetch hospitals");
      expect(plain((await doctor.get("/hospital-form?mode=manual")).text)).toContain("Hospital Name *");
      expect((await doctor.post("/hospital-form", manualHospital())).location).toBe("/doctor-verification");
      await other.sql`alter table hospitals rename column address_gone to address`;
      await failOn(other, "verification_drafts");
      const failed = await doctor.post("/hospital-form", manualHospital("Typed Clinic"));
      expect([failed.status, errorsOf(failed)[""]]).toEqual([503, "Failed to save hospital selection. Please try again."]);
      expect(fieldValue(failed, "hospitalName")).toBe("Typed Clinic");
    } finally {
      await other.stop();
    }
  });
});

describe("the four parts of the professional details", () => {
  const post = (who: LoggedIn, intent: string, changes: Fields = {}) =>
    who.postFiles("/doctor-verification", multipart({ ...professional(changes), intent }));

  it("validate their own fields, store all of them and lead to the next part", async () => {
    const doctor = await newDoctor(server);
    await doctor.post("/hospital-form", select());
    const first = await post(doctor, "part-1", { fullName: "Dr. Part By Part", about: "", city: "", "qualifications[0].degree": "" });
    expect(first.location).toBe("/doctor-verification#part-2");
    const second = await post(doctor, "part-2", { fullName: "Dr. Part By Part", about: "", city: "" });
    expect([second.status, errorsOf(second)]).toEqual([400, { about: "Please provide information in the About section" }]);
    expect((await post(doctor, "part-2", { about: "Stored by its part." })).location).toBe("/doctor-verification#part-3");
    const third = errorsOf(await post(doctor, "part-3", { city: "", "qualifications[0].degree": "" }));
    expect(Object.keys(third).sort()).toEqual(["city", "qualifications[0].degree"]);
    expect((await post(doctor, "part-3")).location).toBe("/doctor-verification#part-4");
    const page = await doctor.get("/doctor-verification");
    expect(fieldValue(page, "medicalCouncilName")).toBe("Andhra Pradesh Medical Council");
    expect([...page.text.matchAll(/<a [^>]*href="#part-\d"[^>]*>[\s\S]*?<\/a>/g)].map(([link]) => link.includes("complete"))).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect((await post(doctor, "part-4")).location).toBe("/doctor-verification#numbers");
  });
});
