/** Payout accounts over HTTP with the test gateway: requested, checked, confirmed, refused and changed; who sees them; no full number is shown. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { Actor } from "#app/domains/context.server.ts";
import { sendPayout, sweepPayouts } from "#app/domains/money/payouts/send-payout.server.ts";
import { days } from "#app/lib/durations.ts";
import { type Gateway, startGateway } from "../../scripts/gateway/gateway.ts";
import { readable } from "../factories/booking.ts";
import { makeCase } from "../factories/cases.ts";
import { makeMember, makePlace } from "../factories/members.ts";
import { makeDoctor, makeStaff } from "../factories/people.ts";
import { gatewayCtx } from "../factories/settled-payments.ts";
import { errorsOf } from "../setup/applications.ts";
import { DEMO_KEY } from "../setup/database.ts";
import { GATEWAY_KEYS, gatewayEnv } from "../setup/gateway.ts";
import { Browser } from "../setup/http.ts";
import { type LoggedIn, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

let gateway: Gateway;
let server: TestServer;
let doctor: Awaited<ReturnType<typeof makeCase>>;
let place: Awaited<ReturnType<typeof makePlace>>;
const people: Record<string, LoggedIn> = {};
const emailOf = async (id: string) => (await server.sql<{ email: string }[]>`select email from users where id = ${id}`)[0]!.email;
const asStaff = async (who: Actor) => loginAs(server, { role: who.role, email: await emailOf(who.userId) });

const ADDRESS = { street: "4 Ring Road", city: "Guntur", state: "Andhra Pradesh", pinCode: "522001", agreed: "on" };
const BANK = { holder: "Proof Clinic", account: "998877665544", ifsc: "HDFC0000317", agreed: "on" };
const PLACE = { name: "Proof Clinic", businessType: "proprietorship", pan: "ABCDE1234F", ...ADDRESS, ...BANK };
const pathOf = (who: "doctor" | "place") => (who === "doctor" ? "/doctor/payout-account" : `/clinic/${place.id}/payout-account`);

beforeAll(async () => {
  gateway = await startGateway({ ...GATEWAY_KEYS, webhookUrl: null });
  server = await startServer({ seed: false, env: gatewayEnv(gateway) });
  const { db } = server;
  doctor = await makeCase(db, { key: DEMO_KEY, status: "verified" });
  place = await makePlace(db);
  // The provider has one account for each email.
  await server.sql`update hospitals set email = 'clinic@proof.test' where id = ${place.id}`;
  Object.assign(people, {
    doctor: await loginAs(server, { role: "doctor", email: doctor.email }),
    otherDoctor: await loginAs(server, { role: "doctor", email: (await makeDoctor(db)).email }),
    owner: await asStaff(place.owner),
    billing: await asStaff(await makeMember(db, place.id, "billing")),
    reception: await asStaff(await makeMember(db, place.id, "reception")),
    otherOwner: await asStaff((await makePlace(db)).owner),
    admin: await asStaff(await makeStaff(db, "admin")),
  });
});
afterAll(async () => {
  await server?.stop();
  await gateway?.[Symbol.asyncDispose]();
});
beforeEach(() => {
  Object.assign(gateway.behaviour, { down: false, losesAnswers: false });
  gateway.linked.behaviour.atOnce = true;
});

const text = async (who: string, path: string) => readable((await people[who]!.get(path)).text);
const rowOf = async (id: string) => (await server.sql`select * from payout_accounts where merchant_id = ${id}`)[0]!;
let passed = 0;
/** The context of the job of each minute, each time a day later. */
const later = () => gatewayCtx({ server, gateway }, new Date(Date.now() + days(++passed)));
/** Waits for a state. What the job of the request did not do is done by that of each minute. */
const stateIs = (id: string, state: string) =>
  vi.waitFor(
    async () => {
      await sendPayout(later(), id);
      expect((await rowOf(id)).state).toBe(state);
    },
    { timeout: 20_000 },
  );

