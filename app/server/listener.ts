/** Handles a request: checks, files, page cache, React Router, response headers, log line. */
import { randomBytes, randomUUID } from "node:crypto";
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import * as build from "virtual:react-router/server-build";
import { createRequestHandler, RouterContextProvider } from "react-router";
import { factsContext } from "#app/http/context.ts";
import { languageCookie, languageCookieOf, languageInAddress, languageOfHead } from "#app/http/language.server.ts";
import { hasPlaceCookie } from "#app/http/place.server.ts";
import { sessionToken } from "#app/http/session.server.ts";
import { readToast } from "#app/http/toast.server.ts";
import { withLanguage } from "#app/lib/language.server.ts";
import { language } from "#app/lib/language.ts";
import { readClock } from "#app/runtime/clock.server.ts";
import { env } from "#app/runtime/env.server.ts";
import { BodyTooLarge, BUFFERED, drain, readStream, readWhole } from "./body.ts";
import { answerCarrying } from "./carry-form.ts";
import "./code-alarm.ts";
import { log, loggedPath } from "#app/runtime/log.server.ts";
import { cachedSheets } from "./css.ts";
import { serveFile } from "./files.ts";
import {
  bodyLimit,
  checkAddress,
  checkUnsafe,
  clientAddress,
  corsHeaders,
  deadlineOf,
  type Head,
  hasBody,
  isApi,
  isUnsafe,
  originOf,
  preflight,
  type Refused,
  type Rules,
} from "./gates.ts";
import { DATA_POLICY, securityHeaders } from "./headers.ts";
import { isDraining, isReady } from "./health.ts";
import { cachedPages, countRequest, mayReadMetrics, registry } from "./metrics.ts";
import { cachePage, currentGeneration, findPage, isComing, type Ready, sendPage, shareRendering } from "./page-cache.ts";
import { sendRefusal } from "./refusal-page.ts";
import { type Rendering, renderingContext } from "./rendering.ts";
import { bodies, plainHeaders, send } from "./send.ts";

const handle = createRequestHandler(build, import.meta.env.DEV ? "development" : "production");

type Rendered = { response: Response; rendering: Rendering };
type Exchange = { req: IncomingMessage; res: ServerResponse; head: Head; requestId: string; ip: string; now: Date; origin: string };

/** The request listener, in production and development. */
export function listener(req: IncomingMessage, res: ServerResponse): void {
  const started = performance.now();
  const requestId = randomUUID();
  res.once("close", () => {
    const ms = Math.round((performance.now() - started) * 10) / 10;
    const status = res.headersSent ? res.statusCode : 0;
    const method = req.method ?? "";
    countRequest(method, status, ms);
    log.info({ requestId, method, path: loggedPath(req.url), status, ms }, "request");
  });
  const answered = async () => {
    try {
      await answer(req, res, requestId);
    } catch (error) {
      if (res.destroyed || req.destroyed) return;
      if (error instanceof BodyTooLarge) return refuse(req, res, { status: 413, reason: "too large" }, requestId);
      log.error({ requestId, err: error }, "request failed");
      sendRefusal(req, res, 500);
    }
  };
  void withLanguage(languageOfHead({ url: req.url ?? "", headers: req.headers }), answered);
}

async function answer(req: IncomingMessage, res: ServerResponse, requestId: string): Promise<void> {
  const head: Head = { method: req.method ?? "", url: req.url ?? "", headers: req.headers };
  if (head.method === "GET" && (await watch(req, res, head.url))) return;

  const { origins, trustProxy, apiOrigins } = env();
  const rules: Rules = { origins, trustProxy, apiOrigins };
  const cookie = req.headers.cookie;
  const hasSession = sessionToken(cookie) !== null;
  const refused = checkAddress(head, rules) ?? checkUnsafe(head, rules, hasSession);
  if (refused) return refuse(req, res, refused, requestId);
  const api = isApi(head.url);
  if (api && head.method === "OPTIONS") {
    const allowed = preflight(head, rules);
    if (!allowed) return refuse(req, res, { status: 403, reason: "preflight" }, requestId);
    res.writeHead(204, { ...securityHeaders(), "content-security-policy": DATA_POLICY, ...allowed });
    res.end();
    return;
  }
  if (api) for (const [name, value] of Object.entries(corsHeaders(head, rules))) res.setHeader(name, value);
  if (serveFile(req, res)) return;

  // The demo has three origins, and a form may be posted from one to another.
  const addressed = originOf(head, rules) as string;
  const origin = isUnsafe(head.method) && !api ? (head.headers.origin ?? addressed) : addressed;
  const ip = clientAddress(req.socket.remoteAddress, req.headers["x-forwarded-for"], trustProxy);
  const exchange: Exchange = { req, res, head, requestId, ip, now: readClock(), origin };

  // Pages with a toast or a chosen place are personal: never cached.
  const own = hasSession || hasPlaceCookie(cookie) || readToast(cookie ?? null) !== null;
  const visitor = !api && (head.method === "GET" || head.method === "HEAD") && !own;
  if (visitor && !import.meta.env.DEV) return answerVisitor(exchange);
  await finish(exchange, await render(exchange, false));
}

