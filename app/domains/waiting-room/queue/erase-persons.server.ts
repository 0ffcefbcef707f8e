import { isNotNull, type SQL, sql } from "drizzle-orm";
import { queueEntries } from "#app/db/schema/index.ts";
import { emptiedValues } from "#app/db/schema/policy.ts";
import type { Ctx } from "#app/domains/context.server.ts";

/** Erases name, phone, age, birth date and gender of entries. Returns how many had them. An empty text in a sealed column is readable as such. */
export async function erasePersons(tx: Ctx, where: SQL): Promise<number> {
  const rows = await tx.db
    .update(queueEntries)
    .set({ ...emptiedValues(queueEntries), updatedAt: tx.now })
    .where(sql`${where} and (${isNotNull(queueEntries.personKey)} or ${queueEntries.name} <> '')`)
    .returning({ id: queueEntries.id });
  return rows.length;
}
