/** Compares the state changes that a server makes with the events that it records. */
import { expect } from "vitest";
import type { TestServer } from "./server.ts";

/** Subject of the events, table and column of the state. Reviews: edits and decisions without a change of the status count too. */
const STATES = [
  ["appointment", "appointments", "status"],
  ["proposal", "appointment_proposals", "state"],
  ["doctor", "doctors", "registration_status"],
  ["profile-change", "profile_changes", "status"],
  ["membership", "memberships", "state"],
  ["place-doctor", "place_doctors", "state"],
  ["queue-session", "queue_sessions", "state"],
  ["queue-entry", "queue_entries", "state"],
  ["review", "reviews", "status"],
] as const;
const AGAIN: Record<string, string> = {
  appointments: "or (new.date, new.time) is distinct from (old.date, old.time)",
  reviews: "or new.edited_at is distinct from old.edited_at or new.decided_at is distinct from old.decided_at",
};

/** Notes every state that the server (not the owner of the tables) writes, by triggers. */
export async function watchChanges({ sql }: TestServer): Promise<void> {
  await sql`create table state_changes (n bigserial, subject text, id uuid, state text, role name default session_user)`;
  for (const [subject, table, column] of STATES)
    await sql.unsafe(`
      create function note_${table}() returns trigger language plpgsql security definer as $$ begin
        if tg_op = 'INSERT' then insert into state_changes (subject, id, state) values ('${subject}', new.id, new.${column});
        elsif new.${column} is distinct from old.${column} ${AGAIN[table] ?? ""} then
          insert into state_changes (subject, id, state) values ('${subject}', new.id, new.${column}); end if;
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
