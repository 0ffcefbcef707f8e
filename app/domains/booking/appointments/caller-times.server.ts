import { and, eq } from "drizzle-orm";
import { appointments } from "#app/db/schema/index.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { isDateKey, todayInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import type { CallerView, ChangeView } from "./caller-times.ts";
import { type FreeOf, listFreeDays, listFreePractices, listFreeTimes } from "./free-times.server.ts";
import { MAX_OPTIONS, type ProposedTime, parseTimeValue } from "./proposal-times.ts";

/** Days that the form for a caller shows as links. */
const DAYS_SHOWN = 7;
/** A time every five minutes. */
const TIMES_OF_DAY = 288;

/**
 * Chooses the times that a form shows. The caller has checked access.
 * @param chosen.day the day of the URL; another one than a day with free times is shown empty
 * @param chosen.practiceId the practice of the appointment that moves
 */
export async function readCallerView(
  ctx: Ctx,
  of: FreeOf,
  { day, practiceId }: { day: string | null; practiceId?: string },
): Promise<CallerView> {
  const today = todayInIndia(ctx.now);
  const [days, practices] = await Promise.all([listFreeDays(ctx, of, DAYS_SHOWN), listFreePractices(ctx, of)]);
  const shown = day && isDateKey(day) && day >= today ? day : (days[0]?.date ?? null);
  const times = shown ? await listFreeTimes(ctx, { ...of, on: shown, most: TIMES_OF_DAY }) : [];
  return { today, day: shown, days, times, places: new Set([...practices, ...(practiceId ? [practiceId] : [])]).size > 1 };
}

type Moving = ProposedTime & { practiceId: string };

/**
 * Chooses what the page that changes the time of an appointment shows. The URL has the day, whether several times can be ticked, and those that were ticked on
 * other days. The caller has checked access.
 */
export async function readChangeView(ctx: Ctx, all: FreeOf, booked: Moving, request: Request): Promise<ChangeView> {
  const query = new URL(request.url).searchParams;
  const { date, time, practiceId } = booked;
  const of = { ...all, but: { date, time } };
  const typed = query.getAll("times").slice(0, 20);
  const asked = typed.flatMap((text) => parseTimeValue(text) ?? []);
  // An appointment moves to a later day more often than to an earlier one.
  const [later] = query.has("day") ? [] : await listFreeTimes(ctx, { ...of, after: date, most: 1 });
  return {
    view: await readCallerView(ctx, of, { day: query.get("day") ?? later?.date ?? null, practiceId }),
    several: query.has("several"),
    ticked: asked.length ? (await listFreeTimes(ctx, { ...of, only: asked })).slice(0, MAX_OPTIONS) : [],
    practiceId,
  };
}

/** Chooses it for an appointment of the acting doctor, in all their practices. @throws DomainError("not-found") */
export async function readOwnChange(ctx: Ctx<Actor>, booked: ProposedTime & { id: string }, request: Request): Promise<ChangeView> {
  const doctorId = ctx.actor.userId;
  const [visit] = await ctx.db
    .select({ practiceId: appointments.practiceId })
    .from(appointments)
    .where(and(eq(appointments.id, booked.id), eq(appointments.doctorId, doctorId)));
  if (!visit) throw new DomainError("not-found");
  return readChangeView(ctx, { doctorId }, { ...booked, ...visit }, request);
}
