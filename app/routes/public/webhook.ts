import { receiveWebhook } from "#app/domains/money/online/receive-webhook.server.ts";
import { ctxOf } from "#app/http/context.ts";
import { DomainError, type RefusalCode } from "#app/lib/domain-error.ts";
import type { RouteRules } from "#app/lib/route-rules.ts";
import { log } from "#app/runtime/log.server.ts";
import type { Route } from "./+types/webhook.ts";

// The signature is over the bytes of the body, which the form limit bounds (server/gates.ts).
export const handle = { session: false, cookies: false, signed: true } satisfies RouteRules;

const STATUS: Partial<Record<RefusalCode, number>> = { "not-found": 404, forbidden: 401, invalid: 400 };
const answer = (status: number) => new Response(null, { status });

/** Nothing to read here. */
export const loader = () => new Response(null, { status: 405, headers: { allow: "POST" } });

/** Takes a signed message of the payment provider. Other answers than 200 make it send the message again. */
export async function action({ request, context, params }: Route.ActionArgs) {
  const raw = new Uint8Array(await request.arrayBuffer());
  const { headers } = request;
  const ctx = ctxOf(context);
  try {
    await receiveWebhook(ctx, {
      provider: params.provider,
      raw,
      signature: headers.get("x-razorpay-signature") ?? "",
      reference: headers.get("x-razorpay-event-id"),
    });
    return answer(200);
  } catch (error) {
    const status = error instanceof DomainError ? STATUS[error.code] : undefined;
    if (status === undefined) throw error;
    log.warn({ requestId: ctx.requestId, status, bytes: raw.length }, "a payment message was refused");
    return answer(status);
  }
}
