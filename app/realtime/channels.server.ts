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
type OwnChannel = "pages" | "queues";
const own: Partial<Record<OwnChannel, (payload: string) => void>> = {};
/** Sets what this process does right after its own commits, so that the next page already shows the change. */
export function onOwn(channel: OwnChannel, act: (payload: string) => void): void {
  own[channel] = act;
}
async function sendToOwn(ctx: Sender, channel: OwnChannel, payload: string): Promise<void> {
  await send(ctx, channel, payload);
  afterCommit(ctx.db, () => own[channel]?.(payload));
}

type EventName = (typeof EVENT_NAMES)[number];
/** Sends an event to the open pages of a user after the commit. */
export const publish = <Name extends EventName>(ctx: Sender, userId: string, event: Name, data: Parameters<ServerEvents[Name]>[0]) =>
  send(ctx, "events", JSON.stringify({ userId, event, data }));

/** Drops the cached public pages of every server process after the commit. Commands call `notifyPagesChanged`, which also purges the CDN. */
export const notifyCachedPages = (ctx: Sender) => sendToOwn(ctx, "pages", "");

export type SessionsEnded = { tokenHash: string } | { userId: string } | { everybody: true };
/** Closes the sockets of ended sessions in every server process after the commit. */
export const notifySessionsEnded = (ctx: Sender, ended: SessionsEnded) => send(ctx, "sessions", JSON.stringify(ended));

/** Reloads the open pages that watch a queue, after the commit. */
export const notifyQueueChanged = (ctx: Sender, sessionId: string) => sendToOwn(ctx, "queues", sessionId);

/** What the trigger of an event sends on the channel `jobs`: a worker then adds the job `webhooks`. */
export const WEBHOOK_EVENTS = "webhook-events";

/** Wakes the workers of a job queue after the commit. */
export const notifyJobAdded = (ctx: Sender, queue: string) => send(ctx, "jobs", queue);
