import { and, eq, inArray } from "drizzle-orm";
import { doctors, profileChanges } from "#app/db/schema/index.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { m } from "#app/paraglide/messages.js";
import { PROFILE_CHANGE_ACTIONS } from "./profile-change.state.ts";
import { changeStatusWord } from "./profile-words.ts";

/** Withdraws a pending change of the acting doctor. @throws DomainError("not-found"), "conflict" when it was decided meanwhile */
export async function withdrawChange(ctx: Ctx<Actor>, id: string): Promise<void> {
  if (!isUuid(id)) throw new DomainError("not-found");
  const doctorId = ctx.actor.userId;
  await transact(ctx, async (tx) => {
    // Serializes saving, withdrawing and deciding with a lock on the doctor's row.
    await tx.db.select({ id: doctors.id }).from(doctors).where(eq(doctors.id, doctorId)).for("update");
    const own = and(eq(profileChanges.id, id), eq(profileChanges.doctorId, doctorId));
    const rule = PROFILE_CHANGE_ACTIONS.withdraw;
    const [taken] = await tx.db
      .update(profileChanges)
      .set({ status: rule.to, accountSealed: null, decidedAt: tx.now })
      .where(and(own, inArray(profileChanges.status, [...rule.from])))
      .returning({ field: profileChanges.field });
    if (!taken) {
      const [there] = await tx.db.select({ status: profileChanges.status }).from(profileChanges).where(own);
      if (!there) throw new DomainError("not-found");
      // Idempotent: it was withdrawn before.
      if (there.status === rule.to) return;
      throw new DomainError("conflict", m.profile_change_wrong_state({ status: changeStatusWord(there.status) }));
    }
    const people = { doctor: doctorId };
    await recordChange(tx, "withdraw-profile-change", { people, details: { field: taken.field, change: id } });
    const data = { to: rule.to, field: taken.field };
    await recordChange(tx, "profile-change.withdraw", { subject: { "profile-change": id }, people, data });
  });
}
