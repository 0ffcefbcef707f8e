/** Specification 000 (docs/specification): the texts and links of its pages that no other test covers. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { formatDate } from "#app/lib/dates.ts";
import { readable } from "../factories/booking.ts";
import { addSlots, dayFromNow, makeDoctor, makePatient, makeVisit, newEmail, newPhone, typed } from "../factories/people.ts";
import { fillTwoSteps, manualHospital, newDoctor, newHospital, plain, professional } from "../setup/applications.ts";
import { Browser } from "../setup/http.ts";
import { whileLocked } from "../setup/locked.ts";
import { DEMO, type LoggedIn, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

let server: TestServer;
let visitor: Browser;
let asDoctor: LoggedIn;
beforeAll(async () => {
  server = await startServer();
  visitor = new Browser(server.url);
  asDoctor = await loginAs(server, DEMO.doctor);
});
afterAll(() => server?.stop());

const page = async (path: string, who: Browser = asDoctor) => {
  const { status, text } = await who.get(path);
  expect([path, status]).toEqual([path, 200]);
  return { text, words: plain(text) };
};
/** Returns the target of the link with this text. */
const wayOf = (html: string, words: string) =>
  [...html.matchAll(/<a\b([^>]*)>(.*?)<\/a>/gs)]
    .filter(([, tag = "", inside = ""]) => plain(inside) === words || tag.includes(`aria-label="${words}"`))
    .map(([, tag = ""]) => /href="([^"]*)"/.exec(tag)?.[1]);
const shows = (words: string, texts: string[]) => expect(texts.filter((text) => !words.includes(text))).toEqual([]);

