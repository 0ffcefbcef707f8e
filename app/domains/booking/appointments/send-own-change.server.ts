import { eq, sql } from "drizzle-orm";
import { appointments, notificationEmails, users } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { settingsOf } from "#app/domains/platform/settings/queries.server.ts";
import { patientNameWord } from "#app/domains/platform/users/deleted-name.ts";
import { visitTimeWord } from "#app/domains/token-words.ts";
import { formatDate } from "#app/lib/dates.ts";
import { withLanguage } from "#app/lib/language.server.ts";
import { pathOf } from "#app/lib/targets.ts";
import { m } from "#app/paraglide/messages.js";
import { env } from "#app/runtime/env.server.ts";
import { invitationFor } from "./own-calendar-file.server.ts";
import { getPatientAppointment } from "./patient-queries.server.ts";

/**
 * Sends the email of an appointment that its patient cancelled or moved, as it is now: an earlier email has put it into their calendar. Nothing
 * without an address, or when the patient switched emails off.
 * @throws DomainError("unavailable")
 */
export async function sendOwnChange(ctx: Ctx, appointmentId: string): Promise<void> {
  const [reader] = await ctx.db
    .select({
      userId: users.id,
      email: sql<string | null>`coalesce(${users.email}, ${notificationEmails.email})`,
      language: users.language,
    })
    .from(appointments)
    .innerJoin(users, eq(users.id, appointments.patientId))
    .leftJoin(notificationEmails, eq(notificationEmails.userId, users.id))
    .where(eq(appointments.id, appointmentId));
  if (!reader?.email) return;
  const { userId, email } = reader;
  if (!(await settingsOf(ctx, userId)).notifications.email) return;
  const words = await withLanguage(reader.language, async () => {
    const visit = await getPatientAppointment({ ...ctx, actor: { userId, role: "patient" } }, appointmentId);
    const of = {
      patient: patientNameWord(visit.patientName),
      doctor: visit.doctorName,
      date: formatDate(visit.date),
      time: visitTimeWord(visit),
    };
    const isCancelled = visit.status === "cancelled";
    const link = new URL(pathOf({ page: "patient-appointment", id: appointmentId }), env().appUrl).href;
    return {
      subject: m.notifications_email_subject({
        title: isCancelled ? m.notifications_cancelled_title() : m.proposals_notice_moved_title(),
      }),
      body: m.notifications_email({ message: isCancelled ? m.notifications_own_cancelled(of) : m.notifications_own_moved(of), link }),
      calendar: await invitationFor(ctx, { userId, email }, appointmentId),
    };
  });
  await ctx.integrations.email.send({ to: email, id: ctx.requestId, ...words });
}
