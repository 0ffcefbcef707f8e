/** Limits of sending codes, for known and unknown devices (docs/decisions/003). */
import type { OtpPurpose } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { hmac } from "#app/lib/crypto.server.ts";
import { minutes, seconds } from "#app/lib/durations.ts";
import { randomToken, sameSecret } from "#app/lib/ids.server.ts";
import type { Phone } from "#app/lib/phone.ts";
import { env } from "#app/runtime/env.server.ts";
import { countSpent, type LimitEvent, LimitRefusal, refundLimits, type Spent, spendLimits } from "../limits/limit.server.ts";
import type { LimitName } from "../limits/limits.ts";
import { networksOf } from "../limits/network.ts";
import { type CodeSend, codeSends } from "./code-sends.ts";

/** Details of a refusal that lets the visitor wait: the seconds, and the ticket that is valid after them. */
export type Waiting = { seconds: number; ticket: string };

/** These limits delay unknown devices instead of refusing them. */
const SLOWED: readonly LimitName[] = ["otp-send-address", "otp-send-waited", "otp-send-all", "otp-waited-all", "password-tries"];
const SHORTEST = 5;
const LONGEST = 60;
const TICKET_LIFE = minutes(10);

type Send = {
  purpose: OtpPurpose;
  phone: Phone;
  /** The device from `knownDevice`; null for an unknown one. */
  device: string | null;
  /** The caller's own challenge that five wrong codes have ended. */
  usedUp: string | null;
  ticket: string | null;
  /** Limits that delay unknown devices. */
  slowed: LimitEvent[];
};

/**
 * Counts one sent code, for a login or another purpose. A known device uses its own reserve. An unknown one uses the shared reserve of the phone and of its network
 * address. When only the address (or all sends of the minute) is at its limit, `detail` of the error has a ticket, and the same
 * request with the ticket succeeds after the wait. Stores nothing for a waiting visitor.
 * @throws LimitRefusal
 */
export async function spendSend(ctx: Ctx, send: Send): Promise<Spent> {
  const all = { key: "all", max: env().sms.codesPerMinute };
  const note = (lane: CodeSend["lane"], refused?: readonly LimitName[]) => codeSends.publish({ lane, refused } satisfies CodeSend);
  const { phone, purpose } = send;
  const usedUp = send.usedUp === null ? null : await skipGap(ctx, send.usedUp);
  const spend = async (lane: CodeSend["lane"], gap: LimitEvent, events: LimitEvent[]) => {
    try {
      const spent = await spendLimits(ctx, [...(usedUp ? [] : [gap]), ...events]);
      note(lane);
      return spent;
    } catch (error) {
      if (error instanceof LimitRefusal) note(lane, error.limits);
      throw error;
    }
  };
  try {
    if (send.device !== null) {
      const key = `${phone}|${purpose}|${send.device}`;
      return await spend("known", { limit: "otp-known-gap", key }, [
        { limit: "otp-known", key },
        { limit: "otp-known-day", key },
        { limit: "otp-known-all", ...all },
      ]);
    }
    const gap: LimitEvent = { limit: "otp-send-gap", key: phone };
    const events: LimitEvent[] = [
      { limit: "otp-send", key: phone },
      { limit: "otp-send-day", key: phone },
      { limit: "otp-send-share", key: phone, address: ctx.ip },
      { limit: "otp-send-share-day", key: phone, address: ctx.ip },
    ];
    const ticket = readTicket(ctx, send);
    // A request with a ticket has to wait, so it may not use the fast limits.
    if (ticket === null) {
      const fast: LimitEvent[] = [{ limit: "otp-send-all", ...all }, { limit: "otp-send-address", address: ctx.ip }, ...send.slowed];
      return await spend("stranger", gap, [...events, ...fast]);
    }
    if (ticket.wait > 0) throw new LimitRefusal([{ limit: "otp-send-address", wait: ticket.wait }], waiting(ticket.wait, send.ticket!));
    // A reserve of the minute for tickets, which a flood without tickets cannot use up.
    const slow: LimitEvent[] = [
      { limit: "otp-waited-all", ...all },
      { limit: "otp-send-waited", address: ctx.ip },
      { limit: "otp-ticket", key: ticket.id },
    ];
    return await spend("waited", gap, [...events, ...slow]);
  } catch (error) {
    if (usedUp) await refundLimits(ctx, usedUp);
    if (!(error instanceof LimitRefusal) || error.detail !== undefined || send.device !== null) throw error;
    if (!error.limits.every((limit) => SLOWED.includes(limit))) throw error;
    throw await slowDown(ctx, send, error.limits);
  }
}

/** Skips the gap once after wrong codes have ended the caller's challenge. */
async function skipGap(ctx: Ctx, idHash: string): Promise<Spent | null> {
  try {
    return await spendLimits(ctx, [{ limit: "otp-used-up", key: idHash }]);
  } catch (error) {
    if (error instanceof LimitRefusal) return null;
    throw error;
  }
}

const waiting = (wait: number, ticket: string): Waiting => ({ seconds: wait, ticket });

/** Returns the refusal with a ticket. The wait grows from 5 to 60 s with the delayed sends of this address. */
async function slowDown(ctx: Ctx, send: Send, limits: readonly LimitName[]): Promise<LimitRefusal> {
  const waited = await countSpent(ctx, { limit: "otp-send-waited", address: ctx.ip });
  const full = limits.some((limit) => limit !== "otp-send-address" && limit !== "password-tries");
  const wait = full ? LONGEST : Math.min(LONGEST, SHORTEST + waited);
  const id = randomToken().slice(0, 22);
  const from = String(ctx.now.getTime() + seconds(wait));
  const ticket = [id, from, macOf(ctx, send, id, from)[0]].join(".");
  return new LimitRefusal([{ limit: "otp-send-address", wait }], waiting(wait, ticket));
}

/** Returns the MAC of a ticket for each session secret. A ticket is valid for its phone, purpose and network only. */
const macOf = (ctx: Ctx, { purpose, phone }: Send, id: string, from: string) =>
  env().sessionSecrets.map((secret) => hmac([id, from, purpose, phone, networksOf(ctx.ip)[0]].join("|"), secret, "code-ticket"));

/** Returns the ticket of this request and the seconds left of its wait; null without a valid one. */
function readTicket(ctx: Ctx, send: Send): { id: string; wait: number } | null {
  const [id = "", from = "", mac = ""] = send.ticket?.split(".") ?? [];
  if (!/^\d{13}$/.test(from) || !macOf(ctx, send, id, from).some((right) => sameSecret(right, mac))) return null;
  const left = Number(from) - ctx.now.getTime();
  if (left < -TICKET_LIFE) return null;
  return { id, wait: Math.max(0, Math.ceil(left / 1000)) };
}
