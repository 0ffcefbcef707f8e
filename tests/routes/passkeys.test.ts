/** Passkeys over HTTP: valid and invalid requests of the browser's script. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Authenticator, type Wrong } from "../factories/authenticator.ts";
import { readable } from "../factories/booking.ts";
import { makeAdmin, makeReviewer } from "../factories/cases.ts";
import { makeMember, makePlace } from "../factories/members.ts";
import { makeDoctor, makePatient } from "../factories/people.ts";
import { Browser } from "../setup/http.ts";
import { type LoggedIn, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

const LIST = "/account/security/passkeys";
const UNKNOWN = "00000000-0000-4000-8000-000000000000";
let server: TestServer;

beforeAll(async () => {
  server = await startServer({ seed: false });
});
afterAll(() => server?.stop());

type Options = { challenge: string; user: { id: string }; rp: { id: string }; allowCredentials?: { id: string }[] };
async function optionsFor(browser: Browser, purpose: string): Promise<Options> {
  const answer = await browser.post("/passkey-options", { purpose });
  expect(answer.status, answer.text).toBe(200);
  expect(answer.headers.get("cache-control")).toBe("no-store");
  return (JSON.parse(answer.text) as { options: Options }).options;
}

type Who = LoggedIn & { email: string; phone: string };
async function newStaff(role: "doctor" | "reviewer" | "admin" | "staff", status?: Parameters<typeof makeDoctor>[1]): Promise<Who> {
  const made =
    role === "doctor"
      ? await makeDoctor(server.db, status)
      : role === "staff"
        ? await newMember()
        : await (role === "admin" ? makeAdmin : makeReviewer)(server.db);
  await server.sql`update users set password_hash = 'a hash' where email = ${made.email}`;
  const browser = await loginAs(server, { role, email: made.email });
  return Object.assign(browser, { email: made.email, phone: made.phone });
}

/** A receptionist who is a member of a place. */
async function newMember() {
  const { userId } = await makeMember(server.db, (await makePlace(server.db)).id, "reception");
  return (await server.sql<{ email: string; phone: string }[]>`select email, phone from users where id = ${userId}`)[0]!;
}

async function add(browser: Browser, name = "My phone", wrong: Wrong = {}) {
  const authenticator = new Authenticator(server.url);
  const options = await optionsFor(browser, "add");
  const answer = await browser.post(`${LIST}/add`, { name, credential: authenticator.create(options, wrong) });
  return { authenticator, answer };
}
async function withPasskey(who: Who, name?: string): Promise<Authenticator> {
  const { authenticator, answer } = await add(who, name);
  expect([answer.status, answer.location], readable(answer.text)).toEqual([303, LIST]);
  return authenticator;
}
async function logIn(authenticator: Authenticator, wrong: Wrong = {}, fields: Record<string, string> = {}) {
  const browser = new Browser(server.url);
  const options = await optionsFor(browser, "login");
  const answer = await browser.post("/dual-doctor/passkey", { ...fields, credential: authenticator.get(options, wrong) });
  return { browser, answer, isIn: browser.cookies.has("nadi_session") };
}
const passkeysOf = (who: { userId: string }) =>
  server.sql<{ id: string; name: string; counter: string; last_used_at: Date | null }[]>`
    select id, name, counter, last_used_at from passkeys where user_id = ${who.userId} order by created_at`;

