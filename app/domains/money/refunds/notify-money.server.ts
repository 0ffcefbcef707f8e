import { and, eq } from "drizzle-orm";
import { doctorNames } from "#app/db/in-language.server.ts";
import { appointments, doctors, users } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { listMembersWith } from "#app/domains/places/members/place-owners.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import type { NotificationKind } from "#app/domains/platform/notifications/kinds.ts";
import { formatRupees, type Paise } from "#app/lib/money.ts";
import { doctorParams } from "#app/lib/translations.ts";

type MoneyKind = Extract<NotificationKind, `payment-${string}` | `refund-${string}`>;

/**
 * Notifies the patient of an appointment about its money, or those who have to return a refund, and the administrators. `merchantId`: who has the money of
 * a refund: the doctor, or a place, whose members with `take-payment` are notified too. In the transaction that moves the money.
 */
export async function notifyMoney(
  tx: Ctx,
  kind: MoneyKind,
  appointmentId: string,
  { amount, reference = null, merchantId = null }: { amount: Paise; reference?: string | null; merchantId?: string | null },
): Promise<void> {
  const [visit] = await tx.db
    .select({
      patientId: appointments.patientId,
      patient: appointments.patientName,
      doctorId: appointments.doctorId,
      names: doctorNames,
      date: appointments.date,
      time: appointments.time,
    })
    .from(appointments)
    .innerJoin(doctors, eq(doctors.id, appointments.doctorId))
    .where(eq(appointments.id, appointmentId));
  if (!visit) return;
  const { patientId, doctorId, time, names, ...about } = visit;
  const params = {
    ...doctorParams(names),
    ...about,
    time: time.slice(0, 5),
    amount: formatRupees(amount),
    appointment: appointmentId,
    ...(reference && { reference }),
  };
  if (kind === "refund-unsolved") {
    const rows = await tx.db
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.role, "admin"), eq(users.status, "active")));
    // Without the patient and the appointment: administrators see orders.
    const shown = { ...doctorParams(names), date: about.date, amount: params.amount };
    await recordChange(tx, "leave-refund-unsolved", {
      people: { administrators: rows.map(({ id }) => id) },
      notify: { administrators: { params: shown, target: { page: "admin-payments" } } },
    });
    return;
  }
  const isForDoctor = kind === "refund-stuck";
  const placeId = isForDoctor && merchantId !== doctorId ? merchantId : null;
  const staff = placeId ? (await listMembersWith(tx, placeId, "take-payment", doctorId)).filter((id) => id !== doctorId) : [];
  await recordChange(tx, "notify-of-money", {
    people: { patient: patientId, doctor: doctorId, staff },
    notify: {
      patient: isForDoctor ? null : { kind, params, target: { page: "patient-appointment", id: appointmentId } },
      doctor: isForDoctor ? { kind, params, target: { page: "doctor-visit", id: appointmentId } } : null,
      staff: isForDoctor && placeId ? { kind, params, target: { page: "clinic-takings", id: placeId } } : null,
    },
  });
}
