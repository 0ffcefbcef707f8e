import { asc, desc, eq, type SQL, sql } from "drizzle-orm";
import { containsText } from "#app/db/contains-text.server.ts";
import { appointments, doctors, hospitals, users } from "#app/db/schema/index.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { recordAudits } from "#app/domains/platform/audit/record.server.ts";
import { patientNameWord } from "#app/domains/platform/users/deleted-name.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { normalisePhone } from "#app/lib/phone.ts";

const PAGE = 20;
/** Fewer characters would list half of a directory. */
const SHORTEST_SEARCH = 3;
/** A word with digits: no name has one. */
const REFERENCE = /^(?=.*\d)[A-Z0-9-]{6,24}$/i;

/** Searches a payment reference, the phone of an account, otherwise the name of a doctor. */
function searched(text: string): SQL {
  const phone = normalisePhone(text);
  if (phone) return eq(users.phone, phone);
  return REFERENCE.test(text) ? eq(appointments.paymentReference, text.toUpperCase()) : containsText(doctors.fullName, text);
}

/**
 * Returns a page of the appointments that an administrator searches, newest first; none for a short text. Writes an audit row for
 * each patient whose appointment it shows.
 * @throws DomainError("forbidden")
 */
export async function findVisits(ctx: Ctx<Actor>, { search, page }: { search: string; page: number }) {
  if (ctx.actor.role !== "admin") throw new DomainError("forbidden");
  if (search.length < SHORTEST_SEARCH) return { rows: [], total: 0, hasMore: false };
  const rows = await ctx.db
    .select({
      id: appointments.id,
      date: appointments.date,
      time: appointments.time,
      token: appointments.token,
      status: appointments.status,
      missed: sql<boolean>`${appointments.noShowAt} is not null`,
      reference: appointments.paymentReference,
      patientId: appointments.patientId,
      patientName: appointments.patientName,
      doctorId: doctors.id,
      doctorName: doctors.fullName,
      hospitalName: hospitals.name,
      total: sql<number>`(count(*) over ())::int`,
    })
    .from(appointments)
    .innerJoin(doctors, eq(doctors.id, appointments.doctorId))
    .innerJoin(users, eq(users.id, appointments.patientId))
    .leftJoin(hospitals, eq(hospitals.id, doctors.hospitalId))
    .where(searched(search))
    .orderBy(desc(appointments.date), desc(appointments.time), asc(appointments.id))
    .limit(PAGE + 1)
    .offset((page - 1) * PAGE);
  const shown = rows.slice(0, PAGE);
  await recordAudits(
    ctx,
    shown.map(({ id, patientId, doctorId }) => ({
      action: "find-visit",
      subjectType: "appointment",
      subjectId: id,
      personId: patientId,
      details: { doctorId },
    })),
  );
  return {
    rows: shown.map(({ total: _, ...row }) => ({
      ...row,
      time: row.time.slice(0, 5),
      patientName: patientNameWord(row.patientName),
    })),
    total: rows[0]?.total ?? 0,
    hasMore: rows.length > PAGE,
  };
}
