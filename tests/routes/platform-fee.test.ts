/** The platform fee over HTTP: what patients, the clinic and administrators see before and after paying online. */
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { monthOf } from "#app/lib/dates.ts";
import { type Gateway, startGateway } from "../../scripts/gateway/gateway.ts";
import { book, bookedId, readable } from "../factories/booking.ts";
import { dayFromNow, makeDoctor, makeStaff, newPhone, type TestDoctor } from "../factories/people.ts";
import { GATEWAY_KEYS, gatewayEnv } from "../setup/gateway.ts";
import { raw } from "../setup/http.ts";
import { type LoggedIn, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

const INVOICER = "Nadi Health Private Limited, 12-1-330, Tarnaka, Hyderabad 500017";
const GSTIN = "29AAGCB7383J1Z4";
const slots = Array.from({ length: 12 }, (_, n) => ({ date: dayFromNow(3), time: `${String(8 + n).padStart(2, "0")}:00` }));
const MONTH = monthOf(dayFromNow(0));

let gateway: Gateway;
let server: TestServer;
let doctor: TestDoctor;
let [asDoctor, patient, other, admin]: LoggedIn[] = [];

beforeAll(async () => {
  gateway = await startGateway({ ...GATEWAY_KEYS, webhookUrl: null });
  server = await startServer({
    seed: false,
    env: {
      ...gatewayEnv(gateway),
      PLATFORM_FEE: "20",
      PLATFORM_FEE_TAX: "CGST 9, SGST 9",
      PLATFORM_FEE_INVOICER: INVOICER,
      PLATFORM_FEE_GSTIN: GSTIN,
    },
  });
  gateway.sendTo(`${server.url}/webhooks/local`);
  doctor = await makeDoctor(server.db, { slots });
  asDoctor = await loginAs(server, { role: "doctor", email: doctor.email });
  patient = await loginAs(server, { role: "patient", phone: newPhone() });
  other = await loginAs(server, { role: "patient", phone: newPhone() });
  const { userId } = await makeStaff(server.db, "admin");
  const [user] = await server.sql<{ email: string }[]>`select email from users where id = ${userId}`;
  admin = await loginAs(server, { role: "admin", email: user!.email });
});
afterAll(async () => {
  await server?.stop();
  await gateway?.[Symbol.asyncDispose]();
});

let used = 0;
const bookOne = async () => bookedId(await book(patient!, doctor.id, slots[used++]!))!;
const pageOf = (visit: string) => `/patient/appointments/payment/${visit}`;
const seen = async (who: LoggedIn | undefined, path: string) => readable((await who!.get(path)).text);
const within = (work: () => Promise<void>) => vi.waitFor(work, { timeout: 40_000, interval: 200 });

/** Pays an appointment as a browser without scripts does. Returns the payment. */
async function pay(visit: string): Promise<{ id: string; theirs: string }> {
  expect((await patient!.post(pageOf(visit), { method: "online" })).status).toBe(303);
  const { text } = await patient!.get(pageOf(visit));
  const field = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(text)![1]!;
  const payment = gateway.attempt(field("order_id"), "pay");
  const fields = {
    razorpay_payment_id: payment.id,
    razorpay_order_id: payment.orderId,
    razorpay_signature: gateway.signatureOf(payment as never),
  };
  const back = await raw(server.url, {
    method: "POST",
    path: new URL(field("callback_url")).pathname,
    headers: { "content-type": "application/x-www-form-urlencoded", origin: gateway.url, "sec-fetch-site": "cross-site" },
    body: new URLSearchParams(fields).toString(),
  });
  expect(back.status).toBe(303);
  const [row] = await server.sql<{ id: string }[]>`select id from payments where provider_payment_id = ${payment.id}`;
  return { id: row!.id, theirs: payment.id };
}

describe("before paying", () => {
  it("names the platform fee before booking", async () => {
    const { date, time } = slots[used]!;
    const form = await seen(patient, `/patient/appointments/patient-detail?${new URLSearchParams({ doctorId: doctor.id, date, time })}`);
    expect(form).toContain("Paying online adds a platform fee of ₹20. Paying at the clinic does not.");
  });
  it("shows both amounts, and the total on both buttons", async () => {
    const visit = await bookOne();
    const page = await seen(patient, pageOf(visit));
    expect(page).toContain("To the clinic ₹500 Nadi platform fee ₹20 Total to pay online ₹520");
    expect(page).toContain("Pay ₹520 now ₹500 + ₹20 platform fee");
    expect(page).toContain("The platform fee is only for paying online. It includes GST.");
    expect(page).toContain("₹500 at the desk, on the day. No platform fee");
    expect(page).toContain("You get ₹520 back");
    await patient!.post(pageOf(visit), { method: "online" });
    expect(await seen(patient, pageOf(visit))).toContain("Continue and pay ₹520 ₹500 + ₹20 platform fee");
    const order = [...gateway.orders.values()].at(-1)!;
    expect(order.amount).toBe(52_000);
  });
});

describe("after paying", () => {
  let visit: string;
  let payment: { id: string; theirs: string };
  beforeAll(async () => {
    visit = await bookOne();
    payment = await pay(visit);
  });
  it("has a receipt with the invoice of the platform fee", async () => {
    const page = await seen(patient, `/patient/payments/${payment.id}`);
    expect(page).toMatch(/Consultation fee ₹500\.00 Nadi platform fee ₹20\.00 Paid: Online ₹520\.00/);
    expect(page).toContain("Five hundred and twenty rupees only.");
    expect(page).toMatch(/Invoice for the platform fee Invoice number F\d{4}-\d\d\/\d{6}/);
    for (const text of [INVOICER, GSTIN, "Taxable value ₹16.94 CGST 9% ₹1.53 SGST 9% ₹1.53 Platform fee with GST ₹20.00"])
      expect(page).toContain(text);
    expect(await seen(patient, "/patient/payments")).toContain("₹520");
    expect(await seen(patient, `/patient/appointments/${visit}`)).toContain("₹520, Online");
    const [notice] = await server.sql<
      { params: { amount: string } }[]
    >`select params from notifications where kind = 'payment-received' limit 1`;
    expect(notice!.params.amount).toBe("₹520");
  });
  it("shows the receipt to no other patient", async () => {
    expect((await other!.get(`/patient/payments/${payment.id}`)).status).toBe(404);
  });
  it("shows the clinic its own amount, and that Nadi received the rest", async () => {
    const page = await seen(asDoctor, `/doctor/payments/${payment.id}`);
    expect(page).toContain("Paid: Online ₹500");
    expect(page).toContain("The patient also paid a platform fee of ₹20.00 to Nadi.");
    expect(page).not.toContain(GSTIN);
    const form = await seen(asDoctor, `/doctor/payments/${payment.id}/refund`);
    expect(form).toContain("If you return everything, the patient also gets the platform fee of ₹20 back. Nadi pays it, not you.");
  });
  it("returns a part without the platform fee, and the rest with it and a credit note", async () => {
    const refund = (amount: string) =>
      asDoctor!.post(`/doctor/payments/${payment.id}/refund`, {
        key: `key-${amount}-of-the-test`,
        amount,
        reason: "agreed",
        method: "online",
      });
    expect((await refund("100")).status).toBe(303);
    expect(await seen(patient, `/patient/payments/${payment.id}`)).not.toContain("Credit note");
    expect((await refund("400")).status).toBe(303);
    await within(async () => expect(gateway.payments.get(payment.theirs)!.refunded).toBe(52_000));
    const page = await seen(patient, `/patient/payments/${payment.id}`);
    expect(page).toMatch(/Credit note for the platform fee Credit note number C\d{4}-\d\d\/\d{6} For invoice F\d{4}/);
    expect(await seen(patient, "/patient/payments")).toContain("Refunded: ₹520");
    const ofClinic = await seen(asDoctor, `/doctor/payments/${payment.id}`);
    expect(ofClinic).not.toContain("platform fee");
    expect(ofClinic).not.toContain("₹20");
  });
  it("gives everything back when the doctor cancels", async () => {
    const cancelled = await bookOne();
    const { id, theirs } = await pay(cancelled);
    expect((await asDoctor!.post(`/doctor/appointments/${cancelled}/cancel`, {})).status).toBe(303);
    await within(async () => expect(gateway.payments.get(theirs)!.refunded).toBe(52_000));
    await within(async () =>
      expect(await seen(patient, `/patient/payments/${id}`)).toMatch(
        /Refund of ₹520\.00 was sent to your bank .* The appointment did not take place ₹500\.00 \+ ₹20\.00 platform fee/,
      ),
    );
  });
});

describe("administrators", () => {
  it("see the platform fees of the financial year by month, less credit notes", async () => {
    await bookOne().then(pay);
    const page = await seen(admin, "/admin/payments/fees");
    // Three invoices and two credit notes.
    expect(page).toMatch(/3 2 ₹16\.94 ₹1\.53 ₹1\.53 ₹20/);
    expect((await admin!.get("/admin/payments")).text).toContain("/admin/payments/fees");
    for (const year of ["2026-28", "2999-00", "x", "2010-11"])
      expect((await admin!.get(`/admin/payments/fees?year=${year}`)).status).toBe(200);
    expect(await seen(admin, "/admin/payments/fees?year=2010-11")).toContain("No platform fees in this year");
  });
  it("download the documents of a month, which the audit log has", async () => {
    const file = await admin!.get(`/admin/payments/fees.csv?month=${MONTH}`);
    const [head, ...rows] = file.text.trim().split("\r\n");
    expect(head).toContain("CGST 9% (INR),SGST 9% (INR),Total (INR)");
    expect(rows).toHaveLength(5);
    expect(rows.filter((row) => row.includes("Credit note,C"))).toHaveLength(2);
    expect(rows.at(-1)).toMatch(/,F\d{4}-\d\d\/\d{6},pay_\w+,-16\.94,-1\.53,-1\.53,-20\.00,/);
    const audit = await server.sql`select details->>'rows' as rows from audit_log where action = 'export-platform-fees'`;
    expect(audit).toEqual([{ rows: "5" }]);
  });
  it("alone see them", async () => {
    for (const path of ["/admin/payments/fees", "/admin/payments/fees.csv"])
      for (const who of [patient, asDoctor]) expect((await who!.get(path)).text).not.toContain("CGST");
  });
});
