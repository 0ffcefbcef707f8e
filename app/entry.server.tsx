/** Renders a page into one buffer: the whole page at once, no stream (design/performance.md). */
import { Writable } from "node:stream";
import { renderToPipeableStream, renderToString } from "react-dom/server";
import { type EntryContext, isRouteErrorResponse, type RouterContextProvider, ServerRouter } from "react-router";
import { factsContext } from "./http/context.ts";
import { sheetsFor } from "./server/css.ts";
import { pagePolicy } from "./server/headers.ts";
import { log } from "./server/log.ts";
import { renderingContext } from "./server/rendering.ts";
import { bodies } from "./server/send.ts";
import { DocumentContext, type DocumentFacts, type PageHandle } from "./ui/document.tsx";
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
  const kept = errors || status !== 200 ? undefined : handles.findLast((handle) => handle?.cache)?.cache;
  const keep = rendering.visitor && kept !== undefined && !headers.has("Set-Cookie");
  const lite = facts.lite || keep || handles.some((handle) => handle?.lite);
  const nonce = lite ? null : facts.nonce;

  const css = sheetsFor(rendering.cookie, handles.some((handle) => handle?.desk) ?? false);
  rendering.page = { seconds: keep ? kept : 0, cssCookie: css.cookie };
  const document: DocumentFacts = { nonce, lite, sheets: css.sheets, sprite: renderSprite };
  const page = (
    <DocumentContext value={document}>
      <ServerRouter context={entry} url={request.url} nonce={nonce ?? undefined} />
    </DocumentContext>
  );

  let html: Buffer;
  if (lite) html = Buffer.from(`<!DOCTYPE html>${renderToString(page)}`);
  else {
    const rendered = await renderWhole(page, nonce, request.signal);
    html = rendered.html;
    if (rendered.error !== undefined) {
      status = 500;
      log.error({ requestId: facts.requestId, err: rendered.error }, "rendering failed");
    }
  }

  // React Router drops the headers of a thrown refusal unless each route exports `headers`.
  for (const given of [...Object.values(actionHeaders), ...Object.values(loaderHeaders)]) {
    const wait = given?.get("Retry-After");
    if (wait) headers.set("Retry-After", wait);
  }
  headers.set("Content-Type", "text/html; charset=utf-8");
  headers.append("Vary", "Cookie, Save-Data");
  // Development has neither nonce nor policy: Vite's client needs inline scripts.
  if (facts.nonce) headers.set("Content-Security-Policy", pagePolicy(nonce, rendering.origin));
  const response = new Response(null, { status, headers });
  bodies.set(response, html);
  return response;
}

function renderWhole(page: React.ReactNode, nonce: string | null, signal: AbortSignal): Promise<{ html: Buffer; error?: unknown }> {
  return new Promise((ok, no) => {
    const chunks: Buffer[] = [];
    let failure: unknown;
    const sink = new Writable({
      write(chunk: Buffer, _encoding, next) {
        chunks.push(chunk);
        next();
      },
      final(next) {
        clearTimeout(timer);
        ok({ html: Buffer.concat(chunks), error: failure });
        next();
      },
    });
    const { pipe, abort } = renderToPipeableStream(page, {
      nonce: nonce ?? undefined,
      onAllReady() {
        pipe(sink);
      },
      onShellError(error) {
        clearTimeout(timer);
        no(error);
      },
      onError(error) {
        if (!signal.aborted) failure = error ?? new Error("rendering failed");
      },
    });
    const timer = setTimeout(abort, streamTimeout + 1_000);
    signal.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        abort(signal.reason);
      },
      { once: true },
    );
  });
}
