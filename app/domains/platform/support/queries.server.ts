import { and, count, desc, eq, gte, lte, or, sql } from "drizzle-orm";
import { appointments, doctors, supportThreads } from "#app/db/schema/index.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { addDays, todayInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { listMessages } from "./messages.server.ts";
import type { ThreadVisit } from "./thread.ts";

const PAGE = 20;
/** Appointments that a question can name: so many days before and after today. */
const NEAR = 60;
const MOST_APPOINTMENTS = 20;

const head = {
  id: supportThreads.id,
  reference: supportThreads.reference,
  topic: supportThreads.topic,
  state: supportThreads.state,
  lastMessageAt: supportThreads.lastMessageAt,
  createdAt: supportThreads.createdAt,
};

/** Returns a page of the acting user's threads, the last changed first. */
export async function listOwnThreads(ctx: Ctx<Actor>, page: number) {
  const own = eq(supportThreads.userId, ctx.actor.userId);
  const [rows, [whole]] = await Promise.all([
    ctx.db
      .select(head)
      .from(supportThreads)
      .where(own)
      .orderBy(desc(supportThreads.lastMessageAt), desc(supportThreads.id))
      .limit(PAGE + 1)
      .offset((page - 1) * PAGE),
    ctx.db.select({ total: count() }).from(supportThreads).where(own),
  ]);
  return { rows: rows.slice(0, PAGE), hasMore: rows.length > PAGE, total: whole?.total ?? 0 };
}

/** Returns a page of the acting user's thread: page 1 has the newest messages. @throws DomainError("not-found") */
export async function getOwnThread(ctx: Ctx<Actor>, id: string | undefined, page: number) {
  if (!isUuid(id)) throw new DomainError("not-found");
  const [thread] = await ctx.db
    .select({ ...head, appointmentId: supportThreads.appointmentId })
    .from(supportThreads)
    .where(and(eq(supportThreads.id, id), eq(supportThreads.userId, ctx.actor.userId)));
  if (!thread) throw new DomainError("not-found");
  const [{ rows, hasMore }, visit] = await Promise.all([listMessages(ctx, id, page), getThreadVisit(ctx, thread.appointmentId)]);
  // The names of administrators are for administrators.
  return { thread, visit, messages: rows.map((message) => ({ ...message, author: null })), hasMore };
}

const visitRow = {
  id: appointments.id,
  date: appointments.date,
  time: sql<string>`to_char(${appointments.time}, 'HH24:MI')`,
  doctor: doctors.fullName,
  patient: appointments.patientName,
};

/** Returns the appointment of a thread; null without one. */
export async function getThreadVisit(ctx: Ctx<Actor>, appointmentId: string | null): Promise<ThreadVisit | null> {
  if (!appointmentId) return null;
  const [visit] = await ctx.db
    .select(visitRow)
    .from(appointments)
    .innerJoin(doctors, eq(doctors.id, appointments.doctorId))
    .where(eq(appointments.id, appointmentId));
  return visit ?? null;
}

/** Returns the appointments of the acting patient or doctor that a question can name, those nearest to today first. */
export async function listAppointmentsToName(ctx: Ctx<Actor>): Promise<ThreadVisit[]> {
  if (ctx.actor.role !== "patient" && ctx.actor.role !== "doctor") return [];
  const today = todayInIndia(ctx.now);
  const { userId } = ctx.actor;
  return ctx.db
    .select(visitRow)
    .from(appointments)
    .innerJoin(doctors, eq(doctors.id, appointments.doctorId))
    .where(
      and(
        or(eq(appointments.patientId, userId), eq(appointments.doctorId, userId)),
        gte(appointments.date, addDays(today, -NEAR)),
        lte(appointments.date, addDays(today, NEAR)),
      ),
    )
    .orderBy(sql`abs(${appointments.date} - ${today}::date)`, appointments.date, appointments.time)
    .limit(MOST_APPOINTMENTS);
}
