import { and, asc, desc, eq, inArray, isNull, sql } from "drizzle-orm";
import { type ImportReading, type ImportRowContent, importRows, imports } from "#app/db/schema/index.ts";
import { opened } from "#app/db/sealed.server.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { type ImportKind, type ImportState, ROW_GROUPS, type RowDecision, type RowGroup } from "#app/lib/vocabulary.ts";
import { undoableUntil } from "./change-import.server.ts";
import { openReading } from "./check-import.server.ts";
import { actForClinic, type Clinic, isOf } from "./clinic.server.ts";
import { type DoctorOfClinic, listDoctors } from "./place-appointment.server.ts";
import { isUsed } from "./undo-rows.server.ts";
import type { DateOrder } from "./values.ts";
import { isAboutDoctor, isAboutTime, TIME_QUESTIONS } from "./words.ts";

/** Rows on one page. */
export const ROWS_ON_PAGE = 20;

export type ImportOutcomes = {
  added: number;
  /** Of `added`: what is missing was filled in for a patient who was here. */
  merged: number;
  /** Of `added`: booked at the next free time, not at that of the file. */
  moved: number;
  here: number;
  undecided: number;
  leftOut: number;
  unreadable: number;
  removed: number;
  stays: number;
};
export type ImportFacts = {
  id: string;
  kind: ImportKind;
  state: ImportState;
  reading: ImportReading | null;
  mapping: (string | null)[];
  order: DateOrder;
  rowCount: number;
  columnCount: number;
  done: number;
  fault: string | null;
  groups: Record<RowGroup, number>;
  /** Rows that need a decision and have none. */
  undecided: number;
  /** Rows that a commit adds or merges. */
  ready: number;
  outcomes: ImportOutcomes;
  finishedAt: Date | null;
  undoneAt: Date | null;
  undoUntil: Date | null;
};

const HERE: readonly ImportState[] = ["uploaded", "checking", "checked", "importing", "done", "undoing", "undone", "stopped"];

/** Returns an import of the clinic. @throws DomainError("not-found" | "forbidden") */
export async function getImport(ctx: Ctx<Actor>, clinic: Clinic, id: string | undefined): Promise<ImportFacts> {
  await actForClinic(ctx, clinic);
  if (!isUuid(id)) throw new DomainError("not-found");
  const [record] = await ctx.db
    .select()
    .from(imports)
    .where(and(eq(imports.id, id), isOf(imports, clinic), inArray(imports.state, [...HERE])));
  if (!record) throw new DomainError("not-found");
  const counts = await ctx.db
    .select({
      ...{ group: importRows.group, decision: importRows.decision, outcome: importRows.outcome },
      ...{ reason: importRows.reason, count: sql<number>`count(*)::int` },
    })
    .from(importRows)
    .where(eq(importRows.importId, id))
    .groupBy(importRows.group, importRows.decision, importRows.outcome, importRows.reason);
  const sum = (of: (row: (typeof counts)[number]) => boolean) => counts.filter(of).reduce((all, { count }) => all + count, 0);
  const isUndecided = ({ group, decision }: (typeof counts)[number]) => group === "decision" && decision === null;
  return {
    id,
    kind: record.kind,
    state: record.state,
    reading: record.state === "discarded" ? null : openReading(record),
    mapping: record.mapping,
    order: record.dateOrder,
    rowCount: record.rowCount,
    columnCount: record.columnCount,
    done: record.done,
    fault: record.fault,
    groups: Object.fromEntries(ROW_GROUPS.map((group) => [group, sum((row) => row.group === group)])) as Record<RowGroup, number>,
    undecided: sum(isUndecided),
    ready: sum(({ group, decision }) => group === "new" || (group === "decision" && decision !== null && decision !== "leave-out")),
    outcomes: {
      added: sum(({ outcome }) => outcome === "added" || outcome === "merged"),
      merged: sum(({ outcome }) => outcome === "merged"),
      moved: sum(({ outcome, decision, reason }) => outcome === "added" && decision === "other" && isAboutTime(reason)),
      here: sum(({ outcome }) => outcome === "here"),
      undecided: sum((row) => row.outcome === "left-out" && isUndecided(row)),
      leftOut: sum((row) => row.outcome === "left-out" && row.group !== "unreadable" && !isUndecided(row)),
      unreadable: sum((row) => row.outcome === "left-out" && row.group === "unreadable"),
      removed: sum(({ outcome }) => outcome === "removed"),
      stays: sum(({ outcome }) => outcome === "stays"),
    },
    finishedAt: record.finishedAt,
    undoneAt: record.undoneAt,
    undoUntil: record.finishedAt && undoableUntil(record.finishedAt),
  };
}

