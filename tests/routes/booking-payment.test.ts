/** The third step of a booking over HTTP: the payment page. */
import { describe, expect, it } from "vitest";
import { book, bookedId, readable } from "../factories/booking.ts";
import { makeDoctor, newPhone } from "../factories/people.ts";
import { newDoctor, newPatient, SLOT, server, visitsOf } from "../setup/booking.ts";
import { raw } from "../setup/http.ts";
import { loginAs } from "../setup/people.ts";
import { startServer } from "../setup/server.ts";

describe("step 3: payment", () => {
  it("shows UPI with a QR code and a reference, marked as demo, and stores the choice to pay at the clinic", async () => {
    const own = await newDoctor();
    const [place] = await server.sql`
      insert into hospitals (name, category, address, city, state, pin_code, phone)
      values ('Lotus Clinic', 'Clinic', '12 Brodipet, Guntur', 'Guntur', 'Andhra Pradesh', '522002', '+919848012345') returning id`;
    await server.sql`update doctors set hospital_id = ${place!.id} where id = ${own.id}`;
    const patient = await newPatient();
    const answer = await book(patient, own.id, SLOT);
    const page = await patient.follow(answer);
    const text = readable(page.text);
    expect(text).toContain("Appointment booked in progress!");
    expect(text).toContain("This is a demo. Please do not send money.");
    const [row] = await server.sql`select payment_reference from appointments where id = ${bookedId(answer)}`;
    expect(text).toContain(row!.payment_reference);
    // One press pays, directly below the confirmation, with the clinic beside it and the refund policy behind one line.
    expect(text).toContain("With any UPI app Pay at the clinic: At the desk, on the day");
    expect(page.text.slice(page.text.indexOf('id="booked"'))).toMatch(
      /id="how".*value="upi".*Pay ₹500 by UPI.*value="clinic".*Pay at the clinic.*<details.*Rules.*id="h-refund"/s,
    );
    expect(text).toContain("You pay the clinic directly, so refunds also come from the clinic.");
    expect((await patient.post(answer.location!, { method: "upi" })).location).toBe(answer.location);
    const paying = await patient.get(answer.location!);
    expect(readable(paying.text)).toContain("UPI payment not confirmed yet");
    const link = /href="(upi:[^"]*)"/.exec(paying.text)?.[1]?.replaceAll("&amp;", "&") ?? "";
    expect(new URL(link).searchParams.get("tr")).toBe(row!.payment_reference);
    expect(new URL(link).searchParams.get("am")).toBe("500.00");
    expect(page.text).toContain("<svg");
    // The address as a patient would give it to a driver, and the number to call.
    expect(page.text).toContain(`href="/hospital/${place!.id}"`);
    expect(text).toContain("Where Lotus Clinic 12 Brodipet, Guntur 522002 Clinic phone +91 98480 12345");
    const chosen = await patient.post(answer.location!, { method: "clinic" });
    expect(readable((await patient.get("/patient/calendar")).text)).toContain("Lotus Clinic");
    expect(chosen.location).toBe(`/patient/appointments/${bookedId(answer)}`);
    const sentence = `Pay at the clinic. Show reference number ${row!.payment_reference} at the desk.`;
    for (const path of [chosen.location!, answer.location!]) expect(readable((await patient.get(path)).text)).toContain(sentence);
    expect(readable((await patient.get("/patient/calendar")).text)).toContain("Pay at the clinic");
    expect(await visitsOf(patient)).toMatchObject([{ payment_method: "clinic", status: "pending" }]);
    expect((await patient.post(answer.location!, { method: "paid" })).status).toBe(400);
  });
  it("waits after the press for UPI, asks again on request, and ends at what the clinic recorded", async () => {
    const own = await newDoctor();
    const patient = await newPatient();
    const { location } = await book(patient, own.id, SLOT);
    const page = async () => {
      const { text } = await patient.get(location!);
      return { text: readable(text), refresh: /<noscript><meta http-equiv="refresh" content="10"/i.test(text) };
    };
    expect(await page()).toMatchObject({ refresh: false, text: expect.not.stringContaining("Finish in your UPI app") });
    await patient.post(location!, { method: "upi" });
    const waiting = await page();
    expect(waiting.refresh).toBe(true);
    expect(waiting.text).toMatch(
      /Finish in your UPI app Approve ₹500 to .*UPI payment not confirmed yet Checked at \d+:\d\d [AP]M\..*I have paid: check now.*Open the UPI app.*Pay at the clinic instead.*Appointment booked in progress!/,
    );
    const asked = await patient.post(location!, { method: "check" });
    expect(asked.location).toBe(location);
    expect(readable((await patient.follow(asked)).text)).toMatch(/Checked at \d+:\d\d [AP]M: your payment is not confirmed yet\./);
    const visit = location!.split("/").at(-1)!;
    const asDoctor = await loginAs(server, { role: "doctor", email: own.email });
    const form = `/doctor/patient/${visit}/payment`;
    const key = /name="key" value="([\w-]+)"/.exec((await asDoctor.get(form)).text)![1]!;
    expect((await asDoctor.post(form, { key, method: "upi", amount: "500" })).status).toBe(303);
    const paid = await patient.follow(await patient.post(location!, { method: "check" }));
    expect(readable(paid.text)).toContain("You paid ₹500");
    expect(readable(paid.text)).not.toContain("not confirmed yet");
    expect(await page()).toMatchObject({ refresh: false });
    const stranger = await newPatient();
    expect((await stranger.post(location!, { method: "check" })).status).toBe(404);
  });
  it("offers nothing online without a payment provider, and answers nothing of one", async () => {
    const own = await newDoctor();
    const patient = await newPatient();
    const answer = await book(patient, own.id, SLOT);
    const page = await patient.follow(answer);
    expect(readable(page.text)).not.toContain("Pay ₹500 now");
    expect(page.headers.get("content-security-policy")).toMatch(/form-action 'self'(;|$)/);
    expect((await patient.post(answer.location!, { method: "online" })).status).toBe(400);
    const visit = bookedId(answer);
    for (const path of ["/webhooks/local", "/webhooks/razorpay", `/payments/return/${visit}`])
      expect(
        (await raw(server.url, { method: "POST", path, headers: { "content-type": "application/x-www-form-urlencoded" }, body: "x=1" }))
          .status,
      ).toBe(404);
    const asDoctor = await loginAs(server, { role: "doctor", email: own.email });
    expect((await asDoctor.post(`/doctor/appointments/${visit}/cancel`, {})).status).toBe(303);
    expect(await server.sql`select from pgboss.job where name in ('refund-cancelled', 'payment-order', 'payment-refund')`).toHaveLength(0);
    expect(await server.sql`select from payment_orders`).toHaveLength(0);
  });
  it("handles a doctor without a fee, and a visit that is over", async () => {
    const free = await makeDoctor(server.db, { slots: [SLOT], fee: null });
    const patient = await newPatient();
    const answer = await book(patient, free.id, SLOT);
    const page = readable((await patient.follow(answer)).text);
    expect(page).toContain("The doctor has not set a fee. Ask the clinic and pay there.");
    expect(page).toContain("You can reschedule or cancel until ");
    await server.sql`update appointments set status = 'cancelled' where id = ${bookedId(answer)}`;
    expect(readable((await patient.get(answer.location!)).text)).toContain(
      "This appointment is no longer open, so there is nothing to pay.",
    );
    const refused = await patient.post(answer.location!, { method: "clinic" });
    expect(refused.status).toBe(409);
    expect(readable(refused.text)).toContain("This appointment is no longer open, so there is nothing to pay.");
  });
  it("shows the chosen way as a state, with the next step and a link to change it", async () => {
    const own = await newDoctor();
    const patient = await newPatient();
    const { location } = await book(patient, own.id, SLOT);
    const id = location!.split("/").at(-1);
    const pages = async () => {
      const [list, one] = [await patient.get("/patient/calendar"), await patient.get(`/patient/appointments/${id}`)];
      return [list, one].map(({ text }) => readable(text));
    };
    for (const page of await pages()) expect(page).toContain("Choose how to pay");
    for (const [method, state, next] of [
      ["upi", "UPI payment not confirmed yet", /Pay ₹[\d,]+ by UPI Change how you pay/],
      ["clinic", "Pay at the clinic", /at the desk\. Change how you pay/],
    ] as const) {
      await patient.post(location!, { method });
      const [list, one] = await pages();
      for (const page of [list, one]) {
        expect(page).toContain(state);
      }
      expect(one).toMatch(next);
      // The card leads to the page of the appointment.
      expect(list).not.toContain("how you pay");
    }
  });
  it("refuses a choice when the appointment is over, when nothing is to pay, and for a way that is not offered", async () => {
    const own = await newDoctor();
    const patient = await newPatient();
    const { location } = await book(patient, own.id, SLOT);
    const id = location!.split("/").at(-1)!;
    expect((await patient.post(location!, { method: "link" })).status).toBe(400);
    await server.sql`update appointments set discount = fee where id = ${id}`;
    const covered = await patient.post(location!, { method: "upi" });
    expect([covered.status, readable(covered.text).includes("There is nothing to pay.")]).toEqual([409, true]);
    expect(readable((await patient.get("/patient/calendar")).text)).not.toContain("Choose how to pay");
    await server.sql`update appointments set discount = 0, fee = null where id = ${id}`;
    expect((await patient.post(location!, { method: "upi" })).status).toBe(400);
    await server.sql`update appointments set fee = 50000, date = current_date - 2, status = 'accepted' where id = ${id}`;
    expect((await patient.post(location!, { method: "upi" })).status).toBe(409);
    const page = await patient.get(location!);
    expect(page.text).not.toContain('name="method"');
    // Its status is that of the list: the time has passed.
    expect(readable(page.text)).toContain("Completed");
    for (const path of ["/patient/calendar", "/patient/calendar?tab=past", `/patient/appointments/${id}`])
      expect((await patient.get(path)).text, path).not.toContain(`href="${location}"`);
    expect(await visitsOf(patient)).toMatchObject([{ payment_method: null }]);
  });
  it("uses the external link of PAYMENT_LINK_TEMPLATE, with reference and amount", async () => {
    const other = await startServer({ seed: false, env: { PAYMENT_LINK_TEMPLATE: "https://pay.example/{reference}?amount={amount}" } });
    try {
      const own = await makeDoctor(other.db, { slots: [SLOT] });
      const patient = await loginAs(other, { role: "patient", phone: newPhone() });
      const { location } = await book(patient, own.id, SLOT);
      expect((await patient.post(location!, { method: "upi" })).status).toBe(400);
      expect((await patient.post(location!, { method: "link" })).location).toBe(location);
      const page = await patient.get(location!);
      expect(page.text).toMatch(/href="https:\/\/pay\.example\/ND-[2-9A-Z]{4}-[2-9A-Z]{4}\?amount=500\.00"/);
      expect(page.text).not.toContain("upi://");
    } finally {
      await other.stop();
    }
  });
});
