/** A patient's profile, settings, help, terms and contact over HTTP: spec 001 §2.14 to §2.18, §2.21, §8 and §9. */
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LANGUAGES } from "#app/lib/language.ts";
import { valuesOf } from "../factories/booking.ts";
import { newPhone } from "../factories/people.ts";
import { againAs, errorsOf, multipart, picture, plain } from "../setup/applications.ts";
import { Browser, type Fields } from "../setup/http.ts";
import { whileLocked } from "../setup/locked.ts";
import { loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ seed: false });
});
afterAll(() => server?.stop());

const newPatient = (phone = newPhone()) => loginAs(server, { role: "patient", phone });
const rowOf = async (id: string) => (await server.sql`select *, date_of_birth::text as born from patients where id = ${id}`)[0]!;
const save = (who: Browser, fields: Fields, photo?: [Blob, string]) =>
  who.postFiles("/patient/profile/edit", multipart(fields, photo ? ({ photo: [photo] } as never) : {}));
/** Returns the text and target of the buttons and links of a page. */
const linkTo = (html: string, words: string) =>
  [...html.matchAll(/<a\b[^>]*href="([^"]*)"[^>]*>(.*?)<\/a>/gs)].find(([, , text = ""]) => plain(text) === words)?.[1];
/** Returns the target of the back arrow in the top bar. */
const backOf = (html: string) => {
  const tag = [...html.matchAll(/<a\b[^>]*>/g)].find(([tag]) => tag.includes('aria-label="Back"'))?.[0] ?? "";
  return /href="([^"]*)"/.exec(tag)?.[1];
};

describe("the profile (spec 001 §2.14)", () => {
  it("shows the defaults of a new patient, and every entry of the menu", async () => {
    const me = await newPatient();
    await server.sql`update users set phone = null where id = ${me.userId}`;
    const { text } = await me.get("/patient/profile");
    expect(plain(text)).toContain("Add your name");
    expect(plain(text)).toContain("Add your phone number");
    for (const [words, to] of [
      ["Edit Profile", "/patient/profile/edit"],
      ["Notifications", "/patient/notifications"],
      ["Chat with AI", "/patient/chat"],
      ["Wallet", "/patient/wallet"],
      ["My family", "/patient/family"],
      ["My data", "/patient/data"],
      ["Settings", "/patient/settings"],
      ["Help and Support", "/patient/help"],
      ["Terms and Conditions", "/patient/terms"],
      ["Accessibility", "/accessibility"],
      ["Log Out", "/logout"],
    ] as const)
      expect([words, linkTo(text, words)]).toEqual([words, to]);
    expect(backOf(text)).toBe("/patient-dashboard");
    expect(/<h1[^>]*>Profile<\/h1>/.test(text)).toBe(true);
    expect(plain(text)).toContain("Are you sure you want to log out?");
  });

  it("reports that it could not be read or saved when its table is locked", async () => {
    const me = await newPatient();
    const read = await whileLocked(server, "patients", () =>
      Promise.all(["/patient/profile", "/patient/profile/edit"].map((page) => me.get(page))),
    );
    for (const page of read) expect([page.status, plain(page.text).includes("Failed to fetch profile")]).toEqual([503, true]);
    const saved = await whileLocked(server, "patients", () => save(me, { name: "Ravi" }), "share");
    expect(saved.status).toBe(503);
    expect(plain(saved.text)).toContain("Failed to update profile");
    expect(valuesOf(saved.text).name).toBe("Ravi");
    expect((await me.get("/patient/profile")).status).toBe(200);
  });
});

