import { sql } from "drizzle-orm";
import type { Ctx } from "#app/domains/context.server.ts";
import { publish } from "#app/realtime/channels.server.ts";

/**
 * Reloads the open agendas of the members who act for a doctor at the place of an appointment, after the commit. Reads the
 * memberships when it sends, so that ended members get nothing.
 */
export async function notifyDesks(tx: Ctx, { doctorId, appointmentId }: { doctorId: string; appointmentId: string }): Promise<void> {
  const members = await tx.db.execute<{ user_id: string }>(sql`
    select m.user_id from appointments a
      join practices p on p.id = a.practice_id
      join doctors d on d.id = a.doctor_id
      join place_doctors pd on pd.doctor_id = a.doctor_id and pd.hospital_id = coalesce(p.hospital_id, d.hospital_id) and pd.state = 'active'
      join memberships m on m.hospital_id = pd.hospital_id and m.state = 'active' and m.role in ('owner', 'reception')
    where a.id = ${appointmentId} and a.doctor_id = ${doctorId}
      and (cardinality(m.doctor_ids) = 0 or a.doctor_id = any(m.doctor_ids))`);
  for (const { user_id } of members) await publish(tx, user_id, "appointmentChanged", { _id: appointmentId });
}
