/** Step 3 of an application over HTTP, its submission, and two windows at once. */
import { describe, expect, it } from "vitest";
import {
  againAs,
  allPictures,
  applied,
  bank,
  errorsOf,
  fieldValue,
  fillTwoSteps,
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
import { documentsOf, failOn, select, server, statusOf } from "../setup/onboarding.ts";
import { DEMO, loginAs } from "../setup/people.ts";
import { startServer } from "../setup/server.ts";

describe("step 3, Banking Information, and the submission", () => {
  it.each<[string, Fields, Record<string, string>]>([
    ["the bank", { bankName: "" }, { bankName: "Bank name is required" }],
    ["the account", { accountNumber: " " }, { accountNumber: "Account number is required" }],
    ["9 digits of an account", { accountNumber: "12345678" }, { accountNumber: "The account number must have 9 to 18 digits" }],
    ["18 digits of an account", { accountNumber: "1234567890123456789" }, { accountNumber: "The account number must have 9 to 18 digits" }],
    ["the IFSC", { ifscCode: "" }, { ifscCode: "IFSC code is required" }],
    ["an IFSC of its form", { ifscCode: "SBIN1234567" }, { ifscCode: "Enter the IFSC code in this form: HDFC0001234" }],
    ["the holder", { accountHolderName: "" }, { accountHolderName: "Account holder name is required" }],
    ["the branch", { bankBranch: "" }, { bankBranch: "Bank branch is required" }],
  ])("asks for %s", async (_, changes, errors) => {
    const doctor = await newDoctor(server);
    await fillTwoSteps(doctor, { hospital: select() });
    const answer = await doctor.post("/banking-information", bank(changes));
    expect([answer.status, errorsOf(answer)]).toEqual([400, errors]);
    expect(await statusOf(doctor.userId)).toBe("draft");
    // Valid input is stored for another day and device. The account number is not shown again.
    const other = await againAs(server, doctor.userId);
    const page = await other.get("/banking-information");
    if (!("bankName" in changes)) expect(fieldValue(page, "bankName")).toBe("State Bank of India");
    if (!("accountNumber" in changes)) {
      expect(fieldValue(page, "accountNumber")).toBe("");
      expect(page.text).toMatch(/•••• \d{4}/);
      expect((await other.post("/banking-information", bank({ accountNumber: "" }))).location).toBe("/doctor-verify");
    }
  });

  it("stores everything, attaches the documents, notifies the reviewers, once", async () => {
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
    const shown = await doctor.follow(answers[0]!);
    expect(plain(shown.text)).toContain("Verification submitted successfully!");
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
    // Not listed yet.
    expect((await new Browser(server.url).get(`/details/doctor/${doctor.userId}`)).status).toBe(404);
  });

  it("requires at least one certificate at submission too", async () => {
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

  it("refuses a number of another doctor, with one message that reveals nothing about them", async () => {
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
      // Corrected, it is accepted: nothing was lost.
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

  it("creates one pending hospital for the same one entered twice, also by two doctors at once", async () => {
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
    // An existing hospital is used.
    const known = await newHospital(server, { name: "Moonlight Clinic" });
    const doctor = await applied(server, {
      hospital: { ...manualHospital("moonlight clinic."), hospitalAddress: "1 Station Road, Guntur" },
    });
    expect(await server.sql`select hospital_id from doctors where id = ${doctor.userId}`).toEqual([{ hospital_id: known }]);
  });

  it("stores all or nothing, and reports the failure", async () => {
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

  it("reports a login that ended in the meantime", async () => {
    const visitor = new Browser(server.url);
    const answer = await visitor.post("/banking-information", bank());
    expect(answer.location).toBe("/dual-doctor");
    expect(plain((await visitor.follow(answer)).text)).toContain("Doctor ID not found. Please login again.");
  });

  it("refuses when the chosen hospital was removed meanwhile", async () => {
    const gone = await newHospital(server);
    const doctor = await newDoctor(server);
    await fillTwoSteps(doctor, { hospital: { mode: "select", hospitalId: gone, intent: "next" } });
    await server.sql`update hospitals set status = 'refused' where id = ${gone}`;
    const answer = await doctor.post("/banking-information", bank());
    expect(answer.location).toBe("/hospital-form");
    expect(plain((await doctor.follow(answer)).text)).toContain("This hospital is no longer in the list. Choose another.");
  });
});

describe("two windows, two devices", () => {
  it("input of one device is shown on another", async () => {
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
    expect(page.text.match(/rel="noopener"[^>]*><img/g)).toHaveLength(1);
    expect(fieldValue(await other.get("/hospital-form"), "hospitalName")).toBe("Anywhere Clinic");
  });

  it("refuses the second of two windows, preserves its input, and accepts it on the next press", async () => {
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
      "These details were changed in another window or on another device. What you typed is still below. Press the button again to save it instead.",
    ]);
    expect(fieldValue(second, "fullName")).toBe("Dr. Second");
    expect(fieldValue(second, "qualifications[1].degree")).toBe("MD");
    expect(fieldValue(second, "aadhaarNumber")).toBe("999988887777");
    expect(fieldValue(await doctor.get("/doctor-verification"), "fullName")).toBe("Dr. First");
    const again = await doctor.postFiles("/doctor-verification", multipart({ ...typed, ...writerFields(second) }));
    expect(again.location).toBe("/banking-information");
    expect(fieldValue(await doctor.get("/doctor-verification"), "fullName")).toBe("Dr. Second");
    // A page never conflicts with itself: it may post any number of times.
    const page = await doctor.get("/doctor-verification");
    const posts = await Promise.all(
      Array.from({ length: 3 }, () => doctor.postFiles("/doctor-verification", multipart({ ...typed, ...writerFields(page) }))),
    );
    for (const post of posts) expect(post.location).toBe("/banking-information");
  });

  it("an older post that arrives late does not overwrite a newer one", async () => {
    const doctor = await newDoctor(server);
    await doctor.post("/hospital-form", select());
    const writer = writerFields(await doctor.get("/doctor-verification"));
    const post = (turn: string, fullName: string) =>
      doctor.postFiles("/doctor-verification", multipart({ ...professional({ fullName, intent: "upload" }), ...writer, turn }));
    await post("2", "Dr. Second Press");
    await post("1", "Dr. First Press");
    expect(fieldValue(await doctor.get("/doctor-verification"), "fullName")).toBe("Dr. Second Press");
  });

  it("shows a change of another window before submission", async () => {
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

  it("a draft survives a restart, and one under a removed key has to be entered again", async () => {
    const doctor = await newDoctor(server);
    await doctor.post("/hospital-form", manualHospital("Sealed Clinic"));
    await server.sql`update verification_drafts set hospital = 'v1.00000000.a.b.c' where doctor_id = ${doctor.userId}`;
    const page = await doctor.get("/hospital-form");
    expect(page.status).toBe(200);
    expect((await doctor.post("/hospital-form", manualHospital("Sealed Clinic"))).location).toBe("/doctor-verification");
    // Bound to its row: another doctor's draft cannot be decrypted here.
    const other = await newDoctor(server);
    await server.sql`insert into verification_drafts (doctor_id, hospital, version) select ${other.userId}, hospital, 9 from verification_drafts where doctor_id = ${doctor.userId}`;
    expect((await other.get("/hospital-form?mode=manual")).text).not.toContain("Sealed Clinic");
  });
});