describe("editing it (§2.15)", () => {
  it("stores, encrypted, that the patient has no known allergy, and removes it", async () => {
    const me = await newPatient();
    const isTicked = async () => /<input(?=[^>]*name="noAllergies")[^>]*checked/.test((await me.get("/patient/profile/edit")).text);
    expect(await isTicked()).toBe(false);
    await save(me, { name: "Ravi", noAllergies: "on" });
    expect(await isTicked()).toBe(true);
    expect((await rowOf(me.userId)).no_allergies_on).not.toMatch(/^\d{4}-/);
    await save(me, { name: "Ravi" });
    expect([await isTicked(), (await rowOf(me.userId)).no_allergies_on]).toEqual([false, null]);
  });

  it("stores name, birth date, gender and photo, and shows a toast", async () => {
    const me = await newPatient("+918033344455");
    const page = await me.get("/patient/profile/edit");
    expect(plain(page.text)).toContain("Phone number (cannot be changed here)");
    expect(page.text).toMatch(/<input[^>]*readOnly[^>]*value="\+91 80333 44455"|<input[^>]*value="\+91 80333 44455"[^>]*readOnly/i);
    for (const word of ["Male", "Female", "Other"]) expect(plain(page.text)).toContain(word);
    const answer = await save(me, { name: " Lakshmi Devi ", dateOfBirth: "1990-02-28", gender: "Female" }, [
      await picture(900, 1200),
      "me.jpg",
    ]);
    expect(answer.location).toBe("/patient/profile");
    const profile = await me.follow(answer);
    expect(plain(profile.text)).toContain("Profile updated successfully!");
    expect(plain(profile.text)).toContain("Lakshmi Devi");
    expect(plain(profile.text)).toContain("+91 80333 44455");
    const row = await rowOf(me.userId);
    expect(row).toMatchObject({ name: "Lakshmi Devi", born: "1990-02-28", gender: "female" });
    expect(profile.text).toContain(`/files/${row.photo_file_id}`);
    // The display size needs no more, which helps slow connections.
    const bytes = await (
      await fetch(`${server.url}/files/${row.photo_file_id}`, { headers: { cookie: `nadi_session=${me.token}` } })
    ).arrayBuffer();
    expect(Math.max((await sharp(Buffer.from(bytes)).metadata()).width, (await sharp(Buffer.from(bytes)).metadata()).height)).toBe(800);
    expect(valuesOf((await me.get("/patient/profile/edit")).text)).toMatchObject({
      name: "Lakshmi Devi",
      dateOfBirth: "1990-02-28",
      gender: "female",
    });
  });

  it("links back to the previous page, on the patient pages of this site only", async () => {
    const me = await newPatient();
    const back = async (referer?: string) => backOf((await me.get("/patient/profile/edit", referer ? { referer } : {})).text);
    expect(await back()).toBe("/patient/profile");
    expect(await back(`${server.url}/patient-dashboard`)).toBe("/patient-dashboard");
    expect(await back(`${server.url}/patient/wallet`)).toBe("/patient/wallet");
    for (const strange of ["https://evil.example/patient/wallet", `${server.url}/patient/profile/edit`, `${server.url}//evil.example`])
      expect(await back(strange)).toBe("/patient/profile");
  });

  it("never changes the phone, for any input", async () => {
    const phone = newPhone();
    const me = await newPatient(phone);
    expect((await save(me, { name: "A", phone: "9999999999", phoneNumber: "9999999999" })).status).toBe(303);
    expect((await server.sql`select phone from users where id = ${me.userId}`)[0]!.phone).toBe(phone);
  });

  it("preserves input and photo when it is refused", async () => {
    const me = await newPatient();
    const refused = await save(me, { name: "", dateOfBirth: "2990-01-01", gender: "other" }, [await picture(), "me.jpg"]);
    expect(refused.status).toBe(400);
    expect(errorsOf(refused)).toMatchObject({
      name: "Enter your name.",
      dateOfBirth: "Choose a valid date of birth, not later than today.",
    });
    const values = valuesOf(refused.text);
    expect(values).toMatchObject({ dateOfBirth: "2990-01-01", gender: "other" });
    expect(plain(refused.text)).toContain("Photo added. Press Save to keep it.");
    const again = await save(me, { ...values, name: "Ravi", dateOfBirth: "" });
    expect(again.status).toBe(303);
    expect(await rowOf(me.userId)).toMatchObject({ name: "Ravi", gender: "other", born: null, photo_file_id: values.photoReceived });

    // Saved unchanged, the photo remains. Removed, the sweep deletes it.
    expect((await save(me, { name: "Ravi", gender: "other" })).status).toBe(303);
    expect((await rowOf(me.userId)).photo_file_id).toBe(values.photoReceived);
    expect((await save(me, { name: "Ravi", gender: "other", removePhoto: "on" })).status).toBe(303);
    expect((await rowOf(me.userId)).photo_file_id).toBeNull();
    expect((await server.sql`select status from files where id = ${values.photoReceived!}`)[0]!.status).toBe("pending");
  });

  it.each(["31-02-1990", "1990-02-31", "1899-01-01", "tomorrow"])("refuses %s as a birth date", async (dateOfBirth) => {
    expect((await save(await newPatient(), { name: "A", dateOfBirth })).status).toBe(400);
  });

  it("refuses another user's picture and other files", async () => {
    const [me, other] = [await newPatient(), await newPatient()];
    await save(other, { name: "" }, [await picture(), "theirs.jpg"]);
    const [theirs] = await server.sql`select id from files where owner_id = ${other.userId}`;
    const stolen = await save(me, { name: "A", photoReceived: theirs!.id });
    expect(stolen.status).toBe(400);
    expect(errorsOf(stolen).photo).toBe("This photo is no longer available. Choose it again.");
    expect((await save(me, { name: "A", photoReceived: "nonsense" })).status).toBe(400);
    expect((await save(me, { name: "A" }, [new Blob(["<svg/>"]), "a.jpg"])).status).toBe(415);
    expect(await rowOf(me.userId)).toMatchObject({ name: null, photo_file_id: null });
    expect((await me.get(`/files/${theirs!.id}`)).status).toBe(404);
  });
});

