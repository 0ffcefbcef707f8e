import { eq } from "drizzle-orm";
import { doctors, queueEntries, queueSessions, users } from "#app/db/schema/index.ts";
import { opened } from "#app/db/sealed.server.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { settingsOf } from "#app/domains/platform/settings/queries.server.ts";
import { lateMessage, soonMessage } from "#app/integrations/sms/templates.ts";
import { timeInIndia, todayInIndia } from "#app/lib/dates.ts";
import { env } from "#app/runtime/env.server.ts";
import { isNight } from "../queue/mark-messages.server.ts";
import { doctorExpectedAt } from "../queue/session-start.ts";

/**
 * Sends an SMS about a token, in the language of its account. Sends nothing at night, when the patient was called, has left or stopped SMS
 * meanwhile, or switched the reminders of appointments off.
 * @throws DomainError("unavailable")
 */
export async function sendQueueSms(
  ctx: Ctx,
  { entryId, kind, late }: { entryId: string; kind: "soon" | "late"; late?: number },
): Promise<void> {
  if (isNight(ctx.now)) return;
  const [row] = await ctx.db
    .select({
      number: queueEntries.number,
      code: queueEntries.code,
      state: queueEntries.state,
      stopped: queueEntries.smsStopped,
      phone: opened(queueEntries.phone),
      patientId: queueEntries.patientId,
      language: users.language,
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
  if (!row?.phone || row.stopped || row.session === "closed") return;
  if (row.state !== "expected" && !(kind === "soon" && row.state === "arrived")) return;
  // The SMS of a later announcement has the newer time.
  if (kind === "late" && (row.session !== "planned" || !row.lateMinutes || (late !== undefined && late !== row.lateMinutes))) return;
  if (row.patientId && !(await settingsOf(ctx, row.patientId)).notifications.appointmentReminders) return;
  const language = row.language ?? "en";
  const own = { to: row.phone, token: row.number, code: row.code, host: env().appUrl.host, language };
  if (kind === "soon") return ctx.integrations.sms.send(soonMessage(own));
  const at = doctorExpectedAt(row);
  const doctor = (language !== "en" && row.texts[language]?.fullName) || row.doctor;
  return ctx.integrations.sms.send(lateMessage({ ...own, doctor, date: todayInIndia(at), time: timeInIndia(at) }));
}
