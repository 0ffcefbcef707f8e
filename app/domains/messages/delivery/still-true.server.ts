import type { Ctx } from "#app/domains/context.server.ts";
import { hasStopped } from "#app/domains/platform/delivery/stopped.server.ts";
import { instantInIndia } from "#app/lib/dates.ts";
import type { MessageChannel } from "#app/lib/vocabulary.ts";
import { findOffer, findOwnAppointment } from "../answers/refs.server.ts";
import { actingOwner } from "../answers/run-command.server.ts";
import type { StoredMessage } from "../conversation/render.ts";

/**
 * Returns false for a reminder or an offer that waited until its appointment or offer was over, or until the user wrote STOP. Answers to a
 * user's own message are always sent.
 */
export async function isStillTrue(
  ctx: Ctx,
  { phone, channel }: { phone: string; channel: MessageChannel },
  { reply }: StoredMessage,
): Promise<boolean> {
  const about = reply?.about;
  if (!about) return true;
  const owner = (await hasStopped(ctx, phone)) ? null : await actingOwner(ctx, { phone, channel });
  if (!owner) return false;
  if (about.step === "reminder") {
    const { id, at } = about.appointment;
    const own = await findOwnAppointment(owner, id);
    return own?.appointment.at.date === at.date && own.appointment.at.time === at.time;
  }
  const offer = await findOffer(owner, about.offer.at);
  return offer?.id === about.offer.id && ctx.now < instantInIndia(offer.until.date, offer.until.time);
}
