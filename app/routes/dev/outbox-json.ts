import { ctxOf } from "#app/http/context.ts";
import { asRefusal, refusalHeaders, refusalOf, refusals } from "#app/http/refusals.server.ts";
import { listOutbox } from "#app/integrations/outbox.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import type { Route } from "./+types/outbox-json.ts";

const headers = { "Cache-Control": "no-store" };

/** `GET /dev/outbox.json?to=`: for scripts. Errors are JSON too. */
export async function loader({ context, request }: Route.LoaderArgs) {
  try {
    const messages = await listOutbox(ctxOf(context), new URL(request.url).searchParams.get("to"));
    return Response.json(messages, { headers });
  } catch (error) {
    const refusal = asRefusal(error);
    if (!(refusal instanceof DomainError)) throw error;
    const body = { success: false, message: refusalOf(refusal).message };
    return Response.json(body, { status: refusals[refusal.code].status, headers: { ...headers, ...refusalHeaders(refusal) } });
  }
}
