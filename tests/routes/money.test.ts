/** Payments at the clinic over HTTP: recording, receipts, refunds, takings, and who sees them. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { book, bookedId, readable } from "../factories/booking.ts";
import { addPlaceDoctor, makeMember, makePlace } from "../factories/members.ts";
import { dayFromNow, makeDoctor, makePatient, makeVisit, newPhone, type TestDoctor } from "../factories/people.ts";
import { errorsOf } from "../setup/applications.ts";
import { Browser } from "../setup/http.ts";
import { type LoggedIn, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";
import { expectEvents, watchChanges } from "../setup/watch-changes.ts";

let server: TestServer;
let doctor: TestDoctor;
let asDoctor: LoggedIn;
let otherDoctor: LoggedIn;
let patient: LoggedIn;
let stranger: LoggedIn;
const slots = ["09:00", "09:30", "10:00", "10:30", "11:00"].map((time) => ({ date: dayFromNow(3), time }));
const NAME = "Lakshmi Prasanna Devi";

beforeAll(async () => {
  server = await startServer({ seed: false });
  await watchChanges(server);
  doctor = await makeDoctor(server.db, { name: "Dr. Asha Rao", slots });
  asDoctor = await loginAs(server, { role: "doctor", email: doctor.email });
  otherDoctor = await loginAs(server, { role: "doctor", email: (await makeDoctor(server.db)).email });
  patient = await loginAs(server, { role: "patient", phone: newPhone() });
  stranger = await loginAs(server, { role: "patient", phone: newPhone() });
});
afterAll(() => server?.stop());

const bookAt = async (n: number) => bookedId(await book(patient, doctor.id, slots[n]!, { name: NAME }))!;
const keyOf = (html: string) => /name="key" value="([\w-]+)"/.exec(html)![1]!;
/** Opens the form and records a payment. Returns the answer and the payment's id. */
async function record(visit: string, fields: Record<string, string> = {}) {
  const path = `/doctor/patient/${visit}/payment`;
  const key = keyOf((await asDoctor.get(path)).text);
  const answer = await asDoctor.post(path, { key, method: "cash", amount: "500", ...fields });
  return { answer, key, path, id: /\/doctor\/payments\/([0-9a-f-]{36})/.exec(answer.location ?? "")?.[1] };
}

