import { seconds } from "#app/lib/durations.ts";
import { unavailable } from "./failure.server.ts";

/** Deadline of outside calls. */
export const CALL_LIMIT = seconds(8);
const MAX_ANSWER = 64 * 1024;

export type Answer = { status: number; json: unknown };

/**
 * Makes one HTTP call with a deadline and parses its response as JSON (undefined for other bodies). No retry: an SMS might be
 * sent twice.
 * @throws DomainError("unavailable") when there is no response
 */
export async function callJson(
  service: string,
  url: string,
  init: RequestInit,
  limit = CALL_LIMIT,
  /** Bytes. A longer response is cut, so it is not valid JSON. */
  longest = MAX_ANSWER,
): Promise<Answer> {
  try {
    const response = await fetch(url, { ...init, redirect: "error", signal: AbortSignal.timeout(limit) });
    return { status: response.status, json: parse(await readBounded(response, longest)) };
  } catch (cause) {
    throw unavailable(service, cause);
  }
}

async function readBounded(response: Response, longest: number): Promise<string> {
  const reader = response.body?.getReader();
  const chunks: Uint8Array[] = [];
  for (let size = 0; reader; ) {
    const { value } = await reader.read();
    if (!value) break;
    size += value.byteLength;
    if (size > longest) {
      await reader.cancel();
      break;
    }
    chunks.push(value);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
