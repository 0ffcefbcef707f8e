import { and, eq } from "drizzle-orm";
import { type ImportReading, imports } from "#app/db/schema/index.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { leadsFrom } from "#app/lib/state-table.ts";
import { m } from "#app/paraglide/messages.js";
import { actForClinic, type Clinic, isOf } from "./clinic.server.ts";
import { IMPORT_ACTIONS, type ImportAction } from "./import.state.ts";

export type ImportRecord = typeof imports.$inferSelect;

/** What is left of the file's names and examples once they are deleted. */
export const NO_READING: ImportReading = { fileName: "", sheets: [], sheet: null, columns: [], ask: null };

/**
 * Locks an import of the clinic for an action of its owner, until the commit.
 * @throws DomainError("not-found" | "forbidden"), "conflict" in another state
 */
export async function lockImport(tx: Ctx<Actor>, clinic: Clinic, id: string | undefined, action: ImportAction): Promise<ImportRecord> {
  await actForClinic(tx, clinic);
  if (!isUuid(id)) throw new DomainError("not-found");
  const [row] = await tx.db
    .select()
    .from(imports)
    .where(and(eq(imports.id, id), isOf(imports, clinic)))
    .for("update");
  if (!row) throw new DomainError("not-found");
  if (!leadsFrom(IMPORT_ACTIONS[action], row.state)) throw new DomainError("conflict", m.import_changed_meanwhile());
  return row;
}
