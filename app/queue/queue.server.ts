/**
 * The job queue: pg-boss in the product's database. A job is enqueued in the transaction of its change: no email without the
 * change, and no change without its email.
 */
import { sql } from "drizzle-orm";
import { fromDrizzle, PgBoss, type Queue } from "pg-boss";
import type { Db } from "#app/db/client.server.ts";
import { hours, minutes } from "#app/lib/durations.ts";
import type { Language } from "#app/lib/language.ts";
import { forgetWith } from "#app/lib/of-start.ts";
import { notifyJobAdded } from "#app/realtime/channels.server.ts";
import { type DatabaseAddress, env } from "#app/runtime/env.server.ts";
import { sealEmail } from "./sealed-email.server.ts";

type QueueOptions = Omit<Queue, "name">;

const inSeconds = (ms: number) => ms / 1000;
/** Retries for 24 to 27 hours, with delays that grow to three hours. */
const DELIVERY: QueueOptions = {
  // pg-boss would send a NOTIFY in the transaction: `enqueue` writes a live event instead.
  notify: false,
  retryLimit: 16,
  retryDelay: 20,
  retryBackoff: true,
  retryDelayMax: inSeconds(hours(3)),
  expireInSeconds: 60,
  retentionSeconds: inSeconds(hours(48)),
};

/** Every 15 s for half an hour: a refund starts at once when the provider is back. The sweep goes on after that. */
const PROVIDER: QueueOptions = {
  notify: false,
  retryLimit: 120,
  retryDelay: 15,
  expireInSeconds: 60,
  retentionSeconds: inSeconds(hours(48)),
};

/** For half a day, with delays that grow to half an hour. Each message also has an end of its own. */
const BROWSERS: QueueOptions = {
  ...DELIVERY,
  retryLimit: 24,
  retryDelayMax: inSeconds(minutes(30)),
  retentionSeconds: inSeconds(hours(24)),
};

