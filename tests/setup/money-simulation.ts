/**
 * Simulates paying online on the real database with the local gateway as a second ledger: orders, payments in two tabs, messages that are lost, late,
 * repeated, reordered or forged, a provider that is down or whose answers are lost, cancellations, refunds from both sides, refunds that fail, and
 * processes that are killed between two writes. Each appointment has a policy of 0 to 24 hours, some start within a day, are prepaid or have a token, are
 * moved by their patient or doctor, or wait for an answer because the doctor is away or suspended. Before a cancellation the pages of the patient are read:
 * what they say has to happen. While a bank has a payment, every page and list has to say so. Every other run has a platform fee, which the operator changes or ends while it runs. Then
 * time passes, and both ledgers are compared paisa by paisa, and with what the patient reads. Used by a test and by `npm run prove -- money`. A schedule is what happens to one appointment.
 */
import { eq, sql } from "drizzle-orm";
import { type Database, isDatabaseUnavailable } from "../../app/db/client.server.ts";
import { appointments } from "../../app/db/schema/index.ts";
import { changeAppointment, rescheduleAppointment } from "../../app/domains/booking/appointments/change-appointment.server.ts";
import { lapseExpiredProposals, moveAppointment, proposeTimes } from "../../app/domains/booking/appointments/proposals.server.ts";
import type { Actor, Ctx } from "../../app/domains/context.server.ts";
import { applyOrder } from "../../app/domains/money/online/apply-order.server.ts";
import { receiveReturn } from "../../app/domains/money/online/receive-return.server.ts";
import { receiveWebhook } from "../../app/domains/money/online/receive-webhook.server.ts";
import { refundCancelled } from "../../app/domains/money/online/refund-cancelled.server.ts";
import { sendRefund } from "../../app/domains/money/online/send-refund.server.ts";
import { startOrder } from "../../app/domains/money/online/start-order.server.ts";
import { sweepPayments } from "../../app/domains/money/online/sweep-payments.server.ts";
import { sweepUnpaid } from "../../app/domains/money/online/sweep-unpaid.server.ts";
import { recordPayment } from "../../app/domains/money/payments/record-payment.server.ts";
import { refundPayment } from "../../app/domains/money/payments/refund-payment.server.ts";
import { cancelForUser, getVisitToHelp } from "../../app/domains/oversight/visits/help-with-visit.server.ts";
import type { PaymentProvider } from "../../app/integrations/payments/payment-provider.server.ts";
import { razorpay } from "../../app/integrations/payments/razorpay.server.ts";
import { addDays, instantInIndia, timeInIndia, todayInIndia } from "../../app/lib/dates.ts";
import { DomainError } from "../../app/lib/domain-error.ts";
import { days, hours, minutes, seconds } from "../../app/lib/durations.ts";
import { paise } from "../../app/lib/money.ts";
import type { PlatformFee } from "../../app/lib/platform-fee.ts";
import { startGateway } from "../../scripts/gateway/gateway.ts";
import type { GatewayPayment } from "../../scripts/gateway/types.ts";
import { makeAdmin } from "../factories/cases.ts";
import { addPlaceDoctor, makePlace } from "../factories/members.ts";
import { makeDoctor, makePatient, makeVisit, type Person } from "../factories/people.ts";
import { makeSession } from "../factories/queues.ts";
import { readEnd, readPages, ruleOf } from "./money-sentences.ts";
import { randomOf } from "./waitlist-simulation.ts";

export type Context = (actor: Actor | null, now: Date) => Ctx;
/** How often each kind of step was done, and what was wrong afterwards. */
export type Result = { schedules: number; steps: Record<string, number>; faults: string[] };

const KEYS = { keyId: "rzp_test_simulated", keySecret: "key-secret-of-the-simulation", webhookSecret: "webhook-secret-of-the-simulation" };
/** Refusals that a user can meet because others were first, or because the provider is down. Everything else is a fault. */
const EXPECTED = new Set(["conflict", "not-found", "invalid", "unavailable", "too-many", "slot-taken"]);
/** A process that was killed. */
class Killed extends Error {}
type Message = { id: string; body: string; signature: string };
type Visit = { id: string; patient: Person; orders: Set<string>; messages: Message[]; random: () => number };

