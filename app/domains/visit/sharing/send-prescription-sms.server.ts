import { randomUUID } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { encounters, queueEntries, recordShares, visitDocuments } from "#app/db/schema/index.ts";
import { opened } from "#app/db/sealed.server.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { hasStopped } from "#app/domains/platform/delivery/stopped.server.ts";
import { settingsOf } from "#app/domains/platform/settings/queries.server.ts";
import { prescriptionMessage } from "#app/integrations/sms/templates.ts";
import { days } from "#app/lib/durations.ts";
import { hashToken } from "#app/lib/ids.server.ts";
import { env } from "#app/runtime/env.server.ts";
import { readSigned, signedRow } from "../documents/verify.server.ts";
import { newShareSecret } from "./shares.server.ts";

/** The link of an SMS. */
const DAYS = 7;
const TIMES = 20;

/**
 * Sends the link of a signed prescription to a patient of the queue, in the language of the prescription. Patients with an appointment get the
 * notification of their account. Sends nothing when the prescription is not valid any more, or the patient stopped SMS. The secret exists only in
 * the message: a retry makes a new one.
 * @throws DomainError("unavailable")
 */
export async function sendPrescriptionSms(ctx: Ctx, documentId: string): Promise<void> {
  const [row] = await ctx.db
    .select({
      ...signedRow,
      content: opened(visitDocuments.content, visitDocuments.dataKey),
      patientId: encounters.patientId,
      personKey: encounters.personKey,
      phone: opened(queueEntries.phone),
      stopped: queueEntries.smsStopped,
    })
    .from(visitDocuments)
    .innerJoin(encounters, eq(encounters.id, visitDocuments.encounterId))
    .innerJoin(queueEntries, eq(queueEntries.id, encounters.queueEntryId))
    .where(and(eq(visitDocuments.id, documentId), eq(visitDocuments.state, "signed"), eq(visitDocuments.kind, "prescription")));
  if (!row?.phone || row.stopped || (await hasStopped(ctx, row.phone))) return;
  const { patientId, personKey, phone } = row;
  if (patientId && !(await settingsOf(ctx, patientId)).notifications.sms) return;
  const content = await readSigned(ctx, row);
  if (!content) return;
  const secret = newShareSecret();
  const id = randomUUID();
  await ctx.db.insert(recordShares).values({
    id,
    ...(patientId === null ? {} : { patientId, personKey }),
    documentId,
    secretHash: hashToken(secret),
    byDoctor: true,
    most: TIMES,
    createdAt: ctx.now,
    expiresAt: new Date(ctx.now.getTime() + days(DAYS)),
  });
  try {
    await ctx.integrations.sms.send(
      prescriptionMessage({ to: phone, secret, days: DAYS, host: env().appUrl.host, language: content.language }),
    );
  } catch (error) {
    await ctx.db.delete(recordShares).where(eq(recordShares.id, id));
    throw error;
  }
}
