import { and, eq, inArray, isNull } from "drizzle-orm";
import { queueEntries, queueSessions } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { hasStopped } from "#app/domains/platform/delivery/stopped.server.ts";
import { LimitRefusal, spendLimits } from "#app/domains/platform/limits/limit.server.ts";
import { settingsOf } from "#app/domains/platform/settings/queries.server.ts";
import { timeInIndia, todayInIndia } from "#app/lib/dates.ts";
import { minutes } from "#app/lib/durations.ts";
import type { Phone } from "#app/lib/phone.ts";
import { enqueue } from "#app/queue/queue.server.ts";
import { aheadOf } from "./ahead.ts";
import { getPlainQueue, type PlainEntry } from "./queries.server.ts";

/** An SMS is sent when at most this many patients are before the patient. */
export const SOON = 3;
/** A patient at home whose booked time is later than this is not called to the clinic. */
const DUE_WITHIN = minutes(60);
/** A patient who arrived less than this ago is still at the desk. */
const JUST_ARRIVED = minutes(15);
/** Seconds that the SMS of a call waits, so that a call which is taken back sends none. */
const SMS_WAIT = 15;
/** True while the SMS of a call can be stopped. */
export const canStopSms = (calledAt: Date, now: Date): boolean => now.getTime() - calledAt.getTime() < SMS_WAIT * 1000;
const NIGHT = { from: "21:00", until: "07:00" };

/** No SMS about a queue is sent from 21:00 to 07:00. */
export function isNight(now: Date): boolean {
  const time = timeInIndia(now);
  return time >= NIGHT.from || time < NIGHT.until;
}

const canGet = ({ state, dueAt, arrivedAt, soonSmsAt, smsStopped }: PlainEntry, now: Date): boolean => {
  if (soonSmsAt || smsStopped) return false;
  if (state === "expected") return dueAt.getTime() - now.getTime() <= DUE_WITHIN;
  return state === "arrived" && arrivedAt !== null && now.getTime() - arrivedAt.getTime() >= JUST_ARRIVED;
};

/**
 * Marks the patients of an open session who are called soon, and queues their SMS in the same transaction. The session is locked, so each
 * patient is marked once.
 */
export async function markSoon(tx: Ctx, sessionId: string): Promise<void> {
  if (isNight(tx.now)) return;
  const queue = await getPlainQueue(tx, sessionId);
  if (queue.session.state !== "open") return;
  const soon = [...queue.waiting, ...queue.expected].filter((entry) => {
    if (!canGet(entry, tx.now)) return false;
    const { waiting, expected } = aheadOf(queue, entry, tx.now);
    return waiting.length + expected.length <= SOON;
  });
  if (!soon.length) return;
  const marked = await tx.db
    .update(queueEntries)
    .set({ soonSmsAt: tx.now })
    .where(
      and(
        inArray(
          queueEntries.id,
          soon.map(({ id }) => id),
        ),
        isNull(queueEntries.soonSmsAt),
      ),
    )
    .returning({ id: queueEntries.id });
  for (const { id } of marked) await enqueue(tx, "queue-sms", { entryId: id, kind: "soon", marked: tx.now.getTime() }, SMS_WAIT);
}

/** Returns true while patients at home get an SMS of an announcement: on the day of the session, and not at night. */
export const canTell = (session: { date: string }, now: Date): boolean => !isNight(now) && session.date === todayInIndia(now);

/** Queues the SMS with the announced time to the patients who are still at home, once for each announcement. Returns how many. */
export async function markLate(tx: Ctx, session: { id: string; date: string; lateMinutes: number }): Promise<number> {
  if (!canTell(session, tx.now)) return 0;
  const marked = await tx.db
    .update(queueEntries)
    .set({ lateSmsAt: tx.now })
    .where(and(eq(queueEntries.sessionId, session.id), eq(queueEntries.state, "expected"), eq(queueEntries.smsStopped, false)))
    .returning({ id: queueEntries.id });
  if (!marked.length) return 0;
  for (const { id } of marked) await enqueue(tx, "queue-sms", { entryId: id, kind: "late", late: session.lateMinutes });
  await tx.db.update(queueSessions).set({ toldLateMinutes: session.lateMinutes }).where(eq(queueSessions.id, session.id));
  return marked.length;
}

/** The token of a walk-in, its phone and the account of the phone. */
type TokenSms = { id: string; phone: Phone; patientId: string | null };

/**
 * Queues the SMS with the token of a walk-in. Returns false when the phone gets none: its owner stopped SMS or switched the reminders of appointments off, or
 * it had as many as it may have today.
 */
export async function markToken(tx: Ctx, { id: entryId, phone, patientId }: TokenSms): Promise<boolean> {
  if (await hasStopped(tx, phone)) return false;
  if (patientId && !(await settingsOf(tx, patientId)).notifications.appointmentReminders) return false;
  try {
    await spendLimits(tx, [{ limit: "token-sms", key: phone }]);
  } catch (error) {
    if (error instanceof LimitRefusal) return false;
    throw error;
  }
  await enqueue(tx, "queue-sms", { entryId, kind: "token" });
  return true;
}