/** Returns a database and a provider that throw at the n-th access, before or after it: a transaction that is open then is rolled back. */
function killedAt(n: number, db: Database, provider: PaymentProvider): { db: Database; provider: PaymentProvider } {
  let left = n;
  const tick = () => {
    if (left-- <= 0) throw new Killed();
  };
  const watched = ["select", "insert", "update", "delete", "execute"];
  const wrap = <T extends object>(on: T): T =>
    new Proxy(on, {
      get(target, name) {
        const value = Reflect.get(target, name);
        if (typeof value !== "function") return value;
        if (name === "transaction")
          return async (work: (tx: object) => Promise<unknown>) => {
            tick();
            const result = await value.call(target, (tx: object) => work(wrap(tx)));
            tick();
            return result;
          };
        return (...args: unknown[]) => {
          if (watched.includes(name as string)) tick();
          return value.apply(target, args);
        };
      },
    });
  const calls = new Proxy(provider, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      if (["hostedCheckout", "verifyWebhook", "readWebhook", "verifyReturn"].includes(name as string)) return value.bind(target);
      return async (...args: unknown[]) => {
        tick();
        const result = await value.apply(target, args);
        tick();
        return result;
      };
    },
  });
  return { db: wrap(db), provider: calls };
}

/**
 * Runs `schedules` appointments of one doctor at once, round by round, and compares both ledgers at the end.
 * @param first the number of the batch in this database: each has a time of its own, so that the jobs of one do not see orders of another
 */
