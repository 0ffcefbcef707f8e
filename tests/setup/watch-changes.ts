/** Compares the state changes that a server makes with the events that it records. */
import { expect } from "vitest";
import type { EventKind, EventSubject } from "#app/domains/platform/events/event-kinds.ts";
import type { TestServer } from "./server.ts";
import { type Transition, transitionOf, transitionsOf } from "./state-tables.ts";

type Watched = {
  table: string;
  column: "status" | "state" | "registration_status";
  id?: string;
  /** Changes without a new state that have an event too. */
  also?: string;
  /** New rows that belong to the event of another subject. */
  without?: string;
};

/** Where the state of each kind of subject is stored. A new kind does not compile without a line. */
const STATES: Record<EventSubject, Watched> = {
  appointment: { table: "appointments", column: "status", also: "(new.date, new.time) is distinct from (old.date, old.time)" },
  proposal: { table: "appointment_proposals", column: "state" },
  doctor: { table: "doctors", column: "registration_status" },
  // The first practice of a doctor is inserted by a trigger, as a part of the registration.
  practice: { table: "practices", column: "state", without: "new.id = new.doctor_id" },
  "profile-change": { table: "profile_changes", column: "status" },
  membership: { table: "memberships", column: "state" },
  payment: { table: "payments", column: "state", also: "new.refunded is distinct from old.refunded" },
  "payment-order": { table: "payment_orders", column: "state" },
  "provider-refund": { table: "provider_refunds", column: "state", id: "refund_id" },
  "place-doctor": { table: "place_doctors", column: "state" },
  "queue-session": { table: "queue_sessions", column: "state" },
  "queue-entry": { table: "queue_entries", column: "state" },
  "visit-document": { table: "visit_documents", column: "state" },
  waitlist: { table: "waitlist_entries", column: "state" },
  review: {
    table: "reviews",
    column: "status",
    also: "new.edited_at is distinct from old.edited_at or new.decided_at is distinct from old.decided_at",
  },
};

/** Notes every state that the server (not the owner of the tables) writes, the state before it, and every event that it records, by triggers. */
export async function watchChanges({ sql }: TestServer): Promise<void> {
  await sql`create table state_changes (n bigserial, subject text, id uuid, before text, state text, role name default session_user)`;
  await sql`create table recorded_events (id bigint, role name default session_user)`;
  await sql`create function note_event() returns trigger language plpgsql security definer as $$ begin
    insert into recorded_events (id) values (new.id); return null; end $$`;
  await sql`create trigger note_event after insert on domain_events for each row execute function note_event()`;
  for (const [subject, { table, column, id = "id", also = "false", without = "false" }] of Object.entries(STATES))
    await sql.unsafe(`
      create function note_${table}() returns trigger language plpgsql security definer as $$ begin
        if tg_op = 'INSERT' and (${without}) then return null;
        elsif tg_op = 'INSERT' then insert into state_changes (subject, id, state) values ('${subject}', new.${id}, new.${column});
        elsif new.${column} is distinct from old.${column} or ${also} then
          insert into state_changes (subject, id, before, state) values ('${subject}', new.${id}, old.${column}, new.${column}); end if;
        return null; end $$;
      create trigger note_state after insert or update on ${table} for each row execute function note_${table}()`);
}

/** Returns the transition of each event so far, after comparing events and changes: one event for each change, by an action that the table allows. */
async function compare(server: TestServer): Promise<{ id: number; kind: EventKind; transition: Transition }[]> {
  // One snapshot: a job may be changing something.
  const [changes, events] = await server.sql.begin("isolation level repeatable read", async (sql) => [
    await sql<{ subject: EventSubject; at: string; before: string | null }[]>`
      select subject, subject || ' ' || id || ' ' || state as at, before from state_changes where role <> current_user order by at, n`,
    await sql<{ id: string; kind: EventKind; at: string }[]>`
      select id, kind, subject_kind || ' ' || subject_id || ' ' || (data->>'to') as at from domain_events
      where id in (select id from recorded_events where role <> current_user) order by at, id`,
  ]);
  expect(events.map(({ at }) => at)).toEqual(changes.map(({ at }) => at));
  const transitions = events.map(({ kind }, n) => transitionOf(kind, changes[n]!.before));
  expect(transitions.filter((transition, n) => !transitionsOf(changes[n]!.subject).includes(transition))).toEqual([]);
  return events.map(({ id, kind }, n) => ({ id: Number(id), kind, transition: transitions[n]! }));
}

/** Expects one event for each change of the server so far, and returns the kinds of the events since the last call. */
export async function expectEvents(server: TestServer): Promise<EventKind[]> {
  const events = await compare(server);
  const from = seen.get(server) ?? 0;
  seen.set(server, Math.max(from, ...events.map(({ id }) => id)));
  return events
    .filter(({ id }) => id > from)
    .sort((a, b) => a.id - b.id)
    .map(({ kind }) => kind);
}
const seen = new WeakMap<TestServer, number>();

/**
 * Expects one event for each change of the server so far, and that each transition of the state tables of these subjects was taken.
 * `domain-events.test.ts` expects that one file calls this for each kind of subject.
 * @param except transitions that this file cannot take, with the reason
 */
export async function expectEveryTransition(
  server: TestServer,
  subjects: EventSubject[],
  except: Partial<Record<Transition, string>> = {},
): Promise<void> {
  const taken = new Set((await compare(server)).map(({ transition }) => transition));
  const missing = subjects.flatMap(transitionsOf).filter((transition) => !taken.has(transition));
  expect(missing.toSorted()).toEqual(Object.keys(except).toSorted());
}
