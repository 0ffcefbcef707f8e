import { availableParallelism } from "node:os";
import { expect, it } from "vitest";
import type { DomainError } from "#app/lib/domain-error.ts";
import { workQueues } from "#app/lib/work-queue.ts";
import { hashPassword, verifyPassword } from "./passwords.server.ts";

const queue = () => [...workQueues].find(({ bounds }) => bounds.name === "passwords")!;

it("verifies a password against its hash, and refuses one without an account", async () => {
  const stored = await hashPassword("correct horse");
  expect(await verifyPassword(stored, "correct horse")).toBe(true);
  expect(await verifyPassword(stored, "wrong horse")).toBe(false);
  expect(await verifyPassword(null, "no account has this password")).toBe(false);
  expect(await verifyPassword("not a hash", "x")).toBe(false);
});

it("hashes as many passwords at once as there are cores, and refuses more waiting requests with Retry-After", async () => {
  const { parallel, waiting } = queue().bounds;
  expect(parallel).toBe(availableParallelism());
  const most = parallel + waiting;
  const outcomes = Array.from({ length: most + 5 }, (_, n) => hashPassword(`password ${n}`).catch((error: DomainError) => error));
  expect([queue().running, queue().waiting]).toEqual([parallel, waiting]);
  const settled = await Promise.all(outcomes);
  expect(settled.filter((one) => typeof one === "string")).toHaveLength(most);
  const refused = settled.filter((one) => typeof one !== "string");
  expect(refused).toHaveLength(5);
  for (const refusal of refused) expect(refusal).toMatchObject({ code: "unavailable", retryAfterSeconds: expect.any(Number) });
  expect(await hashPassword("after the crowd")).toMatch(/^\$argon2id\$/);
});
