/** Prepayment over HTTP: a doctor requires it, patients read it before they book, and an unpaid appointment ends. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Gateway, startGateway } from "../../scripts/gateway/gateway.ts";
import { tokenFor } from "../api/people.ts";
import { book, bookedId, bookingPage, readable } from "../factories/booking.ts";
import { dayFromNow, makeDoctor, newPhone, type TestDoctor } from "../factories/people.ts";
import { GATEWAY_KEYS, gatewayEnv } from "../setup/gateway.ts";
import { raw } from "../setup/http.ts";
import { type LoggedIn, loginAs } from "../setup/people.ts";
import { runJob } from "../setup/run-job.ts";
import { startServer, type TestServer } from "../setup/server.ts";

let gateway: Gateway;
let server: TestServer;
let doctor: TestDoctor;
let asDoctor: LoggedIn;
let patient: LoggedIn;
const slots = ["09:00", "10:00", "11:00", "12:00", "13:00"].map((time) => ({ date: dayFromNow(3), time }));
const POLICY = "/doctor/refund-policy";
const RULE = /An appointment that is not paid within 30 minutes is cancelled/;

beforeAll(async () => {
  gateway = await startGateway({ ...GATEWAY_KEYS, webhookUrl: null });
  server = await startServer({ seed: false, env: gatewayEnv(gateway) });
  gateway.sendTo(`${server.url}/webhooks/local`);
  doctor = await makeDoctor(server.db, { slots });
  asDoctor = await loginAs(server, { role: "doctor", email: doctor.email });
  patient = await loginAs(server, { role: "patient", phone: newPhone() });
});
afterAll(async () => {
  await server?.stop();
  await gateway?.[Symbol.asyncDispose]();
});

const read = async (path: string) => readable((await patient.get(path)).text);
const payPage = (visit: string) => `/patient/appointments/payment/${visit}`;
const timesPage = () => `/patient/appointments/datetime?doctorId=${doctor.id}`;

it("changes nothing until the doctor asks for it", async () => {
  expect(await read(timesPage())).not.toMatch(RULE);
  const visit = bookedId(await book(patient, doctor.id, slots[0]!))!;
  expect(await server.sql`select prepay_until as until from appointments where id = ${visit}`).toEqual([{ until: null }]);
  const page = await read(payPage(visit));
  expect([page.includes("Pay online by"), page.includes("Pay at the clinic")]).toEqual([false, true]);
});

it("is said before booking and on the pages of the appointment, in three languages", async () => {
  expect(readable((await asDoctor.get(POLICY)).text)).toContain("Patients must pay online when they book");
  expect((await asDoctor.post(POLICY, { hours: "24", prepay: "on" })).status).toBe(303);
  expect((await asDoctor.get(POLICY)).text).toMatch(/<input[^>]*name="prepay"[^>]*checked/);
  expect(await read(timesPage())).toMatch(RULE);
  const detail = await read(`/details/doctor/${doctor.id}`);
  expect([detail.includes("Pay online when you book"), detail.includes("or at the clinic")]).toEqual([true, false]);
  const details = await read(bookingPage(doctor.id, slots[1]!));
  expect(details).toMatch(RULE);
  expect(details).not.toContain("You pay nothing now");
  const visit = bookedId(await book(patient, doctor.id, slots[1]!))!;
  const pay = await read(payPage(visit));
  expect(pay).toMatch(/Pay online by \d+:\d\d [AP]M\. Otherwise the appointment is cancelled\./);
  expect([pay.includes("Pay ₹500 now"), pay.includes("Pay at the clinic")]).toEqual([true, false]);
  expect((await patient.post(payPage(visit), { method: "clinic" })).status).toBe(409);
  expect(await read(`/patient/appointments/${visit}`)).toMatch(/Pay online by/);
  for (const [language, word] of [
    ["te", "ఆన్‌లైన్‌లో చెల్లించండి"],
    ["hi", "ऑनलाइन भुगतान करें"],
  ])
    expect(await read(`${payPage(visit)}?lang=${language}`)).toContain(word);
});

it("asks for nothing while the bank is confirming the payment, also after its time", async () => {
  const visit = bookedId(await book(patient, doctor.id, slots[4]!))!;
  await patient.post(payPage(visit), { method: "online" });
  const [order] = await server.sql`select id, provider_order_id as theirs from payment_orders where appointment_id = ${visit}`;
  const payment = gateway.attempt(order!.theirs, "slow");
  const result = {
    razorpay_payment_id: payment.id,
    razorpay_order_id: payment.orderId,
    razorpay_signature: gateway.signatureOf(payment),
  };
  const path = `/payments/return/${order!.id}`;
  const headers = { "content-type": "application/x-www-form-urlencoded", origin: gateway.url, "sec-fetch-site": "cross-site" };
  expect((await raw(server.url, { method: "POST", path, headers, body: new URLSearchParams(result).toString() })).status).toBe(303);
  for (const until of ["10 minutes", "-1 second"]) {
    await server.sql`update appointments set prepay_until = now() + ${until}::interval where id = ${visit}`;
    for (const page of [payPage(visit), `/patient/appointments/${visit}`]) {
      const words = await read(page);
      expect(words, page).toContain("Your bank is still confirming the payment");
      expect(words, page).not.toMatch(/Pay online by|The time to pay is over/);
    }
  }
});

it("is in the answer to an app that books", async () => {
  const { date } = slots[0]!;
  const answer = await fetch(`${server.url}/api/appointments/book`, {
    method: "POST",
    headers: { authorization: `Bearer ${await tokenFor(server, patient.userId)}`, "content-type": "application/json" },
    body: JSON.stringify({
      ...{ doctor: doctor.id, date, time: "12:00 PM" },
      patientInfo: { name: "Asha", phone: "9876543210", age: 30, gender: "female" },
    }),
  });
  const { appointment } = (await answer.json()) as { appointment: { id: string; payBefore: string } };
  const [stored] = await server.sql<{ until: string }[]>`select prepay_until as until from appointments where id = ${appointment.id}`;
  expect([answer.status, appointment.payBefore]).toEqual([201, new Date(stored!.until).toISOString()]);
});

it("cancels the appointment when its time is over, and offers other times", async () => {
  const visit = bookedId(await book(patient, doctor.id, slots[2]!))!;
  await server.sql`update appointments set prepay_until = now() - interval '1 hour' where id = ${visit}`;
  const late = await read(payPage(visit));
  expect(late).toMatch(/The time to pay is over|This appointment is cancelled/);
  expect(late).not.toContain("Pay ₹500 now");
  await runJob(server, "sweep-unpaid");
  expect(await read(payPage(visit))).toContain("This appointment is cancelled");
  expect(await read(`/patient/appointments/${visit}`)).toContain("it was not paid in time");
  expect(readable((await asDoctor.get("/doctor/notifications")).text)).toContain("was not paid in time and is cancelled");
});
