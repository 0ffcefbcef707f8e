/** The visit over HTTP, without scripts: the doctor's form, the signature, the patient's page and the check at `/rx/{code}`. */
import { gzipSync } from "node:zlib";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { doctors, visitDocuments } from "#app/db/schema/index.ts";
import { valuesOf } from "../factories/booking.ts";
import { addPlaceDoctor, makeMember, makePlace } from "../factories/members.ts";
import { addSlots, dayFromNow, makeDoctor, makeStaff, makeVisit, newPhone, type TestDoctor } from "../factories/people.ts";
import { plain } from "../setup/applications.ts";
import { Browser } from "../setup/http.ts";
import { type LoggedIn, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";
import { expectEveryTransition, watchChanges } from "../setup/watch-changes.ts";

let server: TestServer;
let doctor: TestDoctor;
let asDoctor: LoggedIn;
let me: LoggedIn;
let hour = 0;
const CANARY = "Zirconiumitis";

beforeAll(async () => {
  server = await startServer({ seed: false });
  await watchChanges(server);
  doctor = await makeDoctor(server.db, { name: "Dr. Anjali Vemuri" });
  await server.db
    .update(doctors)
    .set({
      councilName: "Andhra Pradesh Medical Council",
      councilNumber: "APMC/2012/61742",
      qualifications: [{ degree: "MBBS", universityCollege: "NTR University", year: 2008 }],
    })
    .where(eq(doctors.id, doctor.id));
  asDoctor = await loginAs(server, { role: "doctor", email: doctor.email });
  me = await loginAs(server, { role: "patient", phone: newPhone() });
});
afterAll(() => server?.stop());

const newVisit = (name = "Lakshmi Prasanna Devi") =>
  makeVisit(
    server.db,
    { patient: { id: me.userId, phone: newPhone(), actor: { userId: me.userId, role: "patient" } }, doctor },
    { status: "accepted", date: dayFromNow(-1 - Math.floor(hour / 20)), time: `${String((hour++ % 20) + 2).padStart(2, "0")}:00`, name },
  );
const at = (id: string) => `/doctor/visits/${id}`;
/** Returns the fields of a page's form with other values. */
const formOf = async (id: string, over: Record<string, string> = {}) => {
  const values = valuesOf((await asDoctor.get(at(id))).text);
  for (const name of ["q", "save"]) delete values[name];
  return { ...values, ...over };
};
const medicine = (n: number, over: Record<string, string> = {}) => ({
  [`medicine_${n}`]: "Metoprolol succinate",
  [`strength_${n}`]: "25 mg",
  [`dose_${n}_morning`]: "½",
  [`dose_${n}_night`]: "½",
  [`days_${n}`]: "30",
  ...over,
});
const sign = async (id: string, over: Record<string, string> = {}) => {
  const reviewed = await asDoctor.post(
    at(id),
    await formOf(id, { diagnosis: CANARY, language: "te", ...medicine(1), review: "1", ...over }),
  );
  expect([reviewed.status, reviewed.location], plain(reviewed.text).slice(0, 300)).toEqual([303, `${at(id)}/review`]);
  const review = await asDoctor.get(`${at(id)}/review`);
  const signed = await asDoctor.post(`${at(id)}/review`, { version: valuesOf(review.text).version! });
  expect(signed.status).toBe(303);
  const [row] = await server.db.select().from(visitDocuments).where(eq(visitDocuments.encounterId, id)).orderBy(visitDocuments.createdAt);
  return { review: plain(review.text), id: row!.id, code: row!.code! };
};
const rx = (code: string, query = "") => new Browser(server.url).get(`/rx/${code}${query}`);

describe("the doctor's form without scripts", () => {
  it("adds, fills, removes and stars medicines without losing what was typed", async () => {
    const id = await newVisit();
    const page = await asDoctor.get(at(id));
    expect(plain(page.text)).toContain("Lakshmi Prasanna Devi");
    // "1-0-1" needs a "-", which the number pad of an iPhone has not.
    const keysOf = (part: string) => new RegExp(`<input[^>]*name="dose_1_${part}"[^>]*>`).exec(page.text)![0];
    expect(keysOf("morning")).toContain('inputMode="text"');
    expect(keysOf("night")).toContain('inputMode="decimal"');
    let answer = await asDoctor.post(at(id), await formOf(id, { complaint: "Fever", ...medicine(1), add: "1" }));
    expect(answer.location).toBe(`${at(id)}#medicine_2`);
    let fields = await formOf(id);
    expect(fields).toMatchObject({
      complaint: "Fever",
      medicine_1: "Metoprolol succinate",
      dose_1_morning: "½",
      medicine_2: "",
      days_2: "30",
    });
    answer = await asDoctor.post(at(id), { ...fields, medicine_2: "Paracetamol", dose_2_morning: "1", star: "2" });
    expect(answer.status).toBe(303);
    fields = await formOf(id);
    const button = /<button[^>]*name="favourite"[^>]*>/.exec((await asDoctor.get(at(id))).text)![0];
    const favourite = /value="([0-9a-f-]{36})"/.exec(button)![1]!;
    await asDoctor.post(at(id), { ...fields, favourite });
    fields = await formOf(id);
    expect([fields.medicine_2, fields.medicine_3]).toEqual(["Paracetamol", "Paracetamol"]);
    await asDoctor.post(at(id), { ...fields, remove: "1" });
    fields = await formOf(id);
    expect([fields.medicine_1, fields.lines]).toEqual(["Paracetamol", "2"]);
  });
  it("shows what is wrong beside the fields, with everything that was typed", async () => {
    const id = await newVisit();
    const answer = await asDoctor.post(
      at(id),
      await formOf(id, { complaint: "Fever", ...medicine(1, { dose_1_morning: "99", days_1: "" }), review: "1" }),
    );
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('id="e-dose_1_morning"');
    expect(answer.text).toContain('id="e-days_1"');
    expect(valuesOf(answer.text)).toMatchObject({ complaint: "Fever", dose_1_morning: "99", medicine_1: "Metoprolol succinate" });
  });
  it("says when another tab saved, and then saves what the doctor chooses", async () => {
    const id = await newVisit();
    const old = await formOf(id, { diagnosis: "From the first tab" });
    await asDoctor.post(at(id), await formOf(id, { diagnosis: "From the second tab", save: "1" }));
    const refused = await asDoctor.post(at(id), { ...old, save: "1" });
    expect(refused.status).toBe(409);
    expect(plain(refused.text)).toContain("was saved in another tab");
    expect(valuesOf(refused.text).diagnosis).toBe("From the first tab");
    expect((await formOf(id)).diagnosis).toBe("From the second tab");
    await asDoctor.post(at(id), { ...old, overwrite: "1" });
    expect((await formOf(id)).diagnosis).toBe("From the first tab");
  });
  it("repeats the last prescription of the same patient", async () => {
    await sign(await newVisit("Repeat Patient"));
    const id = await newVisit("Repeat Patient");
    await asDoctor.post(at(id), await formOf(id, { repeat: "1" }));
    expect(await formOf(id)).toMatchObject({ medicine_1: "Metoprolol succinate", dose_1_night: "½", days_1: "30" });
  });
});

describe("a written allergy without scripts", () => {
  it("stops the review, and is signed only with a reason, which is not printed", async () => {
    const id = await newVisit("Allergy Patient");
    const page = await asDoctor.get(at(id));
    expect(plain(page.text)).toContain("Allergies not asked yet");
    const fields = { allergies: "Amoxicillin, rash", ...medicine(1, { medicine_1: "AMOXYCILLIN" }), review: "1" };
    expect((await asDoctor.post(at(id), await formOf(id, fields))).location).toBe(`${at(id)}/review`);
    const review = await asDoctor.get(`${at(id)}/review`);
    for (const text of ["Stop: this patient is allergic to Amoxicillin", "Sign anyway", "We compare names only"])
      expect(plain(review.text)).toContain(text);
    const { version, seen } = valuesOf(review.text) as { version: string; seen: string };
    const post = (over: Record<string, string>) => asDoctor.post(`${at(id)}/review`, { version, ...over });
    for (const over of [{}, { because: " ", seen }]) {
      const refused = await post(over as Record<string, string>);
      expect([refused.status, plain(refused.text).includes("Write why you sign anyway.")]).toEqual([400, true]);
    }
    expect((await post({ because: "Ruled out", seen: "other" })).status).toBe(409);
    expect((await post({ because: "Ruled out by test", seen })).status).toBe(303);
    expect(plain((await asDoctor.get(at(id))).text)).toContain("Ruled out by test");
    const [row] = await server.sql<{ id: string }[]>`select id from visit_documents where encounter_id = ${id} and state = 'signed'`;
    expect((await asDoctor.get(`${at(id)}/documents/${row!.id}`)).text).not.toContain("Ruled out by test");
    const logged = JSON.stringify([await server.sql`select * from audit_log`, await server.sql`select * from domain_events`]);
    expect(logged).not.toMatch(/Ruled out|amoxycillin/i);
  });
  it("asks once when the same medicine is there twice", async () => {
    const id = await newVisit("Twice Patient");
    const fields = { diagnosis: CANARY, ...medicine(1), ...medicine(2), form_2: "tablet", lines: "2" };
    const asked = await asDoctor.post(at(id), await formOf(id, { ...fields, review: "1" }));
    expect([asked.status, plain(asked.text).includes("Keep both and review")]).toEqual([400, true]);
    const keep = /value="([^"]+)"/.exec(/<button[^>]*name="keep"[^>]*>/.exec(asked.text)![0])![1]!;
    expect((await asDoctor.post(at(id), await formOf(id, { ...fields, keep }))).location).toBe(`${at(id)}/review`);
    expect((await asDoctor.post(at(id), await formOf(id, { ...fields, review: "1" }))).location).toBe(`${at(id)}/review`);
  });
});

