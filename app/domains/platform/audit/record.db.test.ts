import { expect, it } from "vitest";
import { dayFromNow, makePatient } from "../../../../tests/factories/people.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { recordRead as recordAudit } from "./record.server.ts";

const { db, sql, ctx } = testDb();

it("writes actor, action and subject at the time of the request", async () => {
  const patient = await makePatient(db);
  const now = new Date(`${dayFromNow(3)}T04:30:00Z`);
  await recordAudit(ctx(patient.actor, now), {
    action: "proof",
    subjectType: "user",
    subjectId: patient.id,
    personId: patient.id,
    details: { n: 1 },
  });
  await recordAudit(ctx(null, now), { action: "proof-no-actor", subjectType: "user", subjectId: patient.id });
  const rows = await sql`select * from audit_log where subject_id = ${patient.id} order by id`;
  expect(rows[0]).toMatchObject({
    actor_id: patient.id,
    actor_role: "patient",
    person_id: patient.id,
    details: { n: 1 },
    request_id: "test",
    ip: "127.0.0.1",
  });
  expect(new Date(rows[0]!.at)).toEqual(now);
  expect(rows[1]).toMatchObject({ actor_id: null, actor_role: "system", person_id: null });
});

it.each(["update audit_log set action = 'x'", "delete from audit_log", "truncate audit_log", "delete from audit_log where false"])(
  "refuses: %s",
  async (statement) => {
    const before = (await sql`select from audit_log`).count;
    await expect(sql.unsafe(statement)).rejects.toThrow("audit_log is append-only");
    expect((await sql`select from audit_log`).count).toBe(before);
  },
);
