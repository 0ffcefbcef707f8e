import { and, eq, isNull, lt, sql } from "drizzle-orm";
import { doctors, files, sessions, users, verificationDrafts, verificationEvents } from "#app/db/schema/index.ts";
import { type Ctx, transact } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { days } from "#app/lib/durations.ts";

/**
 * How long an unsubmitted application is stored. The purpose of the identity documents ends when the doctor gives up (DPDP Act
 * 2023 s. 8(7)).
 */
export const UNFINISHED_FOR = days(180);

/**
 * Deletes accounts of doctors with an application that was never submitted, after `UNFINISHED_FOR` without a change or login:
 * documents, encrypted numbers, login. They can register again. A submitted application stays.
 * @returns the number of deleted accounts
 */
export async function sweepApplications(ctx: Ctx): Promise<number> {
  const since = new Date(ctx.now.getTime() - UNFINISHED_FOR);
  const at = since.toISOString();
  const abandoned = and(
    eq(doctors.registrationStatus, "draft"),
    isNull(doctors.submittedAt),
    lt(users.createdAt, since),
    sql`not exists (select 1 from ${verificationDrafts} d where d.doctor_id = ${doctors.id} and d.updated_at >= ${at}::timestamptz)`,
    sql`not exists (select 1 from ${verificationEvents} e where e.doctor_id = ${doctors.id})`,
    sql`not exists (select 1 from ${sessions} s where s.user_id = ${doctors.id} and s.last_seen_at >= ${at}::timestamptz)`,
  );
  const found = await ctx.db.select({ id: users.id }).from(users).innerJoin(doctors, eq(doctors.id, users.id)).where(abandoned).limit(50);
  let gone = 0;
  for (const { id } of found)
    gone += await transact(ctx, async (inside) => {
      // Checks again under a lock: the doctor may have logged in meanwhile.
      const [still] = await inside.db
        .select({ id: users.id })
        .from(users)
        .innerJoin(doctors, eq(doctors.id, users.id))
        .where(and(eq(users.id, id), abandoned))
        .for("update");
      if (!still) return 0;
      const uploads = await inside.db.select({ key: files.storageKey }).from(files).where(eq(files.ownerId, id));
      // Deletes the bytes first: if the rest fails, the next sweep finds the rows again.
      for (const { key } of uploads) await ctx.integrations.storage.remove(key);
      await inside.db.delete(users).where(eq(users.id, id));
      await recordChange(inside, "remove-unfinished-application", { people: { doctor: id } });
      return 1;
    });
  return gone;
}
