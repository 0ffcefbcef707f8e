import type { z } from "zod";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";
import type { Category } from "../doctors/specialties.ts";
import { findRedFlag } from "../triage/red-flags.ts";
import { categoryForSymptoms } from "../triage/symptoms.ts";
import type { EnquirySchema } from "./enquiry.schema.ts";

/**
 * Where an enquiry leads: to help at once when its words speak of danger, else to one of the eight categories (spec 001
 * §9). Nothing of it is kept or logged.
 * @throws DomainError("invalid") when no word of the table stands in it
 */
export function answerEnquiry({
  symptoms,
  started,
  medications,
}: z.output<typeof EnquirySchema>): { emergency: true } | { category: Category } {
  // Each field is a sentence of its own: a "no" in one must not take back what another says.
  if (findRedFlag([symptoms, started, medications].join("\n"))) return { emergency: true };
  const category = categoryForSymptoms(symptoms);
  if (!category) throw new DomainError("invalid", m.enquiry_no_category(), { fields: { symptoms: [m.enquiry_no_category()] } });
  return { category };
}
