import { randomBytes, randomUUID } from "node:crypto";
import { queueEntries } from "#app/db/schema/index.ts";
import { sealed } from "#app/db/sealed.server.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { hmac } from "#app/lib/crypto.server.ts";
import type { DateKey } from "#app/lib/dates.ts";
import type { Phone } from "#app/lib/phone.ts";
import { plainName } from "#app/lib/plain-name.ts";
import type { GENDERS, QueueKind, QueuePriority } from "#app/lib/vocabulary.ts";
import { enqueue } from "#app/queue/queue.server.ts";
import { env } from "#app/runtime/env.server.ts";
import { issueNumber } from "./issue-number.server.ts";

export type NewEntry = {
  /** Without one a random id. */
  id?: string;
  session: { id: string; doctorId: string };
  kind: QueueKind;
  state: "expected" | "arrived";
  name: string;
  phone: Phone;
  dueAt: Date;
  appointmentId?: string | null;
  /** The account. */
  patientId?: string | null;
  age?: number | null;
  birthDate?: DateKey | null;
  gender?: (typeof GENDERS)[number] | null;
  priority?: QueuePriority;
  formKey?: string | null;
  /** A number that was issued for this patient before. */
  number?: number;
};
export type AddedEntry = { id: string; number: number; code: string };

/** Identifies a patient of a session: one name on one phone. A keyed hash, because the table has neither in plain text. */
export function personKeyOf(phone: string, name: string, keys: readonly string[] = env().encryptionKeys): string {
  const same = plainName(name);
  return hmac(`${phone}|${same}`, keys.at(-1)!, "queue-person");
}

/** 120 random bits, for an address that is printed and sent by SMS. */
export const newCode = () => randomBytes(15).toString("base64url");

/**
 * Adds a patient to a session with the next token, in the transaction of `tx`. The caller has checked access, and that the session is not closed.
 * Violates `queue_entries_one_per_person`, `queue_entries_one_per_appointment` or `queue_entries_form` for a patient who is in the session already.
 */
export async function addEntry(tx: Ctx, entry: NewEntry): Promise<AddedEntry> {
  const { session, name, phone } = entry;
  const number = entry.number ?? (await issueNumber(tx, session.id));
  const id = entry.id ?? randomUUID();
  const code = newCode();
  await tx.db.insert(queueEntries).values({
    id,
    sessionId: session.id,
    number,
    kind: entry.kind,
    state: entry.state,
    appointmentId: entry.appointmentId ?? null,
    patientId: entry.patientId ?? null,
    name: sealed(queueEntries.name, id, name),
    phone: sealed(queueEntries.phone, id, phone),
    personKey: personKeyOf(phone, name),
    age: entry.age ?? null,
    birthDate: entry.birthDate ?? null,
    gender: entry.gender ?? null,
    priority: entry.priority ?? "normal",
    code,
    formKey: entry.formKey ?? null,
    dueAt: entry.dueAt,
    arrivedAt: entry.state === "arrived" ? tx.now : null,
    createdAt: tx.now,
    updatedAt: tx.now,
  });
  if (entry.state === "arrived") await enqueue(tx, "queue-estimate", { entryId: id });
  const of = { subject: { "queue-entry": id }, people: { doctor: session.doctorId } };
  await recordChange(tx, "queue-entry.add", { ...of, data: { to: entry.state } });
  return { id, number, code };
}
