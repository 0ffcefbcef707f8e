import { receiveProviderMessages } from "#app/domains/messages/receive/receive-webhook.server.ts";
import { ctxOf } from "#app/http/context.ts";
import { DomainError, type RefusalCode } from "#app/lib/domain-error.ts";
import type { RouteRules } from "#app/lib/route-rules.ts";
import { env } from "#app/runtime/env.server.ts";
import { log } from "#app/runtime/log.server.ts";
import type { Route } from "./+types/message-webhook.ts";

// A signature is over the bytes of the body.
export const handle = { session: false, cookies: false, signed: true } satisfies RouteRules;

/** A message is short. */
const MOST_BYTES = 64 * 1024;
const STATUS: Partial<Record<RefusalCode, number>> = { "not-found": 404, forbidden: 401, invalid: 400 };
const answer = (status: number) => new Response(null, { status });

/** Nothing to read here. */
export const loader = () => new Response(null, { status: 405, headers: { allow: "POST" } });

/** Takes an SMS or a missed call from its provider. Another answer than 200 makes the provider send it again. */
export async function action({ request, context, params }: Route.ActionArgs) {
  const raw = new Uint8Array(await request.arrayBuffer());
  if (raw.length > MOST_BYTES) return answer(413);
  const ctx = ctxOf(context);
  const url = `${env().appUrl.origin}/webhooks/message/${params.provider}`;
  try {
    await receiveProviderMessages(ctx, params.provider, { raw, headers: request.headers, url });
    return answer(200);
  } catch (error) {
    const status = error instanceof DomainError ? STATUS[error.code] : undefined;
    if (status === undefined) throw error;
    log.warn({ requestId: ctx.requestId, status, bytes: raw.length }, "a message of a provider was refused");
    return answer(status);
  }
}
