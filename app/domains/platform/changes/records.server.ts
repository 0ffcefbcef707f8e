import { randomUUID } from "node:crypto";
import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#app/domains/context.server.ts";
import { withLanguage } from "#app/lib/language.server.ts";
import { LANGUAGES } from "#app/lib/language.ts";
import { keysToPurge } from "#app/lib/page-keys.ts";
import { pathOf, type Target } from "#app/lib/targets.ts";
import { enqueueAll, type QueuedJob } from "#app/queue/queue.server.ts";
import { CHANNELS, forgetOwn, liveEvent, type OwnChannel } from "#app/realtime/channels.server.ts";
import { env } from "#app/runtime/env.server.ts";
import { type AuditEntry, auditRow } from "../audit/record.server.ts";
import type { EventKind } from "../events/event-kinds.ts";
import { NOTIFICATION_KINDS, type NotificationKind, type NotificationLook, type NotificationParams } from "../notifications/kinds.ts";
import { PUSH_GROUPS } from "../notifications/push-groups.ts";
import { wordsOf } from "../notifications/words.ts";

type Json = Record<string, unknown>;
type EventRow = {
  kind: EventKind;
  subjectId: string;
  doctorId: string | null;
  /** Default: the place that the actor acts for. */
  hospitalId: string | null;
  data: Partial<Record<"to" | "date" | "time" | "field" | "role", string>>;
};
/** `n`: its place among the live events. `texts`: the payload in each language, of which that of the user `to` is sent. */
type Live = { n: number; channel: string; payload?: string; to?: string; texts?: Record<string, string> };

/** Stands for a member in the payload of an event for each of them. */
const MEMBER = "00000000-0000-0000-0000-000000000000";

/** What follows from changes of one transaction: rows, live events, jobs, and copies of this process that are stale. */
export class Records {
  private readonly ctx: Ctx;
  private readonly audits: Json[] = [];
  private readonly events: Json[] = [];
  private readonly notifications: Json[] = [];
  /** Notifications that browsers show. */
  private readonly shown: { notification: string; user: string }[] = [];
  private readonly live: Live[] = [];
  private readonly desks: { n: number; appointment: string; doctor: string; payload: string }[] = [];
  private readonly jobs: QueuedJob[] = [];
  private readonly stale: [OwnChannel, string][] = [];
  /** The doctors whose public pages are dropped already. undefined: all of the directory. */
  private readonly dropped = new Set<string | undefined>();

  constructor(ctx: Ctx) {
    this.ctx = ctx;
  }

  audit(entry: AuditEntry): void {
    const { actorId, actorRole, subjectType, subjectId, personId, requestId, hospitalId, memberRole, onBehalfOf, ...same } = auditRow(
      this.ctx,
      entry,
    );
    this.audits.push({
      ...same,
      actor_id: actorId,
      actor_role: actorRole,
      subject_type: subjectType,
      subject_id: subjectId,
      person_id: personId,
      request_id: requestId,
      hospital_id: hospitalId,
      member_role: memberRole,
      on_behalf_of: onBehalfOf,
    });
  }

  event({ kind, subjectId, doctorId, hospitalId, data }: EventRow): void {
    const { actor, now } = this.ctx;
    this.events.push({
      kind,
      subject_kind: kind.slice(0, kind.indexOf(".")),
      subject_id: subjectId,
      actor_id: actor?.userId ?? null,
      on_behalf_of: actor?.onBehalfOf?.doctorId ?? null,
      doctor_id: doctorId,
      hospital_id: hospitalId ?? actor?.onBehalfOf?.hospitalId ?? null,
      at: now,
      data,
    });
  }

  /** A notification for one user, with its live event, emails, SMS and messages to browsers. */
  notify(userId: string, kind: NotificationKind, params: NotificationParams, target: Target): void {
    const { now } = this.ctx;
    const id = randomUUID();
    const targetPath = pathOf(target);
    const { type, email, sms }: NotificationLook = NOTIFICATION_KINDS[kind];
    this.notifications.push({ id, user_id: userId, kind, type, params, target_path: targetPath, created_at: now });
    if (PUSH_GROUPS[kind]) this.shown.push({ notification: id, user: userId });
    if (email) this.jobs.push({ name: "notification-email", data: { notificationId: id } });
    if (sms) this.jobs.push({ name: "notification-sms", data: { notificationId: id } });
    const texts = LANGUAGES.map((language) => {
      const { title, message } = withLanguage(language, () => wordsOf(kind, params));
      // An event has at most 8,000 bytes. The page has the whole text.
      const data = { _id: id, title, message: message.slice(0, 500), type, read: false, createdAt: now.toISOString(), targetPath };
      return [language, liveEvent(userId, "receiveNotification", data)];
    });
    this.live.push({ n: this.next(), channel: CHANNELS.events, to: userId, texts: Object.fromEntries(texts) });
  }

