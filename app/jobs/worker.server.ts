import type { Job, JobResult, PgBoss } from "pg-boss";
import { db } from "#app/db/pool.server.ts";
import { lapseExpiredProposals } from "#app/domains/booking/appointments/proposals.server.ts";
import { sendOwnChange } from "#app/domains/booking/appointments/send-own-change.server.ts";
import { appointmentQueries, sendAppointmentReminders } from "#app/domains/booking/appointments/send-reminders.server.ts";
import { settleAllWaitlists } from "#app/domains/booking/waitlist/settle-all.server.ts";
import { writeExport } from "#app/domains/clinic/imports/export.server.ts";
import { resumeImports, runImport } from "#app/domains/clinic/imports/run-import.server.ts";
import { sweepMovedData } from "#app/domains/clinic/imports/sweep-imports.server.ts";
import { openAllDays } from "#app/domains/clinic/practices/open-days.server.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { sweepApplications } from "#app/domains/credentials/application/sweep-applications.server.ts";
import { remindCases } from "#app/domains/credentials/cases/remind-cases.server.ts";
import { repairRatings } from "#app/domains/directory/ratings.server.ts";
import { refreshSearchWords } from "#app/domains/directory/search/search.server.ts";
import { sweepRuns } from "#app/domains/guidance/emergency/run.server.ts";
import { answerThreads } from "#app/domains/messages/answers/answer-thread.server.ts";
import { pushQuestion } from "#app/domains/messages/answers/push-question.server.ts";
import { sendMessages } from "#app/domains/messages/delivery/send-message.server.ts";
import { sweepMessages } from "#app/domains/messages/receive/receive-message.server.ts";
import { sweepRefused } from "#app/domains/money/messages/record-refused.server.ts";
import { applyOrder } from "#app/domains/money/online/apply-order.server.ts";
import { refundCancelled } from "#app/domains/money/online/refund-cancelled.server.ts";
import { sendAccountReturn } from "#app/domains/money/online/send-account-return.server.ts";
import { sendRefund } from "#app/domains/money/online/send-refund.server.ts";
import { sweepPayments } from "#app/domains/money/online/sweep-payments.server.ts";
import { sweepUnpaid } from "#app/domains/money/online/sweep-unpaid.server.ts";
import { sendPayout, sweepPayouts } from "#app/domains/money/payouts/send-payout.server.ts";
import { readSettlements } from "#app/domains/money/settlements/read-settlements.server.ts";
import { deliverAnnouncement } from "#app/domains/oversight/announcements/deliver-announcement.server.ts";
import { findWrongBalances } from "#app/domains/patients/wallet/queries.server.ts";
import { sendWebhooks } from "#app/domains/places/webhooks/send-webhooks.server.ts";
import { sweepWebhooks } from "#app/domains/places/webhooks/sweep-webhooks.server.ts";
import { sweepChallenges } from "#app/domains/platform/accounts/otp.server.ts";
import { sweepPasskeyChallenges } from "#app/domains/platform/accounts/passkey-challenges.server.ts";
import { sendPasswordReset, sweepPasswordResets } from "#app/domains/platform/accounts/reset-password.server.ts";
import { sweepSessions } from "#app/domains/platform/accounts/sessions.server.ts";
import { sealLog } from "#app/domains/platform/audit/seal-log.server.ts";
import { sendNotificationEmail, sendNotificationSms } from "#app/domains/platform/delivery/deliver.server.ts";
import { sendNotificationPush } from "#app/domains/platform/delivery/deliver-push.server.ts";
import { sweepFiles } from "#app/domains/platform/files/sweep-files.server.ts";
import { sweepLimits } from "#app/domains/platform/limits/limit.server.ts";
import { sweepReplays } from "#app/domains/platform/limits/replay.server.ts";
import { sweepNotifications } from "#app/domains/platform/notifications/mark-notifications.server.ts";
import { sweepUnclaimed } from "#app/domains/privacy/own-data/delete-account.server.ts";
import { sealExisting } from "#app/domains/privacy/sealing/seal-existing.server.ts";
import { remindFollowUps, withFollowUps } from "#app/domains/visit/follow-up/remind-follow-ups.server.ts";
import { sendPrescriptionSms } from "#app/domains/visit/sharing/send-prescription-sms.server.ts";
import { sweepShares } from "#app/domains/visit/sharing/shares.server.ts";
import { recordEstimate } from "#app/domains/waiting-room/figures/record-estimate.server.ts";
import { sendQueueSms } from "#app/domains/waiting-room/messages/send-queue-sms.server.ts";
import { planQueues } from "#app/domains/waiting-room/queue/plan-queues.server.ts";
import { sweepQueues } from "#app/domains/waiting-room/queue/sweep-queues.server.ts";
import { purgeCdn } from "#app/integrations/cdn/purge.server.ts";
import { integrations } from "#app/integrations/live.server.ts";
import { seconds } from "#app/lib/durations.ts";
import { adoptQueue, CRON, enqueue, isWoken, type JobData, type JobName, newBoss } from "#app/queue/queue.server.ts";
import { openEmail } from "#app/queue/sealed-email.server.ts";
import { CHANNELS, WEBHOOK_EVENTS } from "#app/realtime/channels.server.ts";
import { receive } from "#app/realtime/receive.server.ts";
import { readClock } from "#app/runtime/clock.server.ts";
import { env } from "#app/runtime/env.server.ts";
import { log, messageOf } from "#app/runtime/log.server.ts";
import { noteSeal } from "./seal-file.server.ts";

