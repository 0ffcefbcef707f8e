/** Numbers and documents of a case on the reviewer pages over HTTP. */
import { describe, expect, it } from "vitest";
import { formatDate } from "#app/lib/dates.ts";
import { readable, valuesOf } from "../factories/booking.ts";
import { decisionFields } from "../factories/cases.ts";
import { dayFromNow } from "../factories/people.ts";
import { type Answer, Browser } from "../setup/http.ts";
import { loginAs } from "../setup/people.ts";
import { admin, at, noNumbers, reviewer, server, waiting } from "../setup/reviewer.ts";

describe("numbers in full", () => {
  it("are shown once, in the response to a post with a reason, and logged", async () => {
    const it = await waiting();
    for (const number of ["aadhaar", "pan", "account"] as const) {
      const path = `${at(it)}/reveal/${number}`;
      noNumbers(await reviewer.get(path), it);
      for (const reason of ["", "   ", "x"]) {
        const refused = await reviewer.post(path, { reason });
        expect(refused.status).toBe(400);
        noNumbers(refused, it);
      }
      const shown = await reviewer.post(path, { reason: "Compare with the card." });
      expect([shown.status, shown.location, shown.headers.get("cache-control")]).toEqual([200, null, "no-store"]);
      expect(shown.text).toContain(it.numbers[number]);
      expect(shown.setCookies.join()).not.toContain(it.numbers[number]);
      noNumbers(await reviewer.get(path), it);
      noNumbers(await reviewer.get(at(it)), it);
    }
    const rows = await server.sql`select details from audit_log where action = 'reveal-number' and subject_id = ${it.id} order by id`;
    expect(rows.map((r) => r.details)).toEqual(
      ["aadhaar", "pan", "account"].map((number) => ({ number, reason: "Compare with the card." })),
    );
    for (const number of Object.values(it.numbers)) expect(server.output()).not.toContain(number);
    expect((await reviewer.get(`${at(it)}/reveal/password`)).status).toBe(404);
    expect((await reviewer.post(`${at(it)}/reveal/password`, { reason: "Because of it." })).status).toBe(404);
  });
});

describe("an erased identity", () => {
  /** A case that the administrator has approved over HTTP. */
  async function approvedCase() {
    const it = await waiting({
      status: "pending admin approval",
      decided: "matches",
      openedBy: [admin.userId],
      name: "Dr. Erased Identity",
    });
    const doctor = await loginAs(server, { role: "doctor", email: it.email });
    const answer = await admin.post(`/admin/doctors/${it.id}`, decisionFields(it, "approve", ["matches"]));
    expect(answer.status).toBe(303);
    return { it, doctor };
  }
  it("shows the date in place of the number and the scan on case, reveal and document pages, in three languages", async () => {
    const { it } = await approvedCase();
    const today = formatDate(dayFromNow(0));
    const masked = `•••• •••• ${it.numbers.aadhaar.slice(-4)}`;
    const scan = it.documents[1]!;
    expect((await admin.get(`/files/${scan.fileId}`)).status).toBe(404);
    for (const [browser, base] of [
      [admin, `/admin/doctors/${it.id}`],
      [reviewer, at(it)],
    ] as const) {
      const page = await browser.get(base);
      expect(readable(page.text)).toContain(`${masked} Erased on ${today}`);
      expect(page.text).not.toContain("/reveal/aadhaar");
      expect(page.text).toContain("/reveal/pan");
      expect(page.text).not.toContain(`/documents/${scan.id}`);
      const reveal = await browser.get(`${base}/reveal/aadhaar`);
      expect(reveal.status).toBe(200);
      expect(readable(reveal.text)).toContain(`We erased this number on ${today} and kept only its last four digits.`);
      expect(reveal.text).not.toContain('name="reason"');
      const posted = await browser.post(`${base}/reveal/aadhaar`, { reason: "Compare with the card." });
      expect([posted.status, readable(posted.text).includes(`We erased this number on ${today}`)]).toEqual([409, true]);
      const document = await browser.get(`/documents/${scan.id}`);
      expect(document.status).toBe(200);
      expect(readable(document.text)).toContain(`We erased this scan on ${today}`);
      expect(document.text).not.toContain("<img");
      for (const answer of [page, reveal, posted, document]) noNumbers(answer, it);
    }
    for (const [language, words] of [
      ["te", "చివరి నాలుగు అంకెలు మాత్రమే ఉంచాం"],
      ["hi", "सिर्फ़ आख़िरी चार अंक रखे हैं"],
    ] as const) {
      const one = new Browser(server.url);
      for (const [name, value] of admin.cookies) one.cookies.set(name, value);
      one.cookies.set("lang", language);
      expect(readable((await one.get(`/admin/doctors/${it.id}/reveal/aadhaar`)).text)).toContain(words);
    }
  });
  it("is logged with its reason, and the doctor's profile has the masked number and no scan", async () => {
    const { it, doctor } = await approvedCase();
    const log = await admin.get(`/admin/audit?action=erase-identity`);
    expect(readable(log.text)).toContain(
      "The doctor was approved. UIDAI rules and the DPDP Act require us to erase data that is no longer needed.",
    );
    const profile = await doctor.get("/doctor/profile-view");
    expect(readable(profile.text)).toContain(`•••• •••• ${it.numbers.aadhaar.slice(-4)} Erased on`);
    expect(profile.text).not.toContain(it.documents[1]!.fileId);
    expect(profile.text).toContain(`/files/${it.documents[2]!.fileId}`);
    noNumbers(profile, it);
    expect((await doctor.get(`/files/${it.documents[1]!.fileId}`)).status).toBe(404);
  });
});