describe("a doctor's payout account", () => {
  it("is made from the verified bank details, and active when the provider has confirmed it", async () => {
    gateway.linked.behaviour.atOnce = false;
    expect((await people.doctor!.get("/doctor/takings")).text).toContain("/doctor/payout-account");
    expect(await text("doctor", pathOf("doctor"))).toContain("Add payout account");
    const page = `${pathOf("doctor")}/change`;
    const street = /<input[^>]*name="street"[^>]*>/.exec((await people.doctor!.get(page)).text)![0];
    expect(street).toContain('autoComplete="address-line1"');
    expect(errorsOf(await people.doctor!.post(page, { ...ADDRESS, pinCode: "12", agreed: "" }))).toMatchObject({
      pinCode: "Enter the PIN code with six digits.",
      agreed: "Confirm this to continue.",
    });
    const answers = await Promise.all([1, 2].map(() => people.doctor!.post(page, ADDRESS)));
    expect(answers.map(({ status, location }) => [status, location])).toEqual(Array(2).fill([303, pathOf("doctor")]));
    await stateIs(doctor.id, "checking");
    const [account] = [...gateway.linked.accounts.values()].filter(({ email }) => email === doctor.email);
    const [bank] =
      await server.sql`select account_holder_name as holder, account_last4 as last4, ifsc_code as ifsc from doctor_bank_accounts
      where doctor_id = ${doctor.id}`;
    expect(account!.bank).toMatchObject({
      holder: bank!.holder,
      ifsc: bank!.ifsc,
      account: expect.stringMatching(new RegExp(`^\\d+${bank!.last4}$`)),
    });
    const shown = await text("doctor", pathOf("doctor"));
    expect(shown).toContain("Online payments go to this account once it is confirmed.");
    expect(shown).not.toContain("new online payments go to it");
    for (const part of ["Being checked", `Account ending in ${bank!.last4}`, bank!.ifsc]) expect(shown).toContain(part);
    // The full numbers are deleted when the provider has them, and no page shows them.
    expect((await rowOf(doctor.id)).details).toBeNull();
    for (const path of [pathOf("doctor"), page, `${page}.data`])
      for (const secret of [account!.bank!.account, account!.pan]) expect((await people.doctor!.get(path)).text).not.toContain(secret);

    gateway.linked.decide(account!.id, "activated");
    await sweepPayouts(later());
    await stateIs(doctor.id, "active");
    const confirmed = await text("doctor", pathOf("doctor"));
    expect(confirmed).toContain("Confirmed");
    expect(confirmed).toContain("The account is confirmed, so new online payments go to it.");
    expect(confirmed).not.toContain("once it is confirmed");
    const log =
      await server.sql`select action, details->>'last4' as last4, actor_role as role from audit_log where subject_id = ${doctor.id}
      and action like '%payout%' order by id`;
    expect(log.map(({ action, role }) => [action, role])).toEqual([
      ...Array(2).fill(["change-payout-account", "doctor"]),
      ["confirm-payout-account", "system"],
    ]);
    expect(log.every(({ last4 }) => last4 === bank!.last4)).toBe(true);
  });
  it("waits again when the verified bank details have changed and are sent", async () => {
    await server.sql`update doctor_bank_accounts set updated_at = now() + interval '1 second', ifsc_code = 'NEWB0001234' where doctor_id = ${doctor.id}`;
    expect(await text("doctor", pathOf("doctor"))).toContain("Your verified bank details have changed since.");
    gateway.linked.behaviour.atOnce = false;
    const form = await text("doctor", `${pathOf("doctor")}/change`);
    expect(form).toContain("NEWB0001234");
    expect(form).not.toContain("PIN code");
    expect((await people.doctor!.post(`${pathOf("doctor")}/change`, { agreed: "on" })).status).toBe(303);
    expect(await text("doctor", pathOf("doctor"))).toMatch(/Being (sent|checked)/);
    await stateIs(doctor.id, "checking");
    const own = [...gateway.linked.accounts.values()].filter(({ email }) => email === doctor.email);
    expect(own.map(({ bank }) => bank?.ifsc)).toEqual(["NEWB0001234"]);
  });
  it("is not for a doctor without verified bank details", async () => {
    expect(await text("otherDoctor", pathOf("doctor"))).toContain("Add your bank details in your profile first.");
    expect((await people.otherDoctor!.get(`${pathOf("doctor")}/change`)).status).toBe(404);
    expect((await people.otherDoctor!.post(`${pathOf("doctor")}/change`, ADDRESS)).status).toBe(404);
  });
});

