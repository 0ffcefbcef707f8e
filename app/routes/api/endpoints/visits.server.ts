import { z } from "zod";
import { CERTIFICATE_TYPES } from "#app/domains/visit/documents/content.ts";
import {
  getSignedVisit,
  listSignedVisits,
  type SignedDocument,
  type SignedVisit,
} from "#app/domains/visit/documents/signed-visits.server.ts";
import { ageOfVisit } from "#app/domains/visit/encounters/own-visit.server.ts";
import { adviceWord, doseSentence } from "#app/domains/visit/medicines/dose-sentence.ts";
import { endpoint, Page } from "#app/http/api/endpoint.ts";
import { ageWord } from "#app/lib/age.ts";
import { FOOD_TIMES, MEDICINE_FORMS, MEDICINE_ROUTES } from "#app/lib/vocabulary.ts";
import { Day, Gender, Id, IdParam, Instant } from "./wire.ts";

const group = "Visits";
const Amount = z.number().meta({ description: "In units of the form: tablets, ml, drops, puffs, units." });

const Signed = {
  _id: Id,
  id: Id,
  state: z.enum(["signed", "superseded", "cancelled"]).meta({ description: "Only a signed document is valid." }),
  code: z.string().meta({ examples: ["K7QM-4XDT-9WHP"] }),
  checkUrl: z.string().meta({ description: "Anyone who has the code can check the document here." }),
  signedAt: Instant,
  endedAt: Instant.nullable().meta({ description: "When it was superseded or cancelled." }),
};
const Prescription = z.object({
  ...Signed,
  kind: z.literal("prescription"),
  allergies: z.string(),
  noKnownAllergies: z
    .object({ by: z.string(), on: Day, saidByPatient: z.boolean() })
    .nullable()
    .meta({ description: "Who wrote that there is no known allergy. Null with empty `allergies`: the patient was not asked yet." }),
  diagnosis: z.string(),
  medicines: z.array(
    z.object({
      name: z.string().meta({ description: "The generic name." }),
      brand: z.string().nullable(),
      strength: z.string().nullable(),
      form: z.enum(MEDICINE_FORMS),
      route: z.enum(MEDICINE_ROUTES),
      dose: z.object({ morning: Amount, noon: Amount, evening: Amount, night: Amount }),
      everyNDays: z.number().meta({ description: "1: daily. 7: once a week." }),
      food: z.enum(FOOD_TIMES),
      days: z.number().nullable(),
      asNeeded: z.boolean(),
      substitution: z.boolean().meta({ description: "Another brand of the same medicine is allowed." }),
      words: z.string().nullable(),
      sentence: z.string().meta({ description: "How it is taken, as on the print. Made from the fields above." }),
    }),
  ),
  advice: z.array(z.string()),
  followUpOn: Day.nullable(),
});
const Certificate = z.object({
  ...Signed,
  kind: z.literal("certificate"),
  type: z.enum(CERTIFICATE_TYPES),
  from: Day,
  until: Day.nullable(),
  words: z.string(),
});
const Order = z.object({
  ...Signed,
  kind: z.literal("order").meta({ description: "An order of laboratory tests and pictures." }),
  tests: z.array(z.string()),
  words: z.string(),
});
const Visit = z.object({
  _id: Id,
  id: Id,
  date: Day,
  appointmentId: Id.nullable().meta({ description: "Null: the patient came without an appointment." }),
  doctor: z.object({ _id: Id, name: z.string() }),
  patient: z.object({
    name: z.string(),
    age: z.number().nullable(),
    dateOfBirth: Day.nullable(),
    ageText: z.string().nullable().meta({ description: 'The age on the day of the visit in words: "7 months".' }),
    gender: Gender.nullable(),
  }),
  followUpOn: Day.nullable().meta({ description: "The day of the next visit that the doctor asked for." }),
  documents: z.array(z.discriminatedUnion("kind", [Prescription, Certificate, Order])),
});

function documentOf(
  { content, state, endedAt }: SignedDocument,
  origin: string,
): z.input<typeof Prescription> | z.input<typeof Certificate> | z.input<typeof Order> {
  const { id } = content;
  const code = content.code.match(/.{4}/g)!.join("-");
  const signed = {
    _id: id,
    id,
    state,
    code,
    checkUrl: `${origin}/rx/${code}`,
    signedAt: content.signedAt,
    endedAt: endedAt?.toISOString() ?? null,
  };
  if (content.kind === "certificate") {
    const { kind, type, from, until, words } = content;
    return { ...signed, kind, type, from, until, words };
  }
  if (content.kind === "order") {
    const { kind, tests, words } = content;
    return { ...signed, kind, tests, words };
  }
  const { kind, allergies, noneKnown, diagnosis, followUpOn } = content;
  return {
    ...signed,
    kind,
    allergies,
    noKnownAllergies: noneKnown ? { by: noneKnown.by, on: noneKnown.on, saidByPatient: noneKnown.isPatient ?? false } : null,
    diagnosis,
    medicines: content.lines.map(({ quantity, wording, dose: [morning, noon, evening, night], ...line }) => ({
      ...line,
      dose: { morning, noon, evening, night },
      sentence: doseSentence({ ...line, quantity, ...(wording && { wording }), dose: [morning, noon, evening, night] }, "en"),
    })),
    advice: [...content.advice.map((key) => adviceWord(key, "en")), content.adviceWords].filter(Boolean),
    followUpOn,
  };
}

function visitPatientOf(patient: SignedVisit["patient"], date: string): z.input<typeof Visit>["patient"] {
  const { name, age, birthDate = null, gender } = patient;
  const exact = ageOfVisit({ patient, date });
  return { name, age, dateOfBirth: birthDate, ageText: exact && ageWord(exact), gender };
}

const visitOf = (
  { id, date, appointmentId, doctor, patient, followUpOn, documents }: SignedVisit,
  origin: string,
): z.input<typeof Visit> => ({
  _id: id,
  id,
  date,
  appointmentId,
  doctor: { _id: doctor.id, name: doctor.name },
  patient: visitPatientOf(patient, date),
  followUpOn,
  documents: documents.map((one) => documentOf(one, origin)),
});

export const listVisits = endpoint({
  method: "GET",
  path: "/api/visits",
  group,
  summary:
    "Lists the visits of the patient and the family of which something is signed, with prescriptions, certificates and orders of tests, the latest first.",
  about: "Not in the specification. The doctor's notes are not part of it. A document whose signature does not match is left out.",
  who: ["patient"],
  answer: z.object({ success: z.literal(true), visits: z.array(Visit) }),
  list: { bound: 50, max: 100 },
  async run({ ctx, paging, origin }) {
    const { visits, hasMore } = await listSignedVisits(ctx, paging);
    return new Page({ success: true as const, visits: visits.map((one) => visitOf(one, origin)) }, hasMore);
  },
});

export const getVisit = endpoint({
  method: "GET",
  path: "/api/visits/{id}",
  group,
  summary: "Returns a visit with its prescriptions, certificates and orders of tests, to its patient or its doctor.",
  about:
    "Not in the specification. The id is that of the appointment, or of the token of a patient without one. Before something is signed the response is 404. The call of a doctor is written to the audit log, which patients can see.",
  who: ["patient", "doctor"],
  verified: true,
  params: IdParam,
  answer: z.object({ success: z.literal(true), visit: Visit }),
  async run({ ctx, params, origin }) {
    return { success: true as const, visit: visitOf(await getSignedVisit(ctx, params.id), origin) };
  },
});
