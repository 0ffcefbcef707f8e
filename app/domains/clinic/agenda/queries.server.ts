import { and, asc, eq, gte, inArray, isNull, lt, lte, or, type SQL, sql } from "drizzle-orm";
import { appointments, doctors } from "#app/db/schema/index.ts";
import { asDoctorRow, doctorRow, matchesPatient } from "#app/domains/booking/appointments/doctor-queries.server.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { rowPayment } from "#app/domains/money/payments/row-payment.ts";
import { METHODS_OF_VISIT, RECORDED_SINCE, VISIT_SUMS } from "#app/domains/money/payments/visit-sums.server.ts";
import { openVisit } from "#app/domains/visit-time.server.ts";
import { type DateKey, todayInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import {
  type Agenda,
  type AgendaEntry,
  type AgendaFilter,
  type AgendaRow,
  type AgendaScope,
  type AgendaShow,
  type DayCounts,
  weekOf,
} from "./agenda.ts";

/** Rows of a page: more than a doctor sees in a day. */
export const AGENDA_PAGE = 60;
/** Bounds what one press accepts. */
export const MOST_REQUESTS = 100;

const agendaRow = ({ reasons }: AgendaScope) => ({
  ...doctorRow,
  reason: reasons ? doctorRow.reason : sql<string>`''`,
  doctorId: appointments.doctorId,
  doctorName: doctors.fullName,
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
  const payment = rowPayment({ ...row, since: row.since && todayInIndia(row.since) });
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
  if (hospitalId === undefined) return own;
  const here = sql`(select p.id from practices p join doctors d on d.id = p.doctor_id where coalesce(p.hospital_id, d.hospital_id) = ${hospitalId})`;
  return and(own, inArray(appointments.practiceId, here))!;
};
const inTimeOrder = [asc(appointments.date), asc(appointments.time), asc(appointments.token), asc(appointments.id)];

const notCancelled = inArray(appointments.status, ["pending", "accepted", "completed"]);

/** Returns the condition of what is shown, without cancelled appointments. */
function shown(show: AgendaShow, today: DateKey, seen: boolean): SQL | undefined {
  const status = seen ? notCancelled : openVisit(appointments);
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
      return and(
        gte(appointments.date, today),
        seen
          ? or(openVisit(appointments), and(eq(appointments.status, "completed"), eq(appointments.date, today)))
          : openVisit(appointments),
      );
  }
}

/** Returns a page of an agenda with the counts of its days, in order of time. */
export async function listAgenda(ctx: Ctx, scope: AgendaScope, filter: AgendaFilter): Promise<Agenda> {
  const today = todayInIndia(ctx.now);
  const mine = ofDoctors(scope);
  // Of a past day all is over, so its completed appointments are shown at once.
  const ended = filter.seen || (filter.day !== null && filter.day < today);
  const day = filter.day === null ? undefined : and(eq(appointments.date, filter.day), ended ? notCancelled : openVisit(appointments));
  const [found, totals] = await Promise.all([
    ctx.db
      .select(agendaRow(scope))
      .from(appointments)
      .innerJoin(doctors, eq(doctors.id, appointments.doctorId))
      .where(and(mine, day ?? shown(filter.show, today, filter.seen), matchesPatient(filter.search)))
      .orderBy(...inTimeOrder)
      .limit(AGENDA_PAGE + 1)
      .offset((filter.page - 1) * AGENDA_PAGE),
    countShows(ctx, scope, today),
  ]);
  const rows: AgendaRow[] = found.slice(0, AGENDA_PAGE).map((row) => asAgendaRow(ctx, row));
  const dates = [...new Set([...rows.map((row) => row.date), ...(filter.day ? [filter.day] : filter.show === "today" ? [today] : [])])];
  return { rows, days: await countDays(ctx, mine, dates), totals, hasMore: found.length > AGENDA_PAGE };
}

/** Counts what each filter shows, without completed appointments. */
async function countShows(ctx: Ctx, scope: AgendaScope, today: DateKey): Promise<Record<AgendaShow, number>> {
  const count = (show: AgendaShow) => sql<number>`(count(*) filter (where ${shown(show, today, false)}))::int`;
  const [row] = await ctx.db
    .select({ all: count("all"), requests: count("requests"), today: count("today"), week: count("week"), past: count("past") })
    .from(appointments)
    .where(and(ofDoctors(scope), openVisit(appointments)));
  return row ?? { all: 0, requests: 0, today: 0, week: 0, past: 0 };
}

async function countDays(ctx: Ctx, mine: SQL, dates: DateKey[]): Promise<DayCounts[]> {
  if (!dates.length) return [];
  const count = (status: "accepted" | "pending" | "completed") =>
    sql<number>`(count(*) filter (where ${appointments.status} = ${status}))::int`;
  return ctx.db
    .select({ date: appointments.date, accepted: count("accepted"), requests: count("pending"), completed: count("completed") })
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
    .where(and(ofDoctors(scope), chosen.length ? inArray(appointments.id, chosen) : shown("requests", todayInIndia(ctx.now), false)))
    .orderBy(...inTimeOrder)
    .limit(MOST_REQUESTS);
  if (chosen.length && rows.length < chosen.length) throw new DomainError("not-found");
  return rows.map((row) => asAgendaRow(ctx, row));
}
