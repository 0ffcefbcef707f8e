/** Attacks with requests that no browser sends: smuggling, hostile hosts, malformed multipart, redirects, formulas, line breaks. */
import { mkdirSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { files, users } from "#app/db/schema/index.ts";
import { tokenFor } from "../api/people.ts";
import { Authenticator } from "../factories/authenticator.ts";
import { bookingFields, bookingPage } from "../factories/booking.ts";
import { makeAdmin, makeCase, makeHospital } from "../factories/cases.ts";
import { Caller, newAddress } from "../factories/logins.ts";
import { dayFromNow, makeDoctor, makePatient, makeVisit, type Person, type TestDoctor, typed } from "../factories/people.ts";
import { asFile, png } from "../factories/pictures.ts";
import { DEMO_KEY } from "../setup/database.ts";
import { raw } from "../setup/http.ts";
import { type LoggedIn, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

const DAY = dayFromNow(4);
let server: TestServer;
let patient: LoggedIn;
let person: Person;
let doctor: TestDoctor;
let admin: LoggedIn;
let offset = 0;
beforeAll(async () => {
  server = await startServer({ seed: false, env: { TRUST_PROXY: "1" } });
  person = await makePatient(server.db, { name: "Attack Patient" });
  patient = await loginAs(server, { role: "patient", phone: person.phone });
  doctor = await makeDoctor(server.db, { slots: ["10:00", "10:30", "11:00"].map((time) => ({ date: DAY, time: time as "10:00" })) });
  admin = await loginAs(server, await makeAdmin(server.db));
});
afterAll(() => server?.stop());
beforeEach(() => {
  offset += 3_600_000;
  server.clock.set(offset);
});

describe("a smuggled request", () => {
  /** Sends these bytes and returns the response until the server closes the connection. */
  const send = (bytes: string) =>
    new Promise<string>((ok, no) => {
      let answer = "";
      const socket = connect(server.port, "127.0.0.1", () => socket.write(bytes));
      socket.on("data", (part) => {
        answer += part;
      });
      socket.on("close", () => ok(answer));
      socket.on("error", no);
      socket.setTimeout(20_000, () => socket.destroy(new Error("the connection stayed open")));
    });
  const SMUGGLED = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
  const head = (...lines: string[]) => `POST /dual-patient HTTP/1.1\r\nHost: localhost:${server.port}\r\n${lines.join("\r\n")}\r\n\r\n`;
  const TYPE = "Content-Type: application/x-www-form-urlencoded";
  it.each<[string, (size: number) => string]>([
    ["with a length and chunks", () => `${head(TYPE, "Content-Length: 6", "Transfer-Encoding: chunked")}0\r\n\r\n${SMUGGLED}`],
    ["with two lengths", (size) => head(TYPE, "Content-Length: 0", `Content-Length: ${size}`) + SMUGGLED],
    ["with two lengths in one line", () => head(TYPE, "Content-Length: 0, 5") + SMUGGLED],
    ["with a coding that is not the last", () => `${head(TYPE, "Transfer-Encoding: chunked, identity")}0\r\n\r\n${SMUGGLED}`],
    ["with an unknown coding", () => `${head(TYPE, "Transfer-Encoding: xchunked")}0\r\n\r\n${SMUGGLED}`],
    ["with a space before the colon", () => `${head(TYPE, "Transfer-Encoding : chunked", "Content-Length: 3")}0\r\n\r\n${SMUGGLED}`],
    ["with a folded head", () => head(TYPE, "X: a\r\n Transfer-Encoding: chunked", "Content-Length: -1") + SMUGGLED],
    ["with a negative length", () => head(TYPE, "Content-Length: -5") + SMUGGLED],
    ["with a hexadecimal length", () => head(TYPE, "Content-Length: 0x0") + SMUGGLED],
    ["with a carriage return in a head", () => head(TYPE, "X: a\rContent-Length: 500") + SMUGGLED],
    ["with a chunk size that overflows", () => `${head(TYPE, "Transfer-Encoding: chunked")}fffffffffffffffff\r\n${SMUGGLED}`],
  ])("%s is refused, and nothing behind it is answered", async (_, bytes) => {
    const answer = await send(bytes(SMUGGLED.length));
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1);
  });
});

describe("a hostile host", () => {
  it("is refused, and never in the link of an email", async () => {
    const asks = (headers: Record<string, string>, email: string, phone: string) =>
      raw(server.url, {
        method: "POST",
        path: "/forgot-password",
        headers: { "content-type": "application/x-www-form-urlencoded", origin: server.url, "x-forwarded-for": newAddress(), ...headers },
        body: new URLSearchParams({ email, mobile: typed(phone) }).toString(),
      });
    const own = `localhost:${server.port}`;
    const hostile: Record<string, string>[] = [
      { host: "evil.example" },
      { host: own, "x-forwarded-host": "evil.example" },
      { host: own, "x-forwarded-host": `${own}, evil.example` },
      { host: `${own}@evil.example` },
      { host: `evil.example#${own}` },
      { host: `${own}.evil.example` },
    ];
    for (const headers of hostile) expect((await asks(headers, doctor.email, doctor.phone)).status, JSON.stringify(headers)).toBe(421);
    const answer = await asks({ host: own, "x-forwarded-proto": "gopher", forwarded: "host=evil.example" }, doctor.email, doctor.phone);
    expect(answer.status).toBe(303);
    const body = async () => (await server.outbox(doctor.email))[0]?.body ?? "";
    await expect.poll(body, { timeout: 15_000 }).toContain("/forgot-password/");
    const links = (await body()).match(/\w+:\/\/[^\s]+/g) ?? [];
    expect(links.length).toBeGreaterThan(0);
    for (const link of links) expect(new URL(link).origin).toBe(server.url);
  });
});

describe("a redirect", () => {
  const EVIL = [
    "//evil.example",
    "/\\evil.example",
    "https://evil.example",
    "https:evil.example",
    "javascript:alert(1)",
    "/.//evil.example",
    "/%2e%2e//evil.example",
    "\t//evil.example",
    "/\t/evil.example",
    "/a\r\nLocation: https://evil.example",
    "%2F%2Fevil.example",
    "http:///evil.example",
    "/;@evil.example/..//evil.example",
  ];
  it.each<[string, (target: string) => Promise<{ location: string | null; status: number }>]>([
    ["after a choice of language", (from) => new Caller(server.url, newAddress()).post("/language", { language: "en", from })],
    ["after a heart", (from) => patient.post("/favourites", { add: `doctor/${doctor.id}`, from })],
    [
      "after a choice of city",
      (from) => new Caller(server.url, newAddress()).post("/location/cities", { intent: "city", city: "1", from }),
    ],
    ["after a proof", (next) => admin.get(`/confirm-identity?next=${encodeURIComponent(next)}`)],
    ["after a login", (to) => patient.get(`/dual-patient?redirectTo=${encodeURIComponent(to)}`)],
    ["after the login of staff", (to) => admin.get(`/dual-doctor?redirectTo=${encodeURIComponent(to)}`)],
  ])("%s stays on our site", async (_, ask) => {
    for (const target of EVIL) {
      const { location, status } = await ask(target);
      expect(status, target).toBeLessThan(500);
      if (location === null) continue;
      expect(location, target).not.toMatch(/[\r\n]/);
      expect(new URL(location, server.url).origin, target).toBe(server.url);
    }
  });
});

describe("multipart", () => {
  const slot = { date: DAY, time: "10:00" as const };
  const page = () => bookingPage(doctor.id, slot);
  const part = (name: string, value: string, more = "") =>
    `--x\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
  const post = (body: string | Buffer, type = "multipart/form-data; boundary=x", path = page()) =>
    raw(server.url, {
      method: "POST",
      path,
      headers: { cookie: `nadi_session=${patient.token}`, origin: server.url, "content-type": type },
      body,
    });
  const whole = Object.entries(bookingFields())
    .map(([name, value]) => part(name, value))
    .join("");
  const booked = async () => (await server.sql`select from appointments where patient_id = ${person.id}`).length;
  it.each<[string, () => [body: string | Buffer, type?: string]]>([
    ["without a boundary", () => [whole, "multipart/form-data"]],
    ["with an empty boundary", () => [whole, "multipart/form-data; boundary="]],
    ["with a boundary of 5,000 characters", () => [whole, `multipart/form-data; boundary=${"b".repeat(5000)}`]],
    ["with 10,000 parts", () => [`${part("a", "1").repeat(10_000)}${whole}--x--\r\n`]],
    ["with 10,000 empty files", () => [`${part("newRecords", "", '; filename="a.jpg"').repeat(10_000)}${whole}--x--\r\n`]],
    ["with a name of 60 KB", () => [`${part("n".repeat(60_000), "1")}${whole}--x--\r\n`]],
    ["with a head of 1 MB", () => [`${part("a", "1", `; filename="${"f".repeat(1_000_000)}"`)}${whole}--x--\r\n`]],
    ["with the name of a prototype", () => [`${part("__proto__", "1")}${part("constructor.prototype.x", "1")}${whole}--x--\r\n`]],
    ["with NUL in a value", () => [`${whole.replace("Cough at night", "Cough\0")}--x--\r\n`]],
    ["that ends in the middle", () => [whole.slice(0, -40)]],
    ["with duplicate fields", () => [`${whole}${part("name", "Second")}${part("intent", "edit")}--x--\r\n`]],
  ])("%s is refused and books nothing", async (_, make) => {
    const before = await booked();
    const [body, type] = make();
    const { status, body: answer } = await post(body, type);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect(answer.byteLength).toBeLessThan(300_000);
    expect(await booked()).toBe(before);
  });

  it("renames a file whose name has NUL, line breaks and paths", async () => {
    const image = await png();
    const name = "a\0b%00../../etc/passwd\u202egpj.exe";
    const body = Buffer.concat([
      Buffer.from(
        `${whole}--x\r\nContent-Disposition: form-data; name="newRecords"; filename="${name}"\r\nContent-Type: image/png\r\n\r\n`,
      ),
      image,
      Buffer.from("\r\n--x--\r\n"),
    ]);
    const answer = await post(body);
    expect(answer.status).toBeLessThan(500);
    const [file] = await server.db.select({ id: files.id, key: files.storageKey }).from(files);
    if (!file) return;
    expect(file.key).toMatch(/^medical-record\/[0-9a-f]{40}$/);
    const saved = await patient.get(`/files/${file.id}?download=1`);
    expect(saved.headers.get("content-disposition")).not.toMatch(/[\r\n\0/\\]/);
  });

  it.each(["<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>", "<!doctype html><script>alert(1)</script>", "GIF89a=1;alert(1)"])(
    "refuses %s as a picture and as a file of a chat",
    async (text) => {
      const before = (await server.sql`select from files`).length;
      const file = asFile(Buffer.from(text), "a.png", "image/png");
      const form = new FormData();
      for (const [name, value] of Object.entries(bookingFields())) form.append(name, value);
      form.append("newRecords", file);
      expect((await patient.postFiles(page(), form)).status).toBeGreaterThanOrEqual(400);
      const chat = new FormData();
      for (const [name, value] of Object.entries({ intent: "ask", key: `attack-${Math.random()}`, message: "x" })) chat.append(name, value);
      chat.append("file", asFile(Buffer.from(text), "a.pdf", "application/pdf"));
      expect((await patient.postFiles("/patient/ai-chat", chat)).status).toBeGreaterThanOrEqual(400);
      expect((await server.sql`select from files`).length).toBe(before);
    },
  );
});

describe("the API", () => {
  const info = { name: "Attack Patient", phone: "9876543210", age: "41", gender: "female" };
  const book = async (patientInfo: string, more: Record<string, string> = {}) => {
    const form = new FormData();
    const token = await tokenFor(server, person.id);
    for (const [name, value] of Object.entries({ doctor: doctor.id, date: DAY, time: "11:00 AM", patientInfo, ...more }))
      form.append(name, value);
    const answer = await fetch(`${server.url}/api/appointments/book`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}` },
      body: form,
    });
    return { status: answer.status, body: (await answer.json()) as { success: boolean } };
  };
  it("refuses an escaped NUL in the JSON of a form, as in a JSON body", async () => {
    for (const [text, more] of [
      [JSON.stringify({ ...info, name: "a\0b" })],
      [JSON.stringify({ ...info, note: "a\0b" })],
      [JSON.stringify(info), { medicalRecordsMeta: JSON.stringify([{ originalname: "a\0b.png" }]) }],
    ] as [string, Record<string, string>?][]) {
      const { status, body } = await book(text, more);
      expect([status, body.success]).toEqual([400, false]);
    }
  });
  it.each([
    ["[".repeat(200_000)],
    ["[".repeat(100_000) + "]".repeat(100_000)],
    [`${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`],
    ['{"__proto__":{"name":"x"},"constructor":{"prototype":{}}}'],
  ])("refuses JSON of any depth in a form: %#", async (text) => {
    expect(await book(text)).toMatchObject({ status: 400, body: { success: false } });
  });
});

