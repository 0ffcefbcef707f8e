import { and, eq, ne, sql } from "drizzle-orm";
import { hospitals } from "#app/db/schema/index.ts";
import { type Actor, type Ctx, requireAdmin, transact } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";
import { columnsOf } from "./edit-hospital.server.ts";
import type { HospitalInput } from "./hospitals.schema.ts";

/**
 * Adds a confirmed hospital as an administrator. Throws a conflict for the same name in the same city: a second press, or a
 * duplicate.
 * @throws DomainError("forbidden" | "conflict" | "invalid")
 */
export async function createHospital(ctx: Ctx<Actor>, input: HospitalInput): Promise<{ id: string }> {
  requireAdmin(ctx);
  return transact(ctx, async (tx) => {
    // Serializes concurrent requests.
    await tx.db.execute(
      sql`select pg_advisory_xact_lock(hashtextextended(${`hospital ${input.name.toLowerCase()} ${input.city.toLowerCase()}`}, 0))`,
    );
    const [same] = await tx.db
      .select({ id: hospitals.id })
      .from(hospitals)
      .where(
        and(
          eq(sql`lower(${hospitals.name})`, input.name.toLowerCase()),
          eq(sql`lower(${hospitals.city})`, input.city.toLowerCase()),
          ne(hospitals.status, "merged"),
          ne(hospitals.status, "refused"),
        ),
      )
      .limit(1);
    if (same) throw new DomainError("conflict", m.hospitals_hospital_exists(), { detail: { id: same.id } });
    const { columns, place } = await columnsOf(tx, input);
    const [made] = await tx.db
      .insert(hospitals)
      .values({ ...columns, ...place, status: "active", createdAt: tx.now, updatedAt: tx.now })
      .returning({ id: hospitals.id });
    await recordChange(tx, "create-hospital", { subject: { hospital: made!.id }, details: { name: columns.name, city: columns.city } });
    return { id: made!.id };
  });
}
