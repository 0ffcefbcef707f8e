import type { WaitlistEnd } from "#app/db/schema/index.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { endEntry, listLiveEntriesOf } from "./entries.server.ts";
import { lockWaitlists } from "./lock.server.ts";
import { settleWaitlist } from "./settle.server.ts";

/**
 * Ends the acting patient's entries, or those of a family member, and offers their times to the next patients. Runs in the transaction of `tx`,
 * before the rows it refers to are deleted.
 */
async function endEntries(tx: Ctx<Actor>, reason: WaitlistEnd, which: { memberId?: string } = {}): Promise<void> {
  const doctorIds = (await listLiveEntriesOf(tx, tx.actor.userId, which)).map(({ doctorId }) => doctorId);
  if (doctorIds.length === 0) return;
  await lockWaitlists(tx, doctorIds);
  // Read again: an offer may have been made before the lock.
  for (const entry of await listLiveEntriesOf(tx, tx.actor.userId, which)) await endEntry(tx, entry, reason);
  for (const id of [...new Set(doctorIds)].sort()) await settleWaitlist(tx, id);
}

/** Ends the entries of a family member who is being removed. */
export const endEntriesOfMember = (tx: Ctx<Actor>, memberId: string): Promise<void> => endEntries(tx, "person-removed", { memberId });
/** Ends all entries of the acting patient, whose account is being deleted. */
export const endEntriesWithAccount = (tx: Ctx<Actor>): Promise<void> => endEntries(tx, "account");
