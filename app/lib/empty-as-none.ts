/** An empty field of a form counts as one that was not sent. */
export const emptyAsNone = (value: unknown): unknown => (typeof value === "string" && value.trim() === "" ? undefined : value);
/** Records have null, forms an empty field. */
export const nullAsNone = (value: unknown): unknown => (value === null ? undefined : emptyAsNone(value));