export async function simulateMoney(
  { db, context }: { db: Database; context: Context },
  { seed, schedules = 40, rounds: wanted, first = 0 }: { seed: number; schedules?: number; rounds?: number; first?: number },
): Promise<Result> {
  const random = randomOf(seed);
  // Six steps of an appointment on average, up to ten of some.
  const rounds = wanted ?? 2 + Math.floor(random() * 7);
  const result: Result = { schedules, steps: {}, faults: [] };
  let now = new Date(instantInIndia(addDays(todayInIndia(new Date()), 2 + first * 60), "08:10"));
  await using gateway = await startGateway({ ...KEYS, webhookUrl: null });
  Object.assign(gateway.behaviour, { held: true, refundsAtOnce: false });
  const settings = { keyId: KEYS.keyId, keySecret: KEYS.keySecret, webhookSecrets: [KEYS.webhookSecret], baseUrl: gateway.url };
  const feeDice = randomOf(seed + 7_919);
  const provider = { ...razorpay({ provider: "local", ...settings }, seconds(20)), platformFee: seed % 2 === 0 ? null : feeOf(feeDice) };
  // Times to which patients and the doctor move appointments.
  const free = Array.from({ length: 60 }, (_, n) => ({
    date: addDays(todayInIndia(now), 20 + Math.floor(n / 20)),
    time: `${String(3 + (n % 20)).padStart(2, "0")}:00`,
  }));
  const doctor = await makeDoctor(db, { name: `Dr. Simulated ${seed}`, slots: free });
  if (random() < 0.5) await addPlaceDoctor(db, (await placeOf(db, doctor.id)).id, doctor.id);
  const admin = await makeAdmin(db);
  const patients = await Promise.all(Array.from({ length: 8 }, () => makePatient(db)));
  const visits: Visit[] = [];
  for (let n = 0; n < schedules; n++) {
    const patient = patients[n % patients.length]!;
    // Some start within a day: the deadlines of their policies are close, or over.
    const soon = new Date(now.getTime() + minutes(20 + 40 * n));
    const at =
      n % 4 === 0
        ? { date: todayInIndia(soon), time: timeInIndia(soon) }
        : { date: addDays(todayInIndia(now), 3 + Math.floor(n / 20)), time: `${String(3 + (n % 20)).padStart(2, "0")}:30` };
    const id = await makeVisit(db, { patient, doctor }, { ...at, status: random() < 0.6 ? "accepted" : "pending" });
    const discount = paise(random() < 0.3 ? 5_000 : 0);
    const prepayUntil = random() < 0.2 ? new Date(now.getTime() + minutes(30)) : null;
    await db
      .update(appointments)
      .set({ refundHours: Math.floor(random() * 25), discount, prepayUntil })
      .where(eq(appointments.id, id));
    // Some have a token of a session.
    if (n % 10 === 9) {
      const sessionId = await makeSession(db, doctor.id, {
        date: at.date,
        part: n % 20 === 9 ? "morning" : "evening",
        startsAt: at.time,
        state: "planned",
      });
      await db.execute(sql`update queue_sessions set seats = 20 where id = ${sessionId}`);
      await db.update(appointments).set({ queueSessionId: sessionId, token: 7, expectedTime: "23:30" }).where(eq(appointments.id, id));
    }
    visits.push({ id, patient, orders: new Set(), messages: [], random: randomOf(seed * 1_000 + n) });
  }
  const idOfOrder = new Map<string, Visit>();
  const did = (what: string) => {
    result.steps[what] = (result.steps[what] ?? 0) + 1;
  };
  const ctxOf = (actor: Actor | null, kill: number | null = null): Ctx => {
    const { db: on, provider: by } = kill === null ? { db, provider } : killedAt(kill, db, provider);
    const ctx = context(actor, now);
    return { ...ctx, db: on, integrations: { ...ctx.integrations, payments: by } };
  };
  const asAdmin = (kill: number | null) => ctxOf(admin, kill) as Ctx<Actor>;
  const asActor = (person: Person, kill: number | null) => ctxOf(person.actor, kill) as Ctx<Actor>;
  const others = () => ({ doctor: asActor(doctor, null), admin: asAdmin(null) });

  /** Gives the new messages of the gateway to their schedules. */
  function collect(): void {
    for (const message of gateway.takeHeld()) {
      const { payload } = JSON.parse(message.body) as { payload: { payment: { entity: { order_id: string } } } };
      idOfOrder.get(payload.payment.entity.order_id)?.messages.push(message);
    }
  }
  /** What the provider has of an appointment. */
  const theirs = (visit: Visit): GatewayPayment[] => [...gateway.payments.values()].filter(({ orderId }) => visit.orders.has(orderId));
  /** Runs the waiting jobs as a worker does: one that fails stays. */
  async function runJobs(kill: () => number | null): Promise<void> {
    type Job = { id: string; name: string; data: { orderId: string; refundId: string; appointmentId: string } };
    // One of several jobs about the same thing: the others would do the same again.
    const jobs = await db.execute<Job>(sql`select distinct on (name, data) id, name, data from pgboss.job
      where name in ('payment-order', 'payment-refund', 'refund-cancelled') and state = 'created' limit 500`);
    for (const job of jobs) {
      const ctx = ctxOf(null, kill());
      const { orderId, refundId, appointmentId } = job.data;
      const work =
        job.name === "payment-order"
          ? applyOrder(ctx, orderId)
          : job.name === "payment-refund"
            ? sendRefund(ctx, refundId)
            : refundCancelled(ctx, appointmentId);
      await attempt(`job ${job.name}`, () =>
        work.then(async () => {
          await db.execute(
            sql`delete from pgboss.job where name = ${job.name} and data = ${JSON.stringify(job.data)}::jsonb and state = 'created'`,
          );
        }),
      );
    }
  }
  async function attempt(what: string, work: () => Promise<unknown>): Promise<void> {
    did(what);
    try {
      await work();
    } catch (error) {
      if (error instanceof Killed) did("killed");
      else if (isDatabaseUnavailable(error)) did("busy");
      else if (error instanceof DomainError && EXPECTED.has(error.code)) did(`refused: ${error.code}`);
      else result.faults.push(`${what}: ${String((error as Error).cause ?? error)} ${(error as Error).stack?.split("\n")[1]}`);
    }
  }

  /** The time of an appointment changes: the patient or the doctor moves it, or the doctor is away then and proposes another time. */
  async function changeTime({ id, patient, random: dice }: Visit, kill: number | null): Promise<void> {
    const at = free[Math.floor(dice() * free.length)]!;
    const roll = dice();
    if (roll < 0.35) return attempt("patient reschedules", () => rescheduleAppointment(asActor(patient, kill), { id, ...at }));
    if (roll < 0.65) return attempt("doctor moves", () => moveAppointment(asActor(doctor, kill), { id, at }));
    return attempt("doctor is away", () => proposeTimes(asActor(doctor, kill), { id, options: [at], away: "unwell" }));
  }

  /** One step of a schedule, chosen by chance. `alone`: no other step of it runs at once, so its time may change. */
  async function step(visit: Visit, alone: boolean): Promise<void> {
    const { random: dice } = visit;
    const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(dice() * list.length)];
    const kill = dice() < 0.12 ? Math.floor(dice() * 24) : null;
    if (alone && dice() < 0.1) return changeTime(visit, kill);
    const pay = async (outcome: "pay" | "slow" | "fail"): Promise<void> => {
      const orderId = pick([...visit.orders]);
      if (!orderId) return;
      did(`pay: ${outcome}`);
      const payment = gateway.attempt(orderId, outcome);
      const [own] = await db.execute<{ id: string }>(sql`select id from payment_orders where provider_order_id = ${orderId}`);
      if (!own || dice() < 0.4) return;
      const signature = gateway.signatureOf(payment);
      if (dice() < 0.1)
        await refusedForged("forged return", () =>
          receiveReturn(ctxOf(null), { orderId: own.id, result: { orderId, paymentId: "pay_forged", signature } }),
        );
      const back = outcome === "fail" ? null : { orderId, paymentId: payment.id, signature };
      await attempt("return", () => receiveReturn(ctxOf(null, kill), { orderId: own.id, result: back }));
    };
    const roll = dice();
    if (roll < 0.2 || visit.orders.size === 0) {
      await attempt("order", () => startOrder(asActor(visit.patient, kill), visit.id));
      // The page leads to the order that our database names. A patient cannot see one whose answer was lost.
      const known = await db.execute<{ at: string }>(
        sql`select provider_order_id as at from payment_orders where appointment_id = ${visit.id} and provider_order_id is not null`,
      );
      for (const { at } of known) {
        visit.orders.add(at);
        idOfOrder.set(at, visit);
      }
      return;
    }
    if (roll < 0.44) return pay(dice() < 0.65 ? "pay" : dice() < 0.5 ? "slow" : "fail");
    if (roll < 0.5) {
      did("pay twice");
      await Promise.all([pay("pay"), pay("pay")]);
      return;
    }
    if (roll < 0.68) {
      // Any of the messages so far, in any order, some of them twice; a part is lost for ever.
      collect();
      const chosen = visit.messages.filter(() => dice() < 0.6).slice(-5);
      if (dice() < 0.25) visit.messages = visit.messages.filter(() => dice() < 0.5);
      const sent = [...chosen, ...chosen.filter(() => dice() < 0.4)]
        .map((message) => ({ message, at: dice() }))
        .sort((a, b) => a.at - b.at);
      await Promise.all(
        sent.map(({ message }) =>
          attempt("message", () =>
            receiveWebhook(ctxOf(null, kill), {
              provider: "local",
              raw: Buffer.from(message.body),
              signature: message.signature,
              reference: message.id,
            }),
          ),
        ),
      );
      const forged = pick(visit.messages);
      if (forged && dice() < 0.3)
        await refusedForged("forged message", () =>
          receiveWebhook(ctxOf(null), {
            provider: "local",
            raw: Buffer.from(forged.body.replace(/"amount":\d/, '"amount":9')),
            signature: forged.signature.replace(/^./, (c) => (c === "0" ? "1" : "0")),
            reference: `${forged.id}f`,
          }),
        );
      return;
    }
    if (roll < 0.72) return attempt("doctor cancels", () => changeAppointment(asActor(doctor, kill), { id: visit.id, action: "cancel" }));
    if (roll < 0.75) return cancelAsPatient(visit, kill);
    if (roll < 0.76) return cancelForPatient(visit, kill);
    if (roll < 0.82) {
      const payment = pick(theirs(visit).filter(({ status }) => status === "authorized"));
      if (!payment) return;
      if (dice() < 0.7) {
        gateway.capture(payment.id);
        return did("captured late");
      }
      gateway.releaseReserved(payment.id);
      return did("reservation released");
    }
    if (roll < 0.88) {
      const payment = pick(theirs(visit).filter(({ status, released }) => status === "captured" && !released));
      if (!payment) return;
      const left = payment.amount - payment.refunded;
      did("dashboard refund");
      gateway.dashboardRefund(payment.id, dice() < 0.5 ? left : 1 + Math.floor(dice() * left));
      return;
    }
    if (roll < 0.95) {
      const paid = await db.execute<{ id: string; method: string; left: number }>(
        sql`select id, method, (amount - refunded)::int as left from payments where appointment_id = ${visit.id}`,
      );
      const payment = pick([...paid]);
      if (!payment?.left) return;
      const online = payment.method === "online" && dice() < 0.7;
      return attempt(online ? "refund online" : "refund in cash", () =>
        refundPayment(asActor(doctor, kill), {
          hospitalId: null,
          paymentId: payment.id,
          method: online ? "online" : "cash",
          amount: paise(dice() < 0.5 ? payment.left : 1 + Math.floor(dice() * payment.left)),
          reason: "agreed",
          key: `refund-${seed}-${Math.floor(dice() * 1e9)}`,
        }),
      );
    }
    return attempt("paid in cash", () =>
      recordPayment(asActor(doctor, kill), {
        hospitalId: null,
        appointmentId: visit.id,
        method: "cash",
        amount: paise(dice() < 0.5 ? 45_000 : 1 + Math.floor(dice() * 45_000)),
        reference: null,
        key: `cash-${seed}-${Math.floor(dice() * 1e9)}`,
      }),
    );
  }
  /** Returns what an attempt to cancel did: null when it ended without an answer. */
  async function answerOf(what: string, work: () => Promise<unknown>): Promise<"cancelled" | "refused" | null> {
    let answer: "cancelled" | "refused" | null = null;
    await attempt(what, async () => {
      try {
        await work();
        answer = "cancelled";
      } catch (error) {
        if (error instanceof DomainError && error.code === "conflict") answer = "refused";
        throw error;
      }
    });
    return answer;
  }
  const stateOf = async (visit: Visit) =>
    (
      await db
        .select({ status: appointments.status, refundOwed: appointments.refundOwed })
        .from(appointments)
        .where(eq(appointments.id, visit.id))
    )[0]!;
  /** A patient reads the page of the appointment and presses "Cancel": what happens is what it said, unless others were first. */
  async function cancelAsPatient(visit: Visit, kill: number | null): Promise<void> {
    const page = await readPages(asActor(visit.patient, null), visit.id);
    result.faults.push(...page.faults);
    const answer = await answerOf("patient cancels", () =>
      changeAppointment(asActor(visit.patient, kill), { id: visit.id, action: "cancel" }),
    );
    const now = await stateOf(visit);
    const isSame = answer === "cancelled" || JSON.stringify(await ruleOf(db, visit.id)) === page.rule;
    if (answer === "cancelled" && now.refundOwed !== true)
      result.faults.push(`${visit.id}: read: cancelled by the patient without a refund`);
    if (answer && isSame && page.cancellable !== (answer === "cancelled"))
      result.faults.push(`${visit.id}: read: the page ${page.cancellable ? "offers" : "does not offer"} to cancel, and it was ${answer}`);
    if (answer === "refused" && page.status === now.status && page.status !== "cancelled") did("patient too late");
  }
  /** An administrator cancels for a patient who called: the refund is the one that their page says. */
  async function cancelForPatient(visit: Visit, kill: number | null): Promise<void> {
    const page = await getVisitToHelp(asAdmin(null), visit.id);
    const answer = await answerOf("administrator cancels", () =>
      cancelForUser(asAdmin(kill), { id: visit.id, askedBy: "patient", why: "They called" }),
    );
    const now = await stateOf(visit);
    if (answer === "cancelled" && now.refundOwed !== (page.refund === "full"))
      result.faults.push(`${visit.id}: read: cancelled for the patient, refund ${page.refund} on the page, owed ${now.refundOwed}`);
  }
  async function refusedForged(what: string, work: () => Promise<unknown>): Promise<void> {
    did(what);
    const code = await work().then(
      () => "accepted",
      (error: unknown) => (error instanceof DomainError ? error.code : String(error)),
    );
    if (code !== "forbidden") result.faults.push(`${what}: ${code}`);
  }
  /** The bank settles some of the refunds under way. `all`: all of them, and none fails. */
  function settleRefunds(all: boolean): void {
    for (const refund of gateway.refunds.values())
      if (refund.status === "pending" && (all || random() < 0.4)) {
        const state = all || random() < 0.7 ? "processed" : "failed";
        did(`refund ${state}`);
        gateway.settleRefund(refund.id, state);
      }
  }

  /** After the provider was asked: while a bank has a payment, every page and list says so. */
  async function readAtBank(): Promise<void> {
    const atBank = (visit: Visit) => theirs(visit).some(({ status }) => status === "authorized");
    for (const visit of visits.filter(atBank)) {
      const own = await db.execute<{ id: string }>(sql`select id from payment_orders where appointment_id = ${visit.id}`);
      let asked = 0;
      for (const { id } of own)
        await attempt("provider is asked", async () => {
          await applyOrder(ctxOf(null), id);
          asked++;
        });
      if (asked < own.length) continue;
      did("pages while the bank has a payment");
      result.faults.push(...(await readPages(asActor(visit.patient, null), visit.id, { atBank: true, others: others() })).faults);
    }
  }

  for (let round = 0; round < rounds; round++) {
    if (provider.platformFee && round > 0 && feeDice() < 0.25) {
      did("platform fee changes");
      provider.platformFee = feeDice() < 0.3 ? null : feeOf(feeDice);
    }
    const weather = random();
    Object.assign(gateway.behaviour, { down: weather < 0.12, losesAnswers: weather > 0.88 });
    if (gateway.behaviour.down) did("provider down");
    for (let at = 0; at < visits.length; at += 4)
      await Promise.all(
        visits
          .slice(at, at + 4)
          .flatMap((visit) => (visit.random() < 0.25 ? [step(visit, false), step(visit, false)] : [step(visit, true)])),
      );
    collect();
    settleRefunds(false);
    const kill = () => (random() < 0.1 ? Math.floor(random() * 40) : null);
    if (random() < 0.6) await runJobs(kill);
    if (random() < 0.4) await attempt("sweep", () => sweepPayments(ctxOf(null, kill())));
    if (random() < 0.4) await attempt("sweep unpaid", () => sweepUnpaid(ctxOf(null, kill())));
    if (random() < 0.3) await attempt("proposals lapse", () => lapseExpiredProposals(ctxOf(null, kill())));
    if (!gateway.behaviour.down && random() < 0.4) await readAtBank();
    if (random() < 0.12) {
      did("doctor is suspended or reinstated");
      await db.execute(sql`update doctors set registration_status = case registration_status when 'verified' then 'suspended' else 'verified' end
        where id = ${doctor.id}`);
    }
    now = new Date(now.getTime() + minutes(random() < 0.8 ? random() * 6 : random() * 90));
  }

  // No message comes any more. The sweep alone finds everything.
  Object.assign(gateway.behaviour, { down: false, losesAnswers: false });
  if (random() < 0.5) await runJobs(() => null);
  for (const payment of gateway.payments.values())
    if (payment.status === "authorized") random() < 0.5 ? gateway.capture(payment.id) : gateway.releaseReserved(payment.id);
  gateway.takeHeld();
  let faults: string[] | null = null;
  const compare = () => faultsOf(db, doctor.id, visits, theirs, [...gateway.refunds.values()]);
  const until = now.getTime() + days(30);
  for (let pause: number = minutes(1); now.getTime() < until; pause = Math.min(pause * 1.5, hours(8))) {
    now = new Date(now.getTime() + pause);
    settleRefunds(true);
    await attempt("sweep", () => sweepPayments(ctxOf(null)));
    faults = (await isUnderWay(db, doctor.id)) ? null : await compare();
    if (faults?.length === 0) break;
  }
  result.faults.push(...(faults ?? (await compare())));
  for (const visit of visits) result.faults.push(...(await readEnd(asActor(visit.patient, null), db, visit.id, others())));
  await db.execute(sql`delete from pgboss.job where name like 'notification-%' or name like 'payment-%' or name = 'refund-cancelled'`);
  await db.execute(sql`delete from rate_limits`);
  return result;
}

