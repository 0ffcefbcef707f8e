/** The reviewer pages over HTTP, without JavaScript, and what other roles get. */
import { describe, expect, it } from "vitest";
import { readable, valuesOf } from "../factories/booking.ts";
import { decisionFields, makeHospital, makeReviewer, type TestCase } from "../factories/cases.ts";
import type { Browser } from "../setup/http.ts";
import { ownNow } from "../setup/own-day.ts";
import { loginAs } from "../setup/people.ts";
import { admin, at, colleague, dataUrl, house, noNumbers, reviewer, server, statusOf, waiting, wrong } from "../setup/reviewer.ts";

describe("many cases, two reviewers", () => {
  it("leads from one case to the next, from the last to the first, and shows who else has it open", async () => {
    const ward = await makeHospital(server.db, { name: "Ward Of Three" });
    const [a, b] = [await makeReviewer(server.db, ward), await makeReviewer(server.db, ward)];
    const [one, two] = [await loginAs(server, a), await loginAs(server, b)];
    const [first, second, last] = await Promise.all(
      [9, 8, 7].map((days) =>
        waiting({ hospital: ward, openedBy: [one.userId], submittedAt: new Date(ownNow().getTime() - days * 86_400_000) }),
      ),
    );
    const next = async (of: TestCase) => /href="([^"]*)"[^>]*>(?:<[^>]*>)*Next application/.exec((await one.get(at(of))).text)?.[1];
    expect([await next(first!), await next(second!), await next(last!)]).toEqual([at(second!), at(last!), at(first!)]);
    expect(readable((await one.get(at(first!))).text)).toContain("Other applications waiting: 2");
    expect(readable((await one.get(at(first!))).text)).not.toContain("Also viewing");
    expect(readable((await two.get(at(first!))).text)).toMatch(/Also viewing this application now: Reviewer \d+\. Agree on who decides\./);

    // A colleague has the second one open: the first leads to the last, and to the second only because no other is left.
    await two.get(at(second!));
    expect((await one.post(at(first!), decisionFields(first!, "approve", ["matches"]))).location).toBe(at(last!));
    expect((await one.post(at(last!), decisionFields(last!, "send-back", [["Blurred."]]))).location).toBe(at(second!));
    expect((await one.post(at(second!), decisionFields(second!, "approve", ["matches"]))).location).toBe("/reviewer");
    expect((await one.get(at(last!))).text).toContain('href="/reviewer?tab=sent-back"');
    const done = readable((await one.get(at(first!))).text);
    expect(done).toContain("Approved by mistake? Contact an administrator. They decide next and can send the application back.");
    expect(done).not.toContain("Also viewing");
  });
});

describe("two reviewers on one document", () => {
  it("refuses the later one with the other's decisions, preserves the input, and accepts the next decision", async () => {
    const it = await waiting();
    const post = (of: Record<string, string>, more: Record<string, string>) => reviewer.post(at(it), { ...of, ...more });
    const opened = valuesOf((await reviewer.get(at(it))).text);
    await colleague.post(at(it), decisionFields(it, "save", [["Hidden by a finger."], "matches", "matches", "matches"]));

    const late = await post(opened, {
      intent: "approve",
      note: "A note that stays.",
      ...Object.fromEntries([0, 1, 2, 3].map((i) => [`documents[${i}].decision`, "matches"])),
    });
    expect(late.status).toBe(409);
    expect(readable(late.text)).toMatch(
      /Reviewer \d+ chose “Ask again” here in the meantime: Hidden by a finger\. Check again\. We kept your choice: press the button again to save it\./,
    );
    const shown = valuesOf(late.text);
    expect(shown).toMatchObject({ note: "A note that stays.", "documents[0].decision": "matches", "documents[3].decision": "matches" });
    expect(shown["documents[0].version"]).not.toBe(opened["documents[0].version"]);
    const decisions = await server.sql`select decision from doctor_documents where doctor_id = ${it.id} and decision = 'ask-again'`;
    expect([decisions.length, await statusOf(it)]).toEqual([1, "under review by hospital"]);

    expect((await post(shown, { intent: "approve" })).status).toBe(303);
    expect(await statusOf(it)).toBe("pending admin approval");
  });
  it("on the document's page too", async () => {
    const it = await waiting();
    const path = `/documents/${it.documents[1]!.id}`;
    const opened = valuesOf((await reviewer.get(path)).text);
    await colleague.post(path, { ...opened, decision: "matches" });
    const late = await reviewer.post(path, { ...opened, decision: "ask-again", reason: "A document is missing." });
    expect([late.status, readable(late.text)]).toEqual([409, expect.stringMatching(/Reviewer \d+ chose “Matches” here in the meantime\./)]);
    const shown = valuesOf(late.text);
    // The input is preserved. A decision needs a press, and pressing again counts.
    expect(shown).toMatchObject({ reason: "A document is missing." });
    expect((await reviewer.post(path, { ...shown, decision: "ask-again" })).status).toBe(303);
  });
});

