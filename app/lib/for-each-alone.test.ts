import { expect, it } from "vitest";
import { forEachAlone } from "./for-each-alone.ts";

it("goes on after an item that fails, and then throws its error", async () => {
  const seen: number[] = [];
  const work = async (n: number) => {
    seen.push(n);
    if (n === 1 || n === 2) throw new Error(`item ${n}`);
  };
  await expect(forEachAlone([1, 2, 3], work)).rejects.toThrow("item 1");
  expect(seen).toEqual([1, 2, 3]);
});