/** A platform fee by chance, with and without GST. */
const feeOf = (dice: () => number): PlatformFee => ({
  amount: paise(1 + Math.floor(dice() * 5_000)),
  ...(dice() < 0.7 ? { tax: [CGST, SGST], gstin: "27AAPFU0939F1ZV" } : { tax: [], gstin: null }),
  invoicer: "Nadi Simulated, 1 MG Road, Vijayawada",
});
const [CGST, SGST] = [
  { name: "CGST", percent: 9 },
  { name: "SGST", percent: 9 },
];

async function placeOf(db: Database, doctorId: string): Promise<{ id: string }> {
  const place = await makePlace(db);
  await db.execute(sql`update doctors set hospital_id = ${place.id} where id = ${doctorId}`);
  return place;
}

/** True while an order, a message or a refund has no end: both ledgers need not be compared yet. */
async function isUnderWay(db: Database, doctorId: string): Promise<boolean> {
  const [found] = await db.execute<{
    open: boolean;
  }>(sql`select exists (select from payment_orders where doctor_id = ${doctorId} and state = 'created')
    or exists (select from payment_orders o join payment_events e on e.order_id = o.id where o.doctor_id = ${doctorId} and e.applied_at is null)
    or exists (select from provider_refunds pr join refunds r on r.id = pr.refund_id join payments p on p.id = r.payment_id
      where p.doctor_id = ${doctorId} and pr.state in ('pending', 'failed')) as open`);
  return found!.open;
}