export type ImportListItem = { id: string; kind: ImportKind; state: ImportState; rowCount: number; createdAt: Date; fileName: string };
/** Returns the latest imports of the clinic, the newest first. @throws DomainError("not-found" | "forbidden") */
export async function listImports(ctx: Ctx<Actor>, clinic: Clinic): Promise<ImportListItem[]> {
  await actForClinic(ctx, clinic);
  const found = await ctx.db
    .select({
      ...{ id: imports.id, kind: imports.kind, state: imports.state, rowCount: imports.rowCount, createdAt: imports.createdAt },
      reading: opened(imports.reading),
    })
    .from(imports)
    .where(and(isOf(imports, clinic), inArray(imports.state, [...HERE])))
    .orderBy(desc(imports.createdAt))
    .limit(10);
  return found.map(({ reading, ...one }) => ({ ...one, fileName: reading.fileName }));
}

/** What rows are asked, and how often: each name of an unknown doctor is a question of its own. */
export type AskedQuestion = { question: string; doctorName: string | null; count: number };
/** Bounds the questions of a file that names a doctor differently in each row. */
const MOST_QUESTIONS = 30;

/** Returns the questions of a checked import, the most frequent first, and the doctors whom a decision can name. */
export async function listQuestions(
  ctx: Ctx<Actor>,
  clinic: Clinic,
  id: string,
): Promise<{ asked: AskedQuestion[]; doctors: Pick<DoctorOfClinic, "id" | "name">[] }> {
  await actForClinic(ctx, clinic);
  const count = sql<number>`count(*)::int`;
  const asked = await ctx.db
    .select({ question: sql<string>`${importRows.reason}`, doctorName: importRows.doctorName, count })
    .from(importRows)
    .innerJoin(imports, eq(imports.id, importRows.importId))
    .where(and(eq(importRows.importId, id), isOf(imports, clinic), eq(importRows.group, "decision")))
    .groupBy(importRows.reason, importRows.doctorName)
    .orderBy(desc(count), asc(importRows.reason), asc(importRows.doctorName))
    .limit(MOST_QUESTIONS);
  const doctors = asked.some(({ question }) => isAboutDoctor(question)) ? await listDoctors(ctx, clinic) : [];
  return { asked, doctors: doctors.map(({ id, name }) => ({ id, name })) };
}

export type ImportRow = ImportRowContent & {
  number: number;
  group: RowGroup;
  reason: string | null;
  decision: RowDecision | null;
  decidedDoctorId: string | null;
  /** The patient of the register that it may be. */
  likeId: string | null;
};
/** SQL: the row was booked at the next free time. */
const isMoved = and(eq(importRows.outcome, "added"), eq(importRows.decision, "other"), inArray(importRows.reason, [...TIME_QUESTIONS]));
export type RowsShown = { group?: RowGroup; outcome?: "stays" | "left-out" | "moved"; undecided?: boolean };
type RowFilter = RowsShown & { after?: number; most?: number };

/** Returns rows of an import in the order of the file. @throws DomainError("not-found" | "forbidden") */
export async function listRows(
  ctx: Ctx<Actor>,
  clinic: Clinic,
  id: string,
  filter: RowFilter & { offset?: number },
): Promise<{ rows: ImportRow[]; hasMore: boolean }> {
  await actForClinic(ctx, clinic);
  const most = filter.most ?? ROWS_ON_PAGE;
  const found = await ctx.db
    .select({
      number: importRows.number,
      group: importRows.group,
      reason: importRows.reason,
      decision: importRows.decision,
      decidedDoctorId: importRows.decidedDoctorId,
      content: opened(importRows.content),
      likeId: importRows.likeId,
    })
    .from(importRows)
    .innerJoin(imports, eq(imports.id, importRows.importId))
    .where(
      and(
        eq(importRows.importId, id),
        isOf(imports, clinic),
        filter.group && eq(importRows.group, filter.group),
        filter.outcome && (filter.outcome === "moved" ? isMoved : eq(importRows.outcome, filter.outcome)),
        filter.undecided ? isNull(importRows.decision) : undefined,
        filter.after !== undefined ? sql`${importRows.number} > ${filter.after}` : undefined,
      ),
    )
    .orderBy(asc(importRows.number))
    .offset(filter.offset ?? 0)
    .limit(most + 1);
  return { rows: found.slice(0, most).map(({ content, ...row }) => ({ ...row, ...content })), hasMore: found.length > most };
}

/** Counts the patients that an undo would leave, because they were used since. */
export async function countUsed(ctx: Ctx<Actor>, clinic: Clinic, id: string): Promise<number> {
  await actForClinic(ctx, clinic);
  const [row] = await ctx.db.execute<{ count: number }>(
    sql`select count(*)::int as count from clinic_patients p where p.import_id = ${id}::uuid and ${isUsed(id)}`,
  );
  return row?.count ?? 0;
}
