/** Applications of doctors over HTTP: spec 000 §2, §4, §5 and §8. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { files } from "#app/db/schema/index.ts";
import { opened } from "#app/db/sealed.server.ts";
import {
  againAs,
  allPictures,
  applied,
  bank,
  errorsOf,
  fieldValue,
  fillTwoSteps,
  hugePng,
  manualHospital,
  multipart,
  newDoctor,
  newHospital,
  picture,
  plain,
  professional,
  writerFields,
} from "../setup/applications.ts";
import { Browser, type Fields } from "../setup/http.ts";
import { DEMO, type LoggedIn, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

let server: TestServer;
let hospital: string;
beforeAll(async () => {
  server = await startServer();
  hospital = await newHospital(server, { name: "Amaravati Test Hospital" });
});
afterAll(() => server?.stop());

const statusOf = async (id: string) => (await server.sql`select registration_status from doctors where id = ${id}`)[0]?.registration_status;
const documentsOf = (id: string) =>
  server.sql<
    { id: string; kind: string; file_id: string; decision: string }[]
  >`select id, kind, file_id, decision from doctor_documents where doctor_id = ${id} order by created_at, id`;
/** Every write to this table fails from now on, as on a full disk. */
async function failOn(there: TestServer, table: string) {
  await there.sql.unsafe(
    `create or replace function fail() returns trigger language plpgsql as $$ begin raise exception 'a secret of the inside'; end $$`,
  );
  await there.sql.unsafe(`create trigger fail before insert or update on ${table} for each row execute function fail()`);
}
const select = (): Fields => ({ mode: "select", hospitalId: hospital, intent: "next" });

