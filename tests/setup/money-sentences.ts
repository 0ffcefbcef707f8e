/**
 * What a patient reads about cancelling and money in the simulation of payments, from the queries and words of the pages, and how it differs from what
 * is so. The deadlines are counted again here, so that a page cannot agree with its own mistake.
 */
import { sql } from "drizzle-orm";
import type { Database } from "../../app/db/client.server.ts";
import { getPatientAppointment } from "../../app/domains/booking/appointments/patient-queries.server.ts";
import { changeRuleWord } from "../../app/domains/booking/appointments/words.ts";
import { refundNowWord, refundTerms } from "../../app/domains/booking/cancellation/refund-terms.server.ts";
import { asksPatient, paymentStatusOf, prepayOf } from "../../app/domains/booking/payments/payment-status.ts";
import type { Actor, Ctx } from "../../app/domains/context.server.ts";
import { getVisitMoney } from "../../app/domains/money/checks/visit-money.server.ts";
import { moneyBack } from "../../app/domains/money/online/money-back.server.ts";
import { getPayView } from "../../app/domains/money/online/pay-view.server.ts";
import { payWords } from "../../app/domains/money/online/pay-words.ts";
import { platformFeeOf, sumsOf } from "../../app/domains/money/payments/payment-line.ts";
import { getHandledMoney, getReceipt, listConfirming, listOwnVisitPayments } from "../../app/domains/money/payments/queries.server.ts";
import { ownPaymentWord, paymentLineWord, receiptStateWord } from "../../app/domains/money/payments/words.ts";
import type { NotificationKind, NotificationParams } from "../../app/domains/platform/notifications/kinds.ts";
import { wordsOf } from "../../app/domains/platform/notifications/words.ts";
import { formatDate, formatDay, formatDayShort, formatTime, instantInIndia, timeInIndia, todayInIndia } from "../../app/lib/dates.ts";
import { hours, minutes } from "../../app/lib/durations.ts";
import { formatRupees, paise, plus } from "../../app/lib/money.ts";
import type { ProviderRefundState } from "../../app/lib/vocabulary.ts";

/** Returns what decides until when the patient can cancel, read beside the queries of the pages. */
export async function ruleOf(db: Database, id: string) {
  const [rule] = await db.execute<{ status: string; date: string; time: string; hours: number; free: boolean }>(sql`
    select a.status, a.date, a.time, a.moved_at is not null or d.registration_status <> 'verified' or exists (select from appointment_proposals p
      where p.appointment_id = a.id and p.state = 'proposed' and p.away_reason is not null) as free, a.refund_hours as hours
    from appointments a join doctors d on d.id = a.doctor_id where a.id = ${id}`);
  return rule!;
}

/**
 * Reads the pages of an appointment as its patient, and its lists as its doctor and an administrator. `faults`: sentences that are not so. `others`: the
 * doctor and an administrator, whose lists are read too while nothing else happens. `atBank`: the provider was asked a moment ago, and a bank has a payment
 * that is not captured.
 */
