import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import {
  auditLog,
  doctorDocuments,
  doctors,
  files,
  sessions,
  users,
  verificationDrafts,
  verificationEvents,
} from "#app/db/schema/index.ts";
import { days } from "#app/lib/durations.ts";
import { plain } from "../../../../tests/factories/plain.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { sweepApplications, UNFINISHED_FOR } from "./sweep-applications.server.ts";

const LONG_AGO = new Date(Date.now() - UNFINISHED_FOR - days(1));

it("deletes abandoned applications and nothing that is still used", async () => {
  const { db, ctx } = testDb();
  const begin = async (name: string, over: Partial<typeof doctors.$inferInsert> = {}) => {
    const [user] = await db
      .insert(users)
      .values({ role: "doctor", email: `${name}@sweep.example`, createdAt: LONG_AGO })
      .returning({ id: users.id });
    const id = user!.id;
    await db.insert(doctors).values({ id, ...over });
    const [file] = await db
      .insert(files)
      .values({
        ownerId: id,
        purpose: "doctor-document",
        storageKey: `doctor-document/${name}`,
        mediaType: "image/jpeg",
        byteSize: 1,
        originalName: plain(name),
      })
      .returning({ id: files.id });
    await db.insert(doctorDocuments).values({ doctorId: id, kind: "identityDocument", fileId: file!.id });
    await db.insert(verificationDrafts).values({ doctorId: id, updatedAt: LONG_AGO });
    return id;
  };
  const forgotten = await begin("forgotten");
  const remaining = {
    saved: await begin("saved"),
    cameBack: await begin("came-back"),
    sentBack: await begin("sent-back"),
    waiting: await begin("waiting", { registrationStatus: "under review by hospital", submittedAt: LONG_AGO }),
    verified: await begin("verified", { registrationStatus: "verified" }),
  };
  await db.update(verificationDrafts).set({ updatedAt: new Date() }).where(eq(verificationDrafts.doctorId, remaining.saved));
  await db.insert(sessions).values({ tokenHash: "sweep-came-back", userId: remaining.cameBack, expiresAt: new Date(Date.now() + days(1)) });
  await db.insert(verificationEvents).values({
    doctorId: remaining.sentBack,
    action: "revise",
    fromStatus: "rejected",
    toStatus: "draft",
    byUserId: remaining.sentBack,
    byRole: "doctor",
  });
  const context = ctx();
  const removed: string[] = [];
  const storage = { ...context.integrations.storage, remove: async (key: string) => void removed.push(key) };

  expect(await sweepApplications({ ...context, integrations: { ...context.integrations, storage } })).toBe(1);

  expect(removed).toEqual(["doctor-document/forgotten"]);
  expect((await db.select({ id: users.id }).from(users)).map((u) => u.id).sort()).toEqual(Object.values(remaining).sort());
  expect(await db.select().from(files).where(eq(files.ownerId, forgotten))).toEqual([]);
  const log = await db.select({ action: auditLog.action }).from(auditLog).where(eq(auditLog.subjectId, forgotten));
  expect(log).toEqual([{ action: "remove-unfinished-application" }]);
  expect(await sweepApplications({ ...context, integrations: { ...context.integrations, storage } })).toBe(0);
});
