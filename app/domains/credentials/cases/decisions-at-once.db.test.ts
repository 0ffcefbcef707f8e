/** Two users who decide on one case at the same time. */
import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { doctorDocuments, notifications } from "#app/db/schema/index.ts";
import { makeAdmin, makeHospital, makeReviewer, type TestCase } from "../../../../tests/factories/cases.ts";
import {
  admin,
  approved,
  codeOf,
  ctx,
  db,
  decision,
  eventsOf,
  house,
  reviewer,
  statusOf,
  waiting,
} from "../../../../tests/setup/case-decisions.ts";
import { refuseHospital } from "../hospitals/refuse-hospital.server.ts";
import { readCase } from "./case-queries.server.ts";
import { decideAsAdmin } from "./decide-as-admin.server.ts";
import { decideDocument } from "./decide-document.server.ts";
import { decideForHospital } from "./decide-for-hospital.server.ts";
import { suspendDoctor } from "./suspend-doctor.server.ts";

describe("two users decide on one case", () => {
  const rowsOf = async (of: TestCase) => {
    const { documents } = await readCase(ctx(reviewer), of.id);
    return documents.map((d) => [d.decision, d.reason, d.decidedById]);
  };
  /** Returns the decision as a page that is opened now would post it. */
  const fresh = async (of: TestCase) => {
    const { documents } = await readCase(ctx(reviewer), of.id);
    return { ...of, documents };
  };
  let second: typeof reviewer;
  beforeAll(async () => {
    second = await makeReviewer(db, house);
  });

  test("refuses a decision on a document that changed since it was read, shows the other decision, and accepts the next attempt", async () => {
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
            `${changed!.decidedBy} chose “Ask again” here in the meantime: Send the profileImage again. Check again. We kept your choice: press the button again to save it.`,
          ],
        },
        detail: { versions: { [changed!.id]: changed!.version } },
      });
    expect(await rowsOf(it)).toEqual(before);
    expect(await statusOf(it)).toBe("under review by hospital");
    await decideForHospital(ctx(reviewer), decision(await fresh(it), "save"));
    expect((await rowsOf(it)).map(([wish]) => wish)).toEqual(Array(4).fill("matches"));
  });
  test("preserves the other user's decision on unchanged documents, and does not decide the case over it", async () => {
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
  test("accepts the same decision twice, and one's own decision from another window", async () => {
    const it = await waiting();
    await decideForHospital(ctx(second), decision(it, "save", ["matches", "ask-again", undefined, undefined]));
    await decideForHospital(ctx(reviewer), decision(it, "save", ["matches", "ask-again", undefined, undefined]));
    expect((await rowsOf(it)).map(([, , by]) => by)).toEqual([second.userId, second.userId, null, null]);
    await decideForHospital(ctx(second), decision(it, "save", ["ask-again", "matches", undefined, undefined]));
    expect((await rowsOf(it)).map(([wish]) => wish)).toEqual(["ask-again", "matches", "undecided", "undecided"]);
  });
  test("refuses it on the page of a document too, and between two administrators", async () => {
    const it = await waiting();
    const wish = { id: it.documents[0]!.id, seen: it.seen, version: "" };
    await decideDocument(ctx(second), { ...wish, decision: "ask-again", reason: "Blurred." });
    await expect(decideDocument(ctx(reviewer), { ...wish, decision: "matches" })).rejects.toMatchObject({
      code: "conflict",
      fields: { decision: [expect.stringContaining("chose “Ask again” here in the meantime: Blurred.")] },
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
  test("two different decisions at once: one is stored, the other is refused", async () => {
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
  test("the same request eight times has one effect", async () => {
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
      // The documents have the decisions of the accepted request.
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
  test("approving while an administrator refuses the hospital leaves no case with a refused hospital", async () => {
    for (let round = 0; round < 5; round++) {
      const pending = await makeHospital(db, { status: "pending" });
      const itsReviewer = await makeReviewer(db, pending);
      const it = await waiting({ hospital: pending, openedBy: [itsReviewer.userId] });
      const done = await outcome([
        decideForHospital(ctx(itsReviewer), decision(it, "approve")),
        refuseHospital(ctx(admin), { id: pending.id, reason: "It is a shop." }),
      ]);
      expect(done).toContain("done");
      expect(await statusOf(it)).toBe("rejected");
      expect((await eventsOf(it)).at(-1)).toMatchObject({ action: "return", toStatus: "rejected" });
    }
  });
  test("a reviewer and an administrator decide only in their turn", async () => {
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
