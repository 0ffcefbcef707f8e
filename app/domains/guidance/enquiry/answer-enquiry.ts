import type { z } from "zod";
import type { Category } from "#app/domains/directory/specialties.ts";
import { kindFor } from "#app/domains/directory/symptoms/meant.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";
import { findRedFlag } from "../triage/red-flags.ts";
import type { EnquirySchema } from "./enquiry.schema.ts";

/** The doctors that an enquiry leads to: those of a category, or of a specialty without one. */
export type EnquiryDoctors = { category: Category } | { specialty: string };

/**
 * Returns where an enquiry leads: to SOS when its words speak of danger, else to one of the eight categories (spec 001
 * §9). A text without a word of that table is matched with the assistant's words, which also name specialties.
 * Nothing of it is stored or logged.
 * @throws DomainError("invalid") if no word of either table is in it
 */
export function answerEnquiry({ symptoms, started, medications }: z.output<typeof EnquirySchema>): {
  isEmergency: boolean;
  doctors: EnquiryDoctors | null;
} {
  // Each field is a sentence of its own: a "no" in one must not cancel what another states.
  const isEmergency = findRedFlag([symptoms, started, medications].join("\n")) !== null;
  const doctors = findDoctors(symptoms);
  if (!isEmergency && !doctors) throw new DomainError("invalid", m.enquiry_no_category());
  return { isEmergency, doctors };
}

function findDoctors(symptoms: string): EnquiryDoctors | null {
  const kind = kindFor(symptoms);
  if (kind?.category) return { category: kind.category };
  return kind?.specialty ? { specialty: kind.specialty } : null;
}
