/** Handles API calls with the table of endpoints. All responses are JSON. */
import { createHash } from "node:crypto";
import type { z } from "zod";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { unverifiedWord } from "#app/domains/credentials/cases/words.ts";
import { getRegistrationStatus } from "#app/domains/directory/doctors/queries.server.ts";
import { API_CALLS } from "#app/domains/platform/limits/limits.ts";
import { awaitReplay, claimReplay, releaseReplay, settleReplay } from "#app/domains/platform/limits/replay.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { switchLanguage } from "#app/lib/language.server.ts";
import { m } from "#app/paraglide/messages.js";
import { actorOf, type Session } from "../context.ts";
import { etagOf, isUnchanged } from "../etag.ts";
import { noteFault } from "../refusals.server.ts";
import { idsIn, recordingRefusals, type Seen } from "../refused-access.server.ts";
import { bearerOf, mustChangePassword, readBearer } from "../session.server.ts";
import type { UploadRules } from "../submit-form.server.ts";
import { asResponse, isTechnical, type JsonAnswer, readBody, refusalJson, validate } from "../submit-json.server.ts";
import { countAddress, countCall } from "./call-limit.server.ts";
import { type AnyEndpoint, type Call, type EndpointTable, IDEMPOTENCY_KEY, Page, type Paging } from "./endpoint.ts";
import { callsAt } from "./find-endpoint.ts";

type Found = { entry: AnyEndpoint; params: Record<string, string> };

/** @param url as the client sent it */
export async function answerCall(table: EndpointTable, ctx: Ctx<null>, request: Request, url: URL): Promise<Response> {
  const at = callsAt(table, url);
  if (!at) return asResponse(refusalJson(new DomainError("not-found", m.api_unknown())));
  const entry = at.calls.get(request.method === "HEAD" ? "GET" : request.method)?.entry;
  if (!entry) {
    const headers = { Allow: [...at.calls.keys()].join(", ") };
    return Response.json({ success: false, message: m.api_method() }, { status: 405, headers });
  }
  const found = { entry, params: at.params };
  const ids = new Set(idsIn([...Object.values(found.params), ...url.searchParams.values()]));
  const seen: Seen = { ctx, page: `${entry.method} ${entry.path}`, ids, code: null, wrongRole: false };
  return recordingRefusals(seen, async () => {
    try {
      return await answer(found, ctx, request, url, seen);
    } catch (error) {
      return asResponse(refusalJson(error, entry.sentences?.failed));
    }
  });
}

async function answer({ entry, params }: Found, visitor: Ctx<null>, request: Request, url: URL, seen: Seen): Promise<Response> {
  const authorization = request.headers.get("authorization");
  const session = await readBearer(visitor, authorization);
  if (session?.language) switchLanguage(session.language);
  if (session) countCall(API_CALLS.person, session.userId, visitor.now);
  else countAddress(API_CALLS.address, visitor.ip, visitor.now);
  if (session) seen.ctx = { ...visitor, actor: actorOf(session) };
  seen.wrongRole = session !== null && entry.who !== "everybody" && !(entry.who as readonly string[]).includes(session.role);
  const ctx: Ctx = await admit(entry, visitor, session, authorization !== null);
  const call: Call = {
    ctx: ctx as Ctx<Actor>,
    params: entry.params ? validateParams(entry, params) : undefined,
    query: entry.query ? validate(entry.query, Object.fromEntries(url.searchParams)) : undefined,
    body: undefined,
    paging: pagingOf(entry, url),
    origin: url.origin,
    userAgent: request.headers.get("user-agent") ?? "",
    token: bearerOf(authorization) ?? "",
    tokenHash: session?.tokenHash ?? "",
    key: entry.creates ? keyOf(request) : null,
    signal: request.signal,
  };
  try {
    await entry.before?.(call);
    if (call.key !== null && ctx.actor)
      return asResponse(finished(entry, await answerOnce(entry, call as Call & { key: string }, request), call));
    const body = await bodyOf(entry, call, request);
    for (const id of idsIn(body)) seen.ids.add(id);
    const result = await entry.run({ ...call, body });
    if (result instanceof Response) return result;
    return listed(entry, answered(entry, result), call, request, url);
  } finally {
    await entry.ended?.(ctx).catch((error: unknown) => noteFault(error, "the end of a call"));
  }
}

