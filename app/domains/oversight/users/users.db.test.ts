import { and, eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { auditLog, otpChallenges, sessions, users } from "#app/db/schema/index.ts";
import type { Actor } from "#app/domains/context.server.ts";
import { documentWord } from "#app/domains/credentials/cases/words.ts";
import { AuditFilterSchema } from "#app/domains/oversight/audit-log/audit.schema.ts";
import { listAudit, listAuditChoices } from "#app/domains/oversight/audit-log/queries.server.ts";
import { findSession } from "#app/domains/platform/accounts/queries.server.ts";
import { openSession } from "#app/domains/platform/accounts/sessions.server.ts";
import { recordRead as recordAudit } from "#app/domains/platform/audit/record.server.ts";
import { instantInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { hashToken } from "#app/lib/ids.server.ts";
import { env } from "#app/runtime/env.server.ts";
import { makeAdmin, makeCase, makeHospital, makeReviewer } from "../../../../tests/factories/cases.ts";
import { makePatient } from "../../../../tests/factories/people.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { disableUser } from "./disable-user.server.ts";
import { enableUser } from "./enable-user.server.ts";
import { endSessions } from "./end-sessions.server.ts";
import { makeAdmin as makeAdminAccount } from "./make-admin.server.ts";
import { getUser, listUsers } from "./queries.server.ts";

const { db, sql, ctx } = testDb();
let admin: Awaited<ReturnType<typeof makeAdmin>>;
beforeAll(async () => {
  admin = await makeAdmin(db);
});
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error: unknown) => {
      if (!(error instanceof DomainError)) throw error;
      return error.code;
    },
  );

describe("disabling an account", () => {
  test("ends the sessions at once and refuses logins until it is enabled again", async () => {
    const { actor, id } = await makePatient(db, { name: "Closed Person" });
    const token = await openSession(ctx(), actor, "Firefox");
    await disableUser(ctx(admin), { id, reason: "Asked for it by email." });
    expect(await db.$count(sessions, eq(sessions.userId, id))).toBe(0);
    expect(await findSession(ctx(), hashToken(token))).toBeNull();
    // A login that started before is refused too.
    const late = await openSession(ctx(), actor, "Firefox");
    expect(await findSession(ctx(), hashToken(late))).toBeNull();
    const [row] = await db
      .select()
      .from(auditLog)
      .where(and(eq(auditLog.subjectId, id), eq(auditLog.action, "disable-user")));
    expect(row).toMatchObject({ actorId: admin.userId, personId: id, details: { reason: "Asked for it by email.", sessionsEnded: 1 } });
    expect(await codeOf(disableUser(ctx(admin), { id, reason: "x" }))).toBe("conflict");
    await enableUser(ctx(admin), { id });
    expect(await codeOf(enableUser(ctx(admin), { id }))).toBe("conflict");
    expect((await getUser(ctx(admin), id)).status).toBe("active");
  });
  test("refuses one's own account, every other role and unknown users", async () => {
    const { id } = await makePatient(db);
    const reviewer = await makeReviewer(db);
    expect(await codeOf(disableUser(ctx(admin), { id: admin.userId, reason: "x" }))).toBe("forbidden");
    for (const who of [reviewer, (await makePatient(db)).actor] as Actor[])
      for (const work of [
        () => disableUser(ctx(who), { id, reason: "x" }),
        () => enableUser(ctx(who), { id }),
        () => endSessions(ctx(who), { id }),
      ])
        expect(await codeOf(work())).toBe("forbidden");
    for (const bad of ["nonsense", crypto.randomUUID()])
      for (const work of [
        () => disableUser(ctx(admin), { id: bad, reason: "x" }),
        () => enableUser(ctx(admin), { id: bad }),
        () => endSessions(ctx(admin), { id: bad }),
      ])
        expect(await codeOf(work())).toBe("not-found");
  });
  test("two administrators who disable each other at once leave one", async () => {
    const [one, two] = [await makeAdmin(db), await makeAdmin(db)];
    for (let round = 0; round < 5; round++) {
      const done = (
        await Promise.all([
          codeOf(disableUser(ctx(one), { id: two.userId, reason: "x" })),
          codeOf(disableUser(ctx(two), { id: one.userId, reason: "x" })),
        ])
      ).sort();
      expect(done).toEqual(["done", "forbidden"]);
      await db.update(users).set({ status: "active" }).where(eq(users.role, "admin"));
    }
  });
  test("refuses to disable the last administrator", async () => {
    const other = await makeAdmin(db);
    await db.update(users).set({ status: "disabled" }).where(eq(users.role, "admin"));
    await db.update(users).set({ status: "active" }).where(eq(users.id, other.userId));
    // A request that passed the guard before its account was disabled disables no other account.
    expect(await codeOf(disableUser(ctx(admin), { id: other.userId, reason: "x" }))).toBe("forbidden");
    await db.update(users).set({ status: "active" }).where(eq(users.role, "admin"));
  });
});

