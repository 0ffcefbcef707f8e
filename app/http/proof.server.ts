/** Step-up on pages: a GET of a guarded page asks first, a POST whose proof ran out comes back with what was typed. */
import type { SubmissionResult } from "@conform-to/react";
import type { MiddlewareFunction, RouterContextProvider } from "react-router";
import type { z } from "zod";
import { type GuardedAction, hasFreshProof, requireProof } from "#app/domains/accounts/proof.ts";
import { forgetUnsentForm, readUnsentForm, storeUnsentForm } from "#app/domains/accounts/unsent-form.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { actorCtxOf, sessionHashOf } from "./context.ts";
import { redirectTo } from "./redirects.server.ts";
import { submitForm } from "./submit-form.server.ts";

type Context = Readonly<RouterContextProvider>;

const CONFIRM_PATH = "/confirm-identity";
/** The page that asks for a proof and then leads to `next`. */
export const confirmPath = (next: string) => `${CONFIRM_PATH}?next=${encodeURIComponent(next)}`;

/** The address of a page without the mark of React Router's data requests. */
function pathOf(request: Request): string {
  const { pathname, searchParams } = new URL(request.url);
  searchParams.delete("_routes");
  searchParams.delete("index");
  return `${pathname.replace(/\.data$/, "")}${searchParams.size ? `?${searchParams}` : ""}`;
}

/**
 * Middleware of a page with a sensitive action, behind `requireRole`: without a fresh proof a GET leads to /confirm-identity
 * and back, before anything is typed. A POST passes on: the command refuses it (`requireProof`) and `submitGuardedForm`
 * stores what was typed.
 * @param back where a proof leads; the page itself unless it is a download
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

/** True when the session needs no new proof: the page can show a sensitive form at once. */
export const isProven = (context: Context) => hasFreshProof(actorCtxOf(context));

/**
 * `submitForm` for a form with a sensitive action. When the proof is too old, what was typed is stored, /confirm-identity
 * asks for a new one, and the page opens again with the form filled in (`unsentForm`).
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

/** What was typed into this page's form before the proof, as `lastResult` of `useNadiForm`; null for nothing. */
export async function unsentForm({ context, request }: { context: Context; request: Request }): Promise<SubmissionResult<string[]> | null> {
  return (await readUnsentForm(actorCtxOf(context), sessionHashOf(context), pathOf(request))) as SubmissionResult<string[]> | null;
}
