import { and, inArray } from "drizzle-orm";
import { clinicPatients } from "#app/db/schema/index.ts";
import { opened } from "#app/db/sealed.server.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { PROOF_LIFE, requireProof } from "#app/domains/platform/accounts/proof.ts";
import { recordRead } from "#app/domains/platform/audit/record.server.ts";
import { spendLimits } from "#app/domains/platform/limits/limit.server.ts";
import { csvFile } from "#app/lib/csv.ts";
import { m } from "#app/paraglide/messages.js";
import { actForClinic, type Clinic, isOf } from "./clinic.server.ts";
import { getImport, type ImportRow, listRows, type RowsShown } from "./queries.server.ts";
import { decidedWord, groupWord, noticeWord, problemWords, questionWord } from "./words.ts";

const PAGE = 1_000;

/**
 * Returns the rows of an import as CSV: the cells of the file, then the group, why, and what was decided. It can be corrected and imported again.
 * @throws DomainError("unproven" | "too-many" | "not-found" | "forbidden")
 */
export async function rowsFile(ctx: Ctx<Actor>, clinic: Clinic, id: string, filter: RowsShown): Promise<string> {
  const acting = await actForClinic(ctx, clinic);
  requireProof(acting, "export-data");
  const { reading } = await getImport(ctx, clinic, id);
  await spendLimits(acting, [{ limit: "export", key: ctx.actor.userId }]);
  const columns = reading?.columns ?? [];
  const lines: string[][] = [];
  for (let after = 0; ; ) {
    const { rows, hasMore } = await listRows(ctx, clinic, id, { ...filter, after, most: PAGE });
    lines.push(...rows.map((row) => lineOf(row, columns.length)));
    if (!hasMore) break;
    after = rows.at(-1)!.number;
  }
  await recordRead(acting, { action: "read-export", subjectType: "import", subjectId: id, details: { rows: lines.length } });
  const head = [
    ...columns.map(({ header }) => header),
    m.import_file_row(),
    m.import_file_group(),
    m.import_file_why(),
    m.import_file_decision(),
  ];
  return csvFile(head, lines);
}

/** Returns a page of rows, recorded as an export. `proofLife`: milliseconds. @throws DomainError("unproven" | "too-many" | "not-found" | "forbidden") */
export async function takeRows(
  ctx: Ctx<Actor>,
  clinic: Clinic,
  id: string,
  filter: Parameters<typeof listRows>[3],
  proofLife = PROOF_LIFE,
) {
  const acting = await actForClinic(ctx, clinic);
  requireProof(acting, "export-data", proofLife);
  await spendLimits(acting, [{ limit: "import-rows", key: ctx.actor.userId }]);
  const page = await listRows(ctx, clinic, id, filter);
  await recordRead(acting, { action: "read-export", subjectType: "import", subjectId: id, details: { rows: page.rows.length } });
  return { ...page, rows: await withAddresses(ctx, clinic, page.rows) };
}

/** Adds the addresses of the patients of the register whom the rows may be. */
async function withAddresses(ctx: Ctx, clinic: Clinic, rows: ImportRow[]): Promise<ImportRow[]> {
  const ids = rows.flatMap(({ likeId }) => likeId ?? []);
  if (!ids.length) return rows;
  const found = await ctx.db
    .select({ id: clinicPatients.id, address: opened(clinicPatients.address) })
    .from(clinicPatients)
    .where(and(inArray(clinicPatients.id, ids), isOf(clinicPatients, clinic)));
  const addresses = new Map(found.map(({ id, address }) => [id, address]));
  return rows.map((row) => ({
    ...row,
    like: row.like && { ...row.like, address: row.like.address ?? addresses.get(row.likeId ?? "") ?? null },
  }));
}

function lineOf({ cells, number, group, reason, decision, notices, bookAt }: ImportRow, width: number): string[] {
  const why = group === "unreadable" ? problemWords(reason).join(". ") : questionWord(reason);
  return [
    ...Array.from({ length: width }, (_, i) => cells[i] ?? ""),
    String(number),
    groupWord(group),
    [why, ...notices.map(noticeWord)].filter(Boolean).join(". "),
    decision ? decidedWord({ decision, reason, bookAt }) : "",
  ];
}
