/** Drops pages of a CDN by their surrogate keys. */
import { log } from "#app/runtime/log.server.ts";
import { CALL_LIMIT } from "../http-call.server.ts";

export type Cdn = { purgeUrls: readonly string[]; token: string };

/**
 * Posts the keys to one purge address, in the forms of Fastly and Varnish (`Surrogate-Key`) and of Cloudflare (`tags`). An address that is
 * no longer configured gets nothing. The body of the answer is not read.
 * @throws when the answer is not 2xx: the job is retried
 */
export async function purgeCdn({ purgeUrls, token }: Cdn, { url, keys }: { url: string; keys: readonly string[] }): Promise<void> {
  if (!purgeUrls.includes(url)) {
    log.warn("the address of a waiting purge is no longer configured");
    return;
  }
  const response = await fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "surrogate-key": keys.join(" "),
      authorization: `Bearer ${token}`,
      "fastly-key": token,
    },
    body: JSON.stringify({ tags: keys }),
    redirect: "error",
    signal: AbortSignal.timeout(CALL_LIMIT),
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`The CDN answered the purge with ${response.status}.`);
}
