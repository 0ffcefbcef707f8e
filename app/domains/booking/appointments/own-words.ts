import { cancelReasonWord } from "#app/domains/visit-reasons.ts";
import type { Canceller } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";

/** Says to the patient who cancelled an appointment, and why. Older rows have no reason. */
export function cancelledWord(visit: { cancelledBy: Canceller | null; cancelReason: string | null; doctorName: string }): string {
  if (visit.cancelReason === "unpaid") return m.prepay_cancelled();
  const who =
    visit.cancelledBy === "doctor"
      ? m.payments_cancelled_by_doctor({ doctor: visit.doctorName })
      : visit.cancelledBy === "clinic"
        ? m.payments_cancelled_by_clinic()
        : visit.cancelledBy === "admin"
          ? m.payments_cancelled_by_nadi()
          : m.payments_cancelled_by_you();
  return [who, cancelReasonWord(visit.cancelReason)].filter(Boolean).join(" ");
}

const CANCELLED: Record<Canceller, () => string> = {
  patient: () => m.appointments_cancelled_by_patient(),
  doctor: () => m.payments_cancelled_by_you(),
  clinic: () => m.appointments_cancelled_by_desk(),
  admin: () => m.payments_cancelled_by_nadi(),
};
/** Says to the doctor who cancelled an appointment. Empty for older rows. */
export const cancelledForDoctorWord = (visit: { cancelledBy: Canceller | null; cancelReason: string | null }): string =>
  visit.cancelReason === "unpaid" ? m.appointments_cancelled_unpaid() : visit.cancelledBy ? CANCELLED[visit.cancelledBy]() : "";

/** Returns the postal address with the PIN code once. */
export function placeOf({ address, pinCode }: { address: string | null; pinCode: string | null }): string {
  return pinCode && !address?.includes(pinCode) ? `${address ?? ""} ${pinCode}` : (address ?? "");
}
