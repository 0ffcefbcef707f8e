/** Prepayment: an appointment that is not paid in time is cancelled once, and one that was paid never. */
import { describe, expect, it } from "vitest";
import { bookAppointment } from "#app/domains/booking/appointments/book-appointment.server.ts";
import { bookForCaller } from "#app/domains/booking/appointments/book-for-caller.server.ts";
import { changeAppointment } from "#app/domains/booking/appointments/change-appointment.server.ts";
import { getRefundPolicy, requiresPrepayment, setRefundPolicy } from "#app/domains/booking/cancellation/policies.server.ts";
import { choosePayment } from "#app/domains/booking/payments/choose-payment.server.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import type { PaymentProvider } from "#app/integrations/payments/payment-provider.server.ts";
import { razorpay } from "#app/integrations/payments/razorpay.server.ts";
import { instantInIndia } from "#app/lib/dates.ts";
import type { DomainError } from "#app/lib/domain-error.ts";
import { minutes } from "#app/lib/durations.ts";
import { paise } from "#app/lib/money.ts";
import type { Phone } from "#app/lib/phone.ts";
import { type Gateway, startGateway } from "../../../../scripts/gateway/gateway.ts";
import { wishFor } from "../../../../tests/factories/booking.ts";
import { addPlaceDoctor, makeMember, makePlace } from "../../../../tests/factories/members.ts";
import { dayFromNow, makeDoctor, makePatient, newPhone } from "../../../../tests/factories/people.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { recordPayment } from "../payments/record-payment.server.ts";
import { applyOrder } from "./apply-order.server.ts";
import { startOrder } from "./start-order.server.ts";
import { sweepUnpaid } from "./sweep-unpaid.server.ts";

const { db, sql, ctx } = testDb();
const KEYS = { keyId: "rzp_test_1", keySecret: "key-secret-of-the-test" };
const DAY = dayFromNow(5);
/** When the appointments of this file are booked. */
const BOOKED = instantInIndia(dayFromNow(2), "11:00");
const after = (min: number) => new Date(BOOKED.getTime() + minutes(min));
const slot = { date: DAY, time: "10:00" };
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: DomainError) => error.code,
  );

/** A doctor who requires prepayment, and a gateway. */
async function prepaid({ isRequired = true, slots = [slot] } = {}) {
  const gateway = await startGateway({ ...KEYS, webhookSecret: "webhook-secret", webhookUrl: null });
  const provider = razorpay({ ...KEYS, provider: "local", webhookSecrets: ["webhook-secret"], baseUrl: gateway.url });
  const [doctor, patient] = [await makeDoctor(db, { slots }), await makePatient(db)];
  function at(min: number, actor: Actor, by?: PaymentProvider | null): Ctx<Actor>;
  function at(min: number, actor?: null, by?: PaymentProvider | null): Ctx;
  function at(min: number, actor: Actor | null = null, by: PaymentProvider | null = provider): Ctx {
    const own = ctx(actor as Actor, after(min));
    return { ...own, integrations: { ...own.integrations, payments: by } };
  }
  if (isRequired) await setRefundPolicy(at(0, doctor.actor), { hospitalId: null, hours: 24, prepay: true });
  const bookAt = async (over: object = {}) => (await bookAppointment(at(0, patient.actor), wishFor(doctor.id, { ...slot, ...over }))).id;
  /** Opens an order and returns its ids, of ours and of the provider. */
  const order = async (id: string, min = 1) => {
    await startOrder(at(min, patient.actor), id);
    const [row] = await sql<{ id: string; theirs: string; expires: string }[]>`
      select id, provider_order_id as theirs, expires_at as expires from payment_orders where appointment_id = ${id} order by created_at desc`;
    return row!;
  };
  return { gateway, provider, doctor, patient, at, bookAt, order, [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose]() };
}
const stateOf = async (id: string) =>
  (await sql`select status, cancelled_by as by, cancel_reason as reason, refund_owed as owed from appointments where id = ${id}`)[0];
const CANCELLED = { status: "cancelled", by: null, reason: "unpaid", owed: true };
const isFree = async (doctorId: string, date = DAY, time = "10:00") =>
  (await sql`select from slot_claims where doctor_id = ${doctorId} and date = ${date} and time = ${time}`).length === 0;
const paidOf = async (id: string) => sql`select amount::int, refunded::int, unseatable from payments where appointment_id = ${id}`;

