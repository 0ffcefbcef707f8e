import { and, asc, desc, eq, gte, inArray, isNotNull, isNull, or, type SQL, sql } from "drizzle-orm";
import { appointments, doctors, inboundMessages, messageThreads, outboundMessages, practices, users } from "#app/db/schema/index.ts";
import { placeOfPractice } from "#app/db/schema/place-of-practice.ts";
import { opened } from "#app/db/sealed.server.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { type ActingCtx, requireActing } from "#app/domains/places/members/acting.server.ts";
import { recordRead, recordReads } from "#app/domains/platform/audit/record.server.ts";
import { instantInIndia, monthOf, todayInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { minutes } from "#app/lib/durations.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { env } from "#app/runtime/env.server.ts";
import type { Rendered } from "../conversation/render.ts";
import { ANSWER_WINDOW } from "./answer-as-member.server.ts";

/** Conversations of a list, and lines of one of them. */
const MOST_THREADS = 50;
const MOST_LINES = 60;

/** SQL: conversations of the clinic about doctors for whom the member acts. */
const ofPlace = (hospitalId: string, doctorIds: readonly string[]): SQL | undefined =>
  and(
    eq(messageThreads.hospitalId, hospitalId),
    or(isNull(messageThreads.doctorId), doctorIds.length ? inArray(messageThreads.doctorId, [...doctorIds]) : sql`false`),
  );
/** SQL: the name under which the phone booked here last. */
const nameHere = (doctorIds: readonly string[]) =>
  doctorIds.length
    ? sql<string | null>`(select a.patient_name from ${appointments} a where a.patient_phone = ${messageThreads.phone}
        and a.doctor_id in (${sql.join(
          doctorIds.map((id) => sql`${id}::uuid`),
          sql`, `,
        )}) order by a.created_at desc limit 1)`
    : sql<string | null>`null`;

type Desk = { hospitalId: string; doctorIds: readonly string[] };
const columns = (doctorIds: readonly string[]) => ({
  id: messageThreads.id,
  phone: messageThreads.phone,
  channel: messageThreads.channel,
  language: messageThreads.language,
  answerer: messageThreads.answerer,
  waitingSince: messageThreads.waitingSince,
  lastInAt: messageThreads.lastInAt,
  name: nameHere(doctorIds),
});

/** Returns the conversations of a clinic that wait for a member, longest first, or all, newest first. @throws DomainError("not-found" | "forbidden") */
export async function listThreads(ctx: Ctx<Actor>, { hospitalId, doctorIds }: Desk, all: boolean) {
  const acting = await requireActing(ctx, hospitalId, "change-appointments");
  const rows = await acting.db
    .select({ ...columns(doctorIds), patientId: messageThreads.patientId })
    .from(messageThreads)
    .where(and(ofPlace(hospitalId, doctorIds), all ? isNotNull(messageThreads.lastInAt) : isNotNull(messageThreads.waitingSince)))
    .orderBy(all ? desc(messageThreads.lastInAt) : asc(messageThreads.waitingSince))
    .limit(MOST_THREADS);
  const last = rows.length
    ? await acting.db
        .selectDistinctOn([inboundMessages.threadId], { threadId: inboundMessages.threadId, text: opened(inboundMessages.content) })
        .from(inboundMessages)
        .where(
          and(
            eq(inboundMessages.hospitalId, hospitalId),
            inArray(
              inboundMessages.threadId,
              rows.map(({ id }) => id),
            ),
          ),
        )
        .orderBy(inboundMessages.threadId, desc(inboundMessages.receivedAt))
    : [];
  const reads = rows.map(({ id, patientId }) => ({
    action: "read-messages",
    subjectType: "message-thread" as const,
    subjectId: id,
    personId: patientId,
  }));
  await recordReads(acting, reads);
  const texts = new Map(last.map(({ threadId, text }) => [threadId, text]));
  return rows.map(({ patientId: _, ...row }) => ({ ...row, text: texts.get(row.id) ?? "" }));
}

/** Returns a conversation with its newest lines and the appointments of the user at the clinic. Writes the reading to the audit log. @throws DomainError("not-found" | "forbidden") */
export async function openThread(ctx: Ctx<Actor>, { hospitalId, doctorIds }: Desk, threadId: string | undefined) {
  const acting = await requireActing(ctx, hospitalId, "change-appointments");
  const [thread] = isUuid(threadId)
    ? await acting.db
        .select({ ...columns(doctorIds), patientId: messageThreads.patientId })
        .from(messageThreads)
        .where(and(eq(messageThreads.id, threadId), ofPlace(hospitalId, doctorIds)))
    : [];
  if (!thread) throw new DomainError("not-found");
  const { patientId, ...shown } = thread;
  const [lines, visits] = await Promise.all([
    linesOf(acting, hospitalId, thread.id),
    visitsOf(acting, { hospitalId, doctorIds }, patientId),
  ]);
  await recordRead(acting, { action: "read-messages", subjectType: "message-thread", subjectId: thread.id, personId: patientId });
  const until = thread.lastInAt && new Date(thread.lastInAt.getTime() + ANSWER_WINDOW);
  return { thread: { ...shown, answerUntil: until && until > ctx.now ? until : null }, lines, visits };
}

/** A message that waits this long is shown as not sent yet. */
const LATE = minutes(10);
const isLate = (state: string, at: Date, now: Date) => (state === "queued" || state === "sending") && now.getTime() - at.getTime() > LATE;

/** Only what the conversation had to do with this clinic. */
async function linesOf({ db, now }: ActingCtx, hospitalId: string, threadId: string) {
  const [wrote, said] = await Promise.all([
    db
      .select({ id: inboundMessages.id, kind: inboundMessages.kind, body: opened(inboundMessages.content), at: inboundMessages.receivedAt })
      .from(inboundMessages)
      .where(and(eq(inboundMessages.threadId, threadId), eq(inboundMessages.hospitalId, hospitalId)))
      .orderBy(desc(inboundMessages.receivedAt))
      .limit(MOST_LINES),
    db
      .select({
        id: outboundMessages.id,
        content: opened(outboundMessages.content),
        at: outboundMessages.createdAt,
        state: outboundMessages.state,
        byMember: sql<boolean>`${outboundMessages.memberId} is not null`,
        member: users.staffName,
      })
      .from(outboundMessages)
      .leftJoin(users, eq(users.id, outboundMessages.memberId))
      .where(and(eq(outboundMessages.threadId, threadId), eq(outboundMessages.hospitalId, hospitalId)))
      .orderBy(desc(outboundMessages.createdAt))
      .limit(MOST_LINES),
  ]);
  return [
    ...wrote.map(({ kind, body, ...line }) => ({ ...line, by: "user" as const, call: kind === "call", body, member: null, problem: null })),
    ...said.map(({ content, state, byMember, ...line }) => ({
      ...line,
      by: byMember ? ("member" as const) : ("nadi" as const),
      call: false,
      body: (content as unknown as Rendered).body,
      problem: state === "failed" ? ("failed" as const) : isLate(state, line.at, now) ? ("late" as const) : null,
    })),
  ]
    .sort((a, b) => a.at.getTime() - b.at.getTime() || Number(b.by === "user") - Number(a.by === "user"))
    .slice(-MOST_LINES);
}

/** The appointments of the account at the clinic with doctors for whom the member acts, newest first. */
async function visitsOf({ db }: ActingCtx, { hospitalId, doctorIds }: Desk, patientId: string | null) {
  if (!patientId || !doctorIds.length) return [];
  const rows = await db
    .select({
      id: appointments.id,
      date: appointments.date,
      time: appointments.time,
      status: appointments.status,
      doctor: doctors.fullName,
      patient: appointments.patientName,
    })
    .from(appointments)
    .innerJoin(practices, eq(practices.id, appointments.practiceId))
    .innerJoin(doctors, eq(doctors.id, appointments.doctorId))
    .where(and(eq(appointments.patientId, patientId), inArray(appointments.doctorId, [...doctorIds]), eq(placeOfPractice, hospitalId)))
    .orderBy(desc(appointments.date), desc(appointments.time))
    .limit(6);
  return rows.map((row) => ({ ...row, time: row.time.slice(0, 5) }));
}

/**
 * Returns the statistics of a clinic: booked by message today, and for the month what was booked, cancelled, sent and, where the price is known, paid.
 * `minutes`: the median until a member answered, over the month.
 */
export async function inboxStatistics(ctx: Ctx<Actor>, hospitalId: string) {
  await requireActing(ctx, hospitalId, "change-appointments");
  const today = todayInIndia(ctx.now);
  const [since, month] = [instantInIndia(today, "00:00"), instantInIndia(`${monthOf(today)}-01`, "00:00")];
  const is = (template: string) => sql`${outboundMessages.template} like ${`reply-${template}%`}`;
  const [row] = await ctx.db
    .select({
      bookedToday: sql<number>`count(*) filter (where ${is("booked")} and ${outboundMessages.createdAt} >= ${since.toISOString()}::timestamptz)::int`,
      booked: sql<number>`count(*) filter (where ${is("booked")})::int`,
      cancelled: sql<number>`count(*) filter (where ${is("cancelled")})::int`,
      sms: sql<number>`count(*) filter (where ${messageThreads.channel} = 'sms')::int`,
      whatsapp: sql<number>`count(*) filter (where ${messageThreads.channel} = 'whatsapp')::int`,
      segments: sql<number>`coalesce(sum(${outboundMessages.segments}) filter (where ${messageThreads.channel} = 'sms'), 0)::int`,
      minutes: sql<number | null>`(percentile_cont(0.5) within group (order by extract(epoch from ${outboundMessages.createdAt} - (
        select max(i.received_at) from inbound_messages i where i.thread_id = ${outboundMessages.threadId} and i.received_at <= ${outboundMessages.createdAt})) / 60)
        filter (where ${outboundMessages.memberId} is not null))::float8`,
    })
    .from(outboundMessages)
    .innerJoin(messageThreads, eq(messageThreads.id, outboundMessages.threadId))
    .where(and(eq(outboundMessages.hospitalId, hospitalId), gte(outboundMessages.createdAt, month)));
  const counted = row ?? { bookedToday: 0, booked: 0, cancelled: 0, sms: 0, whatsapp: 0, segments: 0, minutes: null };
  return { ...counted, cost: costOf(counted, env().messagePrice) };
}

/** Returns the rupees of a clinic's messages; null where no price is known. */
export function costOf(
  { segments, whatsapp }: { segments: number; whatsapp: number },
  price: { sms?: number | undefined; whatsapp?: number | undefined },
): number | null {
  if (price.sms === undefined && price.whatsapp === undefined) return null;
  return segments * (price.sms ?? 0) + whatsapp * (price.whatsapp ?? 0);
}
