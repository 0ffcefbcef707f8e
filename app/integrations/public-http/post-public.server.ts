/** POST to an address that a user gave. Every call to such an address goes through `publicPoster`. */
import { lookup as systemLookup } from "node:dns";
import http, { type RequestOptions } from "node:http";
import https from "node:https";
import type { LookupFunction } from "node:net";
import { CALL_LIMIT } from "../http-call.server.ts";
import { isPublicAddress, readPublicUrl } from "./public-address.ts";

/** Why there was no answer. */
export type PostFailure = "address" | "dns" | "timeout" | "tls" | "connection";
/** `retryAfter`: seconds, from the header Retry-After. */
export type PostResult = { status: number; retryAfter?: number } | { failure: PostFailure };
/** Never rejects. A redirect is an answer like others: it is not followed. The body of the answer is not read. */
export type PublicPoster = (url: string, headers: Record<string, string>, body: string | Uint8Array) => Promise<PostResult>;

class NotPublic extends Error {
  readonly code = "NOT_PUBLIC";
}

/** Resolves a name to all its addresses. */
export type LookupAll = (
  hostname: string,
  done: (error: NodeJS.ErrnoException | null, addresses: { address: string; family: number }[]) => void,
) => void;
const systemResolve: LookupAll = (hostname, done) => systemLookup(hostname, { all: true, verbatim: true }, done);

/**
 * Returns the function that the socket itself uses to resolve the name, so the address that is checked is the one that is connected: a second
 * answer of the DNS cannot replace it. One address that is not public refuses all.
 */
const checkedLookup =
  (resolve: LookupAll): LookupFunction =>
  (hostname, options, done) =>
    resolve(hostname, (error, addresses) => {
      if (error) return done(error, []);
      if (!addresses.length || !addresses.every(({ address }) => isPublicAddress(address))) return done(new NotPublic(), []);
      if (options.all) return done(null, addresses);
      return done(null, addresses[0]!.address, addresses[0]!.family);
    });

type Settings = { testOrigin?: string | undefined; resolve?: LookupAll; limit?: number };

/** @param testOrigin the one origin that is not checked (WEBHOOK_TEST_ORIGIN) */
export function publicPoster({ testOrigin, resolve = systemResolve, limit = CALL_LIMIT }: Settings = {}): PublicPoster {
  const lookup = checkedLookup(resolve);
  return async (address, headers, body) => {
    const url = readPublicUrl(address, testOrigin);
    if (!url) return { failure: "address" };
    const options: RequestOptions = {
      method: "POST",
      headers: { ...headers, "content-length": Buffer.byteLength(body) },
      // A connection of its own: a kept one could lead to an address that was checked for another name.
      agent: false,
      // The deadline of the whole exchange.
      signal: AbortSignal.timeout(limit),
      ...(url.origin !== testOrigin && { lookup }),
    };
    return new Promise((settle) => {
      const request = (url.protocol === "https:" ? https : http).request(url, options, (response) => {
        const retryAfter = secondsIn(response.headers["retry-after"]);
        settle({ status: response.statusCode!, ...(retryAfter !== undefined && { retryAfter }) });
        response.destroy();
      });
      request.on("error", (error) => settle({ failure: failureOf(error) }));
      request.end(body);
    });
  };
}

/** Parses Retry-After, a number of seconds. The other form, a date, counts as none. */
const secondsIn = (header: string | undefined) => (/^\d{1,7}$/.test(header ?? "") ? Number(header) : undefined);

function failureOf(error: NodeJS.ErrnoException): PostFailure {
  const code = error.code ?? "";
  if (code === "NOT_PUBLIC") return "address";
  if (error.name === "AbortError" || error.name === "TimeoutError" || code === "ETIMEDOUT") return "timeout";
  if (/^(ENOTFOUND|EAI_|ENODATA)/.test(code)) return "dns";
  if (/CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO/.test(code)) return "tls";
  return "connection";
}
