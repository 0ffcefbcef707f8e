import type { Ctx } from "#app/domains/context.server.ts";
import type { InboundSource, WebhookRequest } from "#app/integrations/inbound/inbound.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { normalisePhone } from "#app/lib/phone.ts";
import { followDelivery } from "../delivery/follow-delivery.server.ts";
import { answerWithoutNumber } from "./answer-without-number.server.ts";
import { receiveMessage } from "./receive-message.server.ts";

/** Returns the source of a provider. @throws DomainError("not-found") for one that is not configured */
export function sourceOf({ integrations: { inbound } }: Ctx, provider: string): InboundSource {
  const source = Object.hasOwn(inbound, provider) ? inbound[provider] : undefined;
  if (!source) throw new DomainError("not-found");
  return source;
}

/**
 * Stores what the webhook of a configured provider reports. A sender whose number is not Indian, such as a name of a company, is not answered.
 * @throws DomainError("not-found") for a provider that is not configured, "forbidden" for a wrong signature, "invalid",
 * "unavailable" when the answer to a user without a number is to be tried again
 */
export async function receiveProviderMessages(ctx: Ctx, provider: string, request: Omit<WebhookRequest, "now">): Promise<void> {
  const unanswered: unknown[] = [];
  for (const [i, reported] of sourceOf(ctx, provider)
    .read({ ...request, now: ctx.now })
    .entries()) {
    if (reported.kind === "delivery") {
      await followDelivery(ctx, reported);
      continue;
    }
    const { from, userId, sentAt, ...message } = reported;
    const phone = normalisePhone(from);
    // Those of one report keep their order also where the provider's clock has whole seconds.
    const now = new Date(ctx.now.getTime() + i);
    if (userId && !from) await answerWithoutNumber(ctx, { ...message, userId }).catch((error: unknown) => unanswered.push(error));
    else if (phone) await receiveMessage({ ...ctx, now }, { ...message, provider, phone, sentAt: sentAt ?? ctx.now });
  }
  // Reported again, after the others of the report were taken.
  if (unanswered.length) throw unanswered[0];
}
