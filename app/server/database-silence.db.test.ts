/** A frozen database is silent, a busy process or database is not. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { dropDatabase } from "../../scripts/databases.ts";
import { type DatabaseProxy, proxyDatabase } from "../../tests/mocks/database-proxy.ts";
import { cloneTemplate } from "../../tests/setup/database.ts";
import { type Silence, watchSilence } from "./database-silence.ts";

let database: Awaited<ReturnType<typeof cloneTemplate>>;
let proxy: DatabaseProxy;
let silence: Silence;
beforeAll(async () => {
  database = await cloneTemplate("reference");
  proxy = await proxyDatabase(database);
  silence = watchSilence(proxy.address);
  expect(await silence.isSilent()).toBe(false);
});
afterAll(async () => {
  await silence?.stop();
  await proxy?.stop();
  await dropDatabase(database);
});

/** Keeps this process busy in pieces, for longer than the database has to answer. */
async function beBusy(): Promise<void> {
  for (const until = performance.now() + 5_000; performance.now() < until; await new Promise((ok) => setImmediate(ok)))
    for (const piece = performance.now() + 400; performance.now() < piece; );
}

it("is not silent while this process is busy", async () => {
  const [silent] = await Promise.all([silence.isSilent(), beBusy()]);
  expect(silent).toBe(false);
});

it("is silent while it is frozen, for all that ask, and not once it is back", async () => {
  proxy.freeze();
  expect(await Promise.all([silence.isSilent(), silence.isSilent()])).toEqual([true, true]);
  expect(await silence.isSilent()).toBe(true);
  await proxy.giveBack();
  await expect.poll(() => silence.isSilent()).toBe(false);
});

it("is silent while connections are refused", async () => {
  await proxy.disconnect();
  expect(await silence.isSilent()).toBe(true);
  await proxy.giveBack();
  await expect.poll(() => silence.isSilent()).toBe(false);
});
