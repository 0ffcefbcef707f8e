import { expect, it } from "vitest";
import { Turns } from "./turns.ts";

const nextTurn = () => new Promise<void>((ok) => void setImmediate(ok));

it("starts a few jobs in each turn of the event loop, in the order they came, and refuses more than may wait", async () => {
  const turns = new Turns({ each: 2, waiting: 3 });
  const started: number[] = [];
  const all = [0, 1, 2, 3, 4].map((n) => turns.next().then(() => void started.push(n)));
  await expect(turns.next()).rejects.toMatchObject({ code: "unavailable" });
  expect(started).toEqual([0, 1]);
  await nextTurn();
  expect(started).toEqual([0, 1, 2, 3]);
  await Promise.all(all);
  expect(started).toEqual([0, 1, 2, 3, 4]);
  await nextTurn();
  await turns.next();
});
