/** Orders that transfer their amount to the payout account of the clinic, and refunds that take it back, at the test gateway. */
import { describe, expect, it } from "vitest";
import { outboxMessages } from "#app/db/schema/index.ts";
import { changeAppointment } from "#app/domains/booking/appointments/change-appointment.server.ts";
import { appointmentQueries } from "#app/domains/booking/appointments/send-reminders.server.ts";
import { sendNotificationEmail } from "#app/domains/platform/delivery/deliver.server.ts";
import type { DomainError } from "#app/lib/domain-error.ts";
import { days, hours, minutes } from "#app/lib/durations.ts";
import { paise } from "#app/lib/money.ts";
import type { PlatformFee } from "#app/lib/platform-fee.ts";
import { addPlaceDoctor, makePlace } from "../../../../tests/factories/members.ts";
import { makePayoutAccount } from "../../../../tests/factories/payout-accounts.ts";
import { makeDoctor, makeStaff } from "../../../../tests/factories/people.ts";
import { GATE } from "../../../../tests/setup/long.ts";
import { seedOf } from "../../../../tests/setup/seed.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { NOW, type TransferWorld, transferWorld } from "../../../../tests/setup/transfer-world.ts";
import { randomOf } from "../../../../tests/setup/waitlist-simulation.ts";
import { sweepPayouts } from "../payouts/send-payout.server.ts";
import { listMismatches } from "../settlements/queries.server.ts";
import { readSettlements } from "../settlements/read-settlements.server.ts";
import { applyOrder } from "./apply-order.server.ts";
import { returnFailedRefund } from "./return-failed.server.ts";

const database = testDb();
const { db, sql } = database;
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: DomainError) => error.code,
  );

const world = (platformFee?: PlatformFee) => transferWorld(database, platformFee);

describe("an order", () => {
  it("transfers its whole amount to the confirmed account of the doctor", async () => {
    await using one = await world();
    const account = await makePayoutAccount({ sql, ...one }, one.doctor.id);
    await one.pay();
    expect(await one.orders()).toMatchObject([{ account, state: "paid" }]);
    expect([...one.gateway.orders.values()].map(({ transfers }) => transfers)).toEqual([[{ account, amount: 50_000 }]]);
    expect(one.transferred()).toEqual([{ account, left: 50_000 }]);
  });
  it.each(["requested", "checking", "refused", "missing"] as const)("has no transfer while the account is %s", async (state) => {
    await using one = await world();
    if (state !== "missing") await makePayoutAccount({ sql, ...one }, one.doctor.id, { state });
    // Another doctor's account changes nothing.
    await makePayoutAccount({ sql, ...one }, (await makeDoctor(db)).id);
    await one.pay();
    expect(await one.orders()).toMatchObject([{ account: null, state: "paid" }]);
    expect(one.transferred()).toEqual([]);
  });
  it("transfers to the account of the place whose staff act for the doctor", async () => {
    await using one = await world();
    const place = await makePlace(db);
    await addPlaceDoctor(db, place.id, one.doctor.id);
    await sql`update doctors set hospital_id = ${place.id} where id = ${one.doctor.id}`;
    await makePayoutAccount({ sql, ...one }, one.doctor.id);
    const account = await makePayoutAccount({ sql, ...one }, place.id, { isPlace: true });
    await one.pay();
    expect(one.transferred()).toEqual([{ account, left: 50_000 }]);
  });
  it("has no transfer for a place without an account, although the doctor has one", async () => {
    await using one = await world();
    const place = await makePlace(db);
    await addPlaceDoctor(db, place.id, one.doctor.id);
    await sql`update doctors set hospital_id = ${place.id} where id = ${one.doctor.id}`;
    await makePayoutAccount({ sql, ...one }, one.doctor.id);
    await one.pay();
    expect(one.transferred()).toEqual([]);
  });
  it("keeps its account when the payout account changes before the provider answered", async () => {
    await using one = await world();
    const account = await makePayoutAccount({ sql, ...one }, one.doctor.id);
    one.gateway.behaviour.down = true;
    expect(await codeOf(one.order())).toBe("unavailable");
    await sql`update payout_accounts set state = 'checking' where merchant_id = ${one.doctor.id}`;
    Object.assign(one.gateway.behaviour, { down: false, losesAnswers: true });
    expect(await codeOf(one.order())).toBe("unavailable");
    one.gateway.behaviour.losesAnswers = false;
    await one.pay();
    expect(one.gateway.orders.size).toBe(1);
    expect(await one.orders()).toMatchObject([{ account }]);
    expect(one.transferred()).toEqual([{ account, left: 50_000 }]);
    await expect(sql`update payment_orders set transfer_account = 'acc_other' where appointment_id = ${one.visit}`).rejects.toThrow(
      "stays",
    );
    await expect(sql`update payment_orders set transfer_account = null where appointment_id = ${one.visit}`).rejects.toThrow("stays");
  });
  it("ends when the provider has suspended the account, and the next one has no transfer", async () => {
    await using one = await world();
    const account = await makePayoutAccount({ sql, ...one }, one.doctor.id);
    one.gateway.linked.decide(account, "suspended");
    expect(await codeOf(one.order())).toBe("unavailable");
    expect(await one.orders()).toMatchObject([{ account, theirs: null, state: "failed" }]);
    await sweepPayouts(one.as());
    one.later(minutes(1));
    await one.pay();
    expect(await one.orders()).toMatchObject([{ state: "failed" }, { account: null, state: "paid" }]);
    expect(one.gateway.orders.size).toBe(1);
  });
});

