import { eq } from "drizzle-orm";
import { doctors, queueEntries, queueSessions, users } from "#app/db/schema/index.ts";
import { opened } from "#app/db/sealed.server.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { hasStopped } from "#app/domains/platform/delivery/stopped.server.ts";
import { settingsOf } from "#app/domains/platform/settings/queries.server.ts";
import { closedMessage, lateMessage, tokenMessage } from "#app/integrations/sms/templates.ts";
import { timeInIndia, todayInIndia } from "#app/lib/dates.ts";
import { textIn } from "#app/lib/translations.ts";
import type { JobData } from "#app/queue/queue.server.ts";
import { env } from "#app/runtime/env.server.ts";
import { isNight } from "../queue/mark-messages.server.ts";
import { doctorExpectedAt } from "../queue/session-start.ts";

/**
 * Sends an SMS about a token, in the language of its account, unless the patient stopped them. Sends nothing at night, when the patient was called or has left
 * meanwhile, or switched the reminders of appointments off. The token of a walk-in, and that the clinic closed before the turn, are sent at any time: the patient
 * is at the desk, or waits.
 * @throws DomainError("unavailable")
 */
export async function sendQueueSms(ctx: Ctx, { entryId, kind, late, marked }: JobData["queue-sms"]): Promise<void> {
  const atNight = kind === "closed" || kind === "token";
  if (!atNight && isNight(ctx.now)) return;
  const [row] = await ctx.db
    .select({
      number: queueEntries.number,
      code: queueEntries.code,
      state: queueEntries.state,
      stopped: queueEntries.smsStopped,
      soonSmsAt: queueEntries.soonSmsAt,
      phone: opened(queueEntries.phone),
      patientId: queueEntries.patientId,
      language: users.language,
      dueAt: queueEntries.dueAt,
      session: queueSessions.state,
      lateMinutes: queueSessions.lateMinutes,
      date: queueSessions.date,
      startsAt: queueSessions.startsAt,
      doctor: doctors.fullName,
      texts: doctors.translations,
    })
    .from(queueEntries)
    .innerJoin(queueSessions, eq(queueSessions.id, queueEntries.sessionId))
    .innerJoin(doctors, eq(doctors.id, queueSessions.doctorId))
    .leftJoin(users, eq(users.id, queueEntries.patientId))
    .where(eq(queueEntries.id, entryId));
  if (!row?.phone || row.stopped || (await hasStopped(ctx, row.phone))) return;
  const { phone: to, code } = row;
  const language = row.language ?? "en";
  const { host } = env().appUrl;
  const doctor = textIn(row.texts, "name", row.doctor, language);
  if (kind === "closed") {
    if (row.state !== "unseen") return;
    const message = { to, doctor, date: todayInIndia(row.dueAt), time: timeInIndia(row.dueAt), code, host, language };
    await ctx.integrations.sms.send(closedMessage(message));
    return;
  }
  if (row.session === "closed") return;
  if (row.state !== "expected" && !(kind !== "late" && row.state === "arrived")) return;
  // The call was taken back.
  if (kind === "soon" && marked !== undefined && row.soonSmsAt?.getTime() !== marked) return;
  // The SMS of a later announcement has the newer time.
  if (kind === "late" && (row.session !== "planned" || !row.lateMinutes || (late !== undefined && late !== row.lateMinutes))) return;
  if (row.patientId && !(await settingsOf(ctx, row.patientId)).notifications.appointmentReminders) return;
  const own = { to, token: row.number, code, host, language };
  if (kind !== "late") return ctx.integrations.sms.send(tokenMessage(kind, own));
  const at = doctorExpectedAt(row);
  return ctx.integrations.sms.send(lateMessage({ ...own, doctor, date: todayInIndia(at), time: timeInIndia(at) }));
}
