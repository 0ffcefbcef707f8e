/** Fills a database with the rows of years: patients, past and coming visits, notifications, audit log. Valid by construction. */
import { statfsSync } from "node:fs";
import type { Connection } from "#app/db/client.server.ts";
import { sealedTables } from "#app/db/sealed.server.ts";
import { todayInIndia } from "#app/lib/dates.ts";

type Sql = Connection["sql"];
export type Size = { visits: number; patients: number; notifications: number; audit: number };

/** Visits of one doctor, over the years and the days after tomorrow. */
const VISITS_EACH = 4_000;
const PAST_DAYS = 1_095;
const COMING_DAYS = 14;
const PIECE = 500_000;
/** Bytes of a row with its indexes, twice for the write-ahead log and sorting. */
const BYTES = { visits: 2_000, patients: 900, notifications: 800, audit: 800 } as const satisfies Record<keyof Size, number>;

/** Returns the bytes that a world needs on the disk while it is made. */
export const needOf = (size: Size) => (Object.keys(BYTES) as (keyof Size)[]).reduce((sum, key) => sum + BYTES[key] * size[key], 0);

/** @throws when the disk of the database has less than twice what the world needs; a database on another machine is not asked */
export async function requireDisk(sql: Sql, size: Size): Promise<void> {
  const [row] = await sql<{ folder: string }[]>`select setting as folder from pg_settings where name = 'data_directory'`;
  let free: number;
  try {
    const { bavail, bsize } = statfsSync(row?.folder ?? "");
    free = bavail * bsize;
  } catch {
    return;
  }
  const [need, there] = [2 * needOf(size), free].map((bytes) => `${Math.ceil(bytes / 2 ** 30)} GB`);
  if (free < 2 * needOf(size)) throw new Error(`old-rows needs ${need} of free disk for the database, and there are ${there}`);
}

/** Fills a copy of the demo's database. Only a superuser may leave out the triggers and foreign keys. */
export async function makeOldWorld(sql: Sql, size: Size): Promise<void> {
  const today = todayInIndia(new Date());
  const doctors = Math.ceil(size.visits / VISITS_EACH);
  const id = (kind: number, n: string) => sql.unsafe(`(lpad(to_hex(${n}), 8, '0') || '-01d0-4000-8000-00000000000${kind}')::uuid`);
  /** A number below `below` that jumps about, as users do. */
  const any = (n: string, below: number) => `(1 + (${n}::bigint * 7919 + 104729) % ${below})`;
  const patient = sql.unsafe(any("n", size.patients));
  await sql`set statement_timeout = 0`;
  await sql`set synchronous_commit = off`;
  await sql`set maintenance_work_mem = '512MB'`;
  await makeDoctors(sql, doctors, today);
  await sql`set session_replication_role = replica`;
  const tables = ["users", "patients", "appointments", "notifications", "audit_log"];
  const putBack = await dropIndexes(sql, tables);
  await inPieces(size.patients, async (from, to) => {
    await sql`
      insert into users (id, role, phone, created_at)
      select ${id(2, "n")}, 'patient', '+916' || lpad(n::text, 9, '0'), now() - (${size.patients}::int - n) * interval '3 years' / ${size.patients}::int
      from generate_series(${from}::int, ${to}::int) n`;
    await sql`
      insert into patients (id, name, created_at)
      select ${id(2, "n")}, 'Patient ' || n, now() - (${size.patients}::int - n) * interval '3 years' / ${size.patients}::int
      from generate_series(${from}::int, ${to}::int) n`;
  });
  const names = ["Lakshmi", "Ramana", "Rehana", "Kiran", "Mariamma", "Khader", "Padma", "Rajesh", "Annapurna", "Joseph", "Durga"];
  // In the order of time: a doctor's rows are scattered over the table.
  await inPieces(
    size.visits,
    (from, to) => sql`
    insert into appointments (id, patient_id, doctor_id, practice_id, date, time, status, reason, patient_name, patient_phone, patient_age,
      patient_gender, fee, payment_reference, idempotency_key, accepted_at, completed_at, cancelled_at, cancelled_by, created_at, updated_at)
    select ${id(3, "n")}, ${id(2, "p")}, ${id(1, "d")}, ${id(1, "d")}, at.date, at.time, at.status, '', (${names}::text[])[1 + p % 11] || ' ' || p,
      '+916' || lpad(p::text, 9, '0'), 20 + p % 60, (array['male', 'female'])[1 + p % 2], 50000, 'OLD' || n, 'old-' || n,
      at.booked + interval '1 hour', case at.status when 'completed' then at.date + at.time end,
      case at.status when 'cancelled' then at.booked + interval '1 day' end, case at.status when 'cancelled' then 'patient' end, at.booked, at.booked
    from generate_series(${from}::int - 1, ${to}::int - 1) n
    cross join lateral (select 1 + n % ${doctors}::int as d, n / ${doctors}::int as k, ${patient} as p) w
    cross join lateral (select k * ${PAST_DAYS + COMING_DAYS}::int / ${VISITS_EACH}::int - ${PAST_DAYS}::int as day) days
    cross join lateral (select ${today}::date + case when day < 0 then day else day + 2 end as date,
      time '09:00' + (k % 16) * interval '30 minutes' as time,
      case when day >= 0 then 'accepted' when k % 10 = 9 then 'cancelled' else 'completed' end as status,
      least(${today}::date + day - 3 + time '10:00', now() - interval '2 hours') as booked) at`,
  );
  await sql`
    insert into slot_claims (doctor_id, date, time, seat, kind, appointment_id)
    select doctor_id, date, time, 1, 'visit', id from appointments where payment_reference like 'OLD%' and status = 'accepted'`;
  // A third is read by doctors, the rest by patients; what is older than a month has been read.
  await inPieces(
    size.notifications,
    (from, to) => sql`
    insert into notifications (id, user_id, kind, type, params, target_path, read_at, created_at)
    select ${id(4, "n")}, case when n % 3 = 0 then ${id(1, any("n", doctors))} else ${id(2, "p")} end, 'appointment-accepted', 'success',
      jsonb_build_object('date', to_char(at, 'YYYY-MM-DD'), 'time', '09:00', 'doctor', 'Dr. Old ' || n % ${doctors}::int, 'patient', 'Patient ' || p,
        'appointment', ${id(3, "n")}::text),
      '/patient/appointments/' || ${id(3, "n")}, case when n < ${size.notifications}::int * 0.97 then at + interval '1 hour' end, at
    from generate_series(${from}::int, ${to}::int) n
    cross join lateral (select ${patient} as p, now() - (${size.notifications}::int - n) * interval '3 years' / ${size.notifications}::int as at) w`,
  );
  await inPieces(
    size.audit,
    (from, to) => sql`
    insert into audit_log (at, actor_id, actor_role, action, subject_type, subject_id, person_id, details, request_id, ip)
    select now() - (${size.audit}::int - n) * interval '3 years' / ${size.audit}::int, ${id(1, `(1 + n % ${doctors})`)}, 'doctor',
      (array['read-visit', 'accept-appointment', 'complete-appointment', 'read-record'])[1 + n % 4], 'appointment', ${id(3, "n")}::text,
      ${id(2, "p")}, '{}', 'request ' || n, '203.0.113.7'
    from generate_series(${from}::int, ${to}::int) n cross join lateral (select ${patient} as p) w`,
  );
  await putBack();
  await sql`set session_replication_role = origin`;
  await sql`vacuum analyze`;
  await sql`checkpoint`;
}

