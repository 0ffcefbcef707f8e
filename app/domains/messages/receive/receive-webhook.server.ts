import type { Ctx } from "#app/domains/context.server.ts";
import type { WebhookRequest } from "#app/integrations/inbound/inbound.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { normalisePhone } from "#app/lib/phone.ts";
import { receiveMessage } from "./receive-message.server.ts";

/**
 * Stores what the webhook of a configured provider reports. A sender whose number is not Indian, such as a name of a company, is not answered.
 * @throws DomainError("not-found") for a provider that is not configured, "forbidden" for a wrong signature, "invalid"
 */
export async function receiveProviderMessages(ctx: Ctx, provider: string, request: Omit<WebhookRequest, "now">): Promise<void> {
  const sources = ctx.integrations.inbound;
  const source = Object.hasOwn(sources, provider) ? sources[provider] : undefined;
  if (!source) throw new DomainError("not-found");
  for (const { from, sentAt, ...message } of source.read({ ...request, now: ctx.now })) {
    const phone = normalisePhone(from);
    if (phone) await receiveMessage(ctx, { ...message, provider, phone, sentAt: sentAt ?? ctx.now });
  }
}
