/** The wallet over HTTP: its four views, their texts, refusals, and a code from the wallet to the payment page and back. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { book, bookedId, readable } from "../factories/booking.ts";
import { dayFromNow, makeDoctor, newPhone, type Slot } from "../factories/people.ts";
import { type LoggedIn, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

const WALLET = "/patient/wallet";
const SLOTS: Slot[] = ["09:00", "09:30", "10:00", "10:30"].map((time) => ({ date: dayFromNow(4), time }));
let server: TestServer;
beforeAll(async () => {
  server = await startServer({ seed: false });
});
afterAll(() => server?.stop());

const newPatient = (): Promise<LoggedIn> => loginAs(server, { role: "patient", phone: newPhone() });
const give = (patient: LoggedIn, points: number) =>
  server.sql`insert into wallet_entries (patient_id, kind, about, points) values (${patient.userId}, 'demo', 'demo', ${points})`;
const balance = async (patient: LoggedIn) =>
  (await server.sql<{ balance: number }[]>`select balance from wallets where patient_id = ${patient.userId}`)[0]?.balance ?? 0;
const keyOf = (page: string) => /name="key" value="([^"]+)"/.exec(page)![1]!;
const links = (page: string, what: string) => [...page.matchAll(new RegExp(`href="[^"]*${what}=([^"&]+)"`, "g"))].map(([, key]) => key!);

describe("views (spec 001 §2.20, §4.7, §9)", () => {
  it("home: the balance, four offers and two missions; a new patient has nothing", async () => {
    const patient = await newPatient();
    const { text } = await patient.get(WALLET);
    expect(readable(text)).toContain("Your balance 0 points");
    expect(readable(text)).toContain("Redeem Points");
    expect(readable(text)).toContain("Earn Points");
    expect(readable(text)).toContain("Terms and conditions");
    expect(links(text, "offer")).toHaveLength(4);
    expect(links(text, "mission")).toHaveLength(2);
  });
  it("list: a tab of six offers and one of four missions, each with its points", async () => {
    const patient = await newPatient();
    const redeem = (await patient.get(`${WALLET}?view=list&tab=redeem`)).text;
    expect(links(redeem, "offer")).toHaveLength(6);
    for (const points of ["1,000", "1,500", "2,000"]) expect(readable(redeem)).toContain(`${points} points`);
    const earn = (await patient.get(`${WALLET}?view=list&tab=earn`)).text;
    expect(links(earn, "mission")).toHaveLength(4);
    for (const points of ["+500", "+300", "+750"]) expect(readable(earn)).toContain(points);
    for (const page of [redeem, earn]) expect(readable(page)).toContain("Terms and conditions");
  });
  it("Back: from detail to the list on its tab, from list to home, and on home a message", async () => {
    const patient = await newPatient();
    const back = async (view: string) => {
      const { text } = await patient.get(WALLET + view);
      return /<a[^>]*class="icon-btn ml-[^"]*"[^>]*>/
        .exec(text)?.[0]
        .match(/href="([^"]*)"/)?.[1]
        ?.replaceAll("&amp;", "&");
    };
    expect(await back("?view=mission_detail&mission=papers")).toBe(`${WALLET}?view=list&tab=earn`);
    expect(await back("?view=redeem_detail&offer=visit-100")).toBe(`${WALLET}?view=list&tab=redeem`);
    expect(await back("?view=list&tab=earn")).toBe(WALLET);
    expect(await back("")).toBe(`${WALLET}?back=main`);
    const nowhere = await patient.get(`${WALLET}?back=main`);
    expect(nowhere.location).toBe(WALLET);
    const home = await patient.follow(nowhere);
    expect(readable(home.text)).toContain("Already at the main menu");
    expect(home.text).toMatch(/<main\b(?:(?!<\/main>).)*<a href="\/patient\/profile" class="btn[^>]*>Profile</s);
  });
  it("an offer or mission shows its terms under a heading", async () => {
    const patient = await newPatient();
    for (const view of ["?view=mission_detail&mission=papers", "?view=redeem_detail&offer=visit-100"]) {
      const { text } = await patient.get(WALLET + view);
      expect(text).toMatch(/<h2[^>]*>Terms and conditions<\/h2><ul[^>]*><li>/);
      expect(text).not.toContain("<summary");
    }
  });
  it("greys offers that the balance does not pay for, says how many points are short, and draws each offer", async () => {
    const patient = await newPatient();
    await give(patient, 1499);
    const { text } = await patient.get(`${WALLET}?view=list&tab=redeem`);
    expect(readable(text)).toContain("1,500 points Need 1 more point");
    expect(readable(text)).toContain("2,000 points Need 501 more points");
    expect(text.match(/<li class="card bg-well /g)).toHaveLength(2);
    const drawn = [...text.matchAll(/<img class="[^"]*" src="([^"#]+)#([\w-]+)" alt=""/g)];
    expect(drawn.map(([, , offer]) => offer)).toEqual(links(text, "offer"));
    const file = (await patient.get(drawn[0]![1]!)).text;
    for (const offer of links(text, "offer")) expect(file).toContain(`<view id="${offer}"`);
    expect(readable((await patient.get(WALLET)).text)).toContain("You need 1 more point for “₹175 off an appointment”");
  });
  it("shows progress as a ring with a text for screen readers, and a button where points can be claimed", async () => {
    const patient = await newPatient();
    await server.sql`update patients set name = 'Lakshmi', date_of_birth = '1980-01-01' where id = ${patient.userId}`;
    const before = (await patient.get(`${WALLET}?view=list&tab=earn`)).text;
    expect(before).toContain('role="img" aria-label="2 of 3 done"');
    expect(before).not.toContain("Claim");
    await server.sql`update patients set gender = 'female' where id = ${patient.userId}`;
    for (const view of ["", "?view=list&tab=earn", "?view=mission_detail&mission=profile"]) {
      const { text } = await patient.get(WALLET + view);
      expect(text, view).toMatch(/<form[^>]*method="post"(?:(?!<\/form>).)*value="profile"(?:(?!<\/form>).)*Claim 500 points/s);
    }
  });
  it("an unknown mission or offer is not found, and an unknown view is home", async () => {
    const patient = await newPatient();
    for (const query of ["view=mission_detail", "view=mission_detail&mission=nonsense", "view=redeem_detail&offer=constructor"])
      expect((await patient.get(`${WALLET}?${query}`)).status, query).toBe(404);
    expect(readable((await patient.get(`${WALLET}?view=nonsense`)).text)).toContain("Your balance");
  });
});

describe("earning", () => {
  it("refuses an unfinished mission, whatever the browser sends", async () => {
    const patient = await newPatient();
    const page = await patient.get(`${WALLET}?view=mission_detail&mission=first-visit`);
    expect(readable(page.text)).toContain("0 of 1 done");
    expect(page.text).toMatch(/<button[^>]*disabled[^>]*>(?:<[^>]*>)*Claim 500 points/);
    for (const mission of ["profile", "first-visit", "papers", "three-visits"]) {
      const answer = await patient.post(`${WALLET}?view=mission_detail&mission=${mission}`, { intent: "complete", mission });
      expect(answer.status, mission).toBe(409);
      expect(readable(answer.text)).toContain("This mission is not done yet.");
    }
    expect((await patient.post(WALLET, { intent: "complete", mission: "nonsense" })).status).toBe(404);
    expect((await patient.post(WALLET, { intent: "complete", mission: "profile", points: "99999" })).status).toBe(409);
    expect((await patient.post(WALLET, { intent: "steal" })).status).toBe(400);
    expect(await balance(patient)).toBe(0);
  });
  it("adds the points once, with the texts of the specification", async () => {
    const patient = await newPatient();
    await server.sql`update patients set name = 'Lakshmi', date_of_birth = '1980-01-01', gender = 'female' where id = ${patient.userId}`;
    expect(readable((await patient.get(`${WALLET}?view=list&tab=earn`)).text)).toContain("Claim 500 points");
    for (let i = 0; i < 2; i++) {
      const answer = await patient.post(WALLET, { intent: "complete", mission: "profile" });
      expect(answer.location).toBe(`${WALLET}?view=list&tab=earn`);
      expect(readable((await patient.follow(answer)).text)).toContain("Mission completed! Points added to your wallet");
    }
    expect(await balance(patient)).toBe(500);
    const home = readable((await patient.get(WALLET)).text);
    expect(home).toContain("500 points");
    expect(home).toContain("Complete your profile");
    expect(readable((await patient.get(`${WALLET}?view=mission_detail&mission=profile`)).text)).toContain("Completed on");
  });
});

describe("redeeming", () => {
  it("refuses unknown offers and an insufficient balance", async () => {
    const patient = await newPatient();
    await give(patient, 999);
    const page = await patient.get(`${WALLET}?view=redeem_detail&offer=visit-100`);
    expect(readable(page.text)).toContain("You do not have enough points for this offer yet.");
    expect(readable(page.text)).toContain("You need 1 more point.");
    const answer = await patient.post(WALLET, { intent: "redeem", offer: "visit-100", key: keyOf(page.text) });
    expect(answer.status).toBe(409);
    expect(await balance(patient)).toBe(999);
    expect((await patient.post(WALLET, { intent: "redeem", offer: "visit-100" })).status).toBe(400);
  });
  it("spends once for one form, applies the code to the next booking, shows the rest to pay, and returns the code", async () => {
    const patient = await newPatient();
    const doctor = await makeDoctor(server.db, { slots: SLOTS, fee: 50_000 });
    await give(patient, 1200);
    const key = keyOf((await patient.get(`${WALLET}?view=redeem_detail&offer=visit-100`)).text);
    for (let i = 0; i < 2; i++) {
      const answer = await patient.post(WALLET, { intent: "redeem", offer: "visit-100", key });
      expect(answer.location).toBe(`${WALLET}?view=list&tab=redeem`);
      expect(readable((await patient.follow(answer)).text)).toContain("Redeemed successfully! Applied to your next booking");
    }
    expect(await balance(patient)).toBe(200);
    const [code] = await server.sql<{ code: string }[]>`select code from wallet_codes where patient_id = ${patient.userId}`;
    expect(readable((await patient.get(WALLET)).text)).toContain(`${code!.code} ₹100 off an appointment Ready for your next booking`);

    const first = bookedId(await book(patient, doctor.id, SLOTS[0]!))!;
    const page = await patient.get(`/patient/appointments/payment/${first}`);
    const words = readable(page.text);
    expect(words).toContain("Consultation fee ₹500");
    expect(words).toContain(`Discount, code ${code!.code} −₹100`);
    expect(words).toContain("To pay ₹400");
    await patient.post(`/patient/appointments/payment/${first}`, { method: "upi" });
    const chosen = await patient.get(`/patient/appointments/payment/${first}`);
    expect(readable(chosen.text)).toContain("Approve ₹400 to");
    expect(chosen.text).toContain("am=400.00");
    const second = bookedId(await book(patient, doctor.id, SLOTS[1]!))!;
    expect(readable((await patient.get(`/patient/appointments/payment/${second}`)).text)).not.toContain("Discount");
    const doctorPage = await loginAs(server, { role: "doctor", email: doctor.email });
    expect(readable((await doctorPage.get(`/doctor/patient/${first}`)).text)).toContain("₹500: the patient pays ₹400, Nadi pays ₹100");

    expect((await patient.post(`/patient/appointments/${first}/cancel`)).status).toBe(303);
    expect(readable((await patient.get(WALLET)).text)).toContain("Ready for your next booking");
    const third = bookedId(await book(patient, doctor.id, SLOTS[2]!))!;
    expect(readable((await patient.get(`/patient/appointments/payment/${third}`)).text)).toContain("To pay ₹400");
    expect(readable((await patient.get(WALLET)).text)).toContain(`Used for`);
  });
  it("a discount of the whole fee leaves nothing to pay", async () => {
    const patient = await newPatient();
    const doctor = await makeDoctor(server.db, { slots: SLOTS, fee: 8_000 });
    await give(patient, 1000);
    const key = keyOf((await patient.get(`${WALLET}?view=redeem_detail&offer=visit-100`)).text);
    await patient.post(WALLET, { intent: "redeem", offer: "visit-100", key });
    const id = bookedId(await book(patient, doctor.id, SLOTS[0]!))!;
    const page = await patient.get(`/patient/appointments/payment/${id}`);
    expect(readable(page.text)).toContain("To pay ₹0");
    expect(readable(page.text)).toContain("Your discount pays the whole fee. There is nothing to pay.");
    expect(page.text).not.toContain("upi://");
    expect(readable(page.text)).not.toContain("How would you like to pay?");
  });
});