describe("a place's payout account", () => {
  it("is sent again while the provider is down or its answers are lost, and is there once", async () => {
    gateway.behaviour.down = true;
    const page = `${pathOf("place")}/change`;
    const refused = await people.owner!.post(page, { ...PLACE, pan: "12", account: "1", ifsc: "X", businessType: "" });
    expect(errorsOf(refused)).toMatchObject({
      pan: "Enter the PAN as ABCDE1234F.",
      businessType: "Choose the form of business.",
    });
    expect(refused.text.match(/role="alert"/g)).toHaveLength(1);
    expect((await people.owner!.post(page, PLACE)).status).toBe(303);
    expect(await text("owner", pathOf("place"))).toContain("Being sent");
    const row = await rowOf(place.id);
    for (const secret of [PLACE.account, PLACE.pan]) expect(JSON.stringify(row)).not.toContain(secret);
    Object.assign(gateway.behaviour, { down: false, losesAnswers: true });
    // Each run may be the one whose answer is lost; the steps that are done are not repeated.
    for (let n = 0; n < 3; n++) await sendPayout(later(), place.id).catch(() => undefined);
    expect((await rowOf(place.id)).state).toBe("requested");
    [...gateway.linked.accounts.values()].find(({ email }) => email === "clinic@proof.test")!.stakeholderId = "sth_unanswered";
    gateway.behaviour.losesAnswers = false;
    await stateIs(place.id, "active");
    const theirs = [...gateway.linked.accounts.values()].filter(({ email }) => email === "clinic@proof.test");
    expect(theirs).toMatchObject([
      { name: PLACE.name, pan: PLACE.pan, bank: { account: PLACE.account, ifsc: PLACE.ifsc, holder: PLACE.holder } },
    ]);
  });
  it("shows what the provider refuses, and is corrected", async () => {
    const [account] = [...gateway.linked.accounts.values()].filter(({ email }) => email === "clinic@proof.test");
    gateway.linked.decide(account!.id, "needs_clarification", "kyc.pan");
    await sweepPayouts(later());
    await stateIs(place.id, "refused");
    expect(await text("owner", pathOf("place"))).toContain("The payment partner could not confirm the PAN.");
    expect(await text("owner", `${pathOf("place")}/change`)).toContain("Legal name");
    expect((await people.owner!.post(`${pathOf("place")}/change`, { ...PLACE, pan: "FGHIJ5678K" })).status).toBe(303);
    await vi.waitFor(() => expect(account!.pan).toBe("FGHIJ5678K"), { timeout: 20_000 });
    await stateIs(place.id, "active");
  });
  it("is seen and changed by its owners only", async () => {
    const before = JSON.stringify(await server.sql`select * from payout_accounts order by 1`);
    for (const [who, browser] of [...Object.entries(people), ["visitor", new Browser(server.url)] as const]) {
      if (who === "owner") continue;
      for (const path of [pathOf("place"), `${pathOf("place")}/change`]) {
        const answers = [await browser.get(path), await browser.get(`${path}.data`), await browser.post(path, PLACE)];
        for (const { text, status } of answers) {
          expect(text, `${who} ${path}`).not.toContain(PLACE.account.slice(-4));
          expect(status, `${who} ${path}`).not.toBe(200);
        }
      }
    }
    expect((await people.otherOwner!.get(pathOf("place"))).status).toBe(404);
    for (const who of ["billing", "reception"]) expect((await people[who]!.get(pathOf("place"))).status).toBe(403);
    expect(JSON.stringify(await server.sql`select * from payout_accounts order by 1`)).toBe(before);
  });
});
