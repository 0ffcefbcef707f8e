/** Step-up authentication on pages: before a GET of a guarded page, and after a POST whose proof has expired, without losing input. */

import type { SubmissionResult } from "@conform-to/react";
import type { MiddlewareFunction, RouterContextProvider } from "react-router";
import { href } from "react-router";
import type { z } from "zod";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { type GuardedAction, hasFreshProof, requireProof } from "#app/domains/platform/accounts/proof.ts";
import { forgetUnsentForm, readUnsentForm, storeUnsentForm } from "#app/domains/platform/accounts/unsent-form.server.ts";
import { pagePathOf } from "#app/lib/data-url.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { actorCtxOf, sessionHashOf } from "./context.ts";
import { redirectTo } from "./redirects.server.ts";
import { submitForm } from "./submit-form.server.ts";

type Context = Readonly<RouterContextProvider>;

const CONFIRM_PATH = href("/confirm-identity");
/** Returns the URL that asks for a proof and then redirects to `next`. */
export const confirmPath = (next: string) => `${CONFIRM_PATH}?next=${encodeURIComponent(next)}`;

/** Returns the URL of a page without React Router's `.data`. */
function pathOf(request: Request): string {
  const { pathname, searchParams } = new URL(request.url);
  searchParams.delete("_routes");
  searchParams.delete("index");
  return `${pagePathOf(pathname)}${searchParams.size ? `?${searchParams}` : ""}`;
}

/**
 * Middleware of a page with a sensitive action, of an area with roles. Without a recent proof a GET redirects to
 * /confirm-identity and back. A POST passes: the command refuses it (`requireProof`), and `submitGuardedForm` stores the input.
 * @param back the page after the proof. Default: the same page (a download needs another)
 */
export function requireFreshProof(
  action: GuardedAction,
  back: (url: URL) => string = (url) => url.pathname + url.search,
): MiddlewareFunction<Response> {
  return async ({ request, context, url }, next) => {
    if (request.method !== "GET" && request.method !== "HEAD") return next();
    try {
      requireProof(actorCtxOf(context), action);
    } catch (error) {
      if (error instanceof DomainError && error.code === "unproven") throw redirectTo(confirmPath(back(url)));
      throw error;
    }
    return next();
  };
}

/** The `unproven` option of a form whose input is stored as a draft: asks for the proof, then leads back to the page. */
export const askForProof = (request: Request) => async (): Promise<Response> => redirectTo(confirmPath(pathOf(request)));

/** True when the session has a recent proof. `life`: milliseconds, five minutes if not given. */
export const isProven = (context: Context, life?: number) => hasFreshProof(actorCtxOf(context), life);

/**
 * `submitForm` for a sensitive action. When the proof is too old, stores the input, redirects to /confirm-identity and then back
 * to the page with the form filled in (`unsentForm`).
 */
export function submitGuardedForm<S extends z.ZodType>(
  { context, request }: { context: Context; request: Request },
  schema: S,
  run: Parameters<typeof submitForm<S>>[2],
  options: Parameters<typeof submitForm<S>>[3] = {},
) {
  const ctx = actorCtxOf(context);
  const path = pathOf(request);
  return submitForm(
    request,
    schema,
    async (...given) => {
      const answer = await run(...given);
      await forgetUnsentForm(ctx, sessionHashOf(context));
      return answer;
    },
    {
      ...options,
      unproven: async (form) => {
        await storeUnsentForm(ctx, sessionHashOf(context), { path, form });
        return redirectTo(confirmPath(path));
      },
    },
  );
}

/** The action of a page with one sensitive form: `submitGuardedForm`, as `submitOwn`. */
export const submitGuarded =
  <S extends z.ZodType, Args extends { context: Context; request: Request }>(
    schema: S,
    run: (ctx: Ctx<Actor>, input: z.output<S>, args: Args) => ReturnType<Parameters<typeof submitForm<S>>[2]>,
  ) =>
  (args: Args) =>
    submitGuardedForm(args, schema, (input) => run(actorCtxOf(args.context), input, args));

/** Returns the input of this page's form before the proof, as `lastResult` of `useNadiForm`, or null. */
export async function unsentForm({ context, request }: { context: Context; request: Request }): Promise<SubmissionResult<string[]> | null> {
  return (await readUnsentForm(actorCtxOf(context), sessionHashOf(context), pathOf(request))) as SubmissionResult<string[]> | null;
}
