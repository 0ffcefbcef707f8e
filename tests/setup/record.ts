/** Writes single records, for tests of what reads them. The product writes them by `recordChange`. */
import type { Db } from "#app/db/client.server.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { Records } from "#app/domains/platform/changes/records.server.ts";
import type { EventKind } from "#app/domains/platform/events/event-kinds.ts";
import type { NotificationKind, NotificationParams } from "#app/domains/platform/notifications/kinds.ts";
import type { Target } from "#app/lib/targets.ts";

export async function notify(ctx: Ctx, to: string, kind: NotificationKind, params: NotificationParams, target: Target): Promise<void> {
  const records = new Records(ctx);
  records.notify(to, kind, params, target);
  await records.write();
}

type Event = { kind: EventKind; subjectId: string; doctorId?: string; hospitalId?: string; data?: Record<string, string> };
export async function recordEvent(ctx: Ctx, { kind, subjectId, doctorId, hospitalId, data }: Event): Promise<void> {
  const records = new Records(ctx);
  records.event({ kind, subjectId, doctorId: doctorId ?? null, hospitalId: hospitalId ?? null, data: data ?? {} });
  await records.write();
}

/** Without an actor and a clock: these records have neither. */
const plain = (ctx: { db: Db }) => ctx as Ctx;
export const notifyQueueChanged = (ctx: { db: Db }, sessionId: string): Promise<void> =>
  recordChange(plain(ctx), "show-queue", { subject: { "queue-session": sessionId } });
export const notifyPagesChanged = (ctx: { db: Db }): Promise<void> => recordChange(plain(ctx), "open-days", {});
