import type { Source } from "#app/db/schema/index.ts";
import { isOpen } from "#app/domains/appointment.state.ts";
import { readToday } from "#app/domains/booking/appointments/doctor-queries.server.ts";
import { listPatientAppointments } from "#app/domains/booking/appointments/patient-queries.server.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { specialtyWord } from "#app/domains/directory/doctors/names.ts";
import type { Category } from "#app/domains/directory/specialties.ts";
import {
  type DoctorKind,
  findDoctorKind,
  findKindInOwnScript,
  kindOfCategory,
  wordsOf,
} from "#app/domains/directory/symptoms/doctor-kinds.ts";
import { categoryForSymptoms } from "#app/domains/directory/symptoms/symptoms.ts";
import { placeWord } from "#app/domains/platform/location/place-names.ts";
import { isOver, minuteInIndia } from "#app/domains/visit-time.ts";
import { formatDayShort, formatTime } from "#app/lib/dates.ts";
import { withLanguage } from "#app/lib/language.server.ts";
import { BASE_LANGUAGE, LANGUAGES, language } from "#app/lib/language.ts";
import { pathOf } from "#app/lib/targets.ts";
import { m } from "#app/paraglide/messages.js";
import { type Faq, type FaqReader, findFaqs } from "../help/faqs.ts";
import { getFaqFacts } from "../help/support.server.ts";
import { findDoctors, placeIn } from "./find-doctors.server.ts";
import { mentions } from "./helper-words.ts";
import { languageOfQuestion } from "./question-language.ts";

export type HelperAnswer = { content: string; sources: Source[]; doctorIds: string[] };

/** Cards of an answer. */
export const MAX_CARDS = 3;
const MAX_VISITS = 5;

/**
 * Answers without a model: from the help pages, the symptom table of spec 001 §9 and the directory. States that it is not AI,
 * names its sources, and gives no medical advice. Answers in the language of the question, or of the page if the words do not
 * show one.
 */
export const askHelper = (ctx: Ctx<Actor>, text: string): Promise<HelperAnswer> =>
  withLanguage(languageOfQuestion(text) ?? language(), () => answer(ctx, text));

async function answer(ctx: Ctx<Actor>, text: string): Promise<HelperAnswer> {
  const words = wordsOf(text);
  const isDoctor = ctx.actor.role === "doctor";
  const faq = bestFaq(isDoctor ? "doctor" : "patient", words);

  const asksOwn = mentions.many(words) || (mentions.mine(words) && !mentions.how(words));
  if (asksOwn && (mentions.visits(words) || (isDoctor && mentions.patients(words)))) return isDoctor ? today(ctx) : visits(ctx);
  if (!isDoctor) {
    const category = categoryForSymptoms(text);
    const kind = findDoctorKind(text);
    // In "పళ్ల డాక్టర్" (dentist) the first word alone would be a complaint.
    const named = mentions.ownDoctor(words) ? findKindInOwnScript(words) : null;
    const place = () => placeIn(ctx, text);
    if (named) return doctorsFor(ctx, named, await place(), false);
    if (category && !(faq && faq.score >= SURE)) return doctorsFor(ctx, labelled(category), await place(), true);
    if (kind && !(faq && faq.score >= SURE)) return doctorsFor(ctx, kind, await place(), false);
    if (!faq && mentions.doctor(words)) return doctorsFor(ctx, null, await place(), false);
  }
  if (faq) return fromHelp(faq.faq, isDoctor);
  if (words.length <= 4 && mentions.greeting(words))
    return plain(isDoctor ? m.assistant_helper_doctor_hello() : m.assistant_helper_hello());
  return { ...plain(isDoctor ? m.assistant_helper_doctor_unknown() : m.assistant_helper_unknown()), sources: [helpPage(isDoctor)] };
}

/** Returns the label of a category: English has the specification's name, Telugu and Hindi the name of its doctors. */
const labelled = (category: Category): DoctorKind =>
  language() === BASE_LANGUAGE ? { label: category, category } : (kindOfCategory(category) ?? { label: category, category });

const plain = (content: string): HelperAnswer => ({ content, sources: [], doctorIds: [] });
const helpPath = (isDoctor: boolean) => pathOf({ page: isDoctor ? "doctor-help" : "patient-help" });
const helpPage = (isDoctor: boolean): Source => ({ label: m.help_title(), to: helpPath(isDoctor) });
const fromHelp = (faq: Faq, isDoctor: boolean): HelperAnswer => ({
  content: faq.answer,
  sources: [{ label: m.assistant_source_help({ question: faq.question }), to: helpPath(isDoctor) }],
  doctorIds: [],
});

