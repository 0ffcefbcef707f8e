import { asc, eq, sql } from "drizzle-orm";
import { payments } from "#app/db/schema/index.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { instantInIndia, monthOf, todayInIndia } from "#app/lib/dates.ts";
import type { MoneyFigures } from "./takings.ts";

/** Returns what the acting doctor's ledger says beside the earnings (docs/figures.md); null before the first recorded payment. */
export async function getMoneyFigures(ctx: Ctx<Actor>): Promise<MoneyFigures | null> {
  const doctor = ctx.actor.userId;
  const [first] = await ctx.db
    .select({ at: payments.receivedAt })
    .from(payments)
    .where(eq(payments.doctorId, doctor))
    .orderBy(asc(payments.receivedAt))
    .limit(1);
  if (!first) return null;
  const since = todayInIndia(first.at);
  const month = instantInIndia(`${monthOf(todayInIndia(ctx.now))}-01`, "00:00");
  const [row] = await ctx.db.execute<Omit<MoneyFigures, "since">>(sql`
    select moved.*, owed.owed from (
      select coalesce(sum(amount) filter (where refund_id is null), 0)::float8 as received,
        coalesce(-sum(amount) filter (where refund_id is not null), 0)::float8 as refunded,
        coalesce(sum(amount) filter (where refund_id is null and at >= ${month.toISOString()}), 0)::float8 as "monthReceived",
        coalesce(-sum(amount) filter (where refund_id is not null and at >= ${month.toISOString()}), 0)::float8 as "monthRefunded"
      from ledger_entries where doctor_id = ${doctor} and account in ('cash', 'upi', 'online')
    ) moved, (
      select coalesce(sum(greatest(0, a.fee - a.discount - coalesce(p.came, 0))), 0)::float8 as owed
      from appointments a
      left join (select appointment_id, sum(amount - corrected) as came from payments where doctor_id = ${doctor} group by 1) p on p.appointment_id = a.id
      where a.doctor_id = ${doctor} and a.status = 'completed' and a.date >= ${since}
    ) owed`);
  return { since, ...row! };
}