describe("a signed prescription", () => {
  it("is shown for review, to the patient and in print, in English and the patient's language", async () => {
    const id = await newVisit();
    const { review, id: documentId, code } = await sign(id);
    expect(review).toContain("Morning ½, night ½, after food, 30 days");
    expect(review).toContain("ఉదయం అర మాత్ర, రాత్రి అర మాత్ర, భోజనం తర్వాత, 30 రోజులు");
    const path = `/patient/appointments/${id}/documents/${documentId}`;
    expect((await me.get(`/patient/appointments/${id}`)).text).toContain(path);
    for (const page of [await me.get(path), await asDoctor.get(`${at(id)}/documents/${documentId}`)]) {
      expect(page.status).toBe(200);
      expect(page.headers.get("cache-control")).toBe("no-store");
      expect(page.text).toContain("<b>Metoprolol succinate</b> 25 mg tablet");
      for (const text of ["ఉదయం అర మాత్ర", "APMC/2012/61742", "MBBS", `/rx/${code.match(/.{4}/g)!.join("-")}`, "<svg"])
        expect(page.text).toContain(text);
      // In the margin of every sheet.
      const shown = code.match(/.{4}/g)!.join("-");
      expect(page.text).toContain(`@bottom-left{content:"Lakshmi Prasanna Devi, Dr. Anjali Vemuri, ${shown}"`);
      expect(page.text).toContain('content:counter(page) "/" counter(pages)');
    }
  });
  it("is closed to everyone else", async () => {
    const id = await newVisit();
    const { id: documentId } = await sign(id);
    const place = await makePlace(server.db);
    await addPlaceDoctor(server.db, place.id, doctor.id);
    await server.db.update(doctors).set({ hospitalId: place.id }).where(eq(doctors.id, doctor.id));
    const emailOf = async (userId: string) =>
      (await server.sql<{ email: string }[]>`select email from users where id = ${userId}`)[0]!.email;
    const others: LoggedIn[] = [];
    others.push(await loginAs(server, { role: "patient", phone: newPhone() }));
    others.push(await loginAs(server, { role: "doctor", email: (await makeDoctor(server.db)).email }));
    for (const role of ["reception", "billing"] as const)
      others.push(await loginAs(server, { role: "staff", email: await emailOf((await makeMember(server.db, place.id, role)).userId) }));
    others.push(
      await loginAs(server, {
        role: "staff",
        email: await emailOf((await makeMember(server.db, place.id, "reception", { state: "ended" })).userId),
      }),
    );
    others.push(await loginAs(server, { role: "admin", email: await emailOf((await makeStaff(server.db, "admin")).userId) }));
    for (const who of [...others, new Browser(server.url)])
      for (const path of [
        at(id),
        `${at(id)}/review`,
        `${at(id)}/documents/${documentId}`,
        `/patient/appointments/${id}/documents/${documentId}`,
      ]) {
        const answer = await who.get(path);
        expect([path, [303, 403, 404].includes(answer.status)]).toEqual([path, true]);
        expect(answer.text).not.toMatch(/Metoprolol|Zirconiumitis/);
      }
    const desk = others[2]!;
    for (const path of ["/desk", "/desk/queue"]) expect((await desk.get(path)).text).not.toMatch(/Metoprolol|Zirconiumitis/);
  });
  it("can be corrected and cancelled by its doctor", async () => {
    const id = await newVisit();
    const first = await sign(id);
    await asDoctor.post(at(id), { correct: "1" });
    expect(plain((await rx(first.code)).text)).toContain("Valid");
    await sign(id, { diagnosis: "Corrected" });
    const old = plain((await rx(first.code)).text);
    expect(old).toContain("Replaced");
    expect(old).not.toContain("Metoprolol");
    const [next] = await server.sql<
      { id: string; code: string }[]
    >`select id, code from visit_documents where encounter_id = ${id} and state = 'signed'`;
    await asDoctor.post(at(id), { cancel: next!.id });
    const cancelled = plain((await rx(next!.code)).text);
    expect(cancelled).toContain("Do not dispense. The doctor cancelled this");
    expect(cancelled).not.toContain("Metoprolol");
  });
  it("is not made of a draft that its doctor discarded; a second press says that there is none", async () => {
    const id = await newVisit();
    await asDoctor.post(at(id), await formOf(id, { diagnosis: CANARY, save: "1" }));
    expect((await formOf(id)).diagnosis).toBe(CANARY);
    const gone = await asDoctor.post(at(id), await formOf(id, { discard: "1" }));
    expect([gone.status, gone.location]).toEqual([303, at(id)]);
    expect((await formOf(id)).diagnosis).toBe("");
    expect((await asDoctor.post(at(id), await formOf(id, { discard: "1" }))).status).toBe(409);
    expect((await server.sql`select state, draft from visit_documents where encounter_id = ${id}`)[0]).toEqual({
      state: "discarded",
      draft: null,
    });
  });
  it("leaves no health word in logs, notifications and addresses", async () => {
    await sign(await newVisit());
    const rows = JSON.stringify([
      await server.sql`select * from notifications`,
      await server.sql`select * from audit_log`,
      await server.sql`select * from domain_events`,
      await server.sql`select * from outbox_messages`,
    ]);
    expect(rows).not.toMatch(/Metoprolol|Zirconiumitis/i);
    expect(JSON.stringify(server.logs())).not.toMatch(/Metoprolol|Zirconiumitis/i);
  });
});

