import { and, asc, eq, sql } from "drizzle-orm";
import { violatedConstraint } from "#app/db/client.server.ts";
import { doctors, memberships, placeDoctors, practices } from "#app/db/schema/index.ts";
import { placeOfPractice } from "#app/db/schema/place-of-practice.ts";
import { listedDoctor } from "#app/db/schema/visibility.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { requireActing } from "#app/domains/places/members/acting.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { m } from "#app/paraglide/messages.js";

/** SQL: the practice is at this place. */
const atPlace = (hospitalId: string) => eq(placeOfPractice, hospitalId);

/** Returns the doctors of a clinic with their keywords. @throws DomainError("not-found" | "forbidden") */
export async function listKeywords(ctx: Ctx<Actor>, hospitalId: string) {
  await requireActing(ctx, hospitalId, "manage-doctors");
  return ctx.db
    .select({ practiceId: practices.id, doctor: doctors.fullName, keyword: practices.keyword })
    .from(practices)
    .innerJoin(doctors, eq(doctors.id, practices.doctorId))
    .innerJoin(
      placeDoctors,
      and(eq(placeDoctors.doctorId, doctors.id), eq(placeDoctors.hospitalId, hospitalId), eq(placeDoctors.state, "active")),
    )
    .where(and(atPlace(hospitalId), eq(practices.state, "active"), listedDoctor(doctors)))
    .orderBy(asc(doctors.fullName), asc(practices.id));
}

/**
 * Sets the word that starts a booking with a doctor of the clinic by message; an empty one ends it. A word belongs to one doctor.
 * @throws DomainError("not-found" | "forbidden" | "invalid")
 */
export async function setKeyword(
  ctx: Ctx<Actor>,
  { hospitalId, practiceId, keyword }: { hospitalId: string; practiceId: string; keyword: string },
) {
  await orTaken(
    transact(ctx, async (tx) => {
      const acting = await requireActing(tx, hospitalId, "manage-doctors");
      const [own] = await tx.db
        .select({ doctorId: practices.doctorId })
        .from(practices)
        .innerJoin(doctors, eq(doctors.id, practices.doctorId))
        .where(and(eq(practices.id, practiceId), atPlace(hospitalId)));
      if (!own) throw new DomainError("not-found");
      await requireActing(tx, hospitalId, "manage-doctors", own.doctorId);
      await store(tx, practiceId, keyword);
      await recordChange(acting, "set-keyword", {
        subject: { hospital: hospitalId },
        place: hospitalId,
        details: { doctorId: own.doctorId, keyword: keyword || null },
      });
    }),
  );
}

/** SQL: the doctor chooses the keyword of a practice. At a clinic of another owner the owner does. */
const isOwnChoice = sql<boolean>`not exists (select from ${memberships} o where o.hospital_id = ${placeOfPractice} and o.role = 'owner'
  and o.state = 'active' and o.user_id <> ${practices.doctorId})`;

/** Returns the keyword of a practice for which the acting doctor chooses it. @throws DomainError("not-found") */
export async function getOwnKeyword(ctx: Ctx<Actor>, practiceId: string): Promise<{ practiceId: string; keyword: string | null }> {
  const own = await findOwnKeyword(ctx, practiceId);
  if (!own) throw new DomainError("not-found");
  return own;
}

/** The same, but null where another chooses it. */
export async function findOwnKeyword(ctx: Ctx<Actor>, practiceId: string) {
  if (!isUuid(practiceId)) return null;
  const [own] = await ctx.db
    .select({ practiceId: practices.id, keyword: practices.keyword })
    .from(practices)
    .innerJoin(doctors, eq(doctors.id, practices.doctorId))
    .where(
      and(
        ...[eq(practices.id, practiceId), eq(practices.doctorId, ctx.actor.userId), eq(practices.state, "active")],
        ...[listedDoctor(doctors), isOwnChoice],
      ),
    );
  return own ?? null;
}

/**
 * Sets the word that starts a booking with the acting doctor at a practice; an empty one ends it. A word belongs to one doctor.
 * @throws DomainError("not-found" | "invalid")
 */
export async function setOwnKeyword(ctx: Ctx<Actor>, { practiceId, keyword }: { practiceId: string; keyword: string }) {
  await orTaken(
    transact(ctx, async (tx) => {
      await getOwnKeyword(tx, practiceId);
      await store(tx, practiceId, keyword);
      const details = { practice: practiceId, keyword: keyword || null };
      await recordChange(tx, "change-practice", { people: { doctor: tx.actor.userId }, details });
    }),
  );
}

const store = (tx: Ctx, practiceId: string, keyword: string) =>
  tx.db
    .update(practices)
    .set({ keyword: keyword || null, updatedAt: tx.now })
    .where(eq(practices.id, practiceId));

async function orTaken(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (violatedConstraint(error) === "practices_keyword")
      throw new DomainError("invalid", undefined, { fields: { keyword: [m.keyword_taken()] } });
    throw error;
  }
}
