import { and, eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { doctorDocuments, doctors, notifications, verificationEvents } from "#app/db/schema/index.ts";
import type { Actor } from "#app/domains/context.server.ts";
import { listDoctors } from "#app/domains/directory/doctors/queries.server.ts";
import { makeAdmin, makeCase, makeHospital, openDocuments, type TestCase } from "../../../../tests/factories/cases.ts";
import { makePatient } from "../../../../tests/factories/people.ts";
import {
  admin,
  approved,
  auditOf,
  codeOf,
  ctx,
  db,
  decision,
  eventsOf,
  house,
  key,
  reviewer,
  statusOf,
  stranger,
  waiting,
} from "../../../../tests/setup/case-decisions.ts";
import { listReviewerCases, readCase } from "./case-queries.server.ts";
import { decideAsAdmin } from "./decide-as-admin.server.ts";
import { decideDocument } from "./decide-document.server.ts";
import { decideForHospital } from "./decide-for-hospital.server.ts";
import { getDocument } from "./documents-of-case.server.ts";

describe("for the hospital", () => {
  test("approving records the reviewer and time, moves the case on and notifies doctor and administrators", async () => {
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
    const notified = await db.select().from(notifications).where(eq(notifications.userId, it.id));
    expect(notified.map((n) => n.kind)).toEqual(["doctor-hospital-approved"]);
    const admins = await db
      .select()
      .from(notifications)
      .where(and(eq(notifications.userId, admin.userId), eq(notifications.targetPath, `/admin/doctors/${it.id}`)));
    expect(admins.map((n) => n.kind)).toEqual(["case-waiting"]);
  });
  test("sends back with the reasons unchanged", async () => {
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
    const [notified] = await db.select().from(notifications).where(eq(notifications.userId, it.id));
    expect(notified?.params.note).toBe("Identity document, Aadhaar: Send the identityDocument again.\nIn daylight, please.");
    const rows = await db.select().from(doctorDocuments).where(eq(doctorDocuments.doctorId, it.id));
    expect(Object.fromEntries(rows.map((r) => [r.kind, r.decision]))).toEqual({
      profileImage: "matches",
      identityDocument: "ask-again",
      medicalCouncilCertificate: "matches",
      qualificationCertificates: "undecided",
    });
  });
  test("saves decisions for later without a change of status", async () => {
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
  test("refuses reviewers of other hospitals, the doctor, patients and administrators", async () => {
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
  test("refuses to approve before this reviewer has opened every document, and stores nothing", async () => {
    const it = await waiting({ openedBy: [stranger.userId] });
    await openDocuments(db, reviewer.userId, it.documents.slice(1));
    await expect(decideForHospital(ctx(reviewer), decision(it, "approve"))).rejects.toMatchObject({
      code: "invalid",
      fields: { "documents[0].decision": ["Open this document first."] },
    });
    expect(await db.$count(doctorDocuments, and(eq(doctorDocuments.doctorId, it.id), eq(doctorDocuments.decision, "matches")))).toBe(0);
    expect(await statusOf(it)).toBe("under review by hospital");
    await openDocuments(db, reviewer.userId, it.documents.slice(0, 1));
    expect(await codeOf(decideForHospital(ctx(reviewer), decision(it, "approve")))).toBe("done");
  });
  test("refuses a doctor who reviews under another account with the same phone", async () => {
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
  test("refuses the documents of another case, a missing document, a duplicate and an empty list", async () => {
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
  test("refuses to approve a case without documents", async () => {
    const it = await waiting();
    await db.delete(doctorDocuments).where(eq(doctorDocuments.doctorId, it.id));
    expect(await codeOf(decideForHospital(ctx(reviewer), { ...decision(it, "approve"), documents: [] }))).toBe("invalid");
  });
  test("refuses a decision on an application that was submitted again since", async () => {
    const it = await waiting();
    await db.update(doctors).set({ submittedAt: new Date() }).where(eq(doctors.id, it.id));
    expect(await codeOf(decideForHospital(ctx(reviewer), decision(it, "approve")))).toBe("conflict");
    expect(await statusOf(it)).toBe("under review by hospital");
  });
  test("refuses a decision after the status changed, and returns the current status", async () => {
    const it = await approved();
    const late = decideForHospital(ctx(reviewer), decision(it, "send-back", ["ask-again", "matches", "matches", "matches"]));
    await expect(late).rejects.toMatchObject({
      code: "conflict",
      sentence: "The status of this application has changed to: Pending admin approval.",
    });
    expect(await db.$count(doctorDocuments, and(eq(doctorDocuments.doctorId, it.id), eq(doctorDocuments.decision, "ask-again")))).toBe(0);
  });
});

describe("as the administrator", () => {
  test("approving verifies, lists and notifies the doctor", async () => {
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
  test("refuses the user who approved for the hospital, also under another account", async () => {
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
  test("counts only the approval of the current submission", async () => {
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
  test("refuses the administrator's own case", async () => {
    const it = await approved();
    await db.execute(`update users set phone = '${it.phone}' where id = '${admin.userId}'`);
    try {
      expect(await codeOf(decideAsAdmin(ctx(admin), decision(it, "approve")))).toBe("forbidden");
    } finally {
      await db.execute(`update users set phone = '${admin.phone}' where id = '${admin.userId}'`);
    }
  });
  test("refuses to approve while the hospital is not confirmed, and allows sending back", async () => {
    const pending = await makeHospital(db, { status: "pending" });
    const it = await approved({ hospital: pending });
    await expect(decideAsAdmin(ctx(admin), decision(it, "approve"))).rejects.toMatchObject({ code: "conflict" });
    expect(
      await codeOf(decideAsAdmin(ctx(admin), decision(it, "send-back", ["matches", "matches", "matches", "matches"], { note: "No." }))),
    ).toBe("done");
  });
  test("refuses every other role", async () => {
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

describe("one document on its own page", () => {
  test("saves the decision of the reviewer or administrator whose turn it is", async () => {
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
  test("links to its neighbours, for users who may read the case only", async () => {
    const it = await waiting();
    const found = await getDocument(ctx(reviewer), it.documents[1]!.id);
    expect([found.place, found.previous?.id, found.next?.id]).toEqual([{ at: 2, of: 4 }, it.documents[0]!.id, it.documents[2]!.id]);
    expect((await getDocument(ctx(admin), it.documents[3]!.id)).next).toBeNull();
    expect((await getDocument(ctx(it.actor), it.documents[0]!.id)).document.kind).toBe("profileImage");
    for (const who of [stranger, (await waiting()).actor, (await makePatient(db)).actor] as Actor[])
      expect(await codeOf(getDocument(ctx(who), it.documents[0]!.id))).toBe("not-found");
  });
  test("belongs to the doctor while it is a draft, and an older one of the same kind no longer counts", async () => {
    const draft = await makeCase(db, { key: key(), status: "draft", hospital: house });
    expect(await codeOf(getDocument(ctx(reviewer), draft.documents[0]!.id))).toBe("not-found");
    expect(await codeOf(getDocument(ctx(admin), draft.documents[0]!.id))).toBe("not-found");
    expect(await codeOf(getDocument(ctx(draft.actor), draft.documents[0]!.id))).toBe("done");
  });
});

describe("an administrator's decision starts empty", () => {
  test("shows the hospital's decisions beside undecided documents", async () => {
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
  test("refuses to approve before this administrator has opened every document, and stores nothing", async () => {
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
  test("refuses a form that was filled in for another doctor", async () => {
    const [it, another] = [await approved(), await approved()];
    expect(await codeOf(decideAsAdmin(ctx(admin), decision(it, "approve", undefined, { case: another.id })))).toBe("conflict");
    expect(await statusOf(it)).toBe("pending admin approval");
  });
});

describe("a case that was submitted again", () => {
  const again = async (it: TestCase) => {
    await db.update(doctors).set({ registrationStatus: "draft" }).where(eq(doctors.id, it.id));
  };
  test("stores nothing when a decision is refused", async () => {
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