/** Queues of changes with their retry policies: a new job wakes the workers, and they are polled for retries only. */
const OF_CHANGES = {
  /** One email. Its body is encrypted in the queue. */
  email: DELIVERY,
  /** The email and the SMS of a notification. */
  "notification-email": DELIVERY,
  "notification-sms": DELIVERY,
  /** The email to a patient who cancelled or moved an appointment: it changes the entry in their calendar. */
  "own-change-email": DELIVERY,
  /** A notification for one browser. `tries`: how often the push service asked to wait. */
  "notification-push": BROWSERS,
  /** "Three are before you" and "the doctor is late". Useless after some minutes. */
  "queue-sms": { ...DELIVERY, retryLimit: 4, retryDelayMax: inSeconds(minutes(2)), retentionSeconds: inSeconds(hours(1)) },
  /** Answers the messages of a conversation that wait, and sends one message of it (app/domains/messages). */
  conversation: { ...DELIVERY, retryDelay: 2, retryDelayMax: inSeconds(minutes(5)) },
  message: { ...DELIVERY, retryDelay: 5 },
  /** The link of a signed prescription to a patient of the queue. The link is made when it is sent. */
  "prescription-sms": DELIVERY,
  /** Stores the range that a patient saw on arrival. */
  "queue-estimate": { ...DELIVERY, retryLimit: 1, retentionSeconds: inSeconds(hours(1)) },
  /** Sends the code and the link of a forgotten password. */
  "password-reset": DELIVERY,
  /** Applies what is known of an order of the payment provider. */
  "payment-order": PROVIDER,
  /** Sends one refund to the payment provider. */
  "payment-refund": PROVIDER,
  /** Gives a payout account back what it paid for a refund that failed. */
  "account-return": PROVIDER,
  /** Sends a payout account to the payment provider. */
  "payout-account": PROVIDER,
  /** Books the refunds of a cancelled appointment that was paid online. */
  "refund-cancelled": PROVIDER,
  /** Delivers or withdraws an announcement in batches. Goes on after the last batch; safe to run twice at once. */
  announcement: { ...DELIVERY, expireInSeconds: inSeconds(minutes(10)) },
  /** Checks, commits or undoes an import in batches. Short jobs that go on after each other: one that died is retried within a minute. */
  import: { ...DELIVERY, expireInSeconds: inSeconds(minutes(2)) },
  /** Writes the file of an export. */
  export: DELIVERY,
  /** Drops pages of one CDN by their keys. Useless once they have expired, but retried for a day: a CDN may serve them longer. */
  "purge-cdn": DELIVERY,
  /** Sends events to the software of partners. Each minute it also sends again what failed. Safe to run twice at once. */
  webhooks: { policy: "short", notify: false, retryLimit: 0, expireInSeconds: inSeconds(minutes(10)) },
} as const satisfies Record<string, QueueOptions & { policy?: string }>;
/** Queues of scheduled jobs: when each runs is in CRON. */
const SCHEDULED = {
  /** Asks the payment provider what lost messages did not say, and about payout accounts. Safe to run twice at once. */
  "sweep-payments": { policy: "short", retryLimit: 0, expireInSeconds: inSeconds(minutes(5)) },
  /** Cancels appointments whose prepayment is overdue. Safe to run twice at once. */
  "sweep-unpaid": { policy: "short", retryLimit: 0, expireInSeconds: inSeconds(minutes(5)) },
  /** Reads the provider's settlement report and compares it with our payments and refunds. Safe to run twice at once. */
  "read-settlements": { policy: "short", retryLimit: 0, expireInSeconds: inSeconds(minutes(20)) },
  /** Deletes expired rows and files. */
  sweep: { policy: "short", retryLimit: 0, expireInSeconds: inSeconds(minutes(10)) },
  /** Sends appointment reminders, a day and two hours before; `reminders` records those sent. */
  reminders: { policy: "short", retryLimit: 0, expireInSeconds: inSeconds(minutes(5)) },
  /** Reminds reviewers and administrators of cases that wait; `case_reminders` records those sent. Safe to run twice at once. */
  "remind-cases": { policy: "short", retryLimit: 0, expireInSeconds: inSeconds(minutes(10)) },
  /** Seals new rows of the audit log. */
  "seal-log": { policy: "short", retryLimit: 0, expireInSeconds: inSeconds(minutes(10)) },
  /** Writes the last seal outside the database. */
  "note-seal": { policy: "short", retryLimit: 3, expireInSeconds: inSeconds(minutes(1)) },
  /** Ends proposals of another time that the patient did not answer. Safe to run twice at once. */
  "lapse-proposals": { policy: "short", retryLimit: 0, expireInSeconds: inSeconds(minutes(10)) },
  /** Opens the times of weekly hours for the next days. Safe to run twice at once. */
  "open-days": { policy: "short", retryLimit: 0, expireInSeconds: inSeconds(minutes(10)) },
  /** Gives the appointments of the day their tokens. Safe to run twice at once. */
  "plan-queues": { policy: "short", retryLimit: 0, expireInSeconds: inSeconds(minutes(10)) },
  /** Passes lapsed offers of waitlists on. Safe to run twice at once. */
  waitlist: { policy: "short", retryLimit: 0, expireInSeconds: inSeconds(minutes(5)) },
  /** Encrypts rows and files stored before encryption. Resumes where the last run ended; safe to run twice at once. */
  "seal-stored": { policy: "short", retryLimit: 0, expireInSeconds: inSeconds(minutes(5)) },
} as const satisfies Record<string, QueueOptions & { policy: string }>;
/** Cron jobs: when the jobs of scheduled queues run (UTC), once for all processes. */
export const CRON = {
  sweep: "17 * * * *",
  reminders: "* * * * *",
  "remind-cases": "27 * * * *",
  "seal-log": "* * * * *",
  "note-seal": "42 20 * * *",
  "seal-stored": "*/5 * * * *",
  "lapse-proposals": "* * * * *",
  "open-days": "7 * * * *",
  "plan-queues": "* * * * *",
  waitlist: "* * * * *",
  "sweep-payments": "* * * * *",
  "sweep-unpaid": "* * * * *",
  webhooks: "* * * * *",
  "read-settlements": "33 */6 * * *",
} as const satisfies Record<keyof typeof SCHEDULED | "webhooks", string>;
/** Every queue. The names are stored with the jobs. */
export const QUEUES = { ...OF_CHANGES, ...SCHEDULED };
/** True for a queue of changes. */
export const isWoken = (name: JobName) => name in OF_CHANGES;
/** Queues whose jobs a backup includes. The others run on a schedule. */
export const DELIVERIES = ["email", "notification-email", "notification-sms"] as const satisfies readonly (keyof typeof QUEUES)[];
export type JobData = {
  email: { to: string; subject: string; body: string };
  "notification-email": { notificationId: string };
  "notification-sms": { notificationId: string };
  "own-change-email": { appointmentId: string };
  "notification-push": { notificationId: string; subscriptionId: string; tries?: number; refusals?: number };
  /** `late`: the announced delay, so that a later announcement replaces it. `marked`: when it was decided, so that a call which is taken back stops it. */
  "queue-sms": { entryId: string; kind: "token" | "soon" | "late" | "closed"; late?: number; marked?: number };
  conversation: { threadId: string };
  message: { messageId: string };
  "prescription-sms": { documentId: string };
  "queue-estimate": { entryId: string };
  "password-reset": { resetId: string; language: Language };
  "payment-order": { orderId: string };
  "payment-refund": { refundId: string };
  "account-return": { refundId: string };
  "payout-account": { merchantId: string };
  "refund-cancelled": { appointmentId: string };
  announcement: { announcementId: string };
  import: { importId: string };
  export: { exportId: string };
  "sweep-payments": Record<string, never>;
  "sweep-unpaid": Record<string, never>;
  "read-settlements": Record<string, never>;
  sweep: Record<string, never>;
  reminders: Record<string, never>;
  "remind-cases": Record<string, never>;
  "seal-log": Record<string, never>;
  "note-seal": Record<string, never>;
  "seal-stored": Record<string, never>;
  "lapse-proposals": Record<string, never>;
  "open-days": Record<string, never>;
  "plan-queues": Record<string, never>;
  waitlist: Record<string, never>;
  webhooks: Record<string, never>;
  "purge-cdn": { url: string; keys: string[]; again?: true };
};
export type JobName = keyof JobData;

