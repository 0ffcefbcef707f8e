import { DomainError } from "#app/lib/domain-error.ts";
import { asRefusal, refusalHeaders, refusalOf, refusals } from "./refusals.server.ts";

/** Answers a refused file with its status and sentence as text. Throws whatever is no refusal. */
export function answerFileRefusal(error: unknown): Response {
  const refusal = asRefusal(error);
  if (!(refusal instanceof DomainError)) throw refusal;
  return new Response(refusalOf(refusal).message, {
    status: refusals[refusal.code].status,
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store", ...refusalHeaders(refusal) },
  });
}
