import { beforeAll, expect, test } from "vitest";
import { db } from "#app/db/pool.server.ts";
import { outboxMessages } from "#app/db/schema/index.ts";
import { outboxEmail } from "./email/outbox.server.ts";
import { listOutbox } from "./outbox.server.ts";
import { outboxSms } from "./sms/outbox.server.ts";
import { codeMessage } from "./sms/templates.ts";

const ctx = { db: db() };
const PHONE = "+914000000777";

beforeAll(async () => {
  await db().delete(outboxMessages);
  const sms = outboxSms(db);
  await sms.send(codeMessage({ to: PHONE, code: "111111", minutes: 2, host: "localhost" }));
  await sms.send(codeMessage({ to: PHONE, code: "222222", minutes: 2, host: "localhost" }));
  await sms.send(codeMessage({ to: "+914000000778", code: "333333", minutes: 2, host: "localhost" }));
  await outboxEmail(db).send({ to: "Some.One@Demo.test", subject: "Hello", body: "A message", id: "1" });
});
const bodies = async (to?: string) => (await listOutbox(ctx, to)).map((m) => m.body.slice(0, 6));

test("lists messages without a recipient filter, newest first", async () => {
  expect(await bodies()).toEqual(["A mess", "333333", "222222", "111111"]);
  expect(await bodies("  ")).toHaveLength(4);
});
test("finds a mobile number typed in any format", async () => {
  // "+91…" in a query arrives with a space in place of the plus.
  for (const to of [PHONE, " 914000000777", "4000000777", "04000000777", "+91 40000 00777", "91-40000-00777"])
    expect(await bodies(to)).toEqual(["222222", "111111"]);
});
test("finds an email address in any case", async () => {
  expect(await listOutbox(ctx, "some.ONE@demo.test")).toMatchObject([{ channel: "email", to: "some.one@demo.test", subject: "Hello" }]);
});
test("finds nothing for other input", async () => {
  for (const to of ["777", "unknown", "%", "someone@else.test"]) expect(await bodies(to)).toEqual([]);
});
