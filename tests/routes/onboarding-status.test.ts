/** The status page of an application over HTTP, and where its numbers may appear. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  allPictures,
  applied,
  bank,
  fieldValue,
  fillTwoSteps,
  manualHospital,
  multipart,
  newDoctor,
  picture,
  plain,
  professional,
} from "../setup/applications.ts";
import { documentsOf, server, statusOf } from "../setup/onboarding.ts";
import { DEMO, loginAs } from "../setup/people.ts";
import { startServer } from "../setup/server.ts";

describe("/doctor-verify", () => {
  it("shows the checklist with the current step and times, and polls", async () => {
    const doctor = await applied(server);
    const page = await doctor.get("/doctor-verify");
    const text = plain(page.text);
    for (const sentence of [
      "Application submitted",
      "Under hospital review",
      "Admin approval",
      "Verification typically takes 1-3 business days.",
      "We'll send you an email and an SMS when the status changes.",
      "Registration Submitted Your registration is pending verification. Please wait for approval.",
      "Logout",
    ])
      expect(text).toContain(sentence);
    expect(page.text).toMatch(/<noscript><meta http-equiv="refresh" content="5"\/?><\/noscript>/i);
    expect(text).toMatch(
      /Application submitted \d+ \w+ \d{4}, \d+:\d\d [AP]M Under hospital review In progress Admin approval Not started/,
    );
    await server.sql`update doctors set registration_status = 'pending admin approval' where id = ${doctor.userId}`;
    expect(plain((await doctor.get("/doctor-verify")).text)).toMatch(/Under hospital review Done Admin approval In progress/);
    await server.sql`update doctors set registration_status = 'verified' where id = ${doctor.userId}`;
    expect((await doctor.get("/doctor-verify")).location).toBe("/doctor-dashboard");
  });

  it("shows why it was sent back, opens every step again, and accepts a second submission", async () => {
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
    expect(plain(form.text)).toContain("Please send it again: The stamp cannot be read.");
    expect(plain(form.text)).toContain("Please also check the year.");
    expect(form.text.match(/rel="noopener"[^>]*><img/g)).toHaveLength(5);
    // Submitted unchanged it would only be sent back again.
    const asItWas = await doctor.post("/doctor-verification", { ...given, intent: "continue" });
    expect(asItWas.status).toBe(400);
    expect(asItWas.text).toContain("Medical council certificate image is required");
    expect((await doctor.post("/banking-information", bank({ accountNumber: "" }))).location).toBe("/doctor-verification");
    expect(await statusOf(doctor.userId)).toBe("draft");
    // A new image answers it, and the case is submitted again, undecided.
    await doctor.postFiles(
      "/doctor-verification",
      multipart({ intent: "upload" }, { medicalCouncilCertificate: [[await picture(), "new.jpg"]] }),
    );
    expect(plain((await doctor.get("/doctor-verification")).text)).not.toContain("Please send it again");
    expect((await doctor.post("/banking-information", bank({ accountNumber: "" }))).location).toBe("/doctor-verify");
    expect(await statusOf(doctor.userId)).toBe("under review by hospital");
    expect(new Set((await documentsOf(doctor.userId)).map((d) => d.decision))).toEqual(new Set(["undecided"]));
    expect(plain((await doctor.get("/doctor-verify")).text)).not.toContain("Please also check the year.");
    // Nothing to open again now.
    expect((await doctor.post("/doctor-verify")).location).toBe("/doctor-verify");
    expect(await statusOf(doctor.userId)).toBe("under review by hospital");
  });

  it("opens an application without a draft again, from what was submitted", async () => {
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
  it("shows that the account is suspended", async () => {
    const doctor = await newDoctor(server, "suspended");
    const text = plain((await doctor.get("/doctor-verify")).text);
    expect(text).toContain("Your account is suspended. Please contact support.");
    expect((await doctor.post("/doctor-verify")).location).toBe("/doctor-verify");
    expect(await statusOf(doctor.userId)).toBe("suspended");
  });
});

describe("canary numbers (issue 3, done when 3)", () => {
  it("are in no table, file or log line", async () => {
    const canary = { aadhaar: "271828182845", pan: "CANAR1618Y", account: "314159265358979" };
    const own = await startServer();
    try {
      const doctor = await newDoctor(own);
      await fillTwoSteps(doctor, {
        hospital: manualHospital(),
        professional: professional({ aadhaarNumber: "2718 2818 2845", panNumber: "canar1618y" }),
        pictures: { ...(await allPictures()), identityDocument: [[await picture(), `${canary.aadhaar}.jpg`]] },
      });
      // Also after every kind of failure.
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
