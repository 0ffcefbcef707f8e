/** The advisory gate: no locked version is in the range of a known vulnerability, unless the reason why it does not matter is written down. */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zipSync } from "fflate";
import { afterAll, describe, expect, it } from "vitest";
import { compareVersions, findAffected, keepOurs, readLock, type StoredAdvisory, StoredList } from "./advisories/osv.ts";

const read = (path: string) => JSON.parse(readFileSync(join(import.meta.dirname, path), "utf8"));
const list = StoredList.parse(read("advisories/list.json"));
const accepted = read("advisories/accepted.json") as Record<string, string>;
const locked = readLock(read("../package-lock.json"));

describe("package-lock.json", () => {
  it("has no version that a stored advisory affects, except the accepted ones", () => {
    const found = findAffected(list.advisories, locked).map(({ id, at }) => `${id} ${at}`);
    // An acceptance that nothing needs any more is removed.
    expect(found.toSorted()).toEqual(Object.keys(accepted).toSorted());
    for (const reason of Object.values(accepted)) expect(reason.length).toBeGreaterThan(40);
  });
  it("is read with its nested versions and aliases, and with what only builds", () => {
    expect(locked.size).toBeGreaterThan(400);
    expect([...locked.get("semver")!.keys()].length).toBeGreaterThan(1);
    expect(new Set(locked.get("lightningcss")!.values())).toEqual(new Set(["builds"]));
    expect([...locked.get("socket.io")!.values()]).toEqual(["runs"]);
    expect(locked.has("@typescript/native")).toBe(false);
  });
});

type Events = StoredAdvisory["affected"][number]["ranges"][number]["events"];
describe("a range", () => {
  const affects = (version: string, events: Events, versions?: string[]) =>
    findAffected(
      [
        {
          id: "X-1",
          modified: "",
          affected: [{ package: { ecosystem: "npm", name: "a" }, ranges: [{ type: "SEMVER", events }], versions }],
        },
      ],
      new Map([["a", new Map([[version, "runs" as const]])]]),
    ).length === 1;
  it("affects from the version that introduced it to the one before the fix", () => {
    const events = [{ introduced: "1.2.0" }, { fixed: "1.4.2" }];
    expect(["1.1.9", "1.2.0", "1.4.1", "1.4.2", "1.4.2-rc.1", "1.10.0", "1.3.10"].map((version) => affects(version, events))).toEqual([
      ...[false, true, true, false, true, false, true],
    ]);
  });
  it("may have no fix, a last affected version, or several parts", () => {
    expect(["0.0.1", "99.0.0"].map((version) => affects(version, [{ introduced: "0" }]))).toEqual([true, true]);
    const last = [{ introduced: "0" }, { last_affected: "2.0.0" }];
    expect(["2.0.0", "2.0.1"].map((version) => affects(version, last))).toEqual([true, false]);
    const parts = [{ introduced: "3.0.0" }, { fixed: "3.1.0" }, { introduced: "0" }, { fixed: "1.5.0" }];
    expect(["1.4.9", "2.9.0", "3.0.5", "3.1.0"].map((version) => affects(version, parts))).toEqual([true, false, true, false]);
  });
  it("may list versions, and ranges of commits say nothing", () => {
    expect(affects("9.9.9", [{ introduced: "1.0.0" }, { fixed: "1.0.1" }], ["9.9.9"])).toBe(true);
    const git = { package: { ecosystem: "npm", name: "a" }, ranges: [{ type: "GIT", events: [{ introduced: "0" }] }] };
    expect(findAffected([{ id: "X-1", modified: "", affected: [git] }], new Map([["a", new Map([["1.0.0", "runs" as const]])]]))).toEqual(
      [],
    );
  });
  it("orders versions as semver does", () => {
    const order = [
      "0",
      "1.0.0-alpha",
      "1.0.0-alpha.1",
      "1.0.0-alpha.beta",
      "1.0.0-beta.2",
      "1.0.0-beta.11",
      "1.0.0-rc.1",
      "1.0.0",
      "1.2.0",
      "1.10.0",
    ];
    expect(order.toReversed().sort(compareVersions)).toEqual(order);
    expect(compareVersions("1.0.0+build.1", "1.0.0+build.2")).toBe(0);
    expect(() => compareVersions("latest", "1.0.0")).toThrow("not a version");
  });
});

