import { and, desc, eq, ne, sql } from "drizzle-orm";
import { hospitals } from "#app/db/schema/index.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { findHospitalOption } from "./hospital-options.server.ts";

/** `own`: the doctor says that it is their clinic. */
export type ProposedHospital = { name: string; address: string; contact: string; city: string; state: string; own?: boolean };

/** SQL: normalises a name or address for comparison, to lower-case letters and digits. */
const spelling = (value: unknown) => sql`btrim(lower(regexp_replace(${value}, '[^[:alnum:]]+', ' ', 'g')))`;

/**
 * Returns the place with this name and address, however they are written, also one entered by another doctor, or merged. Runs in a
 * transaction and locks until its end: of two doctors who enter one place at once, the second finds that of the first.
 */
export async function findSamePlace(tx: Ctx, { name, address }: Pick<ProposedHospital, "name" | "address">) {
  await tx.db.execute(sql`select pg_advisory_xact_lock(hashtextextended('propose-hospital', 0))`);
  const [known] = await tx.db
    .select({ id: hospitals.id, status: hospitals.status })
    .from(hospitals)
    .where(
      and(
        ne(hospitals.status, "refused"),
        sql`${spelling(hospitals.name)} = ${spelling(sql`${name}::text`)}`,
        sql`${spelling(hospitals.address)} = ${spelling(sql`${address}::text`)}`,
      ),
    )
    .orderBy(desc(eq(hospitals.status, "active")), desc(eq(hospitals.status, "merged")), hospitals.createdAt)
    .limit(1);
  return known ?? null;
}

/**
 * Returns the hospital that a doctor entered: an existing one (`findSamePlace`), otherwise a new one that an administrator has to
 * confirm. Runs in the transaction of the submission: concurrent submissions create one hospital.
 */
export async function proposeHospital(tx: Ctx<Actor>, proposed: ProposedHospital): Promise<string> {
  const known = await findSamePlace(tx, proposed);
  if (known) {
    const confirmed = known.status === "pending" ? known.id : (await findHospitalOption(tx, known.id))?.id;
    if (confirmed) return confirmed;
  }
  const [made] = await tx.db
    .insert(hospitals)
    .values({
      name: proposed.name,
      address: proposed.address,
      phone: proposed.contact,
      city: proposed.city,
      state: proposed.state,
      category: proposed.own ? "Clinic" : "Hospital",
      status: "pending",
      proposedBy: tx.actor.userId,
      createdAt: tx.now,
      updatedAt: tx.now,
    })
    .returning({ id: hospitals.id });
  if (!made) throw new Error("a proposed hospital was not written");
  await recordChange(tx, "propose-hospital", { subject: { hospital: made.id }, people: { user: tx.actor.userId } });
  return made.id;
}