describe("settings (§2.16)", () => {
  it("start with the defaults, are stored, and link back to the profile", async () => {
    const me = await newPatient();
    const page = await me.get("/patient/settings");
    // Who cannot read the page looks for it.
    expect(page.text.search(/<section[^>]*"h-language"/)).toBeLessThan(page.text.search(/<input[^>]*name="sms"/));
    expect(valuesOf(page.text)).toMatchObject({ email: "" });
    expect(valuesOf(page.text).sms).toBeUndefined();
    expect(backOf(page.text)).toBe("/patient/profile");
    for (const words of ["Notifications", "Email Notifications", "SMS Notifications", "Save Settings"])
      expect(plain(page.text)).toContain(words);
    // There is no change of password: a patient has none.
    expect(page.text).not.toMatch(/type="password"/);
    const answer = await me.post("/patient/settings", { intent: "save", sms: "on" });
    expect(answer.location).toBe("/patient/profile");
    // Data requests of an open page do not use up the toast.
    expect((await me.get("/account/session")).headers.getSetCookie()).toEqual([]);
    expect(plain((await me.follow(answer)).text)).toContain("Settings saved successfully!");
    const values = valuesOf((await me.get("/patient/settings")).text);
    expect([values.email, values.sms]).toEqual([undefined, ""]);
    const [row] = await server.sql`select chosen from user_settings where user_id = ${me.userId}`;
    expect(row!.chosen).toEqual({ notifications: { email: false, sms: true } });
  });

  it("make the text of this browser larger on every page, and normal again", async () => {
    const me = await newPatient();
    const sizeOf = async (path: string, reader: Browser = me) =>
      /<html lang="en"( style="font-size:125%")?>/.exec((await reader.get(path)).text)?.[1];
    expect(await sizeOf("/patient/settings")).toBeUndefined();
    expect((await me.post("/patient/settings", { intent: "text-size", size: "huge" })).status).toBe(400);
    expect((await me.post("/patient/settings", { intent: "text-size", size: "larger" })).location).toBe("/patient/settings");
    for (const path of ["/patient/settings", "/patient-dashboard", "/nowhere"]) expect(await sizeOf(path), path).toBeTruthy();
    expect((await me.get("/patient/settings")).text).toMatch(/<button[^>]*value="larger"[^>]*aria-current="true"/);
    // A visitor of this browser has it too. The cached page of others has not.
    await me.post("/logout");
    expect(await sizeOf("/choose-role")).toBeTruthy();
    expect(await sizeOf("/choose-role", new Browser(server.url))).toBeUndefined();
    const again = await newPatient();
    await again.post("/patient/settings", { intent: "text-size", size: "larger" });
    await again.post("/patient/settings", { intent: "text-size", size: "normal" });
    expect(await sizeOf("/patient/settings", again)).toBeUndefined();
  });

  it("list the user's sessions and end the others", async () => {
    const me = await newPatient();
    const [second, stranger] = [await againAs(server, me.userId), await newPatient()];
    expect(plain((await me.get("/patient/settings")).text)).toContain("This device");
    const answer = await me.post("/patient/settings", { intent: "end-others" });
    expect(plain((await me.follow(answer)).text)).toContain("All other devices are logged out.");
    expect((await second.get("/patient/profile")).status).toBe(303);
    expect((await me.get("/patient/profile")).status).toBe(200);
    expect((await stranger.get("/patient/profile")).status).toBe(200);
  });
});

