import type { BookingDraftRecord, BookingDraftValues } from "#app/db/schema/index.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { RECORD_TYPES, type RecordType } from "#app/lib/vocabulary.ts";
import { PatientDetailSchema, SlotSchema } from "./appointments.schema.ts";

const TYPED = [
  "name",
  "phone",
  "age",
  "dateOfBirth",
  "gender",
  "bloodGroup",
  "medicalHistory",
  "note",
  "reason",
  "forWhom",
  "filledAt",
  "relation",
  "remember",
  "smsUpdates",
] as const satisfies readonly (keyof BookingDraftValues)[];
const typeOf = (value: FormDataEntryValue | null): RecordType => RECORD_TYPES.find((t) => t === value) ?? "other";
const textOf = (value: FormDataEntryValue | null, max: number) => (typeof value === "string" ? value.trim().slice(0, max) : "");

/**
 * Parses the posted form of step 2: typed values, documents received before, and new ones (`newRecords`: JSON of id and name).
 */
export function draftOf(formData: FormData): { values: BookingDraftValues; records: BookingDraftRecord[] } {
  const values: BookingDraftValues = {};
  for (const name of TYPED) {
    const text = textOf(formData.get(name), 2000);
    if (text) values[name] = text;
  }
  const intent = textOf(formData.get("intent"), 100);
  const removed = intent.startsWith("remove:") ? intent.slice(7) : null;
  const used = intent.startsWith("use:") ? intent.slice(4) : null;
  const forWhom = values.forWhom ?? "me";
  const records: BookingDraftRecord[] = [];
  for (let i = 0; formData.has(`records[${i}].fileId`); i++) {
    const fileId = textOf(formData.get(`records[${i}].fileId`), 36);
    if (isUuid(fileId) && fileId !== removed)
      records.push({
        fileId,
        recordType: typeOf(formData.get(`records[${i}].recordType`)),
        description: textOf(formData.get(`records[${i}].description`), 200),
        forWhom: (fileId !== used && textOf(formData.get(`records[${i}].forWhom`), 60)) || forWhom,
      });
  }
  const fresh = formData.getAll("newRecords").filter((v): v is string => typeof v === "string" && v.startsWith("{"));
  const about = textOf(formData.get("newRecordDescription"), 200);
  for (const json of fresh) {
    const { id, name } = parseStored(json);
    if (!id) continue;
    // One description does not fit several documents, so the file name is used (spec 001 §2.11).
    records.push({
      fileId: id,
      recordType: typeOf(formData.get("newRecordType")),
      description: (fresh.length === 1 && about) || name,
      forWhom,
    });
  }
  return { values, records };
}

/** True for the button that books; the others change the form only. */
export const isBooking = (formData: FormData) => !/^(for:|remove:|use:|at:|add$)/.test(textOf(formData.get("intent"), 100));

/** Returns the values that the form accepts. A refused form shows the others with their errors, and a later visit starts without them. */
export function withoutInvalid(values: BookingDraftValues): BookingDraftValues {
  const fields: Record<string, { safeParse: (value: unknown) => { success: boolean } } | undefined> = PatientDetailSchema.shape;
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => fields[name]?.safeParse(value).success !== false));
}

/** Parses a `newRecords` part of the upload handler. Throws if a client sent the part itself. */
function parseStored(json: string): { id: string; name: string } {
  try {
    const { id, name } = JSON.parse(json) as Record<string, unknown>;
    if (isUuid(id as string) && typeof name === "string") return { id: id as string, name: name.slice(0, 120) };
  } catch {}
  return { id: "", name: "" };
}

/** Returns the choice of "Who is this visit for?": "me", "new" or an id; null for another button. */
export function chosenPerson(formData: FormData): string | null {
  const intent = formData.get("intent");
  return typeof intent === "string" && intent.startsWith("for:") ? intent.slice(4, 60) : null;
}

/**
 * Returns the slot of the button that changes the time and preserves the input: "calendar" to choose it there; null for another
 * button.
 */
export function chosenSlot(formData: FormData): { date: string; time: string } | "calendar" | null {
  const intent = textOf(formData.get("intent"), 100);
  if (!intent.startsWith("at:")) return null;
  const [date = "", time = ""] = intent.slice(3).split(" ");
  const slot = SlotSchema.safeParse({ date, time });
  return slot.success ? slot.data : "calendar";
}

/** True for a document added for the patient chosen now. The others of the draft are not attached. */
export const isForChosen = (record: BookingDraftRecord, values: BookingDraftValues) =>
  (record.forWhom ?? values.forWhom ?? "me") === (values.forWhom ?? "me");

/** Writes the stored documents of the appointment into the form, and converts its buttons to `book` or `edit`. */
export function fillFromDraft(formData: FormData, records: BookingDraftRecord[]): void {
  for (const name of new Set(formData.keys())) if (name.startsWith("records[") || name.startsWith("newRecord")) formData.delete(name);
  records.forEach((record, i) => {
    formData.set(`records[${i}].fileId`, record.fileId);
    formData.set(`records[${i}].recordType`, record.recordType);
    formData.set(`records[${i}].description`, record.description);
  });
  formData.set("intent", isBooking(formData) ? "book" : "edit");
}
