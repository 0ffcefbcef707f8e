import type { SubmissionResult } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { FormDataParseError, parseFormData } from "@remix-run/form-data-parser";
import {
  MaxFileSizeExceededError,
  MaxPartsExceededError,
  MaxTotalSizeExceededError,
  MultipartParseError,
  parseMultipartRequest,
} from "@remix-run/multipart-parser";
import { data } from "react-router";
import type { z } from "zod";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { log } from "#app/runtime/log.server.ts";
import { actorCtxOf } from "./context.ts";
import { checkNames, nameCheck } from "./form-names.server.ts";
import { asRefusal, orRefuse, refusalHeaders, refusalOf, refusals } from "./refusals.server.ts";
import { noteIds } from "./refused-access.server.ts";
import { isRestoring } from "./restoring.server.ts";

/** Action data without a redirect: Conform's result and the details of a refusal. */
export type FormAnswer = {
  result: SubmissionResult<string[]>;
  detail?: unknown;
  /** Filled-in fields that are not sent back: the page must not report them as empty. */
  filled?: string[];
};

/**
 * Upload limits of a form. `onFile` stores a file and returns its value in the form (an id), or throws a DomainError that is
 * shown next to its field. Put file inputs last in the form: the input before them is preserved even if a file is too large.
 */
export type UploadRules = {
  /** Names of the file inputs. Errors of files with other names are shown next to the first. */
  field: string | readonly string[];
  maxFiles: number;
  /** Message for too many files. */
  tooMany?: () => string;
  /** Bytes. A larger file ends reading the body. */
  maxFileSize: number;
  onFile: (file: { name: string; bytes: Uint8Array; fieldName: string }) => Promise<string>;
};

type Again = ReturnType<typeof data<FormAnswer>>;

/**
 * Handles the form of a page: parses the body, validates it with the schema, runs the command and responds. Invalid input and
 * refusals return as Conform's result with the matching status, and the input is preserved. After a login because of an expired
 * session the form is only filled in again (restoring.server.ts).
 */
export async function submitForm<S extends z.ZodType>(
  request: Request,
  schema: S,
  /** `again(detail)` returns the same form with its input, for a preview. */
  run: (input: z.output<S>, formData: FormData, again: (detail: unknown) => Again) => Promise<Response | Again>,
  options: {
    uploads?: UploadRules;
    /** Fields that are never sent back (passwords). */
    hide?: string[];
    /**
     * Runs before validation: saves a draft, maps several buttons to one intent. A returned error is shown above the form in
     * addition to those of the fields, and ends the post.
     */
    prepare?: (formData: FormData) => Promise<DomainError | undefined> | Promise<void>;
    /** Handles the code `unproven` (a recent proof is needed). `form`: the input as a Conform result. */
    unproven?: (form: SubmissionResult<string[]>) => Promise<Response>;
  } = {},
) {
  const read = await orRefuse(() => readForm(request, options.uploads, schema));
  const { formData } = read;
  if (isRestoring()) {
    const { initialValue } = (await orRefuse(async () => parse(formData, schema))).reply({ hideFields: options.hide ?? [] });
    return data<FormAnswer>({ result: { initialValue } });
  }
  const refused = await orRefuse(async () => options.prepare?.(formData));
  const problem = refused instanceof DomainError ? refused : read.problem;
  const submission = await orRefuse(async () => parse(formData, schema));
  const hideFields = options.hide ?? [];
  if (problem) {
    const reply = submission.reply({
      hideFields,
      fieldErrors: problem.fields ?? {},
      formErrors: problem.fields ? [] : [refusalOf(problem).message],
    });
    // Conform returns either the schema's errors or ours: merge them.
    return answer(
      { ...reply, error: { ...(submission.status === "success" ? {} : submission.reply({ hideFields }).error), ...reply.error } },
      problem,
    );
  }
  if (submission.status !== "success") {
    const filled = hideFields.filter((name) => formData.get(name));
    return data<FormAnswer>({ result: submission.reply({ hideFields }), ...(filled.length && { filled }) }, { status: 400 });
  }
  try {
    return await run(submission.value as z.output<S>, formData, (detail) =>
      data<FormAnswer>({ result: submission.reply({ formErrors: [], hideFields }), detail }),
    );
  } catch (error) {
    const refusal = asRefusal(error);
    if (!(refusal instanceof DomainError)) throw refusal;
    if (refusal.code === "unproven" && options.unproven) return options.unproven(submission.reply({ formErrors: [], hideFields }));
    const formErrors = refusal.fields ? [] : [refusalOf(refusal).message];
    return answer(submission.reply({ formErrors, fieldErrors: refusal.fields ?? {}, hideFields }), refusal);
  }
}

