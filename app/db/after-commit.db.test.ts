import { expect, it } from "vitest";
import { testDb } from "../../tests/setup/test-db.ts";
import { afterCommit, inTransaction } from "./after-commit.server.ts";

const { db } = testDb();

it("runs effects after the outermost commit, in their order", async () => {
  const seen: string[] = [];
  await inTransaction(db, async (outer) => {
    afterCommit(outer, () => seen.push("first"));
    await inTransaction(outer, async (inner) => afterCommit(inner, () => seen.push("inner")));
    afterCommit(outer, () => seen.push("last"));
    expect(seen).toEqual([]);
  });
  expect(seen).toEqual(["first", "inner", "last"]);
});

it("runs none of a rolled back transaction, also of an inner one", async () => {
  const seen: string[] = [];
  const fail = () => Promise.reject(new Error("undo"));
  await inTransaction(db, async (tx) => {
    afterCommit(tx, () => seen.push("outer"));
    return fail();
  }).catch(() => undefined);
  await inTransaction(db, async (tx) => {
    await inTransaction(tx, async (inner) => {
      afterCommit(inner, () => seen.push("inner"));
      return fail();
    }).catch(() => undefined);
    afterCommit(tx, () => seen.push("kept"));
  });
  expect(seen).toEqual(["kept"]);
});

it("runs an effect at once without a transaction", () => {
  const seen: string[] = [];
  afterCommit(db, () => seen.push("now"));
  expect(seen).toEqual(["now"]);
});