  /** The open pages of a user load an appointment again. */
  showAppointment(userId: string, id: string): void {
    this.live.push({ n: this.next(), channel: CHANNELS.events, payload: liveEvent(userId, "appointmentChanged", { _id: id }) });
  }

  /** The open agendas of the members who act for a doctor at the place of an appointment load again. */
  showDesks(appointment: string, doctor: string): void {
    this.desks.push({ n: this.next(), appointment, doctor, payload: liveEvent(MEMBER, "appointmentChanged", { _id: appointment }) });
  }

  /** The open pages of a queue load again. */
  showQueue(sessionId: string): void {
    this.live.push({ n: this.next(), channel: CHANNELS.queues, payload: sessionId });
    this.stale.push(["queues", sessionId]);
  }

  /** Drops public pages in every process and in CDNs, once for several changes. @param doctorId when only this doctor changed */
  dropPages(doctorId?: string): void {
    if (this.dropped.has(doctorId)) return;
    this.dropped.add(doctorId);
    this.live.push({ n: this.next(), channel: CHANNELS.pages, payload: "" });
    this.stale.push(["pages", ""]);
    for (const url of env().cdn.purgeUrls) this.jobs.push({ name: "purge-cdn", data: { url, keys: keysToPurge(doctorId) } });
  }

  job(job: QueuedJob): void {
    this.jobs.push(job);
  }

  private next(): number {
    return this.live.length + this.desks.length;
  }

  /** Writes all rows in one statement. Jobs take two more for each of their queues. */
  async write(): Promise<void> {
    const { audits, events, notifications, shown, live, desks, jobs } = this;
    const { db } = this.ctx;
    const parts: SQL[] = [];
    if (audits.length) parts.push(sql`audits as (${insert("audit_log", audits)})`);
    if (events.length) parts.push(sql`events as (${insert("domain_events", events)})`);
    if (notifications.length) parts.push(sql`notices as (${insert("notifications", notifications)})`);
    const sent = [...(live.length ? [toUsers(live)] : []), ...(desks.length ? [toMembers(desks)] : [])];
    if (sent.length)
      parts.push(sql`sent as (insert into live_events (channel, payload)
        select channel, payload from (${sql.join(sent, sql` union all `)}) as e (n, channel, payload) order by n)`);
    if (parts.length) {
      const browsers = shown.length ? browsersOf(shown) : sql`select where false`;
      const rows = await db.execute<{ notificationId: string; subscriptionId: string }>(sql`with ${sql.join(parts, sql`, `)} ${browsers}`);
      for (const { notificationId, subscriptionId } of rows)
        jobs.push({ name: "notification-push", data: { notificationId, subscriptionId } });
    }
    await enqueueAll(this.ctx, jobs);
    for (const [channel, payload] of this.stale) forgetOwn(this.ctx, channel, payload);
  }
}

const json = (rows: unknown[]): SQL => sql`${JSON.stringify(rows)}::jsonb`;
/** SQL: inserts rows that have the same columns. */
function insert(table: string, rows: Json[]): SQL {
  const columns = sql.raw(Object.keys(rows[0]!).join(", "));
  return sql`insert into ${sql.raw(table)} (${columns}) select ${columns} from jsonb_populate_recordset(null::${sql.raw(table)}, ${json(rows)})`;
}

/** SQL: live events to users, notifications in the language of each. */
const toUsers = (live: Live[]): SQL => sql`
  select r.n, r.channel, coalesce(r.texts ->> coalesce(u.language, 'en'), r.payload)
  from jsonb_to_recordset(${json(live)}) as r (n int, channel text, payload text, "to" uuid, texts jsonb) left join users u on u.id = r."to"`;

/** SQL: live events to the members at the desk. It reads the memberships when it sends, so that ended members get nothing. */
const toMembers = (desks: Records["desks"]): SQL => sql`
  select r.n, ${CHANNELS.events}, replace(r.payload, ${MEMBER}, m.user_id::text)
  from jsonb_to_recordset(${json(desks)}) as r (n int, appointment uuid, doctor uuid, payload text)
    join appointments a on a.id = r.appointment and a.doctor_id = r.doctor
    join place_doctors pd on pd.doctor_id = a.doctor_id and pd.hospital_id = a.hospital_id and pd.state = 'active'
    join memberships m on m.hospital_id = pd.hospital_id and m.state = 'active' and m.role in ('owner', 'reception')
      and (cardinality(m.doctor_ids) = 0 or a.doctor_id = any(m.doctor_ids))`;

/** SQL: the browsers that show a notification. */
const browsersOf = (shown: Records["shown"]): SQL => sql`
  select r.notification as "notificationId", p.id as "subscriptionId"
  from jsonb_to_recordset(${json(shown)}) as r (notification uuid, "user" uuid) join push_subscriptions p on p.user_id = r."user"`;