test("ends all sessions of a user", async () => {
  const { actor, id } = await makePatient(db);
  for (let i = 0; i < 3; i++) await openSession(ctx(), actor, `Phone ${i}`);
  const seen = (await getUser(ctx(admin), id)).sessions;
  expect(seen).toHaveLength(3);
  expect(Object.keys(seen[0]!).sort()).toEqual(["createdAt", "expiresAt", "ip", "lastSeenAt", "userAgent"]);
  expect(await endSessions(ctx(admin), { id })).toBe(3);
  expect((await getUser(ctx(admin), id)).sessions).toEqual([]);
  expect((await getUser(ctx(admin), id)).status).toBe("active");
});

test("finds users by name, phone and email, and masks their numbers in the list", async () => {
  const house = await makeHospital(db);
  const doctor = await makeCase(db, { key: env().encryptionKeys[0], hospital: house, name: "Dr. Findable Person" });
  for (const search of [
    "findable",
    doctor.email.slice(0, 8),
    doctor.phone.slice(3),
    `${doctor.phone.slice(3, 8)} ${doctor.phone.slice(8)}`,
  ])
    expect(
      (await listUsers(ctx(admin), { search, role: null, disabled: false, page: 1 })).rows.map((r) => r.id),
      search,
    ).toContain(doctor.id);
  const [row] = (await listUsers(ctx(admin), { search: "findable", role: "doctor", disabled: false, page: 1 })).rows;
  expect(row?.phone).toMatch(/^\+91 •/);
  expect(row?.email).toMatch(/^.•••@/);
  expect((await listUsers(ctx(admin), { search: "findable", role: "patient", disabled: false, page: 1 })).rows).toEqual([]);
  expect((await listUsers(ctx(admin), { search: "findable", role: null, disabled: true, page: 1 })).rows).toEqual([]);
  for (const search of ["%", "_", "\\", "'; drop table users; --", `5 ${doctor.phone.slice(3)}`, `+97${doctor.phone.slice(3)}`])
    expect((await listUsers(ctx(admin), { search, role: null, disabled: false, page: 1 })).rows, search).toEqual([]);
});

test("the list counts and pages at most 10,000 accounts, newest first", async () => {
  await sql`
    insert into users (role, phone, created_at)
    select 'patient', '+917' || lpad(n::text, 9, '0'), '2020-01-01'::timestamptz + n * interval '1 second' from generate_series(1, 10001) n`;
  try {
    const page = (page: number, sort: "oldest" | null = null) =>
      listUsers(ctx(admin), { search: "", role: "patient", disabled: false, page, sort });
    const { most, ...first } = await page(1, "oldest");
    expect(first).toMatchObject({ total: most + 1, counts: { patient: most + 1, admin: expect.any(Number) }, hasMore: true });
    expect(first.counts.admin).toBeLessThan(most);
    expect(first.rows[0]!.createdAt).toEqual(new Date("2020-01-01T00:00:01Z"));
    expect((await page(most / 20 - 1)).hasMore).toBe(true);
    expect((await page(most / 20)).hasMore).toBe(false);
  } finally {
    await sql`delete from users where phone like '+917%'`;
  }
});