describe("a certificate", () => {
  const path = (id: string) => `${at(id)}/certificate`;
  const dates = { from: dayFromNow(-1), until: dayFromNow(2) };
  /** Fills in, reviews and signs without scripts. */
  const signCertificate = async (id: string, over: Record<string, string> = {}) => {
    const input = { type: "sick-leave", ...dates, words: "Rest at home", ...over };
    const review = await asDoctor.post(path(id), { ...input, intent: "review" });
    expect(review.status, plain(review.text).slice(0, 300)).toBe(200);
    const { seen } = valuesOf(review.text);
    const signed = await asDoctor.post(path(id), { ...input, seen: seen!, intent: "sign" });
    expect([signed.status, signed.location]).toEqual([303, at(id)]);
    const [row] = await server.sql<{ id: string; code: string }[]>`
      select id, code from visit_documents where encounter_id = ${id} and kind = 'certificate' order by created_at desc limit 1`;
    return { ...row!, review: plain(review.text) };
  };
  it("is reviewed, signed, printed and checked, and its patient is notified", async () => {
    const id = await newVisit();
    const { id: documentId, code, review } = await signCertificate(id);
    expect(review).toContain("Lakshmi Prasanna Devi is under my treatment and needs rest from");
    const own = `/patient/appointments/${id}/documents/${documentId}`;
    expect((await me.get(`/patient/appointments/${id}`)).text).toContain(own);
    for (const page of [await me.get(own), await asDoctor.get(`${at(id)}/documents/${documentId}`)])
      for (const text of ["Medical certificate", "needs rest from", "Rest at home", "APMC/2012/61742"]) expect(page.text).toContain(text);
    const check = plain((await rx(code)).text);
    expect(check).toContain("Valid");
    expect(check).toContain("Medical certificate");
    expect(check).not.toMatch(/Lakshmi|Rest at home/);
    const kinds = await server.sql`select kind from notifications where user_id = ${me.userId} and params->>'appointment' = ${id}`;
    expect(kinds.map((row) => row.kind)).toEqual(["certificate-signed"]);
    expect(await server.sql`select 1 from audit_log where action = 'sign-certificate' and subject_id = ${id}`).toHaveLength(1);
  });
  it("can be cancelled, and the check says so", async () => {
    const id = await newVisit();
    const { id: documentId, code } = await signCertificate(id, { type: "fitness", until: "" });
    expect(plain((await rx(code)).text)).toContain("Fitness certificate");
    expect((await asDoctor.post(at(id), { cancel: documentId })).status).toBe(303);
    expect(plain((await rx(code)).text)).toContain("The doctor cancelled this certificate on");
    expect(plain((await asDoctor.get(at(id))).text)).toContain("Cancelled");
  });
  it("shows what is wrong beside its field, and signs only what was shown", async () => {
    const id = await newVisit();
    const wrong = await asDoctor.post(path(id), {
      type: "sick-leave",
      from: dates.until,
      until: dates.from,
      words: "Kept",
      intent: "review",
    });
    expect(wrong.status).toBe(400);
    expect(plain(wrong.text)).toContain("Choose a last day that is not before the first");
    expect(valuesOf(wrong.text).words ?? wrong.text).toContain("Kept");
    const { seen } = valuesOf((await asDoctor.post(path(id), { type: "sick-leave", ...dates, intent: "review" })).text);
    const changed = await asDoctor.post(path(id), { type: "sick-leave", ...dates, until: dayFromNow(9), seen: seen!, intent: "sign" });
    expect(changed.status).toBe(200);
    expect(await server.sql`select 1 from visit_documents where encounter_id = ${id} and state = 'signed'`).toHaveLength(0);
  });
  it("is closed to everyone else", async () => {
    const id = await newVisit();
    const other = await loginAs(server, { role: "doctor", email: (await makeDoctor(server.db)).email });
    const stranger = await loginAs(server, { role: "patient", phone: newPhone() });
    const { id: documentId } = await signCertificate(id);
    for (const who of [other, stranger, new Browser(server.url)]) {
      expect([303, 403, 404]).toContain((await who.get(path(id))).status);
      expect([303, 403, 404]).toContain((await who.post(path(id), { type: "fitness", from: dates.from, intent: "sign" })).status);
      for (const page of [`${at(id)}/documents/${documentId}`, `/patient/appointments/${id}/documents/${documentId}`])
        expect((await who.get(page)).text).not.toContain("needs rest");
    }
    expect(await server.sql`select 1 from visit_documents where encounter_id = ${id} and kind = 'certificate'`).toHaveLength(1);
  });
});

