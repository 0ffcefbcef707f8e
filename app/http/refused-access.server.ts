/** Puts refused accesses of logged-in users into the audit log, whatever page, form or file refused them. */
import { AsyncLocalStorage } from "node:async_hooks";
import { recordRefusedAccess } from "#app/domains/audit/record-refusal.server.ts";
import type { AccessResult } from "#app/domains/audit/results.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import type { RefusalCode } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";

/** What is known of a request when it is refused. */
export type Seen = {
  ctx: Ctx;
  /** The path as pathOf writes it, or the name of a call. */
  page: string;
  /** Ids that the request names. */
  ids: Set<string>;
  /** The last refusal. */
  code: RefusalCode | null;
  wrongRole: boolean;
};
const seenHere = new AsyncLocalStorage<Seen>();
/** Ids of one request that are looked for at most. */
const MAX_IDS = 20;

/** Runs the rest of a request and records its refusal, when a user is logged in. */
export async function recordingRefusals(seen: Seen, next: () => Promise<Response>): Promise<Response> {
  const response = await seenHere.run(seen, next);
  const { ctx, page, ids } = seen;
  const result = resultOf(response.status, seen);
  if (ctx.actor && result) recordRefusedAccess({ ...ctx, actor: ctx.actor }, { result, page, ids: [...ids] });
  return response;
}

/** How an answer refuses; null when it does not. A page of another role may answer with a redirect. */
function resultOf(status: number, { wrongRole, code }: Seen): AccessResult | null {
  if (wrongRole) return "wrong-role";
  // Who may act, and is only asked for a fresh proof, is not refused.
  if (status === 403) return code === "unproven" ? null : "forbidden";
  return status === 404 ? "not-found" : null;
}

/** Notes why this request is refused. */
export function noteCode(code: RefusalCode): void {
  const seen = seenHere.getStore();
  if (seen) seen.code = code;
}

/** Notes that the page is for another role. */
export function noteWrongRole(): void {
  const seen = seenHere.getStore();
  if (seen) seen.wrongRole = true;
}

/** Notes the ids that a form names: the record that is refused may be one of them. */
export function noteIds(formData: FormData): void {
  const seen = seenHere.getStore();
  if (seen) for (const id of idsIn([...formData.values()])) if (seen.ids.size < MAX_IDS) seen.ids.add(id);
}

/** The ids in the values of a list or an object. */
export const idsIn = (input: unknown): string[] =>
  (typeof input === "object" && input !== null ? Object.values(input) : [])
    .flat()
    .filter((value): value is string => typeof value === "string" && isUuid(value))
    .slice(0, MAX_IDS);

/** A path without anything a user could have put into it: every part that is no plain word becomes ":id". */
export const pathOf = (pathname: string) =>
  pathname
    .split("/")
    .map((part) => (/^$|^[a-z]+(-[a-z]+)*(\.[a-z]{1,11})?$/.test(part) ? part : ":id"))
    .join("/")
    .slice(0, 200);
