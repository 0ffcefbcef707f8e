import { and, eq, or } from "drizzle-orm";
import { appointments, files, medicalRecords } from "#app/db/schema/index.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { recordAudit } from "../audit/record.server.ts";
import type { Actor, Ctx } from "../context.server.ts";

export type OpenedFile = { bytes: Uint8Array; mediaType: string; name: string };

/**
 * The bytes of a file for someone who may see it: its owner, or the doctor of the appointment it is attached to. The
 * proof is in the query itself; anybody else gets what a file that does not exist gets. A doctor's reading is logged.
 * @throws DomainError("not-found")
 */
export async function openFile(ctx: Ctx<Actor>, id: string): Promise<OpenedFile> {
  if (!isUuid(id)) throw new DomainError("not-found");
  const { userId } = ctx.actor;
  const [file] = await ctx.db
    .select({
      ownerId: files.ownerId,
      storageKey: files.storageKey,
      mediaType: files.mediaType,
      name: files.originalName,
      appointmentId: medicalRecords.appointmentId,
    })
    .from(files)
    .leftJoin(medicalRecords, eq(medicalRecords.fileId, files.id))
    .leftJoin(appointments, eq(appointments.id, medicalRecords.appointmentId))
    .where(and(eq(files.id, id), or(eq(files.ownerId, userId), and(eq(files.status, "attached"), eq(appointments.doctorId, userId)))));
  if (!file) throw new DomainError("not-found");
  const bytes = await ctx.integrations.storage.get(file.storageKey);
  if (!bytes) throw new DomainError("not-found");
  if (file.ownerId !== userId) {
    await recordAudit(ctx, {
      action: "read-record",
      subjectType: "file",
      subjectId: id,
      personId: file.ownerId,
      details: { appointmentId: file.appointmentId },
    });
  }
  return { bytes, mediaType: file.mediaType, name: file.name };
}