describe("the viewer", () => {
  it("opens each document with its image, sizes and rotations as links, and the values to compare", async () => {
    const it = await waiting({ name: "Dr. In The Picture" });
    const [first, second, , last] = it.documents;
    const answer = await reviewer.get(`/documents/${second!.id}?zoom=200&turn=90`);
    expect(answer.status).toBe(200);
    for (const piece of [
      `src="/files/${second!.fileId}"`,
      `href="/documents/${second!.id}?zoom=400&amp;turn=90"`,
      `href="/documents/${second!.id}?zoom=200"`,
      `href="/documents/${second!.id}?zoom=200&amp;turn=180"`,
      `href="/documents/${first!.id}"`,
      'tabindex="0"',
    ])
      expect(answer.text, piece).toContain(piece);
    expect(readable(answer.text)).toContain(`•••• •••• ${it.numbers.aadhaar.slice(-4)}`);
    noNumbers(answer, it);
    expect((await reviewer.get(`/documents/${last!.id}`)).text).not.toContain("Next document");
    const file = await reviewer.get(`/files/${second!.fileId}`);
    expect([file.status, file.headers.get("content-type"), file.headers.get("cache-control")]).toEqual([200, "image/jpeg", "no-store"]);
    for (const odd of ["?zoom=1e9&turn=45", "?zoom=__proto__", "?turn=-90"])
      expect((await reviewer.get(`/documents/${second!.id}${odd}`)).status).toBe(200);
  });
  it("stores the decision made beside the image, one after the other", async () => {
    const it = await waiting();
    let answer: Answer | undefined;
    for (const document of it.documents) {
      answer = await reviewer.post(`/documents/${document.id}`, { seen: it.seen, decision: "matches" });
      expect(answer.status).toBe(303);
    }
    expect(answer?.location).toBe(`${at(it)}#decide`);
    const values = valuesOf((await reviewer.get(at(it))).text);
    for (let i = 0; i < 4; i++) expect(values[`documents[${i}].decision`]).toBe("matches");
    const bare = await reviewer.post(`/documents/${it.documents[0]!.id}`, { seen: it.seen, decision: "ask-again" });
    expect([bare.status, readable(bare.text)]).toEqual([400, expect.stringContaining("Write what the doctor should send instead.")]);
  });
  it("shows doctors their own documents, without decisions", async () => {
    const it = await waiting();
    const doctor = await loginAs(server, { role: "doctor", email: it.email });
    const answer = await doctor.get(`/documents/${it.documents[1]!.id}`);
    expect(answer.status).toBe(200);
    expect(answer.text).not.toContain('value="ask-again"');
    expect(answer.text).not.toContain("/reveal/");
    expect((await doctor.get(`/files/${it.documents[1]!.fileId}`)).status).toBe(200);
    expect((await doctor.post(`/documents/${it.documents[1]!.id}`, { seen: it.seen, decision: "matches" })).status).toBe(404);
  });
});
