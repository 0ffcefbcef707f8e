/** The events of an entry, for each state and action of the state table. */
import { and, asc, eq } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { domainEvents, queueEntries } from "#app/db/schema/index.ts";
import { transact } from "#app/domains/context.server.ts";
import { QUEUE_ENTRY_STATES } from "#app/lib/vocabulary.ts";
import { newPhone } from "../../../../tests/factories/people.ts";
import { makeClinic, makeSession } from "../../../../tests/factories/queues.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { addWalkIn } from "./add-walk-in.server.ts";
import { canEntry, QUEUE_ENTRY_ACTIONS, type QueueEntryAction } from "./entry.state.ts";
import { moveEntry } from "./move-entry.server.ts";

const { db, ctx } = testDb();
const session = { id: "", doctorId: "" };
let entryId: string;
beforeAll(async () => {
  const { doctor, reception } = await makeClinic(db);
  session.id = await makeSession(db, doctor.id);
  session.doctorId = doctor.id;
  const person = { name: "Secretia Namedova", phone: newPhone() };
  ({ id: entryId } = await addWalkIn(ctx(reception), { sessionId: session.id, ...person, formKey: "events", priority: "normal" }));
});
const eventsOf = () =>
  db
    .select()
    .from(domainEvents)
    .where(and(eq(domainEvents.subjectKind, "queue-entry"), eq(domainEvents.subjectId, entryId)))
    .orderBy(asc(domainEvents.id));

describe("an entry", () => {
  it.each(Object.keys(QUEUE_ENTRY_ACTIONS) as QueueEntryAction[])(
    "writes one event without a name for each allowed change, and none for a refused one: %s",
    async (action) => {
      for (const state of QUEUE_ENTRY_STATES) {
        await db.update(queueEntries).set({ state }).where(eq(queueEntries.id, entryId));
        const before = await eventsOf();
        const moved = await transact(ctx(), (tx) => moveEntry(tx, { session, entryId, action }));
        const added = (await eventsOf()).slice(before.length);
        const { to } = QUEUE_ENTRY_ACTIONS[action];
        const [row] = await db.select({ state: queueEntries.state }).from(queueEntries).where(eq(queueEntries.id, entryId));
        expect([state, moved !== null, row!.state]).toEqual([state, canEntry(action, state), canEntry(action, state) ? to : state]);
        expect(added.map(({ kind, doctorId, data }) => ({ kind, doctorId, data }))).toEqual(
          canEntry(action, state) ? [{ kind: `queue-entry.${action}`, doctorId: session.doctorId, data: { to } }] : [],
        );
        expect(JSON.stringify(added)).not.toMatch(/Secretia|Namedova/);
      }
    },
  );
});