const jobCtx = (id: string): Ctx => ({
  db: db(),
  actor: null,
  now: readClock(),
  integrations: integrations(),
  requestId: `job ${id}`,
  ip: "",
});

/** Seconds after which pages of the CDN are dropped a second time. */
const AGAIN = 2;

const queries = { ...withFollowUps(appointmentQueries), pushQuestion };

/** Handlers of queues whose jobs are many: those of a batch run together. They return the outcome of each. */
const TOGETHER = {
  conversation: (ctx: Ctx, jobs: readonly JobData["conversation"][]) =>
    answerThreads(
      ctx,
      jobs.map(({ threadId }) => threadId),
    ),
  message: (ctx: Ctx, jobs: readonly JobData["message"][]) =>
    sendMessages(
      ctx,
      jobs.map(({ messageId }) => messageId),
    ),
};
type Together = keyof typeof TOGETHER;

type Handlers = { [N in Exclude<JobName, Together>]: (ctx: Ctx, data: JobData[N]) => Promise<unknown> };
/** A job is retried when its handler throws: each handler is safe to repeat. */
const HANDLERS: Handlers = {
  email: (ctx, email) => ctx.integrations.email.send({ ...openEmail(email), id: ctx.requestId }),
  "notification-email": (ctx, { notificationId }) => sendNotificationEmail(ctx, notificationId, queries),
  "own-change-email": (ctx, { appointmentId }) => sendOwnChange(ctx, appointmentId),
  "notification-sms": (ctx, { notificationId }) => sendNotificationSms(ctx, notificationId, queries),
  "notification-push": (ctx, job) => sendNotificationPush(ctx, job, queries),
  "queue-sms": (ctx, job) => sendQueueSms(ctx, job),
  "prescription-sms": (ctx, { documentId }) => sendPrescriptionSms(ctx, documentId),
  "queue-estimate": (ctx, { entryId }) => recordEstimate(ctx, entryId),
  "password-reset": (ctx, job) => sendPasswordReset(ctx, job),
  reminders: async (ctx) => {
    await sendAppointmentReminders(ctx);
    await remindFollowUps(ctx);
  },
  "remind-cases": (ctx) => remindCases(ctx),
  "seal-log": (ctx) => sealLog(ctx),
  "note-seal": (ctx) => noteSeal(ctx),
  "seal-stored": (ctx) => sealExisting(ctx),
  "lapse-proposals": (ctx) => lapseExpiredProposals(ctx),
  "open-days": (ctx) => openAllDays(ctx),
  "plan-queues": (ctx) => planQueues(ctx),
  "payment-order": (ctx, { orderId }) => applyOrder(ctx, orderId),
  "payment-refund": (ctx, { refundId }) => sendRefund(ctx, refundId),
  "account-return": (ctx, { refundId }) => sendAccountReturn(ctx, refundId),
  "refund-cancelled": (ctx, { appointmentId }) => refundCancelled(ctx, appointmentId),
  "payout-account": (ctx, { merchantId }) => sendPayout(ctx, merchantId),
  "sweep-payments": async (ctx) => {
    await sweepPayments(ctx);
    await sweepPayouts(ctx);
  },
  "sweep-unpaid": (ctx) => sweepUnpaid(ctx),
  announcement: (ctx, { announcementId }) => deliverAnnouncement(ctx, announcementId),
  import: (ctx, { importId }) => runImport(ctx, importId),
  export: (ctx, { exportId }) => writeExport(ctx, exportId),
  "read-settlements": (ctx) => readSettlements(ctx),
  waitlist: (ctx) => settleAllWaitlists(ctx),
  webhooks: (ctx) => sendWebhooks(ctx),
  "purge-cdn": async (ctx, { again, ...purge }) => {
    await purgeCdn(env().cdn, purge);
    // A page that was rendered before the change may have reached the CDN after this purge.
    if (!again) await enqueue(ctx, "purge-cdn", { ...purge, again: true }, AGAIN);
  },
  sweep: async (ctx) => {
    await sweepApplications(ctx);
    await sweepFiles(ctx);
    await sweepChallenges(ctx);
    await sweepPasskeyChallenges(ctx);
    await sweepSessions(ctx);
    await sweepPasswordResets(ctx);
    await sweepLimits(ctx);
    await refreshSearchWords(ctx.db);
    await sweepReplays(ctx);
    await sweepRuns(ctx);
    await sweepShares(ctx);
    await sweepNotifications(ctx);
    await sweepQueues(ctx);
    await sweepWebhooks(ctx);
    await sweepRefused(ctx);
    await sweepUnclaimed(ctx);
    await sweepMovedData(ctx);
    await sweepMessages(ctx);
    await checkSums(ctx);
  },
};

