import { sql } from "drizzle-orm";
import { webhookEndpoints } from "#app/db/schema/index.ts";
import { open } from "#app/db/sealed.server.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { messageOf } from "./message.ts";
import { LOST_AFTER } from "./retry.ts";

/** Deliveries to one endpoint that are sent at once. */
export const AT_ONCE = 10;

export type ClaimedDelivery = { id: string; attempt: number; url: string; secrets: string[]; body: string };

type Row = {
  id: string;
  attempts: number;
  created_ms: number;
  url: string;
  place: string;
  secret: string;
  previous_secret: string | null;
  kind: string | null;
  subject_id: string;
  doctor_id: string | null;
  data: Record<string, string>;
  at_ms: number;
  reference: string | null;
};
type Sealed = Parameters<typeof open<typeof webhookEndpoints.secret>>[2];

/**
 * Takes deliveries of an endpoint that are due and counts the attempt. Another process skips them. Nothing is locked while they are sent: when
 * their process dies, they are due again after `LOST_AFTER`.
 */
export async function claimDeliveries(ctx: Ctx, endpointId: string): Promise<ClaimedDelivery[]> {
  const now = ctx.now.toISOString();
  const lost = new Date(ctx.now.getTime() + LOST_AFTER).toISOString();
  const rows = await ctx.db.execute<Row>(sql`
    with due as (
      select d.id from webhook_deliveries d join webhook_endpoints w on w.id = d.endpoint_id and w.state = 'active'
      where d.endpoint_id = ${endpointId} and d.state = 'waiting' and d.next_at <= ${now}
      order by d.next_at, d.event_id limit ${AT_ONCE} for update of d skip locked),
    claimed as (
      update webhook_deliveries d set attempts = d.attempts + 1, tried_at = ${now}, next_at = ${lost} from due where d.id = due.id returning d.*)
    select c.id, c.attempts, extract(epoch from c.created_at)::float8 * 1000 as created_ms,
      w.url, w.hospital_id as place, w.secret, case when w.previous_until > ${now} then w.previous_secret end as previous_secret,
      e.kind, e.subject_id, e.doctor_id, e.data, extract(epoch from e.at)::float8 * 1000 as at_ms, a.payment_reference as reference
    from claimed c join webhook_endpoints w on w.id = c.endpoint_id left join domain_events e on e.id = c.event_id
      left join appointments a on e.subject_kind = 'appointment' and a.id = e.subject_id
    order by c.event_id`);
  return rows.map((row) => ({
    id: row.id,
    attempt: row.attempts,
    url: row.url,
    secrets: [
      open(webhookEndpoints.secret, endpointId, row.secret as unknown as Sealed),
      ...(row.previous_secret ? [open(webhookEndpoints.previousSecret, endpointId, row.previous_secret as unknown as Sealed)] : []),
    ],
    body: messageOf({
      placeId: row.place,
      createdAt: new Date(row.created_ms),
      event:
        row.kind === null
          ? null
          : { kind: row.kind, subjectId: row.subject_id, doctorId: row.doctor_id, data: row.data, at: new Date(row.at_ms) },
      reference: row.reference,
    }),
  }));
}
