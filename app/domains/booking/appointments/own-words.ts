import { cancelReasonWord } from "#app/domains/visit-reasons.ts";
import { m } from "#app/paraglide/messages.js";

/** Says who cancelled an appointment, and why. Older rows have no reason. */
export function cancelledWord(visit: { cancelledBy: string | null; cancelReason: string | null; doctorName: string }): string {
  if (visit.cancelReason === "unpaid") return m.prepay_cancelled();
  const who =
    visit.cancelledBy === "doctor"
      ? m.payments_cancelled_by_doctor({ doctor: visit.doctorName })
      : visit.cancelledBy === "admin"
        ? m.payments_cancelled_by_nadi()
        : m.payments_cancelled_by_you();
  return [who, cancelReasonWord(visit.cancelReason)].filter(Boolean).join(" ");
}

/** Returns the postal address with the PIN code once. */
export function placeOf({ address, pinCode }: { address: string | null; pinCode: string | null }): string {
  return pinCode && !address?.includes(pinCode) ? `${address ?? ""} ${pinCode}` : (address ?? "");
}