describe("a payment at the clinic", () => {
  it("is recorded by the doctor and shown to the patient with its receipt", async () => {
    const visit = await bookAt(0);
    expect(readable((await asDoctor.get(`/doctor/patient/${visit}`)).text)).toContain("Not recorded");
    const { answer, key, path, id } = await record(visit, { method: "upi", reference: "6327 1140 8817" });
    expect(answer.status).toBe(303);
    const again = await asDoctor.post(path, { key, method: "upi", amount: "500" });
    expect(again.location).toBe(answer.location);
    const receipt = readable((await asDoctor.get(`/doctor/payments/${id}`)).text);
    for (const part of ["Dr. Asha Rao", "/000001", NAME, "₹500", "632711408817"]) expect(receipt).toContain(part);
    for (const part of [/Receipt\s+Paid/, "Five hundred rupees only.", /Refund: in full if the doctor cancels or you cancel by \d/])
      expect(receipt).toMatch(part);
    expect(readable((await asDoctor.get(`/doctor/patient/${visit}`)).text)).toContain("Paid");

    const page = readable((await patient.get(`/patient/appointments/${visit}`)).text);
    expect(page).toContain("Your payment is recorded. There is nothing more to pay.");
    expect(page).not.toContain("Choose how to pay");
    const payment = readable((await patient.get(`/patient/appointments/payment/${visit}`)).text);
    expect(payment).toContain("Your payment is recorded.");
    // Amount, receipt and the next step.
    expect(payment).toMatch(/You paid ₹500 ₹500, UPI, .* Receipt \S+\/000001 Your payment is recorded/);
    expect(payment).not.toContain("by UPI");
    const list = readable((await patient.get("/patient/calendar")).text);
    expect([list.includes("Paid"), list.includes("Choose how to pay")]).toEqual([true, false]);
    expect(readable((await patient.get("/patient/payments")).text)).toMatch(/₹500\s*, Dr\. Asha Rao/);
    const own = await patient.get(`/patient/payments/${id}`);
    expect(readable(own.text)).toContain(NAME);
    expect(own.headers.get("cache-control")).toBe("no-store");
  });
  it("can be in parts, and never more than is due", async () => {
    const visit = await bookAt(1);
    const over = await record(visit, { amount: "500.01" });
    expect([over.answer.status, errorsOf(over.answer).amount]).toEqual([400, "Only ₹500 is due. Enter that amount or less."]);
    for (const [amount, error] of [
      ["", "Enter the amount."],
      ["8.355", "Enter the amount in rupees, for example 500 or 499.50."],
      ["100001", "One payment can be at most ₹1,00,000."],
    ])
      expect(errorsOf((await record(visit, { amount: amount! })).answer).amount).toBe(error);
    await record(visit, { amount: "200.50" });
    expect(readable((await asDoctor.get(`/doctor/patient/${visit}`)).text)).toMatch(/Partly paid.*₹299\.50/s);
    expect(readable((await patient.get(`/patient/appointments/${visit}`)).text)).toMatch(/Still to pay\s*₹299\.50/);
    expect(readable((await patient.get(`/patient/appointments/payment/${visit}`)).text)).toContain("₹299.50");
    expect(readable((await patient.get("/patient/calendar")).text)).toContain("Partly paid. Still to pay: ₹299.50");
    expect((await patient.post(`/patient/appointments/payment/${visit}`, { method: "upi" })).status).toBe(303);
    expect(readable((await patient.get(`/patient/appointments/${visit}`)).text)).toContain("Pay ₹299.50 by UPI");
  });
  it("is not for a cancelled appointment; a paid one is due back", async () => {
    const [paid, unpaid] = [await bookAt(2), await bookAt(3)];
    const { id } = await record(paid);
    for (const visit of [paid, unpaid]) await asDoctor.post(`/doctor/appointments/${visit}/cancel`, {});
    expect((await asDoctor.post(`/doctor/patient/${unpaid}/payment`, { key: "12345678", method: "cash", amount: "500" })).status).toBe(409);
    expect(readable((await asDoctor.get(`/doctor/patient/${unpaid}/payment`)).text)).toContain("This appointment is cancelled");
    expect(readable((await asDoctor.get(`/doctor/patient/${paid}`)).text)).toContain("Refund due");
    expect(readable((await patient.get(`/patient/appointments/${paid}`)).text)).toContain("The clinic has to return ₹500 to you.");

    const path = `/doctor/payments/${id}/refund`;
    const fields = { key: keyOf((await asDoctor.get(path)).text), method: "cash", amount: "500" };
    expect(errorsOf(await asDoctor.post(path, fields)).reason).toBe("Choose the reason.");
    const answers = await Promise.all([1, 2, 3].map(() => asDoctor.post(path, { ...fields, reason: "cancelled" })));
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    expect((await server.sql`select from refunds where payment_id = ${id!}`).count).toBe(1);
    expect(readable((await asDoctor.get(`/doctor/patient/${paid}`)).text)).toContain("Refunded");
    const receipt = readable((await patient.get(`/patient/payments/${id}`)).text);
    expect(receipt).toMatch(/Refunded ₹500\.00, Cash, on \d/);
    expect(receipt).toContain("The appointment did not take place");
    expect(receipt).toMatch(/Receipt\s+Refunded/);
    expect(receipt).not.toContain("Refund: in full");
    expect(readable((await patient.get(`/patient/appointments/${paid}`)).text)).not.toContain("The clinic has to return");
  });
});