export async function readPages(
  ctx: Ctx<Actor>,
  id: string,
  { atBank = false, others }: { atBank?: boolean; others?: { doctor: Ctx<Actor>; admin: Ctx<Actor> } } = {},
): Promise<{ status: string; cancellable: boolean; rule: string; faults: string[] }> {
  const rules = await ruleOf(ctx.db, id);
  const [visit, lines] = await Promise.all([getPatientAppointment(ctx, id), listOwnVisitPayments(ctx, id)]);
  const faults: string[] = [];
  const check = (agrees: boolean, what: string, text: unknown) => {
    if (!agrees)
      faults.push(
        `${id}: read: ${what} (${visit.status}, ${visit.refundHours} hours, at ${ctx.now.toISOString()}): ${JSON.stringify(text)}`,
      );
  };
  const start = instantInIndia(visit.date, visit.time).getTime();
  // Deadlines are minutes: the last one counts until it ends.
  const isUntil = (instant: number) => ctx.now.getTime() < instant + minutes(1);
  // The clinic changed the time, or its doctor is suspended: until the start.
  const deadline = start - hours(rules.free ? 0 : rules.hours);
  const isOpen = visit.status === "pending" || visit.status === "accepted";
  const may = isOpen && isUntil(visit.status === "pending" ? start : deadline);
  check(visit.cancellable === may, "the page offers to cancel", visit.cancellable);

  const { received, refunded, notReturned } = sumsOf(lines);
  const paid = received - refunded;
  if (isOpen) {
    const rule = changeRuleWord(visit);
    check(/no longer (reschedule or )?cancel/.test(rule) === !may, "until when the patient can cancel", rule);
    const at = new Date(deadline);
    const by = isUntil(deadline) ? { date: todayInIndia(at), time: timeInIndia(at) } : null;
    if (may && by) check(rule.includes(`${formatDayShort(by.date)}, ${formatTime(by.time)}`), "the deadline", rule);
    const toPay = paise(50_000);
    const { rows } = refundTerms(visit, toPay, ctx.now);
    const until = rows.filter(([label]) => /^You cancel by/.test(label));
    const expected = by ? [[`You cancel by ${formatDay(by.date)}, ${formatTime(by.time)}`, "You get ₹500 back"]] : [];
    check(JSON.stringify(until) === JSON.stringify(expected), "the policy before paying", rows);
    const now = refundNowWord(visit, paise(paid > 0 ? plus(paise(paid), platformFeeOf(lines)) : 0), ctx.now);
    check((now !== "") === (may && paid > 0), "what cancelling now returns", now);
    for (const one of lines) {
      const line = (await getReceipt(ctx, one.id, "patient")).refundLine;
      if (line?.includes("you cancel by"))
        check(by !== null && line.includes(`${formatDate(by.date)}, ${formatTime(by.time)}`), "the policy on the receipt", line);
      if (line && /or (if )?you cancel/.test(line)) check(may, "the receipt says that the patient can cancel", line);
    }
  }

  const view = isOpen
    ? await getPayView(ctx, id, paise(Math.max(1, (visit.fee ?? 0) - visit.discount - received)), "https://nadi.test")
    : null;
  if (view?.state === "confirming") {
    const words = payWords(view, paise(100), false);
    check(words.start === null && words.checkout === null, "offers to pay again while the bank confirms", words);
  }
  const state = paymentStatusOf(visit, null);
  check(notReturned === 0 || state === "refund-failed" || state === "confirming", "money that is not returned", state);
  // Nothing else happens to the appointment meanwhile.
  if (others) {
    const { corrected } = sumsOf(lines);
    const sums = [visit.received, visit.refunded, visit.corrected, visit.notReturned];
    check(JSON.stringify(sums) === JSON.stringify([received, refunded, corrected, notReturned]), "the sums of the lists", sums);
    const left = (visit.fee ?? 0) - visit.discount - received + corrected;
    const listed = ownPaymentWord(visit, isOpen);
    const isConfirming = atBank && left > 0;
    if (isConfirming) {
      check(state === "confirming", "the bank has a payment", state);
      check(!isOpen || view?.state === "confirming", "the bank has a payment, on the page that pays", view);
      check(listed === "Your bank is confirming the payment", "the bank has a payment, in the list", listed);
      check(
        (await listConfirming(ctx)).some((one) => one.id === id),
        "the bank has a payment, in the payments",
        id,
      );
    }
    check(!asksPatient(visit) || (isOpen && left > 0 && !isConfirming), "asks the patient to pay", { left, state });
    const prepay = prepayOf(visit, ctx.now);
    check(prepay === null || (received === corrected && !isConfirming), "asks to pay in advance", prepay);
    check(received === corrected || !/not confirmed yet|Pay at the clinic/.test(listed), "the list of a patient who paid", listed);
    const [handled, money] = await Promise.all([getHandledMoney(others.doctor, id, { hospitalId: null }), getVisitMoney(others.admin, id)]);
    check(!isConfirming || [handled.state, money.state].every((one) => one === "confirming"), "the clinic and the administrator", [
      handled.state,
      money.state,
    ]);
    check(
      handled.record === (isOpen && left > 0 ? (isConfirming || state === "confirming" ? "instead" : "due") : null),
      "what the clinic can record",
      handled.record,
    );
    const sent = lines.map((one) => plus(one.amount, one.platformFee)).reduce((all, one) => all + one, 0);
    check(money.received === formatRupees(paise(sent)), "what the administrator reads as received", money.received);
  }
  for (const one of lines) {
    const text = paymentLineWord(one);
    const failed = plus(one.notReturned, one.platformFeeNotReturned);
    check(text.includes("not returned yet") === failed > 0, "a refund that failed", text);
    const returned = one.refunded + one.platformFeeRefunded - failed;
    check(/Refunded: /.test(text) === returned > 0, "a payment that was refunded", text);
    if (returned > 0) check(text.includes(`Refunded: ${formatRupees(returned)}`), "how much was refunded", text);
    check(
      receiptStateWord(one) !== "Refunded" || (one.state === "refunded" && failed === 0),
      "the head of the receipt",
      receiptStateWord(one),
    );
  }
  return { status: visit.status, cancellable: visit.cancellable, rule: JSON.stringify(rules), faults };
}

