import { m } from "#app/paraglide/messages.js";

/** Returns the ten sections of the doctors' terms (spec 000 §2, §9). */
export const doctorTerms = (): { id: string; title: string; text: string }[] => [
  { id: "acceptance", title: m.terms_1_title(), text: m.terms_1_text() },
  { id: "service", title: m.terms_2_title(), text: m.terms_2_text() },
  { id: "duties", title: m.terms_3_title(), text: m.terms_3_text() },
  { id: "privacy", title: m.terms_4_title(), text: m.terms_4_text() },
  { id: "medicine", title: m.terms_5_title(), text: m.terms_5_text() },
  { id: "payments", title: m.terms_6_title(), text: m.terms_6_text() },
  { id: "liability", title: m.terms_7_title(), text: m.terms_7_text() },
  { id: "availability", title: m.terms_8_title(), text: m.terms_8_text() },
  { id: "ending", title: m.terms_9_title(), text: m.terms_9_text() },
  { id: "law", title: m.terms_10_title(), text: m.terms_10_text() },
];

/** Returns the ten sections of the patients' terms (spec 001 §2.18). */
export const patientTerms = (): { id: string; title: string; text: string }[] => [
  { id: "acceptance", title: m.terms_p1_title(), text: m.terms_p1_text() },
  { id: "service", title: m.terms_p2_title(), text: m.terms_p2_text() },
  { id: "duties", title: m.terms_p3_title(), text: m.terms_p3_text() },
  { id: "privacy", title: m.terms_p4_title(), text: m.terms_p4_text() },
  { id: "medicine", title: m.terms_p5_title(), text: m.terms_p5_text() },
  { id: "liability", title: m.terms_p6_title(), text: m.terms_p6_text() },
  { id: "availability", title: m.terms_p7_title(), text: m.terms_p7_text() },
  { id: "ending", title: m.terms_p8_title(), text: m.terms_p8_text() },
  { id: "changes", title: m.terms_p9_title(), text: m.terms_p9_text() },
  { id: "law", title: m.terms_p10_title(), text: m.terms_p10_text() },
];
