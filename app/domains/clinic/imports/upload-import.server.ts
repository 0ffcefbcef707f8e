import { randomUUID } from "node:crypto";
import { and, eq, inArray } from "drizzle-orm";
import { files, type ImportReading, importRows, imports } from "#app/db/schema/index.ts";
import { opened, sealed } from "#app/db/sealed.server.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { requireProof } from "#app/domains/platform/accounts/proof.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { displayName } from "#app/domains/platform/files/images.server.ts";
import { type StoredFile, storeFile } from "#app/domains/platform/files/store-file.server.ts";
import { readStored, storedFile } from "#app/domains/platform/files/stored-bytes.server.ts";
import { MAX_IMPORT_BYTES } from "#app/domains/platform/files/upload-limits.ts";
import { spendLimits } from "#app/domains/platform/limits/limit.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import type { ImportKind } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { actForClinic, type Clinic, columnsOf, isOf } from "./clinic.server.ts";
import { type DateFacts, dateOrderOf, guessColumns, isDate, noteDate } from "./columns.ts";
import { IMPORT_ACTIONS } from "./import.state.ts";
import { lockImport } from "./lock-import.server.ts";
import { readTable, rowsOf } from "./read-sheet.server.ts";
import { isZip, type Sheet } from "./sheet.ts";
import { orderOfDate } from "./values.ts";
import { faultWord } from "./words.ts";

const EXAMPLES = 3;
/** Rows in which a column's content is looked at. */
const LOOKED_AT = 50;

/** Stores the bytes of a file as a `pending` file of the actor. @throws DomainError("too-large" | "too-many" | "unproven" | …) */
export async function storeImportFile(
  ctx: Ctx<Actor>,
  clinic: Clinic,
  { name, bytes }: { name: string; bytes: Uint8Array },
): Promise<StoredFile> {
  const acting = await actForClinic(ctx, clinic);
  requireProof(acting, "import-data");
  await spendLimits(acting, [
    { limit: "import", key: ctx.actor.userId },
    { limit: "import-day", key: ctx.actor.userId },
  ]);
  if (bytes.length > MAX_IMPORT_BYTES) throw new DomainError("too-large", faultWord("too-large"));
  return storeFile(ctx, {
    purpose: "import",
    name: displayName(name),
    bytes,
    mediaType: isZip(bytes) ? "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet" : "text/csv",
  });
}

/**
 * Starts an import from a stored file: reads the columns of its first sheet, or of `sheet`, and guesses what they are. Nothing of it is stored as patients yet.
 * @returns the id of the import
 * @throws DomainError("unproven" | "not-found" | "forbidden"), "invalid" with a sentence for a file that cannot be read
 */
export async function uploadImport(
  ctx: Ctx<Actor>,
  clinic: Clinic,
  { kind, fileId, sheet = null }: { kind: ImportKind; fileId: string; sheet?: string | null },
): Promise<string> {
  const acting = await actForClinic(ctx, clinic);
  requireProof(acting, "import-data");
  const file = await findOwnFile(acting, fileId, "pending");
  const table = await readFile(acting, file, sheet);
  const id = randomUUID();
  await transact(acting, async (tx) => {
    await actForClinic(tx, clinic);
    await tx.db.update(files).set({ status: "attached" }).where(eq(files.id, file.id));
    const { reading, ...facts } = readingOf(kind, file.name, table);
    await tx.db.insert(imports).values({
      id,
      ...columnsOf(clinic),
      kind,
      fileId: file.id,
      reading: sealed(imports.reading, id, reading),
      ...facts,
      createdBy: tx.actor.userId,
      createdAt: tx.now,
      updatedAt: tx.now,
    });
    await recordChange(tx, "upload-import", { subject: { import: id }, details: { kind, rows: table.rowCount } });
  });
  return id;
}

/** Every row of a file is read again. @throws DomainError("too-many") */
export async function spendCheck(ctx: Ctx<Actor>): Promise<void> {
  await spendLimits(ctx, [
    { limit: "import-check", key: ctx.actor.userId },
    { limit: "import-check-day", key: ctx.actor.userId },
  ]);
}

/** Reads another sheet of the workbook. Rows that were checked are forgotten. @throws DomainError("not-found" | "conflict" | "invalid" | "too-many") */
export async function readOtherSheet(ctx: Ctx<Actor>, clinic: Clinic, { id, sheet }: { id: string; sheet: string }): Promise<void> {
  const acting = await actForClinic(ctx, clinic);
  const [row] = await acting.db
    .select({ fileId: imports.fileId, kind: imports.kind })
    .from(imports)
    .where(
      and(
        eq(imports.id, isUuid(id) ? id : randomUUID()),
        isOf(imports, clinic),
        inArray(imports.state, [...IMPORT_ACTIONS["read-again"].from]),
      ),
    );
  if (!row?.fileId) throw new DomainError("not-found");
  await spendCheck(acting);
  const file = await findFile(acting, row.fileId);
  const table = await readFile(acting, file, sheet);
  await transact(acting, async (tx) => {
    await lockImport(tx, clinic, id, "read-again");
    await tx.db.delete(importRows).where(eq(importRows.importId, id));
    const { reading, ...facts } = readingOf(row.kind, file.name, table);
    await tx.db
      .update(imports)
      .set({ state: IMPORT_ACTIONS["read-again"].to, reading: sealed(imports.reading, id, reading), ...facts, updatedAt: tx.now })
      .where(eq(imports.id, id));
  });
}

