import { afterEach, expect, it, vi } from "vitest";
import { within } from "./within.ts";

afterEach(() => vi.useRealTimers());

it("returns what the work gives, and leaves no timer", async () => {
  vi.useFakeTimers();
  expect(await within(1000, Promise.resolve("answer"), () => new Error("late"))).toBe("answer");
  expect(vi.getTimerCount()).toBe(0);
});

it("rejects when the work is late, and ignores how it ends then", async () => {
  vi.useFakeTimers();
  const work = Promise.withResolvers<string>();
  const outcome = within(1000, work.promise, () => new Error("late")).catch((error: Error) => error.message);
  await vi.advanceTimersByTimeAsync(1000);
  expect(await outcome).toBe("late");
  work.reject(new Error("too late to matter"));
});

it("starts a lazy query once", async () => {
  let started = 0;
  // A query of drizzle is a thenable that runs at each `then`.
  // biome-ignore lint/suspicious/noThenProperty: that is what is tested
  const query = { then: (done: (rows: string) => void) => done(`run ${++started}`) } as PromiseLike<string>;
  expect(await within(1000, query, () => null)).toBe("run 1");
});
