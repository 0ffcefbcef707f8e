import { and, eq } from "drizzle-orm";
import { appointments, doctors, users } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import type { NotificationKind } from "#app/domains/platform/notifications/kinds.ts";
import { notify } from "#app/domains/platform/notifications/notify.server.ts";
import { formatRupees, type Paise } from "#app/lib/money.ts";

type MoneyKind = Extract<NotificationKind, `payment-${string}` | `refund-${string}`>;

/** Notifies the patient of an appointment about its money, or the doctor and the administrators about a refund that needs them. In the transaction that moves the money. */
export async function notifyMoney(
  tx: Ctx,
  kind: MoneyKind,
  appointmentId: string,
  { amount, reference = null }: { amount: Paise; reference?: string | null },
): Promise<void> {
  const [visit] = await tx.db
    .select({
      patientId: appointments.patientId,
      patient: appointments.patientName,
      doctorId: appointments.doctorId,
      doctor: doctors.fullName,
      date: appointments.date,
      time: appointments.time,
    })
    .from(appointments)
    .innerJoin(doctors, eq(doctors.id, appointments.doctorId))
    .where(eq(appointments.id, appointmentId));
  if (!visit) return;
  const { patientId, doctorId, time, ...about } = visit;
  const params = {
    ...about,
    time: time.slice(0, 5),
    amount: formatRupees(amount),
    appointment: appointmentId,
    ...(reference && { reference }),
  };
  if (kind === "refund-unsolved") {
    const admins = await tx.db
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.role, "admin"), eq(users.status, "active")));
    // Without the patient and the appointment: administrators see orders.
    for (const { id } of admins)
      await notify(tx, id, kind, { doctor: about.doctor, date: about.date, amount: params.amount }, { page: "admin-payments" });
  } else if (kind === "refund-stuck") await notify(tx, doctorId, kind, params, { page: "doctor-visit", id: appointmentId });
  else await notify(tx, patientId, kind, params, { page: "patient-appointment", id: appointmentId });
}
