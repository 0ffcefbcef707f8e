/** The built-in helper understands each phrase that it suggests, in the language of the suggestion. */
import { expect, it } from "vitest";
import { placeWord } from "#app/domains/platform/location/place-names.ts";
import { withLanguage } from "#app/lib/language.server.ts";
import { LANGUAGES, type Language } from "#app/lib/language.ts";
import { m } from "#app/paraglide/messages.js";
import { seedReference } from "#demo/index.server.ts";
import { dayFromNow, makeDoctor, makePatient, makeVisit } from "../../../../tests/factories/people.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { askHelper } from "./helper.server.ts";
import { doctorStarters, patientStarters } from "./starters.server.ts";

const { db, ctx } = testDb();
await seedReference({ db, now: new Date() });
const doctor = await makeDoctor(db, {
  name: "Dr. Quoted",
  specialization: "Dentist",
  category: "Dentistry",
  slots: [{ date: dayFromNow(3), time: "10:00" }],
});
const patient = await makePatient(db);
await makeVisit(db, { patient, doctor }, { date: dayFromNow(3), status: "accepted" });

const quoted = (sentence: string) => [...sentence.matchAll(/"([^"]+)"/g)].map(([, phrase]) => phrase as string);
const ask = (who: { actor: typeof patient.actor }, language: Language, phrase: string) =>
  withLanguage(language, () => askHelper(ctx(who.actor), phrase));

/** The tool of each phrase, in the order of the greeting. */
const COMPLAINT = () => m.assistant_helper_no_diagnosis();
const KIND = () => m.assistant_helper_specialty({ specialty: "" }).replace(/[.।]$/, "").trim();
const VISITS = () => m.assistant_helper_visits();
const CANCEL = () => m.help_p_cancel_a();

it.each(LANGUAGES)("a patient's greeting in %s", async (language) => {
  const [phrases, expected] = withLanguage(language, () => [quoted(m.assistant_helper_hello()), [COMPLAINT(), KIND(), VISITS(), CANCEL()]]);
  expect(phrases).toHaveLength(4);
  const answers = await Promise.all(phrases.map((phrase) => ask(patient, language, phrase)));
  answers.forEach(({ content }, i) => {
    expect(content, phrases[i]).toContain(expected[i]);
  });
  // Searches the dentist in the named town.
  expect(answers[1]?.content).toContain(withLanguage(language, () => placeWord("Guntur")));
});

it.each(LANGUAGES)("suggestions for a patient in %s", async (language) => {
  const [phrases, nothing] = withLanguage(language, () => [quoted(m.assistant_helper_unknown()), m.assistant_helper_unknown()]);
  expect(phrases).toHaveLength(3);
  const answers = withLanguage(language, () => [COMPLAINT(), KIND(), VISITS()]);
  for (const [i, phrase] of phrases.entries()) expect((await ask(patient, language, phrase)).content, phrase).toContain(answers[i]);
  expect((await ask(patient, language, "qwertz")).content).toBe(nothing);
});

it.each(LANGUAGES)("a doctor's greeting in %s", async (language) => {
  for (const sentence of [m.assistant_helper_doctor_hello, m.assistant_helper_doctor_unknown]) {
    const [phrases, expected] = withLanguage(language, () => [
      quoted(sentence()),
      [m.assistant_helper_doctor_today({ count: 0, seen: 0, left: 0 }), m.help_times_a()],
    ]);
    expect(phrases).toHaveLength(2);
    for (const [i, phrase] of phrases.entries()) expect((await ask(doctor, language, phrase)).content, phrase).toBe(expected[i]);
  }
});

it.each(LANGUAGES)("questions to start with in %s, whatever the language of the page", async (language) => {
  const [questions, answers] = withLanguage(language, () => [patientStarters(), [COMPLAINT(), KIND(), VISITS(), CANCEL()]]);
  for (const page of LANGUAGES)
    for (const [i, question] of questions.entries()) expect((await ask(patient, page, question)).content, question).toContain(answers[i]);
});

it.each(LANGUAGES)("a doctor's questions to start with in %s, whatever the language of the page", async (language) => {
  const [questions, answers] = withLanguage(language, () => [
    doctorStarters(),
    [m.assistant_helper_doctor_today({ count: 0, seen: 0, left: 0 }), m.help_times_a(), m.help_earnings_a(), m.help_payment_a_upi()],
  ]);
  for (const page of LANGUAGES)
    for (const [i, question] of questions.entries()) expect((await ask(doctor, page, question)).content, question).toBe(answers[i]);
});

it.each([
  ["te", "naku jwaram vachindi", COMPLAINT],
  ["te", "naa appointments chupinchandi", VISITS],
  ["te", "appointment ela cancel cheyali", CANCEL],
  ["hi", "mujhe khansi hai", COMPLAINT],
  ["hi", "mere appointments dikhao", VISITS],
  ["hi", "appointment kaise cancel karein", CANCEL],
] as const)("answers a question in Latin letters in its language, %s: %s", async (language, question, answer) => {
  expect((await ask(patient, "en", question)).content).toContain(withLanguage(language, answer));
});

it("answers in the language of the page if the question shows none", async () => {
  expect((await ask(patient, "te", "dentist")).content).toContain(withLanguage("te", KIND));
});

it.each([
  ["te", "నమస్తే"],
  ["hi", "नमस्कार"],
] as const)("greets in %s", async (language, greeting) => {
  expect((await ask(patient, language, greeting)).content).toBe(withLanguage(language, () => m.assistant_helper_hello()));
});

it("does not treat a pain in the stomach as a town", async () => {
  expect((await ask(patient, "te", "కడుపులో నొప్పి, డాక్టర్ కావాలి")).content).not.toContain("Kadapa");
});

it.each([
  ["en", "How many appointments do I have today?"],
  ["en", "how many patients today"],
  ["te", "ఈరోజు నాకు ఎన్ని అపాయింట్‌మెంట్లు ఉన్నాయి?"],
  ["hi", "आज मेरे कितने अपॉइंटमेंट हैं?"],
] as const)("tells a doctor the own number of today, %s: %s", async (language, question) => {
  const [busy, other] = [await makeDoctor(db), await makeDoctor(db)];
  for (const [time, status] of [
    ["23:50", "accepted"],
    ["23:55", "pending"],
    ["00:10", "completed"],
    ["23:40", "cancelled"],
  ] as const)
    await makeVisit(db, { patient, doctor: busy }, { date: dayFromNow(0), time, status });
  await makeVisit(db, { patient, doctor: other }, { date: dayFromNow(0), time: "23:50" });
  const expected = withLanguage(language, () => m.assistant_helper_doctor_today({ count: 3, seen: 1, left: 2 }));
  expect((await ask(busy, language, question)).content).toBe(expected);
});