/** Checks who may make this call. @throws DomainError("unauthenticated" | "forbidden") */
async function admit(entry: AnyEndpoint, visitor: Ctx<null>, session: Session | null, sent: boolean): Promise<Ctx> {
  const { sentences = {} } = entry;
  const expired = () => new DomainError("unauthenticated", sentences.badToken?.() ?? m.api_auth_failed());
  // An expired token is an error, never treated as no token.
  if (sent && !session) throw expired();
  if (entry.who === "everybody") return session ? { ...visitor, actor: actorOf(session) } : visitor;
  if (!session) throw new DomainError("unauthenticated", sentences.noToken?.() ?? m.api_no_token());
  const ctx: Ctx<Actor> = { ...visitor, actor: actorOf(session) };
  if (!(entry.who as readonly string[]).includes(session.role)) throw new DomainError("forbidden", sentences.wrongRole?.());
  if (mustChangePassword(session) && !entry.weakPassword) throw new DomainError("forbidden", m.api_weak_password());
  if (entry.verified && session.role === "doctor") {
    const status = await getRegistrationStatus(ctx);
    if (status === null) throw new DomainError("not-found", m.profile_none());
    if (status !== "verified") throw new DomainError("forbidden", sentences.unverified?.() ?? unverifiedWord(status));
  }
  return ctx;
}

/** Treats a malformed id as not found, unless the schema has a message for it. */
function validateParams(entry: AnyEndpoint, params: Record<string, string>): unknown {
  const parsed = (entry.params as z.ZodObject).safeParse(params);
  if (parsed.success) return parsed.data;
  const ownSentence = parsed.error.issues.find((issue) => !isTechnical(issue.message))?.message;
  if (ownSentence !== undefined) return validate(entry.params as z.ZodObject, params);
  throw new DomainError("not-found");
}

function pagingOf(entry: AnyEndpoint, url: URL): Paging {
  const { bound, max } = entry.list ?? { bound: 0, max: 0 };
  const limit = url.searchParams.get("limit");
  const cursor = url.searchParams.get("cursor");
  if (!entry.list || (limit === null && cursor === null)) return { limit: bound, offset: 0, asked: false };
  const count = limit === null ? max : /^\d{1,4}$/.test(limit) ? Number(limit) : 0;
  if (count < 1 || count > max) {
    const sentence = m.api_limit({ max: String(max) });
    throw new DomainError("invalid", sentence, { fields: { limit: [sentence] } });
  }
  return { limit: count, offset: cursor === null ? 0 : offsetOf(cursor), asked: true };
}
const cursorOf = (offset: number) => Buffer.from(`after:${offset}`).toString("base64url");
function offsetOf(cursor: string): number {
  const offset = /^after:(\d{1,6})$/.exec(Buffer.from(cursor, "base64url").toString())?.[1];
  if (offset === undefined) throw new DomainError("invalid", m.api_cursor(), { fields: { cursor: [m.api_cursor()] } });
  return Number(offset);
}

function keyOf(request: Request): string | null {
  const key = request.headers.get("idempotency-key");
  if (key !== null && !IDEMPOTENCY_KEY.test(key)) throw new DomainError("invalid", m.api_key_form());
  return key;
}

/** `see` receives each file instead of storing it. */
async function bodyOf(entry: AnyEndpoint, call: Call, request: Request, see?: (file: Uint8Array) => void, store = true): Promise<unknown> {
  const read = await readRaw(entry, call, request, see, store);
  return entry.body ? validate(entry.body, read) : undefined;
}

async function readRaw(entry: AnyEndpoint, call: Call, request: Request, see: ((file: Uint8Array) => void) | undefined, store: boolean) {
  if (!entry.body) return undefined;
  const { files } = entry;
  if (!files) return readBody(request);
  const rules: UploadRules = files.rules(call.ctx);
  const onFile: UploadRules["onFile"] = async (file) => {
    see?.(file.bytes);
    if (!files.names.includes(file.fieldName))
      throw new DomainError("invalid", undefined, { fields: { [file.fieldName]: [m.api_file_field()] } });
    return store ? rules.onFile(file) : "";
  };
  return readBody(request, { uploads: { ...rules, onFile }, lists: files.many });
}