describe("the log", () => {
  const read = (filter: Record<string, unknown>) => listAudit(ctx(admin), AuditFilterSchema.parse(filter));
  test("filters by user, actor, action, subject and days, and pages without losing a row", async () => {
    const patient = await makePatient(db, { name: "Logged Patient" });
    const at = instantInIndia("2026-03-10", "23:30");
    for (let i = 0; i < 60; i++)
      await recordAudit(ctx(admin, at), {
        action: "proof-reading",
        subjectType: "appointment",
        subjectId: `visit-${i}`,
        personId: patient.id,
        details: { doctorId: admin.userId, kind: "identityDocument", n: i },
      });
    const first = await read({ person: "logged pat", action: "proof-reading" });
    expect(first.rows).toHaveLength(50);
    expect(first.rows[0]).toMatchObject({ person: "Logged Patient", actorRole: "admin", subjectId: "visit-59" });
    // Names in place of ids, words in place of codes.
    expect(first.rows[0]?.details).toEqual(
      expect.arrayContaining([
        { key: "kind", value: documentWord("identityDocument") },
        { key: "n", value: "59" },
      ]),
    );
    expect(first.rows[0]?.details.find((d) => d.key === "doctorId")?.value).toMatch(/^Admin/);
    const second = await read({ person: "logged pat", action: "proof-reading", before: String(first.next) });
    expect(second.rows.map((r) => r.subjectId)).toEqual(Array.from({ length: 10 }, (_, i) => `visit-${9 - i}`));
    expect(second.next).toBeNull();
    const days = async (from?: string, to?: string) => (await read({ action: "proof-reading", from, to })).rows.length;
    expect(await days("2026-03-10", "2026-03-10")).toBe(50);
    expect(await days("2026-03-11")).toBe(0);
    expect(await days(undefined, "2026-03-09")).toBe(0);
    // Pages of days are in the order of the time, also of rows with one time.
    await recordAudit(ctx(admin, instantInIndia("2026-03-10", "08:00")), {
      action: "proof-reading",
      subjectType: "appointment",
      subjectId: "written-late",
    });
    const onDay = (before?: string) => read({ action: "proof-reading", from: "2026-03-10", to: "2026-03-10", before });
    const shown = await onDay();
    const rest = await onDay(String(shown.next));
    expect([...shown.rows, ...rest.rows].map((r) => r.subjectId)).toEqual([
      ...Array.from({ length: 60 }, (_, i) => `visit-${59 - i}`),
      "written-late",
    ]);
    expect(rest.next).toBeNull();
    expect((await read({ actor: patient.id, action: "proof-reading" })).rows).toEqual([]);
    expect((await read({ person: "no such name" })).rows).toEqual([]);
    expect((await read({ subject: "appointment", subjectId: "visit-7" })).rows).toHaveLength(1);
  });
  test("ignores invalid filters", () => {
    expect(AuditFilterSchema.parse({ from: "yesterday", to: "2026-02-31", before: "-1", person: "  ", action: "x".repeat(500) })).toEqual(
      {},
    );
    expect(AuditFilterSchema.parse({ before: "9".repeat(40) })).toEqual({});
  });
  test("lists the values of the filters", async () => {
    const { actions, subjects } = await listAuditChoices(ctx(admin));
    expect(actions).toEqual([...new Set(actions)].sort());
    expect(actions).toContain("proof-reading");
    expect(subjects).toContain("appointment");
  });
});

describe("an administrator's account, created on the server", () => {
  const who = {
    email: "first@nadi.test",
    phone: "+919876511111",
    name: "First",
    password: "a long enough password",
    replacePassword: false,
  };
  const rows = () => db.select().from(users).orderBy(users.id);
  const system = { ...ctx(), requestId: "npm run admin" };
  test("is created once, also by two at once", async () => {
    const done = await Promise.all([makeAdminAccount(system, who), makeAdminAccount(system, who)]);
    expect(done.toSorted()[0]).toBe("made");
    expect(["there", "taken"]).toContain(done.toSorted()[1]);
    const before = await rows();
    expect(await makeAdminAccount(system, { ...who, password: "another long password" })).toBe("there");
    expect(await rows()).toEqual(before);
    const [row] = before.filter(({ email }) => email === who.email);
    expect(row).toMatchObject({ role: "admin", phone: who.phone, staffName: "First", status: "active", isDemo: false });
    const log = await db.select().from(auditLog).where(eq(auditLog.action, "make-admin"));
    expect(log).toMatchObject([{ actorId: null, actorRole: "system", personId: row!.id, requestId: "npm run admin" }]);
  });
  test("refuses the email or number of another user, and enables no disabled account", async () => {
    const [reviewer, closed] = [await makeReviewer(db), await makeAdmin(db)];
    await disableUser(ctx(admin), { id: closed.userId, reason: "x" });
    const before = await rows();
    for (const over of [
      { email: reviewer.email },
      { email: "second@nadi.test" },
      { phone: "+919876511112" },
      { email: closed.email, phone: closed.phone },
      { email: closed.email },
    ])
      expect(await makeAdminAccount(system, { ...who, ...over, replacePassword: true })).toBe("taken");
    expect(await rows()).toEqual(before);
  });
  test("a new password ends the sessions and logins of the old one", async () => {
    const them = await makeAdmin(db);
    const token = await openSession(ctx(), them, "Firefox");
    await db.insert(otpChallenges).values({
      idHash: "begun with the old password",
      purpose: "doctor-login",
      phone: them.phone,
      codeHmac: "x",
      jar: "x",
      expiresAt: new Date(Date.now() + 60_000),
    });
    expect(await makeAdminAccount(system, { ...who, email: them.email, phone: them.phone, replacePassword: true })).toBe("new-password");
    expect(await findSession(ctx(), hashToken(token))).toBeNull();
    const [begun] = await db.select().from(otpChallenges).where(eq(otpChallenges.phone, them.phone));
    expect(begun?.consumedAt).not.toBeNull();
  });
});
