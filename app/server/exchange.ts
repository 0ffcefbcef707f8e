import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AreaName } from "#app/areas.ts";
import { hasPlaceCookie } from "#app/http/place.server.ts";
import { clientAddress, type Head, isApi, isUnsafe, originOf, type Site } from "#app/http/request-head.ts";
import { sessionToken } from "#app/http/session.server.ts";
import { wantsLargerText } from "#app/http/text-size.server.ts";
import { readToast } from "#app/http/toast.server.ts";
import type { RouteRules } from "#app/lib/route-rules.ts";
import { readClock } from "#app/runtime/clock.server.ts";
import { env } from "#app/runtime/env.server.ts";
import type { Rendering } from "./rendering.ts";
import { rulesOf } from "./route-rules.ts";

/** What React Router has answered, not yet sent. */
export type Rendered = { response: Response; rendering: Rendering };

/** One request and its response on the way through the steps of the listener. What a cached page does not need is read when asked for. */
export class Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly head: Head;
  readonly requestId = randomUUID();
  readonly site: Site = env();
  /** True when there is a session cookie, valid or not. */
  readonly hasSession: boolean;
  readonly isApi: boolean;
  /** The response, once a step has made one that is not sent yet. */
  rendered: Rendered | undefined;
  /** The area of the page that React Router renders, for the log. */
  area: AreaName | undefined;
  #rules: RouteRules | undefined;
  #now: Date | undefined;
  #isVisitor: boolean | undefined;

  constructor(req: IncomingMessage, res: ServerResponse) {
    this.req = req;
    this.res = res;
    this.head = { method: req.method ?? "", url: req.url ?? "", headers: req.headers };
    this.hasSession = sessionToken(req.headers.cookie) !== null;
    this.isApi = isApi(this.head.url);
  }

  get rules(): RouteRules {
    this.#rules ??= rulesOf(this.head);
    return this.#rules;
  }

  get now(): Date {
    this.#now ??= readClock();
    return this.#now;
  }

  /** The client's IP address. */
  get ip(): string {
    return clientAddress(this.req.socket.remoteAddress, this.head.headers["x-forwarded-for"], this.site.trustProxy);
  }

  /** The public origin of this request, whose Host has been checked. The demo has three, and a form may be posted from one to another. */
  get origin(): string {
    const addressed = originOf(this.head, this.site) as string;
    const { origin } = this.head.headers;
    // One of another site has passed only where the route verifies a signature: it must not become a part of our addresses.
    const ours = origin !== undefined && this.site.origins.includes(origin);
    return ours && isUnsafe(this.head.method) && !this.isApi ? origin : addressed;
  }

  /** True when the page may come from the cache: a GET without session, toast, chosen place and larger text. Pages with one of them are personal. */
  get isVisitor(): boolean {
    const { method, headers } = this.head;
    this.#isVisitor ??=
      !this.isApi &&
      (method === "GET" || method === "HEAD") &&
      !this.hasSession &&
      !hasPlaceCookie(headers.cookie) &&
      !wantsLargerText(headers.cookie) &&
      readToast(headers.cookie ?? null) === null;
    return this.#isVisitor;
  }
}

/** A step of the listener. True: the request is answered, and no further step runs. */
export type Step = (exchange: Exchange) => boolean | Promise<boolean>;
