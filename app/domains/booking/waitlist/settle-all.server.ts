import { asc } from "drizzle-orm";
import { waitlistEntries } from "#app/db/schema/index.ts";
import { type Ctx, transact } from "#app/domains/context.server.ts";
import { forEachAlone } from "#app/lib/for-each-alone.ts";
import { liveEntry } from "./entries.server.ts";
import { lockWaitlist } from "./lock.server.ts";
import { settleWaitlist } from "./settle.server.ts";

/**
 * Brings every waitlist up to date, each in a transaction of its own: offers that lapsed, messages due at 07:00, days that are over, doctors who were
 * suspended. A job runs it each minute. Safe to run twice at once. @returns how many doctors have a waitlist
 */
export async function settleAllWaitlists(ctx: Ctx): Promise<number> {
  const rows = await ctx.db
    .selectDistinct({ doctorId: waitlistEntries.doctorId })
    .from(waitlistEntries)
    .where(liveEntry)
    .orderBy(asc(waitlistEntries.doctorId));
  await forEachAlone(rows, ({ doctorId }) =>
    transact(ctx, async (tx) => {
      await lockWaitlist(tx, doctorId);
      await settleWaitlist(tx, doctorId);
    }),
  );
  return rows.length;
}
