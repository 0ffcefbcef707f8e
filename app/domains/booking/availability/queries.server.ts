import { and, asc, eq, gte, lte, sql } from "drizzle-orm";
import { hot } from "#app/db/client.server.ts";
import { bookedSlot, fullSlot, takenSeats } from "#app/db/schema/full-slot.ts";
import { availabilitySlots } from "#app/db/schema/index.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { NOW, nowValues, startsLater } from "#app/domains/visit-time.server.ts";
import { hasStarted, minuteInIndia } from "#app/domains/visit-time.ts";
import { addDays, addMonths, type DateKey, type TimeKey, todayInIndia } from "#app/lib/dates.ts";
import { offerOf, type SessionOffer } from "./session-offer.ts";

export type DaySlot = { time: TimeKey; state: "free" | "booked" | "past"; session?: SessionOffer };
/** `tokens`: the day has sessions, which give tokens. */
export type DayLoad = { date: DateKey; free: number; total: number; tokens: boolean };

const full = fullSlot(availabilitySlots);
const booked = bookedSlot(availabilitySlots);

/** SQL: the last token of a session that has been given out; null before the first. */
const lastToken = sql`(select q.last_number from queue_sessions q where q.practice_id = ${availabilitySlots.practiceId} and q.date = ${availabilitySlots.date} and q.starts_at = ${availabilitySlots.time})`;

/** What `offerOf` reads of a slot. `taken` is null for a time without tokens. */
export const sessionColumns = {
  minutes: availabilitySlots.minutes,
  seats: availabilitySlots.seats,
  taken: sql<number | null>`case when ${availabilitySlots.tokens} then ${takenSeats(availabilitySlots)}::int end`,
  last: sql<number | null>`case when ${availabilitySlots.tokens} then ${lastToken} end`,
};

/** SQL: the slots of the practice in the placeholder `practice`; without a value those of all practices. */
const inPractice = sql`(${sql.placeholder("practice")}::uuid is null or ${availabilitySlots.practiceId} = ${sql.placeholder("practice")}::uuid)`;

/**
 * Counts a doctor's slots and free slots on each day of a span. Omits days without slots. Counts only future slots of today.
 * @param practiceId counts the slots of one practice; default: of all
 */
export async function listDayLoad(
  ctx: Ctx,
  doctorId: string,
  span: { from: DateKey; to: DateKey },
  practiceId?: string,
): Promise<DayLoad[]> {
  const query = hot(ctx.db, "list_day_load", (db) =>
    db
      .select({
        date: availabilitySlots.date,
        total: sql<number>`count(*)::int`,
        free: sql<number>`(count(*) filter (where not ${full}))::int`,
        tokens: sql<boolean>`bool_or(${availabilitySlots.tokens})`,
      })
      .from(availabilitySlots)
      .where(
        and(
          eq(availabilitySlots.doctorId, sql.placeholder("doctor")),
          gte(availabilitySlots.date, sql.placeholder("from")),
          lte(availabilitySlots.date, sql.placeholder("to")),
          startsLater(availabilitySlots, NOW),
          inPractice,
        ),
      )
      .groupBy(availabilitySlots.date)
      .orderBy(asc(availabilitySlots.date))
      .prepare("list_day_load"),
  );
  return query.execute({ doctor: doctorId, ...span, practice: practiceId ?? null, ...nowValues(ctx.now) });
}

/** Returns `listDayLoad` of a month. */
export const listMonthLoad = (ctx: Ctx, doctorId: string, month: string, practiceId?: string): Promise<DayLoad[]> =>
  listDayLoad(ctx, doctorId, { from: `${month}-01`, to: addDays(addMonths(`${month}-01`, 1), -1) }, practiceId);

