import { type DateKey, formatDate } from "#app/lib/dates.ts";
import { withLanguage } from "#app/lib/language.server.ts";
import { BASE_LANGUAGE } from "#app/lib/language.ts";
import { m } from "#app/paraglide/messages.js";
import { UPI_NOTE } from "./payment-options.ts";

/**
 * Returns the note of a UPI payment, shown to both sides in apps and bank statements. Always in English, because many of them
 * show only Latin letters. Cuts long names so that the date fits.
 */
export function paymentNote(doctor: string, date: DateKey): string {
  return withLanguage(BASE_LANGUAGE, () => {
    const day = formatDate(date);
    const room = UPI_NOTE - m.payments_note({ doctor: "", date: day }).length;
    return m.payments_note({
      doctor: doctor
        .slice(0, room)
        .replace(/[\ud800-\udbff]$/, "")
        .trim(),
      date: day,
    });
  });
}
