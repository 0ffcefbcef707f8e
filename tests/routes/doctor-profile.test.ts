/** A doctor's profile pages over HTTP: spec 000 §2, §5, §8 and §9. */
import { describe, expect, it } from "vitest";
import { errorsOf, newDoctor, plain } from "../setup/applications.ts";
import { formOf, openChange, rowOf, save, server, verifiedDoctor } from "../setup/doctor-profile.ts";
import { Browser } from "../setup/http.ts";
import { whileLocked } from "../setup/locked.ts";
import { DEMO, loginAs } from "../setup/people.ts";

const PAGES = [
  "/doctor/profile",
  "/doctor/profile-view",
  "/doctor/profile/edit",
  "/doctor/settings",
  "/doctor/settings/password",
  "/doctor/help",
  "/doctor/terms",
];

describe("access", () => {
  it("refuses visitors with the texts of the specification", async () => {
    const visitor = () => new Browser(server.url);
    for (const page of PAGES) {
      const answer = await visitor().get(page);
      expect([page, answer.status]).toEqual([page, 303]);
      expect(answer.location).toMatch(page === "/doctor/profile-view" ? /^\/doctor\/login$/ : /^\/dual-doctor\?redirectTo=/);
      expect((await visitor().get(`${page}.data`)).text).toMatch(/^\[\["SingleFetchRedirect"/);
    }
    const expired = visitor();
    const login = await expired.follow(await expired.get("/doctor/profile-view"));
    expect(plain(login.text)).toContain("Session expired. Please login again.");
    const saving = visitor();
    const refused = await saving.follow(await saving.post("/doctor/profile/edit", { fullName: "X" }));
    expect(plain(refused.text)).toContain("Not authenticated. Please login again.");
  });

  it("refuses every other role and unverified doctors", async () => {
    for (const who of [DEMO.patient, DEMO.reviewer, DEMO.admin]) {
      const other = await loginAs(server, who);
      for (const page of PAGES) {
        expect((await other.get(page)).status).toBe(303);
        expect((await other.post(page, { intent: "save" })).status).toBe(403);
      }
      expect((await other.post("/doctor/profile/withdraw", { intent: "withdraw", change: "x" })).status).toBe(403);
    }
    for (const status of ["draft", "under review by hospital", "rejected", "suspended"]) {
      const doctor = await newDoctor(server, status);
      for (const page of PAGES) expect((await doctor.get(page)).location).toMatch(/^\/(doctor-verify|hospital-form)$/);
    }
  });

  it("redirects the short addresses", async () => {
    const doctor = await verifiedDoctor();
    expect((await doctor.get("/doctor")).location).toBe("/doctor-dashboard");
    expect((await doctor.get("/doctor/login")).location).toBe("/doctor-dashboard");
    expect((await new Browser(server.url).get("/doctor/login")).location).toBe("/dual-doctor");
  });
});

describe("the hub and the view", () => {
  it("shows the doctor and a menu without dead links", async () => {
    const doctor = await verifiedDoctor();
    const { text } = await doctor.get("/doctor/profile");
    const page = plain(text);
    for (const part of [
      "Dr. Asha Rani",
      "Cardiologist",
      "₹500",
      "Hearts of all ages.",
      "View Profile",
      "Edit Profile",
      "Notifications",
      "Settings",
      "Help and Support",
      "Terms and Conditions",
      "Log Out",
      "Logout Confirmation",
      "Are you sure you want to log out?",
    ])
      expect(page).toContain(part);
    expect(text).toContain('href="/doctor-dashboard"');
    for (const [, to = ""] of (/<nav [^>]*aria-label="Profile".*?<\/nav>/s.exec(text)?.[0] ?? "").matchAll(/href="([^"]+)"/g))
      expect([to, (await doctor.get(to)).status]).toEqual([to, 200]);
  });

  it("logs out with a toast", async () => {
    const doctor = await verifiedDoctor();
    const out = await doctor.follow(await doctor.post("/logout"));
    expect(plain(out.text)).toContain("Logged out successfully!");
    expect((await doctor.get("/doctor/profile")).status).toBe(303);
  });

  it("shows placeholders for missing fields", async () => {
    const doctor = await newDoctor(server, "verified");
    const page = plain((await doctor.get("/doctor/profile")).text);
    for (const part of ["Your name", "Your specialization", "Not mentioned", "Add a text about yourself in Edit Profile."])
      expect(page).toContain(part);
  });

  it("shows every field of spec 000 §3, and the last digits of numbers", async () => {
    const doctor = await verifiedDoctor();
    await save(
      doctor,
      await formOf(doctor, {
        bankName: "State Bank of India",
        bankBranch: "Guntur Main",
        accountHolderName: "Asha Rani",
        accountNumber: "30001234567",
        ifscCode: "SBIN0001234",
      }),
    );
    const admin = await loginAs(server, DEMO.admin);
    await admin.post(`/admin/changes/${await openChange(doctor.userId, "bank")}`, { intent: "approve" });
    const { text } = await doctor.get("/doctor/profile-view");
    const page = plain(text);
    for (const part of [
      "Dr. Asha Rani",
      "Verified",
      "Cardiologist",
      "Cardiology",
      "12 years",
      "₹500",
      "Hearts of all ages.",
      "Female",
      "1985-03-14",
      "Telugu, English",
      "Guntur, Andhra Pradesh",
      "•••• •••• 0124",
      "•••••• 234F",
      "Andhra Pradesh Medical Council",
      "2010",
      "MBBS, Guntur Medical College, 2009",
      "Profile Test Hospital",
      "+91 40000 00199",
      "State Bank of India",
      "Guntur Main",
      "Asha Rani",
      "••••••• 4567",
      "SBIN0001234",
    ])
      expect(page).toContain(part);
    expect(text).not.toContain("30001234567");
    expect((await doctor.get("/doctor/profile-view.data")).text).not.toContain("30001234567");
  });

  it("reports each part that cannot be read", async () => {
    const doctor = await verifiedDoctor();
    const answers = await whileLocked(server, "profile_changes", () =>
      Promise.all(["/doctor/profile", "/doctor/profile-view", "/doctor/profile/edit"].map((page) => doctor.get(page))),
    );
    expect(answers.map((a) => a.status)).toEqual([503, 503, 503]);
    expect(answers.map((a) => /Failed to \w+ profile/.exec(plain(a.text))?.[0])).toEqual([
      "Failed to fetch profile",
      "Failed to load profile",
      "Failed to load profile",
    ]);
    const form = await formOf(doctor, { about: "Not saved.", fullName: "Dr. Not Saved" });
    const refused = await whileLocked(server, "profile_changes", () => save(doctor, form));
    expect(refused.status).toBe(503);
    expect((await rowOf(doctor.userId)).about).toBe("Hearts of all ages.");
  });
});

describe("editing", () => {
  it("has the four sections and the categories of the specification, and saves the input", async () => {
    const doctor = await verifiedDoctor();
    const { text } = await doctor.get("/doctor/profile/edit");
    for (const part of ["Basic Information", "Personal Information", "Hospital Information", "Banking Information", "Save Changes"])
      expect(plain(text)).toContain(part);
    const categories = [...(/<select[^>]*name="category".*?<\/select>/s.exec(text)?.[0] ?? "").matchAll(/<option value="([^"]*)"/g)].map(
      (o) => o[1],
    );
    expect(categories).toEqual([
      "General",
      "Cardiology",
      "Dentistry",
      "Pulmonology",
      "Neurology",
      "Gastroenterology",
      "Laboratory",
      "Vaccination",
    ]);
    const unchanged = await save(doctor, await formOf(doctor));
    expect(unchanged.location).toBe("/doctor/profile");
    expect(await server.sql`select from profile_changes where doctor_id = ${doctor.userId}`).toHaveLength(0);
    const done = await save(
      doctor,
      await formOf(doctor, {
        consultationFee: "650",
        about: "Hearts & more <b>",
        category: "Pulmonology",
        experienceYears: "13",
        languages: "Hindi",
      }),
    );
    expect(plain((await doctor.follow(done)).text)).toContain("Profile updated successfully!");
    expect(await rowOf(doctor.userId)).toMatchObject({
      consultation_fee: "65000",
      about: "Hearts & more <b>",
      category: "Pulmonary",
      experience_years: 13,
      languages: ["Hindi"],
    });
  });

  it("shows a change to patients at once, also on a cached page", async () => {
    const doctor = await verifiedDoctor();
    const visitor = new Browser(server.url);
    expect((await visitor.get(`/details/doctor/${doctor.userId}`)).text).toContain("₹500");
    await save(doctor, await formOf(doctor, { consultationFee: "777" }));
    await expect.poll(async () => (await visitor.get(`/details/doctor/${doctor.userId}`)).text, { timeout: 3000 }).toContain("₹777");
  });

  it("preserves the input beside each error", async () => {
    const doctor = await verifiedDoctor();
    const wrong = await save(
      doctor,
      await formOf(doctor, { fullName: "", consultationFee: "", about: "", experienceYears: "many", languages: "Tamil" }),
    );
    expect(wrong.status).toBe(400);
    expect(errorsOf(wrong)).toEqual({
      fullName: "Full name is required",
      consultationFee: "Consultation fee is required",
      about: "Please provide information in the About section",
      experienceYears: "Please enter a number of years from 0 to 70",
    });
    expect(wrong.text).toMatch(/name="languages"[^>]*value="Tamil"|value="Tamil"[^>]*name="languages"/);
    expect(wrong.text).toMatch(/value="many"/);
  });

  it("refuses the later of two tabs, and shows its input beside the saved values", async () => {
    const doctor = await verifiedDoctor();
    const [first, second] = [
      await formOf(doctor, { consultationFee: "600" }),
      await formOf(doctor, { consultationFee: "900", about: "Second tab." }),
    ];
    expect((await save(doctor, first)).status).toBe(303);
    const refused = await save(doctor, second);
    expect(refused.status).toBe(409);
    expect(errorsOf(refused)[""]).toContain("Your profile was changed in another window");
    expect(plain(refused.text)).toContain("Saved: 600");
    expect(refused.text).toContain('value="900"');
    expect(refused.text).toContain("Second tab.");
    expect(await rowOf(doctor.userId)).toMatchObject({ consultation_fee: "60000", about: "Hearts of all ages." });
    // The shown page has the new version: submitting again stores the input.
    const version = /name="version" value="([^"]+)"/.exec(refused.text)?.[1];
    expect((await save(doctor, { ...second, version: version ?? "" })).status).toBe(303);
    expect(await rowOf(doctor.userId)).toMatchObject({ consultation_fee: "90000", about: "Second tab." });
  });

  it("preserves a typed account number while other fields are corrected, and never shows a saved one", async () => {
    const doctor = await verifiedDoctor();
    const typed = { bankName: "SBI", bankBranch: "Guntur", accountHolderName: "Asha", accountNumber: "30009998887", ifscCode: "no" };
    const wrong = await save(doctor, await formOf(doctor, typed));
    expect([wrong.status, wrong.text.includes("30009998887"), wrong.headers.get("cache-control")]).toEqual([400, true, "no-store"]);
    await save(doctor, await formOf(doctor, { ...typed, ifscCode: "SBIN0001234" }));
    await (await loginAs(server, DEMO.admin)).post(`/admin/changes/${await openChange(doctor.userId, "bank")}`, { intent: "approve" });
    const { text } = await doctor.get("/doctor/profile/edit");
    expect([text.includes("••••••• 8887"), text.includes("30009998887")]).toEqual([true, false]);
  });

  it("treats markup as text", async () => {
    const doctor = await verifiedDoctor();
    const about = "</textarea><script>alert(1)</script> \u202eabc ';drop table doctors;--";
    expect((await save(doctor, await formOf(doctor, { about }))).status).toBe(303);
    for (const page of ["/doctor/profile", "/doctor/profile-view", "/doctor/profile/edit", `/details/doctor/${doctor.userId}`]) {
      const { status, text } = await doctor.get(page);
      expect(status).toBe(200);
      expect(text).not.toContain("<script>alert(1)");
    }
  });

  it("goes back one step", async () => {
    const doctor = await verifiedDoctor();
    const back = async (referer?: string) =>
      /<header class="top[^>]*>.*?href="([^"]+)"/s.exec((await doctor.get("/doctor/profile/edit", referer ? { referer } : {})).text)?.[1];
    expect(await back()).toBe("/doctor/profile");
    expect(await back(`${server.url}/doctor/profile-view`)).toBe("/doctor/profile-view");
    expect(await back("https://evil.example/doctor/profile-view")).toBe("/doctor/profile");
    expect(await back(`${server.url}/doctor/profile/edit`)).toBe("/doctor/profile");
  });
});