describe("a refund", () => {
  it("of a cancelled appointment is taken back from the account, also when the payout account has changed since", async () => {
    await using one = await world();
    const account = await makePayoutAccount({ sql, ...one }, one.doctor.id);
    await one.pay();
    await sql`delete from payout_accounts where merchant_id = ${one.doctor.id}`;
    await makePayoutAccount({ sql, ...one }, one.doctor.id);
    await changeAppointment(one.as(one.doctor.actor), { id: one.visit, action: "cancel" });
    await one.sweep();
    expect(await one.refunds()).toMatchObject([{ amount: 50_000, state: "processed" }]);
    expect(one.transferred()).toEqual([{ account, left: 0 }]);
    expect(one.reversed()).toEqual([50_000]);
  });
  it("of a part takes back that part", async () => {
    await using one = await world();
    const account = await makePayoutAccount({ sql, ...one }, one.doctor.id);
    const payment = await one.pay();
    for (const amount of [12_345, 10_000]) {
      await one.refund(payment.id, amount);
      await one.sweep();
    }
    expect(one.transferred()).toEqual([{ account, left: 50_000 - 22_345 }]);
    expect(one.reversed().sort()).toEqual([10_000, 12_345]);
    // Made in the dashboard with the same option, and the rest by us.
    one.gateway.dashboardRefund(payment.theirs, 5_000, true);
    await applyOrder(one.as(), (await one.orders())[0]!.id);
    await one.refund(payment.id, 50_000 - 27_345);
    await one.sweep();
    expect((await one.refunds()).map(({ state }) => state)).toEqual(Array(4).fill("processed"));
    expect(one.transferred()).toEqual([{ account, left: 0 }]);
  });
  it("of an order without a transfer takes nothing back", async () => {
    await using one = await world();
    const payment = await one.pay();
    await makePayoutAccount({ sql, ...one }, one.doctor.id);
    await one.refund(payment.id, 50_000);
    await one.sweep();
    expect(await one.refunds()).toMatchObject([{ state: "processed" }]);
    expect(one.reversed()).toEqual([]);
  });
  it("of a transfer that failed takes nothing back", async () => {
    await using one = await world();
    await makePayoutAccount({ sql, ...one }, one.doctor.id);
    one.gateway.transferred.behaviour.fail = true;
    const payment = await one.pay();
    await one.refund(payment.id, 50_000);
    await one.sweep();
    expect(await one.refunds()).toMatchObject([{ state: "processed" }]);
    expect(one.reversed()).toEqual([]);
  });
  it("takes back once, when the bank refuses the first attempt after the reversal", async () => {
    await using one = await world();
    const account = await makePayoutAccount({ sql, ...one }, one.doctor.id);
    one.gateway.behaviour.refundsAtOnce = false;
    const payment = await one.pay();
    await one.refund(payment.id, 20_000);
    await one.sweep();
    one.gateway.settleRefund([...one.gateway.refunds.keys()][0]!, "failed");
    await applyOrder(one.as(), (await one.orders())[0]!.id);
    expect(await one.refunds()).toMatchObject([{ state: "failed" }]);
    one.later(hours(1));
    one.gateway.behaviour.refundsAtOnce = true;
    await one.sweep();
    expect(await one.refunds()).toMatchObject([{ state: "processed", attempt: 2 }]);
    expect(one.gateway.refunds.size).toBe(2);
    expect(one.transferred()).toEqual([{ account, left: 30_000 }]);
  });
});

