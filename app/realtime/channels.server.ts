import { afterCommit } from "#app/db/after-commit.server.ts";
import type { Db } from "#app/db/client.server.ts";
import { liveEvents } from "#app/db/schema/index.ts";
import type { EVENT_NAMES, ServerEvents } from "./events.ts";

/** Channels of PostgreSQL's NOTIFY, on which the relay (relay.server.ts) sends the events of committed transactions. */
export const CHANNELS = {
  /** `{ userId, event, data }`: emitted to the sockets of this user. */
  events: "nadi_events",
  /** Public data changed: every server process drops its cached pages. */
  pages: "nadi_pages",
  /** SessionsEnded: every server process closes the sockets of these sessions. */
  sessions: "nadi_sessions",
  /** The id of a queue session that changed: sent to the open pages that watch it. */
  queues: "nadi_queues",
  /** The name of a job queue with a new job: wakes its workers. */
  jobs: "nadi_jobs",
} as const;

type Sender = { db: Db };
/**
 * Writes an event to the outbox in the transaction of `ctx`. The relay sends it after the commit. A NOTIFY in the transaction itself
 * would make commits wait for each other (docs/decisions/088).
 */
async function send(ctx: Sender, channel: keyof typeof CHANNELS, payload: string): Promise<void> {
  await ctx.db.insert(liveEvents).values({ channel: CHANNELS[channel], payload });
}

/** Channels whose copies of data a process drops without waiting for the relay. */
export type OwnChannel = "pages" | "queues";
const own: Partial<Record<OwnChannel, (payload: string) => void>> = {};
/** Sets what this process does right after its own commits, so that the next page already shows the change. */
export function onOwn(channel: OwnChannel, act: (payload: string) => void): void {
  own[channel] = act;
}
/** Does that after the commit of `ctx`. */
export const forgetOwn = (ctx: Sender, channel: OwnChannel, payload: string) => afterCommit(ctx.db, () => own[channel]?.(payload));
/** Sends to the other open pages of a user what they did to a notification. `_id` null: to all of them. */
export const notifyMarked = (
  ctx: Sender,
  userId: string,
  event: "notificationRead" | "notificationDeleted",
  data: { _id: string | null },
) => send(ctx, "events", liveEvent(userId, event, data as never));
/** Returns the payload of an event to the open pages of a user. */
export const liveEvent = <Name extends (typeof EVENT_NAMES)[number]>(
  userId: string,
  event: Name,
  data: Parameters<ServerEvents[Name]>[0],
) => JSON.stringify({ userId, event, data });

export type SessionsEnded = { tokenHash: string } | { userId: string } | { everybody: true };
/** Closes the sockets of ended sessions in every server process after the commit. */
export const notifySessionsEnded = (ctx: Sender, ended: SessionsEnded) => send(ctx, "sessions", JSON.stringify(ended));

/** What the trigger of an event sends on the channel `jobs`: a worker then adds the job `webhooks`. */
export const WEBHOOK_EVENTS = "webhook-events";

/** Wakes the workers of a job queue after the commit. */
export const notifyJobAdded = (ctx: Sender, queue: string) => send(ctx, "jobs", queue);
