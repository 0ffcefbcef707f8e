import { and, eq, sql } from "drizzle-orm";
import { announcementRecipients, announcements } from "#app/db/schema/index.ts";
import { type Ctx, transact } from "#app/domains/context.server.ts";
import { enqueue } from "#app/queue/queue.server.ts";
import { ANNOUNCEMENT_ACTIONS } from "./announcement.state.ts";
import { inAudience } from "./audience.server.ts";

/** Users of one transaction. */
const BATCH = 1_000;
/** Batches of one job: the next job goes on, so that no job runs into its deadline. */
const BATCHES = 50;

/**
 * Delivers an announcement, or removes it after its withdrawal, in batches of users in the order of their ids. A restart goes on after the
 * last batch. The row of the announcement serializes two workers, and one row for each recipient keeps every user at one notification.
 */
export async function deliverAnnouncement(ctx: Ctx, announcementId: string, batch = BATCH): Promise<void> {
  for (let i = 0; i < BATCHES; i++) if (!(await transact(ctx, (tx) => nextBatch(tx, announcementId, batch)))) return;
  await enqueue(ctx, "announcement", { announcementId });
}

/** Returns true when there is more to do. */
async function nextBatch(tx: Ctx, id: string, batch: number): Promise<boolean> {
  const [row] = await tx.db.select().from(announcements).where(eq(announcements.id, id)).for("update");
  if (row?.state === "withdrawn") return removeBatch(tx, row, batch);
  if (row?.state !== "sending") return false;
  const [done] = await tx.db.execute<{ n: number; added: number; last: string | null }>(sql`
    with next as (
      select u.id, coalesce(u.language, ${row.language}) as language from users u
      where ${inAudience(row)} and u.created_at <= ${row.sentAt?.toISOString()}::timestamptz
        and (${row.reached}::uuid is null or u.id > ${row.reached}::uuid)
      order by u.id limit ${batch}
    ), added as (
      insert into announcement_recipients (announcement_id, user_id) select ${id}::uuid, id from next on conflict do nothing returning user_id
    ), notified as (
      insert into notifications (user_id, kind, type, params, created_at)
      select next.id, 'announcement', 'info',
        jsonb_build_object('announcement', ${id}::text) || coalesce(a.texts -> next.language, a.texts -> a.language), ${tx.now.toISOString()}::timestamptz
      from next join added on added.user_id = next.id join announcements a on a.id = ${id}::uuid
    )
    select count(*)::int as n, (select count(*)::int from added) as added, (select id from next order by id desc limit 1) as last from next`);
  const more = (done?.n ?? 0) === batch;
  await tx.db
    .update(announcements)
    .set({
      reached: done?.last ?? row.reached,
      delivered: row.delivered + (done?.added ?? 0),
      ...(!more && { state: ANNOUNCEMENT_ACTIONS.finish.to }),
    })
    .where(eq(announcements.id, id));
  return more;
}

/** Deletes the notifications of a withdrawn announcement. Its recipients stay, as a record of who received it. */
async function removeBatch(tx: Ctx, row: typeof announcements.$inferSelect, batch: number): Promise<boolean> {
  const users = await tx.db
    .select({ id: announcementRecipients.userId })
    .from(announcementRecipients)
    .where(
      and(
        eq(announcementRecipients.announcementId, row.id),
        row.reached ? sql`${announcementRecipients.userId} > ${row.reached}` : undefined,
      ),
    )
    .orderBy(announcementRecipients.userId)
    .limit(batch);
  const last = users.at(-1)?.id;
  if (!last) return false;
  await tx.db.execute(sql`delete from notifications n using announcement_recipients r
    where r.announcement_id = ${row.id} and (${row.reached}::uuid is null or r.user_id > ${row.reached}::uuid) and r.user_id <= ${last}::uuid
      and n.user_id = r.user_id and n.kind = 'announcement' and n.params ->> 'announcement' = ${row.id}`);
  await tx.db.update(announcements).set({ reached: last }).where(eq(announcements.id, row.id));
  return users.length === batch;
}
