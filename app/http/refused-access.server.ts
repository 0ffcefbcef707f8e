/** Records refused access of logged-in users in the audit log, for all pages, forms and files. */

import { AsyncLocalStorage } from "node:async_hooks";
import type { Ctx } from "#app/domains/context.server.ts";
import { recordRefusedAccess } from "#app/domains/platform/audit/record-refusal.server.ts";
import type { AccessResult } from "#app/domains/platform/audit/results.ts";
import type { RefusalCode } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";

/** Facts of a request for the audit log. */
export type Seen = {
  ctx: Ctx;
  /** The path (`pathOf`) or the name of an API call. */
  page: string;
  /** Ids in the request. */
  ids: Set<string>;
  /** Code of the last DomainError. */
  code: RefusalCode | null;
  wrongRole: boolean;
};
const seenHere = new AsyncLocalStorage<Seen>();
/** Most ids of one request that are looked up. */
const MAX_IDS = 20;

/** Runs the rest of a request. Records a refusal of a logged-in user. */
export async function recordingRefusals(seen: Seen, next: () => Promise<Response>): Promise<Response> {
  const response = await seenHere.run(seen, next);
  const { ctx, page, ids } = seen;
  const result = resultOf(response.status, seen);
  if (ctx.actor && result) recordRefusedAccess({ ...ctx, actor: ctx.actor }, { result, page, ids: [...ids] });
  return response;
}

/** Returns how a response refuses access, or null. A page of another role redirects. */
function resultOf(status: number, { wrongRole, code }: Seen): AccessResult | null {
  if (wrongRole) return "wrong-role";
  // A request for a recent proof is not a refusal.
  if (status === 403) return code === "unproven" ? null : "forbidden";
  return status === 404 ? "not-found" : null;
}

/** Records the code of this request's refusal. */
export function noteCode(code: RefusalCode): void {
  const seen = seenHere.getStore();
  if (seen) seen.code = code;
}

/** Records that the page is for another role. */
export function noteWrongRole(): void {
  const seen = seenHere.getStore();
  if (seen) seen.wrongRole = true;
}

/** Records the ids in a form: one may be of the refused record. */
export function noteIds(formData: FormData): void {
  const seen = seenHere.getStore();
  if (seen) for (const id of idsIn([...formData.values()])) if (seen.ids.size < MAX_IDS) seen.ids.add(id);
}

/** Returns the ids in the values of a list or an object. */
export const idsIn = (input: unknown): string[] =>
  (typeof input === "object" && input !== null ? Object.values(input) : [])
    .flat()
    .filter((value): value is string => typeof value === "string" && isUuid(value))
    .slice(0, MAX_IDS);

/** Returns a path without user input: every segment that is not a plain word becomes ":id". */
export const pathOf = (pathname: string) =>
  pathname
    .split("/")
    .map((part) => (/^$|^[a-z]+(-[a-z]+)*(\.[a-z]{1,11})?$/.test(part) ? part : ":id"))
    .join("/")
    .slice(0, 200);