describe("who may see which step (§2, §4)", () => {
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

  it("nobody, and nobody else", async () => {
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

  it("steps out of order lead to the one that is missing", async () => {
    const doctor = await newDoctor(server);
    expect((await doctor.get("/banking-information")).location).toBe("/hospital-form");
    await doctor.post("/hospital-form", select());
    expect((await doctor.get("/banking-information")).location).toBe("/doctor-verification");
    expect((await doctor.get("/doctor-verification")).status).toBe(200);
    // Complete but for one document.
    const pictures = await allPictures();
    const { profileImage, ...rest } = pictures;
    expect((await doctor.postFiles("/doctor-verification", multipart(professional(), rest))).status).toBe(400);
    expect((await doctor.get("/banking-information")).location).toBe("/doctor-verification");
    expect((await doctor.postFiles("/doctor-verification", multipart(professional(), { profileImage: profileImage! }))).location).toBe(
      "/banking-information",
    );
    expect((await doctor.get("/banking-information")).status).toBe(200);
  });

  it("a submission out of order is refused, and says which step is missing", async () => {
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

  it("leads a new doctor to the first step, which asks nobody to wait for an approval", async () => {
    const who = person();
    const { browser, last } = await auth(who, "register");
    expect(last.location).toBe("/hospital-form?registered=1");
    const page = await browser.follow(last);
    expect(plain(page.text)).toContain("Your account is created. Three short steps follow");
    expect(plain(page.text)).not.toContain("Registration Submitted");
    expect(plain(page.text)).not.toContain("wait for approval");
    // Again: both known, and either of the two.
    const login = "/dual-doctor";
    const register = "/dual-doctor?mode=register";
    const taken = "is already registered. Please use a different";
    for (const [changes, place, told] of [
      [{}, login, "Account already exists. Please login instead."],
      [{ email: person().email }, register, `This mobile number ${taken} number or login with your existing account.`],
      [{ phone: person().phone }, register, `This email or mobile number ${taken} one or login with your existing account.`],
    ] as const) {
      const again = await auth({ ...who, ...changes }, "register");
      expect(again.last.location).toBe(place);
      expect(plain((await again.browser.follow(again.last)).text)).toContain(told);
    }
    const back = await auth(who, "login");
    expect(back.last.location).toBe("/doctor-verify");
    const waits = plain((await back.browser.follow(back.last)).text);
    for (const untrue of ["Registration Submitted", "under review", "wait for approval"]) expect(waits).not.toContain(untrue);
    expect((await back.browser.get("/doctor-verify")).text).toContain('href="/hospital-form"');
  });
  it("leads a doctor under review to /doctor-verify, and an unknown one to registering", async () => {
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
  it("tells what is wrong, field by field, and wants the code first", async () => {
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
    const [row] = await server.sql<{ n: number }[]>`select count(*)::int as n from hospitals where status = 'active'`;
    const n = row?.n;
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
      { hospitalId: "This hospital is no longer in the list. Please choose another." },
    ],
    ["a blank name", { ...manualHospital(), hospitalName: "  " }, { hospitalName: "Please fill in all hospital details" }],
    ["a blank address", { ...manualHospital(), hospitalAddress: "" }, { hospitalAddress: "Please fill in all hospital details" }],
    ["a blank contact", { ...manualHospital(), contactNumber: "\t" }, { contactNumber: "Please fill in all hospital details" }],
    [
      "words for a contact",
      { ...manualHospital(), contactNumber: "ask at the desk" },
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
  it("keeps what was typed when it is refused", async () => {
    const doctor = await newDoctor(server);
    const answer = await doctor.post("/hospital-form?mode=manual", { ...manualHospital("Kept Clinic"), contactNumber: "" });
    expect(fieldValue(answer, "hospitalName")).toBe("Kept Clinic");
    expect(fieldValue(answer, "hospitalAddress")).toBe("12 Brodipet, Guntur 522002");
  });

  it("takes only confirmed hospitals, and follows a merged one", async () => {
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

  it("searches 5,000 hospitals quickly, at most 50 options", async () => {
    const many = await startServer();
    try {
      await many.sql`insert into hospitals (name, category, address, city, state, phone)
        select 'Bulk Hospital ' || i, 'Hospital', i || ' Long Road, Eluru', case when i % 100 = 0 then 'Eluru' else 'Nuzvid' end, 'Andhra Pradesh', '+914000000001' from generate_series(1, 5000) i`;
      const doctor = await newDoctor(many);
      const page = await doctor.get("/hospital-form");
      expect(page.text.match(/<option /g)).toHaveLength(51);
      expect(plain(page.text)).toContain("(5020 loaded)");
      const started = performance.now();
      for (let i = 0; i < 10; i++) await doctor.get(`/hospital-form?q=${encodeURIComponent("bulk 49")}`);
      expect((performance.now() - started) / 10).toBeLessThan(400);
      const found = await doctor.get(`/hospital-form?q=${encodeURIComponent("hospital 4999")}`);
      expect(found.text.match(/<option /g)).toHaveLength(2);
      expect(plain(found.text)).toContain('1 match "hospital 4999".');
      // Signs of a pattern are letters here, and nothing breaks the page.
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

  it("says so when the list cannot be read or is empty, and still takes a hospital by hand", async () => {
    const away = await startServer({ seed: false });
    try {
      const doctor = await newDoctor(away);
      const empty = plain((await doctor.get("/hospital-form")).text);
      expect(empty).toContain("No hospitals are available. Retry");
      expect(empty).toContain("Refresh hospitals list (0 loaded)");
      await away.sql`alter table hospitals rename column address to address_away`;
      const broken = await doctor.get("/hospital-form");
      expect(broken.status).toBe(200);
      expect(plain(broken.text)).toContain("Error Failed to load hospitals: Failed to fetch hospitals");
      expect(plain((await doctor.get("/hospital-form?mode=manual")).text)).toContain("Hospital Name *");
      expect((await doctor.post("/hospital-form", manualHospital())).location).toBe("/doctor-verification");
      await away.sql`alter table hospitals rename column address_away to address`;
      await failOn(away, "verification_drafts");
      const failed = await doctor.post("/hospital-form", manualHospital("Typed Clinic"));
      expect([failed.status, errorsOf(failed)[""]]).toEqual([503, "Failed to save hospital selection. Please try again."]);
      expect(fieldValue(failed, "hospitalName")).toBe("Typed Clinic");
    } finally {
      await away.stop();
    }
  });
});

describe("the four parts of the professional details", () => {
  const post = (who: LoggedIn, intent: string, changes: Fields = {}) =>
    who.postFiles("/doctor-verification", multipart({ ...professional(changes), intent }));

  it("check their own fields, store all of them and lead to the next part", async () => {
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
    expect([...page.text.matchAll(/<a href="#part-\d">[\s\S]*?<\/a>/g)].map(([link]) => link.includes("complete"))).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect((await post(doctor, "part-4")).location).toBe("/doctor-verification#numbers");
  });
});

describe("step 2, professional details (§5)", () => {
  let doctor: LoggedIn;
  beforeAll(async () => {
    doctor = await newDoctor(server);
    await doctor.post("/hospital-form", select());
    const received = await doctor.postFiles("/doctor-verification", multipart({ intent: "upload" }, await allPictures()));
    expect(received.location).toBe("/doctor-verification#documents");
  });
  const judge = async (changes: Fields) => errorsOf(await doctor.postFiles("/doctor-verification", multipart(professional(changes))));

  it.each<[string, Fields, Record<string, string>]>([
    ["a name", { fullName: " " }, { fullName: "Full name is required" }],
    ["a gender", { gender: "" }, { gender: "Gender is required" }],
    ["a gender of the three", { gender: "robot" }, { gender: "Gender is required" }],
    ["a date of birth", { dateOfBirth: "" }, { dateOfBirth: "Date of birth is required" }],
    ["a date that exists", { dateOfBirth: "1985-02-30" }, { dateOfBirth: "Please enter a valid date of birth" }],
    ["a date of this century or the last", { dateOfBirth: "1885-02-03" }, { dateOfBirth: "Please enter a valid date of birth" }],
    ["an age of 21", { dateOfBirth: "2008-01-01" }, { dateOfBirth: "A doctor must be at least 21 years old" }],
    [
      "a council number",
      { medicalCouncilRegistrationNumber: "" },
      { medicalCouncilRegistrationNumber: "Medical council registration number is required" },
    ],
    ["a council", { medicalCouncilName: "" }, { medicalCouncilName: "Medical council name is required" }],
    ["a year of registration", { yearOfRegistration: "" }, { yearOfRegistration: "Year of registration is required" }],
    [
      "not after this year",
      { yearOfRegistration: "2999" },
      { yearOfRegistration: `Please enter a year from 1950 to ${new Date().getUTCFullYear()}` },
    ],
    [
      "not before 1950",
      { yearOfRegistration: "1949" },
      { yearOfRegistration: `Please enter a year from 1950 to ${new Date().getUTCFullYear()}` },
    ],
    [
      "not before the birth",
      { yearOfRegistration: "1980" },
      { yearOfRegistration: "The year of registration must be after the year of birth" },
    ],
    ["a specialization", { primarySpecialization: "" }, { primarySpecialization: "Primary specialization is required" }],
    ["a category of the list", { category: "Magic" }, { category: "Please choose a category from the list" }],
    ["experience", { experienceYears: "" }, { experienceYears: "Years of experience are required" }],
    ["experience that can be", { experienceYears: "71" }, { experienceYears: "Please enter a number of years from 0 to 70" }],
    ["experience not below 0", { experienceYears: "-1" }, { experienceYears: "Please enter a number of years from 0 to 70" }],
    ["a fee", { consultationFee: "" }, { consultationFee: "Consultation fee is required" }],
    ["a fee not below 0", { consultationFee: "-1" }, { consultationFee: "The consultation fee cannot be less than 0" }],
    ["a fee that is a number", { consultationFee: "five" }, { consultationFee: "Please enter the fee in rupees, for example 500" }],
    ["a fee of at most a lakh", { consultationFee: "100001" }, { consultationFee: "The consultation fee can be at most ₹1,00,000" }],
    ["about", { about: " \n " }, { about: "Please provide information in the About section" }],
    ["the first degree", { "qualifications[0].degree": "" }, { "qualifications[0].degree": "Degree is required" }],
    [
      "a degree for each row that is meant",
      { "qualifications[1].universityCollege": "AIIMS" },
      { "qualifications[1].degree": "Degree is required" },
    ],
    [
      "a year of a degree that can be",
      { "qualifications[0].year": "09" },
      { "qualifications[0].year": "Please enter the year as four digits, for example 2010" },
    ],
    ["a city", { city: "" }, { city: "Both city and state are required in location details" }],
    ["a state", { state: " " }, { state: "Both city and state are required in location details" }],
    [
      "twelve digits of Aadhaar",
      { aadhaarNumber: "12345678901" },
      { aadhaarNumber: "Invalid Aadhaar number format. Should be exactly 12 digits" },
    ],
    [
      "digits of Aadhaar",
      { aadhaarNumber: "12345678901a" },
      { aadhaarNumber: "Invalid Aadhaar number format. Should be exactly 12 digits" },
    ],
    [
      "a PAN of its form",
      { panNumber: "ABCD12345F" },
      { panNumber: "If providing PAN, format should be ABCDE1234F. You can also leave it empty." },
    ],
    [
      "a PAN of ten",
      { panNumber: "ABCDE1234FF" },
      { panNumber: "If providing PAN, format should be ABCDE1234F. You can also leave it empty." },
    ],
  ])("asks for %s", async (_, changes, errors) => expect(await judge(changes)).toEqual(errors));

  it.each<[string, Fields]>([
    ["no Aadhaar and no PAN", {}],
    ["an Aadhaar whose check digit does not fit", { aadhaarNumber: "1234 5678 9012" }],
    ["a PAN in small letters", { panNumber: " abcde1234f " }],
    ["no fee at all", { consultationFee: "0" }],
    ["a fee with commas", { consultationFee: "₹1,200.50" }],
    ["an empty row below the first", { "qualifications[1].degree": "", "qualifications[1].year": "" }],
    ["Male, as the specification writes it", { gender: "Male" }],
    ["no category: General", { category: "" }],
    ["a city that is not listed", { city: "Nowherepalle" }],
  ])("takes %s", async (_, changes) => {
    const answer = await doctor.postFiles("/doctor-verification", multipart(professional(changes)));
    expect([answer.location, errorsOf(answer)]).toEqual(["/banking-information", {}]);
  });

  it("asks for everything at once, with the documents", async () => {
    const other = await newDoctor(server);
    await other.post("/hospital-form", select());
    expect(errorsOf(await other.postFiles("/doctor-verification", multipart({ intent: "continue" })))).toMatchObject({
      fullName: "Full name is required",
      about: "Please provide information in the About section",
      profileImage: "Profile image is required",
      identityDocument: "Aadhaar image is required",
      medicalCouncilCertificate: "Medical council certificate image is required",
      qualificationCertificates: "At least one qualification certificate image is required",
    });
  });

  it("has 38 categories, General first", async () => {
    const page = (await doctor.get("/doctor-verification")).text;
    const options = /<select[^>]*name="category".*?<\/select>/s.exec(page)?.[0].match(/<option value="[^"]*"/g) ?? [];
    expect(options).toHaveLength(38);
    for (const name of ["General", "Dentistry", "Cardiology", "Pulmonary", "Neurology", "Gastroen", "Laboratory", "Vaccination"])
      expect(options).toContain(`<option value="${name}"`);
    const fresh = await newDoctor(server);
    await fresh.post("/hospital-form", select());
    expect(fieldValue(await fresh.get("/doctor-verification"), "category")).toBe("General");
  });

  it("adds and removes qualifications, keeping what stands in the others; one is kept", async () => {
    const own = await newDoctor(server);
    await own.post("/hospital-form", select());
    const typed = professional({ "qualifications[0].degree": "MBBS", about: "" });
    const added = await own.postFiles("/doctor-verification", multipart({ ...typed, intent: "add-qualification" }));
    expect(added.location).toBe("/doctor-verification#qualifications");
    let page = await own.get("/doctor-verification");
    const keys = [0, 1].map((i) => fieldValue(page, `qualifications[${i}].key`) ?? "");
    expect(fieldValue(page, "qualifications[0].degree")).toBe("MBBS");
    expect(fieldValue(page, "qualifications[1].degree")).toBe("");
    await own.postFiles(
      "/doctor-verification",
      multipart({
        ...typed,
        "qualifications[0].key": keys[0]!,
        "qualifications[1].key": keys[1]!,
        "qualifications[1].degree": "MD",
        intent: `remove-qualification:${keys[0]}`,
      }),
    );
    page = await own.get("/doctor-verification");
    expect(fieldValue(page, "qualifications[0].degree")).toBe("MD");
    expect(fieldValue(page, "qualifications[1].degree")).toBeNull();
    await own.postFiles("/doctor-verification", multipart({ intent: `remove-qualification:${keys[1]}` }));
    page = await own.get("/doctor-verification");
    expect(fieldValue(page, "qualifications[0].degree")).toBe("");
    for (let i = 0; i < 12; i++) await own.postFiles("/doctor-verification", multipart({ intent: "add-qualification" }));
    page = await own.get("/doctor-verification");
    expect(fieldValue(page, "qualifications[9].degree")).toBe("");
    expect(fieldValue(page, "qualifications[10].degree")).toBeNull();
  });

  it("finds the city and fills the state", async () => {
    const own = await newDoctor(server);
    await own.post("/hospital-form", select());
    await own.postFiles("/doctor-verification", multipart(professional({ intent: "find-city", city: "gunt", state: "" })));
    const page = await own.get("/doctor-verification");
    const id = /value="place:(\d+)"[^>]*>Guntur, Andhra Pradesh</.exec(page.text)?.[1];
    expect(id).toBeDefined();
    await own.postFiles("/doctor-verification", multipart(professional({ intent: `place:${id}`, city: "gunt", state: "" })));
    expect(fieldValue(await own.get("/doctor-verification"), "city")).toBe("Guntur");
    expect(fieldValue(await own.get("/doctor-verification"), "state")).toBe("Andhra Pradesh");
    await own.postFiles("/doctor-verification", multipart(professional({ intent: "find-city", city: "Hyderabad, Telangana", state: "" })));
    expect(fieldValue(await own.get("/doctor-verification"), "state")).toBe("Telangana");
    expect((await own.postFiles("/doctor-verification", multipart({ intent: "place:999999999" }))).status).toBe(404);
  });

  it("keeps languages, boxes and written ones, each once", async () => {
    const own = await newDoctor(server);
    await own.post("/hospital-form", select());
    await own.postFiles(
      "/doctor-verification",
      multipart(professional({ intent: "upload", languages: ["Hindi", "Telugu"], otherLanguages: "Tulu,  konkani , hindi,," })),
    );
    const page = (await own.get("/doctor-verification")).text;
    const ticked = [
      ...page.matchAll(
        /<input type="checkbox" name="languages"[^>]*checked=""[^>]*value="([^"]*)"|<input type="checkbox" name="languages" checked="" value="([^"]*)"/g,
      ),
    ].map((m) => m[1] ?? m[2]);
    expect(page).toContain('value="Tulu, konkani"');
    expect(ticked).toEqual(["Hindi", "Telugu"]);
  });

  it("never shows a number that is kept, and keeps it while its field is empty", async () => {
    const own = await newDoctor(server);
    await own.post("/hospital-form", select());
    const numbers = { aadhaarNumber: "2345 6789 0124", panNumber: "zzzzz9876q" };
    const refused = await own.postFiles("/doctor-verification", multipart(professional({ ...numbers, about: "" })));
    for (const page of [refused, await own.get("/doctor-verification"), await own.get("/doctor-verification.data")]) {
      expect(page.text).not.toMatch(/2345 ?6789 ?0124|zzzzz9876q/i);
      expect(page.text).toContain("•••• 0124");
      expect(page.text).toContain("•••• 876Q");
    }
    // A wrong one is shown, to be mended.
    const wrong = await own.postFiles("/doctor-verification", multipart(professional({ aadhaarNumber: "12345" })));
    expect(fieldValue(wrong, "aadhaarNumber")).toBe("12345");
    await own.postFiles("/doctor-verification", multipart(professional({ ...numbers, intent: "upload" })));
    await own.postFiles("/doctor-verification", multipart(professional({ intent: "upload" })));
    expect((await own.get("/doctor-verification")).text).toContain("•••• 0124");
    await own.postFiles("/doctor-verification", multipart({ intent: "clear:aadhaarNumber" }));
    const cleared = (await own.get("/doctor-verification")).text;
    expect(cleared).not.toContain("•••• 0124");
    expect(cleared).toContain("•••• 876Q");
  });

  it("points a doubtful Aadhaar out at the next step, and does not refuse it", async () => {
    await doctor.postFiles("/doctor-verification", multipart(professional({ aadhaarNumber: "234567890123" })));
    expect(plain((await doctor.get("/banking-information")).text)).toContain("Please look at your Aadhaar number •••• 0123 once more");
    await doctor.postFiles("/doctor-verification", multipart(professional({ aadhaarNumber: "234567890124" })));
    expect((await doctor.get("/banking-information")).text).not.toContain("once more");
  });
});

describe("documents", () => {
  const fresh = async () => {
    const doctor = await newDoctor(server);
    await doctor.post("/hospital-form", select());
    return doctor;
  };
  const html = new Blob(["<html><script>alert(1)</script></html>"], { type: "image/png" });
  const pdf = new Blob(["%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer<<>>\n%%EOF"], { type: "image/jpeg" });
  const ONLY = "Only pictures can be added here: JPEG, PNG or WebP. A screenshot or a new photo taken with this phone will do.";

  it("refuses what is no picture beside its own field, and keeps the rest: files and text", async () => {
    const doctor = await fresh();
    const good = await picture();
    const truncated = new Blob([new Uint8Array(await (await picture(800, 800)).arrayBuffer()).slice(0, 900)], { type: "image/jpeg" });
    const svg = new Blob(['<svg xmlns="http://www.w3.org/2000/svg"/>'], { type: "image/svg+xml" });
    const answer = await doctor.postFiles(
      "/doctor-verification",
      multipart(professional({ fullName: "Dr. Kept Name" }), {
        profileImage: [[html, "me.png"]],
        identityDocument: [[pdf, "aadhaar.pdf"]],
        medicalCouncilCertificate: [[good, "council.jpg"]],
        qualificationCertificates: [
          [truncated, "broken.jpg"],
          [await picture(), "fine.jpg"],
          [svg, "x.svg"],
        ],
      }),
    );
    expect(answer.status).toBe(415);
    expect(errorsOf(answer)).toEqual({ profileImage: ONLY, identityDocument: ONLY, qualificationCertificates: ONLY });
    expect(fieldValue(answer, "fullName")).toBe("Dr. Kept Name");
    expect((await documentsOf(doctor.userId)).map((d) => d.kind)).toEqual(["medicalCouncilCertificate", "qualificationCertificates"]);
    expect(answer.text.match(/class="thumb"/g)).toHaveLength(2);
    // What is there stays through every later failure.
    const later = await doctor.postFiles("/doctor-verification", multipart(professional({ about: "" })));
    expect(later.text.match(/class="thumb"/g)).toHaveLength(2);
    expect(errorsOf(later)).toEqual({
      about: "Please provide information in the About section",
      profileImage: "Profile image is required",
      identityDocument: "Aadhaar image is required",
    });
  });

  it("refuses 50,000 × 50,000 pixels, more than 10 MB, and far more than that", async () => {
    const doctor = await fresh();
    const huge = await doctor.postFiles(
      "/doctor-verification",
      multipart(professional(), { profileImage: [[hugePng(50_000), "huge.png"]] }),
    );
    expect([huge.status, errorsOf(huge).profileImage]).toEqual([413, "This picture has too many pixels. Please choose a smaller one."]);
    const heavy = await doctor.postFiles(
      "/doctor-verification",
      multipart(professional({ about: "Kept about" }), { profileImage: [[new Blob([new Uint8Array(11 * 1024 * 1024)]), "a.jpg"]] }),
    );
    expect([heavy.status, errorsOf(heavy).profileImage]).toEqual([413, "This picture is too large. Please choose one of at most 10 MB."]);
    expect(fieldValue(heavy, "about")).toBe("Kept about");
    const heavier = await doctor.postFiles(
      "/doctor-verification",
      multipart(professional({ about: "Kept again" }), {
        medicalCouncilCertificate: [[await picture(), "c.jpg"]],
        profileImage: [[new Blob([new Uint8Array(25 * 1024 * 1024)]), "a.jpg"]],
      }),
    );
    expect([heavier.status, errorsOf(heavier)[""]]).toEqual([413, "This file is too large."]);
    expect(fieldValue(heavier, "about")).toBe("Kept again");
    expect((await documentsOf(doctor.userId)).map((d) => d.kind)).toEqual(["medicalCouncilCertificate"]);
    const flood = await doctor.send("POST", "/doctor-verification", {
      body: "x",
      headers: { "content-type": "multipart/form-data; boundary=x", "x-declared": "1" },
    });
    expect(flood.status).toBe(400);
  });

  it("refuses 200 MB before reading them, and a body that ends half-way", async () => {
    const doctor = await fresh();
    const { raw } = await import("../setup/http.ts");
    const head = {
      host: new URL(server.url).host,
      origin: server.url,
      cookie: `nadi_session=${doctor.token}`,
      "content-type": "multipart/form-data; boundary=zz",
    };
    const flood = await raw(server.url, {
      method: "POST",
      path: "/doctor-verification",
      headers: { ...head, "content-length": String(200 * 1024 * 1024) },
      body: "--zz",
    }).catch((error: Error) => ({ status: 0, error }));
    expect([413, 0]).toContain(flood.status);
    const half = await raw(server.url, {
      method: "POST",
      path: "/doctor-verification",
      headers: head,
      body: `--zz\r\ncontent-disposition: form-data; name="fullName"\r\n\r\nDr\r\n--zz\r\ncontent-disposition: form-data; name="profileImage"; filename="a.jpg"\r\n\r\nhalf`,
    });
    expect(half.status).toBe(400);
    expect((await doctor.get("/doctor-verification")).status).toBe(200);
    expect(await documentsOf(doctor.userId)).toHaveLength(0);
  });

  it("one of the first three kinds counts, the newest; certificates up to ten; the same picture once", async () => {
    const doctor = await fresh();
    const me = await picture();
    const upload = async (pictures: Parameters<typeof multipart>[1]) =>
      doctor.postFiles("/doctor-verification", multipart({ intent: "upload" }, pictures));
    await upload({ profileImage: [[me, "a.jpg"]] });
    const [first] = await documentsOf(doctor.userId);
    await upload({ profileImage: [[me, "b.jpg"]] });
    expect(await documentsOf(doctor.userId)).toEqual([first]);
    await upload({ profileImage: [[await picture(), "c.jpg"]] });
    const now = await documentsOf(doctor.userId);
    expect(now).toHaveLength(1);
    expect(now[0]!.id).not.toBe(first!.id);
    expect(await server.sql`select status from files where id = ${first!.file_id}`).toEqual([{ status: "pending" }]);
    const ten = await Promise.all(Array.from({ length: 10 }, async (_, i): Promise<[Blob, string]> => [await picture(), `${i}.jpg`]));
    expect((await upload({ qualificationCertificates: ten })).location).toBe("/doctor-verification#documents");
    expect((await upload({ qualificationCertificates: [ten[3]!] })).location).toBe("/doctor-verification#documents");
    const eleventh = await upload({ qualificationCertificates: [[await picture(), "11.jpg"]] });
    expect(errorsOf(eleventh).qualificationCertificates).toBe("At most 10 certificates can be added");
    expect((await documentsOf(doctor.userId)).filter((d) => d.kind === "qualificationCertificates")).toHaveLength(10);
    // Sent at once from a double press.
    const certificate: [Blob, string] = [await picture(), "x.jpg"];
    const other = await fresh();
    await Promise.all(
      Array.from({ length: 4 }, () =>
        other.postFiles(
          "/doctor-verification",
          multipart({ intent: "upload" }, { qualificationCertificates: [certificate], profileImage: [certificate] }),
        ),
      ),
    );
    expect((await documentsOf(other.userId)).map((d) => d.kind).sort()).toEqual(["profileImage", "qualificationCertificates"]);
  });

  it("are removed by their owner, shown to their owner, and named by nothing of the person", async () => {
    const doctor = await fresh();
    await doctor.postFiles(
      "/doctor-verification",
      multipart({ intent: "upload" }, { identityDocument: [[await picture(), "234567890124.jpg"]] }),
    );
    const [document] = await documentsOf(doctor.userId);
    const { originalName, purpose, status } = files;
    const fields = { name: opened(originalName), purpose, status };
    expect(await server.db.select(fields).from(files).where(eq(files.id, document!.file_id))).toEqual([
      { name: "identityDocument.jpg", purpose: "doctor-document", status: "pending" },
    ]);
    const shown = await doctor.get(`/files/${document!.file_id}`);
    expect([shown.status, shown.headers.get("content-type"), shown.headers.get("cache-control")]).toEqual([200, "image/jpeg", "no-store"]);
    const stranger = await fresh();
    for (const other of [stranger, await loginAs(server, DEMO.patient), await loginAs(server, DEMO.reviewer), new Browser(server.url)])
      expect((await other.get(`/files/${document!.file_id}`)).status).toBe(404);
    await stranger.postFiles("/doctor-verification", multipart({ intent: `remove-document:${document!.id}` }));
    expect(await documentsOf(doctor.userId)).toHaveLength(1);
    const removed = await doctor.postFiles("/doctor-verification", multipart({ intent: `remove-document:${document!.id}` }));
    expect(removed.location).toBe("/doctor-verification#documents");
    expect(await documentsOf(doctor.userId)).toHaveLength(0);
    expect((await doctor.postFiles("/doctor-verification", multipart({ intent: `remove-document:${document!.id}` }))).location).toBe(
      "/doctor-verification#documents",
    );
  });

  it("have no location or words hidden in them", async () => {
    const doctor = await fresh();
    const secret = await sharp({ create: { width: 50, height: 50, channels: 3, background: "#123456" } })
      .jpeg()
      .withExif({ IFD0: { ImageDescription: "16.5N 80.6E" } })
      .toBuffer();
    await doctor.postFiles(
      "/doctor-verification",
      multipart({ intent: "upload" }, { profileImage: [[new Blob([new Uint8Array(secret)]), "a.jpg"]] }),
    );
    const [document] = await documentsOf(doctor.userId);
    expect((await doctor.get(`/files/${document!.file_id}`)).text).not.toContain("80.6E");
  });
});

describe("step 3, Banking Information, and the submission", () => {
  it.each<[string, Fields, Record<string, string>]>([
    ["the bank", { bankName: "" }, { bankName: "Bank name is required" }],
    ["the account", { accountNumber: " " }, { accountNumber: "Account number is required" }],
    ["9 digits of an account", { accountNumber: "12345678" }, { accountNumber: "The account number has 9 to 18 digits" }],
    ["18 digits of an account", { accountNumber: "1234567890123456789" }, { accountNumber: "The account number has 9 to 18 digits" }],
    ["the IFSC", { ifscCode: "" }, { ifscCode: "IFSC code is required" }],
    ["an IFSC of its form", { ifscCode: "SBIN1234567" }, { ifscCode: "The IFSC code looks like HDFC0001234" }],
    ["the holder", { accountHolderName: "" }, { accountHolderName: "Account holder name is required" }],
    ["the branch", { bankBranch: "" }, { bankBranch: "Bank branch is required" }],
  ])("asks for %s", async (_, changes, errors) => {
    const doctor = await newDoctor(server);
    await fillTwoSteps(doctor, { hospital: select() });
    const answer = await doctor.post("/banking-information", bank(changes));
    expect([answer.status, errorsOf(answer)]).toEqual([400, errors]);
    expect(await statusOf(doctor.userId)).toBe("draft");
    // What was right is kept, for another day and another device; the account number is not shown again.
    const other = await againAs(server, doctor.userId);
    const page = await other.get("/banking-information");
    if (!("bankName" in changes)) expect(fieldValue(page, "bankName")).toBe("State Bank of India");
    if (!("accountNumber" in changes)) {
      expect(fieldValue(page, "accountNumber")).toBe("");
      expect(page.text).toMatch(/•••• \d{4}/);
      expect((await other.post("/banking-information", bank({ accountNumber: "" }))).location).toBe("/doctor-verify");
    }
  });

  it("writes everything, attaches the documents, tells the reviewers, and is done once", async () => {
    const reviewer = await loginAs(server, DEMO.reviewer);
    const own = await newHospital(server);
    await server.sql`insert into hospital_reviewers (hospital_id, user_id) values (${own}, ${reviewer.userId})`;
    const doctor = await newDoctor(server);
    const given = professional({
      medicalCouncilRegistrationNumber: "apmc/once/1",
      consultationFee: "1200.50",
      aadhaarNumber: "987654321098",
      panNumber: "onceq1234z",
      languages: ["English"],
      otherLanguages: "Tulu",
    });
    await fillTwoSteps(doctor, { hospital: { mode: "select", hospitalId: own, intent: "next" }, professional: given });
    const form = bank({ accountNumber: "123456789012", ifscCode: "hdfc0001234" });
    const answers = await Promise.all(Array.from({ length: 5 }, () => doctor.post("/banking-information", form)));
    for (const answer of answers) expect(answer.location).toBe("/doctor-verify");
    const told = await doctor.follow(answers[0]!);
    expect(plain(told.text)).toContain("Verification submitted successfully!");
    expect((await doctor.post("/banking-information", form)).location).toBe("/doctor-verify");

    const [row] = await server.sql`select * from doctors where id = ${doctor.userId}`;
    expect(row).toMatchObject({
      registration_status: "under review by hospital",
      full_name: "Dr. Asha Rani Kumar",
      gender: "female",
      date_of_birth: "1985-03-14",
      council_number: "APMC/ONCE/1",
      council_name: "Andhra Pradesh Medical Council",
      council_year: 2010,
      primary_specialization: "Cardiologist",
      category: "Cardiology",
      experience_years: 12,
      consultation_fee: "120050",
      languages: ["English", "Tulu"],
      qualifications: [{ degree: "MBBS", universityCollege: "Guntur Medical College", year: 2009 }],
      hospital_id: own,
      city: "Guntur",
      state: "Andhra Pradesh",
      aadhaar_last4: "1098",
      pan_last4: "234Z",
    });
    expect(row!.latitude).toBeCloseTo(16.3, 0);
    expect(row!.submitted_at).toBeTruthy();
    const [account] = await server.sql`select * from doctor_bank_accounts where doctor_id = ${doctor.userId}`;
    expect(account).toMatchObject({ bank_name: "State Bank of India", account_last4: "9012", ifsc_code: "HDFC0001234" });
    const documents = await documentsOf(doctor.userId);
    expect(documents).toHaveLength(5);
    expect(row!.photo_file_id).toBe(documents.find((d) => d.kind === "profileImage")!.file_id);
    expect(await server.sql`select distinct status from files where id in ${server.sql(documents.map((d) => d.file_id))}`).toEqual([
      { status: "attached" },
    ]);
    expect(await server.sql`select action, from_status, to_status from verification_events where doctor_id = ${doctor.userId}`).toEqual([
      { action: "submit", from_status: "draft", to_status: "under review by hospital" },
    ]);
    expect(await server.sql`select kind from notifications where user_id = ${doctor.userId}`).toEqual([{ kind: "doctor-submitted" }]);
    expect(
      await server.sql`select kind from notifications where user_id = ${reviewer.userId} and target_path like ${`%${doctor.userId}`}`,
    ).toEqual([{ kind: "case-waiting" }]);
    expect(
      await server.sql`select count(*)::int as n from audit_log where action = 'submit-doctor' and person_id = ${doctor.userId}`,
    ).toEqual([{ n: 1 }]);
    // Not in the directory yet.
    expect((await new Browser(server.url).get(`/details/doctor/${doctor.userId}`)).status).toBe(404);
  });

  it("wants at least one certificate at the last moment too", async () => {
    const doctor = await newDoctor(server);
    await fillTwoSteps(doctor, { hospital: select() });
    const other = await againAs(server, doctor.userId);
    const page = await other.get("/banking-information");
    for (const { id, kind } of await documentsOf(doctor.userId))
      if (kind === "qualificationCertificates")
        await doctor.postFiles("/doctor-verification", multipart({ intent: `remove-document:${id}` }));
    const answer = await other.post("/banking-information", { ...bank(), ...writerFields(page) });
    expect(answer.location).toBe("/doctor-verification");
    expect(plain((await other.follow(answer)).text)).toContain(
      "Qualification certificate files are missing. Please go back and re-upload your files.",
    );
    expect(await statusOf(doctor.userId)).toBe("draft");
    expect((await other.get("/banking-information")).location).toBe("/doctor-verification");
  });

  it("refuses a number that another doctor has, with one message that says nothing about them", async () => {
    const first = professional({ medicalCouncilRegistrationNumber: "DUP/77", aadhaarNumber: "555566667777", panNumber: "DUPEE1111D" });
    await applied(server, { professional: first });
    const messages = new Set<string>();
    for (const changes of [
      { medicalCouncilRegistrationNumber: "dup/77", medicalCouncilName: "andhra pradesh  medical council" },
      { aadhaarNumber: "5555-6666-7777" },
      { panNumber: "dupee1111d" },
    ] as Fields[]) {
      const doctor = await newDoctor(server);
      await fillTwoSteps(doctor, { hospital: manualHospital(), professional: professional(changes) });
      const answer = await doctor.post("/banking-information", bank());
      expect(answer.status).toBe(409);
      expect(plain(answer.text)).not.toMatch(/Asha|already registered|another doctor|Dr\./);
      messages.add(errorsOf(answer)[""] ?? "");
      expect(await statusOf(doctor.userId)).toBe("draft");
      expect(await server.sql`select from hospitals where proposed_by = ${doctor.userId}`).toHaveLength(0);
      // Mended, it goes through: nothing was lost.
      await doctor.postFiles(
        "/doctor-verification",
        multipart(
          professional({
            aadhaarNumber: "",
            ...(changes.aadhaarNumber && { intent: "clear:aadhaarNumber" }),
            ...(changes.panNumber && { intent: "clear:panNumber" }),
          }),
        ),
      );
      expect((await doctor.post("/banking-information", bank())).location).toBe("/doctor-verify");
    }
    expect([...messages]).toEqual([
      "Verification failed. We could not accept these registration or identity numbers. Please check them, or contact support.",
    ]);
    // At once.
    const racers = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const doctor = await newDoctor(server);
        await fillTwoSteps(doctor, { hospital: select(), professional: professional({ panNumber: "RACER1234X" }) });
        return doctor;
      }),
    );
    const statuses = (await Promise.all(racers.map((doctor) => doctor.post("/banking-information", bank())))).map((a) => a.status).sort();
    expect(statuses).toEqual([303, 409, 409, 409]);
  });

  it("makes one pending hospital of the same one written down twice, also by two doctors at once", async () => {
    const written = { ...manualHospital("Sunrise Nursing Home"), hospitalAddress: "4-5-6, Main Road, Tenali" };
    const doctors = await Promise.all(
      [written, { ...written, hospitalName: "SUNRISE  Nursing home", hospitalAddress: "4-5-6 Main Road Tenali" }].map(async (hospital) => {
        const doctor = await newDoctor(server);
        await fillTwoSteps(doctor, { hospital });
        return doctor;
      }),
    );
    for (const answer of await Promise.all(doctors.map((d) => d.post("/banking-information", bank()))))
      expect(answer.location).toBe("/doctor-verify");
    const rows = await server.sql`select id, status, city, phone, proposed_by from hospitals where name ilike 'sunrise%'`;
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ status: "pending", city: "Guntur", phone: "0863 223 4567" });
    expect(await server.sql`select distinct hospital_id from doctors where id in ${server.sql(doctors.map((d) => d.userId))}`).toEqual([
      { hospital_id: rows[0]!.id },
    ]);
    // One that is known already is the known one.
    const known = await newHospital(server, { name: "Moonlight Clinic" });
    const doctor = await applied(server, {
      hospital: { ...manualHospital("moonlight clinic."), hospitalAddress: "1 Station Road, Guntur" },
    });
    expect(await server.sql`select hospital_id from doctors where id = ${doctor.userId}`).toEqual([{ hospital_id: known }]);
  });

  it("is all or nothing, and says so when it fails", async () => {
    const own = await startServer();
    try {
      const doctor = await newDoctor(own);
      await fillTwoSteps(doctor, { hospital: manualHospital("All Or Nothing Clinic") });
      await failOn(own, "doctor_bank_accounts");
      const answer = await doctor.post("/banking-information", bank());
      expect([answer.status, errorsOf(answer)[""]]).toEqual([503, "Failed to submit verification data"]);
      expect(answer.text).not.toContain("a secret of the inside");
      expect(fieldValue(answer, "bankName")).toBe("State Bank of India");
      expect(await own.sql`select registration_status, full_name, aadhaar_sealed from doctors where id = ${doctor.userId}`).toEqual([
        { registration_status: "draft", full_name: "", aadhaar_sealed: null },
      ]);
      for (const table of [
        "hospitals where name = 'All Or Nothing Clinic'",
        `verification_events where doctor_id = '${doctor.userId}'`,
        `notifications where user_id = '${doctor.userId}'`,
      ])
        expect(await own.sql.unsafe(`select from ${table}`)).toHaveLength(0);
      await own.sql`drop trigger fail on doctor_bank_accounts`;
      expect((await doctor.post("/banking-information", bank())).location).toBe("/doctor-verify");
    } finally {
      await own.stop();
    }
  });

  it("says so when the login has ended in the meantime", async () => {
    const visitor = new Browser(server.url);
    const answer = await visitor.post("/banking-information", bank());
    expect(answer.location).toBe("/dual-doctor");
    expect(plain((await visitor.follow(answer)).text)).toContain("Doctor ID not found. Please login again.");
  });

  it("is refused when the chosen hospital is gone by then", async () => {
    const gone = await newHospital(server);
    const doctor = await newDoctor(server);
    await fillTwoSteps(doctor, { hospital: { mode: "select", hospitalId: gone, intent: "next" } });
    await server.sql`update hospitals set status = 'refused' where id = ${gone}`;
    const answer = await doctor.post("/banking-information", bank());
    expect(answer.location).toBe("/hospital-form");
    expect(plain((await doctor.follow(answer)).text)).toContain("This hospital is no longer in the list. Please choose another.");
  });
});

describe("two windows, two devices", () => {
  it("what was given on one device is there on another", async () => {
    const doctor = await newDoctor(server);
    const hospitalFields = manualHospital("Anywhere Clinic");
    await doctor.post("/hospital-form", hospitalFields);
    await doctor.postFiles(
      "/doctor-verification",
      multipart(professional({ fullName: "Dr. Half Way", about: "" }), { profileImage: [[await picture(), "a.jpg"]] }),
    );
    const other = await againAs(server, doctor.userId);
    expect((await other.get("/doctor-verify")).text).toContain('href="/doctor-verification"');
    const page = await other.get("/doctor-verification");
    expect(fieldValue(page, "fullName")).toBe("Dr. Half Way");
    expect(fieldValue(page, "qualifications[0].universityCollege")).toBe("Guntur Medical College");
    expect(page.text).toMatch(
      /name="gender"[^>]*value="female"[^>]*checked|checked=""[^>]*name="gender"[^>]*value="female"|name="gender" checked="" value="female"/,
    );
    expect(page.text.match(/class="thumb"/g)).toHaveLength(1);
    expect(fieldValue(await other.get("/hospital-form"), "hospitalName")).toBe("Anywhere Clinic");
  });

  it("the second of two windows is told, keeps what it typed, and may press again", async () => {
    const doctor = await newDoctor(server);
    await doctor.post("/hospital-form", select());
    const [a, b] = [await doctor.get("/doctor-verification"), await doctor.get("/doctor-verification")];
    const first = await doctor.postFiles(
      "/doctor-verification",
      multipart({ ...professional({ fullName: "Dr. First" }), ...writerFields(a) }, await allPictures()),
    );
    expect(first.location).toBe("/banking-information");
    const typed = professional({ fullName: "Dr. Second", "qualifications[1].degree": "MD", aadhaarNumber: "999988887777" });
    const second = await doctor.postFiles("/doctor-verification", multipart({ ...typed, ...writerFields(b) }));
    expect([second.status, errorsOf(second)[""]]).toEqual([
      409,
      "These details were changed in another window or on another device. What you typed here is still below: press the button again to keep it in place of the other.",
    ]);
    expect(fieldValue(second, "fullName")).toBe("Dr. Second");
    expect(fieldValue(second, "qualifications[1].degree")).toBe("MD");
    expect(fieldValue(second, "aadhaarNumber")).toBe("999988887777");
    expect(fieldValue(await doctor.get("/doctor-verification"), "fullName")).toBe("Dr. First");
    const again = await doctor.postFiles("/doctor-verification", multipart({ ...typed, ...writerFields(second) }));
    expect(again.location).toBe("/banking-information");
    expect(fieldValue(await doctor.get("/doctor-verification"), "fullName")).toBe("Dr. Second");
    // The first window never fights itself: the same page posts as often as it likes.
    const page = await doctor.get("/doctor-verification");
    const posts = await Promise.all(
      Array.from({ length: 3 }, () => doctor.postFiles("/doctor-verification", multipart({ ...typed, ...writerFields(page) }))),
    );
    for (const post of posts) expect(post.location).toBe("/banking-information");
  });

  it("a post that is overtaken by the next one of its page does not write over it", async () => {
    const doctor = await newDoctor(server);
    await doctor.post("/hospital-form", select());
    const writer = writerFields(await doctor.get("/doctor-verification"));
    const post = (turn: string, fullName: string) =>
      doctor.postFiles("/doctor-verification", multipart({ ...professional({ fullName, intent: "upload" }), ...writer, turn }));
    await post("2", "Dr. Second Press");
    await post("1", "Dr. First Press");
    expect(fieldValue(await doctor.get("/doctor-verification"), "fullName")).toBe("Dr. Second Press");
  });

  it("a change in another window is looked at before it is handed in", async () => {
    const doctor = await newDoctor(server);
    await fillTwoSteps(doctor, { hospital: select() });
    const old = await doctor.get("/banking-information");
    const elsewhere = await doctor.get("/doctor-verification");
    await doctor.postFiles("/doctor-verification", multipart({ ...professional({ fullName: "Dr. Changed" }), ...writerFields(elsewhere) }));
    const refused = await doctor.post("/banking-information", { ...bank(), ...writerFields(old) });
    expect(refused.status).toBe(409);
    expect(await statusOf(doctor.userId)).toBe("draft");
    expect((await doctor.post("/banking-information", { ...bank(), ...writerFields(refused) })).location).toBe("/doctor-verify");
    expect(await server.sql`select full_name from doctors where id = ${doctor.userId}`).toEqual([{ full_name: "Dr. Changed" }]);
  });

  it("a draft survives a restart, and one that no key opens is asked for again", async () => {
    const doctor = await newDoctor(server);
    await doctor.post("/hospital-form", manualHospital("Sealed Clinic"));
    await server.sql`update verification_drafts set hospital = 'v1.00000000.a.b.c' where doctor_id = ${doctor.userId}`;
    const page = await doctor.get("/hospital-form");
    expect(page.status).toBe(200);
    expect((await doctor.post("/hospital-form", manualHospital("Sealed Clinic"))).location).toBe("/doctor-verification");
    // Sealed to its place: another doctor's draft does not open here.
    const other = await newDoctor(server);
    await server.sql`insert into verification_drafts (doctor_id, hospital, version) select ${other.userId}, hospital, 9 from verification_drafts where doctor_id = ${doctor.userId}`;
    expect((await other.get("/hospital-form?mode=manual")).text).not.toContain("Sealed Clinic");
  });
});

describe("/doctor-verify", () => {
  it("shows the checklist with the true step and the times, and asks again by itself", async () => {
    const doctor = await applied(server);
    const page = await doctor.get("/doctor-verify");
    const text = plain(page.text);
    for (const sentence of [
      "Application submitted",
      "Under hospital review",
      "Admin approval",
      "Verification typically takes 1-3 business days.",
      "We write to you and send an SMS as soon as there is news.",
      "Registration Submitted Your registration is pending verification. Please wait for approval.",
      "Logout",
    ])
      expect(text).toContain(sentence);
    expect(page.text).toMatch(/<noscript><meta http-equiv="refresh" content="5"\/?><\/noscript>/i);
    expect(text).toMatch(/Application submitted \d+ \w+ \d{4}, \d+:\d\d [AP]M Under hospital review In progress Admin approval To come/);
    await server.sql`update doctors set registration_status = 'pending admin approval' where id = ${doctor.userId}`;
    expect(plain((await doctor.get("/doctor-verify")).text)).toMatch(/Under hospital review Done Admin approval In progress/);
    await server.sql`update doctors set registration_status = 'verified' where id = ${doctor.userId}`;
    expect((await doctor.get("/doctor-verify")).location).toBe("/doctor-dashboard");
  });

  it("says why it was sent back, opens everything again, and takes it a second time", async () => {
    const given = professional({ aadhaarNumber: "345678901234", fullName: "Dr. Sent Back" });
    const doctor = await applied(server, { professional: given });
    const admin = await loginAs(server, DEMO.admin);
    const before = await documentsOf(doctor.userId);
    const council = before.find((d) => d.kind === "medicalCouncilCertificate")!;
    await server.sql`update doctor_documents set decision = 'ask-again', reason = 'The stamp cannot be read.' where id = ${council.id}`;
    await server.sql`update doctors set registration_status = 'rejected' where id = ${doctor.userId}`;
    await server.sql`insert into verification_events (doctor_id, action, from_status, to_status, by_user_id, by_role, note, reasons, at)
      values (${doctor.userId}, 'reject', 'pending admin approval', 'rejected', ${admin.userId}, 'admin', 'Please also check the year.', ${JSON.stringify([{ kind: "medicalCouncilCertificate", reason: "The stamp cannot be read." }])}::text::jsonb, (select max(at) from verification_events where doctor_id = ${doctor.userId}) + interval '1 second')`;
    const page = await doctor.get("/doctor-verify");
    const text = plain(page.text);
    for (const sentence of [
      "Verification Rejected",
      "Re-submit Verification",
      "Please also check the year.",
      "Medical council certificate : The stamp cannot be read.",
    ])
      expect(text).toContain(sentence);
    expect(page.text).not.toMatch(/http-equiv="refresh"/i);
    expect(text).not.toContain("Under hospital review");

    const [once, twice] = await Promise.all([doctor.post("/doctor-verify"), doctor.post("/doctor-verify")]);
    expect([once.location, twice.location].sort()).toEqual(["/doctor-verification#documents", "/doctor-verify"]);
    expect(await statusOf(doctor.userId)).toBe("draft");
    expect(plain((await doctor.get("/doctor-verify")).text)).toContain("Continue your application");
    const form = await doctor.get("/doctor-verification?all");
    expect(fieldValue(form, "fullName")).toBe("Dr. Sent Back");
    expect(form.text).toContain("•••• 1234");
    expect(plain(form.text)).toContain("Asked for again: The stamp cannot be read.");
    expect(plain(form.text)).toContain("Please also check the year.");
    expect(form.text.match(/class="thumb"/g)).toHaveLength(5);
    // Handed in as it was it would only come back.
    const asItWas = await doctor.post("/doctor-verification", { ...given, intent: "continue" });
    expect(asItWas.status).toBe(400);
    expect(asItWas.text).toContain("Medical council certificate image is required");
    expect((await doctor.post("/banking-information", bank({ accountNumber: "" }))).location).toBe("/doctor-verification");
    expect(await statusOf(doctor.userId)).toBe("draft");
    // A new picture answers it; the case goes in again, undecided.
    await doctor.postFiles(
      "/doctor-verification",
      multipart({ intent: "upload" }, { medicalCouncilCertificate: [[await picture(), "new.jpg"]] }),
    );
    expect(plain((await doctor.get("/doctor-verification")).text)).not.toContain("Asked for again");
    expect((await doctor.post("/banking-information", bank({ accountNumber: "" }))).location).toBe("/doctor-verify");
    expect(await statusOf(doctor.userId)).toBe("under review by hospital");
    expect(new Set((await documentsOf(doctor.userId)).map((d) => d.decision))).toEqual(new Set(["undecided"]));
    expect(plain((await doctor.get("/doctor-verify")).text)).not.toContain("Please also check the year.");
    // Nothing to open again now.
    expect((await doctor.post("/doctor-verify")).location).toBe("/doctor-verify");
    expect(await statusOf(doctor.userId)).toBe("under review by hospital");
  });

  it("opens an application again whose draft is gone, from what was handed in", async () => {
    const doctor = await applied(server, {
      hospital: manualHospital("Gone Draft Clinic"),
      professional: professional({ panNumber: "GONED1234R", consultationFee: "750" }),
    });
    await server.sql`update doctors set registration_status = 'rejected' where id = ${doctor.userId}`;
    await server.sql`delete from verification_drafts where doctor_id = ${doctor.userId}`;
    expect((await doctor.post("/doctor-verify")).location).toBe("/hospital-form");
    expect(fieldValue(await doctor.get("/hospital-form"), "hospitalName")).toBe("Gone Draft Clinic");
    const form = await doctor.get("/doctor-verification");
    expect([fieldValue(form, "consultationFee"), fieldValue(form, "dateOfBirth"), fieldValue(form, "qualifications[0].degree")]).toEqual([
      "750",
      "1985-03-14",
      "MBBS",
    ]);
    expect(form.text).toContain("•••• 234R");
    expect(fieldValue(await doctor.get("/banking-information"), "bankName")).toBe("State Bank of India");
  });

  it("logs out to /choose-role", async () => {
    const doctor = await newDoctor(server);
    expect((await doctor.get("/doctor-verify")).text).toContain('action="/logout"');
    expect((await doctor.post("/logout")).location).toBe("/choose-role");
    expect((await doctor.get("/doctor-verify")).location).toMatch(/^\/dual-doctor/);
  });
  it("says so when the account is suspended", async () => {
    const doctor = await newDoctor(server, "suspended");
    const text = plain((await doctor.get("/doctor-verify")).text);
    expect(text).toContain("Your account is suspended. Please contact support.");
    expect((await doctor.post("/doctor-verify")).location).toBe("/doctor-verify");
    expect(await statusOf(doctor.userId)).toBe("suspended");
  });
});

describe("canary numbers (issue 3, done when 3)", () => {
  it("are nowhere: no table, no file, no word of the server's output", async () => {
    const canary = { aadhaar: "271828182845", pan: "CANAR1618Y", account: "314159265358979" };
    const own = await startServer();
    try {
      const doctor = await newDoctor(own);
      await fillTwoSteps(doctor, {
        hospital: manualHospital(),
        professional: professional({ aadhaarNumber: "2718 2818 2845", panNumber: "canar1618y" }),
        pictures: { ...(await allPictures()), identityDocument: [[await picture(), `${canary.aadhaar}.jpg`]] },
      });
      // Also through every way of failing.
      await doctor.postFiles(
        "/doctor-verification",
        multipart(professional({ aadhaarNumber: canary.aadhaar, panNumber: canary.pan, about: "" })),
      );
      await doctor.post("/banking-information", bank({ accountNumber: canary.account, bankName: "" }));
      await doctor.postFiles("/doctor-verification", multipart(professional({ aadhaarNumber: "2718-2818-2845" })));
      expect((await doctor.post("/banking-information", bank({ accountNumber: "3141 5926 5358 979" }))).location).toBe("/doctor-verify");
      const spellings = [
        canary.aadhaar,
        "2718 2818 2845",
        "2718-2818-2845",
        canary.pan,
        canary.pan.toLowerCase(),
        canary.account,
        "3141 5926 5358 979",
      ];
      const found: string[] = [];
      const look = (where: string, text: string) => {
        for (const number of spellings)
          if (
            text.includes(number) ||
            text.includes(Buffer.from(number).toString("base64").slice(0, 12)) ||
            text.includes(Buffer.from(number).toString("hex"))
          )
            found.push(`${number} in ${where}`);
      };
      const tables = await own.sql<
        { t: string }[]
      >`select format('%I.%I', schemaname, tablename) as t from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`;
      expect(tables.length).toBeGreaterThan(20);
      let rows = 0;
      for (const { t } of tables) {
        const texts = await own.sql.unsafe<{ row: string }[]>(`select x::text as row from ${t} x`);
        rows += texts.length;
        look(t, texts.map((r) => r.row).join("\n"));
      }
      expect(rows).toBeGreaterThan(7000);
      expect((await own.sql`select aadhaar_sealed from doctors where id = ${doctor.userId}`)[0]!.aadhaar_sealed).toMatch(/^v1\./);
      let files = 0;
      for (const name of readdirSync(own.dataDir, { recursive: true, withFileTypes: true }))
        if (name.isFile()) {
          files++;
          look(name.name, readFileSync(join(name.parentPath, name.name), "latin1"));
        }
      expect(files).toBeGreaterThan(5);
      look("the output", own.output());
      expect(own.output()).toContain("/banking-information");
      expect(found).toEqual([]);
    } finally {
      await own.stop();
    }
  });
});
