/**
 * A typed client made from the API's own document: names, methods, paths and positions of parameters come from the response of
 * /api/openapi.json, the types from the table behind it. Every response is validated against its schema and may contain nothing
 * undocumented.
 */
import { expect } from "vitest";
import type { z } from "zod";
import type { OpenApi, Operation } from "#app/http/api/openapi.server.ts";
import { ENDPOINTS, type Endpoints } from "#app/routes/api/endpoints.server.ts";
import { checkerOf } from "./check-answer.ts";

export type CallName = keyof Endpoints;
type In<S> = S extends z.ZodType ? z.input<S> : undefined;
type Params<N extends CallName> = Endpoints[N] extends { params?: infer P } ? In<NonNullable<P>> : undefined;
type Query<N extends CallName> = Endpoints[N] extends { query?: infer Q } ? In<NonNullable<Q>> : undefined;
type Body<N extends CallName> = Endpoints[N] extends { body?: infer B } ? In<NonNullable<B>> : undefined;
export type AnswerOf<N extends CallName> = Endpoints[N]["answer"] extends z.ZodType ? z.output<Endpoints[N]["answer"]> : ArrayBuffer;
export type Args<N extends CallName> = {
  params?: Params<N>;
  query?: (Query<N> extends undefined ? unknown : Partial<Query<N>>) & { limit?: number; cursor?: string };
  body?: Body<N>;
  /** Files of a multipart form, by field. */
  files?: Record<string, [Blob, string][]>;
  headers?: Record<string, string>;
};
export type Given<T> = { status: number; body: T; headers: Headers };
export type Refusal = { success: false; message: string; errors?: Record<string, string[]> };

type Place = { method: string; path: string; operation: Operation };

export class ApiClient {
  readonly url: string;
  readonly document: OpenApi;
  token: string | null;
  /** Headers of every call. */
  headers: Record<string, string> = {};
  private readonly places = new Map<string, Place>();

  constructor(url: string, document: OpenApi, token: string | null = null) {
    this.url = url;
    this.document = document;
    this.token = token;
    for (const [path, operations] of Object.entries(document.paths))
      for (const [method, operation] of Object.entries(operations))
        this.places.set(operation.operationId, { method: method.toUpperCase(), path, operation });
  }
  static async of(url: string, token: string | null = null): Promise<ApiClient> {
    const answer = await fetch(`${url}/api/openapi.json`);
    return new ApiClient(url, (await answer.json()) as OpenApi, token);
  }
  /** Returns the same client with another token. */
  as(token: string | null): ApiClient {
    const other = new ApiClient(this.url, this.document, token);
    other.headers = this.headers;
    return other;
  }

  /** Sends one call and returns the response. */
  async send<N extends CallName>(name: N, args: Args<N> = {}): Promise<Given<unknown> & { text: string }> {
    const place = this.places.get(name);
    if (!place) throw new Error(`${name} is not in the document`);
    const path = place.path.replace(/\{(\w+)\}/g, (_, key: string) =>
      encodeURIComponent(String((args.params as Record<string, unknown> | undefined)?.[key])),
    );
    const query = new URLSearchParams();
    for (const [key, value] of Object.entries(args.query ?? {})) if (value !== undefined) query.set(key, String(value));
    const headers: Record<string, string> = { ...this.headers, ...args.headers };
    if (this.token !== null) headers.authorization ??= `Bearer ${this.token}`;
    const body = bodyOf(place.operation, args.body, args.files, headers);
    const answer = await fetch(`${this.url}${path}${query.size ? `?${query}` : ""}`, { method: place.method, headers, body: body ?? null });
    const text = await answer.text();
    const json = answer.headers.get("content-type")?.startsWith("application/json") ? (JSON.parse(text) as unknown) : null;
    // Every response of every test matches the document.
    expect(
      checkerOf(this.document)(place.operation, { status: answer.status, headers: answer.headers, body: json }),
      text.slice(0, 300),
    ).toEqual([]);
    return { status: answer.status, body: json, headers: answer.headers, text };
  }

  /** A call that must succeed. */
  async call<N extends CallName>(name: N, args: Args<N> = {}): Promise<Given<AnswerOf<N>>> {
    const given = await this.send(name, args);
    const entry = ENDPOINTS[name];
    expect(given.status, `${name}: ${given.text.slice(0, 500)}`).toBe("status" in entry ? (entry.status ?? 200) : 200);
    const answer = entry.answer as z.ZodType | "file";
    if (answer !== "file") expect(answer.parse(given.body), name).toEqual(given.body);
    return given as Given<AnswerOf<N>>;
  }

  /** A call that must be refused, with the body of every refusal. */
  async refused<N extends CallName>(name: N, args: Args<N>, status: number, message?: string): Promise<Given<Refusal>> {
    const given = await this.send(name, args);
    expect(given.status, `${name}: ${given.text.slice(0, 500)}`).toBe(status);
    expect(given.body, name).toMatchObject({ success: false, message: expect.any(String) });
    expect(given.headers.get("cache-control"), name).toContain("no-store");
    if (message !== undefined) expect((given.body as Refusal).message, name).toBe(message);
    return given as Given<Refusal>;
  }
}

function bodyOf(
  operation: Operation,
  body: unknown,
  files: Record<string, [Blob, string][]> | undefined,
  headers: Record<string, string>,
): BodyInit | undefined {
  const content = Object.keys((operation.requestBody?.content ?? {}) as Record<string, unknown>);
  if (body === undefined && files === undefined) return undefined;
  if (!content.includes("multipart/form-data")) {
    headers["content-type"] ??= "application/json";
    return JSON.stringify(body);
  }
  const form = new FormData();
  for (const [name, value] of Object.entries((body ?? {}) as Record<string, unknown>))
    if (value !== undefined) form.append(name, typeof value === "string" ? value : JSON.stringify(value));
  for (const [name, list] of Object.entries(files ?? {})) for (const [blob, fileName] of list) form.append(name, blob, fileName);
  return form;
}
