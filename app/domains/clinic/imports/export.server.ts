import { createHash, randomUUID } from "node:crypto";
import { and, desc, eq, gt, isNull, sql } from "drizzle-orm";
import { writeXlsxStream } from "hucre/xlsx";
import { clinicExports, files } from "#app/db/schema/index.ts";
import { opened } from "#app/db/sealed.server.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { requireProof } from "#app/domains/platform/accounts/proof.ts";
import { recordRead } from "#app/domains/platform/audit/record.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { discardFiles, removeDiscarded } from "#app/domains/platform/files/discard-files.server.ts";
import { putSealed, readStored, storedFile } from "#app/domains/platform/files/stored-bytes.server.ts";
import { spendLimits } from "#app/domains/platform/limits/limit.server.ts";
import { csvFile } from "#app/lib/csv.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { hours } from "#app/lib/durations.ts";
import { isUuid, randomToken } from "#app/lib/ids.server.ts";
import type { ExportFormat, ExportKind } from "#app/lib/vocabulary.ts";
import { enqueue } from "#app/queue/queue.server.ts";
import { actForClinic, type Clinic, clinicOf, columnsOf, isOf } from "./clinic.server.ts";
import { tableOf } from "./export-tables.server.ts";

/** How long the link of an export works. */
export const EXPORT_LIFE = hours(24);

/** Starts an export. A job writes its file. @throws DomainError("unproven" | "too-many" | "not-found" | "forbidden") */
export async function requestExport(
  ctx: Ctx<Actor>,
  clinic: Clinic,
  { kind, format }: { kind: ExportKind; format: ExportFormat },
): Promise<string> {
  const acting = await actForClinic(ctx, clinic);
  requireProof(acting, "export-data");
  await spendLimits(acting, [{ limit: "export", key: ctx.actor.userId }]);
  const id = randomUUID();
  await transact(acting, async (tx) => {
    await tx.db.insert(clinicExports).values({
      id,
      ...columnsOf(clinic),
      kind,
      format,
      createdBy: tx.actor.userId,
      createdAt: tx.now,
      expiresAt: new Date(tx.now.getTime() + EXPORT_LIFE),
    });
    await recordChange(tx, "export-patients", { subject: { export: id }, details: { kind, format } });
    await enqueue(tx, "export", { exportId: id });
  });
  return id;
}

export type ExportItem = {
  id: string;
  kind: ExportKind;
  format: ExportFormat;
  rowCount: number;
  isReady: boolean;
  createdAt: Date;
  expiresAt: Date;
};
const selectExports = (ctx: Ctx, clinic: Clinic, id?: string) =>
  ctx.db
    .select({
      id: clinicExports.id,
      kind: clinicExports.kind,
      format: clinicExports.format,
      rowCount: clinicExports.rowCount,
      isReady: sql<boolean>`${clinicExports.fileId} is not null`,
      createdAt: clinicExports.createdAt,
      expiresAt: clinicExports.expiresAt,
    })
    .from(clinicExports)
    .where(and(isOf(clinicExports, clinic), gt(clinicExports.expiresAt, ctx.now), id === undefined ? undefined : eq(clinicExports.id, id)))
    .orderBy(desc(clinicExports.createdAt))
    .limit(10);

/** Returns the exports whose links still work, the newest first. @throws DomainError("not-found" | "forbidden") */
export async function listExports(ctx: Ctx<Actor>, clinic: Clinic): Promise<ExportItem[]> {
  await actForClinic(ctx, clinic);
  return selectExports(ctx, clinic);
}
/** Returns an export whose link still works. @throws DomainError("not-found" | "forbidden") */
export async function getExport(ctx: Ctx<Actor>, clinic: Clinic, id: string): Promise<ExportItem> {
  await actForClinic(ctx, clinic);
  const [found] = await selectExports(ctx, clinic, id);
  if (!found) throw new DomainError("not-found");
  return found;
}

/** Returns the file of an export. @throws DomainError("not-found" | "forbidden" | "unproven") */
export async function openExport(
  ctx: Ctx<Actor>,
  clinic: Clinic,
  id: string | undefined,
): Promise<{ bytes: Uint8Array; mediaType: string; name: string }> {
  const acting = await actForClinic(ctx, clinic);
  requireProof(acting, "export-data");
  if (!isUuid(id)) throw new DomainError("not-found");
  const [file] = await acting.db
    .select({ ...storedFile, mediaType: files.mediaType, name: opened(files.originalName) })
    .from(clinicExports)
    .innerJoin(files, eq(files.id, clinicExports.fileId))
    .where(and(eq(clinicExports.id, id), isOf(clinicExports, clinic), gt(clinicExports.expiresAt, ctx.now)));
  const bytes = file && (await readStored(acting, file));
  if (!bytes) throw new DomainError("not-found");
  await recordRead(acting, { action: "read-export", subjectType: "export", subjectId: id });
  return { bytes, mediaType: file.mediaType, name: file.name };
}

const MEDIA_TYPES: Record<ExportFormat, string> = {
  csv: "text/csv; charset=utf-8",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
};

/** Writes the file of an export. Safe to repeat. */
export async function writeExport(ctx: Ctx, exportId: string): Promise<void> {
  const [record] = await ctx.db
    .select()
    .from(clinicExports)
    .where(and(eq(clinicExports.id, exportId), isNull(clinicExports.fileId)));
  if (!record) return;
  const { head, rows } = await tableOf(ctx, clinicOf(record), record.kind);
  const bytes = record.format === "csv" ? Buffer.from(csvFile(head, rows)) : await workbookOf(record.kind, [head, ...rows]);
  const key = `export/${createHash("sha256").update(randomToken()).digest("hex").slice(0, 40)}`;
  const stored = await putSealed(ctx.integrations.storage, {
    id: randomUUID(),
    storageKey: key,
    name: `nadi-${record.kind}-${todayInIndia(ctx.now)}.${record.format}`,
    bytes,
  });
  const discarded = await transact(ctx, async (tx) => {
    await tx.db.insert(files).values({
      ...stored,
      ownerId: record.createdBy,
      purpose: "export",
      status: "attached",
      mediaType: MEDIA_TYPES[record.format],
      createdAt: tx.now,
    });
    const [written] = await tx.db
      .update(clinicExports)
      .set({ fileId: stored.id, rowCount: rows.length, finishedAt: tx.now })
      .where(and(eq(clinicExports.id, exportId), isNull(clinicExports.fileId)))
      .returning({ id: clinicExports.id });
    // Another run of the job was first, or the export has expired.
    return written ? [] : discardFiles(tx, [stored.id]);
  });
  await removeDiscarded(ctx, discarded);
}

async function workbookOf(name: string, rows: string[][]): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  // As text: Excel would shorten numbers of patients and change dates.
  for await (const chunk of writeXlsxStream(rows, { name })) chunks.push(chunk);
  return Buffer.concat(chunks);
}