type TheirRefund = { id: string; paymentId: string; amount: number; status: string };
/** Returns where our ledger and the gateway's differ, and what has no way on. Empty: every paisa is accounted for. */
async function faultsOf(
  db: Database,
  doctorId: string,
  visits: readonly Visit[],
  theirs: (visit: Visit) => GatewayPayment[],
  theirRefunds: readonly TheirRefund[],
): Promise<string[]> {
  const faults: string[] = [];
  type Row = { visit: string; fault: string };
  const rows = await db.execute<Row>(sql`
    with own as (select id, status, fee, discount, refund_owed from appointments where doctor_id = ${doctorId}),
    kept as (select a.id, coalesce(sum(p.amount - p.refunded), 0)::int as net, coalesce(sum(p.amount - p.corrected), 0)::int as came,
        coalesce(sum(p.amount - p.refunded) filter (where p.method = 'online'), 0)::int as online,
        coalesce(sum(p.amount - p.refunded) filter (where p.unseatable), 0)::int as unseatable,
        count(*) filter (where p.platform_fee > p.platform_fee_refunded) as fees
      from own a left join payments p on p.appointment_id = a.id group by a.id)
    select transfer_id::text as visit, 'a transfer does not sum to zero' as fault from ledger_entries where doctor_id = ${doctorId}
      group by transfer_id having sum(amount) <> 0
    union all select p.appointment_id::text, 'refunds of a payment: ' || p.refunded || ' <> ' || coalesce(sum(r.amount), 0) from payments p
      left join (select r.* from refunds r left join provider_refunds pr on pr.refund_id = r.id where pr.state is distinct from 'withdrawn') r on r.payment_id = p.id
      where p.doctor_id = ${doctorId} group by p.id having p.refunded <> coalesce(sum(r.amount), 0) - (
        select coalesce(sum(e.amount), 0) from ledger_entries e where e.payment_id = p.id and e.account = 'over-refund')
    union all select p.appointment_id::text, 'more refunded than paid' from payments p where p.doctor_id = ${doctorId} and p.refunded > p.amount
    union all select p.appointment_id::text, 'a payment without its receipt' from payments p left join receipts r on r.payment_id = p.id
      where p.doctor_id = ${doctorId} and r.payment_id is null
    union all select merchant_id::text, 'receipts with a gap: ' || count(*) || ' of ' || max(number) from receipts
      where payment_id in (select id from payments where doctor_id = ${doctorId}) group by merchant_id, financial_year having count(*) <> max(number)
    union all select a.id::text, 'more kept than the price: ' || k.net from own a join kept k on k.id = a.id where a.status <> 'cancelled' and k.net > a.fee - a.discount
    union all select a.id::text, 'kept of a cancelled appointment: ' || k.online from own a join kept k on k.id = a.id
      where a.status = 'cancelled' and (k.unseatable > 0 or k.online > 0 and a.refund_owed is distinct from false)
    union all select a.id::text, 'discount: ' || l.borne || ' with ' || l.money from own a join lateral (
        select coalesce(sum(e.amount) filter (where e.account = 'discount'), 0)::int as borne,
          coalesce(sum(e.amount) filter (where e.account in ('cash', 'upi', 'online', 'over-refund')), 0)::int as money
        from ledger_entries e where e.payment_id in (select p.id from payments p where p.appointment_id = a.id)) l on true
      join kept k on k.id = a.id where l.borne <> case when k.net > 0 then a.discount else 0 end or l.money <> k.net
    union all select a.id::text, 'platform fees kept of one appointment: ' || k.fees from own a join kept k on k.id = a.id where k.fees > 1
    union all select p.appointment_id::text, 'a platform fee kept of a payment that was returned' from payments p
      where p.doctor_id = ${doctorId} and p.refunded = p.amount and p.platform_fee > p.platform_fee_refunded
    union all select p.appointment_id::text, 'platform fee: ' || concat_ws(', ', p.platform_fee - p.platform_fee_refunded, l.held, l.income, d.amount, r.amount) from payments p,
      lateral (select coalesce(sum(e.amount) filter (where e.account = 'platform'), 0) as held, coalesce(-sum(e.amount) filter (where e.account = 'platform-fee'), 0) as income
        from ledger_entries e where e.payment_id = p.id) l,
      lateral (select coalesce(sum(case d.kind when 'invoice' then d.amount else -d.amount end), 0) as amount from platform_fee_documents d where d.payment_id = p.id) d,
      lateral (select coalesce(sum(r.platform_fee), 0) as amount from refunds r left join provider_refunds pr on pr.refund_id = r.id
        where r.payment_id = p.id and pr.state is distinct from 'withdrawn') r
      where p.doctor_id = ${doctorId} and not (p.platform_fee - p.platform_fee_refunded = all (array[l.held, l.income, d.amount, p.platform_fee - r.amount]))
    union all select d.payment_id::text, 'a document whose parts do not sum up' from platform_fee_documents d join payments p on p.id = d.payment_id
      where p.doctor_id = ${doctorId} and d.amount <> d.taxable + (select coalesce(sum((t->>'amount')::int), 0) from jsonb_array_elements(d.tax) t)
    union all select d.financial_year, 'platform fee documents with a gap: ' || count(*) || ' of ' || max(number) || ', ' || d.kind from platform_fee_documents d
      join platform_fee_series s on s.financial_year = d.financial_year group by d.financial_year, d.kind, s.invoices, s.credit_notes
      having count(*) <> max(number) or max(number) <> case d.kind when 'invoice' then s.invoices else s.credit_notes end
    union all select o.appointment_id::text, 'an order without an end' from payment_orders o where o.doctor_id = ${doctorId} and o.state = 'created'
    union all select o.appointment_id::text, 'a message that was not applied' from payment_orders o join payment_events e on e.order_id = o.id
      where o.doctor_id = ${doctorId} and e.applied_at is null
    union all select p.appointment_id::text, 'a refund without an end: ' || pr.state || ', ' || r.reason || ', tries ' || pr.tries from provider_refunds pr
      join refunds r on r.id = pr.refund_id join payments p on p.id = r.payment_id where p.doctor_id = ${doctorId} and pr.state in ('pending', 'failed')
    union all select o.appointment_id::text, 'paid, but its order is ' || o.state from payment_orders o join payments p on p.order_id = o.id
      where o.doctor_id = ${doctorId} and o.state <> 'paid'`);
  faults.push(...[...rows].map(({ visit, fault }) => `${visit}: ${fault}`));
  type Paid = { visit: string; id: string; amount: number; online: number };
  const ours =
    await db.execute<Paid>(sql`select p.appointment_id as visit, p.provider_payment_id as id, (p.amount + p.platform_fee)::int as amount,
      (select coalesce(sum(e.amount), 0)::int from ledger_entries e where e.payment_id = p.id and e.account in ('online', 'platform')) as online
    from payments p where p.doctor_id = ${doctorId} and p.method = 'online'`);
  const unseen = new Map([...ours].map((row) => [row.id, row]));
  for (const visit of visits)
    for (const payment of theirs(visit)) {
      if (payment.released || (payment.status !== "captured" && payment.status !== "refunded")) continue;
      const own = unseen.get(payment.id);
      unseen.delete(payment.id);
      if (!own || own.visit !== visit.id) faults.push(`${visit.id}: captured ${payment.amount} and not in our ledger`);
      else if (own.amount !== payment.amount) faults.push(`${visit.id}: paid ${own.amount}, captured ${payment.amount}`);
      else if (own.online !== payment.amount - payment.refunded)
        faults.push(`${visit.id}: our ledger has ${own.online} of a payment, the gateway ${payment.amount - payment.refunded}`);
    }
  for (const row of unseen.values()) faults.push(`${row.visit}: in our ledger and not captured`);
  type Returned = { id: string; amount: number; state: string };
  const refunded = new Map(
    (
      await db.execute<Returned>(sql`select pr.provider_refund_id as id, (r.amount + r.platform_fee)::int as amount, pr.state from provider_refunds pr join refunds r on r.id = pr.refund_id
        join payments p on p.id = r.payment_id where p.doctor_id = ${doctorId} and pr.provider_refund_id is not null and pr.state <> 'withdrawn'`)
    ).map((row) => [row.id, row]),
  );
  for (const refund of theirRefunds) {
    const own = refunded.get(refund.id);
    if (refund.status === "failed") continue;
    if (!own) faults.push(`${refund.paymentId}: the gateway returned ${refund.amount}, we do not know of it`);
    else if (own.amount !== refund.amount) faults.push(`${refund.paymentId}: the gateway returned ${refund.amount}, we ${own.amount}`);
    else if (own.state !== refund.status) faults.push(`${refund.paymentId}: a refund is ${refund.status}, ours ${own.state}`);
  }
  return faults;
}