/** Returns a doctor's slots on a day in order, each free, booked or past. @param practiceId only the slots of one practice */
export async function listDaySlots(ctx: Ctx, doctorId: string, date: DateKey, practiceId?: string): Promise<DaySlot[]> {
  const query = hot(ctx.db, "list_day_slots", (db) =>
    db
      .select({
        time: availabilitySlots.time,
        full,
        ...sessionColumns,
      })
      .from(availabilitySlots)
      .where(
        and(eq(availabilitySlots.doctorId, sql.placeholder("doctor")), eq(availabilitySlots.date, sql.placeholder("date")), inPractice),
      )
      .orderBy(asc(availabilitySlots.time))
      .prepare("list_day_slots"),
  );
  const rows = await query.execute({ doctor: doctorId, date, practice: practiceId ?? null });
  return rows.map(({ time, full: isFull, minutes, seats, taken, last }) => {
    const key = time.slice(0, 5);
    const state = hasStarted(ctx.now, { date, time: key }) ? "past" : isFull ? "booked" : "free";
    if (taken === null) return { time: key, state };
    return { time: key, state, session: offerOf({ time: key, minutes, seats }, taken, last) };
  });
}

/** Returns the free slots of a doctor nearest to a wished moment, in order of time. `practiceId`: only those of one practice. */
export async function listNearestFree(
  ctx: Ctx,
  doctorId: string,
  wish: { date: DateKey; time: TimeKey; practiceId?: string | undefined },
  limit = 4,
): Promise<{ date: DateKey; time: TimeKey }[]> {
  const at = sql`(${availabilitySlots.date} + ${availabilitySlots.time})`;
  const rows = await ctx.db
    .select({ date: availabilitySlots.date, time: availabilitySlots.time })
    .from(availabilitySlots)
    .where(
      and(
        eq(availabilitySlots.doctorId, doctorId),
        // Searches two weeks before and after the wish only.
        gte(availabilitySlots.date, sql`${wish.date}::date - 14`),
        lte(availabilitySlots.date, sql`${wish.date}::date + 14`),
        startsLater(availabilitySlots, minuteInIndia(ctx.now)),
        wish.practiceId ? eq(availabilitySlots.practiceId, wish.practiceId) : undefined,
        sql`not ${full}`,
      ),
    )
    .orderBy(
      sql`abs(extract(epoch from ${at} - (${wish.date}::date + ${wish.time}::time)))`,
      asc(availabilitySlots.date),
      asc(availabilitySlots.time),
    )
    .limit(limit);
  return rows.map((r) => ({ date: r.date, time: r.time.slice(0, 5) })).sort((a, b) => (a.date + a.time < b.date + b.time ? -1 : 1));
}

/** Returns the first day with a free slot from now on; null for none. @param practiceId only in one practice */
export async function findFirstFreeDate(ctx: Ctx, doctorId: string, practiceId?: string): Promise<DateKey | null> {
  const [row] = await ctx.db
    .select({ date: availabilitySlots.date })
    .from(availabilitySlots)
    .where(
      and(
        eq(availabilitySlots.doctorId, doctorId),
        practiceId ? eq(availabilitySlots.practiceId, practiceId) : undefined,
        startsLater(availabilitySlots, minuteInIndia(ctx.now)),
        sql`not ${full}`,
      ),
    )
    .orderBy(asc(availabilitySlots.date))
    .limit(1);
  return row?.date ?? null;
}

/** Returns the last day on which this doctor has slots; null for none from today on. */
export async function findLastSlotDate(ctx: Ctx, doctorId: string): Promise<DateKey | null> {
  const [row] = await ctx.db
    .select({ last: sql<DateKey | null>`max(${availabilitySlots.date})::text` })
    .from(availabilitySlots)
    .where(and(eq(availabilitySlots.doctorId, doctorId), gte(availabilitySlots.date, todayInIndia(ctx.now))));
  return row?.last ?? null;
}

export type SlotDay = { date: DateKey; slots: { time: TimeKey; booked: boolean }[] };
/**
 * Returns the acting doctor's days from today on with their slots, at most `limit` days. `next`: the day after them, if there are
 * more.
 */
