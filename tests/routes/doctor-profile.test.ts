/** A doctor's profile area over HTTP: spec 000 §2, §5, §8 and §9; and the administrator's side of it. */
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { againAs, errorsOf, hugePng, multipart, newDoctor, newHospital, picture, plain } from "../setup/applications.ts";
import { Browser, type Fields } from "../setup/http.ts";
import { DEMO, type LoggedIn, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

let server: TestServer;
let hospital: string;
beforeAll(async () => {
  server = await startServer();
  hospital = await newHospital(server, { name: "Profile Test Hospital" });
});
afterAll(() => server?.stop());

/** A verified doctor with everything a profile can hold. */
async function verifiedDoctor(): Promise<LoggedIn> {
  const doctor = await newDoctor(server, "verified");
  await server.sql`
    update doctors set full_name = 'Dr. Asha Rani', primary_specialization = 'Cardiologist', category = 'Cardiology', experience_years = 12,
      consultation_fee = 50000, about = 'Hearts of all ages.', gender = 'female', date_of_birth = '1985-03-14', council_name = 'Andhra Pradesh Medical Council',
      council_number = ${doctor.userId}, council_year = 2010, languages = '{Telugu,English}', hospital_id = ${hospital}, city = 'Guntur', state = 'Andhra Pradesh',
      aadhaar_last4 = '0124', pan_last4 = '234F', qualifications = '[{"degree":"MBBS","universityCollege":"Guntur Medical College","year":2009}]'
    where id = ${doctor.userId}`;
  return doctor;
}
/** What the edit form holds, as a browser would send it back. */
async function formOf(doctor: Browser, changes: Fields = {}): Promise<Fields> {
  const { text, status } = await doctor.get("/doctor/profile/edit");
  if (status !== 200) throw new Error(`edit: ${status}`);
  const inner = /<form[^>]*id="profile"[^>]*>(.*?)<\/form>/s.exec(text)?.[1] ?? "";
  const fields: Record<string, string | string[]> = {};
  for (const [tag] of inner.matchAll(/<input[^>]*>/g)) {
    const at = (name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1];
    const name = at("name");
    if (!name || at("type") === "file" || ((at("type") === "radio" || at("type") === "checkbox") && !/\bchecked\b/.test(tag))) continue;
    fields[name] = plain(at("value") ?? "");
  }
  for (const [, name = "", value = ""] of inner.matchAll(/<textarea[^>]*name="([^"]*)"[^>]*>(.*?)<\/textarea>/gs))
    fields[name] = plain(value);
  for (const [, name = "", options = ""] of inner.matchAll(/<select[^>]*name="([^"]*)"[^>]*>(.*?)<\/select>/gs))
    fields[name] = /<option value="([^"]*)"[^>]*selected/.exec(options)?.[1] ?? "";
  return { ...fields, ...changes };
}
const save = (doctor: Browser, fields: Fields, photo?: [Blob, string]) =>
  doctor.postFiles("/doctor/profile/edit", multipart(fields, photo ? ({ photo: [photo] } as never) : {}));
const rowOf = async (id: string) => (await server.sql`select * from doctors where id = ${id}`)[0]!;
const openChange = async (id: string, field: string) =>
  (
    await server.sql<{ id: string }[]>`select id from profile_changes where doctor_id = ${id} and field = ${field} and status = 'pending'`
  )[0]?.id;

const PAGES = [
  "/doctor/profile",
  "/doctor/profile-view",
  "/doctor/profile/edit",
  "/doctor/settings",
  "/doctor/settings/password",
  "/doctor/help",
  "/doctor/terms",
];

