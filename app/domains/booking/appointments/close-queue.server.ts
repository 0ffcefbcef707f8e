import { eq } from "drizzle-orm";
import { queueSessions } from "#app/db/schema/index.ts";
import { lockWaitlist } from "#app/domains/booking/waitlist/lock.server.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { CLOSED_EARLY } from "#app/domains/visit-reasons.ts";
import { type Closing, closeSession } from "#app/domains/waiting-room/queue/close-session.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { changeState } from "./change-appointment.server.ts";

/**
 * Closes a queue. The appointments of patients whose turn did not come are cancelled by the clinic, which gives back all that was paid, and their patients are
 * notified; those with a phone get an SMS with a link to choose another time, unless `sms` is false. Closing it twice changes nothing.
 * @returns how many patients were sent an SMS
 * @throws DomainError("not-found" | "forbidden") and "conflict" when other patients than those shown would not be seen
 */
export function closeQueue(ctx: Ctx<Actor>, input: Closing): Promise<{ sms: number }> {
  return transact(ctx, async (outer) => {
    // The waitlist first, as every command that cancels.
    const [session] = isUuid(input.sessionId)
      ? await outer.db.select({ doctorId: queueSessions.doctorId }).from(queueSessions).where(eq(queueSessions.id, input.sessionId))
      : [];
    if (!session) throw new DomainError("not-found");
    await lockWaitlist(outer, session.doctorId);
    const closed = await closeSession(outer, input);
    if (!closed) return { sms: 0 };
    const { tx, visits, sms } = closed;
    for (const id of visits)
      await changeState(
        tx,
        id,
        "cancel",
        { cancelledAt: tx.now, cancelledBy: "doctor", cancelReason: CLOSED_EARLY },
        { kind: "appointment-queue-closed" },
      );
    return { sms };
  });
}
