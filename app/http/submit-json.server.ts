/** Handles JSON calls: reads the body within its limits, validates it with a schema, returns errors as JSON. */
import type { z } from "zod";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";
import { log } from "#app/runtime/log.server.ts";
import { asRefusal, refusalHeaders, refusalOf, refusals } from "./refusals.server.ts";
import { readUploads, type UploadRules } from "./submit-form.server.ts";

/** Status and JSON of a call. */
export type JsonAnswer = { status: number; body: unknown; headers?: Record<string, string> };
/** Body of an error: `{ success: false, message, errors? }`. */
export type JsonRefusal = {
  success: false;
  message: string;
  errors?: Record<string, string[]>;
  /** Sent when a code was refused because of too many requests of the address: valid after Retry-After seconds. */
  retryTicket?: string;
};

/** Converts an error to a JSON response. `failed`: message for failures of the server. */
export function refusalJson(error: unknown, failed?: () => string): JsonAnswer & { body: JsonRefusal } {
  const known = asRefusal(error);
  if (!(known instanceof DomainError)) {
    log.error({ err: known }, "api call failed");
    return { status: 500, body: { success: false, message: failed?.() ?? m.api_failed() } };
  }
  const { message } = refusalOf(known);
  const first = Object.values(known.fields ?? {})[0]?.[0];
  const shown = known.code === "unavailable" && known.sentence === undefined ? (failed?.() ?? message) : message;
  return {
    status: refusals[known.code].status,
    body: {
      success: false,
      message: known.sentence === undefined && first !== undefined ? first : shown,
      ...(known.fields ? { errors: known.fields } : {}),
      ...(ticketOf(known) !== null && { retryTicket: ticketOf(known) as string }),
    },
    headers: {
      ...Object.fromEntries(new Headers(refusalHeaders(known))),
      ...(known.code === "unauthenticated" && { "WWW-Authenticate": "Bearer" }),
    },
  };
}

const ticketOf = ({ detail }: DomainError): string | null =>
  typeof detail === "object" && detail !== null && "ticket" in detail && typeof detail.ticket === "string" ? detail.ticket : null;

/** True for messages of zod, which are for developers. Ours may begin alike ("Invalid date format"). */
export const isTechnical = (message: string) =>
  /^(Invalid (input|option|UUID|string|ISO|key|element|number|discriminator)|Unrecognized key|Too (big|small):)/.test(message);

/** Most errors in one response. A list of 10,000 invalid items has as many. */
const MAX_ISSUES = 100;

/** Converts a ZodError to a DomainError with messages by field ("patientInfo.phone"). Its message is the first of them. */
export function invalid(error: z.ZodError): DomainError {
  // A Map, because the caller chooses keys, such as "constructor".
  const fields = new Map<string, string[]>();
  for (const issue of error.issues.slice(0, MAX_ISSUES)) {
    const field = issue.path.map(String).join(".") || "body";
    const sentence = isTechnical(issue.message) ? m.api_field() : issue.message;
    fields.set(field, [...(fields.get(field) ?? []), sentence]);
  }
  return new DomainError("invalid", [...fields.values()][0]?.[0], { fields: Object.fromEntries(fields) });
}

/** Validates a value. @throws DomainError("invalid") */
export function validate<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw invalid(parsed.error);
  return parsed.data;
}

/**
 * Reads a request body as an object: JSON or, with `uploads`, a multipart form. Repeated fields and files become lists; a file is
 * the text that `onFile` returned.
 * @throws DomainError("invalid" | "unsupported-type" | "too-large" | the code of a refused file)
 */
export async function readBody(request: Request, options: { uploads?: UploadRules; lists?: readonly string[] } = {}): Promise<unknown> {
  const type = request.headers.get("content-type") ?? "";
  if (type.startsWith("application/json")) return readJson(request);
  if (!options.uploads) throw new DomainError(type ? "unsupported-type" : "invalid", m.api_json());
  if (!type.startsWith("multipart/form-data")) throw new DomainError(type ? "unsupported-type" : "invalid", m.api_multipart());
  const { formData, problem } = await readUploads(request, options.uploads);
  if (problem) throw problem;
  // A value may be JSON text: its escapes become characters later.
  for (const value of formData.values()) if (typeof value === "string" && NUL.test(value)) throw new DomainError("invalid");
  const lists = new Set(options.lists);
  const body: Record<string, unknown> = Object.create(null);
  for (const name of new Set(formData.keys())) body[name] = lists.has(name) ? formData.getAll(name) : formData.get(name);
  return { ...body };
}

/** PostgreSQL throws on NUL in a text. */
const NUL = /\0|\\u0000/;

async function readJson(request: Request): Promise<unknown> {
  const text = await request.text();
  if (NUL.test(text)) throw new DomainError("invalid", m.api_json());
  try {
    checkNesting(text);
    return JSON.parse(text);
  } catch (cause) {
    throw new DomainError("invalid", m.api_json(), { cause });
  }
}

/** Limits of a JSON body. Ours have 4 levels; a month of slots has fewer than 2,000 values. */
const MAX_DEPTH = 20;
const MAX_VALUES = 20_000;

/** Counts levels and values before parsing. @throws SyntaxError if there are too many */
function checkNesting(text: string): void {
  let depth = 0;
  let values = 1;
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case 0x22: // a string: to its closing quote
        for (i++; i < text.length && text.charCodeAt(i) !== 0x22; i++) if (text.charCodeAt(i) === 0x5c) i++;
        break;
      case 0x5b: // [
      case 0x7b: // {
        if (++depth > MAX_DEPTH) throw new SyntaxError("nested too deeply");
        values++;
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth--;
        break;
      case 0x2c: // ,
        if (++values > MAX_VALUES) throw new SyntaxError("too many values");
        break;
      default:
        break;
    }
  }
}

/** Converts a JsonAnswer to a Response. */
export const asResponse = ({ status, body, headers }: JsonAnswer): Response => Response.json(body, { status, headers: headers ?? {} });