describe("an unpaid appointment", () => {
  it("is cancelled 30 minutes after booking, once by two jobs at the same time", async () => {
    await using world = await prepaid();
    const { at, doctor, patient } = world;
    const id = await world.bookAt();
    await sweepUnpaid(at(29));
    expect((await stateOf(id))!.status).toBe("pending");
    await Promise.all([sweepUnpaid(at(30)), sweepUnpaid(at(30)), sweepUnpaid(at(30))]);
    expect(await stateOf(id)).toEqual(CANCELLED);
    expect(await isFree(doctor.id)).toBe(true);
    expect(
      await sql`select user_id as id, kind from notifications where target_path like ${`%${id}%`} and kind like 'appointment-%' and kind <> 'appointment-booked' order by kind`,
    ).toEqual([
      { id: doctor.id, kind: "appointment-cancelled" },
      { id: patient.id, kind: "appointment-unpaid" },
    ]);
    expect(
      await sql`select actor_id as actor, details->>'cancelReason' as why from audit_log where subject_id = ${id} and action = 'cancel-appointment'`,
    ).toEqual([{ actor: null, why: "unpaid" }]);
    expect(await sql`select kind from domain_events where subject_id = ${id} and kind = 'appointment.cancel'`).toHaveLength(1);
    // The time can be booked again.
    const other = await makePatient(db);
    await bookAppointment(at(31, other.actor), wishFor(doctor.id, slot));
  });

  it("is cancelled although the doctor accepted it", async () => {
    await using world = await prepaid();
    const id = await world.bookAt();
    await changeAppointment(world.at(5, world.doctor.actor), { id, action: "accept" });
    await Promise.all([
      sweepUnpaid(world.at(30)),
      changeAppointment(world.at(30, world.doctor.actor), { id, action: "accept" }).catch(() => null),
    ]);
    expect(await stateOf(id)).toEqual(CANCELLED);
  });

  it("accepts no other way to pay, and no payment after its time", async () => {
    await using world = await prepaid();
    const id = await world.bookAt();
    expect(await codeOf(choosePayment(world.at(1, world.patient.actor), { id, method: "clinic" }))).toBe("conflict");
    expect(new Date((await world.order(id, 10)).expires)).toEqual(after(30));
    expect(await codeOf(startOrder(world.at(30, world.patient.actor), id))).toBe("conflict");
  });

  it("stays while the provider is down, and is cancelled when it is back", async () => {
    await using world = await prepaid();
    const id = await world.bookAt();
    await world.order(id);
    world.gateway.behaviour.down = true;
    await sweepUnpaid(world.at(30));
    expect((await stateOf(id))!.status).toBe("pending");
    world.gateway.behaviour.down = false;
    await sweepUnpaid(world.at(40));
    expect(await stateOf(id)).toEqual(CANCELLED);
  });

  it("stays for 15 minutes while the bank is confirming a payment", async () => {
    await using world = await prepaid();
    const id = await world.bookAt();
    world.gateway.attempt((await world.order(id)).theirs, "slow");
    for (const min of [30, 44]) {
      await sweepUnpaid(world.at(min));
      expect((await stateOf(id))!.status).toBe("pending");
    }
    await sweepUnpaid(world.at(46));
    expect(await stateOf(id)).toEqual(CANCELLED);
  });
});

describe("a paid appointment stays", () => {
  const pay = (gateway: Gateway, theirs: string) => gateway.attempt(theirs, "pay");

  it("when every message of the provider was lost", async () => {
    await using world = await prepaid();
    const id = await world.bookAt();
    pay(world.gateway, (await world.order(id)).theirs);
    await sweepUnpaid(world.at(30));
    expect((await stateOf(id))!.status).toBe("pending");
    expect(await paidOf(id)).toEqual([{ amount: 50_000, refunded: 0, unseatable: false }]);
  });

  it("when the payment is applied during the job", async () => {
    await using world = await prepaid();
    const id = await world.bookAt();
    const { id: orderId, theirs } = await world.order(id);
    pay(world.gateway, theirs);
    await Promise.all([sweepUnpaid(world.at(30)), applyOrder(world.at(30), orderId), sweepUnpaid(world.at(30))]);
    expect((await stateOf(id))!.status).toBe("pending");
    expect(await paidOf(id)).toEqual([{ amount: 50_000, refunded: 0, unseatable: false }]);
  });

  it("when the clinic took the money, and otherwise refuses the money", async () => {
    await using world = await prepaid();
    const id = await world.bookAt();
    const took = await Promise.all([
      codeOf(
        recordPayment(world.at(30, world.doctor.actor), {
          hospitalId: null,
          appointmentId: id,
          method: "cash",
          amount: paise(50_000),
          reference: null,
          key: "cash-key-1",
        }),
      ),
      sweepUnpaid(world.at(30)),
    ]);
    const { status } = (await stateOf(id))!;
    expect([took[0], status, (await paidOf(id)).length]).toEqual(
      status === "pending" ? [null, "pending", 1] : ["conflict", "cancelled", 0],
    );
  });
});