describe("a clinic's account without money", () => {
  /** A payment whose refund was requested and refused. */
  async function refused() {
    const one = await world();
    const account = await makePayoutAccount({ sql, ...one }, one.doctor.id);
    const payment = await one.pay();
    one.gateway.transferred.behaviour.noBalance = true;
    await one.refund(payment.id, 50_000);
    await one.sweep();
    /** Lets ten minutes pass until the attempt under way has failed. */
    const failAttempt = async () => {
      for (let n = 0; n < 12 && (await one.refunds())[0]!.state === "pending"; n++) {
        one.later(minutes(10));
        await one.sweep();
      }
      expect(await one.refunds()).toMatchObject([{ state: "failed" }]);
    };
    return { ...one, account, payment, failAttempt };
  }
  const notified = (visit: string) =>
    sql<{ kind: string }[]>`select kind from notifications where params->>'appointment' = ${visit} and kind ~ '^refund-' order by kind`;

  it("delays the refund until it has money again", async () => {
    await using one = await refused();
    expect(await one.refunds()).toMatchObject([{ state: "pending", tries: 1 }]);
    await one.failAttempt();
    one.gateway.transferred.behaviour.noBalance = false;
    one.later(hours(1) - minutes(1));
    await one.sweep();
    expect(await one.refunds()).toMatchObject([{ state: "failed" }]);
    one.later(minutes(1));
    await one.sweep();
    expect(await one.refunds()).toMatchObject([{ state: "processed", attempt: 2 }]);
    expect(one.transferred()).toEqual([{ account: one.account, left: 0 }]);
    expect((await notified(one.visit)).map(({ kind }) => kind)).toEqual(["refund-done", "refund-started"]);
  });
  it("leaves the refund to the clinic after the fourth attempt, and nothing is taken from the account", async () => {
    await using one = await refused();
    for (const wait of [hours(1), hours(6), hours(24)]) {
      await one.failAttempt();
      one.later(wait);
      await one.sweep();
      expect(await one.refunds()).toMatchObject([{ state: "pending" }]);
    }
    expect((await notified(one.visit)).map(({ kind }) => kind)).toEqual(["refund-started"]);
    await one.failAttempt();
    expect((await notified(one.visit)).map(({ kind }) => kind)).toEqual(["refund-failed", "refund-started", "refund-stuck"]);
    one.later(hours(48));
    await one.sweep();
    const [refund] = await one.refunds();
    expect(refund).toMatchObject({ state: "failed", attempt: 4 });
    const input = { hospitalId: null, paymentId: one.payment.id, failed: refund!.id, method: "cash", key: "returned" } as const;
    await returnFailedRefund(one.as(one.doctor.actor), input);
    expect((await one.refunds()).map(({ state }) => state)).toEqual(["withdrawn", null]);
    expect(one.gateway.refunds.size).toBe(0);
    expect(one.transferred()).toEqual([{ account: one.account, left: 50_000 }]);
  });
  it("emails each active administrator once after the fourth attempt, without the patient, in the administrator's language", async () => {
    await sql`update users set status = 'suspended' where role = 'admin'`;
    const [english, hindi, telugu, suspended] = [
      await makeStaff(db, "admin"),
      await makeStaff(db, "admin"),
      await makeStaff(db, "admin"),
      await makeStaff(db, "admin"),
    ];
    await makeStaff(db, "reviewer");
    await sql`update users set language = 'hi' where id = ${hindi.userId}`;
    await sql`update users set language = 'te' where id = ${telugu.userId}`;
    await sql`update users set status = 'suspended' where id = ${suspended.userId}`;
    await using one = await refused();
    await sql`update doctors set full_name = 'Dr. Asha Rao', translations = '{"te": {"name": "డా. ఆశా రావు"}, "hi": {"name": "डॉ. आशा राव"}}'
      where id = ${one.doctor.id}`;
    await sql`update appointments set date = '2026-11-30' where id = ${one.visit}`;
    const unsolved = () =>
      sql<{ id: string; userId: string }[]>`select id, user_id as "userId" from notifications where kind = 'refund-unsolved' order by 1`;
    for (const wait of [hours(1), hours(6), hours(24)]) {
      await one.failAttempt();
      expect(await unsolved()).toEqual([]);
      one.later(wait);
      await one.sweep();
    }
    await one.failAttempt();
    one.later(hours(48));
    await one.sweep();
    const notices = await unsolved();
    expect(notices.map(({ userId }) => userId).sort()).toEqual([english, hindi, telugu].map(({ userId }) => userId).sort());
    const jobs = await sql`select data->>'notificationId' as id from pgboss.job where name = 'notification-email'
      and data->>'notificationId' in ${sql(notices.map(({ id }) => id))}`;
    expect(jobs.map(({ id }) => id).sort()).toEqual(notices.map(({ id }) => id).sort());
    await db.delete(outboxMessages);
    for (const { id } of notices) await sendNotificationEmail(one.as(), id, appointmentQueries);
    const sent = await sql<{ id: string; text: string }[]>`select u.id, m.subject || ': ' || split_part(m.body, E'\n', 1) as text
      from outbox_messages m join users u on u.email = m."to"`;
    expect(Object.fromEntries(sent.map(({ id, text }) => [id, text]))).toEqual({
      [english.userId]:
        "Refund did not go through · Nadi: A refund of ₹500 of Dr. Asha Rao (appointment on 30 Nov 2026) did not go through after four attempts. The clinic has to return the money.",
      [hindi.userId]:
        "रिफ़ंड पूरा नहीं हुआ · नाड़ी: डॉ. आशा राव के 30 नवंबर 2026 के अपॉइंटमेंट के लिए ₹500 का रिफ़ंड चार कोशिशों के बाद भी पूरा नहीं हुआ। पैसे क्लिनिक को लौटाने हैं।",
      [telugu.userId]:
        "వాపసు పూర్తి కాలేదు · నాడి: డా. ఆశా రావు వద్ద 30 నవంబర్ 2026 అపాయింట్‌మెంట్‌కు ₹500 వాపసు నాలుగు ప్రయత్నాల తర్వాత కూడా పూర్తి కాలేదు. డబ్బును క్లినిక్ తిరిగి ఇవ్వాలి.",
    });
    expect(sent).toHaveLength(3);
    const whole = (await sql<{ body: string }[]>`select body from outbox_messages`).map(({ body }) => body).join();
    expect(whole.match(/http\S+/g)).toEqual(Array(3).fill(expect.stringMatching(/\/admin\/payments$/)));
    for (const secret of ["Proof Patient", "Routine Checkup", one.patient.phone.slice(-10)]) expect(whole).not.toContain(secret);
  });
});

