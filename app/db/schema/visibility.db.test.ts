import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { REGISTRATION_STATUSES, type RegistrationStatus } from "#app/lib/vocabulary.ts";
import { testDb } from "../../../tests/setup/test-db.ts";
import { HOSPITAL_STATUSES } from "./index.ts";
import { isListedDoctor, listedDoctor, listedHospital } from "./visibility.ts";

const { db } = testDb();

const LISTED: Record<RegistrationStatus, boolean> = {
  draft: false,
  "under review by hospital": false,
  "pending admin approval": false,
  verified: true,
  rejected: false,
  suspended: false,
};
it.each(REGISTRATION_STATUSES)("SQL and TypeScript agree whether a doctor who is %s is listed", async (registrationStatus) => {
  const column = sql`${registrationStatus}::text`;
  const [row] = await db.execute<{ listed: boolean }>(sql`select ${listedDoctor({ registrationStatus: column })} as listed`);
  expect([row?.listed, isListedDoctor({ registrationStatus })]).toEqual([LISTED[registrationStatus], LISTED[registrationStatus]]);
});

it("lists confirmed hospitals only", async () => {
  const listed = await Promise.all(
    HOSPITAL_STATUSES.map(async (status) => {
      const [row] = await db.execute<{ listed: boolean }>(sql`select ${listedHospital({ status: sql`${status}::text` })} as listed`);
      return row?.listed && status;
    }),
  );
  expect(listed.filter(Boolean)).toEqual(["active"]);
});