it("returns money that was captured in the moment of the cancellation", async () => {
  await using world = await prepaid();
  const { gateway, provider } = world;
  const id = await world.bookAt();
  const { id: orderId, theirs } = await world.order(id);
  const late: PaymentProvider = {
    ...provider,
    // The patient pays after the provider has answered the job that nothing was paid.
    fetchPayments: async (of) => {
      const payments = await provider.fetchPayments(of);
      if (gateway.payments.size === 0) gateway.attempt(theirs, "pay");
      return payments;
    },
  };
  await sweepUnpaid(world.at(30, null, late));
  expect(await stateOf(id)).toEqual(CANCELLED);
  await applyOrder(world.at(31), orderId);
  expect(await paidOf(id)).toEqual([{ amount: 50_000, refunded: 50_000, unseatable: true }]);
});

describe("prepayment is not required", () => {
  it("without a provider, also of appointments booked with one", async () => {
    await using world = await prepaid({ slots: [slot, { date: DAY, time: "11:00" }] });
    const id = await world.bookAt();
    await sweepUnpaid(world.at(40, null, null));
    expect((await stateOf(id))!.status).toBe("pending");
    const wish = wishFor(world.doctor.id, { date: DAY, time: "11:00" });
    const { id: later } = await bookAppointment(world.at(0, world.patient.actor, null), wish);
    await sweepUnpaid(world.at(40));
    expect((await stateOf(later))!.status).toBe("pending");
    await choosePayment(world.at(1, world.patient.actor, null), { id: later, method: "clinic" });
  });

  it("by a doctor who did not ask for it, and of callers", async () => {
    await using other = await prepaid({ isRequired: false });
    const free = await other.bookAt();
    await sweepUnpaid(other.at(40));
    expect((await stateOf(free))!.status).toBe("pending");
    await using world = await prepaid();
    const { id } = await bookForCaller(world.at(0, world.doctor.actor), {
      hospitalId: null,
      doctorId: world.doctor.id,
      at: slot as never,
      phone: newPhone() as Phone,
      name: "Caller",
      age: 40,
      gender: "female",
      idempotencyKey: "caller-key-1",
    });
    await sweepUnpaid(world.at(40));
    expect((await stateOf(id))!.status).toBe("accepted");
  });

  it("after the start: the patient is at the clinic", async () => {
    const near = { date: dayFromNow(2), time: "11:20" };
    await using world = await prepaid({ slots: [near] });
    const id = await world.bookAt(near);
    await sweepUnpaid(world.at(31));
    expect((await stateOf(id))!.status).toBe("pending");
  });
});

it("is set by the owner of a place for its doctors, and not by its other members", async () => {
  await using world = await prepaid({ isRequired: false });
  const { at, doctor } = world;
  const place = await makePlace(db);
  await sql`update doctors set hospital_id = ${place.id} where id = ${doctor.id}`;
  await addPlaceDoctor(db, place.id, doctor.id);
  const desk = await makeMember(db, place.id, "reception");
  const rules = { hospitalId: place.id, hours: 24 as const, prepay: true };
  expect(await codeOf(setRefundPolicy(at(0, desk), rules))).toBe("forbidden");
  await setRefundPolicy(at(0, place.owner), rules);
  expect(await getRefundPolicy(at(0, place.owner), rules)).toEqual({ hours: 24, prepay: true });
  expect(await requiresPrepayment(at(0, null), { doctorId: doctor.id, ...slot })).toBe(true);
  expect(await requiresPrepayment(at(0, null, null), { doctorId: doctor.id, ...slot })).toBe(false);
  const id = await world.bookAt();
  // A later change does not concern it.
  await setRefundPolicy(at(1, place.owner), { ...rules, prepay: false });
  await sweepUnpaid(at(30));
  expect(await stateOf(id)).toEqual(CANCELLED);
});
