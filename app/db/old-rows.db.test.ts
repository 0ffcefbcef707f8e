/** What millions of rows need: queries that read an index, and deletion in batches. */
import { lt, sql as text } from "drizzle-orm";
import { expect, test } from "vitest";
import { notifications, webhookDeliveries } from "#app/db/schema/index.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { listAudit } from "#app/domains/oversight/audit-log/queries.server.ts";
import { listUsers } from "#app/domains/oversight/users/queries.server.ts";
import { sweepWebhooks } from "#app/domains/places/webhooks/sweep-webhooks.server.ts";
import { sweepNotifications } from "#app/domains/platform/notifications/mark-notifications.server.ts";
import { makeAdmin } from "../../tests/factories/cases.ts";
import { makePatient } from "../../tests/factories/people.ts";
import { testDb } from "../../tests/setup/test-db.ts";
import { deleteInBatches } from "./delete-in-batches.server.ts";

const { db, ctx } = testDb();

const users = (over: Partial<Parameters<typeof listUsers>[1]>) => (as: Ctx<Actor>) =>
  listUsers(as, { search: "", role: null, disabled: false, page: 1, ...over });
const LARGE = ["users", "patients", "doctors", "notifications", "webhook_deliveries", "audit_log"];
test.each<[string, (as: Ctx<Actor>) => Promise<unknown>]>([
  ["the list of users", users({})],
  ["users, oldest first", users({ sort: "oldest" })],
  ["users of a role", users({ role: "reviewer" })],
  ["closed accounts", users({ disabled: true })],
  ["a search for users by name", users({ search: "ramana" })],
  ["a search for users by phone", users({ search: "90000 00001" })],
  ["the log", (as) => listAudit(as, {} as Parameters<typeof listAudit>[1])],
  ["the log of some days", (as) => listAudit(as, { from: "2024-01-01", to: "2024-01-02" } as Parameters<typeof listAudit>[1])],
  ["the log of one user, searched by name", (as) => listAudit(as, { person: "ramana" } as Parameters<typeof listAudit>[1])],
  ["the sweep of notifications", sweepNotifications],
  ["the sweep of deliveries of webhooks", sweepWebhooks],
])("%s: an index has every row that it reads", async (_, work) => {
  const actor = await makeAdmin(db);
  const scanned = await db.transaction(async (tx) => {
    // A table is then read from end to end only where no index helps.
    await tx.execute(text`set local enable_seqscan = off`);
    const scans = async () => {
      const rows = await tx.execute<{ name: string; n: number }>(
        text`select relname as name, seq_scan::int as n from pg_stat_xact_user_tables where relname = any(${text.param(LARGE)})`,
      );
      return new Map(rows.map(({ name, n }) => [name, n]));
    };
    const before = await scans();
    await work({ ...ctx(actor), db: tx });
    return [...(await scans())].filter(([name, n]) => n > (before.get(name) ?? 0)).map(([name]) => name);
  });
  expect(scanned).toEqual([]);
});

test("deletes the rows of a condition in batches, also twice at once, and no others", async () => {
  const { id: userId } = await makePatient(db);
  const at = (day: number) => new Date(Date.UTC(2024, 0, day));
  const row = (day: number) => ({ userId, kind: "appointment-booked", type: "info" as const, createdAt: at(day) });
  await db.insert(notifications).values(Array.from({ length: 25 }, (_, day) => row(day + 1)));
  const old = lt(notifications.createdAt, at(21));
  const removed = await Promise.all([deleteInBatches(db, notifications, old, 3), deleteInBatches(db, notifications, old, 3)]);
  await deleteInBatches(db, notifications, old, 3);
  expect(removed[0] + removed[1]).toBeLessThanOrEqual(20);
  expect(await db.$count(notifications, old)).toBe(0);
  expect(await db.$count(notifications)).toBe(5);
  expect(await deleteInBatches(db, webhookDeliveries, lt(webhookDeliveries.createdAt, at(1)))).toBe(0);
});