/** Marks the job that encrypts old rows as done, as it is in a deployment of this age. */
export async function skipSealing(sql: Sql): Promise<void> {
  for (const { name } of sealedTables())
    await sql`insert into sealing_progress (part, finished_at) values (${name}, now() + interval '1 day') on conflict (part) do nothing`;
}

/** Doctors with their words, short names and practices, which triggers write, and free times that no coming visit takes. */
async function makeDoctors(sql: Sql, doctors: number, today: string): Promise<void> {
  await sql`
    insert into users (id, role, email, phone)
    select (lpad(to_hex(n), 8, '0') || '-01d0-4000-8000-000000000001')::uuid, 'doctor', 'doctor' || n || '@old.test', '+915' || lpad(n::text, 9, '0')
    from generate_series(1, ${doctors}::int) n`;
  await sql`
    insert into doctors (id, registration_status, full_name, category, primary_specialization, consultation_fee, about, languages, hospital_id, city,
      state, latitude, longitude, council_name, council_number, verified_at)
    select u.id, 'verified', 'Dr. Old ' || u.n, 'Cardiology', 'Cardiologist', 50000, 'About', '{Telugu}', h.id, h.city, h.state, h.latitude, h.longitude,
      'Old Council', u.n::text, now() - interval '3 years'
    from (select id, row_number() over (order by id) as n from users where email like '%@old.test') u
    cross join lateral (select * from hospitals order by id offset u.n % 10 limit 1) h`;
  await sql`
    insert into availability_slots (doctor_id, date, time)
    select u.id, ${today}::date + 1 + s.n / 8, time '17:00' + (s.n % 8) * interval '30 minutes'
    from users u, generate_series(0, 55) s(n) where u.email like '%@old.test'`;
}

/** Drops secondary indexes, because building them at the end is ten times faster than updating them. */
async function dropIndexes(sql: Sql, tables: readonly string[]): Promise<() => Promise<void>> {
  const indexes = await sql<{ name: string; made: string }[]>`
    select indexname as name, indexdef as made from pg_indexes i
    where schemaname = 'public' and tablename in ${sql(tables)} and not exists (select from pg_constraint c where c.conname = i.indexname)`;
  for (const { name } of indexes) await sql.unsafe(`drop index "${name}"`);
  return async () => {
    for (const { made } of indexes) await sql.unsafe(made);
  };
}

async function inPieces(count: number, insert: (from: number, to: number) => PromiseLike<unknown>): Promise<void> {
  for (let from = 1; from <= count; from += PIECE) await insert(from, Math.min(count, from + PIECE - 1));
}