/** Returns what the pages say about the money of an appointment that nothing moves any more, where it is not so. */
export async function readEnd(
  ctx: Ctx<Actor>,
  db: Database,
  id: string,
  others: { doctor: Ctx<Actor>; admin: Ctx<Actor> },
): Promise<string[]> {
  const { faults } = await readPages(ctx, id, { others });
  const [visit, lines] = await Promise.all([getPatientAppointment(ctx, id), listOwnVisitPayments(ctx, id)]);
  const { note, refunds } = await moneyBack(ctx, visit, lines);
  const check = (agrees: boolean, what: string, text: unknown) => {
    if (!agrees) faults.push(`${id}: read: ${what} (${visit.status}, refund owed ${visit.refundOwed}): ${JSON.stringify(text)}`);
  };
  check(!refunds.some((text) => !text.includes("was sent to your bank")), "a refund that arrived", refunds);
  const { received, refunded } = sumsOf(lines);
  const left = received - refunded;
  if (visit.status !== "cancelled") check(note === "", "money back of an appointment that takes place", note);
  else if (left <= 0) check(note === "", "nothing is left", note);
  else if (visit.refundOwed === false) check(note.startsWith("You cancelled too late for a refund."), "kept by the policy", note);
  else check(note.startsWith(`The clinic has to return ${formatRupees(left)} to you.`), "to be returned by the clinic", note);
  const { sent } = (
    await db.execute<{ sent: number }>(`select count(*)::int as sent from provider_refunds pr join refunds r on r.id = pr.refund_id
      join payments p on p.id = r.payment_id where p.appointment_id = '${id}' and pr.state = 'processed'`)
  )[0]!;
  check(refunds.length === sent, "refunds that are listed", refunds);
  faults.push(...(await readMessages(db, id)));
  return faults;
}

type Returned = { amount: number; state: ProviderRefundState };
type Received = { amount: number; returned: number; unseatable: boolean };
/** Returns which messages about the money of an appointment were not so, or are missing, when nothing moves any more. */
async function readMessages(db: Database, id: string): Promise<string[]> {
  const sent = await db.execute<{ kind: NotificationKind; params: NotificationParams }>(
    sql`select kind, params from notifications where params->>'appointment' = ${id} and (kind like 'payment-%' or kind like 'refund-%')`,
  );
  const received = [
    ...(await db.execute<Received>(sql`select (amount + platform_fee)::int as amount, (refunded + platform_fee_refunded)::int as returned, unseatable
      from payments where appointment_id = ${id} and method = 'online'`)),
  ];
  const returned = [
    ...(await db.execute<Returned>(sql`select (r.amount + r.platform_fee)::int as amount, pr.state from provider_refunds pr
      join refunds r on r.id = pr.refund_id join payments p on p.id = r.payment_id where p.appointment_id = ${id}`)),
  ];
  const texts = (kind: NotificationKind) => [...sent].filter((one) => one.kind === kind).map((one) => wordsOf(kind, one.params).message);
  const faults: string[] = [];
  /** Each text states the amount of an own one of `amounts`. `all`: none of `amounts` is without its text. */
  const state = (kind: NotificationKind, amounts: readonly number[], all: boolean) => {
    const left = [...amounts];
    for (const text of texts(kind)) {
      const at = left.findIndex((amount) => text.includes(` ${formatRupees(paise(amount))} `));
      if (at < 0) faults.push(`${id}: read: a message that is not so: ${text}`);
      else left.splice(at, 1);
    }
    if (all && left.length > 0) faults.push(`${id}: read: no message "${kind}" of ${left.join(", ")} paise`);
  };
  const amountsOf = (list: readonly { amount: number }[]) => list.map(({ amount }) => amount);
  state("refund-done", amountsOf(returned.filter((one) => one.state === "processed")), true);
  state("refund-started", amountsOf(returned), false);
  state("refund-failed", amountsOf(returned), false);
  // "You get all of it back."
  state("payment-late", amountsOf(received.filter((one) => one.unseatable && one.returned === one.amount)), true);
  if (texts("payment-received").length > received.filter((one) => !one.unseatable).length)
    faults.push(`${id}: read: more messages of received payments than payments`);
  return faults;
}
