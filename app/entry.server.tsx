/** Renders a page into one buffer: the whole page at once, no stream (docs/decisions/001). */
import { Writable } from "node:stream";
import type { ReactNode } from "react";
import { renderToPipeableStream } from "react-dom/server";
import { type EntryContext, isRouteErrorResponse, type RouterContextProvider, ServerRouter } from "react-router";
import { sheetOf } from "#app/areas.ts";
import { env } from "#app/runtime/env.server.ts";
import { log } from "#app/runtime/log.server.ts";
import { factsContext, sessionContext } from "./http/context.ts";
import { languageInAddress, languageOfHead } from "./http/language.server.ts";
import { language } from "./lib/language.ts";
import { sheetFor } from "./server/css.ts";
import { pagePolicy } from "./server/headers.ts";
import { NO_NETWORK } from "./server/no-network-script.ts";
import { renderingContext } from "./server/rendering.ts";
import { bodies } from "./server/send.ts";
import { DocumentContext, type DocumentFacts, type PageHandle } from "./ui/document.tsx";
import { drawings } from "./ui/drawings.ts";
import { renderSprite } from "./ui/icon-sprite.server.ts";

export const streamTimeout = 5_000;

/** Without this React Router prints a stack for every 404, 405 and refused post. */
export function handleError(error: unknown, { request, context }: { request: Request; context: Readonly<RouterContextProvider> }) {
  if (request.signal.aborted || isRouteErrorResponse(error)) return;
  log.error({ requestId: context.get(factsContext).requestId, err: error }, "request failed");
}

export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entry: EntryContext,
  context: Readonly<RouterContextProvider>,
): Promise<Response> {
  const facts = context.get(factsContext);
  const rendering = context.get(renderingContext);
  const { matches, errors, loaderHeaders, actionHeaders } = entry.staticHandlerContext;
  const handles = matches.map((match) => entry.routeModules[match.route.id]?.handle as PageHandle | undefined);
  const cacheSeconds = errors || status !== 200 ? undefined : handles.findLast((handle) => handle?.cache)?.cache;
  const isCached = rendering.visitor && cacheSeconds !== undefined && !headers.has("Set-Cookie");
  // A shared link in another language than the browser's: its scripts would navigate in the browser's language, so the page has
  // none.
  const asked = languageInAddress(request.url);
  const own = context.get(sessionContext)?.language ?? languageOfHead({ url: "", headers: headersOf(request) });
  const lite = facts.lite || isCached || (asked !== null && asked !== own) || handles.some((handle) => handle?.lite);
  const nonce = lite ? null : facts.nonce;

  const session = context.get(sessionContext);
  const css = sheetFor(sheetOf(facts.route?.area, session?.role), {
    cookie: rendering.cookie,
    alone: handles.some((handle) => handle?.alone),
  });
  rendering.page = { seconds: isCached ? cacheSeconds : 0, cssCookie: css.cookie };
  const document: DocumentFacts = {
    nonce,
    lite,
    sheet: css.sheet,
    sprite: renderSprite,
    drawing: (name) => drawings[name],
    address: rendering.address,
    refresh: refreshOf(entry, handles),
    // In development Vite's pages have no service worker.
    noNetwork: import.meta.env.DEV ? null : NO_NETWORK,
  };
  const page = (
    <DocumentContext value={document}>
      <ServerRouter context={entry} url={request.url} nonce={nonce ?? undefined} />
    </DocumentContext>
  );

  const html = await renderWhole(page, nonce);

  // React Router drops the headers of a thrown error unless each route exports `headers`.
  for (const given of [...Object.values(actionHeaders), ...Object.values(loaderHeaders)]) {
    const wait = given?.get("Retry-After");
    if (wait) headers.set("Retry-After", wait);
  }
  // A page without an action received a post (RFC 9110 §15.5.6).
  if (status === 405) headers.set("Allow", "GET, HEAD");
  headers.set("Content-Type", "text/html; charset=utf-8");
  headers.append("Vary", "Cookie, Save-Data, Accept-Language");
  headers.set("Content-Language", language());
  // Development has neither nonce nor CSP: Vite's client needs inline scripts.
  if (facts.nonce)
    headers.set(
      "Content-Security-Policy",
      pagePolicy(nonce, rendering.origin, css.hashes, {
        map: handles.some((handle) => handle?.map) && env().maps.browserKey !== undefined,
        script: handles.find((handle) => handle?.script)?.script,
      }),
    );
  const response = new Response(null, { status, headers });
  bodies.set(response, html);
  return response;
}

/** Renders the page to its end, with the data of its loaders. An error anywhere becomes the error page. */
function renderWhole(page: ReactNode, nonce: string | null): Promise<Buffer> {
  let timer: NodeJS.Timeout | undefined;
  const rendered = new Promise<Buffer>((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    const whole = new Writable({
      write(chunk: Uint8Array, _, done) {
        chunks.push(chunk);
        done();
      },
      final(done) {
        resolve(Buffer.concat(chunks));
        done();
      },
    });
    const { pipe, abort } = renderToPipeableStream(page, {
      nonce: nonce ?? undefined,
      // Otherwise React sends the data behind a long page hidden, with a script that moves it.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onAllReady: () => pipe(whole),
      onError: reject,
    });
    timer = setTimeout(abort, streamTimeout + 1000);
  });
  return rendered.finally(() => clearTimeout(timer));
}

/** Returns when the page reloads without scripts; null: never. A reload would lose the saved form of an ended session. */
function refreshOf({ staticHandlerContext: { matches, loaderData, actionData } }: EntryContext, handles: (PageHandle | undefined)[]) {
  if ((loaderData.root as { savedForm?: string } | undefined)?.savedForm) return null;
  for (const [i, { route }] of matches.entries()) {
    const content = loaderData[route.id] && handles[i]?.refresh?.(loaderData[route.id], actionData?.[route.id]);
    if (content) return content;
  }
  return null;
}

const headersOf = ({ headers }: Request) => ({
  cookie: headers.get("cookie") ?? undefined,
  "accept-language": headers.get("accept-language") ?? undefined,
});
