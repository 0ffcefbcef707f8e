import { type DateKey, formatDate } from "#app/lib/dates.ts";
import { withLanguage } from "#app/lib/language.server.ts";
import { BASE_LANGUAGE } from "#app/lib/language.ts";
import { m } from "#app/paraglide/messages.js";
import { UPI_NOTE } from "./payment-options.ts";

/**
 * The note of a UPI payment, which apps and bank statements show to both sides: in English whoever pays, as many of them
 * read no other letters, and short enough to keep its date: a long name is cut.
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
