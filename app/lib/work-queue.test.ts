import { describe, expect, it } from "vitest";
import { DomainError } from "./domain-error.ts";
import { WorkQueue, type WorkQueueBounds } from "./work-queue.ts";

const queueOf = (bounds: Partial<WorkQueueBounds> = {}) =>
  new WorkQueue({ name: "test", parallel: 2, waiting: 3, waitMs: 60_000, ...bounds });
/** A job that ends when the test calls `end`. */
function openJob() {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((ok) => {
    end = ok;
  });
  let started = false;
  return {
    run: () => {
      started = true;
      return ended;
    },
    end,
    isRunning: () => started,
  };
}
const settle = () => new Promise((ok) => setImmediate(ok));
const refusalOf = (work: Promise<unknown>) => work.then(() => null).catch((error: DomainError) => error);

describe("a work queue", () => {
  it("runs two jobs at a time and starts the next in order", async () => {
    const queue = queueOf();
    const jobs = [openJob(), openJob(), openJob(), openJob()];
    const all = jobs.map((job) => queue.run(job.run));
    await settle();
    expect(jobs.map((job) => job.isRunning())).toEqual([true, true, false, false]);
    jobs[1]!.end();
    await all[1];
    await settle();
    expect(jobs.map((job) => job.isRunning())).toEqual([true, true, true, false]);
    expect([queue.running, queue.waiting]).toEqual([2, 1]);
    for (const job of jobs) job.end();
    await Promise.all(all);
    expect([queue.running, queue.waiting]).toEqual([0, 0]);
  });
  it("limits the running weight, and runs a heavier job alone", async () => {
    const queue = queueOf({ weight: 25 });
    const [light, heavy, late] = [openJob(), openJob(), openJob()];
    const all = [queue.run(light.run, 12), queue.run(heavy.run, 49), queue.run(late.run, 5)];
    await settle();
    // `late` would fit, but jobs do not overtake.
    expect([light, heavy, late].map((job) => job.isRunning())).toEqual([true, false, false]);
    light.end();
    await all[0];
    await settle();
    expect([heavy, late].map((job) => job.isRunning())).toEqual([true, false]);
    heavy.end();
    await all[1];
    await settle();
    expect(late.isRunning()).toBe(true);
    late.end();
    await all[2];
  });
  it("refuses with Retry-After when the queue is full", async () => {
    const queue = queueOf({ parallel: 1, waiting: 1 });
    const [first, second] = [openJob(), openJob()];
    const all = [queue.run(first.run), queue.run(second.run)];
    const refusal = await refusalOf(queue.run(async () => undefined));
    expect(refusal).toBeInstanceOf(DomainError);
    expect(refusal).toMatchObject({ code: "unavailable", retryAfterSeconds: 60 });
    expect(queue.refused).toBe(1);
    first.end();
    second.end();
    await Promise.all(all);
  });
  it("refuses a job that waited too long, and never runs it", async () => {
    const queue = queueOf({ parallel: 1, waitMs: 1 });
    const [first, second] = [openJob(), openJob()];
    const running = queue.run(first.run);
    expect(await refusalOf(queue.run(second.run))).toMatchObject({ code: "unavailable" });
    first.end();
    await running;
    await settle();
    expect(second.isRunning()).toBe(false);
    expect(queue.waiting).toBe(0);
  });
  it("gives the place of a failed job to the next one", async () => {
    const queue = queueOf({ parallel: 1 });
    const failed = queue.run(async () => {
      throw new Error("no");
    });
    const next = queue.run(async () => "done");
    await expect(failed).rejects.toThrow("no");
    expect(await next).toBe("done");
  });
});
