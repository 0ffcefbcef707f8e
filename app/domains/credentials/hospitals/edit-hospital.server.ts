import { eq } from "drizzle-orm";
import { hospitals } from "#app/db/schema/index.ts";
import { type Actor, type Ctx, requireAdmin, transact } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { HOSPITAL_ACCESS } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import type { HospitalInput } from "./hospitals.schema.ts";
import { lockDoctorsOf, lockHospital } from "./lock-hospital.server.ts";
import { findCityPlace } from "./queries.server.ts";

/** Converts the input to columns. Unknown coordinates are those of the city. */
export async function columnsOf(tx: Ctx, input: HospitalInput) {
  const { seen: _, ...given } = input;
  const place = await findCityPlace(tx, input.city, input.state);
  if (!place)
    throw new DomainError("invalid", m.hospitals_hospital_city_unknown(), { fields: { city: [m.hospitals_hospital_city_unknown()] } });
  return {
    place,
    columns: {
      ...given,
      area: given.area ?? "",
      pinCode: given.pinCode ?? null,
      phone: given.phone ?? null,
      email: given.email ?? null,
      about: given.about ?? "",
      workingHours: given.workingHours ?? "",
      // In one order, so that an unchanged choice is equal.
      access: HOSPITAL_ACCESS.filter((one) => given.access.includes(one)),
    },
  };
}

/**
 * Edits a hospital. Throws a conflict if another administrator has changed it since it was read. @throws DomainError("not-found"
 * | "forbidden" | "conflict" | "invalid")
 */
export async function editHospital(ctx: Ctx<Actor>, input: HospitalInput & { id: string }): Promise<void> {
  requireAdmin(ctx);
  const { id, ...given } = input;
  return transact(ctx, async (tx) => {
    // The search texts of its doctors contain the hospital's name.
    if (isUuid(id)) await lockDoctorsOf(tx, id);
    const before = await lockHospital(tx, id, ["active", "pending"]);
    if (given.seen !== before.updatedAt.toISOString()) throw new DomainError("conflict", m.hospitals_hospital_changed());
    const { columns, place } = await columnsOf(tx, given);
    const moved = before.city !== columns.city || before.state !== columns.state || before.latitude === null;
    await tx.db
      .update(hospitals)
      .set({ ...columns, ...(moved ? place : {}), updatedAt: tx.now })
      .where(eq(hospitals.id, id));
    const changed = (Object.keys(columns) as (keyof typeof columns)[]).filter((name) => String(columns[name]) !== String(before[name]));
    await recordChange(tx, "edit-hospital", { subject: { hospital: id }, details: { changed: changed.join(", ") } });
  });
}
