/**
 * One call of the API as data. The table of all of them (routes/api/endpoints.server.ts) is what the routes answer from,
 * what the OpenAPI document is made of, what /docs/api shows and what the tests walk through.
 */
import type { z } from "zod";
import type { Role } from "#app/db/schema/index.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import type { UploadRules } from "../submit-form.server.ts";

/** The form of an Idempotency-Key. */
export const IDEMPOTENCY_KEY = /^[\w.:-]{8,100}$/;

const API_METHODS = ["GET", "POST", "PUT", "DELETE"] as const;
export type ApiMethod = (typeof API_METHODS)[number];
/** "Everybody" is one who sends no token. */
export type Who = readonly [Role, ...Role[]] | "everybody";
type ActorOf<W extends Who> = W extends "everybody" ? Actor | null : Actor;
type Out<S> = S extends z.ZodType ? z.output<S> : undefined;

/** Which page of a list: `cursor` counts how many were given before. */
export type Paging = { limit: number; offset: number; asked: boolean };

/** What `run` gets. */
export type Call<W extends Who = Who, P = unknown, Q = unknown, B = unknown> = {
  ctx: Ctx<ActorOf<W>>;
  params: P;
  query: Q;
  body: B;
  paging: Paging;
  /** The public origin of this server. */
  origin: string;
  userAgent: string;
  /** The caller's own token; empty without one. */
  token: string;
  tokenHash: string;
  /** The Idempotency-Key, where one was sent. */
  key: string | null;
  /** Ends when the caller goes away. */
  signal: AbortSignal;
};
type Sentence = () => string;

export type Endpoint<
  W extends Who = Who,
  P extends z.ZodObject | undefined = z.ZodObject | undefined,
  Q extends z.ZodObject | undefined = z.ZodObject | undefined,
  B extends z.ZodType | undefined = z.ZodType | undefined,
  A extends z.ZodType | "file" = z.ZodType | "file",
> = {
  method: ApiMethod;
  /** As in the specification, ids in braces: "/api/doctor/{id}". */
  path: string;
  /** Its tag in the document (routes/api/groups.ts). */
  group: string;
  /** What it does, in one sentence. */
  summary: string;
  /** What else a caller must know. */
  about: string;
  who: W;
  /** Doctors: only those who are verified, as on the page. */
  verified?: true;
  /** Open to a reviewer or an administrator who has to change a weak password first. */
  weakPassword?: true;
  params?: P;
  query?: Q;
  body?: B;
  /** Files come as multipart under these names, `many` of them as lists. `media`: what they are; pictures. */
  files?: { names: readonly string[]; many: readonly string[]; media?: string; rules: (ctx: Ctx<ActorOf<W>>) => UploadRules };
  answer: A;
  /** The status of a good answer; 200. */
  status?: number;
  /** Takes an Idempotency-Key. */
  creates?: true;
  /** Carries an ETag and answers 304. */
  etag?: true;
  /** A list: takes `limit` and `cursor`. `bound`: how many are given without a limit. */
  list?: { bound: number; max: number };
  /** Exact sentences for what can go wrong before and around `run`. */
  says?: { noToken?: Sentence; badToken?: Sentence; wrongRole?: Sentence; unverified?: Sentence; failed?: Sentence };
  /** Asked before the body is read: whose it is. */
  before?: (call: Call<W, Out<P>, Out<Q>, unknown>) => Promise<void>;
  run: (call: Call<W, Out<P>, Out<Q>, Out<B>>) => Promise<A extends z.ZodType ? z.input<A> | Page<z.input<A>> : Response>;
  /** Runs when a call has ended, whatever its answer. A failure is only logged. */
  ended?: (ctx: Ctx<ActorOf<W>>) => Promise<void>;
  /** Put on the answer at each call, and never kept for a replay. */
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

/** Keeps the exact types of one entry of the table. */
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
