import { existsSync } from "node:fs";
import { eq, sql as jobQuery } from "drizzle-orm";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { doctors, notifications, outboxMessages, users } from "#app/db/schema/index.ts";
import { transact } from "#app/domains/context.server.ts";
import { recordRead as recordAudit } from "#app/domains/platform/audit/record.server.ts";
import { lastSeal } from "#app/domains/platform/audit/seals.server.ts";
import { verifyLog } from "#app/domains/platform/audit/verify-log.server.ts";
import { enqueue } from "#app/queue/queue.server.ts";
import { startRelay } from "#app/realtime/relay.server.ts";
import { env } from "#app/runtime/env.server.ts";
import { notify } from "../../tests/setup/record.ts";
import { testDb } from "../../tests/setup/test-db.ts";
import { notedSeals, setNotedSealsAside } from "./seal-file.server.ts";
import { startWorkers } from "./worker.server.ts";

const { db, sql, ctx } = testDb();
let stop: () => Promise<void>;
const relay = startRelay(env().database);
beforeAll(async () => {
  ({ stop } = await startWorkers());
});
afterAll(async () => {
  await stop();
  await relay.stop();
});

const messagesTo = (to: string) => db.select().from(outboxMessages).where(eq(outboxMessages.to, to));

it("sends an email after the commit", async () => {
  await transact(ctx(), (tx) => enqueue(tx, "email", { to: "a@demo.test", subject: "Hello", body: "There" }));
  await vi.waitFor(
    async () => expect(await messagesTo("a@demo.test")).toMatchObject([{ channel: "email", subject: "Hello", body: "There" }]),
    { timeout: 10_000 },
  );
});

it("sends no email when the transaction is rolled back", async () => {
  await expect(
    transact(ctx(), async (tx) => {
      await enqueue(tx, "email", { to: "b@demo.test", subject: "No", body: "No" });
      throw new Error("changed my mind");
    }),
  ).rejects.toThrow("changed my mind");
  // Once a later email has gone through the same queue, the first one was never in it.
  await enqueue(ctx(), "email", { to: "c@demo.test", subject: "Yes", body: "Yes" });
  await vi.waitFor(async () => expect(await messagesTo("c@demo.test")).toHaveLength(1), { timeout: 10_000 });
  expect(await messagesTo("b@demo.test")).toHaveLength(0);
  expect(await sql`select 1 from pgboss.job where data->>'to' = 'b@demo.test'`).toHaveLength(0);
});

it("sends 200 emails in batches, each once, and retries only the one that fails", async () => {
  const bodies = Array.from({ length: 200 }, (_, n) => `Number ${n}`);
  await transact(ctx(), async (tx) => {
    for (const body of bodies) await enqueue(tx, "email", { to: "many@demo.test", subject: "Many", body });
    await enqueue(tx, "email", { to: "broken@demo.test", subject: "Broken", body: "Broken" });
    await tx.db.execute(
      jobQuery`update pgboss.job set data = data || '{"body":"cannot be decrypted"}' where data->>'to' = 'broken@demo.test'`,
    );
  });
  await vi.waitFor(async () => expect(await messagesTo("many@demo.test")).toHaveLength(200), { timeout: 30_000 });
  await vi.waitFor(
    async () => expect(await sql`select state from pgboss.job where data->>'to' = 'broken@demo.test'`).toEqual([{ state: "retry" }]),
    { timeout: 10_000 },
  );
  expect((await messagesTo("many@demo.test")).map(({ body }) => body).sort()).toEqual(bodies.sort());
  expect(await sql`select distinct state from pgboss.job where data->>'to' = 'many@demo.test'`).toEqual([{ state: "completed" }]);
});

it("notifies a doctor of a decision by email and SMS", async () => {
  const [user] = await db.insert(users).values({ role: "doctor", email: "d@demo.test", phone: "+919811111111" }).returning();
  await db.insert(doctors).values({ id: user!.id });
  await transact(ctx(), (tx) =>
    notify(tx, user!.id, "doctor-rejected", { doctor: "Dr. D", note: "The seal is cut off." }, { page: "application-status" }),
  );
  await vi.waitFor(
    async () => {
      expect(await messagesTo("d@demo.test")).toMatchObject([
        { subject: "Application not approved · Nadi", body: expect.stringContaining("The seal is cut off.") },
      ]);
      // The SMS does not contain the reason.
      expect(await messagesTo("+919811111111")).toMatchObject([{ channel: "sms", body: expect.not.stringContaining("seal") }]);
    },
    { timeout: 10_000 },
  );
  expect(await db.select().from(notifications).where(eq(notifications.userId, user!.id))).toHaveLength(1);
});

it("seals the audit log, and writes the last seal to the file", async () => {
  await recordAudit(ctx(), { action: "proof", subjectType: "user", subjectId: "1" });
  await enqueue(ctx(), "seal-log", {});
  await vi.waitFor(async () => expect(await lastSeal(ctx())).not.toBeNull(), { timeout: 10_000 });
  await enqueue(ctx(), "note-seal", {});
  await vi.waitFor(async () => expect(await notedSeals()).toHaveLength(1), { timeout: 10_000 });
  const { id, hash } = (await lastSeal(ctx()))!;
  const noted = await notedSeals();
  expect(noted).toMatchObject([{ id, hash }]);
  expect((await verifyLog(ctx(), noted)).problem).toBeNull();
  // A restore starts another chain.
  const aside = await setNotedSealsAside(new Date());
  expect([existsSync(aside!), await notedSeals(), await setNotedSealsAside(new Date())]).toEqual([true, [], null]);
});

it("corrects ratings that are not the sum of their reviews in the hourly sweep", async () => {
  const [user] = await db.insert(users).values({ role: "doctor", email: "stars@demo.test", phone: "+919811111112" }).returning();
  await db.insert(doctors).values({ id: user!.id, ratingSum: 400, ratingCount: 100 });
  await enqueue(ctx(), "sweep", {});
  await vi.waitFor(
    async () =>
      expect(await sql`select rating_sum, rating_count from doctors where id = ${user!.id}`).toEqual([{ rating_sum: 0, rating_count: 0 }]),
    { timeout: 30_000 },
  );
});