describe("a passkey", () => {
  it.each([
    ["doctor", "/doctor-dashboard"],
    ["reviewer", "/reviewer"],
    ["admin", "/admin"],
    ["staff", "/desk"],
  ] as const)("logs a %s in without password and code", async (role, home) => {
    const who = await newStaff(role);
    const authenticator = await withPasskey(who);
    const { browser, answer, isIn } = await logIn(authenticator);
    expect([answer.status, answer.location, isIn]).toEqual([303, home, true]);
    expect((await browser.get(home)).status).toBe(200);
    const [row] = await passkeysOf(who);
    expect(row!.last_used_at).not.toBeNull();
    const [session] = await server.sql`select proven_by from sessions where user_id = ${who.userId} and proven_by <> 'login'`;
    expect(session).toEqual({ proven_by: "passkey" });
    const [log] = await server.sql`select details from audit_log where action = 'log-in' and actor_id = ${who.userId}`;
    expect(log!.details).toEqual({ method: "passkey" });
    expect(readable((await who.get(LIST)).text)).toContain("Last used");
  });

  it("logs in when its own email was typed first, and refuses the email of another account", async () => {
    const who = await newStaff("reviewer");
    const authenticator = await withPasskey(who);
    expect((await logIn(authenticator, {}, { email: who.email.toUpperCase() })).isIn).toBe(true);
    const other = await logIn(authenticator, {}, { email: "someone@else.test" });
    expect([other.answer.status, other.isIn]).toEqual([400, false]);
    expect(readable(other.answer.text)).toContain("belongs to a different account");
  });

  it("sends the browser the same options for every visitor: discoverable, verified, for our host", async () => {
    const options = (await optionsFor(new Browser(server.url), "login")) as Options & { rpId: string; userVerification: string };
    expect(options).toMatchObject({ rpId: "localhost", userVerification: "required" });
    expect(options.allowCredentials ?? []).toEqual([]);
    const who = await newStaff("doctor");
    const adding = (await optionsFor(who, "add")) as Options & { authenticatorSelection: object };
    expect(adding.authenticatorSelection).toMatchObject({ residentKey: "required", userVerification: "required" });
    expect(adding.rp.id).toBe("localhost");
  });

  it("is renamed and removed by its owner, who is notified of each change", async () => {
    const who = await newStaff("admin");
    await withPasskey(who, "Old name");
    const [row] = await passkeysOf(who);
    expect(readable((await who.get(LIST)).text)).toContain("Old name");
    expect((await who.post(`${LIST}/${row!.id}/rename`, { name: "  " })).status).toBe(400);
    expect((await who.post(`${LIST}/${row!.id}/rename`, { name: "x".repeat(61) })).status).toBe(400);
    expect((await who.post(`${LIST}/${row!.id}/rename`, { name: "Office <computer>" })).status).toBe(303);
    expect((await who.get(LIST)).text).toContain("Office &lt;computer&gt;");
    expect((await who.post(`${LIST}/${row!.id}/remove`)).status).toBe(303);
    expect(await passkeysOf(who)).toHaveLength(0);
    const notices = await server.sql`select kind from notifications where user_id = ${who.userId} order by created_at`;
    expect(notices.map((n) => n.kind)).toEqual(["passkey-added", "passkey-removed"]);
    await expect.poll(async () => (await server.outbox(who.email)).length, { timeout: 20_000 }).toBe(2);
    const log = await server.sql`select action from audit_log where actor_id = ${who.userId} and action like '%passkey' order by id`;
    expect(log.map((l) => l.action)).toEqual(["add-passkey", "rename-passkey", "remove-passkey"]);
  });

  it("cannot log in after it was removed", async () => {
    const who = await newStaff("admin");
    const authenticator = await withPasskey(who);
    const [row] = await passkeysOf(who);
    await who.post(`${LIST}/${row!.id}/remove`);
    const { answer, isIn } = await logIn(authenticator);
    expect([answer.status, isIn]).toEqual([400, false]);
    expect(readable(answer.text)).toContain("We do not recognise this passkey");
  });
});

