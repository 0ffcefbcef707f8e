/** First questions to tap, which the built-in helper and the model both answer. Returned by loaders: browsers need no words of them. */
import { m } from "#app/paraglide/messages.js";

export const patientStarters = (): string[] => [
  m.assistant_starter_symptom(),
  m.assistant_starter_doctor(),
  m.assistant_starter_appointments(),
  m.assistant_starter_cancel(),
];
export const doctorStarters = (): string[] => [m.assistant_starter_today(), m.help_times_q(), m.help_earnings_q(), m.help_payment_q()];
