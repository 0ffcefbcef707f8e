import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { timeInIndia, todayInIndia } from "#app/lib/dates.ts";
import { requireQueue } from "./lock-session.server.ts";
import { partOfStart } from "./parts.ts";
import { ensureSession } from "./plan-day.server.ts";
import { queueChanged } from "./queue-changed.server.ts";

/** A session that starts now without booked patients is planned for this many hours. */
const HOURS = 3;

/**
 * Plans a session of a practice that has none, for patients who walk in. Idempotent. `closed`: that of this part of the day was closed; its page offers to open
 * it again. @throws DomainError("not-found" | "forbidden")
 */
export function startSession(ctx: Ctx<Actor>, practiceId: string): Promise<{ id: string; closed: boolean }> {
  return transact(ctx, async (outer) => {
    const tx = await requireQueue(outer, practiceId);
    const from = timeInIndia(tx.now);
    const hour = Math.min(Number(from.slice(0, 2)) + HOURS, 23);
    const until = `${String(hour).padStart(2, "0")}:59`;
    const session = await ensureSession(tx, { practiceId, date: todayInIndia(tx.now), part: { part: partOfStart(from), from, until } });
    const closed = session.state === "closed";
    if (!closed) await queueChanged(tx, session);
    return { id: session.id, closed };
  });
}
