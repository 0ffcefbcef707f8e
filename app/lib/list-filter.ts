/** Fields of a filter in the URL of a list. A value that is not valid counts as no filter. */
import { z } from "zod";
import { isDateKey } from "./dates.ts";
import { plainDigits } from "./digits.ts";

export const filterText = z
  .string()
  .trim()
  .max(100)
  .transform((value) => value || undefined)
  .optional()
  .catch(undefined);
export const filterDate = z.string().overwrite(plainDigits).refine(isDateKey).optional().catch(undefined);
export const filterChoice = <const T extends readonly [string, ...string[]]>(values: T) => z.enum(values).optional().catch(undefined);

/** Validates the query of a list against its filter. */
export function readFilter<T extends z.ZodObject>(query: URLSearchParams, schema: T): z.output<T> {
  return schema.parse(Object.fromEntries([...query].map(([name, value]) => [name, value.replaceAll("\0", "")])));
}
