/** Runs React Router with a deadline. */
import { randomBytes } from "node:crypto";
import * as build from "virtual:react-router/server-build";
import { createRequestHandler, RouterContextProvider } from "react-router";
import { factsContext } from "#app/http/context.ts";
import { type Head, hasBody, isUnsafe } from "#app/http/request-head.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { log } from "#app/runtime/log.server.ts";
import { inTurnOfAddress } from "../address-turns.ts";
import { BodyTooLarge, BUFFERED, readStream, readWhole } from "../body.ts";
import { callAction } from "../call-route.ts";
import { answerCarrying } from "../carry-form.ts";
import { ASK_AGAIN, PATIENCE, silence } from "../database-silence.ts";
import type { Exchange, Rendered, Step } from "../exchange.ts";
import { bodyLimit, deadlineOf } from "../gates.ts";
import { type Rendering, renderingContext } from "../rendering.ts";
import { routeAt, rulesOf } from "../route-rules.ts";
import { refusal } from "./send.ts";

const handle = createRequestHandler(build, import.meta.env.MODE);

/** Renders the response, unless a step before has. */
export const renderResponse: Step = async (exchange) => {
  exchange.rendered ??= await render(exchange);
  return false;
};

/** @throws BodyTooLarge when more bytes come than the route takes */
export async function render(exchange: Exchange): Promise<Rendered> {
  const { req, res, head, requestId, rules } = exchange;
  const rendering: Rendering = {
    origin: exchange.origin,
    cookie: head.headers.cookie,
    visitor: exchange.isVisitor && !import.meta.env.DEV,
  };
  const newContext = contextsOf(exchange, rendering);

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
  const giveUp = (why: string) => {
    log.warn({ requestId }, why);
    late(refusal(503));
    controller.abort(new DOMException(why, "TimeoutError"));
  };
  const limit = deadlineOf(head, rules);
  // An answer of the assistant takes longer than an outage may.
  const needsDatabase = !rules.urgent && rules.deadline === undefined;
  let timer: NodeJS.Timeout | undefined;
  let patience: NodeJS.Timeout | undefined;
  const rest = () => {
    clearTimeout(timer);
    clearTimeout(patience);
    patience = undefined;
  };
  const askDatabase = async () => {
    const asked = patience;
    const silent = await silence().isSilent();
    if (patience !== asked) return;
    if (silent) giveUp("the database does not answer");
    else patience = setTimeout(askDatabase, ASK_AGAIN);
  };
  const startDeadline = () => {
    clearTimeout(timer);
    timer = setTimeout(giveUp, limit, "deadline passed");
  };
  const again = () => {
    rest();
    startDeadline();
    if (needsDatabase) patience = setTimeout(askDatabase, PATIENCE);
  };
  again();

  try {
    let body: Buffer | ReadableStream | undefined;
    if (isUnsafe(head.method) && hasBody(head)) {
      if (head.headers.expect !== undefined) res.writeContinue();
      const bytes = bodyLimit(head, rules);
      if (bytes <= BUFFERED || rules.direct) {
        rest(); // depends on the client's speed; limited by node:http
        body = await readWhole(req, bytes);
        again();
      } else
        body = readStream(req, bytes, {
          // Not the patience: a form that is read while the database is silent would wait for it twice.
          progress: startDeadline,
          tooLarge() {
            tooLarge = true;
          },
        });
    }
    const newRequest = () =>
      new Request(rendering.origin + head.url, {
        method: head.method,
        headers: webHeaders(head),
        body: body as BodyInit | undefined,
        signal: controller.signal,
        duplex: "half",
      } as RequestInit);
    const buffered = Buffer.isBuffer(body) ? body : undefined;
    const direct = rules.direct && head.method === "POST" ? routeAt(head.url) : undefined;
    const run = () =>
      direct ? callAction(newRequest, newContext(head.url), direct) : answerCarrying(handle, newRequest(), newContext, buffered);
    // A streamed body arrives as slowly as its client sends it, so it does not take the turn of other clients behind that address.
    // The deadline is that of the answer: the wait for a turn has a bound of its own.
    const inTurn = () => {
      clearTimeout(timer);
      return inTurnOfAddress(exchange.ip, controller.signal, () => {
        startDeadline();
        return run();
      });
    };
    const work = rules.urgent || direct || (body && !buffered) ? run() : inTurn();
    work.catch(() => undefined); // it may fail after the deadline
    const response = await Promise.race([work, deadline]).catch((error: unknown) => {
      if (error instanceof DomainError && error.code === "unavailable") return refusal(503);
      throw error;
    });
    if (tooLarge) throw new BodyTooLarge();
    return { response, rendering };
  } catch (error) {
    throw tooLarge ? new BodyTooLarge() : error;
  } finally {
    rest();
    res.off("close", gone);
  }
}

/** Returns a function that creates React Router's context of a page at this address: one request may take several pages (carry-form.ts). */
function contextsOf(exchange: Exchange, rendering: Rendering): (url: string) => RouterContextProvider {
  const { head, requestId, ip, now } = exchange;
  const { method } = head;
  const { cookie } = head.headers;
  const facts = {
    requestId,
    ip,
    now,
    nonce: import.meta.env.DEV ? null : randomBytes(16).toString("base64"),
    lite: head.headers["save-data"] === "on" || (cookie !== undefined && /(?:^|;\s*)lite=1(?:;|$)/.test(cookie)),
  };
  return (url) => {
    const context = new RouterContextProvider();
    const route = routeAt(url);
    exchange.area = route?.area;
    context.set(renderingContext, rendering);
    context.set(factsContext, { ...facts, rules: rulesOf({ method, url }), route });
    return context;
  };
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
