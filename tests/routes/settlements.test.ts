/** Settlements over HTTP: for doctors, places and administrators, with CSV; who sees them; planted mismatches; refused messages. */
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Actor } from "#app/domains/context.server.ts";
import { MOST_COUNTED } from "#app/domains/money/messages/refusals.ts";
import { monthOf, todayInIndia } from "#app/lib/dates.ts";
import { days, hours } from "#app/lib/durations.ts";
import { type Gateway, startGateway } from "../../scripts/gateway/gateway.ts";
import { readable } from "../factories/booking.ts";
import { addPlaceDoctor, makeMember, makePlace } from "../factories/members.ts";
import { makeDoctor, makeStaff, newPhone, type TestDoctor } from "../factories/people.ts";
import { paidBefore, readReport, returnedBefore } from "../factories/settled-payments.ts";
import { GATEWAY_KEYS, gatewayEnv } from "../setup/gateway.ts";
import { Browser, raw } from "../setup/http.ts";
import { type LoggedIn, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

let gateway: Gateway;
let server: TestServer;
let [doctor, employed]: [TestDoctor, TestDoctor] = [] as never;
let place: Awaited<ReturnType<typeof makePlace>>;
const people: Record<string, LoggedIn> = {};
const NAMES = { own: "Lakshmi Prasanna Devi", place: "Ramesh Chandra Rao" };
const phone = newPhone();
/** Without the current day: a test near midnight reads the same months. */
const SETTLED = new Date(Date.now() - days(3));
const MONTH = monthOf(todayInIndia(SETTLED));
const emailOf = async (id: string) => (await server.sql<{ email: string }[]>`select email from users where id = ${id}`)[0]!.email;
const asStaff = async (who: Actor) => loginAs(server, { role: who.role, email: await emailOf(who.userId) });

const world = () => ({ server, gateway });

let own: Awaited<ReturnType<typeof paidBefore>>;
beforeAll(async () => {
  gateway = await startGateway({ ...GATEWAY_KEYS, webhookUrl: null });
  server = await startServer({ seed: false, env: gatewayEnv(gateway) });
  const { db } = server;
  place = await makePlace(db);
  doctor = await makeDoctor(db, { name: "Dr. Asha Rao" });
  employed = await makeDoctor(db, { name: "Dr. Suresh Kolli" });
  await addPlaceDoctor(db, place.id, employed.id);
  await server.sql`update doctors set hospital_id = ${place.id} where id = ${employed.id}`;
  Object.assign(people, {
    doctor: await loginAs(server, { role: "doctor", email: doctor.email }),
    employed: await loginAs(server, { role: "doctor", email: employed.email }),
    otherDoctor: await loginAs(server, { role: "doctor", email: (await makeDoctor(db)).email }),
    owner: await asStaff(place.owner),
    billing: await asStaff(await makeMember(db, place.id, "billing")),
    ofNone: await asStaff(await makeMember(db, place.id, "billing", { doctorIds: [doctor.id] })),
    reception: await asStaff(await makeMember(db, place.id, "reception")),
    otherOwner: await asStaff((await makePlace(db)).owner),
    admin: await asStaff(await makeStaff(db, "admin")),
    patient: await loginAs(server, { role: "patient", phone }),
  });
});
afterAll(async () => {
  await server?.stop();
  await gateway?.[Symbol.asyncDispose]();
});
const text = async (who: string, path: string) => readable((await people[who]!.get(path)).text);

describe("before the first settlement", () => {
  it("shows an empty state, and no CSV", async () => {
    for (const [who, path] of [
      ["doctor", "/doctor/settlements"],
      ["owner", `/clinic/${place.id}/settlements`],
    ] as const) {
      const page = await text(who, path);
      expect(page).toContain("No settlements yet");
      expect(page).not.toContain("settlements.csv");
    }
    const admin = await text("admin", "/admin/payments/settlements");
    expect(admin).toContain("No settlements in this month");
    expect(admin).toContain("The report has not been read yet.");
    expect((await people.admin!.get("/admin/payments/settlements/setl_none")).status).toBe(404);
  });
});

describe("a settlement", () => {
  let id: string;
  let reference: string;
  beforeAll(async () => {
    own = await paidBefore(world(), "own", { doctor, merchantId: doctor.id, name: NAMES.own, amount: 50_000 });
    await returnedBefore(world(), "own", own.paymentId, 12_345);
    await paidBefore(world(), "place", { doctor: employed, merchantId: place.id, name: NAMES.place, amount: 80_000 });
    gateway.report.settle(SETTLED.getTime());
    await readReport(world());
    const [line] = gateway.report.lines;
    [id, reference] = [line!.settlement_id, line!.settlement_utr!];
  });

  it("has date, amount, fee and the bank's reference of the doctor's own lines", async () => {
    expect((await people.doctor!.get("/doctor/takings")).text).toContain("/doctor/settlements");
    const list = await text("doctor", "/doctor/settlements");
    // 500 less 2.36 %, less 123.45 that were returned.
    for (const part of [reference, "₹364.75", "₹11.80", "Part of a transfer"]) expect(list).toContain(part);
    const page = await text("doctor", `/doctor/settlements/${id}`);
    for (const part of [NAMES.own, reference, id, "₹500", "₹123.45", "₹364.75", "This transfer also has payments of others"])
      expect(page).toContain(part);
    for (const secret of [NAMES.place, "₹800"]) expect(list + page).not.toContain(secret);
  });
  it("is downloaded as CSV, one row for each settlement or line", async () => {
    const list = await people.doctor!.get("/doctor/settlements.csv");
    expect(list.headers.get("content-disposition")).toContain("nadi-settlements-");
    const rows = list.text.trim().split("\r\n");
    expect(rows).toHaveLength(2);
    expect(rows[1]).toContain(`,${reference},${id},Nadi's account,1,500.00,1,123.45,11.80,1.80,364.75`);
    const lines = (await people.doctor!.get(`/doctor/settlements/${id}/lines.csv`)).text.trim().split("\r\n");
    expect(lines).toHaveLength(3);
    expect(lines[1]).toMatch(new RegExp(`^${reference},Payment,pay_own,.*,${NAMES.own},.*,500.00,11.80,488.20$`));
    expect(lines[2]).toMatch(new RegExp(`^${reference},Refund,rfnd_own,.*,123.45,0.00,-123.45$`));
  });
  it("is shown to members who may see the takings, of their doctors only", async () => {
    for (const who of ["owner", "billing"]) {
      expect((await people[who]!.get(`/clinic/${place.id}/takings`)).text, who).toContain(`/clinic/${place.id}/settlements`);
      expect(await text(who, `/clinic/${place.id}/settlements`), who).toContain("₹781.12");
      const page = await text(who, `/clinic/${place.id}/settlements/${id}`);
      for (const part of [NAMES.place, "Dr. Suresh Kolli", "₹800", "₹18.88"]) expect(page, who).toContain(part);
      expect(page).not.toContain(NAMES.own);
      expect((await people[who]!.get(`/clinic/${place.id}/settlements.csv`)).text).toContain(",800.00,0,0.00,18.88,2.88,781.12");
      expect((await people[who]!.get(`/clinic/${place.id}/settlements/${id}/lines.csv`)).text).toContain(NAMES.place);
    }
    expect(await text("ofNone", `/clinic/${place.id}/settlements`)).toContain("No settlements yet");
    expect((await people.ofNone!.get(`/clinic/${place.id}/settlements/${id}`)).status).toBe(404);
  });
  it("is hidden from everyone else", async () => {
    const paths = (base: string) => ["", ".csv", `/${id}`, `/${id}/lines.csv`].map((part) => `${base}/settlements${part}`);
    const of = { doctor: paths("/doctor"), place: paths(`/clinic/${place.id}`), admin: paths("/admin/payments").slice(0, 3) };
    const others = ["reception", "otherOwner", "employed", "otherDoctor", "patient"].map((who) => [who, people[who]!] as const);
    for (const [who, browser] of [...others, ["visitor", new Browser(server.url)] as const])
      for (const path of [...of.doctor, ...of.place, ...of.admin]) {
        const answer = await browser.get(path);
        // The doctor of the place has a list of their own, which is empty.
        for (const secret of [NAMES.own, NAMES.place, reference, "781.12", "364.75"])
          expect(answer.text, `${who} ${path}`).not.toContain(secret);
      }
    for (const who of ["otherDoctor", "employed"]) {
      expect((await people[who]!.get(`/doctor/settlements/${id}`)).status).toBe(404);
      expect((await people[who]!.get(`/doctor/settlements/${id}/lines.csv`)).status).toBe(404);
    }
    for (const path of of.place) {
      expect((await people.otherOwner!.get(path)).status, path).toBe(404);
      expect((await people.reception!.get(path)).status, path).toBe(403);
    }
    expect((await people.owner!.get(`/clinic/${place.id}/settlements/setl_none`)).status).toBe(404);
  });
  it("is shown to administrators with everything added up, without names", async () => {
    const page = await text("admin", `/admin/payments/settlements?month=${MONTH}`);
    for (const part of [reference, "₹1,145.87", "₹30.68", "Matches", "The report was read last on"]) expect(page).toContain(part);
    expect(page).toMatch(/Do not agree\s*0/);
    const one = await text("admin", `/admin/payments/settlements/${id}`);
    for (const part of ["pay_own", "rfnd_own", "pay_place", reference]) expect(one).toContain(part);
    const csv = await people.admin!.get(`/admin/payments/settlements.csv?month=${MONTH}`);
    expect(csv.text.trim().split("\r\n")).toHaveLength(4);
    expect(csv.text).toContain(own.orderId);
    for (const secret of [NAMES.own, NAMES.place, "Asha"]) expect(page + one + csv.text).not.toContain(secret);
    const audit = await server.sql`select details->>'rows' as rows from audit_log where action = 'export-settlements'`;
    expect(audit).toEqual([{ rows: "3" }]);
    for (const month of ["nonsense", "2099-01", "2020-13"])
      expect((await people.admin!.get(`/admin/payments/settlements?month=${month}`)).status).toBe(200);
  });
});

describe("a settlement of a payout account", () => {
  const [MOVED, COLLEAGUE] = ["Venkata Subba Raju", "Fatima Begum Shaik"];
  const ids: Record<string, string> = {};
  const references: Record<string, string> = {};
  beforeAll(async () => {
    const { db } = server;
    const colleague = await makeDoctor(db, { name: "Dr. Meena Kumari" });
    await addPlaceDoctor(db, place.id, colleague.id);
    await server.sql`update doctors set hospital_id = ${place.id} where id = ${colleague.id}`;
    people.ofEmployed = await asStaff(await makeMember(db, place.id, "billing", { doctorIds: [employed.id] }));
    const of = { doctor, merchantId: doctor.id, name: MOVED, amount: 90_000, account: "acc_doctor" };
    await paidBefore(world(), "moved", of);
    await paidBefore(world(), "movedplace", { ...of, doctor: employed, merchantId: place.id, amount: 70_000, account: "acc_place" });
    const atPlace = { ...of, doctor: colleague, merchantId: place.id, name: COLLEAGUE, amount: 40_050, account: "acc_place" };
    await returnedBefore(world(), "colleague", (await paidBefore(world(), "colleague", atPlace)).paymentId, 10_000);
    // An earlier account of the doctor: the money was paid out to the doctor too.
    await paidBefore(world(), "earlier", { ...of, amount: 12_300, account: "acc_earlier" });
    gateway.report.settle(SETTLED.getTime() + 1000);
    await paidBefore(world(), "newest", { ...of, name: NAMES.own, amount: 10_000, account: null });
    gateway.report.settle(SETTLED.getTime() + 2000);
    await readReport(world());
    for (const { id, account, utr } of gateway.transferred.settlements.values()) {
      ids[account] = id;
      references[account] = utr!;
    }
  });

  it("is in the list of the doctor, beside those of our account, with its payments and CSV", async () => {
    const list = await text("doctor", "/doctor/settlements");
    for (const part of ["Payout account", references.acc_doctor!, references.acc_earlier!, "₹900", "₹123", "₹364.75"])
      expect(list).toContain(part);
    expect(list).not.toContain("not listed here");
    const page = await text("doctor", `/doctor/settlements/${ids.acc_doctor}`);
    for (const part of [MOVED, references.acc_doctor!, "₹900", "These payments went to the payout account"]) expect(page).toContain(part);
    for (const secret of ["Taken for refunds", "₹700", COLLEAGUE]) expect(page).not.toContain(secret);
    const rows = (await people.doctor!.get("/doctor/settlements.csv")).text;
    expect(rows).toContain(`,${references.acc_doctor},${ids.acc_doctor},Payout account,1,900.00,,0.00,0.00,0.00,900.00`);
    const lines = (await people.doctor!.get(`/doctor/settlements/${ids.acc_doctor}/lines.csv`)).text.trim().split("\r\n");
    expect(lines).toHaveLength(2);
    expect(lines[1]).toMatch(new RegExp(`^${references.acc_doctor},Payment,trf_moved,.*,${MOVED},.*,900.00,0.00,900.00$`));
  });
  it("shows a place what refunds took from it", async () => {
    for (const who of ["owner", "billing"]) {
      // 700 and 400.50, less 100 that were given back.
      expect(await text(who, `/clinic/${place.id}/settlements`), who).toContain("₹1,000.50");
      const page = await text(who, `/clinic/${place.id}/settlements/${ids.acc_place}`);
      for (const part of [COLLEAGUE, "₹700", "₹400.50", "₹1,000.50", "Taken for refunds", "−₹100"]) expect(page, who).toContain(part);
      const lines = (await people[who]!.get(`/clinic/${place.id}/settlements/${ids.acc_place}/lines.csv`)).text.trim().split("\r\n");
      expect(lines).toHaveLength(4);
      expect(lines[3]).toBe(`${references.acc_place},Taken for refunds,${ids.acc_place},,,,,100.00,0.00,-100.00`);
    }
  });
  it("shows a member of some doctors only their part", async () => {
    const base = `/clinic/${place.id}/settlements`;
    const pages = (
      await Promise.all(
        [base, `${base}.csv`, `${base}/${ids.acc_place}`, `${base}/${ids.acc_place}/lines.csv`].map((path) => text("ofEmployed", path)),
      )
    ).join(" ");
    for (const part of ["Part of a transfer", "₹700", MOVED]) expect(pages).toContain(part);
    for (const secret of [COLLEAGUE, "400.50", "1,000.50", "1,100.50", "1000.50", "100.00,", "Taken for refunds"])
      expect(pages).not.toContain(secret);
    expect((await people.ofNone!.get(`${base}/${ids.acc_place}`)).status).toBe(404);
  });
  it("is hidden from everyone else", async () => {
    for (const who of ["otherDoctor", "employed"])
      for (const id of [ids.acc_doctor, ids.acc_place])
        for (const path of [`/doctor/settlements/${id}`, `/doctor/settlements/${id}/lines.csv`])
          expect((await people[who]!.get(path)).status, `${who} ${path}`).toBe(404);
    for (const who of ["doctor", "otherDoctor", "employed"])
      expect((await people[who]!.get("/doctor/settlements")).text).not.toContain(references.acc_place);
    expect((await people.owner!.get(`/clinic/${place.id}/settlements/${ids.acc_doctor}`)).status).toBe(404);
    expect((await people.otherOwner!.get(`/clinic/${place.id}/settlements/${ids.acc_place}`)).status).toBe(404);
    expect((await people.reception!.get(`/clinic/${place.id}/settlements/${ids.acc_place}`)).status).toBe(403);
    for (const browser of [people.patient!, new Browser(server.url)])
      expect((await browser.get(`/doctor/settlements/${ids.acc_doctor}`)).text).not.toContain(references.acc_doctor);
  });
  it("agrees for administrators, who see its lines without names", async () => {
    const month = await text("admin", `/admin/payments/settlements?month=${MONTH}`);
    for (const part of ["Payout account", references.acc_place!, "₹1,000.50"]) expect(month).toContain(part);
    const page = await text("admin", `/admin/payments/settlements/${ids.acc_place}`);
    for (const part of ["trf_movedplace", "trf_colleague", "Transfer paid out from the payout account", "Taken for refunds", "Matches"])
      expect(page).toContain(part);
    expect(page).not.toContain(COLLEAGUE);
    const [newest, ours] = ["pay_newest", "trf_moved"].map((id) => gateway.report.lines.find(({ entity_id }) => entity_id === id)!);
    expect(month.indexOf(newest!.settlement_utr!)).toBeLessThan(month.indexOf(references.acc_place!));
    expect(await text("admin", `/admin/payments/settlements/${ours!.settlement_id}`)).toContain("trf_moved");
    const csv = (await people.admin!.get(`/admin/payments/settlements.csv?month=${MONTH}`)).text;
    expect(csv).toMatch(/Nadi's account,Transfer,trf_moved,[0-9a-f-]{36},900.00,/);
    expect(csv).toMatch(/Payout account,Transfer paid out from the payout account,trf_moved,[0-9a-f-]{36},900.00,0.00,0.00,900.00,/);
    expect(csv).toContain(`Payout account,Taken for refunds,${ids.acc_place},,100.00,0.00,0.00,-100.00,`);
    expect(await server.sql`select mismatches from settlement_reads`).toEqual([{ mismatches: 0 }]);
  });
});

describe("a wrong report", () => {
  it("shows one of each kind to administrators, in the list, the settlement and the CSV, first", async () => {
    const make = (n: string) => paidBefore(world(), n, { doctor, merchantId: doctor.id, name: NAMES.own, amount: 20_000 });
    const lost = await make("lost");
    await paidBefore(world(), "other", { doctor, merchantId: doctor.id, name: NAMES.own, amount: 30_000, account: "acc_doctor" });
    gateway.transferred.transfers.get("trf_other")!.account = "acc_thief";
    for (const n of ["twice", "amount", "sum"]) await make(n);
    gateway.report.settle(SETTLED.getTime() + hours(1));
    const { lines } = gateway.report;
    const lineOf = (n: string) => lines.find(({ entity_id }) => entity_id === `pay_${n}`)!;
    lineOf("lost").settlement_utr = null;
    const account = [...gateway.transferred.settlements.values()].at(-1)!;
    account.amount -= 2000;
    lines.push({ ...lineOf("twice"), settlement_id: "setl_again" });
    lineOf("amount").amount -= 100;
    lineOf("amount").credit -= 100;
    lineOf("sum").credit -= 1;
    lines.push({ ...lineOf("twice"), entity_id: "adj_1", type: "adjustment" });
    await readReport(world());

    // A payment that no settlement has belongs to the month in which it was received.
    const paid = monthOf(todayInIndia(new Date(Date.now() - days(10))));
    const page = `${await text("admin", `/admin/payments/settlements?month=${MONTH}`)} ${await text("admin", `/admin/payments/settlements?month=${paid}`)}`;
    const KINDS: Record<string, string> = {
      adj_1: "we have no payment or refund with its ID",
      pay_lost: "No settlement has it after seven days.",
      pay_twice: "It is in the report twice.",
      pay_amount: "The amount in the report is not the recorded amount.",
      trf_other: "It was paid out from another account than the one its order went to.",
      [account.id]: "What was paid out does not follow",
      pay_sum: "What was paid out does not follow from the amounts, the fee and the refunds.",
    };
    for (const [line, sentence] of Object.entries(KINDS)) {
      expect(page).toContain(line);
      expect(page).toContain(sentence);
    }
    expect((await people.admin!.get(`/admin/payments/settlements?month=${paid}`)).text).toContain(`/admin/payments?order=${lost.orderId}`);
    const csv = (await people.admin!.get(`/admin/payments/settlements.csv?month=${MONTH}`)).text.trim().split("\r\n").slice(1);
    // Twice in two settlements, and the payment that is missing has no line.
    expect(csv.map((row) => !row.endsWith(",")).lastIndexOf(true)).toBe(6);
    const one = await text("admin", `/admin/payments/settlements/${lineOf("sum").settlement_id}`);
    expect(one.indexOf("pay_sum")).toBeLessThan(one.indexOf("Matches") === -1 ? Number.POSITIVE_INFINITY : one.indexOf("Matches"));
    // The job stores the number for the navigation: eight rows are wrong.
    expect(await server.sql`select mismatches from settlement_reads`).toEqual([{ mismatches: 8 }]);
    expect((await people.admin!.get("/admin/payments")).text).toMatch(/settlements[^>]*>[\s\S]{0,200}8/);
  });
});

describe("refused messages", () => {
  const send = (body: string, signature = "0".repeat(64), id = "evt_attack") =>
    raw(server.url, {
      method: "POST",
      path: "/webhooks/local",
      headers: { "content-type": "application/json", "x-razorpay-signature": signature, "x-razorpay-event-id": id },
      body,
    });
  const counts = () =>
    server.sql<{ reason: string; count: number }[]>`select reason, sum(count)::int as count from refused_messages group by 1 order by 1`;

  it("are counted by reason, without anything of the message", async () => {
    const { createHmac } = await import("node:crypto");
    const sign = (body: string) => createHmac("sha256", GATEWAY_KEYS.webhookSecret).update(body).digest("hex");
    expect((await send('{"secret":"payload-of-an-attacker"}')).status).toBe(401);
    expect((await send('{"secret":"payload-of-an-attacker"}')).status).toBe(401);
    expect((await send(" ".repeat(300 * 1024))).status).toBe(413);
    expect((await send("[]", sign("[]"))).status).toBe(400);
    const foreign = JSON.stringify({
      event: "payment.captured",
      payload: {
        payment: {
          entity: {
            id: "pay_x",
            order_id: "order_of_another",
            status: "captured",
            amount: 100,
            currency: "INR",
            created_at: 1,
            email: "payer@x.test",
          },
        },
      },
    });
    expect((await send(foreign, sign(foreign), "evt_foreign")).status).toBe(404);
    await vi.waitFor(async () =>
      expect([...(await counts())]).toEqual([
        { reason: "malformed", count: 1 },
        { reason: "order", count: 1 },
        { reason: "signature", count: 2 },
        { reason: "too-large", count: 1 },
      ]),
    );
    const rows = JSON.stringify(await server.sql`select * from refused_messages`);
    for (const secret of ["payload-of", "payer@", "evt_attack", "pay_x"]) expect(rows).not.toContain(secret);
    expect(rows).toContain("evt_foreign");
    const page = await text("admin", "/admin/payments/messages");
    for (const part of [
      "Wrong signature",
      "2 times",
      "Over the size limit",
      "not readable",
      "evt_foreign",
      "No messages in the last 30 days",
    ])
      expect(page).toContain(part);
    for (const who of ["doctor", "owner", "patient"])
      expect((await people[who]!.get("/admin/payments/messages")).text).not.toContain("evt_foreign");
    expect((await send("{}", undefined)).status).toBe(401);
    expect(
      (await raw(server.url, { method: "POST", path: "/webhooks/razorpay", headers: { "content-type": "application/json" }, body: "{}" }))
        .status,
    ).toBe(404);
  });
  it("are counted up to a limit, so that a flood writes no more rows", async () => {
    await server.sql`update refused_messages set count = ${MOST_COUNTED - 1} where reason = 'signature'`;
    for (let n = 0; n < 3; n++) await Promise.all([send("{}"), send("{}"), send("{}")]);
    // A new hour may have begun meanwhile.
    const [row] = await server.sql<{ most: number; rows: number }[]>`
      select max(count)::int as most, count(*)::int as rows from refused_messages where reason = 'signature'`;
    expect(row!.most).toBeLessThanOrEqual(MOST_COUNTED);
    expect(row!.most).toBeGreaterThanOrEqual(MOST_COUNTED - 1);
    expect(row!.rows).toBeLessThanOrEqual(2);
  });
});
