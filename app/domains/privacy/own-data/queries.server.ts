import { and, desc, eq, sql } from "drizzle-orm";
import { inLanguage } from "#app/db/in-language.server.ts";
import type { Sealed } from "#app/db/schema/columns.ts";
import { appointments, doctors, hospitals, medicalRecords, ownRecords, practices, recordPermissions } from "#app/db/schema/index.ts";
import { placeOfPractice } from "#app/db/schema/place-of-practice.ts";
import { open } from "#app/db/sealed.server.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { nameOf } from "#app/domains/platform/users/names.server.ts";
import { documentTitle } from "#app/domains/visit/sharing/shares.server.ts";
import { language } from "#app/lib/language.ts";
import type { VisitDocumentKind } from "#app/lib/vocabulary.ts";
import type { Opening } from "./openings.ts";

const PAGE = 50;

/**
 * Returns who opened or changed data of the actor, newest first: reads, imports, and all actions of staff and of members of places. Groups actions of one user on one
 * subject by day. `before`: the `next` of the previous page.
 */
export async function listOpenings(ctx: Ctx<Actor>, before: number | null): Promise<{ rows: Opening[]; next: number | null }> {
  const rows = (await ctx.db.execute(sql`
    select g.id::float8 as id, g.action, g.actor_role as "actorRole", ${nameOf("g.actor_id")} as actor, g.times, g.last,
      g.member_role as "memberRole", (select h.name from hospitals h where h.id = g.hospital_id) as place, ${nameOf("g.on_behalf_of")} as "forDoctor",
      coalesce(v.date, rv.date)::text as date, r.id as "recordId", r.description as document,
      sd.kind as "signedKind", o.id as "ownId", o.description as "ownDocument", p.id as "permissionId", p.person_name as person
    from (
      select max(id) as id, action, actor_role, actor_id, hospital_id, member_role, on_behalf_of, subject_type, subject_id, count(*)::int as times, max(at) as last
      from audit_log
      where person_id = ${ctx.actor.userId} and actor_id is distinct from ${ctx.actor.userId}
        and (action like 'read-%' or action like 'import-%' or actor_role in ('admin', 'reviewer') or hospital_id is not null)
      group by action, actor_role, actor_id, hospital_id, member_role, on_behalf_of, subject_type, subject_id, (at at time zone 'Asia/Kolkata')::date
      ${before === null ? sql`` : sql`having max(id) < ${before}`}
      order by max(id) desc limit ${PAGE + 1}
    ) g
    left join appointments v on g.subject_type = 'appointment' and v.id::text = g.subject_id and v.patient_id = ${ctx.actor.userId}
    left join record_shares s on g.subject_type = 'record-share' and s.id::text = g.subject_id
    left join visit_documents sd on sd.id = s.document_id
    left join medical_records r on (g.subject_type = 'file' and r.file_id::text = g.subject_id) or r.id = s.medical_record_id
    left join own_records o on (g.subject_type = 'file' and o.file_id::text = g.subject_id) or o.id = s.own_record_id
    left join record_permissions p on g.subject_type = 'record-permission' and p.id::text = g.subject_id
    left join appointments rv on rv.id = r.appointment_id
    order by g.id desc`)) as unknown as (Omit<Opening, "last" | "document" | "person"> & {
    last: string | Date;
    recordId: string | null;
    document: Sealed | null;
    ownId: string | null;
    ownDocument: Sealed | null;
    permissionId: string | null;
    signedKind: VisitDocumentKind | null;
    person: Sealed | null;
  })[];
  const shown = rows.slice(0, PAGE).map(({ recordId, document, ownId, ownDocument, permissionId, signedKind, person, last, ...row }) => ({
    ...row,
    last: new Date(last),
    document:
      recordId && document
        ? open(medicalRecords.description, recordId, document)
        : ownId && ownDocument
          ? open(ownRecords.description, ownId, ownDocument)
          : signedKind && documentTitle(signedKind),
    person: permissionId && person ? open(recordPermissions.personName, permissionId, person) : null,
  }));
  return { rows: shown, next: rows.length > PAGE ? (shown.at(-1)?.id ?? null) : null };
}

/** Returns the latest appointments that clinics booked for the acting patient by phone, the latest first. */
export const listBookedForMe = (ctx: Ctx<Actor>) =>
  ctx.db
    .select({
      id: appointments.id,
      date: appointments.date,
      time: sql<string>`to_char(${appointments.time}, 'HH24:MI')`,
      patient: appointments.patientName,
      doctor: inLanguage(doctors.fullName, doctors.translations, "name", language()),
      place: sql<string | null>`${inLanguage(hospitals.name, hospitals.translations, "name", language())}`,
    })
    .from(appointments)
    .innerJoin(doctors, eq(doctors.id, appointments.doctorId))
    .innerJoin(practices, eq(practices.id, appointments.practiceId))
    .leftJoin(hospitals, eq(hospitals.id, placeOfPractice))
    .where(and(eq(appointments.patientId, ctx.actor.userId), appointments.forCaller))
    .orderBy(desc(appointments.date), desc(appointments.time))
    .limit(10);
