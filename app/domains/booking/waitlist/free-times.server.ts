import { and, asc, eq, gte, lte, sql } from "drizzle-orm";
import { fullSlot } from "#app/db/schema/full-slot.ts";
import { availabilitySlots } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { startsLater } from "#app/domains/visit-time.server.ts";
import { minuteInIndia } from "#app/domains/visit-time.ts";
import { type DateKey, type TimeKey, todayInIndia } from "#app/lib/dates.ts";
import { offerTimes, suits, type Wish } from "./rules.ts";

/** `chain`: how many moves of waiting patients freed it, one after the other. */
export type FreeTime = { practiceId: string; date: DateKey; time: TimeKey; seats: number; chain: number };

/** Returns the first free time that suits, which can be booked instead of waiting for one; null if there is none. */
export async function findFreeTime(ctx: Ctx, doctorId: string, wish: Wish): Promise<{ date: DateKey; time: TimeKey } | null> {
  const found = (await listFreeTimes(ctx, doctorId, { from: wish.fromDate, until: wish.untilDate })).find((slot) => suits(wish, slot));
  return found ? { date: found.date, time: found.time } : null;
}

/** Returns a doctor's free times that may be offered now, in order. */
export async function listFreeTimes(tx: Ctx, doctorId: string, between: { from: DateKey; until: DateKey }): Promise<FreeTime[]> {
  const today = todayInIndia(tx.now);
  const rows = await tx.db
    .select({
      practiceId: availabilitySlots.practiceId,
      date: availabilitySlots.date,
      time: sql<TimeKey>`to_char(${availabilitySlots.time}, 'HH24:MI')`,
      seats: availabilitySlots.seats,
      // A cancellation after the move begins a new chain.
      chain: sql<number>`${sql`coalesce((select o.chain + 1 from waitlist_offers o where o.doctor_id = ${availabilitySlots.doctorId}
        and o.state = 'taken' and o.freed_date = ${availabilitySlots.date} and o.freed_time = ${availabilitySlots.time}
        and not exists (select from appointments a where a.doctor_id = o.doctor_id and a.status = 'cancelled'
          and a.date = o.freed_date and a.time = o.freed_time and a.cancelled_at >= o.decided_at)
        order by o.decided_at desc limit 1), 0)`}`,
    })
    .from(availabilitySlots)
    .where(
      and(
        eq(availabilitySlots.doctorId, doctorId),
        // Tokens are not offered: a session takes patients until it is full (app/domains/clinic/practices).
        eq(availabilitySlots.tokens, false),
        gte(availabilitySlots.date, between.from > today ? between.from : today),
        lte(availabilitySlots.date, between.until),
        startsLater(availabilitySlots, minuteInIndia(tx.now)),
        sql`not ${fullSlot(availabilitySlots)}`,
      ),
    )
    .orderBy(asc(availabilitySlots.date), asc(availabilitySlots.time));
  return rows.filter((slot) => offerTimes(tx.now, slot) !== null);
}
