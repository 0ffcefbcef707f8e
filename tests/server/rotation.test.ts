/** docs/operations.md, "Keys": a key is replaced without loss and without downtime. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { decrypt, encrypt, hmac } from "#app/lib/crypto.server.ts";
import { CASES } from "#demo/case-people.ts";
import { dropDatabase } from "../../scripts/databases.ts";
import { askCode, Caller, newAddress, tryCode } from "../factories/logins.ts";
import { newPhone } from "../factories/people.ts";
import { applied, professional } from "../setup/applications.ts";
import { cloneTemplate, DEMO_KEY, urlOf } from "../setup/database.ts";
import { Browser } from "../setup/http.ts";
import { loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

const NEW = "the key that comes after the demo's key";
const SECRETS = ["the first secret of these two servers", "the next secret of these two servers"] as const;
const database = await cloneTemplate("demo");
let before: TestServer;
let after: TestServer;
beforeAll(async () => {
  // As while processes restart in turn: the old one knows the new key already, and does not use it yet.
  before = await startServer({ database, env: { ENCRYPTION_KEY: `${DEMO_KEY},${NEW}`, SESSION_SECRET: SECRETS.join() } });
  after = await startServer({ database, env: { ENCRYPTION_KEY: `${NEW},${DEMO_KEY}`, SESSION_SECRET: SECRETS.toReversed().join() } });
});
afterAll(async () => {
  await Promise.all([before?.stop(), after?.stop()]);
  await dropDatabase(database);
});
const elsewhere = (server: TestServer, browser: Browser) => {
  const same = new Browser(server.url);
  for (const [name, value] of browser.cookies) same.cookies.set(name, value);
  return same;
};

it("a code sent under one secret is accepted under the other in both directions, and sessions survive", async () => {
  for (const [from, to] of [
    [before, after],
    [after, before],
  ] as const) {
    const asked = new Caller(from.url, newAddress());
    const code = await askCode(from, asked, newPhone());
    const person = elsewhere(to, asked);
    expect((await tryCode(person, code)).status).toBe(303);
    expect((await person.get("/patient/calendar")).status).toBe(200);
    expect((await elsewhere(from, person).get("/patient/calendar")).status).toBe(200);
  }
});

it("removing a secret ends its open codes only", async () => {
  const asked = new Caller(before.url, newAddress());
  const code = await askCode(before, asked, newPhone());
  const patient = await loginAs(before, { role: "patient", phone: newPhone() });
  const later = await startServer({ database, env: { SESSION_SECRET: SECRETS[1] } });
  try {
    expect((await tryCode(elsewhere(later, asked), code)).status).toBe(400);
    expect((await elsewhere(later, patient).get("/patient/calendar")).status).toBe(200);
  } finally {
    await later.stop();
  }
});

it("npm run reseal encrypts stored values with the new key only", async () => {
  const { sql } = after;
  const [doctor] = await sql<{ id: string; sealed: string; mac: string; pan: string; panMac: string }[]>`
    select id, aadhaar_sealed as sealed, aadhaar_mac as mac, pan_sealed as pan, pan_mac as "panMac"
    from doctors where aadhaar_sealed is not null order by id limit 1`;
  const [draft] = await sql<{ id: string }[]>`
    insert into users (role, email) values ('doctor', 'draft@demo.test') returning id`;
  await sql`insert into doctors (id) values (${draft!.id})`;
  await sql`insert into verification_drafts (doctor_id, bank) values (${draft!.id}, ${encrypt('{"typed":{}}', [DEMO_KEY], `verification_drafts|bank|${draft!.id}`)})`;
  const [change] = await sql<{ id: string }[]>`
    insert into profile_changes (doctor_id, field, before, after) select ${doctor!.id}, 'bank', '[]', '[]' returning id`;
  await sql`update profile_changes set account_sealed = ${encrypt("123456789", [DEMO_KEY], `profile_changes|account|${change!.id}`)} where id = ${change!.id}`;
  const plain = decrypt(doctor!.sealed, [DEMO_KEY], `doctors|aadhaar|${doctor!.id}`);
  const pan = decrypt(doctor!.pan, [DEMO_KEY], `doctors|pan|${doctor!.id}`);
  expect(doctor!.panMac).toBe(hmac(pan, DEMO_KEY, "pan"));
  const hashKey = async (key: string) =>
    decrypt(
      (await sql<{ key: string }[]>`select key from server_keys where name = 'identity-hash'`)[0]!.key,
      [key],
      "server_keys|key|identity-hash",
    );
  const hash = `k1.${hmac(plain, await hashKey(DEMO_KEY), "aadhaar")}`;
  expect(doctor!.mac).toBe(hash);
  // One more doctor, hashed under ENCRYPTION_KEY: a row of an earlier version that the job has not reached.
  const [early] = await sql<{ id: string }[]>`insert into users (role, email) values ('doctor', 'early@demo.test') returning id`;
  await sql`insert into doctors (id, aadhaar_sealed, aadhaar_mac) values (${early!.id},
    ${encrypt("712345670123", [DEMO_KEY], `doctors|aadhaar|${early!.id}`)}, ${hmac("712345670123", DEMO_KEY, "aadhaar")})`;

  // A form that waits for a fresh proof.
  const waiting = "a hash of a session's token";
  await sql`insert into sessions (token_hash, user_id, last_seen_at, expires_at, unsent_form) values (${waiting}, ${doctor!.id}, now(),
    now() + interval '1 day', ${encrypt('{"path":"/x"}', [DEMO_KEY], `sessions|unsent_form|${waiting}`)})`;

  const run = (key: string) =>
    spawnSync(process.execPath, ["scripts/reseal.ts"], {
      encoding: "utf8",
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        DATABASE_URL: urlOf(database),
        DATA_DIR: after.dataDir,
        DEMO: "1",
        ENCRYPTION_KEY: key,
      },
    });
  const lost = run(NEW);
  expect(lost.status).toBe(1);
  expect(lost.stderr).toContain("cannot be decrypted");
  const first = run(`${NEW},${DEMO_KEY}`);
  expect([first.status, first.stderr]).toEqual([0, ""]);
  expect(Number(/^(\d+) values/.exec(first.stdout)?.[1])).toBeGreaterThan(4);
  expect(run(`${NEW},${DEMO_KEY}`).stdout).toMatch(/^0 values/);

  // Every encrypted column of the schema with stored values, by any name: none is left under the old key.
  const oldId = createHash("sha256").update(`nadi|key-id|${DEMO_KEY}`).digest("hex").slice(0, 8);
  const columns = await sql<{ table: string; column: string }[]>`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = 'public' and data_type = 'text' and table_name not in ('api_replays', 'otp_challenges')`;
  for (const { table, column } of columns) {
    const left = await sql.unsafe(`select from "${table}" where "${column}" like 'v1.${oldId}.%' limit 1`);
    expect([`${table}.${column}`, left.length]).toEqual([`${table}.${column}`, 0]);
  }
  const [now] = await sql<
    { sealed: string; mac: string; panMac: string }[]
  >`select aadhaar_sealed as sealed, aadhaar_mac as mac, pan_mac as "panMac" from doctors where id = ${doctor!.id}`;
  expect(decrypt(now!.sealed, [NEW], `doctors|aadhaar|${doctor!.id}`)).toBe(plain);
  expect(now!.panMac).toBe(hmac(pan, NEW, "pan"));
  // The hash of an Aadhaar number cannot be computed again once the number is erased: its key survives the rotation.
  expect(now!.mac).toBe(hash);
  const [rehashed] = await sql<{ mac: string }[]>`select aadhaar_mac as mac from doctors where id = ${early!.id}`;
  expect(rehashed!.mac).toBe(`k1.${hmac("712345670123", await hashKey(NEW), "aadhaar")}`);
  const [session] = await sql<{ form: string }[]>`select unsent_form as form from sessions where token_hash = ${waiting}`;
  expect(decrypt(session!.form, [NEW], `sessions|unsent_form|${waiting}`)).toBe('{"path":"/x"}');
  const [account] = await sql<{ sealed: string }[]>`select account_sealed as sealed from profile_changes where id = ${change!.id}`;
  expect(decrypt(account!.sealed, [NEW], `profile_changes|account|${change!.id}`)).toBe("123456789");
});

it("with the new key only: an encrypted file opens, and a duplicate of an erased number is refused", async () => {
  const { sql } = after;
  const [suspended] = await sql<{ id: string; last4: string }[]>`
    select id, aadhaar_last4 as last4 from doctors where registration_status = 'suspended' and aadhaar_erased_at is not null`;
  const [file] = await sql<{ id: string }[]>`
    select f.id from files f join doctor_documents d on d.file_id = f.id where d.doctor_id = ${suspended!.id} and f.sealed limit 1`;
  // The number of this doctor in the demo (demo/cases.server.ts).
  const number = `0000${11_110_124 + CASES.findIndex(({ status }) => status === "suspended")}`;
  expect(number.slice(-4)).toBe(suspended!.last4);
  const later = await startServer({ database, dataDir: after.dataDir, demoFiles: true, env: { ENCRYPTION_KEY: NEW } });
  try {
    const admin = await loginAs(later, { role: "admin" });
    const answer = await admin.get(`/files/${file!.id}`);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
    await expect(applied(later, { professional: professional({ aadhaarNumber: number }) })).rejects.toThrow(
      "We could not accept these registration or identity numbers",
    );
    await applied(later, { professional: professional({ aadhaarNumber: "812345670123" }) });
  } finally {
    await later.stop();
  }
});