describe("the check of a pharmacist", () => {
  it("shows initials and medicines in at most 6 KB, in three languages, without a login", async () => {
    const { code } = await sign(await newVisit());
    for (const [lang, word] of [
      ["en", "Morning ½, night ½, after food, 30 days"],
      ["te", "ఉదయం అర మాత్ర"],
      ["hi", "सुबह आधी गोली"],
    ] as const) {
      const answer = await rx(`${code.slice(0, 4)}-${code.slice(4).toLowerCase()}`, `?lang=${lang}`);
      expect(answer.status).toBe(200);
      expect(answer.text).toContain(word);
      expect(gzipSync(answer.text).length).toBeLessThanOrEqual(6144);
      expect(answer.text.length).toBeLessThanOrEqual(6144);
      expect(answer.text).not.toMatch(/Lakshmi|Zirconiumitis/);
      expect(answer.text).toContain("L. P. D.");
      expect(
        Object.fromEntries(["cache-control", "x-robots-tag", "referrer-policy"].map((name) => [name, answer.headers.get(name)])),
      ).toEqual({
        "cache-control": "no-store",
        "x-robots-tag": "noindex",
        "referrer-policy": "no-referrer",
      });
    }
  });
  it("reports a changed row", async () => {
    const { id, code } = await sign(await newVisit());
    await server.sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`;
      await tx`update visit_documents set sha256 = repeat('0', 64) where id = ${id}`;
    });
    expect(plain((await rx(code)).text)).toContain("Do not dispense. The stored document does not match");
  });
  it("reports a cancelled prescription that was made valid again in the database", async () => {
    const visit = await newVisit();
    const { id, code } = await sign(visit);
    expect((await asDoctor.post(at(visit), { cancel: id })).status).toBe(303);
    await server.sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`;
      await tx`update visit_documents set state = 'signed', ended_at = null where id = ${id}`;
    });
    const page = plain((await rx(code)).text);
    expect(page).toContain("Do not dispense. The stored document does not match");
    expect(page).not.toContain("Metoprolol");
  });
  it("limits wrong codes by address", async () => {
    const results = [];
    for (let i = 0; i < 35; i++) results.push((await rx("ZZZZ-ZZZZ-ZZZZ")).status);
    expect(new Set(results)).toEqual(new Set([404, 429]));
  });
});

