/** Compares the state changes that a server makes with the events that it records. */
import { expect } from "vitest";
import { EVENT_ACTIONS, type EventKind, type EventSubject } from "#app/domains/platform/events/event-kinds.ts";
import type { TestServer } from "./server.ts";

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

/** Notes every state that the server (not the owner of the tables) writes, by triggers. */
export async function watchChanges({ sql }: TestServer): Promise<void> {
  await sql`create table state_changes (n bigserial, subject text, id uuid, state text, role name default session_user)`;
  for (const [subject, { table, column, id = "id", also = "false", without = "false" }] of Object.entries(STATES))
    await sql.unsafe(`
      create function note_${table}() returns trigger language plpgsql security definer as $$ begin
        if tg_op = 'INSERT' and (${without}) then return null;
        elsif tg_op = 'INSERT' then insert into state_changes (subject, id, state) values ('${subject}', new.${id}, new.${column});
        elsif new.${column} is distinct from old.${column} or ${also} then
          insert into state_changes (subject, id, state) values ('${subject}', new.${id}, new.${column}); end if;
        return null; end $$;
      create trigger note_state after insert or update on ${table} for each row execute function note_${table}()`);
}

/** Expects one event for each change of the server so far, and returns the kinds of the events since the last call. */
export async function expectEvents(server: TestServer): Promise<string[]> {
  const changes = await server.sql<{ at: string }[]>`
    select subject || ' ' || id || ' ' || state as at from state_changes where role <> current_user order by 1`;
  const events = await server.sql<{ id: string; kind: string; at: string }[]>`
    select id, kind, subject_kind || ' ' || subject_id || ' ' || (data->>'to') as at from domain_events order by 3, id`;
  expect(events.map(({ at }) => at)).toEqual(changes.map(({ at }) => at));
  const from = seen.get(server) ?? 0;
  const fresh = events.filter(({ id }) => Number(id) > from).sort((a, b) => Number(a.id) - Number(b.id));
  seen.set(server, Math.max(from, ...events.map(({ id }) => Number(id))));
  return fresh.map(({ kind }) => kind);
}
const seen = new WeakMap<TestServer, number>();

/**
 * Expects one event for each change of the server so far, and that each action of the state tables of these subjects was taken.
 * @param elsewhere actions that no page of this file takes
 */
export async function expectEveryAction(server: TestServer, subjects: EventSubject[], elsewhere: EventKind[] = []): Promise<void> {
  await expectEvents(server);
  const taken = new Set((await server.sql<{ kind: string }[]>`select distinct kind from domain_events`).map(({ kind }) => kind));
  const all = subjects.flatMap((subject) => EVENT_ACTIONS[subject].map((action) => `${subject}.${action}`));
  expect(all.filter((kind) => !taken.has(kind))).toEqual([...elsewhere].sort((a, b) => all.indexOf(a) - all.indexOf(b)));
}
