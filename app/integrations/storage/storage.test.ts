import { createHash, createHmac } from "node:crypto";
import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DomainError } from "#app/lib/domain-error.ts";
import { httpStub, type Seen } from "../../../tests/mocks/http-stub.ts";
import { filesystemStore } from "./filesystem.server.ts";
import { s3Store } from "./s3.server.ts";
import type { FileStore } from "./storage.server.ts";

const bytes = Buffer.from([0, 1, 2, 250, 255]);
const KEY = "medical-record/0123abc";
const BAD_KEYS = ["", "../secret", "a/../../b", "/etc/passwd", "a//b", "A", "a.jpg", "a\\b", "a\0", "a/", "%2e%2e/a", `${"a".repeat(201)}`];

async function unavailable(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => null,
    (e: unknown) => e,
  );
  expect(error).toBeInstanceOf(DomainError);
  expect((error as DomainError).code).toBe("unavailable");
  return String((error as DomainError).cause);
}
async function refusesBadKeys(store: FileStore) {
  for (const key of BAD_KEYS) {
    await expect(store.put(key, bytes, "image/jpeg")).rejects.toThrow("not a storage key");
    await expect(store.get(key)).rejects.toThrow("not a storage key");
    await expect(store.remove(key)).rejects.toThrow("not a storage key");
  }
}

describe("files on disk", () => {
  let root = "";
  beforeAll(async () => {
    root = join(await mkdtemp(join(tmpdir(), "nadi-files-")), "files");
  });
  afterAll(() => rm(join(root, ".."), { recursive: true, force: true }));

  test("returns what was stored until it is removed", async () => {
    const store = filesystemStore(root);
    expect(await store.get(KEY)).toBeNull();
    await store.put(KEY, bytes, "image/jpeg");
    await store.put(KEY, bytes, "image/jpeg");
    expect(Buffer.from((await store.get(KEY)) ?? [])).toEqual(bytes);
    await store.remove(KEY);
    await store.remove(KEY);
    expect(await store.get(KEY)).toBeNull();
  });
  test("restricts permissions to the user, and leaves no partial file", async () => {
    const store = filesystemStore(root);
    await store.put("patient-photo/a1", bytes, "image/jpeg");
    expect((await stat(root)).mode & 0o777).toBe(0o700);
    expect((await stat(join(root, "patient-photo"))).mode & 0o777).toBe(0o700);
    expect((await stat(join(root, "patient-photo", "a1"))).mode & 0o777).toBe(0o600);
    expect(await readdir(join(root, "patient-photo"))).toEqual(["a1"]);
  });
  test("refuses keys outside the directory", () => refusesBadKeys(filesystemStore(root)));
  test("reports a disk that cannot be written as unavailable", async () => {
    const file = join(root, "..", "a-file");
    await writeFile(file, "");
    expect(await unavailable(filesystemStore(file).put(KEY, bytes, "image/jpeg"))).toMatch(/EEXIST|ENOTDIR/);
  });
});

const SETTINGS = { bucket: "nadi-files", region: "ap-south-1", accessKeyId: "AKIDEXAMPLE", secretAccessKey: "not-a-real-secret" };

/** Computes the signature of a received request as Amazon describes it. */
function signatureOf(call: Seen): string {
  const header = String(call.headers.authorization);
  const names = /SignedHeaders=([^,]+)/.exec(header)?.[1] ?? "";
  const scope = /Credential=[^/]+\/([^,]+)/.exec(header)?.[1] ?? "";
  const canonical = [
    call.method,
    call.path,
    "",
    ...names.split(";").map((n) => `${n}:${String(call.headers[n]).trim()}`),
    "",
    names,
    String(call.headers["x-amz-content-sha256"]),
  ].join("\n");
  const toSign = ["AWS4-HMAC-SHA256", call.headers["x-amz-date"], scope, createHash("sha256").update(canonical).digest("hex")].join("\n");
  const key = scope
    .split("/")
    .reduce<Buffer | string>((k, part) => createHmac("sha256", k).update(part).digest(), `AWS4${SETTINGS.secretAccessKey}`);
  return createHmac("sha256", key).update(toSign).digest("hex");
}

describe("files in a bucket", () => {
  test("signs put, get and remove, and sends them to the object's path", async () => {
    const stored = new Map<string, Buffer>();
    await using stub = await httpStub(({ method, path, body }) => {
      if (method === "PUT") stored.set(path, body);
      if (method === "DELETE") stored.delete(path);
      if (method !== "GET") return { status: method === "PUT" ? 200 : 204 };
      const found = stored.get(path);
      return found ? { body: found } : { status: 404, body: "<Error><Code>NoSuchKey</Code></Error>" };
    });
    const store = s3Store({ ...SETTINGS, endpoint: stub.url });
    await store.put(KEY, bytes, "image/jpeg");
    expect(Buffer.from((await store.get(KEY)) ?? [])).toEqual(bytes);
    await store.remove(KEY);
    expect(await store.get(KEY)).toBeNull();

    expect(stub.seen.map((c) => `${c.method} ${c.path}`)).toEqual(["PUT", "GET", "DELETE", "GET"].map((m) => `${m} /nadi-files/${KEY}`));
    expect(stub.seen[0]?.headers["content-type"]).toBe("image/jpeg");
    for (const call of stub.seen) {
      expect(call.headers.authorization).toMatch(
        /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/ap-south-1\/s3\/aws4_request, ?SignedHeaders=[a-z0-9;-]*host[a-z0-9;-]*, ?Signature=[0-9a-f]{64}$/,
      );
      expect(String(call.headers.authorization)).toContain(signatureOf(call));
    }
  });
  test("retries a server error once", async () => {
    await using once = await httpStub((_, nth) => (nth === 1 ? { status: 503 } : { status: 200 }));
    await s3Store({ ...SETTINGS, endpoint: once.url }).put(KEY, bytes, "image/jpeg");
    expect(once.seen).toHaveLength(2);
    expect(once.seen[1]?.body).toEqual(bytes);
    await using broken = await httpStub(() => ({ status: 500 }));
    expect(await unavailable(s3Store({ ...SETTINGS, endpoint: broken.url }).get(KEY))).toContain("status 500");
    expect(broken.seen).toHaveLength(2);
  });
  test("does not retry a refusal, and reveals no secret", async () => {
    await using stub = await httpStub(() => ({ status: 403, body: `<Error>${SETTINGS.secretAccessKey}</Error>` }));
    const message = await unavailable(s3Store({ ...SETTINGS, endpoint: stub.url }).put(KEY, bytes, "image/jpeg"));
    expect(message).toContain("status 403");
    expect(message).not.toContain(SETTINGS.secretAccessKey);
    expect(stub.seen).toHaveLength(1);
  });
  test("ends at the deadline when the bucket does not respond", async () => {
    await using stub = await httpStub(() => "hang");
    const started = performance.now();
    expect(await unavailable(s3Store({ ...SETTINGS, endpoint: stub.url }, 250).get(KEY))).toContain("no answer in time");
    expect(performance.now() - started).toBeLessThan(2000);
  });
  test("reports a closed and a refused connection as unavailable", async () => {
    await using stub = await httpStub(() => "drop");
    await unavailable(s3Store({ ...SETTINGS, endpoint: stub.url }).get(KEY));
    await unavailable(s3Store({ ...SETTINGS, endpoint: "http://127.0.0.1:1" }).get(KEY));
  });
  test("refuses keys outside the bucket", () => refusesBadKeys(s3Store({ ...SETTINGS, endpoint: "http://127.0.0.1:1" })));
});