describe("takings", () => {
  it("count the money of the day by method, less refunds, and are downloaded as CSV", async () => {
    const today = dayFromNow(0);
    const page = readable((await asDoctor.get("/doctor/takings")).text);
    // 500 by UPI, 200.50 and 500 in cash, 500 returned in cash.
    expect(page).toMatch(/Received on this day\s*₹700\.50/);
    expect(page).toMatch(/Cash\s*₹200\.50\s*2 payments, 1 refund/);
    expect(page).toMatch(/UPI\s*₹500\s*1 payment/);
    const csv = await asDoctor.get(`/doctor/takings.csv?day=${today}`);
    expect(csv.headers.get("content-disposition")).toBe(`attachment; filename="nadi-takings-${today}.csv"`);
    const rows = csv.text.trim().split("\r\n");
    expect(rows).toHaveLength(5);
    expect(rows[1]).toContain(`,${NAME},Dr. Asha Rao,${slots[0]!.date},UPI,500.00,`);
    expect(rows[4]).toMatch(/,Cash,,500\.00,$/);
    expect(readable((await asDoctor.get(`/doctor/takings?day=${dayFromNow(-1)}`)).text)).toContain("No payments recorded on this day.");
    for (const day of ["2099-01-01", "nonsense", "2026-02-31"])
      expect(readable((await asDoctor.get(`/doctor/takings?day=${day}`)).text)).toContain("₹700.50");
  });
  it("are counted beside the earnings", async () => {
    const page = readable((await asDoctor.get("/doctor/stats?view=figures")).text);
    expect(page).toMatch(/Received in all\s*₹1,200\.50/);
    expect(page).toMatch(/Refunded in all\s*₹500/);
    expect(page).toMatch(/Total Earnings\s*₹0/);
    expect(readable((await otherDoctor.get("/doctor/stats?view=figures")).text)).toContain("No payments recorded yet.");
    // The same figures by month.
    const month = dayFromNow(0).slice(0, 7);
    const csv = await asDoctor.get("/doctor/takings/months.csv?range=year");
    expect(csv.text.trim().split("\r\n")[1]).toBe(`${month},1200.50,500.00,0.00,0.00`);
    expect(readable((await otherDoctor.get("/doctor/takings/months")).text)).toContain("No payments recorded in these months.");
  });
});

describe("a place", () => {
  it("records, refunds and counts payments of its doctors, each member for their own doctors", async () => {
    const { db } = server;
    const place = await makePlace(db);
    const emailOf = async (id: string) => (await server.sql<{ email: string }[]>`select email from users where id = ${id}`)[0]!.email;
    const [one, two] = [await makeDoctor(db, { name: "Dr. One" }), await makeDoctor(db, { name: "Dr. Two" })];
    const visits: string[] = [];
    for (const [n, who] of [one, two].entries()) {
      await server.sql`update doctors set hospital_id = ${place.id} where id = ${who.id}`;
      await addPlaceDoctor(db, place.id, who.id);
      visits.push(await makeVisit(db, { patient: await makePatient(db), doctor: who }, { date: dayFromNow(0), name: `Patient ${n}` }));
    }
    const asMember = async (role: "reception" | "billing", doctorIds: string[]) => {
      const { userId } = await makeMember(db, place.id, role, { doctorIds });
      return loginAs(server, { role: "staff", email: await emailOf(userId) });
    };
    const [reception, billing, ofOne] = [
      await asMember("reception", []),
      await asMember("billing", []),
      await asMember("billing", [one.id]),
    ];
    const takings = `/clinic/${place.id}/takings`;
    const ids = [];
    for (const visit of visits) {
      const path = `/clinic/${place.id}/visits/${visit}/payment`;
      const key = keyOf((await reception.get(path)).text);
      const answer = await reception.post(path, { key, method: "cash", amount: "500" });
      ids.push(/payments\/([0-9a-f-]{36})/.exec(answer.location!)![1]!);
    }
    expect(readable((await reception.get(`/clinic/${place.id}/payments/${ids[1]}`)).text)).toMatch(/\/000002.*Patient 1/s);
    expect(readable((await billing.get(takings)).text)).toMatch(/Received on this day\s*₹1,000/);
    const narrow = readable((await ofOne.get(takings)).text);
    expect(narrow).toMatch(/Received on this day\s*₹500/);
    expect(narrow).not.toContain("Patient 1");
    expect((await ofOne.get(`/clinic/${place.id}/payments/${ids[1]}`)).status).toBe(404);
    const refund = `/clinic/${place.id}/payments/${ids[0]}/refund`;
    const key = keyOf((await ofOne.get(refund)).text);
    expect((await ofOne.post(refund, { key, method: "cash", amount: "200", reason: "agreed" })).status).toBe(303);
    expect((await ofOne.post(refund.replace(ids[0]!, ids[1]!), { key, method: "cash", amount: "200", reason: "agreed" })).status).toBe(404);
    const csv = (await billing.get(`${takings}.csv`)).text.trim().split("\r\n");
    expect(csv).toHaveLength(4);
    expect(csv[3]).toMatch(/,Patient 0,Dr\. One,.*,Cash,,200\.00,$/);

    // By month: a completed appointment that is partly paid is owed, by the definition of the doctor's own figures.
    const unpaid = await makeVisit(
      db,
      { patient: await makePatient(db), doctor: one },
      { date: dayFromNow(0), time: "14:00", status: "completed" },
    );
    const form = `/clinic/${place.id}/visits/${unpaid}/payment`;
    await reception.post(form, { key: keyOf((await reception.get(form)).text), method: "upi", amount: "100.50" });
    // Long before the first recorded payment: not recorded, so it is not owed.
    await makeVisit(db, { patient: await makePatient(db), doctor: one }, { date: dayFromNow(-90), status: "completed" });
    const month = dayFromNow(0).slice(0, 7);
    const monthsOf = async (who: LoggedIn) => (await who.get(`${takings}/months.csv?range=all`)).text.trim().split("\r\n").slice(1);
    expect(await monthsOf(billing)).toEqual([`${month},1100.50,200.00,399.50,0.00`]);
    expect(await monthsOf(ofOne)).toEqual([`${month},600.50,200.00,399.50,0.00`]);
    const page = readable((await billing.get(`${takings}/months`)).text);
    for (const figure of ["₹1,100.50", "₹200", "₹399.50", place.name]) expect(page).toContain(figure);
    const asOne = await loginAs(server, { role: "doctor", email: one.email });
    expect((await asOne.get("/doctor/takings/months.csv?range=all")).text.trim().split("\r\n")[1]).toBe(
      `${month},600.50,200.00,399.50,0.00`,
    );
    const own = readable((await asOne.get("/doctor/stats?view=figures")).text);
    expect(own).toMatch(/Received in all\s*₹600\.50/);
    expect(own).toMatch(/Still owed by patients\s*₹399\.50/);
    for (const who of [reception, asOne, patient, new Browser(server.url)])
      for (const path of [`${takings}/months`, `${takings}/months.csv`, `${takings}/months.csv?range=all`]) {
        const answer = await who.get(path);
        expect(answer.status, path).not.toBe(200);
        expect(answer.text).not.toContain("399.50");
      }
  });
});

