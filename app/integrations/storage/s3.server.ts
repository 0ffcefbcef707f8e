import { AwsClient } from "aws4fetch";
import { seconds } from "#app/lib/durations.ts";
import { unavailable } from "../failure.server.ts";
import { checkKey } from "./key.ts";
import type { FileStore } from "./storage.server.ts";

export type S3Settings = { endpoint: string; bucket: string; region: string; accessKeyId: string; secretAccessKey: string };

/** Leaves time for the page that says so: a request has 10 s (app/server/gates.ts), of which the check of a picture takes some. */
const LIMIT = seconds(6);

/** Stores files in an S3-compatible bucket with path-style addresses. */
export function s3Store(settings: S3Settings, limit = LIMIT): FileStore {
  // The client's retries are off: they would continue long after our deadline.
  const client = new AwsClient({
    accessKeyId: settings.accessKeyId,
    secretAccessKey: settings.secretAccessKey,
    region: settings.region,
    service: "s3",
    retries: 0,
  });
  const url = (key: string) => `${settings.endpoint}/${encodeURIComponent(settings.bucket)}/${checkKey(key)}`;

  // Every operation is idempotent, so a retry is safe.
  async function call(key: string, init: RequestInit): Promise<Response> {
    const address = url(key);
    const signal = AbortSignal.timeout(limit);
    for (let attempt = 1; ; attempt++) {
      try {
        const response = await client.fetch(address, { ...init, signal, redirect: "error" });
        if (response.status < 500 || attempt === 2) return response;
        await response.body?.cancel();
      } catch (cause) {
        if (attempt === 2 || signal.aborted) throw unavailable("S3", cause);
      }
    }
  }
  /** Discards the body of a response. */
  async function settle(response: Response, fine: boolean): Promise<void> {
    await response.body?.cancel();
    if (!fine) throw unavailable("S3", `status ${response.status}`);
  }

  return {
    async put(key, bytes, mediaType) {
      const response = await call(key, { method: "PUT", body: new Uint8Array(bytes), headers: { "content-type": mediaType } });
      await settle(response, response.ok);
    },
    async get(key) {
      const response = await call(key, { method: "GET" });
      if (!response.ok) {
        await settle(response, response.status === 404);
        return null;
      }
      try {
        return new Uint8Array(await response.arrayBuffer());
      } catch (cause) {
        throw unavailable("S3", cause);
      }
    },
    async remove(key) {
      const response = await call(key, { method: "DELETE" });
      await settle(response, response.ok || response.status === 404);
    },
  };
}