// A failure is repeated with MONEY_SEED.
const seed = seedOf("MONEY_SEED");
it(`takes from the account exactly what patients got back, whatever fails (seed ${seed})`, { timeout: 240_000 }, async () => {
  const random = randomOf(seed);
  for (let schedule = 0; schedule < (GATE ? 2 : 8); schedule++) {
    // Every other one has a platform fee, which the account neither gets nor gives.
    await using one = await world(schedule % 2 === 0 ? undefined : { amount: paise(2_000), tax: [], invoicer: "Nadi", gstin: null });
    const { gateway } = one;
    const account = await makePayoutAccount({ sql, ...one }, one.doctor.id);
    const payment = await one.pay();
    const [{ id: orderId }] = (await one.orders()) as unknown as [{ id: string }];
    gateway.behaviour.refundsAtOnce = false;
    const theirs = () => gateway.payments.get(payment.theirs)!;
    const settle = (all: boolean) => {
      for (const { id, status } of gateway.refunds.values())
        if (status === "pending" && (all || random() < 0.5)) gateway.settleRefund(id, all || random() < 0.6 ? "processed" : "failed");
    };
    for (let step = 0; step < 14; step++) {
      Object.assign(gateway.behaviour, { losesAnswers: random() < 0.15, down: random() < 0.1 });
      gateway.transferred.behaviour.noBalance = random() < 0.3;
      const roll = random();
      // Several refunds may be under way at once. A refusal says that nothing is left.
      if (roll < 0.4) await one.refund(payment.id, 1 + Math.floor(random() * 15_000)).catch(() => undefined);
      else if (roll < 0.5 && (await one.refunds()).every(({ state }) => state === "processed")) {
        const left = theirs().amount - theirs().refunded;
        if (left > 1_000) gateway.settleRefund(gateway.dashboardRefund(payment.theirs, 1_000, true).id, "processed");
      } else settle(false);
      one.later(random() < 0.7 ? minutes(11) : hours(2));
      await one.sweep();
    }
    Object.assign(gateway.behaviour, { losesAnswers: false, down: false });
    gateway.transferred.behaviour.noBalance = false;
    for (let n = 0; n < 8; n++) {
      settle(true);
      one.later(hours(25));
      await applyOrder(one.as(), orderId);
      for (const { id, state, attempt } of await one.refunds())
        if (state === "failed" && attempt === 4)
          await returnFailedRefund(one.as(one.doctor.actor), {
            hospitalId: null,
            paymentId: payment.id,
            failed: id,
            method: "online",
            key: `again-${n}`,
          });
      await one.sweep();
    }
    const states = (await one.refunds()).map(({ state }) => state);
    expect(new Set([...states, "processed"]), `schedule ${schedule}`).toEqual(new Set(["processed"]));
    const [ours] =
      await sql`select amount::int, refunded::int, platform_fee::int as fee, platform_fee_refunded::int as returned from payments where id = ${payment.id}`;
    const { amount, refunded, fee, returned } = ours!;
    expect(one.transferred(), `schedule ${schedule}`).toEqual([{ account, left: amount - refunded }]);
    expect([amount + fee, refunded + returned, returned]).toEqual([theirs().amount, theirs().refunded, refunded === amount ? fee : 0]);
  }
});