describe("other users", () => {
  it("see and change no payment", async () => {
    const visit = await bookAt(4);
    const { id } = await record(visit, { amount: "100" });
    const state = async () =>
      (
        await server.sql`select md5(string_agg(t, '|' order by t)) as sum from (select to_json(p)::text t from payments p
        union all select to_json(r)::text from refunds r union all select to_json(l)::text from ledger_entries l) rows`
      )[0]!.sum;
    const before = await state();
    const fields = { key: "12345678", method: "cash", amount: "1", reason: "agreed" };
    for (const who of [otherDoctor, stranger, patient, new Browser(server.url)])
      for (const path of [`/doctor/patient/${visit}/payment`, `/doctor/payments/${id}`, `/doctor/payments/${id}/refund`]) {
        for (const one of [path, `${path}.data`]) {
          const page = await who.get(one);
          expect(page.text).not.toContain(NAME);
          await who.post(one, fields);
        }
        expect((await who.get(path)).status).toBe(who === otherDoctor ? 404 : 303);
      }
    for (const who of [stranger, asDoctor, otherDoctor, new Browser(server.url)]) {
      const page = await who.get(`/patient/payments/${id}`);
      expect(page.text).not.toContain(NAME);
      expect(page.status).toBe(who === stranger ? 404 : 303);
    }
    expect(readable((await stranger.get("/patient/payments")).text)).toContain("No payments yet");
    expect(readable((await otherDoctor.get("/doctor/takings")).text)).not.toContain(NAME);
    expect((await asDoctor.get("/doctor/payments/nonsense")).status).toBe(404);
    expect(await state()).toBe(before);
  });
  it("see nothing on the pages of patients without payments", async () => {
    expect(readable((await stranger.get("/patient/payments?page=9")).text)).toContain("No payments yet");
  });
});

it("records one event for each state change of these pages", async () => {
  expect(new Set(await expectEvents(server))).toEqual(
    new Set(["appointment.book", "appointment.cancel", "payment.receive", "payment.refund", "payment.refund-part"]),
  );
});
