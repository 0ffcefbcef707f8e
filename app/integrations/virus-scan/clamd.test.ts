import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Behaviour, type Clamd, EICAR, startClamd } from "../../../tests/mocks/clamd.ts";
import { clamd } from "./clamd.server.ts";

let server: Clamd;
beforeAll(async () => {
  server = await startClamd();
});
afterAll(() => server.close());
beforeEach(() => {
  server.behave = "scan";
  server.received.length = 0;
});
const scanner = (limit?: number) => clamd({ host: "127.0.0.1", port: server.port }, limit);

describe("a scan", () => {
  it("sends the whole file in chunks and returns the verdict", async () => {
    const large = Buffer.alloc(200_001, "a");
    expect(await scanner().scan(large)).toBe("clean");
    expect(await scanner().scan(Buffer.concat([large, Buffer.from(EICAR)]))).toBe("infected");
    expect(await scanner().scan(new Uint8Array(0))).toBe("clean");
    expect(server.received.map((file) => file.byteLength)).toEqual([200_001, 200_001 + EICAR.length, 0]);
  });
  it("runs for many files at once, each with its own verdict", async () => {
    const own = scanner();
    const verdicts = await Promise.all(Array.from({ length: 12 }, (_, i) => own.scan(Buffer.from(i % 3 ? "a file" : EICAR))));
    expect(verdicts).toEqual(Array.from({ length: 12 }, (_, i) => (i % 3 ? "clean" : "infected")));
  });
  it.each(["silent", "slow", "close", "close-early", "reset", "error", "garbage", "flood"] satisfies Behaviour[])(
    "is never taken for clean by a daemon that is: %s",
    async (behave) => {
      server.behave = behave;
      const began = Date.now();
      await expect(scanner(300).scan(Buffer.alloc(100_000, "b"))).rejects.toMatchObject({ code: "unavailable" });
      expect(Date.now() - began).toBeLessThan(3_000);
    },
  );
  it("fails when nothing listens", async () => {
    const other = await startClamd();
    await other.close();
    await expect(clamd({ host: "127.0.0.1", port: other.port }).scan(Buffer.from("x"))).rejects.toMatchObject({ code: "unavailable" });
    await expect(clamd({ path: "/nowhere/clamd.ctl" }).scan(Buffer.from("x"))).rejects.toMatchObject({ code: "unavailable" });
  });
});