describe("a follow-up", () => {
  it("leads with one press from the dashboard and from the visit to free times around its day, without scripts", async () => {
    const name = "Follow Up Patient";
    const id = await newVisit(name);
    await addSlots(server.db, doctor.id, [
      { date: dayFromNow(3), time: "10:00" },
      { date: dayFromNow(8), time: "10:00" },
    ]);
    await sign(id, { follow_up: "1-week" });
    const action = `/patient/appointments/${id}`;
    for (const page of [await me.get("/patient-dashboard"), await me.get(action)]) {
      expect(plain(page.text)).toContain(`Dr. Anjali Vemuri asked ${name} to come back on`);
      expect(page.text).toContain(`action="${action}"`);
    }
    const answer = await me.post(action, {});
    const to = new URL(answer.location ?? "", server.url);
    expect([answer.status, to.pathname, Object.fromEntries(to.searchParams)]).toEqual([
      303,
      "/patient/appointments/datetime",
      { doctorId: doctor.id, practiceId: doctor.id, date: dayFromNow(8), time: "10:00" },
    ]);
    expect((await me.get(to.pathname + to.search)).text).toContain('value="10:00"');
    expect(
      valuesOf((await me.get(`/patient/appointments/patient-detail?doctorId=${doctor.id}&date=${dayFromNow(8)}&time=10:00`)).text).name,
    ).toBe(name);
    const other = await loginAs(server, { role: "patient", phone: newPhone() });
    expect((await other.post(action, {})).status).toBe(404);
    expect((await other.get("/patient-dashboard")).text).not.toContain(name);
  });
});

it("records one event for each state change of these pages, and takes each transition of the state tables", () =>
  expectEveryTransition(server, ["visit-document"]));