/** Serves health checks and metrics, for any Host. */
async function watch(req: IncomingMessage, res: ServerResponse, url: string): Promise<boolean> {
  if (url !== "/healthz" && url !== "/readyz" && url !== "/metrics") return false;
  const text = (status: number, body: string, extra: OutgoingHttpHeaders = {}) => {
    res.writeHead(status, {
      ...securityHeaders(),
      "content-security-policy": DATA_POLICY,
      "content-type": "text/plain; charset=utf-8",
      "cache-control": "no-store",
      ...extra,
    });
    res.end(body);
  };
  if (url === "/healthz") text(200, "ok\n");
  else if (url === "/readyz") {
    if (await isReady()) text(200, "ready\n");
    else text(503, "not ready\n", { "retry-after": "5" });
  } else if (mayReadMetrics(req)) text(200, await registry.metrics(), { "content-type": registry.contentType });
  else text(403, "forbidden\n");
  return true;
}

/** Refuses a request before its body is read. Drains the body, so that a browser shows the response. */
function refuse(req: IncomingMessage, res: ServerResponse, refused: Refused, requestId: string): void {
  log.info({ requestId, status: refused.status, reason: refused.reason }, "refused");
  // A client that waits for "100 Continue" has sent no body: its next bytes would be taken for the body, so close.
  const waiting = req.headers.expect !== undefined;
  if (!waiting && !req.complete) drain(req);
  sendRefusal(req, res, refused.status, waiting ? { connection: "close" } : {});
}

/** Sets the language cookie for a visitor who followed a link with `?lang=` and has chosen no language. */
function linkedLanguage({ url, headers }: Head): string[] {
  const linked = languageInAddress(url);
  return linked && !languageCookieOf(headers.cookie) ? [languageCookie(linked)] : [];
}

/** Answers a request without a session from the page cache, or renders the page and caches it if allowed. */
async function answerVisitor(exchange: Exchange): Promise<void> {
  const { req, res, head, requestId, now, origin } = exchange;
  const key = `${origin}${head.url} ${cachedSheets(req.headers.cookie)} ${language()}`;
  const give = (page: Ready) => {
    const cookies = [page.headers["set-cookie"] ?? [], linkedLanguage(head)].flat() as string[];
    return sendPage(req, res, page, {
      "x-request-id": requestId,
      ...(cookies.length > 0 && { "set-cookie": cookies }),
      ...(isDraining() && { connection: "close" }),
    });
  };

  const ready = findPage(key, now);
  if (ready) {
    cachedPages.inc({ result: "hit" });
    return give(ready);
  }
  const coming = head.method === "GET" ? isComing(key) : undefined;
  const shared = coming && (await coming.catch(() => null));
  if (shared) {
    cachedPages.inc({ result: "shared" });
    return give(shared);
  }

  const since = currentGeneration();
  let rendered: Rendered | undefined;
  const page = await shareRendering(key, async () => {
    rendered = await render(exchange, true);
    const { response, rendering } = rendered;
    const html = bodies.get(response);
    const seconds = rendering.page?.seconds ?? 0;
    if (!html || seconds === 0 || response.status !== 200 || head.method !== "GET" || response.headers.has("set-cookie")) return null;
    const headers = { ...securityHeaders(), ...plainHeaders(response) };
    if (rendering.page?.cssCookie) headers["set-cookie"] = [rendering.page.cssCookie];
    return cachePage(key, html, headers, seconds, now, since);
  });
  if (page) {
    cachedPages.inc({ result: "miss" });
    return give(page);
  }
  // The shared rendering was not cacheable: render for this request alone.
  await finish(exchange, rendered ?? (await render(exchange, true)));
}