/** Compares stored sums with their rows. Corrects ratings. Only logs wallet balances: they are money, so an administrator decides. */
async function checkSums(ctx: Ctx): Promise<void> {
  const ratings = await repairRatings(ctx);
  if (ratings) log.error({ ratings }, "ratings were not the sum of their reviews: corrected");
  const balances = await findWrongBalances(ctx);
  if (balances.length) log.error({ balances: balances.length }, "balances of wallets are not the sum of their ledger");
}

export type Workers = {
  /** Takes no more jobs. Those that run go on, and requests still add others. */
  rest(): void;
  /** Stops after the running jobs, or after three seconds: what is cut off is retried. */
  stop(): Promise<void>;
};

/** Starts the workers of this process. */
export async function startWorkers(): Promise<Workers> {
  const boss = newBoss(env().database, { work: true, onError: (error) => log.warn({ err: error }, "jobs") });
  const started = boss.start();
  adoptQueue(started);
  await started;
  const workers = new Map<string, string>();
  for (const name of Object.keys(HANDLERS) as (keyof Handlers)[])
    workers.set(name, await workOn(boss, name, (jobs) => Promise.allSettled(jobs.map(({ id, data }) => run(name, id, data)))));
  for (const name of Object.keys(TOGETHER) as Together[]) workers.set(name, await workOn(boss, name, (jobs) => runTogether(name, jobs)));
  for (const [name, cron] of Object.entries(CRON)) await boss.schedule(name, cron);
  const added = receive(CHANNELS.jobs, {
    event(name) {
      if (name === WEBHOOK_EVENTS) {
        enqueue({ db: db() }, "webhooks", {}).catch((error: unknown) => log.warn({ err: error }, "webhooks wait for the next minute"));
        return;
      }
      const worker = workers.get(name);
      if (worker) boss.notifyWorker(worker);
    },
  });
  await added.listening;
  await resumeImports(jobCtx("start"));
  return {
    rest() {
      for (const name of workers.keys()) void boss.offWork(name, { wait: false });
    },
    async stop() {
      await added.stop();
      await boss.stop({ graceful: true, timeout: seconds(3) });
    },
  };
}

/** Jobs of one queue that run at once in a process. More wait for the slowest of them. */
const BATCH = 20;

const run = <N extends keyof Handlers>(name: N, id: string, data: JobData[N]) => (HANDLERS[name] as Handlers[N])(jobCtx(id), data);
const runTogether = <N extends Together>(name: N, jobs: readonly Job<JobData[N]>[]) =>
  (TOGETHER[name] as (ctx: Ctx, jobs: readonly JobData[N][]) => Promise<PromiseSettledResult<unknown>[]>)(
    jobCtx(jobs[0]!.id),
    jobs.map(({ data }) => data),
  );

/** Runs the jobs of a queue in batches. A job that throws fails alone and is retried. Returns the id of the worker. */
async function workOn<N extends JobName>(
  boss: PgBoss,
  name: N,
  work: (jobs: Job<JobData[N]>[]) => Promise<PromiseSettledResult<unknown>[]>,
): Promise<string> {
  const options = {
    pollingIntervalSeconds: isWoken(name) ? 5 : 1,
    batchSize: BATCH,
    burstWhenBatchFull: true,
    perJobResults: true as const,
  };
  return boss.work(name, options, async (jobs: Job<JobData[N]>[]): Promise<JobResult[]> => {
    const results = await work(jobs).catch((reason: unknown) => jobs.map(() => ({ status: "rejected", reason }) as const));
    return results.map((result, i) => {
      const { id } = jobs[i]!;
      if (result.status === "fulfilled") return { id, status: "completed" };
      log.warn({ err: result.reason, queue: name, job: id }, "job failed");
      return { id, status: "failed", output: { message: messageOf(result.reason) } };
    });
  });
}
