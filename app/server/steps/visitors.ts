import { language } from "#app/lib/language.ts";
import { hasSheet } from "../css.ts";
import type { Exchange, Rendered, Step } from "../exchange.ts";
import { securityHeaders } from "../headers.ts";
import { isDraining } from "../health.ts";
import { linkedLanguage } from "../linked-language.ts";
import { cachedPages } from "../metrics.ts";
import { cachePage, currentGeneration, findPage, isComing, type Ready, sendPage, shareRendering } from "../page-cache.ts";
import { bodies, plainHeaders } from "../send.ts";
import { sharedHeaders } from "../shared-headers.ts";
import { render } from "./render.ts";

/** Answers a visitor from the page cache, or renders the page and caches it if its route allows that. */
export const serveVisitor: Step = async (exchange) => {
  if (!exchange.isVisitor || import.meta.env.DEV) return false;
  const { head, now } = exchange;
  const key = `${exchange.origin}${head.url} ${hasSheet(head.headers.cookie)} ${language()}`;
  const give = async (page: Ready, result: "hit" | "shared" | "miss") => {
    cachedPages.inc({ result });
    await sendCached(exchange, page);
    return true;
  };

  const ready = findPage(key, now);
  if (ready) return give(ready, "hit");
  const coming = head.method === "GET" ? isComing(key) : undefined;
  const shared = coming && (await coming.catch(() => null));
  if (shared) return give(shared, "shared");

  const since = currentGeneration();
  const page = await shareRendering(key, async () => {
    exchange.rendered = await render(exchange);
    return head.method === "GET" ? toCache(exchange.rendered, key, now, since) : null;
  });
  // Not cacheable: the next steps render the page, unless this request has done so, and send it.
  return page ? give(page, "miss") : false;
};

/** Caches a rendered page. Returns null when it must not be cached. */
function toCache({ response, rendering }: Rendered, key: string, now: Date, since: number): Ready | null {
  const html = bodies.get(response);
  const seconds = rendering.page?.seconds ?? 0;
  if (!html || seconds === 0 || response.status !== 200 || response.headers.has("set-cookie")) return null;
  const headers = { ...securityHeaders(), ...plainHeaders(response) };
  if (rendering.page?.cssCookie) headers["set-cookie"] = [rendering.page.cssCookie];
  return cachePage(key, html, headers, seconds, now, since);
}

function sendCached(exchange: Exchange, page: Ready): Promise<void> {
  const { req, res, head, requestId } = exchange;
  const shared = sharedHeaders(exchange, page);
  if (shared) return sendPage(req, res, { ...page, headers: shared }, isDraining() ? { connection: "close" } : {});
  const cookies = [page.headers["set-cookie"] ?? [], linkedLanguage(head)].flat() as string[];
  return sendPage(req, res, page, {
    "x-request-id": requestId,
    ...(cookies.length > 0 && { "set-cookie": cookies }),
    ...(isDraining() && { connection: "close" }),
  });
}
