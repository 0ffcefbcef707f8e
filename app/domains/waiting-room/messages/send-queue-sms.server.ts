import { eq } from "drizzle-orm";
import { queueEntries, queueSessions, users } from "#app/db/schema/index.ts";
import { opened } from "#app/db/sealed.server.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { settingsOf } from "#app/domains/platform/settings/queries.server.ts";
import { queueMessage } from "#app/integrations/sms/templates.ts";
import { env } from "#app/runtime/env.server.ts";
import { isNight } from "../queue/mark-messages.server.ts";

/**
 * Sends an SMS about a token, in the language of its account. Sends nothing at night, when the patient was called, has left or stopped SMS
 * meanwhile, or switched the reminders of appointments off.
 * @throws DomainError("unavailable")
 */
export async function sendQueueSms(ctx: Ctx, { entryId, kind }: { entryId: string; kind: "soon" | "late" }): Promise<void> {
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
    })
    .from(queueEntries)
    .innerJoin(queueSessions, eq(queueSessions.id, queueEntries.sessionId))
    .leftJoin(users, eq(users.id, queueEntries.patientId))
    .where(eq(queueEntries.id, entryId));
  if (!row?.phone || row.stopped || row.session === "closed") return;
  if (row.state !== "expected" && !(kind === "soon" && row.state === "arrived")) return;
  if (kind === "late" && (row.session !== "planned" || !row.lateMinutes)) return;
  if (row.patientId && !(await settingsOf(ctx, row.patientId)).notifications.appointmentReminders) return;
  await ctx.integrations.sms.send(
    queueMessage({
      to: row.phone,
      kind,
      token: row.number,
      minutes: row.lateMinutes,
      code: row.code,
      host: env().appUrl.host,
      language: row.language ?? "en",
    }),
  );
}
