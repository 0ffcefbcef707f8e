import { randomUUID } from "node:crypto";
import { and, count, eq } from "drizzle-orm";
import { files, ownRecords } from "#app/db/schema/index.ts";
import { opened, sealed } from "#app/db/sealed.server.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { discardFiles, removeDiscarded } from "#app/domains/platform/files/discard-files.server.ts";
import { MAX_OWN_RECORDS } from "#app/domains/platform/files/upload-limits.ts";
import { requireOpenAccount } from "#app/domains/platform/users/lock-account.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { m } from "#app/paraglide/messages.js";
import { getOwnOrder } from "./orders.server.ts";
import { findPerson, isOwnPerson, listPeople } from "./people.server.ts";
import type { RecordForm } from "./records.schema.ts";

/** Returns true when an account has as many own documents as it can have. */
export async function isFull(ctx: Ctx, patientId: string): Promise<boolean> {
  const [stored] = await ctx.db.select({ n: count() }).from(ownRecords).where(eq(ownRecords.patientId, patientId));
  return (stored?.n ?? 0) >= MAX_OWN_RECORDS;
}

/**
 * Adds a document to the records of the acting patient or of a family member. The file is a pending upload of the patient. With `order` it is
 * a result for the person of that order, and its doctor is notified and can open it.
 * @returns the ids of the record and of its person
 * @throws DomainError("invalid" | "not-found" for an order | "conflict" when the list is full or the order is not valid any more | "unauthenticated")
 */
export async function addOwnRecord(ctx: Ctx<Actor>, input: RecordForm): Promise<{ id: string; person: string }> {
  if (ctx.actor.role !== "patient") throw new DomainError("forbidden");
  const { userId } = ctx.actor;
  const fileId = input.file ?? input.received;
  if (!fileId) throw new DomainError("invalid", undefined, { fields: { file: [m.records_file_required()] } });
  return transact(ctx, async (tx) => {
    await requireOpenAccount(tx);
    const people = await listPeople(tx, userId);
    const order = input.order === undefined ? null : await getOwnOrder(tx, input.order);
    const person = order ? people.find(({ key }) => key === order.personKey) : findPerson(people, input.person);
    if (!person || (!order && !isOwnPerson(person))) throw new DomainError("invalid", m.records_person_gone());
    if (await isFull(tx, userId)) throw new DomainError("conflict", m.records_full({ count: String(MAX_OWN_RECORDS) }));
    const id = await insertRecord(tx, { patientId: userId, person, orderId: order?.id ?? null, fileId, input });
    await recordChange(tx, "add-own-record", {
      subject: { "medical-record": id },
      people: { patient: userId, doctor: order?.doctorId ?? null },
      // The text names no test.
      notify: { doctor: order && { params: { patient: person.name, date: order.date }, target: { page: "visit", id: order.visitId } } },
    });
    return { id, person: person.id };
  });
}

/**
 * Attaches a pending upload of the actor to the records of a patient, who owns it from then on. Returns the id of the record.
 * @throws DomainError("invalid") when the upload is gone
 */
export async function insertRecord(
  tx: Ctx<Actor>,
  record: {
    patientId: string;
    person: { key: string; name: string };
    orderId: string | null;
    fromPlace?: true;
    fileId: string;
    input: Pick<RecordForm, "recordType" | "description" | "date">;
  },
): Promise<string> {
  const { patientId, person, orderId, fileId, input } = record;
  const [received] = await tx.db
    .update(files)
    .set({ status: "attached", ownerId: patientId })
    .where(and(eq(files.id, fileId), eq(files.ownerId, tx.actor.userId), eq(files.purpose, "medical-record"), eq(files.status, "pending")))
    .returning({ id: files.id });
  if (!received) throw new DomainError("invalid", undefined, { fields: { file: [m.records_file_gone()] } });
  const id = randomUUID();
  await tx.db.insert(ownRecords).values({
    id,
    patientId,
    fileId,
    personKey: person.key,
    personName: sealed(ownRecords.personName, id, person.name),
    recordType: input.recordType,
    orderId,
    fromPlace: record.fromPlace ?? false,
    description: sealed(ownRecords.description, id, input.description),
    date: input.date,
    createdAt: tx.now,
  });
  return id;
}

/** Returns an own document of the acting patient. @throws DomainError("not-found") */
export async function getOwnRecord(ctx: Ctx<Actor>, id: string | undefined) {
  if (ctx.actor.role !== "patient" || !isUuid(id)) throw new DomainError("not-found");
  const [row] = await ctx.db
    .select({ id: ownRecords.id, description: opened(ownRecords.description), date: ownRecords.date, personKey: ownRecords.personKey })
    .from(ownRecords)
    .where(and(eq(ownRecords.id, id), eq(ownRecords.patientId, ctx.actor.userId)));
  if (!row) throw new DomainError("not-found");
  return row;
}

/** Deletes an own document of the acting patient and its file. @throws DomainError("not-found") */
export async function removeOwnRecord(ctx: Ctx<Actor>, id: string | undefined): Promise<void> {
  const record = await getOwnRecord(ctx, id);
  const discarded = await transact(ctx, async (tx) => {
    const [gone] = await tx.db
      .delete(ownRecords)
      .where(and(eq(ownRecords.id, record.id), eq(ownRecords.patientId, tx.actor.userId)))
      .returning({ fileId: ownRecords.fileId });
    if (!gone) throw new DomainError("not-found");
    await recordChange(tx, "remove-own-record", { subject: { "medical-record": record.id }, people: { patient: tx.actor.userId } });
    return discardFiles(tx, [gone.fileId]);
  });
  await removeDiscarded(ctx, discarded);
}
