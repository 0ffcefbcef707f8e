/** Two hospitals, their reviewers and an administrator for the tests of decisions. Importing this file registers the hook that makes them. */
import { and, eq } from "drizzle-orm";
import { beforeAll } from "vitest";
import { auditLog, doctors, verificationEvents } from "#app/db/schema/index.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { env } from "#app/runtime/env.server.ts";
import type { CaseDecision } from "../../app/domains/credentials/cases/case-decision.schema.ts";
import { makeAdmin, makeCase, makeHospital, makeReviewer, type TestCase, type TestHospital } from "../factories/cases.ts";
import { testDb } from "./test-db.ts";

export const { db, ctx, sql } = testDb();
export const key = () => env().encryptionKeys[0];
export let house: TestHospital;
export let other: TestHospital;
export let reviewer: Awaited<ReturnType<typeof makeReviewer>>;
export let stranger: Awaited<ReturnType<typeof makeReviewer>>;
export let admin: Awaited<ReturnType<typeof makeAdmin>>;

beforeAll(async () => {
  house = await makeHospital(db);
  other = await makeHospital(db);
  reviewer = await makeReviewer(db, house);
  stranger = await makeReviewer(db, other);
  admin = await makeAdmin(db);
});

export const waiting = (over: Partial<Parameters<typeof makeCase>[1]> = {}) =>
  makeCase(db, { key: key(), hospital: house, openedBy: [reviewer.userId], ...over });
export const approved = (over: Partial<Parameters<typeof makeCase>[1]> = {}) =>
  waiting({ status: "pending admin approval", decided: "matches", approvedBy: reviewer.userId, openedBy: [admin.userId], ...over });
export const statusOf = async (of: TestCase) =>
  (await db.select({ s: doctors.registrationStatus }).from(doctors).where(eq(doctors.id, of.id)))[0]?.s;
export const eventsOf = (of: TestCase) =>
  db.select().from(verificationEvents).where(eq(verificationEvents.doctorId, of.id)).orderBy(verificationEvents.at);
export const auditOf = (of: TestCase, action: string) =>
  db.$count(auditLog, and(eq(auditLog.subjectId, of.id), eq(auditLog.action, action)));

type Wish = "matches" | "ask-again" | undefined;
export const decision = (
  of: Pick<TestCase, "id" | "seen"> & { documents: Pick<TestCase["documents"][number], "id" | "kind" | "version">[] },
  intent: CaseDecision["intent"],
  wishes: Wish[] = ["matches", "matches", "matches", "matches"],
  more: Partial<CaseDecision> = {},
) => ({
  doctorId: of.id,
  intent,
  seen: of.seen,
  documents: of.documents.map((d, i) => ({
    id: d.id,
    version: d.version,
    decision: wishes[i],
    reason: wishes[i] === "ask-again" ? `Send the ${d.kind} again.` : undefined,
  })),
  ...more,
});
export const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error: unknown) => {
      if (!(error instanceof DomainError)) throw error;
      return error.code;
    },
  );
