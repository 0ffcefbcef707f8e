/**
 * Types of API calls as data. The table of calls (routes/api/endpoints.server.ts) is used by the routes, the OpenAPI document,
 * /docs/api and the tests.
 */
import type { z } from "zod";
import type { Role } from "#app/db/schema/index.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import type { RouteRules } from "#app/lib/route-rules.ts";
import type { UploadRules } from "../submit-form.server.ts";

/** Format of an Idempotency-Key. */
export const IDEMPOTENCY_KEY = /^[\w.:-]{8,100}$/;

const API_METHODS = ["GET", "POST", "PUT", "DELETE"] as const;
export type ApiMethod = (typeof API_METHODS)[number];
/** "everybody": also without a token. */
export type Who = readonly [Role, ...Role[]] | "everybody";
type ActorOf<W extends Who> = W extends "everybody" ? Actor | null : Actor;
type Out<S> = S extends z.ZodType ? z.output<S> : undefined;

/** The page of a list. `cursor` is the number of items before it. */
export type Paging = { limit: number; offset: number; asked: boolean };

/** The argument of `run`. */
export type Call<W extends Who = Who, P = unknown, Q = unknown, B = unknown> = {
  ctx: Ctx<ActorOf<W>>;
  params: P;
  query: Q;
  body: B;
  paging: Paging;
  /** The public origin of this server. */
  origin: string;
  userAgent: string;
  /** The caller's token; empty without one. */
  token: string;
  tokenHash: string;
  /** The Idempotency-Key, or null. */
  key: string | null;
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
};
type Sentence = () => string;

export type Endpoint<
  W extends Who = Who,
  P extends z.ZodObject | undefined = z.ZodObject | undefined,
  Q extends z.ZodObject | undefined = z.ZodObject | undefined,
  B extends z.ZodType | undefined = z.ZodType | undefined,
  A extends z.ZodType | "file" = z.ZodType | "file",
> = Pick<RouteRules, "uploadMb" | "jsonMb" | "deadline"> & {
  method: ApiMethod;
  /** As in the specification, with ids in braces: "/api/doctor/{id}". */
  path: string;
  /** Its tag in the document (routes/api/groups.ts). */
  group: string;
  /** A one-sentence description. */
  summary: string;
  /** Further details for callers. */
  about: string;
  who: W;
  /** Only verified doctors, as on the page. */
  verified?: true;
  /** Allowed for a reviewer or administrator who has to change a weak password first. */
  weakPassword?: true;
  params?: P;
  query?: Q;
  body?: B;
  /** Multipart fields of files; those in `many` are lists. `media`: their types; default: images. */
  files?: { names: readonly string[]; many: readonly string[]; media?: string; rules: (ctx: Ctx<ActorOf<W>>) => UploadRules };
  answer: A;
  /** The status of success; default: 200. */
  status?: number;
  /** Accepts an Idempotency-Key. */
  creates?: true;
  /** Responses have an ETag, and 304 is possible. */
  etag?: true;
  /** A list: accepts `limit` and `cursor`. `bound`: the default limit. */
  list?: { bound: number; max: number };
  /** Exact messages for errors before and around `run`. */
  sentences?: { noToken?: Sentence; badToken?: Sentence; wrongRole?: Sentence; unverified?: Sentence; failed?: Sentence };
  /** Runs before the body is read, to check ownership. */
  before?: (call: Call<W, Out<P>, Out<Q>, unknown>) => Promise<void>;
  run: (call: Call<W, Out<P>, Out<Q>, Out<B>>) => Promise<A extends z.ZodType ? z.input<A> | Page<z.input<A>> : Response>;
  /** Runs after the call, whatever its response. A failure is only logged. */
  ended?: (ctx: Ctx<ActorOf<W>>) => Promise<void>;
  /** Added to the response of each call, and never stored for a repeated call. */
  finish?: (body: unknown, call: { token: string }) => unknown;
};

/** A page of a list, and whether there is another one. */
export class Page<T> {
  readonly body: T;
  readonly hasMore: boolean;
  constructor(body: T, hasMore: boolean) {
    this.body = body;
    this.hasMore = hasMore;
  }
}

/** Preserves the exact types of a table entry. */
export function endpoint<
  const W extends Who,
  P extends z.ZodObject | undefined = undefined,
  Q extends z.ZodObject | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
  A extends z.ZodType | "file" = z.ZodType,
>(entry: Endpoint<W, P, Q, B, A>): Endpoint<W, P, Q, B, A> {
  return entry;
}

/* biome-ignore-start lint/suspicious/noExplicitAny: a table of entries whose types differ; each is checked where it is written */
export type AnyEndpoint = Omit<Endpoint<any, any, any, any, any>, "run" | "before" | "ended" | "files"> & {
  files?: { names: readonly string[]; many: readonly string[]; media?: string; rules: (ctx: any) => UploadRules };
  before?: (call: any) => Promise<void>;
  ended?: (ctx: any) => Promise<void>;
  run: (call: any) => Promise<any>;
};
/* biome-ignore-end lint/suspicious/noExplicitAny: the end of the table's type */
export type EndpointTable = Record<string, AnyEndpoint>;