const adapt = (on: Db) => fromDrizzle(on as Parameters<typeof fromDrizzle>[0], sql as unknown as Parameters<typeof fromDrizzle>[1]);

/**
 * Returns a pg-boss with two connections of its own driver: it sends whole transactions as one query, which a postgres.js
 * pool does not accept.
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
  // Without a listener a background error would end the process. Callers get theirs as a rejection.
  boss.on("error", options.onError ?? (() => {}));
  return boss;
}

/** Creates the tables of pg-boss and our queues. Part of a migration. */
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

const processGlobals = globalThis as typeof globalThis & { __nadiQueue?: Promise<PgBoss> };
forgetWith(() => delete processGlobals.__nadiQueue);
/** Returns the queue of this process, started at first use. */
function queue(): Promise<PgBoss> {
  processGlobals.__nadiQueue ??= newBoss(env().database, { work: false }).start();
  return processGlobals.__nadiQueue;
}
/** Makes a started instance the queue of this process. */
export function adoptQueue(boss: Promise<PgBoss>): void {
  processGlobals.__nadiQueue = boss;
}

/** A job of a queue of changes. */
export type QueuedJob = { [N in Exclude<JobName, "email">]: { name: N; data: JobData[N] } }[Exclude<JobName, "email">];

/** Adds jobs in the transaction of `ctx`, with two statements for each of their queues. They run after the commit. */
export async function enqueueAll(ctx: { db: Db }, jobs: readonly QueuedJob[]): Promise<void> {
  if (!jobs.length) return;
  const boss = await queue();
  const byName = Map.groupBy(jobs, ({ name }) => name);
  await Promise.all(
    [...byName].flatMap(([name, list]) => [
      boss.insert(
        name,
        list.map(({ data }) => ({ data })),
        { db: adapt(ctx.db) },
      ),
      notifyJobAdded(ctx, name),
    ]),
  );
}

/** Adds a job in the transaction of `ctx`. It runs after the commit, and `after` seconds later. */
export async function enqueue<N extends JobName>(ctx: { db: Db }, name: N, data: JobData[N], after = 0): Promise<void> {
  const boss = await queue();
  const stored = name === "email" ? sealEmail(data as JobData["email"]) : data;
  await boss.send(name, stored, { db: adapt(ctx.db), ...(after && { startAfter: after }) });
  if (isWoken(name) && !after) await notifyJobAdded(ctx, name);
}
