import { and, asc, eq, gte, inArray, isNull, lt, lte, or, type SQL, sql } from "drizzle-orm";
import { inLanguage } from "#app/db/in-language.server.ts";
import { appointments, doctors } from "#app/db/schema/index.ts";
import { isVisitOf } from "#app/db/schema/visit-of-clinic.ts";
import { asDoctorRow, doctorRow, matchesPatient } from "#app/domains/booking/appointments/doctor-queries.server.ts";
import { isDueNow, METHODS_OF_VISIT, RECORDED_SINCE, VISIT_SUMS } from "#app/domains/booking/payments/visit-sums.server.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { rowPayment } from "#app/domains/money/payments/row-payment.ts";
import { openVisit } from "#app/domains/visit-time.server.ts";
import { IS_DONE } from "#app/domains/waiting-room/queue/in-queue.server.ts";
import { listWalkIns } from "#app/domains/waiting-room/token-page/walk-ins.server.ts";
import { addDays, type DateKey, todayInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { language } from "#app/lib/language.ts";
import {
  type Agenda,
  type AgendaEntry,
  type AgendaFilter,
  type AgendaRow,
  type AgendaScope,
  type AgendaShow,
  type DayCounts,
  walkInDayOf,
  weekOf,
  withWalkIns,
} from "./agenda.ts";

/** Rows of a page: more than a doctor sees in a day. */
export const AGENDA_PAGE = 60;
/** Bounds what one press accepts. */
export const MOST_REQUESTS = 100;

const agendaRow = ({ reasons }: AgendaScope) => ({
  ...doctorRow,
  reason: reasons ? doctorRow.reason : sql<string>`''`,
  doctorId: appointments.doctorId,
  doctorName: sql<string>`${inLanguage(doctors.fullName, doctors.translations, "name", language())}`,
  fee: appointments.fee,
  discount: appointments.discount,
  paymentMethod: appointments.paymentMethod,
  refundOwed: appointments.refundOwed,
  since: RECORDED_SINCE,
  methods: METHODS_OF_VISIT,
  ...VISIT_SUMS,
});

type Paid = Parameters<typeof rowPayment>[0];
/** A row as pages get it: its payment in words, without the amounts. */
function asAgendaRow<T extends Parameters<typeof asDoctorRow>[1] & Omit<Paid, "since"> & { since: Date | null }>(ctx: Ctx, row: T) {
  const payment = rowPayment({ ...row, since: row.since && todayInIndia(row.since) }, todayInIndia(ctx.now));
  const {
    fee: _,
    discount: __,
    paymentMethod: ___,
    refundOwed: ____,
    since,
    methods,
    received,
    refunded,
    corrected,
    notReturned,
    confirming,
    ...shown
  } = asDoctorRow(ctx, row);
  return { ...shown, payment };
}

/** One doctor is compared with `=`: a list of one has another plan. */
const ofDoctors = ({ doctorIds, hospitalId }: AgendaScope): SQL => {
  const own = doctorIds.length === 1 ? eq(appointments.doctorId, doctorIds[0]!) : inArray(appointments.doctorId, [...doctorIds]);
  return hospitalId === undefined ? own : and(own, isVisitOf(hospitalId))!;
};
const inTimeOrder = [asc(appointments.date), asc(appointments.time), asc(appointments.token), asc(appointments.id)];

const notCancelled = inArray(appointments.status, ["pending", "accepted", "completed"]);

/** SQL: the visit has taken place: completed, or done in the queue of its day. */
const IS_SEEN = sql<boolean>`(appointments.status = 'completed' or (appointments.status = 'accepted' and ${IS_DONE}))`;

/** SQL: the list leaves it out: the visit has taken place, nothing is due, and the bank confirms no payment any more. */
const isFolded = (today: DateKey) => sql<boolean>`(${IS_SEEN} and not ${isDueNow(today)} and not ${VISIT_SUMS.confirming})`;

/** A search finds what is due of this many past days. */
const DUE_DAYS = 30;

type Shown = Pick<AgendaFilter, "show" | "day" | "seen" | "search">;
/** Returns the condition of what is shown, without cancelled appointments. */
function shown({ show, day, seen, search }: Shown, today: DateKey): SQL | undefined {
  if (show === "due") return and(notCancelled, eq(appointments.date, day ?? today), IS_SEEN, isDueNow(today));
  // Of a past day all is over, so that nothing is left out.
  const status = seen || (day !== null && day < today) ? notCancelled : and(notCancelled, sql`not ${isFolded(today)}`);
  if (day !== null) return and(status, eq(appointments.date, day));
  // A search goes beyond the days of the chip: a patient who owes is found by name.
  if (search && show !== "requests" && show !== "past")
    return or(
      and(notCancelled, gte(appointments.date, today)),
      and(
        gte(appointments.date, addDays(today, -DUE_DAYS)),
        lt(appointments.date, today),
        eq(appointments.status, "completed"),
        isDueNow(today),
      ),
    );
  switch (show) {
    case "requests":
      return and(eq(appointments.status, "pending"), gte(appointments.date, today));
    case "today":
      return and(status, eq(appointments.date, today));
    case "week":
      return and(status, gte(appointments.date, today), lte(appointments.date, weekOf(today).to));
    case "past":
      return and(openVisit(appointments), isNull(appointments.noShowAt), lt(appointments.date, today));
    case "all":
      return and(status, gte(appointments.date, today));
  }
}

/** Returns a page of an agenda with the counts of its days and the walk-ins of the day, in order of time. */
export async function listAgenda(ctx: Ctx, scope: AgendaScope, filter: AgendaFilter): Promise<Agenda> {
  const today = todayInIndia(ctx.now);
  const mine = ofDoctors(scope);
  const walkInDay = walkInDayOf(filter, today);
  const [found, walkIns, totals] = await Promise.all([
    ctx.db
      .select(agendaRow(scope))
      .from(appointments)
      .innerJoin(doctors, eq(doctors.id, appointments.doctorId))
      .where(and(mine, shown(filter, today), matchesPatient(filter.search)))
      .orderBy(...inTimeOrder)
      .limit(AGENDA_PAGE + 1)
      .offset((filter.page - 1) * AGENDA_PAGE),
    walkInDay && walkInDay <= today ? listWalkIns(ctx, scope, walkInDay) : [],
    countShows(ctx, scope, filter.day, today),
  ]);
  const rows: AgendaRow[] = found.slice(0, AGENDA_PAGE).map((row) => asAgendaRow(ctx, row));
  const dates = [...new Set([...rows.map((row) => row.date), ...(filter.day ? [filter.day] : filter.show === "today" ? [today] : [])])];
  const days = (await countDays(ctx, mine, dates, today)).map((day) => ({ ...day, walkIns: 0 }));
  return withWalkIns({ rows, days, totals, hasMore: found.length > AGENDA_PAGE }, walkIns, filter, today);
}

/** Returns the appointments of a day of one or several doctors, in order of time, without cancelled ones. */
export async function listDay(ctx: Ctx, scope: AgendaScope, date: DateKey): Promise<AgendaRow[]> {
  const rows = await ctx.db
    .select(agendaRow(scope))
    .from(appointments)
    .innerJoin(doctors, eq(doctors.id, appointments.doctorId))
    .where(and(ofDoctors(scope), eq(appointments.date, date), notCancelled))
    .orderBy(...inTimeOrder);
  return rows.map((row) => asAgendaRow(ctx, row));
}

/** Counts what each filter shows. `day`: that of the list of what is due. */
async function countShows(ctx: Ctx, scope: AgendaScope, day: DateKey | null, today: DateKey): Promise<Record<AgendaShow, number>> {
  const filter = { day: null, seen: true, search: "" };
  const open = (show: AgendaShow) => and(openVisit(appointments), shown({ ...filter, show }, today));
  const count = (show: AgendaShow, where = open(show)) => sql<number>`(count(*) filter (where ${where}))::int`;
  const [row] = await ctx.db
    .select({
      today: count("today", shown({ ...filter, show: "today" }, today)),
      requests: count("requests"),
      due: count("due", shown({ ...filter, show: "due", day }, today)),
      week: count("week"),
      all: count("all"),
      past: count("past"),
    })
    .from(appointments)
    .where(
      and(
        ofDoctors(scope),
        or(openVisit(appointments), and(eq(appointments.status, "completed"), inArray(appointments.date, [today, day ?? today]))),
      ),
    );
  return row ?? { today: 0, requests: 0, due: 0, week: 0, all: 0, past: 0 };
}

async function countDays(ctx: Ctx, mine: SQL, dates: DateKey[], today: DateKey): Promise<Omit<DayCounts, "walkIns">[]> {
  if (!dates.length) return [];
  const count = (where: SQL) => sql<number>`(count(*) filter (where ${where}))::int`;
  return ctx.db
    .select({
      date: appointments.date,
      total: sql<number>`count(*)::int`,
      requests: count(eq(appointments.status, "pending")),
      folded: count(sql`${eq(appointments.date, today)} and ${isFolded(today)}`),
    })
    .from(appointments)
    .where(and(mine, inArray(appointments.date, dates), notCancelled))
    .groupBy(appointments.date);
}

/** Returns one appointment of an agenda with the facts of its panel. @throws DomainError("not-found") */
export async function getAgendaRow(ctx: Ctx, scope: AgendaScope, id: string): Promise<AgendaEntry> {
  if (!isUuid(id)) throw new DomainError("not-found");
  const [row] = await ctx.db
    .select({ ...agendaRow(scope), reference: appointments.paymentReference, bookedAt: appointments.createdAt })
    .from(appointments)
    .innerJoin(doctors, eq(doctors.id, appointments.doctorId))
    .where(and(eq(appointments.id, id), ofDoctors(scope)));
  if (!row) throw new DomainError("not-found");
  return asAgendaRow(ctx, row);
}

/**
 * Returns requests from today on, soonest first: those of `ids`, or all, at most MOST_REQUESTS.
 * @throws DomainError("not-found") when an id is not an appointment of the scope
 */
export async function listRequests(ctx: Ctx, scope: AgendaScope, ids: readonly string[]): Promise<AgendaRow[]> {
  const chosen = [...new Set(ids)].slice(0, MOST_REQUESTS);
  if (!chosen.every(isUuid)) throw new DomainError("not-found");
  const rows = await ctx.db
    .select(agendaRow(scope))
    .from(appointments)
    .innerJoin(doctors, eq(doctors.id, appointments.doctorId))
    .where(
      and(
        ofDoctors(scope),
        chosen.length
          ? inArray(appointments.id, chosen)
          : shown({ show: "requests", day: null, seen: false, search: "" }, todayInIndia(ctx.now)),
      ),
    )
    .orderBy(...inTimeOrder)
    .limit(MOST_REQUESTS);
  if (chosen.length && rows.length < chosen.length) throw new DomainError("not-found");
  return rows.map((row) => asAgendaRow(ctx, row));
}
