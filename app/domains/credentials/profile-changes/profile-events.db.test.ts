import { and, eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { domainEvents } from "#app/db/schema/index.ts";
import { EVENT_ACTIONS } from "#app/domains/platform/events/event-kinds.ts";
import { admin, ctx, db, doctor, pendingOf, save } from "../../../../tests/setup/profile-changes.ts";
import { decideChange } from "./decide-change.server.ts";
import { withdrawChange } from "./withdraw-change.server.ts";

it("records each action on a change of a profile once, also a change that a newer one replaces", async () => {
  const events = async () =>
    (
      await db
        .select({ kind: domainEvents.kind, data: domainEvents.data })
        .from(domainEvents)
        .where(and(eq(domainEvents.doctorId, doctor.userId), eq(domainEvents.subjectKind, "profile-change")))
        .orderBy(domainEvents.id)
    ).map(({ kind, data }) => `${kind} ${data.field} ${data.to}`);
  const expected: string[] = [];
  const after = async (...more: string[]) => {
    expected.push(...more.map((line) => `profile-change.${line}`));
    expect(await events()).toEqual(expected);
  };

  await save({ fullName: "Dr. Asha One" });
  await after("ask name pending");
  await save({ fullName: "Dr. Asha Two" });
  await after("withdraw name withdrawn", "ask name pending");
  const own = await pendingOf("name");
  await withdrawChange(ctx(doctor), own.id);
  await after("withdraw name withdrawn");
  await withdrawChange(ctx(doctor), own.id);
  await after();
  for (const [intent, to] of [
    ["refuse", "refused"],
    ["approve", "approved"],
  ] as const) {
    await save({ fullName: `Dr. Asha ${intent}` });
    await decideChange(ctx(admin), { id: (await pendingOf("name")).id, intent, reason: "Because." });
    await after("ask name pending", `${intent} name ${to}`);
  }
  expect(new Set(expected.map((line) => /\.([a-z]+)/.exec(line)![1]))).toEqual(new Set(EVENT_ACTIONS["profile-change"]));
});
