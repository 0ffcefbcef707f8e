import { receiveProviderMessages, sourceOf } from "#app/domains/messages/receive/receive-webhook.server.ts";
import { ctxOf } from "#app/http/context.ts";
import { DomainError, type RefusalCode } from "#app/lib/domain-error.ts";
import type { RouteRules } from "#app/lib/route-rules.ts";
import { env } from "#app/runtime/env.server.ts";
import { log } from "#app/runtime/log.server.ts";
import type { Route } from "./+types/message-webhook.ts";

// A provider sends hundreds a second from one address. A signature is over the bytes of the body. Meta sends up to 3 MB at once (integrations/inbound/whatsapp.server.ts).
export const handle = { session: false, cookies: false, signed: true, direct: true, jsonMb: 3 } satisfies RouteRules;

/** A message is short. */
const MOST_BYTES = 64 * 1024;
const STATUS: Partial<Record<RefusalCode, number>> = { "not-found": 404, forbidden: 401, invalid: 400 };
const answer = (status: number) => new Response(null, { status });

/** Answers a provider that checks the address. */
export function loader({ request, context, params }: Route.LoaderArgs) {
  try {
    const source = sourceOf(ctxOf(context), params.provider);
    if (!source.confirm) return new Response(null, { status: 405, headers: { allow: "POST" } });
    return new Response(source.confirm(new URL(request.url).searchParams), { headers: { "content-type": "text/plain; charset=utf-8" } });
  } catch (error) {
    return answer(refusedAs(error));
  }
}

/** Takes a message or a report of a provider. Another answer than 200 makes the provider send it again. */
export async function action({ request, context, params }: Route.ActionArgs) {
  const ctx = ctxOf(context);
  const url = `${env().appUrl.origin}/webhooks/message/${params.provider}`;
  let bytes = 0;
  try {
    const { mostBytes = MOST_BYTES } = sourceOf(ctx, params.provider);
    const raw = new Uint8Array(await request.arrayBuffer());
    bytes = raw.length;
    if (bytes > mostBytes) return answer(413);
    await receiveProviderMessages(ctx, params.provider, { raw, headers: request.headers, url, query: new URL(request.url).searchParams });
    return answer(200);
  } catch (error) {
    const status = refusedAs(error);
    log.warn({ requestId: ctx.requestId, status, bytes }, "a message of a provider was refused");
    return answer(status);
  }
}

/** @throws what the provider is to send again */
function refusedAs(error: unknown): number {
  const status = error instanceof DomainError ? STATUS[error.code] : undefined;
  if (status === undefined) throw error;
  return status;
}
