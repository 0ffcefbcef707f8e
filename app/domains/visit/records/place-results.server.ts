import { and, eq } from "drizzle-orm";
import { doctors, encounters, hospitals, patients, practices, visitDocuments } from "#app/db/schema/index.ts";
import { placeOfPractice } from "#app/db/schema/place-of-practice.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { mayActFor, requireActing } from "#app/domains/places/members/acting.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { requireOpenAccount } from "#app/domains/platform/users/lock-account.server.ts";
import type { DateKey } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { doctorParams, type Translations } from "#app/lib/translations.ts";
import type { VisitDocumentState } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { readCode } from "../documents/code.ts";
import { readSigned, type SignedRow } from "../documents/verify.server.ts";
import { orderRow } from "./orders.server.ts";
import type { PlaceResultForm } from "./records.schema.ts";
import { insertRecord, isFull } from "./save-record.server.ts";

type Row = SignedRow & {
  state: VisitDocumentState;
  visitId: string;
  doctorId: string;
  date: DateKey;
  patientId: string | null;
  personKey: string;
  translations: Translations;
};
/** An order of tests for which a place adds a result. */
type PlaceOrder = {
  id: string;
  visitId: string;
  doctorId: string;
  date: DateKey;
  patientId: string;
  personKey: string;
  patient: string;
  doctor: string;
  names: ReturnType<typeof doctorParams>;
};

const selectOrder = (ctx: Ctx) =>
  ctx.db
    .select({ ...orderRow, patientId: encounters.patientId, translations: doctors.translations })
    .from(visitDocuments)
    .innerJoin(encounters, eq(encounters.id, visitDocuments.encounterId))
    .innerJoin(practices, eq(practices.id, encounters.practiceId))
    .innerJoin(doctors, eq(doctors.id, practices.doctorId));

/** @throws DomainError("not-found"), "conflict" when it is not valid any more or the patient has no account */
async function readOrder(ctx: Ctx, row: Row | undefined): Promise<PlaceOrder> {
  const content = row && (await readSigned(ctx, row));
  if (!row || content?.kind !== "order") throw new DomainError("not-found");
  if (row.state !== "signed") throw new DomainError("conflict", m.result_not_valid());
  if (row.patientId === null) throw new DomainError("conflict", m.result_no_account());
  const { id, visitId, doctorId, date, patientId, personKey } = row;
  return {
    id,
    visitId,
    doctorId,
    date,
    patientId,
    personKey,
    patient: content.patient.name,
    doctor: content.doctor.name,
    names: doctorParams({ name: content.doctor.name, translations: row.translations }),
  };
}

/** Returns an order of the acting doctor's visit. @throws as readOrder */
export async function getDoctorsOrder(ctx: Ctx<Actor>, visitId: string, id: string): Promise<PlaceOrder> {
  if (ctx.actor.role !== "doctor" || !isUuid(visitId) || !isUuid(id)) throw new DomainError("not-found");
  const [row] = await selectOrder(ctx).where(
    and(
      eq(visitDocuments.id, id),
      eq(visitDocuments.kind, "order"),
      eq(visitDocuments.encounterId, visitId),
      eq(encounters.doctorId, ctx.actor.userId),
    ),
  );
  return readOrder(ctx, row);
}

/** Returns the place for the page of its results. @throws DomainError("not-found" | "forbidden") */
export async function getPlaceOfResults(ctx: Ctx<Actor>, hospitalId: string): Promise<{ name: string }> {
  await requireActing(ctx, hospitalId, "add-results");
  const [place] = await ctx.db.select({ name: hospitals.name }).from(hospitals).where(eq(hospitals.id, hospitalId));
  if (!place) throw new DomainError("not-found");
  return place;
}

/** Adds a result to an order of the acting doctor. The file is a pending upload of the doctor. @throws as readOrder, "invalid" */
export function addDoctorsResult(ctx: Ctx<Actor>, of: { visitId: string; orderId: string }, input: PlaceResultForm): Promise<void> {
  return transact(ctx, async (tx) => store(tx, await getDoctorsOrder(tx, of.visitId, of.orderId), input));
}

/**
 * Adds a result to an order of a doctor of the place, as a member who has the order or its code. The member can open neither the order nor,
 * afterwards, the file, which is a pending upload of the member.
 * @throws DomainError("not-found" | "forbidden") without the permission, "invalid" with the field of a wrong code, "conflict" as readOrder
 */
export function addMembersResult(ctx: Ctx<Actor>, hospitalId: string, code: string, input: PlaceResultForm): Promise<void> {
  return transact(ctx, async (tx) => {
    await requireActing(tx, hospitalId, "add-results");
    const unknown = new DomainError("invalid", undefined, { fields: { code: [m.result_code_unknown()] } });
    const read = readCode(code);
    if (read === null) throw unknown;
    const [row] = await selectOrder(tx).where(
      and(eq(visitDocuments.code, read), eq(visitDocuments.kind, "order"), eq(placeOfPractice, hospitalId)),
    );
    const onBehalfOf = row && (await mayActFor(tx, hospitalId, "add-results", row.doctorId));
    if (!onBehalfOf) throw unknown;
    await store({ ...tx, actor: { ...tx.actor, onBehalfOf } }, await readOrder(tx, row), input);
  });
}

async function store(tx: Ctx<Actor>, order: PlaceOrder, input: PlaceResultForm): Promise<void> {
  const fileId = input.file ?? input.received;
  if (!fileId) throw new DomainError("invalid", undefined, { fields: { file: [m.records_file_required()] } });
  await requireOpenAccount(tx);
  const { patientId, doctorId, date, visitId, patient, names } = order;
  // The account of the patient is not deleted meanwhile.
  const [account] = await tx.db.select({ id: patients.id }).from(patients).where(eq(patients.id, patientId)).for("key share");
  if (!account) throw new DomainError("conflict", m.result_no_account());
  if (await isFull(tx, patientId)) throw new DomainError("conflict", m.result_records_full());
  const id = await insertRecord(tx, {
    patientId,
    person: { key: order.personKey, name: patient },
    orderId: order.id,
    fromPlace: true,
    fileId,
    input,
  });
  // The texts name no test.
  const forDoctor = { params: { patient, date }, target: { page: "visit", id: visitId } } as const;
  await recordChange(tx, "add-result", {
    subject: { "medical-record": id },
    people: { patient: patientId, doctor: doctorId },
    details: { doctorId },
    notify: {
      patient: { params: { ...names, patient, date }, target: { page: "patient-records" } },
      doctor: tx.actor.userId === doctorId ? null : forDoctor,
    },
  });
}