describe("the queue", () => {
  it("shows the hospital's doctors by status, the oldest first, with their age", async () => {
    const quiet = await makeHospital(server.db, { name: "Quiet Hospital" });
    const its = await loginAs(server, await makeReviewer(server.db, quiet));
    expect(readable((await its.get("/reviewer")).text)).toContain("No applications waiting for you");
    await waiting({ hospital: quiet, name: "Dr. Second Inline", submittedAt: new Date(ownNow().getTime() - 5 * 3_600_000 - 60_000) });
    await waiting({ hospital: quiet, name: "Dr. First Inline", submittedAt: new Date(ownNow().getTime() - 3 * 86_400_000 - 60_000) });
    await waiting({ hospital: quiet, name: "Dr. Sent Back", status: "rejected" });
    await waiting({ hospital: quiet, name: "Dr. Still Writing", status: "draft" });
    await waiting({ name: "Dr. Of Another House" });
    const page = readable((await its.get("/reviewer")).text);
    expect(page).toMatch(/Dr\. First Inline.*Waiting|Dr\. First Inline.*3 days.*Dr\. Second Inline.*5 hours/);
    expect(page.indexOf("Dr. First Inline")).toBeLessThan(page.indexOf("Dr. Second Inline"));
    for (const other of ["Sent Back", "Still Writing", "Another House"]) expect(page).not.toContain(`Dr. ${other}`);
    expect(readable((await its.get("/reviewer?tab=sent-back")).text)).toContain("Dr. Sent Back");
    expect(readable((await its.get("/reviewer?q=second")).text)).not.toContain("Dr. First Inline");
    const elsewhere = readable((await its.get("/reviewer?q=sent")).text);
    expect(elsewhere).toContain("No doctors found Other tabs have results");
    expect(elsewhere).toMatch(/Waiting 0 Approved 0 Sent back 1/);
    expect(readable((await its.get("/reviewer?q=no-such-name")).text)).toContain("No doctors found Try another name");
    for (const odd of ["?tab=nonsense&page=-3", "?page=999999999999&q=%25_", `?q=${"x".repeat(3000)}`])
      expect((await its.follow(await its.get(`/reviewer${odd}`))).status, odd).toBe(200);
  });
  it("has further pages", async () => {
    const busy = await makeHospital(server.db);
    const its = await loginAs(server, await makeReviewer(server.db, busy));
    for (let i = 0; i < 21; i++) await waiting({ hospital: busy, name: `Dr. Number ${String(i).padStart(2, "0")}` });
    const first = await its.get("/reviewer");
    expect(first.text.match(/href="\/reviewer\/cases\//g)).toHaveLength(20);
    const second = await its.get("/reviewer?tab=waiting&page=2");
    expect(second.text.match(/href="\/reviewer\/cases\//g)).toHaveLength(1);
  });
  it("is empty for a reviewer without a hospital", async () => {
    const lost = await loginAs(server, await makeReviewer(server.db));
    expect(readable((await lost.get("/reviewer")).text)).toContain("You do not review for a hospital yet");
  });
});

describe("a case", () => {
  it("shows the doctor's input and the documents, with masked numbers", async () => {
    const it = await waiting({ name: "Dr. Shown Whole" });
    const answer = await reviewer.get(at(it));
    const page = readable(answer.text);
    for (const word of [
      "Dr. Shown Whole",
      "Andhra Pradesh Medical Council",
      "MBBS, Guntur Medical College, 2010",
      "Proof Bank",
      "PROO0001234",
      "Identity document, Aadhaar",
      `•••• •••• ${it.numbers.aadhaar.slice(-4)}`,
    ])
      expect(page).toContain(word);
    noNumbers(answer, it);
    noNumbers(await reviewer.get(dataUrl(at(it))), it);
    expect(valuesOf(answer.text)).toMatchObject({ seen: it.seen, "documents[0].id": it.documents[0]!.id });
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });
  it("is approved and moves to the administrator", async () => {
    const it = await waiting({ name: "Dr. Goes On" });
    const answer = await reviewer.post(at(it), decisionFields(it, "approve", ["matches"]));
    expect([answer.status, answer.location]).toEqual([303, expect.stringMatching(/^\/reviewer/)]);
    expect(answer.location).not.toBe(at(it));
    expect(readable((await reviewer.follow(answer)).text)).toContain(
      "Approved for the hospital. An administrator decides next on Dr. Goes On.",
    );
    expect(await statusOf(it)).toBe("pending admin approval");
    const page = readable((await reviewer.get(at(it))).text);
    expect(page).toContain("Hospital review: approved");
    expect(page).not.toContain("Approve for the hospital");
    expect(readable((await reviewer.get("/reviewer?tab=approved")).text)).toContain("Dr. Goes On");
  });
  it("is sent back with the reasons unchanged, and the doctor gets an email", async () => {
    const it = await waiting({ name: "Dr. Once More" });
    const fields = decisionFields(it, "send-back", ["matches", ["The seal is cut off."], "matches", "matches"], "Please use daylight.");
    expect((await reviewer.post(at(it), fields)).status).toBe(303);
    expect(await statusOf(it)).toBe("rejected");
    await expect
      .poll(async () => (await server.outbox(it.email)).map((l) => l.body).join(), { timeout: 10_000 })
      .toContain("The seal is cut off.");
    expect(readable((await reviewer.get(at(it))).text)).toMatch(/The seal is cut off\..*Please use daylight\./);
  });
  it("is not approved while a document is undecided or rejected: the input is preserved, each error is beside its document", async () => {
    const it = await waiting();
    const fields = decisionFields(it, "approve", ["matches", ["Blurred at the edge."], "matches", "matches"], "A note that stays.");
    delete fields["documents[3].decision"];
    const answer = await reviewer.post(at(it), fields);
    expect(answer.status).toBe(400);
    const page = readable(answer.text);
    expect(page).toContain("This document is not accepted. Send the application back, or choose Matches.");
    expect(page).toContain("Choose Matches or Ask again for this document.");
    expect(page).toContain("Documents: 4, to ask again: 1, to decide: 1");
    expect(valuesOf(answer.text)).toMatchObject({
      "documents[0].decision": "matches",
      "documents[1].decision": "ask-again",
      "documents[1].reason": "Blurred at the edge.",
      note: "A note that stays.",
    });
    expect(await statusOf(it)).toBe("under review by hospital");
  });
  it("needs a note to be sent back, and a reason for each rejected document", async () => {
    const it = await waiting();
    const silent = await reviewer.post(at(it), decisionFields(it, "send-back", ["matches"]));
    expect([silent.status, readable(silent.text)]).toEqual([
      400,
      expect.stringContaining("Write a reason next to a document, or a note for the doctor."),
    ]);
    const bare = await reviewer.post(at(it), decisionFields(it, "send-back", ["matches", [""], "matches", "matches"], "A note."));
    expect([bare.status, readable(bare.text)]).toEqual([400, expect.stringContaining("Write what the doctor should send instead.")]);
    expect(await statusOf(it)).toBe("under review by hospital");
    expect((await reviewer.post(at(it), decisionFields(it, "send-back", ["matches"], "Only a note."))).status).toBe(303);
  });
  it("stores decisions for later", async () => {
    const it = await waiting();
    const fields = decisionFields(it, "save", ["matches", ["Cut off."]]);
    for (const i of [2, 3]) delete fields[`documents[${i}].decision`];
    const answer = await reviewer.post(at(it), fields);
    expect([answer.status, answer.location]).toEqual([303, at(it)]);
    const values = valuesOf((await colleague.get(at(it))).text);
    expect(values).toMatchObject({
      "documents[0].decision": "matches",
      "documents[1].decision": "ask-again",
      "documents[1].reason": "Cut off.",
    });
    expect(values["documents[2].decision"]).toBeUndefined();
  });
  it("that changed meanwhile refuses the decision and shows the current status", async () => {
    const it = await waiting();
    await colleague.post(at(it), decisionFields(it, "approve", ["matches"]));
    const late = await reviewer.post(at(it), decisionFields(it, "send-back", [["Too late."]]));
    expect(late.status).toBe(409);
    const page = readable(late.text);
    expect(page).toContain("The status of this application has changed to: Pending admin approval.");
    expect(page).not.toContain("Send back with reasons");
    expect(
      (await server.sql`select count(*)::int n from doctor_documents where doctor_id = ${it.id} and decision = 'ask-again'`)[0]?.n,
    ).toBe(0);
  });
  it("has one effect when sent eight times at once", async () => {
    const it = await waiting();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) => (i % 2 ? reviewer : colleague).post(at(it), decisionFields(it, "approve", ["matches"]))),
    );
    expect(answers.map((a) => a.status).sort()).toEqual([303, ...Array(7).fill(409)]);
    expect(
      (await server.sql`select count(*)::int n from verification_events where doctor_id = ${it.id} and action = 'hospital-approve'`)[0]?.n,
    ).toBe(1);
  });
  it("refuses malformed input with a client error", async () => {
    const it = await waiting();
    const good = decisionFields(it, "approve", ["matches"]);
    for (const bad of [
      {},
      { intent: "approve" },
      { ...good, intent: "verify" },
      { ...good, "documents[0].id": "nonsense" },
      { ...good, "documents[0].id": crypto.randomUUID() },
      { ...good, "documents[0].decision": "undecided" },
      { ...good, seen: "yesterday" },
      { ...good, note: "x".repeat(1001) },
      { ...decisionFields(it, "send-back", [["x".repeat(501)]]) },
    ] as Record<string, string>[]) {
      const answer = await reviewer.post(at(it), bad);
      expect([400, 409], JSON.stringify(bad).slice(0, 120)).toContain(answer.status);
    }
    expect(
      (await reviewer.send("POST", at(it), { body: "not a form", headers: { "content-type": "application/x-www-form-urlencoded" } }))
        .status,
    ).toBe(400);
    expect(await statusOf(it)).toBe("under review by hospital");
    for (const odd of ["documents[99].decision", "documents[1e9].id", "documents[__proto__].decision", "__proto__.intent", "documents"])
      expect((await reviewer.post(at(await waiting()), { ...good, [odd]: "matches" })).status, odd).toBeLessThan(500);
  });
});

describe("other users", () => {
  /** Returns everything that refused requests must not change. */
  const state = async () =>
    (
      await server.sql`select md5(string_agg(t, '|' order by t)) as sum from (
        select to_json(d)::text t from doctors d union all select to_json(x)::text from doctor_documents x
        union all select to_json(e)::text from verification_events e union all select to_json(h)::text from hospital_reviewers h
        union all select id::text from audit_log where action in ('reveal-number', 'read-case', 'read-document')) rows`
    )[0]?.sum;
  const SECRET = "Dr. Nobodys Business";

  it("get nothing of a case: no page, data, document, file or post", async () => {
    const it = await waiting({ name: SECRET });
    const draft = await waiting({ name: `${SECRET} Draft`, status: "draft" });
    const before = await state();
    for (const [name, browser] of Object.entries({ ...wrong, "reviewer of a draft": reviewer as Browser })) {
      const of = name === "reviewer of a draft" ? draft : it;
      const [document] = of.documents;
      for (const path of [at(of), `${at(of)}/reveal/aadhaar`, `/documents/${document!.id}`, `/files/${document!.fileId}`]) {
        for (const address of [path, dataUrl(path), `${dataUrl(path)}?_routes=routes%2Freviewer%2Fcase`]) {
          const answer = await browser.get(address);
          expect(answer.text, `${name} ${address}`).not.toContain(SECRET);
          expect(answer.headers.get("content-type") ?? "", address).not.toContain("image/");
          // A data request for a route that is not in this URL returns an empty response.
          if (address.includes("_routes") && answer.status === 200) continue;
          const hidden = answer.status === 404 || answer.status === 303 || answer.status === 202;
          expect(hidden, `${name} ${address} ${answer.status}`).toBe(true);
          if (name === "stranger" || name === "reviewer of a draft") expect(answer.status, `${name} ${address}`).toBe(404);
        }
        if (path.startsWith("/files")) continue;
        for (const address of [path, dataUrl(path)])
          for (const fields of [
            decisionFields(of, "approve", ["matches"]),
            { seen: of.seen, decision: "matches" },
            { reason: "I am curious." },
          ]) {
            const answer = await browser.post(address, fields);
            expect(answer.text, `POST ${name} ${address}`).not.toContain(SECRET);
            expect([202, 303, 400, 403, 404, 409], `POST ${name} ${address}`).toContain(answer.status);
            noNumbers(answer, of);
          }
      }
    }
    expect(await state()).toBe(before);
  });
  it("get the same response for another user's case and an unknown one", async () => {
    const it = await waiting({ name: SECRET });
    const unknown = crypto.randomUUID();
    for (const path of [at(it), `/documents/${it.documents[0]!.id}`]) {
      const other = path.replace(/[0-9a-f-]{36}/, unknown);
      const [theirs, missing] = [await wrong.stranger!.get(path), await wrong.stranger!.get(other)];
      expect([theirs.status, readable(theirs.text)]).toEqual([missing.status, readable(missing.text)]);
    }
    for (const id of ["1", "nonsense", "%27%20or%201=1", "..%2f..%2fetc"]) {
      expect((await reviewer.get(`/reviewer/cases/${id}`)).status, id).toBe(404);
      expect((await reviewer.get(`/documents/${id}`)).status, id).toBe(404);
      expect((await reviewer.post(`/reviewer/cases/${id}`, decisionFields(it, "approve", ["matches"]))).status, id).toBe(404);
    }
  });
  it("lose access with the end of their assignment to the hospital", async () => {
    const it = await waiting();
    const gone = await loginAs(server, await makeReviewer(server.db, house));
    expect((await gone.get(at(it))).status).toBe(200);
    await server.sql`delete from hospital_reviewers where user_id = ${gone.userId}`;
    for (const path of [at(it), `/documents/${it.documents[0]!.id}`, `/files/${it.documents[0]!.fileId}`])
      expect((await gone.get(path)).status, path).toBe(404);
    expect((await gone.post(at(it), decisionFields(it, "approve", ["matches"]))).status).toBe(404);
  });
  it("an administrator reads the documents, and each read is logged", async () => {
    const it = await waiting({ openedBy: [] });
    expect((await admin.get(`/documents/${it.documents[2]!.id}`)).status).toBe(200);
    expect((await admin.get(`/files/${it.documents[2]!.fileId}`)).status).toBe(200);
    const rows =
      await server.sql`select actor_id, person_id from audit_log where action = 'read-document' and subject_id = ${it.documents[2]!.fileId}`;
    expect(rows).toMatchObject([{ actor_id: admin.userId, person_id: it.id }]);
  });
});
