import { and, asc, eq } from "drizzle-orm";
import { violatedConstraint } from "#app/db/client.server.ts";
import { doctors, placeDoctors, practices } from "#app/db/schema/index.ts";
import { placeOfPractice } from "#app/db/schema/place-of-practice.ts";
import { listedDoctor } from "#app/db/schema/visibility.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { requireActing } from "#app/domains/places/members/acting.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
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
  try {
    await transact(ctx, async (tx) => {
      const acting = await requireActing(tx, hospitalId, "manage-doctors");
      const [own] = await tx.db
        .select({ doctorId: practices.doctorId })
        .from(practices)
        .innerJoin(doctors, eq(doctors.id, practices.doctorId))
        .where(and(eq(practices.id, practiceId), atPlace(hospitalId)));
      if (!own) throw new DomainError("not-found");
      await requireActing(tx, hospitalId, "manage-doctors", own.doctorId);
      await tx.db
        .update(practices)
        .set({ keyword: keyword || null, updatedAt: tx.now })
        .where(eq(practices.id, practiceId));
      await recordChange(acting, "set-keyword", {
        subject: { hospital: hospitalId },
        place: hospitalId,
        details: { doctorId: own.doctorId, keyword: keyword || null },
      });
    });
  } catch (error) {
    if (violatedConstraint(error) === "practices_keyword")
      throw new DomainError("invalid", undefined, { fields: { keyword: [m.keyword_taken()] } });
    throw error;
  }
}