describe("npm run advisories", () => {
  const folder = mkdtempSync(join(tmpdir(), "advisories-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const record = (id: string, over: object = {}, name = "socket.io", ecosystem = "npm") => ({
    ...{ schema_version: "1.6.0", id, modified: "2026-01-01T00:00:00Z", summary: "A fault", details: "Long text" },
    affected: [
      { package: { ecosystem, name, purl: "pkg:npm/x" }, ranges: [{ type: "SEMVER", events: [{ introduced: "0" }, { fixed: "4.8.0" }] }] },
      { package: { ecosystem: "npm", name: "left-pad" }, ranges: [] },
    ],
    ...over,
  });
  const EXPORT = [
    record("GHSA-aaaa-aaaa-aaaa"),
    record("GHSA-bbbb-bbbb-bbbb", { withdrawn: "2026-02-01T00:00:00Z" }),
    record("GHSA-cccc-cccc-cccc", {}, "no-package-of-ours"),
    record("PYSEC-2026-1", {}, "socket.io", "PyPI"),
    record("MAL-2026-1", {}, "ws"),
  ];
  let runs = 0;
  const run = async (from: string) => {
    const out = join(folder, `list-${runs++}.json`);
    const child = spawn(process.execPath, [join(import.meta.dirname, "advisories.ts"), from], {
      env: { ...process.env, ADVISORIES_LIST: out },
    });
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => (said += part));
    const code = await new Promise((ended) => child.on("close", ended));
    return { code, said, list: code === 0 ? StoredList.parse(JSON.parse(readFileSync(out, "utf8"))) : null };
  };
  const zip = () => zipSync(Object.fromEntries(EXPORT.map((one) => [`${one.id}.json`, new TextEncoder().encode(JSON.stringify(one))])));

  it("stores the records about our packages from OSV's archive over HTTP", async () => {
    const server = createServer((request, response) =>
      request.url === "/npm/all.zip" ? response.end(zip()) : response.writeHead(404).end("{}"),
    );
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { code, list: stored, said } = await run(`${at}/npm/all.zip`);
    expect(code, said).toBe(0);
    expect(stored!.advisories.map(({ id }) => id)).toEqual(["GHSA-aaaa-aaaa-aaaa", "MAL-2026-1"]);
    expect(stored!.advisories[0]!.affected).toEqual([
      { package: { ecosystem: "npm", name: "socket.io" }, ranges: [{ type: "SEMVER", events: [{ introduced: "0" }, { fixed: "4.8.0" }] }] },
    ]);
    expect(stored!.exported).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect((await run(`${at}/gone`)).code).not.toBe(0);
    server.close();
  });
  it("reads a directory, one record, a list and an answer of OSV's API", async () => {
    mkdirSync(join(folder, "export/2026"), { recursive: true });
    for (const one of EXPORT) writeFileSync(join(folder, "export/2026", `${one.id}.json`), JSON.stringify(one));
    writeFileSync(join(folder, "list.json"), JSON.stringify(EXPORT));
    writeFileSync(join(folder, "answer.json"), JSON.stringify({ vulns: EXPORT }));
    writeFileSync(join(folder, "all.zip"), zip());
    for (const from of ["export", "list.json", "answer.json", "all.zip"])
      expect((await run(join(folder, from))).list!.advisories, from).toHaveLength(2);
    expect((await run(join(folder, "export/2026/MAL-2026-1.json"))).list!.advisories).toHaveLength(1);
  });
  it("fails for what is no export, and keeps the list then", async () => {
    for (const [name, text] of [
      ["page.json", "<html>"],
      ["empty.json", "[]"],
      ["other.json", '{"hello":1}'],
    ] as const) {
      writeFileSync(join(folder, name), text);
      expect((await run(join(folder, name))).code, name).not.toBe(0);
    }
    expect(() => keepOurs({ ...record("X-1"), affected: [{ package: { ecosystem: "npm", name: "ws" }, ranges: "?" }] }, locked)).toThrow();
  });
});
