import { m } from "#app/paraglide/messages.js";

/** Stored in place of the name of a patient whose account is deleted. */
export const DELETED_NAME = "Deleted account";

/** Returns the patient's name, or the words for a deleted account in the reader's language. */
export const patientNameWord = (name: string) => (name === DELETED_NAME ? m.data_deleted_name() : name);