async function doctorsFor(
  ctx: Ctx<Actor>,
  kind: DoctorKind | null,
  place: { name: string; latitude: number; longitude: number },
  isSymptom: boolean,
): Promise<HelperAnswer> {
  const doctors = await findDoctors(ctx, kind, place, MAX_CARDS);
  const what = !kind
    ? []
    : isSymptom
      ? [m.assistant_helper_category({ category: specialtyWord(kind.label) }), m.assistant_helper_no_diagnosis()]
      : [m.assistant_helper_specialty({ specialty: specialtyWord(kind.label) })];
  const where = doctors.length
    ? m.assistant_helper_doctors({ city: placeWord(place.name) })
    : m.assistant_helper_no_doctors({ category: kind ? specialtyWord(kind.label) : "", city: placeWord(place.name) });
  return {
    content: [...what, where].join("\n\n"),
    sources: [
      ...(isSymptom ? [{ label: m.assistant_source_symptoms() }] : []),
      { label: m.assistant_source_doctors(), to: pathOf({ page: "doctors" }) },
    ],
    doctorIds: doctors.map((doctor) => doctor.id),
  };
}

/** Returns the acting patient's open visits from now on, soonest first. */
export async function comingVisits(ctx: Ctx<Actor>) {
  const now = minuteInIndia(ctx.now);
  const all = await listPatientAppointments(ctx);
  return all.filter((visit) => isOpen(visit) && !isOver(visit, now)).slice(0, MAX_VISITS);
}

async function visits(ctx: Ctx<Actor>): Promise<HelperAnswer> {
  const coming = await comingVisits(ctx);
  const lines = coming.map(
    ({ date, time, doctorName, specialization }) =>
      `- ${m.assistant_helper_visit({ day: formatDayShort(date), time: formatTime(time), doctor: doctorName, specialization: specialtyWord(specialization) })}`,
  );
  return {
    content: lines.length ? `${m.assistant_helper_visits()}\n\n${lines.join("\n")}` : m.assistant_helper_visits_none(),
    sources: [{ label: m.assistant_source_visits(), to: pathOf({ page: "patient-calendar" }) }],
    doctorIds: [],
  };
}

async function today(ctx: Ctx<Actor>): Promise<HelperAnswer> {
  const { rows, seen, left } = await readToday(ctx);
  return {
    content: m.assistant_helper_doctor_today({ count: rows.length, seen, left }),
    sources: [{ label: m.assistant_source_visits(), to: pathOf({ page: "doctor-appointments" }) }],
    doctorIds: [],
  };
}

/** Common words of questions, ignored in the comparison. */
const COMMON = new Set(
  "a an and are as at be by can do does for from get have how i in is it me my of on or the there this to until up what when where which who why will with you your doctor doctors please want need should నా నేను నాకు మీ మీరు ఎలా ఏమిటి ఏంటి ఎప్పుడు ఎక్కడ ఎవరు చేయాలి చేయవచ్చా చేయవచ్చు కావాలి ఉంది లేదా కోసం అంటే मैं मेरा मेरी मेरे मुझे आप कैसे क्या कब कहाँ कौन करूँ करें कर सकते सकता सकती हैं और लिए चाहिए".split(
    " ",
  ),
);
/** Reduces "cancelled", "cancelling" and "cancel" to one word. */
const stem = (word: string) => word.replace(/(ling|led|ing|ed|es|s|ment)$/, "").slice(0, 7);
const stemsOf = (words: string[]) => new Set(words.filter((word) => word.length > 2 && !COMMON.has(word)).map(stem));

const LIKELY = 2;
const SURE = 4;

/**
 * Returns the help question that shares most words with the text, in the current language. Words of the question count twice. All
 * languages are compared, because questions mix them ("appointment ela cancel cheyali").
 */
function bestFaq(reader: FaqReader, words: string[]): { faq: Faq; score: number } | null {
  const asked = [...stemsOf(words)];
  const scoreOf = (faq: Faq) => {
    const question = stemsOf(wordsOf(faq.question));
    const answer = stemsOf(wordsOf(faq.answer));
    return asked.reduce((sum, word) => sum + (question.has(word) ? 2 : answer.has(word) ? 1 : 0), 0);
  };
  const scores = new Map<string, number>();
  for (const one of LANGUAGES)
    for (const faq of withLanguage(one, () => findFaqs(reader, "", getFaqFacts())))
      scores.set(faq.id, Math.max(scores.get(faq.id) ?? 0, scoreOf(faq)));
  const scored = findFaqs(reader, "", getFaqFacts()).map((faq) => ({ faq, score: scores.get(faq.id) ?? 0 }));
  const best = scored.sort((a, b) => b.score - a.score)[0];
  return best && best.score >= LIKELY ? best : null;
}
