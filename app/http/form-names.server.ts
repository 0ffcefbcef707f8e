/**
 * Validates the field names of a form before Conform reads them as paths: `a[999999999]=1` would create an array of that
 * length, and `__intent__` may contain such a path too.
 */
import type { z } from "zod";
import { DomainError } from "#app/lib/domain-error.ts";

/** More than our largest form: a case with 40 documents. */
const MAX_FIELDS = 500;
/** Largest index of a list. Each list has its own limit and message in its schema. */
const MAX_INDEX = 100;
/** One segment of a path. Refuses Conform's `__intent__` and `__state__`, which its scripts never send. */
const KEY = /^[a-z][\w-]{0,63}$/i;

/** True for a key that is not an inherited property (`constructor`). */
const isPlain = (key: string) => KEY.test(key) && !(key in Object.prototype);

/**
 * Returns a predicate for field names: a plain name, or a path into a list or object of the schema, such as
 * `records[0].fileId`. Without a schema it accepts plain names only.
 */
export function nameCheck(schema?: z.ZodType): (name: string) => boolean {
  const declared: Declared = { objects: new Set(), items: new Set() };
  if (schema) collectPaths(schema, "", declared);
  return (name) => {
    if (isPlain(name)) return true;
    if (name.length > 200) return false;
    const shape = shapeOf(name);
    const dot = shape.lastIndexOf(".");
    return declared.items.has(shape) || (dot > 0 && declared.objects.has(shape.slice(0, dot)) && isPlain(shape.slice(dot + 1)));
  };
}

/** Paths of nested objects and list items, without indexes. */
type Declared = { objects: Set<string>; items: Set<string> };

/** `records[3].fileId` → `records[].fileId`. Leaves an index that is too large, so that it matches nothing. */
const shapeOf = (name: string) => name.replace(/\[(\d{1,3})\]/g, (item, index: string) => (Number(index) < MAX_INDEX ? "[]" : item));

/** Adds the paths of a schema. Skips records and tuples: no form has them. */
function collectPaths(schema: z.core.$ZodType, path: string, declared: Declared, depth = 0): void {
  if (depth > 20) return;
  const walk = (inner: z.core.$ZodType, at = path) => collectPaths(inner, at, declared, depth + 1);
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "object":
      if (path) declared.objects.add(path);
      for (const [key, value] of Object.entries(def.shape)) walk(value, path ? `${path}.${key}` : key);
      break;
    case "array":
      declared.items.add(`${path}[]`);
      walk(def.element, `${path}[]`);
      break;
    case "union":
      for (const option of def.options) walk(option);
      break;
    case "intersection":
      walk(def.left);
      walk(def.right);
      break;
    case "pipe":
      walk(def.in);
      walk(def.out);
      break;
    case "lazy":
      walk(def.getter());
      break;
    case "optional":
    case "nullable":
    case "default":
    case "prefault":
    case "nonoptional":
    case "readonly":
    case "catch":
    case "success":
      walk(def.innerType);
      break;
    default:
      break;
  }
}

/** @throws DomainError("invalid") for an unknown field name or too many fields */
export function checkNames(formData: FormData, allowed: (name: string) => boolean): void {
  let count = 0;
  for (const name of formData.keys()) if (++count > MAX_FIELDS || !allowed(name)) throw new DomainError("invalid");
}
