/**
 * Work that must survive a crash: pg-boss in the product's own database (docs/decisions). A job is enqueued in
 * the transaction of the change it belongs to, so there is never a letter about something that did not happen, and never
 * a change without its letter.
 */
import { sql } from "drizzle-orm";
import { fromDrizzle, PgBoss, type QueueOptions } from "pg-boss";
import type { Db } from "#app/db/client.server.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { type DatabaseAddress, env } from "#app/env.server.ts";
import { hours, minutes } from "#app/lib/durations.ts";
import type { Language } from "#app/lib/language.ts";
import { sealLetter } from "./sealed-letter.server.ts";

const inSeconds = (ms: number) => ms / 1000;
/** Tried again for about a day, each time later. */
const DELIVERY: QueueOptions = {
  retryLimit: 12,
  retryDelay: 20,
  retryBackoff: true,
  retryDelayMax: inSeconds(hours(3)),
  expireInSeconds: 60,
  retentionSeconds: inSeconds(hours(48)),
};

/** Every job of the product: its data, and how stubbornly it is done. */
export const QUEUES = {
  /** One letter to one address; its text is sealed while it waits. */
  letter: DELIVERY,
  /** The letter that goes with a notification, and its text message. */
  "notice-letter": DELIVERY,
  "notice-sms": DELIVERY,
  /** Looks for the account of a forgotten password, and sends its code and its link. */
  "password-reset": DELIVERY,
  /** Forgets what has run out. Hourly; two processes do it once. */
  sweep: { policy: "short", retryLimit: 0, expireInSeconds: inSeconds(minutes(10)) },
  /** Looks for visits that come within a day. Each minute; what is told once is kept in `reminders`. */
  reminders: { policy: "short", retryLimit: 0, expireInSeconds: inSeconds(minutes(5)) },
  /** Seals the rows of the audit log that were committed since. Each minute. */
  "seal-log": { policy: "short", retryLimit: 0, expireInSeconds: inSeconds(minutes(10)) },
  /** Writes the last seal where the database's administrator does not reach it. Daily. */
  "note-seal": { policy: "short", retryLimit: 3, expireInSeconds: inSeconds(minutes(1)) },
  /** Seals rows and files from before they were sealed. Goes on where the last run ended; two processes at once do no harm. */
  "seal-stored": { policy: "short", retryLimit: 0, expireInSeconds: inSeconds(minutes(5)) },
} as const satisfies Record<string, QueueOptions & { policy?: string }>;
/** Queues whose jobs somebody waits for: a backup takes them along, the others are started by the clock. */
export const DELIVERIES = ["letter", "notice-letter", "notice-sms"] as const satisfies readonly (keyof typeof QUEUES)[];
export type JobData = {
  letter: { to: string; subject: string; body: string };
  "notice-letter": { notificationId: string };
  "notice-sms": { notificationId: string };
  "password-reset": { resetId: string; language: Language };
  sweep: Record<string, never>;
  reminders: Record<string, never>;
  "seal-log": Record<string, never>;
  "note-seal": Record<string, never>;
  "seal-stored": Record<string, never>;
};
export type JobName = keyof JobData;

const adapt = (on: Db) => fromDrizzle(on as Parameters<typeof fromDrizzle>[0], sql as unknown as Parameters<typeof fromDrizzle>[1]);

/**
 * pg-boss on its own two connections of the driver it is made for: it sends whole transactions as one text, which
 * postgres.js does not take on a pool.
 */
export function newBoss(address: DatabaseAddress, options: { work: boolean; install?: boolean; onError?: (error: Error) => void }): PgBoss {
  const where =
    "url" in address
      ? { connectionString: address.url }
      : { host: address.host, port: address.port, user: address.username, database: address.database };
  const boss = new PgBoss({
    ...where,
    max: 2,
    schema: "pgboss",
    supervise: options.work,
    schedule: options.work,
    migrate: options.install ?? false,
    createSchema: options.install ?? false,
  });
  // Without a listener an error in the background would end the process; who waits for an answer gets it as a rejection.
  boss.on("error", options.onError ?? (() => {}));
  return boss;
}

/** Creates pg-boss's tables and our queues; part of migrating a database. */
export async function installQueues(address: DatabaseAddress): Promise<void> {
  const boss = newBoss(address, { work: false, install: true });
  await boss.start();
  try {
    for (const [name, options] of Object.entries(QUEUES)) {
      if (await boss.getQueue(name)) await boss.updateQueue(name, withoutPolicy(options));
      else await boss.createQueue(name, options);
    }
  } finally {
    await boss.stop({ graceful: false });
  }
}
const withoutPolicy = ({ policy: _, ...options }: QueueOptions & { policy?: string }) => options;

const holder = globalThis as typeof globalThis & { __nadiQueue?: Promise<PgBoss> };
/** The queue of this process, started at the first use. */
function queue(): Promise<PgBoss> {
  holder.__nadiQueue ??= newBoss(env().database, { work: false }).start();
  return holder.__nadiQueue;
}
/** Makes a working instance the queue of this process. */
export function adoptQueue(boss: Promise<PgBoss>): void {
  holder.__nadiQueue = boss;
}

/** Adds a job in the transaction of `ctx`: it is done after the commit, or never if there is none. */
export async function enqueue<N extends JobName>(ctx: Ctx, name: N, data: JobData[N]): Promise<void> {
  const boss = await queue();
  const kept = name === "letter" ? sealLetter(data as JobData["letter"]) : data;
  await boss.send(name, kept, { db: adapt(ctx.db) });
}
