import { and, eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import {
  auditLog,
  doctorDocuments,
  doctors,
  files,
  notifications,
  sealingProgress,
  sessions,
  verificationEvents,
} from "#app/db/schema/index.ts";
import { listSuspendedVisits } from "#app/domains/booking/appointments/suspended-visits.server.ts";
import type { Actor } from "#app/domains/context.server.ts";
import { reviseVerification } from "#app/domains/credentials/application/revise-verification.server.ts";
import { submitVerification } from "#app/domains/credentials/application/submit-verification.server.ts";
import { identityHash } from "#app/domains/credentials/identity/identity-hash.server.ts";
import { sealNumber } from "#app/domains/credentials/identity/numbers.server.ts";
import { listDoctors } from "#app/domains/directory/doctors/queries.server.ts";
import { findSession } from "#app/domains/platform/accounts/queries.server.ts";
import { openSession } from "#app/domains/platform/accounts/sessions.server.ts";
import { sweepFiles } from "#app/domains/platform/files/sweep-files.server.ts";
import { openFile } from "#app/domains/privacy/file-access/open-file.server.ts";
import { sealExisting } from "#app/domains/privacy/sealing/seal-existing.server.ts";
import { formatDate, todayInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";
import { env } from "#app/runtime/env.server.ts";
import {
  makeAdmin,
  makeCase,
  makeHospital,
  makeReviewer,
  openDocuments,
  type TestCase,
  type TestHospital,
} from "../../../../tests/factories/cases.ts";
import { dayFromNow, makePatient, makeVisit } from "../../../../tests/factories/people.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { refuseHospital } from "../hospitals/refuse-hospital.server.ts";
import type { CaseDecision } from "./case-decision.schema.ts";
import { listReviewerCases, readCase } from "./case-queries.server.ts";
import { decideAsAdmin } from "./decide-as-admin.server.ts";
import { decideDocument } from "./decide-document.server.ts";
import { decideForHospital } from "./decide-for-hospital.server.ts";
import { getDocument } from "./documents-of-case.server.ts";
import { reinstateDoctor } from "./reinstate-doctor.server.ts";
import { revealNumber } from "./reveal-number.server.ts";
import { suspendDoctor } from "./suspend-doctor.server.ts";

const { db, ctx, sql } = testDb();
const key = () => env().encryptionKeys[0];
let house: TestHospital;
let other: TestHospital;
let reviewer: Awaited<ReturnType<typeof makeReviewer>>;
let stranger: Awaited<ReturnType<typeof makeReviewer>>;
let admin: Awaited<ReturnType<typeof makeAdmin>>;

beforeAll(async () => {
  house = await makeHospital(db);
  other = await makeHospital(db);
  reviewer = await makeReviewer(db, house);
  stranger = await makeReviewer(db, other);
  admin = await makeAdmin(db);
});

const waiting = (over: Partial<Parameters<typeof makeCase>[1]> = {}) => makeCase(db, { key: key(), hospital: house, ...over });
const approved = (over: Partial<Parameters<typeof makeCase>[1]> = {}) =>
  waiting({ status: "pending admin approval", decided: "matches", approvedBy: reviewer.userId, openedBy: [admin.userId], ...over });
const statusOf = async (of: TestCase) =>
  (await db.select({ s: doctors.registrationStatus }).from(doctors).where(eq(doctors.id, of.id)))[0]?.s;
const eventsOf = (of: TestCase) =>
  db.select().from(verificationEvents).where(eq(verificationEvents.doctorId, of.id)).orderBy(verificationEvents.at);
const auditOf = (of: TestCase, action: string) => db.$count(auditLog, and(eq(auditLog.subjectId, of.id), eq(auditLog.action, action)));

type Wish = "matches" | "ask-again" | undefined;
const decision = (
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
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error: unknown) => {
      if (!(error instanceof DomainError)) throw error;
      return error.code;
    },
  );

describe("for the hospital", () => {
  test("approves: the next step, who and when, and everybody who must know", async () => {
    const it = await waiting({ name: "Dr. Approved Once" });
    expect(await decideForHospital(ctx(reviewer), decision(it, "approve"))).toBe("Dr. Approved Once");
    expect(await statusOf(it)).toBe("pending admin approval");
    expect((await eventsOf(it)).at(-1)).toMatchObject({
      action: "hospital-approve",
      byUserId: reviewer.userId,
      byRole: "reviewer",
      note: null,
      reasons: [],
    });
    expect(await auditOf(it, "hospital-approve-doctor")).toBe(1);
    expect(await auditOf(it, "decide-documents")).toBe(1);
    for (const document of await db.select().from(doctorDocuments).where(eq(doctorDocuments.doctorId, it.id)))
      expect([document.decision, document.decidedBy, document.hospitalDecidedBy]).toEqual(["undecided", null, reviewer.userId]);
    const told = await db.select().from(notifications).where(eq(notifications.userId, it.id));
    expect(told.map((n) => n.kind)).toEqual(["doctor-hospital-approved"]);
    const admins = await db
      .select()
      .from(notifications)
      .where(and(eq(notifications.userId, admin.userId), eq(notifications.targetPath, `/admin/doctors/${it.id}`)));
    expect(admins.map((n) => n.kind)).toEqual(["case-waiting"]);
  });
  test("sends back with the reasons word for word", async () => {
    const it = await waiting();
    await decideForHospital(
      ctx(reviewer),
      decision(it, "send-back", ["matches", "ask-again", "matches", undefined], { note: "In daylight, please." }),
    );
    expect(await statusOf(it)).toBe("rejected");
    expect((await eventsOf(it)).at(-1)).toMatchObject({
      action: "hospital-reject",
      note: "In daylight, please.",
      reasons: [{ kind: "identityDocument", reason: "Send the identityDocument again." }],
    });
    const [told] = await db.select().from(notifications).where(eq(notifications.userId, it.id));
    expect(told?.params.note).toBe("Identity document, Aadhaar: Send the identityDocument again.\nIn daylight, please.");
    const rows = await db.select().from(doctorDocuments).where(eq(doctorDocuments.doctorId, it.id));
    expect(Object.fromEntries(rows.map((r) => [r.kind, r.decision]))).toEqual({
      profileImage: "matches",
      identityDocument: "ask-again",
      medicalCouncilCertificate: "matches",
      qualificationCertificates: "undecided",
    });
  });
  test("keeps what was decided so far, and the case where it is", async () => {
    const it = await waiting();
    await decideForHospital(ctx(reviewer), decision(it, "save", ["matches", "ask-again", undefined, undefined]));
    expect(await statusOf(it)).toBe("under review by hospital");
    const file = await readCase(ctx(reviewer), it.id);
    expect(file.documents.map((d) => [d.decision, d.reason])).toEqual([
      ["matches", null],
      ["ask-again", "Send the identityDocument again."],
      ["undecided", null],
      ["undecided", null],
    ]);
    await decideForHospital(ctx(reviewer), decision(it, "save", [undefined, undefined, undefined, undefined]));
    const [row] = await db.select().from(doctorDocuments).where(eq(doctorDocuments.id, it.documents[0]!.id));
    expect([row?.decision, row?.decidedBy, row?.decidedAt]).toEqual(["undecided", null, null]);
  });
  test("nobody else: not another hospital's reviewer, not the doctor, not a patient, not the administrator", async () => {
    const it = await waiting();
    const patient = await makePatient(db);
    const cases: [Actor, string][] = [
      [stranger, "not-found"],
      [it.actor, "forbidden"],
      [patient.actor, "not-found"],
      [admin, "forbidden"],
      [{ ...stranger, userId: crypto.randomUUID() }, "not-found"],
    ];
    for (const [who, code] of cases)
      for (const intent of ["approve", "send-back", "save"] as const)
        expect(
          await codeOf(decideForHospital(ctx(who), decision(it, intent, ["ask-again", "ask-again", "ask-again", "ask-again"]))),
          `${who.role} ${intent}`,
        ).toBe(code);
    for (const id of ["1", "nonsense", "", crypto.randomUUID()])
      expect(await codeOf(decideForHospital(ctx(reviewer), { ...decision(it, "approve"), doctorId: id }))).toBe("not-found");
    expect(await statusOf(it)).toBe("under review by hospital");
  });
  test("a doctor who is also a reviewer does not approve themselves: the phone is the person", async () => {
    const it = await waiting();
    await db.execute(`update users set phone = '${it.phone}' where id = '${reviewer.userId}'`);
    try {
      for (const intent of ["approve", "save"] as const)
        expect(await codeOf(decideForHospital(ctx(reviewer), decision(it, intent)))).toBe("forbidden");
    } finally {
      await db.execute(`update users set phone = '${reviewer.phone}' where id = '${reviewer.userId}'`);
    }
    expect(await codeOf(decideForHospital(ctx(reviewer), decision(it, "approve")))).toBe("done");
  });
  test("documents of another case, some of them, one twice, or none are refused", async () => {
    const [it, another] = [await waiting(), await waiting()];
    const all = decision(it, "approve").documents;
    const borrowed = decision(another, "approve").documents;
    for (const documents of [
      [...all.slice(0, 3), borrowed[3]!],
      all.slice(0, 3),
      [...all.slice(0, 3), all[0]!],
      [],
      [...all, borrowed[0]!],
    ])
      expect(await codeOf(decideForHospital(ctx(reviewer), { ...decision(it, "approve"), documents }))).toBe("conflict");
    expect(await statusOf(it)).toBe("under review by hospital");
    expect(await db.$count(doctorDocuments, and(eq(doctorDocuments.doctorId, another.id), eq(doctorDocuments.decision, "matches")))).toBe(
      0,
    );
  });
  test("a case without documents is not approved", async () => {
    const it = await waiting();
    await db.delete(doctorDocuments).where(eq(doctorDocuments.doctorId, it.id));
    expect(await codeOf(decideForHospital(ctx(reviewer), { ...decision(it, "approve"), documents: [] }))).toBe("invalid");
  });
  test("an application that was handed in again since is another one", async () => {
    const it = await waiting();
    await db.update(doctors).set({ submittedAt: new Date() }).where(eq(doctors.id, it.id));
    expect(await codeOf(decideForHospital(ctx(reviewer), decision(it, "approve")))).toBe("conflict");
    expect(await statusOf(it)).toBe("under review by hospital");
  });
  test("the state has moved on: the refusal says where it stands", async () => {
    const it = await approved();
    const late = decideForHospital(ctx(reviewer), decision(it, "send-back", ["ask-again", "matches", "matches", "matches"]));
    await expect(late).rejects.toMatchObject({ code: "conflict", sentence: "This case has moved on: Pending admin approval." });
    expect(await db.$count(doctorDocuments, and(eq(doctorDocuments.doctorId, it.id), eq(doctorDocuments.decision, "ask-again")))).toBe(0);
  });
});

describe("as the administrator", () => {
  test("approves: verified, in the directory, told", async () => {
    const it = await approved({ name: "Dr. Zz Newly Verified" });
    await decideAsAdmin(ctx(admin), decision(it, "approve"));
    expect(await statusOf(it)).toBe("verified");
    const { doctors: found } = await listDoctors(ctx(), { text: "Zz Newly", near: { latitude: 16.5, longitude: 80.6 }, limit: 5 });
    expect(found.map((d) => d.id)).toEqual([it.id]);
    expect((await db.select().from(notifications).where(eq(notifications.userId, it.id))).map((n) => n.kind)).toEqual(["doctor-verified"]);
    expect(await auditOf(it, "approve-doctor")).toBe(1);
  });
  test("sends back", async () => {
    const it = await approved();
    await decideAsAdmin(ctx(admin), decision(it, "send-back", ["ask-again", "matches", "matches", "matches"]));
    expect(await statusOf(it)).toBe("rejected");
    expect((await eventsOf(it)).at(-1)).toMatchObject({ action: "reject", byRole: "admin", reasons: [{ kind: "profileImage" }] });
  });
  test("not by the person who approved for the hospital, whatever account they use", async () => {
    const it = await approved();
    await db.execute(`update users set phone = '${reviewer.phone}' where id = '${admin.userId}'`);
    try {
      await expect(decideAsAdmin(ctx(admin), decision(it, "approve"))).rejects.toMatchObject({ code: "forbidden" });
      expect(await statusOf(it)).toBe("pending admin approval");
    } finally {
      await db.execute(`update users set phone = '${admin.phone}' where id = '${admin.userId}'`);
    }
    const again = await approved({ approvedBy: admin.userId });
    await expect(decideAsAdmin(ctx(admin), decision(again, "approve"))).rejects.toMatchObject({ code: "forbidden" });
  });
  test("only the approval of the round in hand counts", async () => {
    const it = await approved({ approvedBy: admin.userId });
    await db.insert(verificationEvents).values({
      doctorId: it.id,
      action: "hospital-approve",
      fromStatus: "x",
      toStatus: "y",
      byUserId: reviewer.userId,
      byRole: "reviewer",
      at: new Date(),
    });
    expect(await codeOf(decideAsAdmin(ctx(admin), decision(it, "approve")))).toBe("done");
  });
  test("not one's own case", async () => {
    const it = await approved();
    await db.execute(`update users set phone = '${it.phone}' where id = '${admin.userId}'`);
    try {
      expect(await codeOf(decideAsAdmin(ctx(admin), decision(it, "approve")))).toBe("forbidden");
    } finally {
      await db.execute(`update users set phone = '${admin.phone}' where id = '${admin.userId}'`);
    }
  });
  test("not while the hospital is unconfirmed; sending back is possible", async () => {
    const pending = await makeHospital(db, { status: "pending" });
    const it = await approved({ hospital: pending });
    await expect(decideAsAdmin(ctx(admin), decision(it, "approve"))).rejects.toMatchObject({ code: "conflict" });
    expect(
      await codeOf(decideAsAdmin(ctx(admin), decision(it, "send-back", ["matches", "matches", "matches", "matches"], { note: "No." }))),
    ).toBe("done");
  });
  test("nobody else", async () => {
    const it = await approved();
    for (const [who, code] of [
      [reviewer, "forbidden"],
      [stranger, "not-found"],
      [it.actor, "forbidden"],
      [(await makePatient(db)).actor, "not-found"],
    ] as const)
      expect(await codeOf(decideAsAdmin(ctx(who as Actor), decision(it, "approve"))), (who as Actor).role).toBe(code);
    expect(await statusOf(it)).toBe("pending admin approval");
  });
});

describe("one document, beside its picture", () => {
  test("keeps the decision of the one whose turn it is", async () => {
    const it = await waiting();
    const [document] = it.documents;
    const wish = { id: document!.id, seen: it.seen, version: "", decision: "ask-again" as const, reason: "Blurred." };
    expect(await codeOf(decideDocument(ctx(admin), wish))).toBe("conflict");
    expect(await codeOf(decideDocument(ctx(stranger), wish))).toBe("not-found");
    expect(await codeOf(decideDocument(ctx(it.actor), wish))).toBe("not-found");
    expect(await codeOf(decideDocument(ctx(reviewer), { ...wish, seen: "" }))).toBe("conflict");
    expect(await codeOf(decideDocument(ctx(reviewer), { ...wish, id: crypto.randomUUID() }))).toBe("not-found");
    await decideDocument(ctx(reviewer), wish);
    const [row] = await db.select().from(doctorDocuments).where(eq(doctorDocuments.id, document!.id));
    expect(row).toMatchObject({ decision: "ask-again", reason: "Blurred.", decidedBy: reviewer.userId });
    await decideDocument(ctx(reviewer), { ...wish, decision: "matches" });
    const [now] = await db.select().from(doctorDocuments).where(eq(doctorDocuments.id, document!.id));
    expect(now).toMatchObject({ decision: "matches", reason: null });
  });
  test("is found by its neighbours, by those who may see the case and nobody else", async () => {
    const it = await waiting();
    const found = await getDocument(ctx(reviewer), it.documents[1]!.id);
    expect([found.place, found.previous?.id, found.next?.id]).toEqual([{ at: 2, of: 4 }, it.documents[0]!.id, it.documents[2]!.id]);
    expect((await getDocument(ctx(admin), it.documents[3]!.id)).next).toBeNull();
    expect((await getDocument(ctx(it.actor), it.documents[0]!.id)).document.kind).toBe("profileImage");
    for (const who of [stranger, (await waiting()).actor, (await makePatient(db)).actor] as Actor[])
      expect(await codeOf(getDocument(ctx(who), it.documents[0]!.id))).toBe("not-found");
  });
  test("of a draft is the doctor's alone; an older one of the same kind no longer counts", async () => {
    const draft = await makeCase(db, { key: key(), status: "draft", hospital: house });
    expect(await codeOf(getDocument(ctx(reviewer), draft.documents[0]!.id))).toBe("not-found");
    expect(await codeOf(getDocument(ctx(admin), draft.documents[0]!.id))).toBe("not-found");
    expect(await codeOf(getDocument(ctx(draft.actor), draft.documents[0]!.id))).toBe("done");
  });
});

describe("two who look at one case", () => {
  const rowsOf = async (of: TestCase) => {
    const { documents } = await readCase(ctx(reviewer), of.id);
    return documents.map((d) => [d.decision, d.reason, d.decidedById]);
  };
  /** As a page that is opened now would post it. */
  const fresh = async (of: TestCase) => {
    const { documents } = await readCase(ctx(reviewer), of.id);
    return { ...of, documents };
  };
  let second: typeof reviewer;
  beforeAll(async () => {
    second = await makeReviewer(db, house);
  });

  test("another decision on a document than the one that was looked at is refused, told beside it, and counts on the next press", async () => {
    const it = await waiting();
    await decideForHospital(ctx(second), decision(it, "save", ["ask-again", undefined, "matches", undefined]));
    const [before, [changed]] = [await rowsOf(it), (await fresh(it)).documents];
    for (const intent of ["save", "approve", "send-back"] as const)
      await expect(
        decideForHospital(ctx(reviewer), decision(it, intent, ["matches", "matches", "matches", "matches"], { note: "A note." })),
        intent,
      ).rejects.toMatchObject({
        code: "conflict",
        fields: {
          "documents[0].decision": [
            `Meanwhile ${changed!.decidedBy} chose “Ask again” here: Send the profileImage again. Look again: your choice is still here, and counts when you press once more.`,
          ],
        },
        detail: { versions: { [changed!.id]: changed!.version } },
      });
    expect(await rowsOf(it)).toEqual(before);
    expect(await statusOf(it)).toBe("under review by hospital");
    await decideForHospital(ctx(reviewer), decision(await fresh(it), "save"));
    expect((await rowsOf(it)).map(([wish]) => wish)).toEqual(Array(4).fill("matches"));
  });
  test("what was left as it was seen stays as the other decided; the case is not decided over it", async () => {
    const it = await waiting();
    await decideForHospital(ctx(second), decision(it, "save", ["ask-again", undefined, undefined, undefined]));
    await decideForHospital(ctx(reviewer), decision(it, "save", [undefined, "matches", undefined, undefined]));
    expect((await rowsOf(it)).map(([wish, , by]) => [wish, by])).toEqual([
      ["ask-again", second.userId],
      ["matches", reviewer.userId],
      ["undecided", null],
      ["undecided", null],
    ]);
    const back = decision(it, "send-back", [undefined, "matches", undefined, undefined], { note: "Again, please." });
    expect(await codeOf(decideForHospital(ctx(reviewer), back))).toBe("conflict");
    expect(await codeOf(decideForHospital(ctx(reviewer), { ...back, documents: decision(await fresh(it), "send-back").documents }))).toBe(
      "done",
    );
  });
  test("the same decision twice, and one's own from elsewhere, are no clash", async () => {
    const it = await waiting();
    await decideForHospital(ctx(second), decision(it, "save", ["matches", "ask-again", undefined, undefined]));
    await decideForHospital(ctx(reviewer), decision(it, "save", ["matches", "ask-again", undefined, undefined]));
    expect((await rowsOf(it)).map(([, , by]) => by)).toEqual([second.userId, second.userId, null, null]);
    await decideForHospital(ctx(second), decision(it, "save", ["ask-again", "matches", undefined, undefined]));
    expect((await rowsOf(it)).map(([wish]) => wish)).toEqual(["ask-again", "matches", "undecided", "undecided"]);
  });
  test("beside a picture, too; and one administrator over another", async () => {
    const it = await waiting();
    const wish = { id: it.documents[0]!.id, seen: it.seen, version: "" };
    await decideDocument(ctx(second), { ...wish, decision: "ask-again", reason: "Blurred." });
    await expect(decideDocument(ctx(reviewer), { ...wish, decision: "matches" })).rejects.toMatchObject({
      code: "conflict",
      fields: { decision: [expect.stringContaining("chose “Ask again” here: Blurred.")] },
    });
    const [now] = (await fresh(it)).documents;
    await decideDocument(ctx(reviewer), { ...wish, version: now!.version, decision: "matches" });

    const theirs = await approved();
    const chief = await makeAdmin(db);
    await decideAsAdmin(ctx(chief), decision(theirs, "save", ["ask-again", "matches", "matches", "matches"]));
    expect(await codeOf(decideAsAdmin(ctx(admin), decision(theirs, "approve")))).toBe("conflict");
    expect(await statusOf(theirs)).toBe("pending admin approval");
    expect(await codeOf(decideAsAdmin(ctx(admin), decision(await fresh(theirs), "approve")))).toBe("done");
  });
  test("at once, two who decide differently: one is kept, the other is told", async () => {
    for (let round = 0; round < 5; round++) {
      const it = await waiting();
      const wishes = { id: it.documents[0]!.id, seen: it.seen, version: "" };
      const done = await Promise.all(
        [
          decideForHospital(ctx(reviewer), decision(it, "save", ["matches", undefined, undefined, undefined])),
          decideDocument(ctx(second), { ...wishes, decision: "ask-again", reason: "Cut off." }),
        ].map(codeOf),
      );
      expect([...done].sort()).toEqual(["conflict", "done"]);
      expect((await rowsOf(it))[0]).toEqual(
        done[0] === "done" ? ["matches", null, reviewer.userId] : ["ask-again", "Cut off.", second.userId],
      );
    }
  });
});

describe("at once", () => {
  const outcome = async (works: Promise<unknown>[]) => (await Promise.all(works.map(codeOf))).sort();
  test("the same post eight times: one effect", async () => {
    const it = await waiting();
    expect(await outcome(Array.from({ length: 8 }, () => decideForHospital(ctx(reviewer), decision(it, "approve"))))).toEqual([
      ...Array(7).fill("conflict"),
      "done",
    ]);
    expect((await eventsOf(it)).filter((e) => e.action === "hospital-approve")).toHaveLength(1);
    expect(await db.$count(notifications, eq(notifications.userId, it.id))).toBe(1);
  });
  test("two reviewers, one approving and one sending back", async () => {
    const second = await makeReviewer(db, house);
    for (let round = 0; round < 5; round++) {
      const it = await waiting();
      const done = await outcome([
        decideForHospital(ctx(reviewer), decision(it, "approve")),
        decideForHospital(ctx(second), decision(it, "send-back", ["ask-again", "matches", "matches", "matches"])),
      ]);
      expect(done).toEqual(["conflict", "done"]);
      const [first] = (await eventsOf(it)).slice(1);
      const rows = await db.select().from(doctorDocuments).where(eq(doctorDocuments.doctorId, it.id));
      // The documents tell of the decision that won, not of the other.
      expect(rows.some((r) => r.decision === "ask-again")).toBe(first?.action === "hospital-reject");
    }
  });
  test("two administrators", async () => {
    const second = await makeAdmin(db);
    for (let round = 0; round < 5; round++) {
      const it = await approved();
      const done = await outcome([
        decideAsAdmin(ctx(admin), decision(it, "approve")),
        decideAsAdmin(ctx(second), decision(it, "send-back", ["ask-again", "matches", "matches", "matches"])),
      ]);
      expect(done).toEqual(["conflict", "done"]);
      expect((await eventsOf(it)).filter((e) => ["approve", "reject"].includes(e.action))).toHaveLength(1);
    }
  });
  test("a reviewer approves while an administrator refuses the hospital: nobody is left waiting for a hospital that is none", async () => {
    for (let round = 0; round < 5; round++) {
      const pending = await makeHospital(db, { status: "pending" });
      const itsReviewer = await makeReviewer(db, pending);
      const it = await waiting({ hospital: pending });
      const done = await outcome([
        decideForHospital(ctx(itsReviewer), decision(it, "approve")),
        refuseHospital(ctx(admin), { id: pending.id, reason: "It is a shop." }),
      ]);
      expect(done).toContain("done");
      expect(await statusOf(it)).toBe("rejected");
      expect((await eventsOf(it)).at(-1)).toMatchObject({ action: "return", toStatus: "rejected" });
    }
  });
  test("a reviewer and an administrator on one case: each only in their turn", async () => {
    const it = await waiting();
    const done = await outcome([
      decideForHospital(ctx(reviewer), decision(it, "approve")),
      decideAsAdmin(ctx(admin), decision(it, "send-back", ["ask-again", "matches", "matches", "matches"])),
    ]);
    expect(done.filter((d) => d === "done").length).toBeGreaterThanOrEqual(1);
    const steps = (await eventsOf(it)).map((e) => e.action);
    expect([
      ["submit", "hospital-approve"],
      ["submit", "hospital-approve", "reject"],
    ]).toContainEqual(steps);
  });
  test("suspended twice at once", async () => {
    const it = await waiting({ status: "verified" });
    expect(await outcome([1, 2, 3].map(() => suspendDoctor(ctx(admin), { doctorId: it.id, reason: "Complaint." })))).toEqual([
      "conflict",
      "conflict",
      "done",
    ]);
  });
});

describe("suspension", () => {
  test("takes the doctor out of the directory, ends the sessions, leaves the visits for the administrator", async () => {
    const it = await waiting({ status: "verified", name: "Dr. Yy Suspended Soon" });
    const patient = await makePatient(db);
    const coming = await makeVisit(db, { patient, doctor: it }, { status: "accepted", date: dayFromNow(3), name: "Coming Person" });
    await makeVisit(db, { patient, doctor: it }, { status: "cancelled", date: dayFromNow(4) });
    const token = await openSession(ctx(), it.actor, "test");
    const find = () => listDoctors(ctx(), { text: "Yy Suspended", near: { latitude: 16.5, longitude: 80.6 }, limit: 5 });
    expect((await find()).total).toBe(1);

    const heard: string[] = [];
    const { unlisten } = await sql.listen("nadi_sessions", (payload) => heard.push(payload));
    await suspendDoctor(ctx(admin), { doctorId: it.id, reason: "Registration ran out." });
    // Every server process closes the doctor's sockets when it hears this.
    await expect.poll(() => heard).toContain(JSON.stringify({ userId: it.id }));
    await unlisten();
    expect((await find()).total).toBe(0);
    expect(await db.$count(sessions, eq(sessions.userId, it.id))).toBe(0);
    const { hashToken } = await import("#app/lib/ids.server.ts");
    expect(await findSession(ctx(), hashToken(token))).toBeNull();
    const visits = await listSuspendedVisits(ctx(admin), it.id);
    expect(visits).toMatchObject({ total: 1, rows: [{ id: coming, status: "accepted", patientName: "Coming Person" }] });
    expect(await db.$count(auditLog, and(eq(auditLog.personId, patient.id), eq(auditLog.action, "read-coming-visit")))).toBe(1);
    const [told] = await db.select().from(notifications).where(eq(notifications.userId, it.id));
    expect([told?.kind, told?.params.note]).toEqual(["doctor-suspended", "Registration ran out."]);

    await reinstateDoctor(ctx(admin), { doctorId: it.id });
    expect((await find()).total).toBe(1);
    expect((await eventsOf(it)).map((e) => e.action)).toEqual(["submit", "suspend", "reinstate"]);
  });
  test("only from verified, only back from suspended, only by an administrator, never one's own", async () => {
    for (const status of ["draft", "under review by hospital", "pending admin approval", "rejected"] as const) {
      const it = await waiting({ status });
      expect(await codeOf(suspendDoctor(ctx(admin), { doctorId: it.id, reason: "x" })), status).toBe("conflict");
      expect(await codeOf(reinstateDoctor(ctx(admin), { doctorId: it.id })), status).toBe("conflict");
    }
    const it = await waiting({ status: "verified" });
    expect(await codeOf(suspendDoctor(ctx(reviewer), { doctorId: it.id, reason: "x" }))).toBe("forbidden");
    expect(await codeOf(suspendDoctor(ctx(it.actor), { doctorId: it.id, reason: "x" }))).toBe("forbidden");
    const suspended = await waiting({ status: "suspended" });
    expect(await codeOf(reinstateDoctor(ctx(suspended.actor), { doctorId: suspended.id }))).toBe("forbidden");
    await db.execute(`update users set phone = '${suspended.phone}' where id = '${admin.userId}'`);
    try {
      expect(await codeOf(reinstateDoctor(ctx(admin), { doctorId: suspended.id }))).toBe("forbidden");
    } finally {
      await db.execute(`update users set phone = '${admin.phone}' where id = '${admin.userId}'`);
    }
  });
});

describe("numbers in full", () => {
  test("to the administrator and a reviewer of the case, with the reason in the log", async () => {
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
  test("to nobody else, and not of a draft", async () => {
    const it = await waiting();
    const ask = (who: Actor, of = it) => codeOf(revealNumber(ctx(who), { doctorId: of.id, number: "aadhaar", reason: "Because." }));
    expect(await ask(stranger)).toBe("not-found");
    expect(await ask(it.actor)).toBe("forbidden");
    expect(await ask((await makePatient(db)).actor)).toBe("forbidden");
    const draft = await makeCase(db, { key: key(), status: "draft", hospital: house });
    expect(await ask(reviewer, draft)).toBe("not-found");
    expect(await db.$count(auditLog, and(eq(auditLog.subjectId, draft.id), eq(auditLog.action, "reveal-number")))).toBe(0);
  });
  test("a number that was not given, and one under a key that is gone", async () => {
    const it = await waiting();
    await db.update(doctors).set({ panSealed: null, panLast4: null }).where(eq(doctors.id, it.id));
    expect(await codeOf(revealNumber(ctx(admin), { doctorId: it.id, number: "pan", reason: "Because." }))).toBe("not-found");
    const moved = await makeCase(db, { key: "another key, another server, 32 chars", hospital: house });
    expect(await codeOf(revealNumber(ctx(admin), { doctorId: moved.id, number: "aadhaar", reason: "Because." }))).toBe("unavailable");
  });
  test("not without end", async () => {
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
    await expect(submitWith(it.numbers.aadhaar)).rejects.toMatchObject({ code: "conflict", sentence: m.verification_taken() });
  };
  const withScan = async (over: Partial<Parameters<typeof makeCase>[1]>) => {
    const it = await approved({ put, ...over });
    const { fileId } = await scanOf(it);
    const stored = (await filesOf(it)).find(({ id }) => id === fileId)!;
    return { it, fileId: stored.id, storageKey: stored.storageKey };
  };

  test("is erased with the approval: number, scan and bytes; a duplicate is still refused", async () => {
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
      sentence: m.reviewer_number_erased({ date: formatDate(todayInIndia(new Date())) }),
    });
    expect(await revealNumber(ctx(admin), { doctorId: it.id, number: "pan", reason: "Because." })).toBe(it.numbers.pan);
    expect(await auditOf(it, "reveal-number")).toBe(1);
    // The same application without the duplicate number is submitted.
    expect(await codeOf(submitWith("812345670123"))).toBe("done");
  });
  test("stays while the case is only sent back", async () => {
    const { it, fileId } = await withScan({});
    await decideAsAdmin(ctx(admin), decision(it, "send-back", ["ask-again", "matches", "matches", "matches"]));
    expect((await rowOf(it)).aadhaarErasedAt).toBeNull();
    expect((await scanOf(it)).fileId).toBe(fileId);
    expect(await revealNumber(ctx(admin), { doctorId: it.id, number: "aadhaar", reason: "Because." })).toBe(it.numbers.aadhaar);
  });
  test("is erased by the job for doctors approved before, also suspended ones, once; open cases stay", async () => {
    const { it, fileId, storageKey } = await withScan({ status: "verified" });
    const suspended = await withScan({ status: "suspended" });
    const open = await withScan({});
    await db.delete(sealingProgress);
    await sealExisting(ctx());
    await isErased(it, fileId, storageKey);
    await isErased(suspended.it, suspended.fileId, suspended.storageKey);
    expect(await onlyEntry(it)).toMatchObject({ actorId: null, actorRole: "system" });
    const erasedAt = (await rowOf(it)).aadhaarErasedAt;
    // An open case keeps its number, under the hash that outlives a rotation.
    expect(await rowOf(open.it)).toMatchObject({ aadhaarErasedAt: null, aadhaarMac: await identityHash(db, open.it.numbers.aadhaar) });
    expect((await scanOf(open.it)).fileId).toBe(open.fileId);
    await expect(submitWith(open.it.numbers.aadhaar)).rejects.toMatchObject({ code: "conflict" });
    await db.delete(sealingProgress);
    await sealExisting(ctx(null, new Date(Date.now() + 60_000)));
    expect((await rowOf(it)).aadhaarErasedAt).toEqual(erasedAt);
    await onlyEntry(it);
  });
  test("a number hashed before the job refuses a duplicate too", async () => {
    const it = await waiting();
    expect((await rowOf(it)).aadhaarMac).not.toMatch(/^k1/);
    await expect(submitWith(it.numbers.aadhaar)).rejects.toMatchObject({ code: "conflict", sentence: m.verification_taken() });
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
  test("a reviewer's queue holds their own hospitals' doctors only, oldest first", async () => {
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
  test("a case is read by those who decide, and each reading is in the log", async () => {
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
  test("a document's file opens for the doctor, their reviewers and administrators, and each opening is in the log", async () => {
    const { storage } = ctx().integrations;
    const it = await waiting({ put: (name, bytes) => storage.put(name, bytes, "image/jpeg") });
    const [document] = it.documents;
    for (const who of [it.actor, reviewer, admin] as Actor[])
      expect(Buffer.from((await openFile(ctx(who), document!.fileId)).bytes).toString()).toBe("picture of profileImage");
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

describe("an administrator's decision begins with nothing", () => {
  test("shows the hospital's decisions beside documents that are undecided", async () => {
    const it = await waiting();
    await decideForHospital(ctx(reviewer), decision(it, "approve"));
    const file = await readCase(ctx(admin), it.id);
    for (const document of file.documents)
      expect(document).toMatchObject({
        decision: "undecided",
        version: "",
        decidedBy: null,
        hospitalDecidedAt: expect.any(Date),
        opened: false,
      });
    expect(file.documents[0]?.hospitalDecidedBy).toMatch(/^Reviewer/);
  });
  test("refuses to approve while this administrator has not opened a document, and stores nothing", async () => {
    const colleague = await makeAdmin(db);
    const it = await approved({ openedBy: [colleague.userId] });
    const before = await db.select().from(doctorDocuments).where(eq(doctorDocuments.doctorId, it.id));
    await expect(decideAsAdmin(ctx(admin), decision(it, "approve"))).rejects.toMatchObject({
      code: "invalid",
      fields: Object.fromEntries(it.documents.map((_, i) => [`documents[${i}].decision`, ["Open this document first."]])),
    });
    await openDocuments(db, admin.userId, it.documents.slice(1));
    await expect(decideAsAdmin(ctx(admin), decision(it, "approve"))).rejects.toMatchObject({
      fields: { "documents[0].decision": ["Open this document first."] },
    });
    expect(await db.select().from(doctorDocuments).where(eq(doctorDocuments.doctorId, it.id))).toEqual(before);
    expect(await statusOf(it)).toBe("pending admin approval");
    await openDocuments(db, admin.userId, it.documents.slice(0, 1));
    expect(await codeOf(decideAsAdmin(ctx(admin), decision(it, "approve")))).toBe("done");
  });
  test("refuses a form that was filled in about another doctor", async () => {
    const [it, another] = [await approved(), await approved()];
    expect(await codeOf(decideAsAdmin(ctx(admin), decision(it, "approve", undefined, { case: another.id })))).toBe("conflict");
    expect(await statusOf(it)).toBe("pending admin approval");
  });
});

describe("a case that was submitted again", () => {
  const again = async (it: TestCase) => {
    await db.update(doctors).set({ registrationStatus: "draft" }).where(eq(doctors.id, it.id));
  };
  test("a refused decision stores nothing", async () => {
    const it = await waiting();
    const before = await db.select().from(doctorDocuments).where(eq(doctorDocuments.doctorId, it.id));
    const stale = { ...decision(it, "send-back", ["ask-again", "matches", "matches", "matches"]), seen: "another" };
    expect(await codeOf(decideForHospital(ctx(reviewer), stale))).toBe("conflict");
    expect(await codeOf(decideForHospital(ctx(stranger), decision(it, "approve")))).toBe("not-found");
    expect(await db.select().from(doctorDocuments).where(eq(doctorDocuments.doctorId, it.id))).toEqual(before);
  });
  test("stays in the list of cases sent back while the doctor corrects it", async () => {
    const it = await waiting({ name: "Dr. Corrects It" });
    await decideForHospital(ctx(reviewer), decision(it, "send-back", ["ask-again", "matches", "matches", "matches"]));
    const listed = async () =>
      (await listReviewerCases(ctx(reviewer), { tab: "sent-back", search: "Dr. Corrects It", page: 1 })).rows.map((row) => row.id);
    expect(await listed()).toEqual([it.id]);
    await again(it);
    expect(await listed()).toEqual([it.id]);
    expect(await readCase(ctx(reviewer), it.id)).toMatchObject({ status: "draft", documents: [] });
    const never = await waiting({ status: "draft" });
    await expect(readCase(ctx(reviewer), never.id)).rejects.toMatchObject({ code: "not-found" });
  });
});