describe("help, terms and contact", () => {
  it("has the icons of the chat and the notifications in the header (000 §2)", async () => {
    const me = await newPatient();
    for (const path of ["/patient/profile", "/patient/calendar", "/patient/wallet", "/hospitalpages/Cards-data"]) {
      const header = /<header class="top[^>]*>.*?<\/header>/s.exec((await me.get(path)).text)?.[0] ?? "";
      for (const to of ["/patient/chat", "/patient/notifications"]) expect([path, header.includes(`href="${to}"`)]).toEqual([path, true]);
    }
    expect((await new Browser(server.url).get("/hospitalpages/Cards-data")).text).not.toContain('href="/patient/chat"');
  });
  it("help has its cards, five questions, hours, office and buttons (§2.17)", async () => {
    const me = await newPatient();
    const { text } = await me.get("/patient/help");
    const words = plain(text);
    for (const part of [
      "Help and Support",
      "Phone",
      "Email",
      "WhatsApp",
      "Monday to Friday 9:00 AM - 6:00 PM",
      "Saturday 9:00 AM - 2:00 PM",
      "Sunday Closed",
      "Demo office, MG Road, Vijayawada",
      "Phone and WhatsApp support is open 24/7. The office is open at these times.",
    ])
      expect(words).toContain(part);
    expect(text.match(/<details\b/g)).toHaveLength(5);
    expect(linkTo(text, "Call Support")).toBe("tel:+910000000000");
    expect(linkTo(text, "Start Chat")).toBe("/patient/ai-chat");
    expect(linkTo(text, "Back to Profile")).toBe("/patient/profile");
    expect(text).toContain("https://wa.me/910000000000");
    expect(text).toContain("mailto:support@demo.test");
    const found = await me.get("/patient/help?q=FAMILY");
    expect(found.text.match(/<details\b/g)).toHaveLength(1);
    expect(plain((await me.get("/patient/help?q=zebra")).text)).toContain("No FAQs found matching your search.");
  });

  it("terms have ten sections, a contact and today's date (§2.18)", async () => {
    const me = await newPatient();
    const { text } = await me.get("/patient/terms");
    expect(text.match(/<section id="[a-z]+"/g)).toHaveLength(10);
    expect(plain(text)).toMatch(/Last Updated: \d{1,2} [A-Z][a-z]{2} \d{4}/);
    expect(text).toContain("mailto:support@demo.test");
  });

  it("terms credit GeoNames with its licence in each language", async () => {
    for (const language of LANGUAGES) {
      const { text } = await new Browser(server.url).get(`/patient/terms?lang=${language}`);
      expect(plain(text)).toContain("GeoNames (CC BY 4.0)");
    }
  });

  it("contact-us shows the support of this server (§2.21)", async () => {
    const me = await newPatient();
    const { text } = await me.get("/patient/contact-us");
    expect(plain(text)).toContain("Contact Us");
    expect(plain(text)).toContain("6:00 AM - 9:00 PM");
    expect(linkTo(text, "Call Now")).toBe("tel:+910000000000");
    expect(linkTo(text, "For Booking")).toBe("/doctorspages/Cards-data");
    expect(plain(text)).toContain("Demo: this number is not answered.");
  });

  it("refuse every other role", async () => {
    for (const page of ["/patient/profile/edit", "/patient/settings", "/patient/data"])
      expect((await new Browser(server.url).get(page)).location).toBe(`/dual-patient?redirectTo=${encodeURIComponent(page)}`);
  });
});
