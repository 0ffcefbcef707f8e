import { describe, expect, it } from "vitest";
import { Batches } from "./batches.ts";

const BOUNDS = { most: 3, waiting: 5 };
const settled = (all: Promise<unknown>[]) => Promise.allSettled(all).then((results) => results.map(({ status }) => status));

describe("Batches", () => {
  it("does what arrives together, or while a batch runs, together, in the order in which it came", async () => {
    const seen: number[][] = [];
    const doubled = new Batches<number, number>(
      async (items) => {
        seen.push([...items]);
        return items.map((n) => n * 2);
      },
      BOUNDS,
      () => false,
    );
    expect(await Promise.all([1, 2, 3, 4].map((n) => doubled.add(n)))).toEqual([2, 4, 6, 8]);
    expect(await doubled.add(5)).toBe(10);
    expect(seen).toEqual([[1, 2, 3], [4], [5]]);
  });

  it("refuses an item when too many wait, and takes others afterwards", async () => {
    const batches = new Batches<number, number>(
      async (items) => items,
      BOUNDS,
      () => false,
    );
    const first = Array.from({ length: 5 }, (_, n) => batches.add(n));
    await expect(batches.add(6)).rejects.toMatchObject({ code: "unavailable" });
    await Promise.all(first);
    expect(await batches.add(7)).toBe(7);
  });

  it("does items one by one after an error that one of them may be the cause of", async () => {
    const fails = async (items: readonly number[]) => {
      if (items.includes(2)) throw new Error("two");
      return items;
    };
    const divided = new Batches<number, number>(fails, BOUNDS, () => true);
    expect(await settled([1, 2, 3].map((n) => divided.add(n)))).toEqual(["fulfilled", "rejected", "fulfilled"]);
    const whole = new Batches<number, number>(fails, BOUNDS, () => false);
    expect(await settled([1, 2, 3].map((n) => whole.add(n)))).toEqual(["rejected", "rejected", "rejected"]);
    expect(await whole.add(1)).toBe(1);
  });
});