const answered = (entry: AnyEndpoint, result: unknown): JsonAnswer & { hasMore: boolean } => {
  const page = result instanceof Page ? result : new Page(result, false);
  return { status: entry.status ?? 200, body: page.body, hasMore: page.hasMore };
};
const finished = (entry: AnyEndpoint, given: JsonAnswer, call: Call): JsonAnswer =>
  entry.finish && given.status < 300 ? { ...given, body: entry.finish(given.body, call) } : given;

/** Runs a call with an Idempotency-Key once. A repeated call gets the stored response. */
async function answerOnce(entry: AnyEndpoint, call: Call & { key: string }, request: Request): Promise<JsonAnswer> {
  const { key } = call;
  const ctx = call.ctx as Ctx<Actor>;
  const name = `${entry.method} ${new URL(request.url).pathname}`;
  const files: string[] = [];
  const see = (bytes: Uint8Array) => files.push(createHash("sha256").update(bytes).digest("hex"));
  const mine = await claimReplay(ctx, { key, call: name });
  let raw: unknown;
  const fingerprint = () =>
    createHash("sha256")
      .update(JSON.stringify([name, call.query ?? null, withoutFiles(entry, raw), files]))
      .digest("hex");
  if (!mine) {
    raw = await readRaw(entry, call, request, see, false);
    const first = await awaitReplay(ctx, key);
    if (!first) throw new DomainError("unavailable", m.api_key_running(), { retryAfterSeconds: 1 });
    if (first.call !== name || first.fingerprint !== fingerprint()) throw new DomainError("conflict", m.api_key_reused());
    return { status: first.status, body: first.body, headers: { "Idempotency-Replayed": "true" } };
  }
  try {
    let given: JsonAnswer;
    try {
      raw = await readRaw(entry, call, request, see, true);
      given = answered(entry, await entry.run({ ...call, body: validate(entry.body, raw) }));
    } catch (error) {
      given = refusalJson(error, entry.sentences?.failed);
    }
    // Retryable failures are not stored.
    if (given.status >= 500 || given.status === 429) await releaseReplay(ctx, key);
    else await settleReplay(ctx, key, { fingerprint: fingerprint(), status: given.status, body: given.body });
    return { status: given.status, body: given.body, ...(given.headers ? { headers: given.headers } : {}) };
  } catch (error) {
    await releaseReplay(ctx, key).catch(() => undefined);
    throw error;
  }
}

/** Replaces file ids, which differ in each call. Files are compared by their bytes. */
function withoutFiles(entry: AnyEndpoint, raw: unknown): unknown {
  if (!entry.files || typeof raw !== "object" || raw === null) return raw ?? null;
  const names = entry.files.names;
  return Object.fromEntries(Object.entries(raw).filter(([name]) => !names.includes(name)));
}

/** Adds ETag, 304 and the link to the next page. */
function listed(entry: AnyEndpoint, given: JsonAnswer & { hasMore: boolean }, call: Call, request: Request, url: URL): Response {
  const { status, body } = finished(entry, given, call);
  const headers = new Headers();
  if (entry.list && given.hasMore) {
    const next = new URL(url.pathname + url.search, url);
    next.searchParams.set("limit", String(call.paging.limit));
    next.searchParams.set("cursor", cursorOf(call.paging.offset + call.paging.limit));
    headers.set("Link", `<${next.pathname}${next.search}>; rel="next"`);
  }
  if (!entry.etag) return Response.json(body, { status, headers });
  const text = JSON.stringify(body);
  const etag = etagOf(text);
  headers.set("ETag", etag);
  headers.set("Cache-Control", entry.who === "everybody" && !call.ctx.actor ? "public, no-cache" : "private, no-cache");
  headers.set("Vary", "Authorization");
  if (isUnchanged(request.headers.get("if-none-match"), etag)) return new Response(null, { status: 304, headers });
  headers.set("Content-Type", "application/json");
  return new Response(text, { status, headers });
}
