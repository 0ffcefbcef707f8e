import { describe, expect, it } from "vitest";
import { WorkerFailed, WorkerPool } from "./worker-pool.server.ts";

const FILE = new URL("../../tests/mocks/hostile.worker.ts", import.meta.url);
const poolOf = (bounds: { ms?: number; size?: number } = {}) =>
  new WorkerPool<string, string>(FILE, { name: "test", size: 1, heapMb: 16, ms: 20_000, waiting: 5, ...bounds });

describe("a worker pool", () => {
  it("answers each input with its own output", async () => {
    const pool = poolOf({ size: 2 });
    expect(await Promise.all(["a", "b", "c", "d"].map((input) => pool.run(input)))).toEqual(["a", "b", "c", "d"]);
  });
  it.each([["fill"], ["throw"], ["end"]])("survives an input that makes the worker %s", async (what) => {
    const pool = poolOf();
    await expect(pool.run(what)).rejects.toBeInstanceOf(WorkerFailed);
    expect(await pool.run("next")).toBe("next");
  });
  it("terminates a worker that exceeds its time, and answers the next input", async () => {
    const pool = poolOf({ ms: 2_000 });
    const [spun, next] = [pool.run("spin"), pool.run("next")];
    await expect(spun).rejects.toThrow("out of time");
    expect(await next).toBe("next");
  });
});