type ImportFile = { id: string; name: string; storageKey: string; dataKey: string | null; sealed: boolean };
async function findOwnFile(ctx: Ctx<Actor>, id: string, status: "pending"): Promise<ImportFile> {
  if (!isUuid(id)) throw new DomainError("invalid", undefined, { fields: { file: [m.import_file_missing()] } });
  const [file] = await ctx.db
    .select({ ...storedFile, name: opened(files.originalName) })
    .from(files)
    .where(and(eq(files.id, id), eq(files.ownerId, ctx.actor.userId), eq(files.purpose, "import"), eq(files.status, status)));
  if (!file) throw new DomainError("invalid", undefined, { fields: { file: [m.import_file_missing()] } });
  return file;
}
async function findFile(ctx: Ctx, id: string): Promise<ImportFile> {
  const [file] = await ctx.db
    .select({ ...storedFile, name: opened(files.originalName) })
    .from(files)
    .where(eq(files.id, id));
  if (!file) throw new DomainError("not-found");
  return file;
}

/** Reads the table of a stored file. @throws DomainError("invalid") with what to do, "unavailable" */
async function readFile(ctx: Ctx, file: ImportFile, sheet: string | null): Promise<Sheet> {
  const bytes = await readStored(ctx, file);
  if (!bytes) throw new DomainError("unavailable");
  const table = await readTable(bytes, sheet);
  if ("fault" in table) throw new DomainError("invalid", undefined, { fields: { file: [faultWord(table.fault)] } });
  return table;
}
/** Reads the table of an import's file again. null: the file is gone or cannot be read. */
export async function readImportFile(ctx: Ctx, of: { fileId: string | null; sheet: string | null }): Promise<Sheet | null> {
  if (of.fileId === null) return null;
  const bytes = await readStored(ctx, await findFile(ctx, of.fileId));
  const table = bytes && (await readTable(bytes, of.sheet));
  return table && !("fault" in table) ? table : null;
}

/** Returns what the columns page shows of a table. */
function readingOf(kind: ImportKind, fileName: string, table: Sheet) {
  const rows = rowsOf(table.rows);
  const header = rows.next().value?.cells ?? [];
  const columns = Array.from({ length: table.columnCount }, (_, i) => ({
    header: header[i] ?? "",
    examples: [] as string[],
    seen: [] as string[],
  }));
  for (const { cells } of first(rows, LOOKED_AT))
    for (const [i, { examples, seen }] of columns.entries()) {
      const cell = cells[i];
      if (!cell) continue;
      seen.push(cell);
      if (examples.length < EXAMPLES && !examples.includes(cell)) examples.push(cell.slice(0, 80));
    }
  const guesses = guessColumns(
    kind,
    columns.map((column) => ({ header: column.header, examples: column.seen })),
  );
  const isDated = (i: number) => isDate(guesses[i]) || (!guesses[i] && columns[i]!.seen.some((cell) => orderOfDate(cell)));
  const dates = columns.map((_, i): DateFacts | undefined => (isDated(i) ? { dayFirst: false, monthFirst: false, ask: null } : undefined));
  noteDates(table, header, dates);
  const guessed = dates.filter((facts, i) => facts && isDate(guesses[i]));
  const { order, ask } = dateOrderOf((guessed.length ? guessed : dates).filter((facts) => facts !== undefined));
  const reading: ImportReading = {
    fileName,
    sheets: table.sheets,
    sheet: table.sheet,
    columns: columns.map(({ header, examples }, i) => ({
      ...{ header, examples },
      ...(guesses[i] !== undefined && { guess: guesses[i] }),
      ...(dates[i] && { dates: dates[i] }),
    })),
    ask,
  };
  return {
    reading,
    mapping: guesses.map((guess) => guess ?? null),
    dateOrder: order,
    rowCount: table.rowCount,
    columnCount: table.columnCount,
  };
}
function* first<T>(all: Iterable<T>, count: number): Generator<T> {
  let left = count;
  for (const one of all) {
    if (left-- <= 0) return;
    yield one;
  }
}
function noteDates({ rows }: Sheet, header: readonly string[], dates: readonly (DateFacts | undefined)[]): void {
  const dated = dates.flatMap((facts, i) => (facts ? [{ facts, i }] : []));
  if (!dated.length) return;
  const all = rowsOf(rows);
  all.next();
  for (const { number, cells } of all)
    for (const { facts, i } of dated) noteDate(facts, { row: number, column: header[i] ?? "", value: cells[i] ?? "" });
}