describe("a login is refused", () => {
  it.each<[string, Wrong]>([
    ["from another origin", { origin: "https://nadi.evil.test" }],
    ["for another host", { rpId: "evil.test" }],
    ["with another challenge", { challenge: Buffer.from("x".repeat(32)).toString("base64url") }],
    ["without user verification", { unverified: true }],
    ["with a forged signature", { forged: true }],
    ["for another user's handle", { userHandle: Buffer.from(UNKNOWN).toString("base64url") }],
  ])("%s", async (_, wrong) => {
    const who = await newStaff("reviewer");
    const authenticator = await withPasskey(who);
    const { answer, isIn } = await logIn(authenticator, wrong);
    expect([answer.status, isIn]).toEqual([400, false]);
    expect((await passkeysOf(who))[0]!.last_used_at).toBeNull();
  });

  it("with a challenge that was used before", async () => {
    const authenticator = await withPasskey(await newStaff("reviewer"));
    const browser = new Browser(server.url);
    const options = await optionsFor(browser, "login");
    const token = browser.cookies.get("nadi_passkey")!;
    const credential = authenticator.get(options);
    expect((await browser.post("/dual-doctor/passkey", { credential })).status).toBe(303);
    const replay = new Browser(server.url);
    replay.cookies.set("nadi_passkey", token);
    const again = await replay.post("/dual-doctor/passkey", { credential });
    expect([again.status, replay.cookies.has("nadi_session")]).toEqual([400, false]);
    expect(readable(again.text)).toContain("This took too long or was already used");
  });

  it("in another browser than the one that asked, after five minutes, and for another purpose", async () => {
    const who = await newStaff("reviewer");
    const authenticator = await withPasskey(who);
    const options = await optionsFor(new Browser(server.url), "login");
    const other = new Browser(server.url);
    await optionsFor(other, "login");
    expect((await other.post("/dual-doctor/passkey", { credential: authenticator.get(options) })).status).toBe(400);

    const confirming = await optionsFor(who, "confirm");
    const attacker = new Browser(server.url);
    attacker.cookies.set("nadi_passkey", who.cookies.get("nadi_passkey")!);
    expect((await attacker.post("/dual-doctor/passkey", { credential: authenticator.get(confirming) })).status).toBe(400);

    const late = new Browser(server.url);
    const slow = await optionsFor(late, "login");
    server.clock.advance(5 * 60_000);
    expect((await late.post("/dual-doctor/passkey", { credential: authenticator.get(slow) })).status).toBe(400);
    for (const browser of [other, attacker, late]) expect(browser.cookies.has("nadi_session")).toBe(false);
  });

  it("when the counter does not increase, as with a copied passkey, which is logged", async () => {
    const who = await newStaff("admin");
    const authenticator = await withPasskey(who);
    expect((await logIn(authenticator, { counter: 7 })).isIn).toBe(true);
    for (const counter of [7, 3, 0]) {
      const { isIn, answer } = await logIn(authenticator, { counter });
      expect([isIn, readable(answer.text).includes("Log in with your password and code")], String(counter)).toEqual([false, true]);
    }
    expect((await logIn(authenticator, { counter: 8 })).isIn).toBe(true);
    const log = await server.sql`select from audit_log where action = 'refuse-passkey' and person_id = ${who.userId}`;
    expect(log).toHaveLength(3);
  });

  it("for a disabled account and a suspended doctor", async () => {
    const disabled = await newStaff("reviewer");
    const one = await withPasskey(disabled);
    await server.sql`update users set status = 'disabled' where id = ${disabled.userId}`;
    const closed = await logIn(one);
    expect([closed.answer.status, closed.isIn]).toEqual([403, false]);
    expect(readable(closed.answer.text)).toContain("This account is closed");

    const doctor = await newStaff("doctor");
    const two = await withPasskey(doctor);
    await server.sql`update doctors set registration_status = 'suspended' where id = ${doctor.userId}`;
    const suspended = await logIn(two);
    expect([suspended.answer.status, suspended.isIn]).toEqual([403, false]);
    expect(readable(suspended.answer.text)).toContain("Your account is suspended");
  });

  it.each(["", "nonsense", "{}", "null", "[]", '{"id":"a"}', `{"id":"${"a".repeat(30_000)}"}`])(
    "for the answer %s, never with a 500",
    async (credential) => {
      const browser = new Browser(server.url);
      await optionsFor(browser, "login");
      expect((await browser.post("/dual-doctor/passkey", { credential })).status).toBe(400);
    },
  );
});

describe("adding is refused", () => {
  it.each<[string, Wrong]>([
    ["from another origin", { origin: "http://127.0.0.1:1" }],
    ["for another host", { rpId: "evil.test" }],
    ["with another challenge", { challenge: "AAAA" }],
    ["without user verification", { unverified: true }],
  ])("%s", async (_, wrong) => {
    const who = await newStaff("doctor");
    const { answer } = await add(who, "Mine", wrong);
    expect(answer.status).toBe(400);
    expect(await passkeysOf(who)).toHaveLength(0);
  });

  it("with another session's challenge, and a second time with the same", async () => {
    const [mallory, victim] = [await newStaff("doctor"), await newStaff("doctor")];
    const authenticator = new Authenticator(server.url);
    const options = await optionsFor(mallory, "add");
    victim.cookies.set("nadi_passkey", mallory.cookies.get("nadi_passkey")!);
    const credential = authenticator.create(options);
    expect((await victim.post(`${LIST}/add`, { name: "Mallory's", credential })).status).toBe(400);
    expect((await mallory.post(`${LIST}/add`, { name: "Mine", credential })).status).toBe(400);
    expect([...(await passkeysOf(victim)), ...(await passkeysOf(mallory))]).toEqual([]);
  });

  it("of a passkey that another account has", async () => {
    const [one, two] = [await newStaff("admin"), await newStaff("admin")];
    const authenticator = await withPasskey(one);
    const options = await optionsFor(two, "add");
    expect((await two.post(`${LIST}/add`, { name: "x", credential: authenticator.create(options) })).status).toBe(409);
  });

  it("beyond ten passkeys, also of two at once", async () => {
    const who = await newStaff("admin");
    for (let i = 0; i < 9; i++) await withPasskey(who, `Key ${i}`);
    const asks = [];
    for (const name of ["a", "b"]) {
      const browser = Object.assign(new Browser(server.url), { userId: who.userId });
      browser.cookies.set("nadi_session", who.token);
      asks.push({ browser, name, options: await optionsFor(browser, "add") });
    }
    const answers = await Promise.all(
      asks.map(({ browser, name, options }) =>
        browser.post(`${LIST}/add`, { name, credential: new Authenticator(server.url).create(options) }),
      ),
    );
    expect(answers.map((a) => a.status).sort()).toEqual([303, 409]);
    expect((await who.post("/passkey-options", { purpose: "add" })).status).toBe(409);
  });

  it("for visitors and patients", async () => {
    expect((await new Browser(server.url).post("/passkey-options", { purpose: "add" })).status).toBe(401);
    const { phone } = await makePatient(server.db);
    const patient = await loginAs(server, { role: "patient", phone });
    for (const purpose of ["add", "confirm"]) expect((await patient.post("/passkey-options", { purpose })).status, purpose).toBe(403);
    expect((await patient.get(LIST)).location).toBe("/patient-dashboard");
    expect((await patient.post("/passkey-options", { purpose: "nonsense" })).status).toBe(400);
  });
});

