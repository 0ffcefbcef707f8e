import { randomUUID } from "node:crypto";
import type { Ctx } from "#app/domains/context.server.ts";
import { findRedFlag } from "#app/domains/guidance/triage/red-flags.ts";
import { type LimitEvent, LimitRefusal, refundLimits, type Spent, spendLimits } from "#app/domains/platform/limits/limit.server.ts";
import { withLanguage } from "#app/lib/language.server.ts";
import { language } from "#app/lib/language.ts";
import { env } from "#app/runtime/env.server.ts";
import { scriptOf } from "../conversation/incoming-words.ts";
import { render } from "../conversation/render.ts";

/**
 * Answers a WhatsApp user who has a name instead of a number: nothing can be booked for them, and no text is stored. Once a day, and each message
 * with danger words once.
 * @throws DomainError("unavailable") so that WhatsApp reports the message again
 */
export async function answerWithoutNumber(
  ctx: Ctx,
  { providerId, userId, text }: { providerId: string; userId: string; text: string },
): Promise<void> {
  const { whatsapp } = ctx.integrations;
  if (!whatsapp) return;
  const isDanger = findRedFlag(text) !== null;
  const own: LimitEvent[] = isDanger
    ? [
        { limit: "message-no-number", key: providerId },
        { limit: "message-no-number-danger", key: userId },
      ]
    : [{ limit: "message-no-number", key: userId }];
  let spent: Spent;
  try {
    spent = await spendLimits(ctx, own);
  } catch (error) {
    if (error instanceof LimitRefusal) return;
    throw error;
  }
  const message = withLanguage(scriptOf(text), () => {
    const { body, choices, as } = render({ say: isDanger ? "danger" : "no-number" }, "whatsapp", env().appUrl.hostname);
    return { id: randomUUID(), to: userId, language: language(), body, choices, as };
  });
  try {
    await whatsapp.send(message);
  } catch (error) {
    await refundLimits(ctx, spent);
    throw error;
  }
}
