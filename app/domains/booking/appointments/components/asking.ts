import { m } from "#app/paraglide/messages.js";
import type { Field } from "#app/ui/form.tsx";

/** Returns a field that says below itself what to do when it is empty. The summary above the form has the sentence of the specification. */
export const asking = (field: Field, sentence: string): Field =>
  field.errors?.includes(m.appointments_fill_required()) ? { ...field, errors: [sentence] } : field;
