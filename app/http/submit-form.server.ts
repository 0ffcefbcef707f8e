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
import { DomainError } from "#app/lib/domain-error.ts";
import { asRefusal, orRefuse, refusalHeaders, refusalOf, refusals } from "./refusals.server.ts";

/** What an action answers when it does not redirect: Conform's result, and what a refusal wants shown. */
export type FormAnswer = { result: SubmissionResult<string[]>; detail?: unknown };

/**
 * How much one form may carry, and what becomes of a file: `onFile` stores it and returns the text that stands for it in
 * the form (an id), or throws a DomainError that is told beside `field` while the rest of the form is kept.
 * Put file inputs last in the form: what was typed before them survives even a file that is far too large.
 */
export type UploadRules = {
  field: string;
  maxFiles: number;
  /** Bytes. A larger file ends the reading of the body. */
  maxFileSize: number;
  onFile: (file: { name: string; bytes: Uint8Array; fieldName: string }) => Promise<string>;
};

/**
 * The one way a page's form reaches a command: parse the body, validate with the room's schema, call, answer.
 * Invalid input and refusals come back as Conform's result with the right status, and what was typed is kept.
 */
export async function submitForm<S extends z.ZodType>(
  request: Request,
  schema: S,
  run: (input: z.output<S>, formData: FormData) => Promise<Response>,
  options: {
    uploads?: UploadRules;
    /** Fields that never come back to the page (passwords). */
    hide?: string[];
    /** Sees the form before it is judged: keeps a draft, turns several buttons into one intent. */
    prepare?: (formData: FormData) => Promise<void>;
  } = {},
) {
  const { formData, problem } = await orRefuse(() => readForm(request, options.uploads));
  if (options.prepare) await orRefuse(() => options.prepare!(formData));
  const submission = parseWithZod(formData, { schema });
  const hideFields = options.hide ?? [];
  if (problem) {
    const reply = submission.reply({
      hideFields,
      fieldErrors: problem.fields ?? {},
      formErrors: problem.fields ? [] : [refusalOf(problem).message],
    });
    // Conform keeps either the schema's errors or ours; a person wants both.
    return answer(
      { ...reply, error: { ...(submission.status === "success" ? {} : submission.reply({ hideFields }).error), ...reply.error } },
      problem,
    );
  }
  if (submission.status !== "success") return data<FormAnswer>({ result: submission.reply({ hideFields }) }, { status: 400 });
  try {
    return await run(submission.value as z.output<S>, formData);
  } catch (error) {
    const refusal = asRefusal(error);
    if (!(refusal instanceof DomainError)) throw refusal;
    const formErrors = refusal.fields ? [] : [refusalOf(refusal).message];
    return answer(submission.reply({ formErrors, fieldErrors: refusal.fields ?? {}, hideFields }), refusal);
  }
}

function answer(result: SubmissionResult<string[]>, refusal: DomainError) {
  return data<FormAnswer>({ result, detail: refusal.detail }, { status: refusals[refusal.code].status, headers: refusalHeaders(refusal) });
}

/**
 * Reads a body within its limits. A body that is no form is the sender's fault (400), never ours (500).
 * `problem` is what went wrong with a file; what was read before and beside it is in `formData`.
 */
export async function readForm(request: Request, uploads?: UploadRules): Promise<{ formData: FormData; problem?: DomainError }> {
  const multipart = request.headers.get("content-type")?.startsWith("multipart/form-data") === true;
  if (uploads && multipart) return readUploads(request, uploads);
  try {
    return { formData: await parseFormData(request, { maxFiles: 0, maxTotalSize: 256 * 1024 }) };
  } catch (error) {
    throw parseRefusal(error);
  }
}

async function readUploads(request: Request, rules: UploadRules): Promise<{ formData: FormData; problem?: DomainError }> {
  const formData = new FormData();
  let problem: DomainError | undefined;
  let files = 0;
  const about = (error: DomainError) =>
    new DomainError(error.code, error.sentence, { fields: { [rules.field]: [refusalOf(error).message] } });
  try {
    for await (const part of parseMultipartRequest(request, {
      maxFileSize: rules.maxFileSize,
      maxTotalSize: rules.maxFileSize * rules.maxFiles + 256 * 1024,
      maxParts: 200,
    })) {
      if (!part.name) continue;
      if (!part.isFile) formData.append(part.name, part.text);
      else if (part.filename || part.size > 0) {
        if (++files > rules.maxFiles) throw new DomainError("too-large");
        try {
          formData.append(part.name, await rules.onFile({ name: part.filename ?? "", bytes: part.bytes, fieldName: part.name }));
        } catch (error) {
          const refusal = asRefusal(error);
          if (!(refusal instanceof DomainError)) throw refusal;
          problem ??= refusal.code === "unavailable" ? refusal : about(refusal);
        }
      }
    }
  } catch (error) {
    const refusal = parseRefusal(error);
    if (refusal.code !== "too-large") throw refusal;
    problem ??= about(refusal);
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
