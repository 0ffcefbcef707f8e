/**
 * Checks the field names of a form before Conform sees them. Conform reads a name as a path: `a[999999999]=1` would make an
 * array of that length, and `__intent__` may carry such a path too.
 */
import type { z } from "zod";
import { DomainError } from "#app/lib/domain-error.ts";

/** More than our largest form has: a case with 40 documents. */
const MAX_FIELDS = 500;
/** List items are numbered below this. Each list's own limit is in its schema, with a sentence of its own. */
const MAX_INDEX = 100;
/** One step of a path. `__intent__` and `__state__` are Conform's: only its scripts use them, and they never leave the browser. */
const KEY = /^[a-z][\w-]{0,63}$/i;

/** True for a key that no object has by birth (`constructor`). */
const isPlain = (key: string) => KEY.test(key) && !(key in Object.prototype);

/**
 * Returns the test for one field name of a form with this schema: a plain name, or a path into a list or an object that the
 * schema declares, such as `records[0].fileId`. Without a schema only plain names pass.
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

/** Paths below the top, without their indexes: objects whose keys may be posted, and items of lists. */
type Declared = { objects: Set<string>; items: Set<string> };

/** `records[3].fileId` → `records[].fileId`; an index that is too large stays, and so matches nothing. */
const shapeOf = (name: string) => name.replace(/\[(\d{1,3})\]/g, (item, index: string) => (Number(index) < MAX_INDEX ? "[]" : item));

/** Adds the paths of a schema. Records and tuples are not walked: no form of ours has one. */
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

/** @throws DomainError("invalid") if a name is not one of the form's, or there are too many fields */
export function checkNames(formData: FormData, allowed: (name: string) => boolean): void {
  let count = 0;
  for (const name of formData.keys()) if (++count > MAX_FIELDS || !allowed(name)) throw new DomainError("invalid");
}