describe("who may come in", () => {
  it("nobody without a session, with the specification's words where it has some", async () => {
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

  it("no other role, and no doctor who is not verified", async () => {
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

  it("leads the short addresses on", async () => {
    const doctor = await verifiedDoctor();
    expect((await doctor.get("/doctor")).location).toBe("/doctor-dashboard");
    expect((await doctor.get("/doctor/login")).location).toBe("/doctor-dashboard");
    expect((await new Browser(server.url).get("/doctor/login")).location).toBe("/dual-doctor");
  });
});

describe("the hub and the view", () => {
  it("shows the doctor and the menu, without ways that lead nowhere", async () => {
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
    for (const [, to = ""] of (/<nav class="menu.*?<\/nav>/s.exec(text)?.[0] ?? "").matchAll(/href="([^"]+)"/g))
      expect([to, (await doctor.get(to)).status]).toEqual([to, 200]);
  });

  it("logs out with a toast", async () => {
    const doctor = await verifiedDoctor();
    const out = await doctor.follow(await doctor.post("/logout"));
    expect(plain(out.text)).toContain("Logged out successfully!");
    expect((await doctor.get("/doctor/profile")).status).toBe(303);
  });

  it("has placeholders for what is not there", async () => {
    const doctor = await newDoctor(server, "verified");
    const page = plain((await doctor.get("/doctor/profile")).text);
    for (const part of ["Your name", "Your specialization", "Not mentioned", "Tell patients about yourself in Edit Profile."])
      expect(page).toContain(part);
  });

  it("shows every field of spec 000 §3, numbers by their last digits", async () => {
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

  it("says what failed when a part is away", async () => {
    const doctor = await verifiedDoctor();
    const sql = server.sql;
    const answers = await sql.begin(async (tx) => {
      await tx`lock table profile_changes in access exclusive mode`;
      return Promise.all(["/doctor/profile", "/doctor/profile-view", "/doctor/profile/edit"].map((page) => doctor.get(page)));
    });
    expect(answers.map((a) => a.status)).toEqual([503, 503, 503]);
    expect(answers.map((a) => /Failed to \w+ profile/.exec(plain(a.text))?.[0])).toEqual([
      "Failed to fetch profile",
      "Failed to load profile",
      "Failed to load profile",
    ]);
    const form = await formOf(doctor, { about: "Not saved.", fullName: "Dr. Not Saved" });
    const refused = await sql.begin(async (tx) => {
      await tx`lock table profile_changes in access exclusive mode`;
      return save(doctor, form);
    });
    expect(refused.status).toBe(503);
    expect((await rowOf(doctor.userId)).about).toBe("Hearts of all ages.");
  });
});

describe("editing", () => {
  it("has the four sections and the categories of the specification, and saves what it was given", async () => {
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

  it("shows a change to patients at once, also on a page that was kept ready", async () => {
    const doctor = await verifiedDoctor();
    const visitor = new Browser(server.url);
    expect((await visitor.get(`/details/doctor/${doctor.userId}`)).text).toContain("₹500");
    await save(doctor, await formOf(doctor, { consultationFee: "777" }));
    await expect.poll(async () => (await visitor.get(`/details/doctor/${doctor.userId}`)).text, { timeout: 3000 }).toContain("₹777");
  });

  it("keeps what was typed beside each fault", async () => {
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

  it("keeps two tabs apart: the later one is told, with what it typed and what is saved now", async () => {
    const doctor = await verifiedDoctor();
    const [first, second] = [
      await formOf(doctor, { consultationFee: "600" }),
      await formOf(doctor, { consultationFee: "900", about: "Second tab." }),
    ];
    expect((await save(doctor, first)).status).toBe(303);
    const told = await save(doctor, second);
    expect(told.status).toBe(409);
    expect(errorsOf(told)[""]).toContain("Your profile was changed in another window");
    expect(plain(told.text)).toContain("Saved now: 600");
    expect(told.text).toContain('value="900"');
    expect(told.text).toContain("Second tab.");
    expect(await rowOf(doctor.userId)).toMatchObject({ consultation_fee: "60000", about: "Hearts of all ages." });
    // The page that was shown carries the new version: pressing again keeps what was typed.
    const version = /name="version" value="([^"]+)"/.exec(told.text)?.[1];
    expect((await save(doctor, { ...second, version: version ?? "" })).status).toBe(303);
    expect(await rowOf(doctor.userId)).toMatchObject({ consultation_fee: "90000", about: "Second tab." });
  });

  it("keeps a typed account number while other fields are mended, and shows a saved one never", async () => {
    const doctor = await verifiedDoctor();
    const typed = { bankName: "SBI", bankBranch: "Guntur", accountHolderName: "Asha", accountNumber: "30009998887", ifscCode: "no" };
    const wrong = await save(doctor, await formOf(doctor, typed));
    expect([wrong.status, wrong.text.includes("30009998887"), wrong.headers.get("cache-control")]).toEqual([400, true, "no-store"]);
    await save(doctor, await formOf(doctor, { ...typed, ifscCode: "SBIN0001234" }));
    await (await loginAs(server, DEMO.admin)).post(`/admin/changes/${await openChange(doctor.userId, "bank")}`, { intent: "approve" });
    const { text } = await doctor.get("/doctor/profile/edit");
    expect([text.includes("••••••• 8887"), text.includes("30009998887")]).toEqual([true, false]);
  });

  it("takes text of every kind as text", async () => {
    const doctor = await verifiedDoctor();
    const about = "</textarea><script>alert(1)</script> \u202eabc ';drop table doctors;--";
    expect((await save(doctor, await formOf(doctor, { about }))).status).toBe(303);
    for (const page of ["/doctor/profile", "/doctor/profile-view", "/doctor/profile/edit", `/details/doctor/${doctor.userId}`]) {
      const { status, text } = await doctor.get(page);
      expect(status).toBe(200);
      expect(text).not.toContain("<script>alert(1)");
    }
  });

  it("goes one step back", async () => {
    const doctor = await verifiedDoctor();
    const back = async (referer?: string) =>
      /<header class="top">.*?href="([^"]+)"/s.exec((await doctor.get("/doctor/profile/edit", referer ? { referer } : {})).text)?.[1];
    expect(await back()).toBe("/doctor/profile");
    expect(await back(`${server.url}/doctor/profile-view`)).toBe("/doctor/profile-view");
    expect(await back("https://evil.example/doctor/profile-view")).toBe("/doctor/profile");
    expect(await back(`${server.url}/doctor/profile/edit`)).toBe("/doctor/profile");
  });
});

describe("the picture", () => {
  const photoOf = async (id: string) => (await rowOf(id)).photo_file_id as string | null;

  it("is shown to patients and kept by their browsers, only while it is a verified doctor's", async () => {
    const doctor = await verifiedDoctor();
    await save(doctor, await formOf(doctor), [await picture(900, 1200), "me.jpg"]);
    const id = (await photoOf(doctor.userId)) ?? "";
    for (const page of [`/details/doctor/${doctor.userId}`, "/doctorspages/Cards-data?q=Asha&show=64"])
      expect((await new Browser(server.url).get(page)).text).toContain(`src="/photos/${id}"`);
    expect((await doctor.get("/doctor/profile")).text).toContain(`src="/photos/${id}"`);
    for (const who of [new Browser(server.url), doctor, await loginAs(server, DEMO.patient)]) {
      const answer = await who.get(`/photos/${id}`);
      expect([answer.status, answer.headers.get("content-type"), answer.headers.get("cache-control")]).toEqual([
        200,
        "image/jpeg",
        "public, max-age=86400, immutable",
      ]);
      expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    }
    // The file itself stays the doctor's.
    expect((await (await loginAs(server, DEMO.patient)).get(`/files/${id}`)).status).toBe(404);
    await server.sql`update doctors set registration_status = 'suspended' where id = ${doctor.userId}`;
    const gone = await new Browser(server.url).get(`/photos/${id}`);
    expect([gone.status, gone.headers.get("cache-control")]).toEqual([404, "no-store"]);
  });

  it("leaves a toast to the page it is meant for", async () => {
    const doctor = await verifiedDoctor();
    await save(doctor, await formOf(doctor), [await picture(), "me.jpg"]);
    expect((await doctor.get(`/photos/${await photoOf(doctor.userId)}`)).setCookies).toEqual([]);
    expect(plain((await doctor.get("/doctor/profile")).text)).toContain("Profile updated successfully!");
  });

  it("serves no other file, whoever asks", async () => {
    const files = await server.sql<{ id: string }[]>`select id from files where purpose <> 'doctor-photo' limit 5`;
    expect(files.length).toBeGreaterThan(0);
    for (const { id } of files) expect((await new Browser(server.url).get(`/photos/${id}`)).status).toBe(404);
    for (const id of ["x", "..%2f..%2fetc", "00000000-0000-4000-8000-000000000000"])
      expect((await new Browser(server.url).get(`/photos/${id}`)).status).toBe(404);
  });

  it("stays with the form while other fields are mended, and is nobody else's to take", async () => {
    const doctor = await verifiedDoctor();
    const wrong = await save(doctor, await formOf(doctor, { fullName: "" }), [await picture(), "me.jpg"]);
    expect(wrong.status).toBe(400);
    const id = /name="photoReceived" value="([^"]+)"/.exec(wrong.text)?.[1] ?? "";
    expect(wrong.text).toContain(`/files/${id}`);
    const thief = await verifiedDoctor();
    const stolen = await save(thief, await formOf(thief, { photoReceived: id }));
    expect([stolen.status, errorsOf(stolen).photo]).toEqual([400, "This picture is no longer there. Please choose it again."]);
    expect((await save(doctor, await formOf(doctor, { photoReceived: id }))).status).toBe(303);
    expect(await photoOf(doctor.userId)).toBe(id);
  });

  it.each<[string, () => Promise<Blob> | Blob, number]>([
    ["an HTML file", () => new Blob(["<html><script>1</script></html>"], { type: "image/png" }), 415],
    ["an SVG", () => new Blob(['<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'], { type: "image/svg+xml" }), 415],
    ["a picture of 50,000 pixels a side", () => hugePng(50_000), 413],
    ["12 MB", () => new Blob([new Uint8Array(12 * 1024 * 1024)], { type: "image/jpeg" }), 413],
    ["a broken JPEG", async () => (await picture(600, 800)).slice(0, 900), 415],
  ])("refuses %s and keeps what was typed", async (_, make, status) => {
    const doctor = await verifiedDoctor();
    const answer = await save(doctor, await formOf(doctor, { about: "Typed before the picture." }), [await make(), "me.png"]);
    expect(answer.status).toBe(status);
    expect(errorsOf(answer).photo).toBeTruthy();
    expect(answer.text).toContain("Typed before the picture.");
    expect(await rowOf(doctor.userId)).toMatchObject({ photo_file_id: null, about: "Hearts of all ages." });
  });

  it("takes a large picture of a phone", async () => {
    const doctor = await verifiedDoctor();
    const noise = Buffer.alloc(2400 * 3200 * 3, 1).map(() => Math.random() * 256);
    const bytes = await sharp(noise, { raw: { width: 2400, height: 3200, channels: 3 } })
      .jpeg({ quality: 60 })
      .toBuffer();
    expect(bytes.length).toBeGreaterThan(2_000_000);
    expect((await save(doctor, await formOf(doctor), [new Blob([new Uint8Array(bytes)]), "me.jpg"])).status).toBe(303);
    expect((await new Browser(server.url).get(`/photos/${await photoOf(doctor.userId)}`)).status).toBe(200);
  });

  it("drops what is hidden in it", async () => {
    const doctor = await verifiedDoctor();
    const withPlace = await sharp({ create: { width: 400, height: 400, channels: 3, background: "#445566" } })
      .jpeg()
      .withExif({ IFD0: { ImageDescription: "secret place" } })
      .toBuffer();
    await save(doctor, await formOf(doctor), [new Blob([new Uint8Array(withPlace)]), "me.jpg"]);
    const answer = await fetch(`${server.url}/photos/${await photoOf(doctor.userId)}`);
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(bytes.includes("secret place")).toBe(false);
    expect((await sharp(bytes).metadata()).width).toBe(320);
  });
});

describe("what was verified", () => {
  it("waits for an administrator while patients book as before; approved, it is shown", async () => {
    const doctor = await verifiedDoctor();
    const admin = await loginAs(server, DEMO.admin);
    await save(doctor, await formOf(doctor, { fullName: "Dr. Asha Rani Kumar" }));
    expect(plain((await doctor.get("/doctor/profile")).text)).toContain("A change of your profile waits for an administrator.");
    const view = plain((await doctor.get("/doctor/profile-view")).text);
    expect(view).toContain("Full name: your change waits for an administrator. Until then the old one stays, and patients can book you.");
    expect(view).toContain("Dr. Asha Rani Kumar");
    const detail = (await new Browser(server.url).get(`/details/doctor/${doctor.userId}`)).text;
    expect([detail.includes("Dr. Asha Rani Kumar"), detail.includes("Book Now")]).toEqual([false, true]);

    expect(plain((await admin.get("/admin")).text)).toContain("Profile changes");
    const list = plain((await admin.get("/admin/changes")).text);
    for (const part of ["Full name of Dr. Asha Rani", "Waiting less than an hour", "Old", "New", "Dr. Asha Rani Kumar"])
      expect(list).toContain(part);
    const id = await openChange(doctor.userId, "name");
    expect((await admin.get(`/admin/changes/${id}`)).status).toBe(200);
    const done = await admin.post(`/admin/changes/${id}`, { intent: "approve" });
    expect(plain((await admin.follow(done)).text)).toContain("The change is approved: Full name of Dr. Asha Rani");
    expect((await new Browser(server.url).get(`/details/doctor/${doctor.userId}`)).text).toContain("Dr. Asha Rani Kumar");
    expect(plain((await doctor.get("/doctor/notifications")).text)).toContain("The change of your name is approved and shown from now on.");
    const [{ email }] = await server.sql<[{ email: string }]>`select email from users where id = ${doctor.userId}`;
    await expect
      .poll(async () => (await server.outbox(email)).map((l) => l.subject), { timeout: 10_000 })
      .toContain("Profile change approved · Nadi");
  });

  it("is refused only with a reason, which the doctor reads", async () => {
    const doctor = await verifiedDoctor();
    const admin = await loginAs(server, DEMO.admin);
    await save(doctor, await formOf(doctor, { councilNumber: "TSMC/1" }));
    const id = await openChange(doctor.userId, "council");
    const without = await admin.post(`/admin/changes/${id}`, { intent: "refuse" });
    expect([without.status, errorsOf(without).reason]).toEqual([400, "Write for the doctor why the change is refused."]);
    await admin.post(`/admin/changes/${id}`, { intent: "refuse", reason: "The certificate says APMC." });
    const view = plain((await doctor.get("/doctor/profile-view")).text);
    expect(view).toContain("Council registration: your change was not accepted.");
    expect(view).toContain("Reason: The certificate says APMC.");
    const again = await admin.post(`/admin/changes/${id}`, { intent: "approve" });
    expect([again.status, errorsOf(again)[""]]).toEqual([409, "This change was decided in the meantime: Refused."]);
    expect(plain((await admin.get("/admin/changes?tab=decided")).text)).toContain("Council registration of Dr. Asha Rani");
  });

  it("can be taken back by the doctor, and by nobody else", async () => {
    const doctor = await verifiedDoctor();
    await save(doctor, await formOf(doctor, { fullName: "Dr. Slip" }));
    const change = (await openChange(doctor.userId, "name")) ?? "";
    const stranger = await verifiedDoctor();
    expect((await stranger.post("/doctor/profile/withdraw", { intent: "withdraw", change })).status).toBe(404);
    expect((await stranger.get("/doctor/profile-view")).text).not.toContain("Dr. Slip");
    const back = await doctor.follow(await doctor.post("/doctor/profile/withdraw", { intent: "withdraw", change }));
    expect(plain(back.text)).toContain("Your change is taken back.");
    expect(await openChange(doctor.userId, "name")).toBeUndefined();
    const late = await (await loginAs(server, DEMO.admin)).post(`/admin/changes/${change}`, { intent: "approve" });
    expect(late.status).toBe(409);
    expect((await doctor.post("/doctor/profile/withdraw", { change })).status).toBe(400);
    expect((await doctor.get("/doctor/profile/withdraw")).location).toBe("/doctor/profile-view");
  });

  it("is shown to administrators only, numbers masked until one says why", async () => {
    const doctor = await verifiedDoctor();
    await save(
      doctor,
      await formOf(doctor, {
        bankName: "HDFC Bank",
        bankBranch: "Tenali",
        accountHolderName: "Asha",
        accountNumber: "50001112223",
        ifscCode: "hdfc0001234",
      }),
    );
    const id = await openChange(doctor.userId, "bank");
    const paths = [`/admin/changes/${id}`, "/admin/changes", `/admin/changes/${id}/reveal`];
    for (const who of [DEMO.reviewer, DEMO.patient]) {
      const other = await loginAs(server, who);
      for (const path of paths) {
        expect((await other.get(path)).status).toBe(303);
        expect((await other.post(path, { intent: "approve", reason: "Because" })).status).toBe(403);
      }
    }
    for (const path of paths) expect((await doctor.get(path)).status).toBe(303);
    const admin = await loginAs(server, DEMO.admin);
    for (const path of paths) expect((await admin.get(path)).text).not.toContain("50001112223");
    expect(plain((await admin.get(`/admin/changes/${id}`)).text)).toContain("••••••• 2223");
    const why = await admin.post(`/admin/changes/${id}/reveal`, { reason: "" });
    expect([why.status, why.text.includes("50001112223")]).toEqual([400, false]);
    const shown = await admin.post(`/admin/changes/${id}/reveal`, { reason: "To call the bank" });
    expect([shown.text.includes("50001112223"), shown.headers.get("cache-control")]).toEqual([true, "no-store"]);
    const [logged] = await server.sql`select details from audit_log where action = 'reveal-number' and person_id = ${doctor.userId}`;
    expect(logged?.details).toMatchObject({ number: "account", reason: "To call the bank" });
    expect((await admin.get("/admin/changes/00000000-0000-4000-8000-000000000000")).status).toBe(404);
    expect(server.output()).not.toContain("50001112223");
    const [{ email }] = await server.sql<[{ email: string }]>`select email from users where id = ${doctor.userId}`;
    await expect
      .poll(async () => (await server.outbox(email)).map((l) => l.subject), { timeout: 10_000 })
      .toContain("Change of your bank account · Nadi");
  });
});

describe("settings", () => {
  it("are kept on the server, with the defaults of spec 000 §9", async () => {
    const doctor = await verifiedDoctor();
    const state = async (who: Browser) => {
      const { text } = await who.get("/doctor/settings");
      const on = (name: string) => /\bchecked\b/.test(new RegExp(`<input[^>]*name="${name}"[^>]*>`).exec(text)?.[0] ?? "");
      return [on("email"), on("sms")];
    };
    expect(plain((await doctor.get("/doctor/settings")).text)).toMatch(
      /Notifications.*Email Notifications.*SMS Notifications.*Save Settings/,
    );
    expect(await state(doctor)).toEqual([true, false]);
    const saved = await doctor.follow(await doctor.post("/doctor/settings", { intent: "save", sms: "on" }));
    expect(plain(saved.text)).toContain("Settings saved successfully!");
    expect(await state(await againAs(server, doctor.userId))).toEqual([false, true]);
    expect(await state(await verifiedDoctor())).toEqual([true, false]);
    expect((await doctor.post("/doctor/settings", { intent: "else" })).status).toBe(400);
  });

  it("change the password: this session stays, the others end, a letter comes, the new one opens", async () => {
    const doctor = await loginAs(server, DEMO.doctor);
    const other = await againAs(server, doctor.userId);
    const change = (currentPassword: string, newPassword: string, confirmPassword = newPassword) =>
      doctor.post("/doctor/settings/password", { currentPassword, newPassword, confirmPassword });
    expect((await doctor.get("/doctor/settings")).text).toContain('href="/doctor/settings/password"');
    const dialog = (await doctor.get("/doctor/settings/password")).text;
    expect(dialog).toMatch(/<dialog[^>]*open[^>]*>.*Current password.*New password.*Confirm new password/s);
    const wrong = await change("not it", "new secret");
    expect([wrong.status, errorsOf(wrong)]).toEqual([400, { currentPassword: "The current password is not right" }]);
    expect(wrong.text).not.toContain("new secret");
    expect(errorsOf(await change("demo1234", "demo1234"))).toEqual({
      newPassword: "The new password must be different from the current one",
    });
    expect(errorsOf(await change("demo1234", "abc"))).toEqual({ newPassword: "Password must be at least 6 characters" });
    expect(errorsOf(await change("demo1234", "new secret", "new"))).toEqual({ confirmPassword: "The two new passwords do not match" });
    expect((await other.get("/doctor/settings")).status).toBe(200);
    const done = await doctor.follow(await change("demo1234", "new secret"));
    expect(plain(done.text)).toContain("Password changed successfully!");
    expect((await other.get("/doctor/settings")).status).toBe(303);
    await expect
      .poll(async () => (await server.outbox("doctor@demo.test")).map((l) => l.subject), { timeout: 10_000 })
      .toContain("Your password was changed · Nadi");

    const door = new Browser(server.url);
    const logIn = async (password: string) => {
      server.clock.advance(60_000);
      await door.post("/dual-doctor", { intent: "send-otp", mode: "login", email: "doctor@demo.test", password, mobile: "9000000101" });
      await door.post("/dual-doctor", { intent: "verify-otp", otp: await server.lastCode("+919000000101") });
      return (await door.post("/dual-doctor", { intent: "continue" })).location;
    };
    // A wrong password is said on the page itself.
    expect(await logIn("demo1234")).toBeNull();
    expect(await logIn("new secret")).toBe("/doctor-dashboard");
    expect((await change("new secret", "demo1234")).status).toBe(303);
  });

  it("let nobody guess the password at an open session", async () => {
    const doctor = await verifiedDoctor();
    const answers = [];
    for (let i = 0; i < 11; i++)
      answers.push(
        await doctor.post("/doctor/settings/password", {
          currentPassword: `guess ${i}`,
          newPassword: "new secret",
          confirmPassword: "new secret",
        }),
      );
    expect(answers.map((a) => a.status)).toEqual([...Array(10).fill(400), 429]);
    expect(Number(answers.at(-1)?.headers.get("retry-after"))).toBeGreaterThan(0);
  });

  it("list the sessions and end the others", async () => {
    const doctor = await verifiedDoctor();
    expect(plain((await doctor.get("/doctor/settings")).text)).toContain("You are logged in nowhere else.");
    const other = await againAs(server, doctor.userId);
    const stranger = await verifiedDoctor();
    const page = (await doctor.get("/doctor/settings")).text;
    expect(page.match(/This device/g)).toHaveLength(1);
    expect(page).toContain("Log out everywhere else");
    const ended = await doctor.follow(await doctor.post("/doctor/settings", { intent: "end-others" }));
    expect(plain(ended.text)).toContain("You are logged out everywhere else.");
    expect([(await other.get("/doctor/settings")).status, (await stranger.get("/doctor/settings")).status]).toEqual([303, 200]);
  });
});

describe("help and terms", () => {
  it("has the contacts and finds questions, whatever the case", async () => {
    const doctor = await verifiedDoctor();
    const page = await doctor.get("/doctor/help");
    for (const part of ["24/7 support", "WhatsApp", "We answer within 2 hours", "up to 24 hours before", "Demo: nobody answers here."])
      expect(plain(page.text)).toContain(part);
    for (const to of ["tel:+910000000000", "https://wa.me/910000000000", "mailto:support@demo.test"])
      expect(page.text).toContain(`href="${to}"`);
    const questions = (text: string) => text.match(/<details name="faq"/g)?.length ?? 0;
    expect(questions(page.text)).toBe(10);
    const found = await doctor.get("/doctor/help?q=WEEKLY+pattern");
    expect([questions(found.text), plain(found.text).includes("How do I offer times to patients?")]).toEqual([1, true]);
    const none = await doctor.get("/doctor/help?q=%3Cscript%3E");
    expect(plain(none.text)).toContain("No FAQs found for your search.");
    expect(none.text).not.toContain('<script>"');
  });

  it("names who is to be called where the environment does", async () => {
    const own = await startServer({ env: { SUPPORT_PHONE: "0866 247 43012", SUPPORT_EMAIL: "help@nadi.example" } });
    try {
      const doctor = await loginAs(own, DEMO.doctor);
      const { text } = await doctor.get("/doctor/help");
      expect(text).toContain('href="tel:+916624743012"');
      expect(text).toContain("help@nadi.example");
      expect(text).not.toContain("nobody answers");
    } finally {
      await own.stop();
    }
  });

  it("has ten sections of terms and today's date", async () => {
    const doctor = await verifiedDoctor();
    const { text } = await doctor.get("/doctor/terms");
    expect(text.match(/<h2/g)).toHaveLength(10);
    const page = plain(text);
    expect(page).toContain("Welcome to Nadi.");
    const today = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: "Asia/Kolkata" })
      .format(new Date())
      .replace("Sept", "Sep");
    expect(page).toContain(`Last Updated: ${today}`);
    for (const part of ["laws of India", "Vijayawada, Andhra Pradesh", "previous twelve months"]) expect(page).toContain(part);
  });
});
