import { createHash } from "node:crypto";
import { and, asc, eq } from "drizzle-orm";
import { beyond, inPages, ROWS_AT_ONCE } from "#app/db/in-pages.server.ts";
import { appointments, files, medicalRecords, ownRecords, patients, users } from "#app/db/schema/index.ts";
import { opened } from "#app/db/sealed.server.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { findStoredBirthDate } from "#app/domains/patients/family/stored-birth-date.server.ts";
import { personKeyOf } from "#app/domains/person-key.server.ts";
import { type DateKey, todayInIndia } from "#app/lib/dates.ts";
import type { Gender } from "#app/lib/vocabulary.ts";
import { listSignedVisits, type SignedVisit } from "../documents/signed-visits.server.ts";
import {
  compositionOf,
  documentReferenceOf,
  encounterOf,
  type FhirFile,
  medicationRequestOf,
  noKnownAllergyOf,
  patientOf,
  practitionerOf,
  type Resource,
  serviceRequestOf,
} from "./resources.ts";

/** Visits that are in memory at once. */
const VISITS_AT_ONCE = 50;

/** Returns an id that is always the same for a text, as FHIR ids of people and medicines without a row. */
function idOf(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Where the bytes of a file are, from the bundle. */
type PathOf = (file: { id: string; purpose: string; mediaType: string }) => string;

/**
 * Yields everything of the acting patient's account as FHIR R4 resources, each one once: people, doctors, visits, signed documents, medicines and
 * stored documents. Reads page by page.
 */
export async function* listResources(ctx: Ctx<Actor>, { origin, pathOf }: { origin: string; pathOf: PathOf }): AsyncGenerator<Resource> {
  const { userId } = ctx.actor;
  const known = new Set<string>();
  const once = (resource: Resource): Resource[] => {
    if (known.has(resource.id)) return [];
    known.add(resource.id);
    return [resource];
  };
  const owner = await findOwner(ctx);
  const ownKey = await personKeyOf(ctx, userId, owner.name);
  /** The account's owner, or another person: one name is one person. */
  const personOf = (key: string, name: string, gender: Gender | null, birthDate: DateKey | null) =>
    key === ownKey ? patientOf({ id: userId, ...owner }) : patientOf({ id: idOf(key), name, gender, birthDate });
  const stored = new Map<string, DateKey | null>();
  const storedOf = async (name: string): Promise<DateKey | null> => {
    if (!stored.has(name)) stored.set(name, await findStoredBirthDate(ctx, { name }));
    return stored.get(name) ?? null;
  };
  yield* once(patientOf({ id: userId, ...owner }));
  for await (const visit of inVisits(ctx)) {
    const person = personOf(
      await personKeyOf(ctx, userId, visit.patient.name),
      visit.patient.name,
      visit.patient.gender,
      visit.patient.birthDate ?? visit.documents[0]?.content.patient.birthDate ?? (await storedOf(visit.patient.name)),
    );
    yield* once(person);
    yield* visitResources(ctx, visit, { patientId: person.id, origin, once });
  }
  for await (const { name, key, ...file } of inFiles(ctx, pathOf)) {
    const person = personOf(key ?? (await personKeyOf(ctx, userId, name)), name, null, await storedOf(name));
    yield* once(person);
    const [visitId, orderId] = [file.visitId, file.orderId].map((one) => (one !== null && known.has(one) ? one : null));
    yield* once(documentReferenceOf({ ...file, visitId: visitId ?? null, orderId: orderId ?? null }, person.id));
  }
}

function* visitResources(
  ctx: Ctx,
  visit: SignedVisit,
  { patientId, origin, once }: { patientId: string; origin: string; once: (resource: Resource) => Resource[] },
): Generator<Resource> {
  if (!visit.documents.length) return;
  for (const { content } of visit.documents) yield* once(practitionerOf(content));
  yield* once(encounterOf(visit, patientId));
  for (const { content, ...rest } of visit.documents) {
    const lines = content.kind === "prescription" ? content.lines : content.kind === "order" ? content.tests : [];
    const entryIds = lines.map((_, i) => idOf(`${content.id} ${i}`));
    const replaced = visit.documents.find((one) => one.content.code === content.replaces)?.content.id;
    const allergyId = idOf(`${content.id} allergy`);
    yield* once(compositionOf({ content, ...rest }, patientId, { entryIds, replaced, allergyId, origin }));
    if (content.kind === "prescription" && content.noneKnown)
      yield noKnownAllergyOf({ visitId: content.visitId, noneKnown: content.noneKnown }, { id: allergyId, patientId });
    if (content.kind === "prescription")
      for (const [i, line] of content.lines.entries())
        yield medicationRequestOf({ content, ...rest }, line, { id: entryIds[i]!, patientId, today: todayInIndia(ctx.now) });
    if (content.kind === "order")
      for (const [i, test] of content.tests.entries()) yield serviceRequestOf({ content, ...rest }, test, { id: entryIds[i]!, patientId });
  }
}

async function findOwner(ctx: Ctx<Actor>) {
  const [row] = await ctx.db
    .select({ name: patients.name, gender: patients.gender, birthDate: patients.dateOfBirth, phone: users.phone })
    .from(patients)
    .innerJoin(users, eq(users.id, patients.id))
    .where(eq(patients.id, ctx.actor.userId));
  return { name: row?.name ?? "", gender: row?.gender ?? null, birthDate: row?.birthDate ?? null, phone: row?.phone ?? null };
}

async function* inVisits(ctx: Ctx<Actor>): AsyncGenerator<SignedVisit> {
  for (let offset = 0; ; offset += VISITS_AT_ONCE) {
    const { visits, hasMore } = await listSignedVisits(ctx, { limit: VISITS_AT_ONCE, offset });
    yield* visits;
    if (!hasMore) return;
  }
}

type PersonsFile = FhirFile & { name: string; key: string | null };
async function* inFiles(ctx: Ctx<Actor>, pathOf: PathOf): AsyncGenerator<PersonsFile> {
  const file = { purpose: files.purpose, mediaType: files.mediaType, fileId: files.id };
  const { userId } = ctx.actor;
  const attached = inPages((after) =>
    ctx.db
      .select({
        ...file,
        id: medicalRecords.id,
        title: opened(medicalRecords.description),
        type: medicalRecords.recordType,
        at: medicalRecords.createdAt,
        visitId: medicalRecords.appointmentId,
        name: appointments.patientName,
      })
      .from(medicalRecords)
      .innerJoin(files, eq(files.id, medicalRecords.fileId))
      .innerJoin(appointments, eq(appointments.id, medicalRecords.appointmentId))
      .where(and(eq(appointments.patientId, userId), beyond(medicalRecords.id, after)))
      .orderBy(asc(medicalRecords.id))
      .limit(ROWS_AT_ONCE),
  );
  for await (const { fileId, purpose, mediaType, ...row } of attached)
    yield { ...row, mediaType, key: null, orderId: null, path: pathOf({ id: fileId, purpose, mediaType }) };
  const own = inPages((after) =>
    ctx.db
      .select({
        ...file,
        id: ownRecords.id,
        title: opened(ownRecords.description),
        type: ownRecords.recordType,
        at: ownRecords.createdAt,
        name: opened(ownRecords.personName),
        key: ownRecords.personKey,
        orderId: ownRecords.orderId,
      })
      .from(ownRecords)
      .innerJoin(files, eq(files.id, ownRecords.fileId))
      .where(and(eq(ownRecords.patientId, userId), beyond(ownRecords.id, after)))
      .orderBy(asc(ownRecords.id))
      .limit(ROWS_AT_ONCE),
  );
  for await (const { fileId, purpose, mediaType, ...row } of own)
    yield { ...row, mediaType, visitId: null, path: pathOf({ id: fileId, purpose, mediaType }) };
}