describe("the settlement report", () => {
  const found = async (one: TransferWorld) => {
    await readSettlements(one.as());
    const mismatches = await listMismatches(one.as(), new Date(NOW.getTime() - days(30)));
    return mismatches.map(({ mismatch, kind, id }) => ({ mismatch, kind, id }));
  };
  /** A transferred payment with two refunds of a part, in a report of the gateway. */
  async function reported() {
    const one = await world();
    await makePayoutAccount({ sql, ...one }, one.doctor.id);
    const payment = await one.pay();
    for (const amount of [10_000, 5_000]) {
      await one.refund(payment.id, amount);
      await one.sweep();
    }
    one.gateway.report.settle(NOW.getTime());
    const { lines } = one.gateway.report;
    return { ...one, lines, payment, transfer: lines.find(({ type }) => type === "transfer")! };
  }

  it("agrees with transfers and reversals", async () => {
    await using one = await reported();
    expect(one.lines.map(({ type }) => type).sort()).toEqual(["payment", "refund", "refund", "reversal", "reversal", "transfer"]);
    expect(await found(one)).toEqual([]);
    // Nothing is missing later either.
    one.later(days(10));
    expect(await found(one)).not.toContainEqual(expect.objectContaining({ id: one.payment.theirs }));
  });
  it("finds a payment that was transferred twice, and transfers that we did not request", async () => {
    await using one = await reported();
    const plain = await world();
    const other = await plain.pay();
    const again = { ...one.transfer, entity_id: "trf_again" };
    const unasked = { ...one.transfer, entity_id: "trf_unasked", payment_id: other.theirs };
    const taken = { ...one.lines.find(({ type }) => type === "reversal")!, entity_id: "rvrsl_taken" };
    one.lines.push(again, unasked, taken, { ...taken, entity_id: "rvrsl_nameless", payment_id: null });
    expect((await found(one)).toSorted((a, b) => a.id.localeCompare(b.id))).toEqual(
      [
        { mismatch: "settled-twice", kind: "transfer", id: one.transfer.entity_id },
        { mismatch: "settled-twice", kind: "transfer", id: "trf_again" },
        { mismatch: "missing-in-ours", kind: "transfer", id: "trf_unasked" },
        { mismatch: "missing-in-ours", kind: "reversal", id: "rvrsl_taken" },
        { mismatch: "missing-in-ours", kind: "reversal", id: "rvrsl_nameless" },
      ].toSorted((a, b) => a.id.localeCompare(b.id)),
    );
    await plain[Symbol.asyncDispose]();
  });
  it("finds a payment that was not transferred, and a refund that took nothing back", async () => {
    await using one = await world();
    await makePayoutAccount({ sql, ...one }, one.doctor.id);
    one.gateway.transferred.behaviour.fail = true;
    const kept = await one.pay();
    await using other = await world();
    await makePayoutAccount({ sql, ...other }, other.doctor.id);
    const paid = await other.pay();
    const refund = other.gateway.dashboardRefund(paid.theirs, 10_000);
    await applyOrder(other.as(), (await other.orders())[0]!.id);
    for (const { gateway } of [one, other]) gateway.report.settle(NOW.getTime());
    for (const world of [one, other]) {
      await readSettlements(world.as());
      world.later(days(8));
    }
    const ids = [kept.theirs, refund.id];
    expect((await found(other)).filter(({ id }) => ids.includes(id))).toEqual([
      { mismatch: "missing-in-theirs", kind: "transfer", id: kept.theirs },
      { mismatch: "missing-in-theirs", kind: "reversal", id: refund.id },
    ]);
  });
});
