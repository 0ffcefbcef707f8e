import { and, asc, count, desc, eq, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { containsPhone, containsText } from "#app/db/contains-text.server.ts";
import { appointments, doctors, patients, supportThreads, users } from "#app/db/schema/index.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { recordRead } from "#app/domains/platform/audit/record.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { SUPPORT_STATES, type SupportState } from "#app/lib/vocabulary.ts";
import { listMessages, newestMessage } from "./messages.server.ts";
import { getThreadVisit } from "./queries.server.ts";

const PAGE = 20;
const assignees = alias(users, "assignees");
const name = sql<string>`coalesce(nullif(${users.staffName}, ''), nullif(${doctors.fullName}, ''), ${patients.name}, '')`;

const row = {
  id: supportThreads.id,
  reference: supportThreads.reference,
  topic: supportThreads.topic,
  state: supportThreads.state,
  waitingSince: supportThreads.waitingSince,
  lastMessageAt: supportThreads.lastMessageAt,
  createdAt: supportThreads.createdAt,
  userId: supportThreads.userId,
  name,
  role: users.role,
  assigneeId: supportThreads.assigneeId,
  assignee: assignees.staffName,
};

const onlyAdmins = ({ actor }: Ctx<Actor>) => {
  if (actor.role !== "admin") throw new DomainError("forbidden");
};

/** The open threads first, those that wait longest first of all; the others by their last message. */
const ORDER = [sql`${supportThreads.waitingSince} asc nulls last`, desc(supportThreads.lastMessageAt), asc(supportThreads.id)];

/** Condition for threads that wait for an answer. */
export const isOpenThread: SQL = eq(supportThreads.state, "open");

/**
 * Returns a page of the threads that an administrator searches by reference, name, phone or email, with the number of threads in each
 * state. Shows no message.
 * @param input.mine only those assigned to the acting administrator
 * @throws DomainError("forbidden")
 */
export async function listInbox(ctx: Ctx<Actor>, input: { search: string; state: SupportState | null; mine: boolean; page: number }) {
  onlyAdmins(ctx);
  const { search, state, mine, page } = input;
  const found = search
    ? or(
        containsText(supportThreads.reference, search),
        containsText(users.staffName, search),
        containsText(doctors.fullName, search),
        containsText(patients.name, search),
        containsText(users.email, search),
        containsPhone(users.phone, search),
      )
    : undefined;
  const narrowed = and(found, mine ? eq(supportThreads.assigneeId, ctx.actor.userId) : undefined);
  const [rows, groups] = await Promise.all([
    ctx.db
      .select(row)
      .from(supportThreads)
      .innerJoin(users, eq(users.id, supportThreads.userId))
      .leftJoin(doctors, eq(doctors.id, users.id))
      .leftJoin(patients, eq(patients.id, users.id))
      .leftJoin(assignees, eq(assignees.id, supportThreads.assigneeId))
      .where(and(narrowed, state ? eq(supportThreads.state, state) : undefined))
      .orderBy(...ORDER)
      .limit(PAGE + 1)
      .offset((page - 1) * PAGE),
    ctx.db
      .select({ state: supportThreads.state, n: count() })
      .from(supportThreads)
      .innerJoin(users, eq(users.id, supportThreads.userId))
      .leftJoin(doctors, eq(doctors.id, users.id))
      .leftJoin(patients, eq(patients.id, users.id))
      .where(narrowed)
      .groupBy(supportThreads.state),
  ]);
  const counts = Object.fromEntries(SUPPORT_STATES.map((s) => [s, groups.find((g) => g.state === s)?.n ?? 0])) as Record<
    SupportState,
    number
  >;
  const total = state ? counts[state] : SUPPORT_STATES.reduce((sum, s) => sum + counts[s], 0);
  return { rows: rows.slice(0, PAGE), hasMore: rows.length > PAGE, total, counts };
}

/**
 * Returns a page of a thread for an administrator, and writes an audit row: messages may name illnesses.
 * @throws DomainError("forbidden" | "not-found")
 */
export async function openThread(ctx: Ctx<Actor>, id: string | undefined, page: number) {
  onlyAdmins(ctx);
  if (!isUuid(id)) throw new DomainError("not-found");
  const [thread] = await ctx.db
    .select({ ...row, appointmentId: supportThreads.appointmentId, visitReference: appointments.paymentReference })
    .from(supportThreads)
    .innerJoin(users, eq(users.id, supportThreads.userId))
    .leftJoin(doctors, eq(doctors.id, users.id))
    .leftJoin(patients, eq(patients.id, users.id))
    .leftJoin(assignees, eq(assignees.id, supportThreads.assigneeId))
    .leftJoin(appointments, eq(appointments.id, supportThreads.appointmentId))
    .where(eq(supportThreads.id, id));
  if (!thread) throw new DomainError("not-found");
  await recordRead(ctx, { action: "read-support", subjectType: "support-thread", subjectId: id, personId: thread.userId });
  const { rows, hasMore } = await listMessages(ctx, id, page);
  // Also on a later page the newest of all: an answer is refused if it is not.
  const seen = page === 1 ? (rows.at(-1)?.id ?? "") : ((await newestMessage(ctx, id)) ?? "");
  return { thread, messages: rows, hasMore, seen, visit: await getThreadVisit(ctx, thread.appointmentId) };
}
