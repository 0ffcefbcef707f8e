import { and, eq, isNull, ne, or, sql } from "drizzle-orm";
import { messageThreads, users } from "#app/db/schema/index.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import type { NotificationParams } from "#app/domains/platform/notifications/kinds.ts";
import { minutes } from "#app/lib/durations.ts";
import { withLanguage } from "#app/lib/language.server.ts";
import { env } from "#app/runtime/env.server.ts";
import type { Step } from "../conversation/conversation.state.ts";
import type { Ask } from "../conversation/conversation.ts";
import { reduce } from "../conversation/reduce.ts";
import { openQuestion } from "../conversation/steps.ts";
import { lockThread, reply, storeState } from "./answer-thread.server.ts";
import { openThread } from "./open-thread.server.ts";
import { findOffer, findOwnAppointment } from "./refs.server.ts";

/** A question that was asked this recently is answered first: "2" must not cancel an appointment by mistake. */
const QUIET = { reminder: minutes(10), offer: minutes(2) };

/** Questions that need no answer, and whose "2" also cancels. */
const OPTIONAL: readonly Step[] = ["booked", "reminder"];

type Notice = { userId: string; kind: string; params: NotificationParams };

/**
 * Sends a reminder or an offer as a question of the conversation that its reader has with Nadi.
 * @returns "none" when there is no such conversation, "busy" while it waits for another answer
 */
export async function pushQuestion(ctx: Ctx, phone: string, { userId, kind, params }: Notice): Promise<"sent" | "none" | "busy"> {
  const isOffer = kind === "waitlist-offer";
  if (!isOffer && !kind.startsWith("appointment-reminder-")) return "none";
  const [latest] = await ctx.db
    .select({ id: messageThreads.id })
    .from(messageThreads)
    // One that began before the phone was theirs is not continued.
    .where(
      and(
        eq(messageThreads.phone, phone),
        or(isNull(messageThreads.patientId), eq(messageThreads.patientId, userId)),
        // Numbers are offered only where an SMS is read.
        env().demo || env().sms.inboundProvider ? undefined : ne(messageThreads.channel, "sms"),
      ),
    )
    .orderBy(sql`${messageThreads.lastInAt} desc nulls last`)
    .limit(1);
  // Where SMS of patients are answered, a reminder begins a conversation.
  if (!latest && !env().sms.inboundProvider) return "none";
  return transact(ctx, async (tx) => {
    const locked = await lockThread(tx, latest?.id ?? (await openThread(tx, { channel: "sms", phone })));
    if (!locked) return "none";
    const { thread } = locked;
    const state = { ...locked.state, language: locked.state.language ?? (await languageOf(tx, userId)) };
    const at = tx.now.getTime();
    const open = openQuestion(state, at);
    if (open && !OPTIONAL.includes(open.step) && at - open.since < (isOffer ? QUIET.offer : QUIET.reminder)) return "busy";
    const owner: Ctx<Actor> = { ...tx, actor: { userId, role: "patient", channel: thread.channel } };
    const ask = await withLanguage(state.language, () => questionOf(owner, isOffer, params));
    if (!ask) return "none";
    const next = reduce(state, { kind: "push", at, ask }, { times: 0, doctors: 0 });
    await reply(tx, thread, next.state, next.replies, ask);
    await storeState(tx, thread, next.state);
    return "sent";
  });
}

const languageOf = async ({ db }: Ctx, userId: string) =>
  (await db.select({ language: users.language }).from(users).where(eq(users.id, userId)))[0]?.language ?? null;

async function questionOf(owner: Ctx<Actor>, isOffer: boolean, params: NotificationParams): Promise<Ask<"reminder"> | Ask<"offer"> | null> {
  if (isOffer) {
    const offer = await findOffer(owner, { date: params.date ?? "", time: params.time ?? "" });
    return offer && { step: "offer", offer };
  }
  const own = await findOwnAppointment(owner, params.appointment);
  return own && { step: "reminder", appointment: own.appointment };
}
