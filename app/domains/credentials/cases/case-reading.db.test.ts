/** Who reads a case, its numbers and its files. */
import { and, eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { auditLog, doctorDocuments, doctors, files, sealingProgress } from "#app/db/schema/index.ts";
import type { Actor } from "#app/domains/context.server.ts";
import { reviseVerification } from "#app/domains/credentials/application/revise-verification.server.ts";
import { submitVerification } from "#app/domains/credentials/application/submit-verification.server.ts";
import { identityHash } from "#app/domains/credentials/identity/identity-hash.server.ts";
import { sealNumber } from "#app/domains/credentials/identity/numbers.server.ts";
import { sweepFiles } from "#app/domains/platform/files/sweep-files.server.ts";
import { openFile } from "#app/domains/privacy/file-access/open-file.server.ts";
import { sealExisting } from "#app/domains/privacy/sealing/seal-existing.server.ts";
import { formatDate, todayInIndia } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { makeAdmin, makeCase, makeHospital, makeReviewer, type TestCase } from "../../../../tests/factories/cases.ts";
import { makePatient } from "../../../../tests/factories/people.ts";
import {
  admin,
  approved,
  auditOf,
  codeOf,
  ctx,
  db,
  decision,
  house,
  key,
  reviewer,
  statusOf,
  stranger,
  waiting,
} from "../../../../tests/setup/case-decisions.ts";
import { listReviewerCases, readCase } from "./case-queries.server.ts";
import { decideAsAdmin } from "./decide-as-admin.server.ts";
import { revealNumber } from "./reveal-number.server.ts";

describe("numbers in full", () => {
  test("are shown to the administrator and a reviewer of the case, with the reason in the log", async () => {
    const it = await waiting();
    for (const who of [reviewer, admin])
      for (const number of ["aadhaar", "pan", "account"] as const)
        expect(await revealNumber(ctx(who), { doctorId: it.id, number, reason: `Compare the ${number}.` })).toBe(it.numbers[number]);
    const rows = await db
      .select()
      .from(auditLog)
      .where(and(eq(auditLog.subjectId, it.id), eq(auditLog.action, "reveal-number")))
      .orderBy(auditLog.id);
    expect(rows).toHaveLength(6);
    expect(rows[0]).toMatchObject({
      actorId: reviewer.userId,
      personId: it.id,
      details: { number: "aadhaar", reason: "Compare the aadhaar." },
    });
    expect(JSON.stringify(rows)).not.toContain(it.numbers.aadhaar);
  });
  test("are refused to other users, and for a draft", async () => {
    const it = await waiting();
    const ask = (who: Actor, of = it) => codeOf(revealNumber(ctx(who), { doctorId: of.id, number: "aadhaar", reason: "Because." }));
    expect(await ask(stranger)).toBe("not-found");
    expect(await ask(it.actor)).toBe("forbidden");
    expect(await ask((await makePatient(db)).actor)).toBe("forbidden");
    const draft = await makeCase(db, { key: key(), status: "draft", hospital: house });
    expect(await ask(reviewer, draft)).toBe("not-found");
    expect(await db.$count(auditLog, and(eq(auditLog.subjectId, draft.id), eq(auditLog.action, "reveal-number")))).toBe(0);
  });
  test("are not found when missing or encrypted under a removed key", async () => {
    const it = await waiting();
    await db.update(doctors).set({ panSealed: null, panLast4: null }).where(eq(doctors.id, it.id));
    expect(await codeOf(revealNumber(ctx(admin), { doctorId: it.id, number: "pan", reason: "Because." }))).toBe("not-found");
    const moved = await makeCase(db, { key: "another key, another server, 32 chars", hospital: house });
    expect(await codeOf(revealNumber(ctx(admin), { doctorId: moved.id, number: "aadhaar", reason: "Because." }))).toBe("unavailable");
  });
  test("are limited in number", async () => {
    const greedy = await makeAdmin(db);
    const it = await waiting();
    const many = [];
    for (let i = 0; i < 61; i++) many.push(await codeOf(revealNumber(ctx(greedy), { doctorId: it.id, number: "pan", reason: "Because." })));
    expect(many.filter((m) => m === "done")).toHaveLength(60);
    expect(many.at(-1)).toBe("too-many");
  });
});

describe("an approved doctor's identity", () => {
  const { storage } = ctx().integrations;
  const put = (name: string, bytes: Buffer) => storage.put(name, bytes, "image/jpeg");
  const rowOf = async (of: { id: string }) => (await db.select().from(doctors).where(eq(doctors.id, of.id)))[0]!;
  const scanOf = async (of: { id: string }) =>
    (
      await db
        .select()
        .from(doctorDocuments)
        .where(and(eq(doctorDocuments.doctorId, of.id), eq(doctorDocuments.kind, "identityDocument")))
    )[0]!;
  const filesOf = (of: { id: string }) => db.select().from(files).where(eq(files.ownerId, of.id));
  const onlyEntry = async (of: { id: string }) => {
    const rows = await db
      .select()
      .from(auditLog)
      .where(and(eq(auditLog.subjectId, of.id), eq(auditLog.action, "erase-identity")));
    expect(rows).toHaveLength(1);
    return rows[0]!;
  };
  /** Submits another doctor's application with this number. */
  async function submitWith(aadhaar: string) {
    const other = await waiting({ status: "rejected" });
    await db
      .update(doctors)
      .set({
        aadhaarSealed: sealNumber("aadhaar", other.id, aadhaar),
        aadhaarMac: null,
        panSealed: null,
        panMac: null,
        languages: ["English"],
        consultationFee: 50_000,
        about: "Twenty years of practice.",
        state: "Andhra Pradesh",
        city: "Guntur",
      })
      .where(eq(doctors.id, other.id));
    await reviseVerification(ctx(other.actor));
    return submitVerification(ctx(other.actor), { version: 1, page: "a page", turn: 0 });
  }
  const isErased = async (it: TestCase, fileId: string, storageKey: string) => {
    const doctor = await rowOf(it);
    expect([doctor.aadhaarSealed, doctor.aadhaarLast4]).toEqual([null, it.numbers.aadhaar.slice(-4)]);
    expect(doctor.aadhaarErasedAt).toBeInstanceOf(Date);
    const scan = await scanOf(it);
    expect([scan.fileId, scan.fingerprint, scan.erasedAt]).toEqual([null, null, doctor.aadhaarErasedAt]);
    const left = await filesOf(it);
    expect(left.map(({ id }) => id)).not.toContain(fileId);
    expect(left).toHaveLength(3);
    expect(await storage.get(storageKey)).toBeNull();
    for (const file of left) expect(await storage.get(file.storageKey)).not.toBeNull();
    const entry = await onlyEntry(it);
    expect([entry.personId, entry.details]).toEqual([it.id, { number: "aadhaar", files: 1, reason: "identity-checked" }]);
    await expect(submitWith(it.numbers.aadhaar)).rejects.toMatchObject({ code: "conflict", sentence: m.application_taken() });
  };
  const withScan = async (over: Partial<Parameters<typeof makeCase>[1]>) => {
    const it = await approved({ put, ...over });
    const { fileId } = await scanOf(it);
    const stored = (await filesOf(it)).find(({ id }) => id === fileId)!;
    return { it, fileId: stored.id, storageKey: stored.storageKey };
  };

  test("is erased with the approval: number, scan and bytes, while duplicates are still refused", async () => {
    const { it, fileId, storageKey } = await withScan({});
    await decideAsAdmin(ctx(admin), decision(it, "approve"));
    await isErased(it, fileId, storageKey);
    expect((await onlyEntry(it)).actorId).toBe(admin.userId);
    expect((await readCase(ctx(admin), it.id)).documents.map((d) => [d.kind, d.fileId === null])).toEqual([
      ["profileImage", false],
      ["identityDocument", true],
      ["medicalCouncilCertificate", false],
      ["qualificationCertificates", false],
    ]);
    for (const who of [admin, it.actor]) expect(await codeOf(openFile(ctx(who), fileId))).toBe("not-found");
    await expect(revealNumber(ctx(admin), { doctorId: it.id, number: "aadhaar", reason: "Because." })).rejects.toMatchObject({
      code: "conflict",
      sentence: m.cases_number_erased({ date: formatDate(todayInIndia(new Date())) }),
    });
    expect(await revealNumber(ctx(admin), { doctorId: it.id, number: "pan", reason: "Because." })).toBe(it.numbers.pan);
    expect(await auditOf(it, "reveal-number")).toBe(1);
    // The same application is accepted without the duplicate number.
    expect(await codeOf(submitWith("812345670123"))).toBe("done");
  });
  test("is preserved when the case is sent back", async () => {
    const { it, fileId } = await withScan({});
    await decideAsAdmin(ctx(admin), decision(it, "send-back", ["ask-again", "matches", "matches", "matches"]));
    expect((await rowOf(it)).aadhaarErasedAt).toBeNull();
    expect((await scanOf(it)).fileId).toBe(fileId);
    expect(await revealNumber(ctx(admin), { doctorId: it.id, number: "aadhaar", reason: "Because." })).toBe(it.numbers.aadhaar);
  });
  test("is erased once by the job for doctors approved earlier, suspended ones too, and not in open cases", async () => {
    const { it, fileId, storageKey } = await withScan({ status: "verified" });
    const suspended = await withScan({ status: "suspended" });
    const open = await withScan({});
    await db.delete(sealingProgress);
    await sealExisting(ctx());
    await isErased(it, fileId, storageKey);
    await isErased(suspended.it, suspended.fileId, suspended.storageKey);
    expect(await onlyEntry(it)).toMatchObject({ actorId: null, actorRole: "system" });
    const erasedAt = (await rowOf(it)).aadhaarErasedAt;
    // An open case still has its number, and the hash survives a rotation.
    expect(await rowOf(open.it)).toMatchObject({ aadhaarErasedAt: null, aadhaarMac: await identityHash(db, open.it.numbers.aadhaar) });
    expect((await scanOf(open.it)).fileId).toBe(open.fileId);
    await expect(submitWith(open.it.numbers.aadhaar)).rejects.toMatchObject({ code: "conflict" });
    await db.delete(sealingProgress);
    await sealExisting(ctx(null, new Date(Date.now() + 60_000)));
    expect((await rowOf(it)).aadhaarErasedAt).toEqual(erasedAt);
    await onlyEntry(it);
  });
  test("a hash from before the job still refuses a duplicate", async () => {
    const it = await waiting();
    expect((await rowOf(it)).aadhaarMac).not.toMatch(/^k1/);
    await expect(submitWith(it.numbers.aadhaar)).rejects.toMatchObject({ code: "conflict", sentence: m.application_taken() });
  });
  test("files are deleted by the sweep when the process ends right after the approval", async () => {
    const { it, fileId, storageKey } = await withScan({});
    const broken = {
      ...ctx(admin),
      integrations: { ...ctx().integrations, storage: { ...storage, remove: () => Promise.reject(new Error("gone")) } },
    };
    await expect(decideAsAdmin(broken, decision(it, "approve"))).rejects.toThrow("gone");
    expect(await statusOf(it)).toBe("verified");
    expect(await storage.get(storageKey)).not.toBeNull();
    await sweepFiles(ctx());
    await isErased(it, fileId, storageKey);
  });
});

describe("reading", () => {
  test("lists the cases of the reviewer's own hospitals, oldest first", async () => {
    const quiet = await makeHospital(db);
    const its = await makeReviewer(db, quiet);
    const [young, old] = [
      await waiting({ hospital: quiet, name: "Dr. Young Case", submittedAt: new Date(Date.now() - 3_600_000) }),
      await waiting({ hospital: quiet, name: "Dr. Old Case", submittedAt: new Date(Date.now() - 90_000_000) }),
    ];
    await waiting({ hospital: quiet, status: "draft" });
    const back = await waiting({ hospital: quiet, status: "rejected" });
    const list = await listReviewerCases(ctx(its), { tab: "waiting", search: "", page: 1 });
    expect(list.rows.map((r) => r.id)).toEqual([old.id, young.id]);
    expect(list.counts).toEqual({ waiting: 2, approved: 0, "sent-back": 1 });
    expect((await listReviewerCases(ctx(its), { tab: "waiting", search: "young", page: 1 })).rows.map((r) => r.id)).toEqual([young.id]);
    expect((await listReviewerCases(ctx(its), { tab: "waiting", search: "%", page: 1 })).rows).toEqual([]);
    expect((await listReviewerCases(ctx(its), { tab: "sent-back", search: "", page: 1 })).rows.map((r) => r.id)).toEqual([back.id]);
    const none = await makeReviewer(db);
    expect((await listReviewerCases(ctx(none), { tab: "waiting", search: "", page: 1 })).rows).toEqual([]);
  });
  test("allows reviewers and administrators of the case, and logs each read", async () => {
    const it = await waiting();
    for (const who of [reviewer, admin]) await readCase(ctx(who), it.id);
    expect(await auditOf(it, "read-case")).toBe(2);
    const draft = await makeCase(db, { key: key(), status: "draft", hospital: house });
    for (const [who, of] of [
      [stranger, it],
      [it.actor, it],
      [(await makePatient(db)).actor, it],
      [reviewer, draft],
    ] as const)
      expect(await codeOf(readCase(ctx(who as Actor), of.id))).toBe("not-found");
    expect(JSON.stringify(await readCase(ctx(admin), it.id))).not.toMatch(new RegExp(Object.values(it.numbers).join("|")));
  });
  test("opens a document for the doctor, its reviewers and administrators, and logs each read", async () => {
    const { storage } = ctx().integrations;
    const pictures: Buffer[] = [];
    const it = await waiting({
      openedBy: [],
      put(name, bytes) {
        pictures.push(bytes);
        return storage.put(name, bytes, "image/jpeg");
      },
    });
    const [document] = it.documents;
    for (const who of [it.actor, reviewer, admin] as Actor[])
      expect(Buffer.from((await openFile(ctx(who), document!.fileId)).bytes)).toEqual(pictures[0]);
    const rows = await db
      .select()
      .from(auditLog)
      .where(and(eq(auditLog.subjectId, document!.fileId), eq(auditLog.action, "read-document")))
      .orderBy(auditLog.id);
    expect(rows.map((r) => [r.actorId, r.personId])).toEqual([
      [reviewer.userId, it.id],
      [admin.userId, it.id],
    ]);
    for (const who of [stranger, (await waiting()).actor, (await makePatient(db)).actor] as Actor[])
      expect(await codeOf(openFile(ctx(who), document!.fileId))).toBe("not-found");
    await db.update(doctors).set({ registrationStatus: "draft" }).where(eq(doctors.id, it.id));
    expect(await codeOf(openFile(ctx(reviewer), document!.fileId))).toBe("not-found");
    const draft = await makeCase(db, {
      key: key(),
      status: "draft",
      hospital: house,
      put: (name, bytes) => storage.put(name, bytes, "image/jpeg"),
    });
    for (const who of [reviewer, admin] as Actor[]) expect(await codeOf(openFile(ctx(who), draft.documents[0]!.fileId))).toBe("not-found");
  });
});
