import type { z } from "zod";
import type { Category } from "#app/domains/directory/specialties.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";
import { findDoctorKind } from "../assistant/doctor-kinds.ts";
import { findRedFlag } from "../triage/red-flags.ts";
import { categoryForSymptoms } from "../triage/symptoms.ts";
import type { EnquirySchema } from "./enquiry.schema.ts";

/**
 * Returns the destination of an enquiry: emergency help for a red flag, otherwise one of the eight categories (spec 001 §9). A
 * text without a word of that table is matched with the assistant's words, which also name specialties. Stores and logs nothing
 * of it.
 * @throws DomainError("invalid") without a match
 */
export function answerEnquiry({
  symptoms,
  started,
  medications,
}: z.output<typeof EnquirySchema>): { emergency: true } | { category: Category } | { specialty: string } {
  // Each field is separate text, so that a negation in one does not apply to another.
  if (findRedFlag([symptoms, started, medications].join("\n"))) return { emergency: true };
  const category = categoryForSymptoms(symptoms);
  if (category) return { category };
  const kind = findDoctorKind(symptoms);
  if (kind?.category) return { category: kind.category };
  if (kind?.specialty) return { specialty: kind.specialty };
  throw new DomainError("invalid", m.enquiry_no_category(), { fields: { symptoms: [m.enquiry_no_category()] } });
}