describe("another user's passkey", () => {
  it("is not found, and stays as it is", async () => {
    const [owner, other] = [await newStaff("admin"), await newStaff("admin")];
    await withPasskey(owner, "Owner's");
    const [row] = await passkeysOf(owner);
    for (const id of [row!.id, UNKNOWN, "nonsense"])
      for (const step of ["rename", "remove"]) {
        expect((await other.get(`${LIST}/${id}/${step}`)).status, `${step} ${id}`).toBe(404);
        expect((await other.post(`${LIST}/${id}/${step}`, { name: "Stolen" })).status, `${step} ${id}`).toBe(404);
      }
    expect((await passkeysOf(owner)).map((p) => p.name)).toEqual(["Owner's"]);
  });

  it("does not confirm another user's identity", async () => {
    const [owner, other] = [await newStaff("admin"), await newStaff("admin")];
    const authenticator = await withPasskey(owner);
    await server.sql`update sessions set proven_at = null where user_id = ${other.userId}`;
    const options = await optionsFor(other, "confirm");
    expect((await other.post("/confirm-identity", { intent: "passkey", credential: authenticator.get(options) })).status).toBe(400);
    expect((await server.sql`select proven_at from sessions where user_id = ${other.userId}`)[0]!.proven_at).toBeNull();
  });
});

it("confirms its owner's identity", async () => {
  const who = await newStaff("admin");
  const authenticator = await withPasskey(who);
  await server.sql`update sessions set proven_at = null where user_id = ${who.userId}`;
  const options = await optionsFor(who, "confirm");
  expect(options.allowCredentials?.map((c) => c.id)).toEqual([authenticator.credentialId]);
  const answer = await who.post("/confirm-identity?next=%2Fadmin%2Faudit", { intent: "passkey", credential: authenticator.get(options) });
  expect([answer.status, answer.location]).toEqual([303, "/admin/audit"]);
  expect((await server.sql`select proven_by from sessions where user_id = ${who.userId}`)[0]).toEqual({ proven_by: "passkey" });
});

it("preserves the last way to log in: an account without a password cannot delete its last passkey", async () => {
  const who = await newStaff("admin");
  await withPasskey(who, "First");
  await withPasskey(who, "Second");
  await server.sql`update users set password_hash = null where id = ${who.userId}`;
  const [first, second] = await passkeysOf(who);
  expect((await who.post(`${LIST}/${first!.id}/remove`)).status).toBe(303);
  expect((await who.post(`${LIST}/${second!.id}/remove`)).status).toBe(409);
  expect(await passkeysOf(who)).toHaveLength(1);
});

describe("without JavaScript", () => {
  it("the pages state in one sentence that passkeys need it, and have no dead button", async () => {
    const who = await newStaff("doctor");
    for (const [browser, path] of [
      [who, "/account/security"],
      [who, `${LIST}/add`],
      [new Browser(server.url), "/dual-doctor/passkey"],
    ] as const) {
      const { text, status } = await browser.get(path);
      expect(status, path).toBe(200);
      expect(text, path).toContain("Passkeys need JavaScript. You can log in with your password and a code.");
    }
    expect((await new Browser(server.url).get("/dual-doctor")).text).not.toContain("Log in with a passkey");
  });
});

describe("on an IP address", () => {
  it("passkeys are hidden, and the pages state why", async () => {
    const byNumber = server.url.replace("localhost", "127.0.0.1");
    const page = await new Browser(byNumber).get("/dual-doctor/passkey");
    expect(readable(page.text)).toContain(`Passkeys work only at ${server.url}.`);
    const other = await startServer({ seed: false, env: { APP_URL: "http://127.0.0.1:8080" } });
    try {
      const there = await new Browser(other.url).get("/dual-doctor/passkey");
      expect(readable(there.text)).toContain("You cannot use them at an IP address.");
    } finally {
      await other.stop();
    }
  });
});

it("limits the challenges that one address requests", async () => {
  const browser = new Browser(server.url);
  let last = 200;
  for (let i = 0; i < 200 && last === 200; i++) last = (await browser.post("/passkey-options", { purpose: "login" })).status;
  expect(last).toBe(429);
});
