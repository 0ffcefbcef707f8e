import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { auditLog } from "#app/db/schema/index.ts";
import { makePatient } from "../../../../tests/factories/people.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { getPatientProfile } from "./queries.server.ts";
import { savePatientProfile } from "./save-profile.server.ts";

const { db, ctx } = testDb();

it("writes which fields a patient changed to the audit log, without their values, and no press that changes nothing", async () => {
  const { id, actor } = await makePatient(db, { name: "Ravi Kumar" });
  const save = (over: object) => savePatientProfile(ctx(actor), { name: "Ravi Kumar", noAllergies: false, removePhoto: false, ...over });
  await save({});
  await save({ name: "Ravi Kumar Rao", gender: "male" });
  await save({ name: "Ravi Kumar Rao", gender: "male" });
  expect(await getPatientProfile(ctx(actor))).toMatchObject({ name: "Ravi Kumar Rao", gender: "male" });
  expect(await db.select().from(auditLog).where(eq(auditLog.personId, id))).toMatchObject([
    { action: "edit-profile", subjectType: "user", subjectId: id, actorId: id, details: { changed: "name, gender" } },
  ]);
});