/** The action of a page with one form, in the areas of users: `submitForm` with the logged-in user as the actor of `ctx`. */
export const submitOwn =
  <S extends z.ZodType, Args extends { context: Parameters<typeof actorCtxOf>[0]; request: Request }>(
    schema: S,
    run: (ctx: Ctx<Actor>, input: z.output<S>, args: Args) => Promise<Response | Again>,
  ) =>
  (args: Args) =>
    submitForm(args.request, schema, (input) => run(actorCtxOf(args.context), input, args));

/** @throws DomainError("invalid") when Conform or a schema throws on malformed input. Logged in case it is our bug */
function parse<S extends z.ZodType>(formData: FormData, schema: S) {
  try {
    return parseWithZod(formData, { schema });
  } catch (cause) {
    log.warn({ err: cause }, "form not parsed");
    throw new DomainError("invalid", undefined, { cause });
  }
}

function answer(result: SubmissionResult<string[]>, refusal: DomainError) {
  return data<FormAnswer>({ result, detail: refusal.detail }, { status: refusals[refusal.code].status, headers: refusalHeaders(refusal) });
}

/** Most characters of all text fields. */
const MAX_TEXT = 256 * 1024;

/**
 * Reads a form within its limits. A malformed body is a client error (400). `problem`: error of a file; `formData` has the
 * other fields.
 * @param schema allows the names of its lists and objects (`records[0].fileId`) in addition to plain ones
 */
export async function readForm(
  request: Request,
  uploads?: UploadRules,
  schema?: z.ZodType,
): Promise<{ formData: FormData; problem?: DomainError }> {
  const allowed = nameCheck(schema);
  const multipart = request.headers.get("content-type")?.startsWith("multipart/form-data") === true;
  const read = uploads && multipart ? await readUploads(request, uploads, allowed) : { formData: await readFields(request) };
  checkNames(read.formData, allowed);
  noteIds(read.formData);
  // PostgreSQL throws on NUL in a text.
  for (const value of read.formData.values()) if (typeof value === "string" && value.includes("\0")) throw new DomainError("invalid");
  return read;
}

/** Reads the fields of a form without checking their names. A malformed body is a client error (400). */
export async function readFields(request: Request): Promise<FormData> {
  try {
    return await parseFormData(request, { maxFiles: 0, maxTotalSize: MAX_TEXT });
  } catch (error) {
    throw parseRefusal(error);
  }
}

/** Reads a form with files. A name that is not allowed ends reading before its file is stored. */
export async function readUploads(
  request: Request,
  rules: UploadRules,
  allowed = nameCheck(),
): Promise<{ formData: FormData; problem?: DomainError }> {
  const formData = new FormData();
  let text = 0;
  let problem: DomainError | undefined;
  let files = 0;
  const fields = [rules.field].flat();
  const fieldOf = (name: string) => (fields.includes(name) ? name : (fields[0] ?? name));
  const about = (error: DomainError, name: string) => {
    const errors = { ...problem?.fields, [fieldOf(name)]: [refusalOf(error).message] };
    return new DomainError(error.code, error.sentence, {
      fields: errors,
      ...(error.retryAfterSeconds && { retryAfterSeconds: error.retryAfterSeconds }),
    });
  };
  try {
    for await (const part of parseMultipartRequest(request, {
      maxFileSize: rules.maxFileSize,
      maxTotalSize: rules.maxFileSize * rules.maxFiles + MAX_TEXT,
      maxParts: 200,
    })) {
      if (!part.name) continue;
      if (!allowed(part.name)) throw new DomainError("invalid");
      if (!part.isFile) {
        text += part.size;
        if (text > MAX_TEXT) throw new DomainError("too-large");
        formData.append(part.name, part.text);
      } else if (part.filename || part.size > 0) {
        if (++files > rules.maxFiles) throw new DomainError("too-large", rules.tooMany?.());
        try {
          formData.append(part.name, await rules.onFile({ name: part.filename ?? "", bytes: part.bytes, fieldName: part.name }));
        } catch (error) {
          const refusal = asRefusal(error);
          if (!(refusal instanceof DomainError)) throw refusal;
          problem = refusal.code === "unavailable" ? refusal : about(refusal, part.name);
        }
      }
    }
  } catch (error) {
    const refusal = parseRefusal(error);
    if (refusal.code !== "too-large") throw refusal;
    // With several file fields it is unknown which one was too large.
    problem ??= fields.length > 1 ? refusal : about(refusal, fieldOf(""));
  }
  return problem ? { formData, problem } : { formData };
}

function parseRefusal(error: unknown): DomainError {
  for (let e: unknown = error; e instanceof Error; e = e.cause) {
    if (e instanceof DomainError) return e;
    if (e instanceof MaxFileSizeExceededError || e instanceof MaxTotalSizeExceededError || e instanceof MaxPartsExceededError)
      return new DomainError("too-large", undefined, { cause: error });
  }
  if (error instanceof FormDataParseError || error instanceof MultipartParseError || error instanceof TypeError)
    return new DomainError("invalid", undefined, { cause: error });
  throw error;
}