export async function listSlotDays(
  ctx: Ctx<Actor>,
  input: { from?: DateKey | undefined; limit: number; practiceId?: string | undefined },
): Promise<{ days: SlotDay[]; next: DateKey | null }> {
  const today = todayInIndia(ctx.now);
  const from = input.from && input.from > today ? input.from : today;
  const mine = and(
    eq(availabilitySlots.doctorId, ctx.actor.userId),
    input.practiceId ? eq(availabilitySlots.practiceId, input.practiceId) : undefined,
    gte(availabilitySlots.date, from),
  );
  const dates = await ctx.db
    .selectDistinct({ date: availabilitySlots.date })
    .from(availabilitySlots)
    .where(mine)
    .orderBy(asc(availabilitySlots.date))
    .limit(input.limit + 1);
  const last = dates[Math.min(dates.length, input.limit) - 1]?.date;
  if (!last) return { days: [], next: null };
  const rows = await ctx.db
    .select({ date: availabilitySlots.date, time: availabilitySlots.time, booked })
    .from(availabilitySlots)
    .where(and(mine, lte(availabilitySlots.date, last)))
    .orderBy(asc(availabilitySlots.date), asc(availabilitySlots.time));
  const byDate = Map.groupBy(rows, (r) => r.date);
  return {
    days: [...byDate].map(([date, slots]) => ({ date, slots: slots.map((s) => ({ time: s.time.slice(0, 5), booked: s.booked })) })),
    next: dates[input.limit]?.date ?? null,
  };
}

/** Returns the acting doctor's slots between two days, by date. */
export async function listSlotsBetween(ctx: Ctx<Actor>, from: DateKey, until: DateKey): Promise<Map<DateKey, TimeKey[]>> {
  const rows = await ctx.db
    .select({ date: availabilitySlots.date, time: availabilitySlots.time })
    .from(availabilitySlots)
    .where(and(eq(availabilitySlots.doctorId, ctx.actor.userId), gte(availabilitySlots.date, from), lte(availabilitySlots.date, until)))
    .orderBy(asc(availabilitySlots.date), asc(availabilitySlots.time));
  const byDate = new Map<DateKey, TimeKey[]>();
  for (const { date, time } of rows) byDate.set(date, [...(byDate.get(date) ?? []), time.slice(0, 5)]);
  return byDate;
}

/** A time of one of a doctor's practices. */
export type PracticeTime = { time: TimeKey; practiceId: string; minutes: number; tokens: boolean };
/**
 * Returns a doctor's times by day: the free ones from now on, or with `booked` all from today on.
 * @param practiceId only those of one practice
 */
export async function listTimes(
  ctx: Ctx,
  { doctorId, practiceId, booked: withBooked }: { doctorId: string; practiceId?: string | undefined; booked: boolean },
): Promise<{ date: DateKey; times: PracticeTime[] }[]> {
  const rows = await ctx.db
    .select({
      date: availabilitySlots.date,
      time: availabilitySlots.time,
      practiceId: availabilitySlots.practiceId,
      minutes: availabilitySlots.minutes,
      tokens: availabilitySlots.tokens,
    })
    .from(availabilitySlots)
    .where(
      and(
        eq(availabilitySlots.doctorId, doctorId),
        practiceId ? eq(availabilitySlots.practiceId, practiceId) : undefined,
        ...(withBooked
          ? [gte(availabilitySlots.date, todayInIndia(ctx.now))]
          : [startsLater(availabilitySlots, minuteInIndia(ctx.now)), sql`not ${full}`]),
      ),
    )
    .orderBy(asc(availabilitySlots.date), asc(availabilitySlots.time));
  return [...Map.groupBy(rows, (row) => row.date)].map(([date, times]) => ({
    date,
    times: times.map(({ date: _, time, ...of }) => ({ time: time.slice(0, 5), ...of })),
  }));
}
