import { z } from "zod";
import { MOST_LINES } from "../medicines/line.ts";
import { LINE_FIELDS, MOST_TEXT } from "./draft.ts";

const text = z.string().default("");
/** Most characters of a field of a medicine. */
const MOST_FIELD = 400;
const line = (n: number) =>
  Object.fromEntries(Object.values(LINE_FIELDS).map((field) => [field(n), text.transform((typed) => typed.slice(0, MOST_FIELD))]));

/** The form of a visit as it is typed, complete or not: nothing is refused. Signing checks the draft. */
export const VisitFormSchema = z.looseObject({
  ...Object.fromEntries(
    ["complaint", "findings", "diagnosis", "diagnosis_code", "allergies", "conditions", "advice"].map((name) => [
      name,
      text.transform((typed) => typed.slice(0, MOST_TEXT)),
    ]),
  ),
  ...Object.assign({}, ...Array.from({ length: MOST_LINES }, (_, i) => line(i + 1))),
});
