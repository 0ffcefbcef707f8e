import { specialtyWord } from "#app/domains/directory/doctors/names.ts";
import { photoPath } from "#app/domains/directory/doctors/photo.ts";
import { formatRupees } from "#app/lib/money.ts";
import { m } from "#app/paraglide/messages.js";
import { Disc } from "#app/ui/pieces.tsx";

/** The doctor and the fee, at the top of each booking step. */
export function DoctorLine({
  doctor,
}: {
  doctor: { id: string; name: string; photo: string | null; specialization: string; fee: number | null; hospitalName: string | null };
}) {
  return (
    <div className="row my-4 flex-wrap rounded-lg border border-line bg-card px-4 py-3">
      <Disc id={doctor.id} name={doctor.name} photo={photoPath(doctor.photo)} size="sm" />
      <div className="grow">
        <b>{doctor.name}</b>
        <p className="text-sm text-ink-soft">{[specialtyWord(doctor.specialization), doctor.hospitalName].filter(Boolean).join(", ")}</p>
      </div>
      <p className="text-right leading-control">
        <b className="num">{doctor.fee === null ? m.doctors_fee_unknown() : formatRupees(doctor.fee)}</b>{" "}
        <small className="block text-ink-soft">{m.appointments_fee()}</small>
      </p>
    </div>
  );
}

export const bookingSteps = () => [m.appointments_step_time(), m.appointments_step_detail(), m.appointments_step_payment()];