describe("a list", () => {
  it("of the log escapes formulas", async () => {
    const bad = '=HYPERLINK("https://evil.example";"x")';
    await server.db.update(users).set({ staffName: bad });
    await admin.get("/admin/audit.csv");
    // The export itself is in the log, with the name of its administrator.
    const { text, status } = await admin.get("/admin/audit.csv");
    expect(status).toBe(200);
    expect(text).toContain("HYPERLINK");
    expect(text).not.toMatch(/(^|,|;|\t)"?[=+@-][A-Z]/m);
  });
  it("for a calendar escapes line breaks in a name", async () => {
    const name = "Lakshmi\r\nATTENDEE:mailto:evil@example.test\nBEGIN:VALARM\u2028X:1";
    await makeVisit(server.db, { patient: person, doctor }, { name, status: "accepted" });
    const asDoctor = await loginAs(server, { role: "doctor", email: doctor.email });
    const { text, status } = await asDoctor.get("/doctor/appointments.ics");
    expect(status).toBe(200);
    expect(text).toContain("Lakshmi");
    expect(text).not.toMatch(/^(ATTENDEE|BEGIN:VALARM|X:1)/m);
  });
});

it("a passkey stores known transports only", async () => {
  const who = await loginAs(server, await makeAdmin(server.db));
  const answer = await who.post("/passkey-options", { purpose: "add" });
  const { options } = JSON.parse(answer.text) as { options: { challenge: string; user: { id: string } } };
  const credential = JSON.parse(new Authenticator(server.url).create(options)) as { response: { transports: string[] } };
  credential.response.transports = ["internal", "a\0b"];
  const added = await who.post("/account/security/passkeys/add", { name: "Mine", credential: JSON.stringify(credential) });
  expect(added.status).toBe(400);
});

it("a weak password that must be changed opens no file", async () => {
  const made = await makeAdmin(server.db);
  const weak = await loginAs(server, made);
  const put = async (key: string, bytes: Buffer) => {
    const path = join(server.dataDir, "files", key);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
  };
  const it = await makeCase(server.db, { key: DEMO_KEY, hospital: await makeHospital(server.db), put });
  expect((await admin.get(`/files/${it.documents[0]!.fileId}`)).status).toBe(200);
  await server.sql`update users set password_weak_since = now() where id = ${made.userId}`;
  expect((await weak.get(`/files/${it.documents[0]!.fileId}`)).status).toBe(403);
  expect((await weak.get(`/documents/${it.documents[0]!.id}`)).location).toBe("/account/password");
  expect(await server.sql`select from audit_log where actor_id = ${made.userId} and action = 'read-document'`).toHaveLength(0);
});