/** Runs React Router with a deadline. */
async function render(exchange: Exchange, visitor: boolean): Promise<Rendered> {
  const { req, res, head, requestId, ip, now, origin } = exchange;
  const cookie = head.headers.cookie;
  const rendering: Rendering = { origin, cookie, visitor };
  const facts = {
    requestId,
    ip,
    now,
    nonce: import.meta.env.DEV ? null : randomBytes(16).toString("base64"),
    lite: head.headers["save-data"] === "on" || (cookie !== undefined && /(?:^|;\s*)lite=1(?:;|$)/.test(cookie)),
  };
  const newContext = () => {
    const context = new RouterContextProvider();
    context.set(renderingContext, rendering);
    context.set(factsContext, facts);
    return context;
  };

  const controller = new AbortController();
  const gone = () => {
    if (!res.writableFinished) controller.abort(new DOMException("the client has gone", "AbortError"));
  };
  res.once("close", gone);

  let late: (response: Response) => void = () => undefined;
  const deadline = new Promise<Response>((ok) => {
    late = ok;
  });
  let tooLarge = false;
  const onDeadline = () => {
    log.warn({ requestId }, "deadline passed");
    late(refusal(503));
    controller.abort(new DOMException("deadline passed", "TimeoutError"));
  };
  const limit = deadlineOf(head);
  let timer = setTimeout(onDeadline, limit);
  const again = () => {
    clearTimeout(timer);
    timer = setTimeout(onDeadline, limit);
  };

  try {
    let body: Buffer | ReadableStream | undefined;
    if (isUnsafe(head.method) && hasBody(head)) {
      if (head.headers.expect !== undefined) res.writeContinue();
      const bytes = bodyLimit(head);
      if (bytes <= BUFFERED) {
        clearTimeout(timer); // depends on the client's speed; limited by node:http
        body = await readWhole(req, bytes);
        again();
      } else
        body = readStream(req, bytes, {
          progress: again,
          tooLarge() {
            tooLarge = true;
          },
        });
    }
    const request = new Request(origin + head.url, {
      method: head.method,
      headers: webHeaders(head),
      body: body as BodyInit | undefined,
      signal: controller.signal,
      duplex: "half",
    } as RequestInit);
    const work = answerCarrying(handle, request, newContext, Buffer.isBuffer(body) ? body : undefined);
    work.catch(() => undefined); // it may fail after the deadline
    const response = await Promise.race([work, deadline]);
    if (tooLarge) throw new BodyTooLarge();
    return { response, rendering };
  } catch (error) {
    throw tooLarge ? new BodyTooLarge() : error;
  } finally {
    clearTimeout(timer);
    res.off("close", gone);
  }
}

function webHeaders({ headers }: Head): Headers {
  const web = new Headers();
  for (const name in headers) {
    const value = headers[name];
    if (typeof value === "string") web.set(name, value);
    else if (value) for (const one of value) web.append(name, one);
  }
  return web;
}

const REFUSAL = "x-nadi-refusal";
/** Marks a response that `finish` replaces by the server's own error page. */
const refusal = (status: number) => new Response(null, { status, headers: { [REFUSAL]: "1" } });

/** Adds the default headers and sends the response. */
async function finish({ req, res, head, requestId }: Exchange, { response, rendering }: Rendered): Promise<void> {
  const under: OutgoingHttpHeaders = { ...securityHeaders(), "x-request-id": requestId, "cache-control": "no-store" };
  // Pages set their own CSP; in development they have none.
  if (!rendering.page) under["content-security-policy"] = DATA_POLICY;
  if (isDraining()) under.connection = "close";
  // Set by corsHeaders: extend it, do not overwrite it.
  const vary = res.getHeader("vary");
  if (vary !== undefined) response.headers.append("vary", String(vary));
  // The page did not read the whole body.
  if (!req.complete) drain(req);
  if (response.headers.has(REFUSAL)) return sendRefusal(req, res, response.status, under);
  if (response.status === 503) under["retry-after"] = "5";
  if (rendering.page?.cssCookie) response.headers.append("set-cookie", rendering.page.cssCookie);
  if (rendering.visitor && rendering.page) for (const cookie of linkedLanguage(head)) response.headers.append("set-cookie", cookie);
  if (isApi(head.url)) {
    response.headers.append("vary", "Accept-Language");
    response.headers.set("content-language", language());
  }
  // A new CSS cookie means that the page contains inline CSS: compress it well.
  await send(req, res, response, under, rendering.page?.cssCookie ? "thorough" : "swift");
}
