import { DELETED_NAME } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";

/** Returns the patient's name, or the words for a deleted account in the reader's language. */
export const patientNameWord = (name: string) => (name === DELETED_NAME ? m.data_deleted_name() : name);