describe("before a login (§2)", () => {
  it("the splash has five pictures, continues a second after the last, and Skip continues at once", async () => {
    const { headers, text } = await visitor.get("/");
    // Five images, one second each, and one more second for the last (§9).
    expect(headers.get("refresh")).toBe("5;url=/choose-role");
    expect(/<ol.*?<\/ol>/s.exec(text)?.[0].match(/<li /g)).toHaveLength(5);
    expect(wayOf(text, "Skip")).toEqual(["/choose-role"]);
    expect(plain(/<header.*?<\/header>/s.exec(text)?.[0] ?? "")).toContain("Nadi Your Digital Healthcare Companion.");
    expect(text).toMatch(/<header[^>]*><svg[^>]*aria-label="Nadi"/);
  });

  it("the role choice, and the emergency dialog", async () => {
    const { text, words } = await page("/choose-role", visitor);
    shows(words, ["Let's get started", "Choose your role"]);
    const roles = [...text.matchAll(/<a[^>]*class="card[^>]*href="([^"]*)".*?<b[^>]*>(.*?)<\/b>/gs)].map(([, to, name]) => [name, to]);
    expect(roles).toEqual([
      ["Patient", "/dual-patient"],
      ["Doctor", "/dual-doctor"],
    ]);
    const dialog = /<dialog.*?<\/dialog>/s.exec(text)?.[0] ?? "";
    expect(text).toMatch(/<a href="#emergency"[^>]*class="btn sos/);
    shows(plain(dialog), [
      "Emergency Assistance",
      "Use this only in genuine medical emergencies.",
      "By proceeding, you confirm this is a genuine emergency requiring immediate medical attention.",
    ]);
    expect(wayOf(dialog, "Call Emergency Services")).toEqual(["/patient/emergency-contact"]);
    expect(wayOf(dialog, "Cancel")).toHaveLength(1);
  });

  it("the doctors' login has its fields and buttons in order", async () => {
    const browser = new Browser(server.url);
    const { text, words } = await page("/dual-doctor?mode=register", browser);
    for (const name of ["email", "password", "mobile"]) expect(text).toContain(`name="${name}"`);
    shows(words, ["Email", "Password", "Mobile number", "+91", "Send OTP"]);
    const mobile = typed(newPhone());
    await browser.post("/dual-doctor", { intent: "send-otp", mode: "register", email: newEmail(), password: "lotus-pond-42", mobile });
    const code = await page("/dual-doctor", browser);
    shows(code.words, ["Verify OTP", "Edit Details"]);
    expect(code.text).toMatch(/name="otp"/);
    expect(code.text).toMatch(/maxLength="6"/);
    expect(readable((await browser.post("/dual-doctor", { intent: "verify-otp", otp: "12345" })).text)).toContain(
      "Please enter a valid 6-digit OTP",
    );
    await browser.post("/dual-doctor", { intent: "verify-otp", otp: await server.lastCode(`+91${mobile}`) });
    shows((await page("/dual-doctor", browser)).words, ["Continue", "Edit Details"]);
  });

  it("several errors have one summary above them (§5)", async () => {
    const send = async (fields: Record<string, string>) =>
      readable((await visitor.post("/dual-doctor", { intent: "send-otp", mode: "login", ...fields })).text);
    expect(await send({})).toContain("Please fill in all required fields correctly");
    const wrong = await send({ email: "a@", password: "123", mobile: "12" });
    expect(wrong).toContain("Please fix all validation errors");
    expect(wrong).not.toContain("Please fill in all required fields correctly");
  });
});

describe("the application (§2)", () => {
  it("names its three steps and their fields", async () => {
    const doctor = await newDoctor(server);
    await newHospital(server, { name: "Named Hospital" });
    const first = await page("/hospital-form", doctor);
    shows(first.words, ["Step 1 of 3", "Hospital Information"]);
    expect(first.words).toMatch(/Named Hospital ?, 1 Station Road, Guntur/);
    await doctor.post("/hospital-form", manualHospital());
    const second = await page("/doctor-verification", doctor);
    shows(second.words, ["Step 2 of 3", "Male", "Female", "Other"]);
    expect(/<input[^>]*name="panNumber"[^>]*>/.exec(second.text)?.[0]).toMatch(/maxlength="10"/i);
    await fillTwoSteps(doctor, { hospital: manualHospital(), professional: professional() });
    const third = await page("/banking-information", doctor);
    shows(third.words, ["Step 3 of 3", "Banking Information"]);
    const fields = ["Bank Name", "Account Number", "IFSC Code", "Account Holder Name", "Bank Branch", "Submit"];
    shows(third.words, fields);
    expect(fields.map((text) => third.words.lastIndexOf(text)).toSorted((a, b) => a - b)).toEqual(
      fields.map((text) => third.words.lastIndexOf(text)),
    );
  });

  it("shows a message when the list of hospitals cannot be read (§8)", async () => {
    const doctor = await newDoctor(server);
    const { words } = await whileLocked(server, "hospitals", () => page("/hospital-form", doctor));
    expect(words).toContain("Error Failed to load hospitals: Cannot connect to server");
  });
});

describe("the doctor's area (§2)", () => {
  it("has five places in the folding side bar and in the bottom bar, and chat and bell above", async () => {
    const { text } = await page("/doctor-dashboard");
    const places = [
      ["Home", "/doctor-dashboard"],
      ["Stats", "/doctor/stats"],
      ["Availability", "/doctor/availability"],
      ["Schedule", "/doctor/appointments"],
      ["Profile", "/doctor/profile"],
    ];
    for (const bar of ["side", "bar"]) {
      const nav = new RegExp(`<nav [^>]*data-nav="${bar}".*?</nav>`, "s").exec(text)?.[0] ?? "";
      const links = [...nav.matchAll(/<a\b[^>]*href="([^"]*)"[^>]*>(.*?)<\/a>/gs)].map(([, to, words = ""]) => [plain(words), to]);
      // The second group of the side bar is additional.
      const more =
        bar === "side"
          ? [
              ["Queue", "/doctor/queue"],
              ["Patients", "/doctor/patients"],
              ["Takings", "/doctor/takings"],
              ["Waitlist", "/doctor/waitlist"],
              ["Week", "/doctor/availability/week"],
            ]
          : [];
      expect(links.filter(([words]) => words && words !== "Nadi")).toEqual([...places, ...more]);
    }
    expect(plain(/<nav [^>]*data-nav="side".*?<\/nav>/s.exec(text)?.[0] ?? "")).toContain("Collapse menu");
    expect(wayOf(text, "Ask the assistant")).toEqual(["/doctor/ai-chat"]);
    expect(text).toMatch(/<a[^>]*href="\/doctor\/notifications"[^>]*aria-label="Notifications/);
    expect(wayOf(text, "See All")).toEqual(["/doctor/appointments"]);
  });

  it("links from a card to its patient's page, with documents to view and download", async () => {
    const [visit] = await server.sql<{ id: string; files: number }[]>`
      select a.id, count(*)::int as files from appointments a join medical_records r on r.appointment_id = a.id
      where a.doctor_id = ${asDoctor.userId} and a.status in ('pending', 'accepted') and a.date >= current_date group by a.id limit 1`;
    const list = await page("/doctor/appointments");
    for (const tab of ["Upcoming", "Completed", "Cancelled"]) expect(list.words).toMatch(new RegExp(`${tab} \\d+`));
    expect(wayOf(list.text, "View Details")).toContain(`/doctor/patient/${visit!.id}`);
    const { text, words } = await page(`/doctor/patient/${visit!.id}`);
    shows(words, [
      "Phone",
      "Blood group",
      "Reason",
      "Priority Normal",
      "Medical history summary",
      "Patient note",
      visit!.files === 1 ? "1 file" : `${visit!.files} files`,
    ]);
    const [view, download] = [wayOf(text, "View"), wayOf(text, "Download")];
    expect([view.length, download.length]).toEqual([visit!.files, visit!.files]);
    expect(download).toEqual(view.map((to) => `${to}?download=1`));
    expect((await asDoctor.get(download[0]!)).headers.get("content-disposition")).toMatch(/^attachment/);
  });

  it("asks before each action with Yes and No, before logging out with Yes and NO", async () => {
    const [doctor, patient] = [await makeDoctor(server.db), await makePatient(server.db)];
    const day = dayFromNow(3);
    await addSlots(server.db, doctor.id, [{ date: day, time: "10:00" }]);
    const own = await loginAs(server, { role: "doctor", email: doctor.email });
    const id = await makeVisit(server.db, { patient, doctor }, { date: day, time: "11:00" });
    for (const path of [`/doctor/appointments/${id}/accept`, `/doctor/availability/delete/${day}`])
      expect((await page(path, own)).words).toMatch(/ Yes No( |$)/);
    expect((await page("/logout", own)).words).toMatch(/Are you sure you want to log out\? Yes NO( |$)/);
    expect((await page(`/doctor/availability/delete/${day}`, own)).words).toContain(`Delete all slots for ${formatDate(day)}?`);
  });

  it("statistics have an overview with its cards, a chart of months and a refresh", async () => {
    const { text, words } = await page("/doctor/stats");
    shows(words, ["Doctor Statistics", "Overview", "Total Earnings", "Total Patients", "Completion Rate", "Earnings by month", "Refresh"]);
    expect(text).toMatch(/<svg [^>]*data-bars/);
  });
});

describe("availability (§2, §5)", () => {
  const LABELS = [
    "9:00 AM",
    "9:30 AM",
    "10:00 AM",
    "10:30 AM",
    "11:00 AM",
    "11:30 AM",
    "12:00 PM",
    "12:30 PM",
    "1:00 PM",
    "1:30 PM",
    "2:00 PM",
    "2:30 PM",
    "3:00 PM",
    "3:30 PM",
    "4:00 PM",
    "4:30 PM",
    "5:00 PM",
    "5:30 PM",
  ];
  it("a day has Change and Delete, and the page a link to add", async () => {
    const doctor = await makeDoctor(server.db, { slots: [{ date: dayFromNow(2), time: "09:30" }] });
    const own = await loginAs(server, { role: "doctor", email: doctor.email });
    const { text, words } = await page("/doctor/availability", own);
    expect(words).toContain("9:30 AM");
    expect(wayOf(text, "Add Availability")).toEqual(["/doctor/availability/add"]);
    expect(wayOf(text, "Change")).toEqual([`/doctor/availability/change/${dayFromNow(2)}`]);
    expect(wayOf(text, "Delete")).toEqual([`/doctor/availability/delete/${dayFromNow(2)}`]);
    const change = await page(`/doctor/availability/change/${dayFromNow(2)}`, own);
    shows(change.words, ["Reset Slots", "Confirm Changes", "Select All"]);
    expect(change.words).not.toContain("No slots set");
    const none = await page(`/doctor/availability/change/${dayFromNow(3)}`, own);
    expect(none.words).toContain("No slots set");
    const refused = await own.post(`/doctor/availability/change/${dayFromNow(2)}`);
    expect([refused.status, readable(refused.text).includes("Please select a date (from route) and at least one slot.")]).toEqual([
      400,
      true,
    ]);
  });

  it("a day is added from eighteen half hours, with all or none at once, and links to the dashboard", async () => {
    const { text, words } = await page("/doctor/availability/add");
    expect([...text.matchAll(/<label [^>]*data-slot[^>]*>(.*?)<\/label>/gs)].map(([, label = ""]) => plain(label))).toEqual(LABELS);
    expect(wayOf(text, "Home")).toContain("/doctor");
    expect(wayOf(text, "Select All")).toEqual(["/doctor/availability/add?select=all"]);
    expect(words).not.toContain("Deselect All");
    const all = await page("/doctor/availability/add?select=all");
    expect(all.text.match(/<input[^>]*name="slots"[^>]*checked=""/g)).toHaveLength(18);
    expect(wayOf(all.text, "Deselect All")).toEqual(["/doctor/availability/add?select=none"]);
  });

  it("an invalid submission shows the sentence to fix the errors first", async () => {
    const refused = async (fields: Record<string, string>) => {
      const { status, text } = await asDoctor.post("/doctor/availability/add", fields);
      expect(status).toBe(400);
      return readable(text);
    };
    expect(await refused({ date: "", slots: "09:00" })).toContain("Please fix the errors before submitting Date is required");
    expect(await refused({ date: dayFromNow(-1), slots: "09:00" })).toContain("Date cannot be in the past");
    const none = await refused({ date: dayFromNow(1) });
    expect(none).toContain("Please fix the errors before submitting Please select at least one time slot");
  });
});

describe("the profile area (§2)", () => {
  it("links from the hub to each of its pages, and back", async () => {
    const hub = await page("/doctor/profile");
    const menu = [
      ["View Profile", "/doctor/profile-view"],
      ["Edit Profile", "/doctor/profile/edit"],
      ["Notifications", "/doctor/notifications"],
      ["Chat with AI", "/doctor/ai-chat"],
      ["Settings", "/doctor/settings"],
      ["Help and Support", "/doctor/help"],
      ["Terms and Conditions", "/doctor/terms"],
      ["Log Out", "/logout"],
    ] as const;
    for (const [words, to] of menu) expect([words, wayOf(hub.text, words)]).toEqual([words, expect.arrayContaining([to])]);
    const back = (text: string) => /<header class="top[^>]*>.*?<a[^>]*href="([^"]*)"[^>]*aria-label="Back"/s.exec(text)?.[1];
    expect(back(hub.text)).toBe("/doctor-dashboard");
    for (const path of ["/doctor/settings", "/doctor/help", "/doctor/terms"])
      expect([path, back((await page(path)).text)]).toEqual([path, "/doctor/profile"]);
    for (const path of ["/doctor/ai-chat", "/doctor/notifications"])
      expect([path, back((await page(path)).text)]).toEqual([path, "/doctor-dashboard"]);
  });

  it("help has a search, three contacts and the questions, with the same number twice", async () => {
    const { text, words } = await page("/doctor/help");
    expect(text).toMatch(/<input[^>]*type="search"[^>]*name="q"/);
    shows(words, ["Phone", "WhatsApp", "Email", "24/7 support, same number", "We answer within 2 hours", "Frequently asked questions"]);
  });

  it("an edited profile offers three genders and shows the saved values in each section", async () => {
    const { text, words } = await page("/doctor/profile/edit");
    const genders = [...text.matchAll(/<input[^>]*name="gender"[^>]*>.*?<span[^>]*>(.*?)<\/span>/gs)].map(([, word]) => word);
    expect(genders).toEqual(["Male", "Female", "Other"]);
    shows(words, ["Basic Information", "Personal Information", "Hospital Information", "Banking Information", "Save Changes"]);
  });
});
