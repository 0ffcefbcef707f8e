/** Reads from the product's source which fields of its forms and calls take text, so that a new one is found automatically. */
import { globSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import type { z } from "zod";
import { todayInIndia } from "#app/lib/dates.ts";
import { ENDPOINTS } from "#app/routes/api/endpoints.server.ts";
import { ROUTES } from "./routes.ts";

const APP = resolve(import.meta.dirname, "../../app");
/** Functions that read forms. Files with a form call them. */
const READERS = ["http/submit-form.server.ts", "http/proof.server.ts", "http/submit-json.server.ts", "http/saved-form.server.ts"];
/** A call of one of them: a page that names none has no form. */
const READS = /\b(submitForm|submitGuardedForm|submitOwn|submitGuarded|readForm)\(/;
const read = (file: string) => readFileSync(join(APP, file), "utf8");

/** Returns the paths of all strings in a schema that are neither ids nor enums: `note`, `documents[].reason`. */
export function textPaths(schema: z.core.$ZodType, path = "", depth = 0): string[] {
  if (depth > 20) return [];
  const walk = (inner: z.core.$ZodType, at = path) => textPaths(inner, at, depth + 1);
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "string":
      return (def as { format?: string }).format === "uuid" ? [] : [path];
    case "object":
      return Object.entries(def.shape).flatMap(([key, value]) => walk(value, path ? `${path}.${key}` : key));
    case "array":
      return walk(def.element, `${path}[]`);
    case "union":
      return def.options.flatMap((option) => walk(option));
    case "intersection":
      return [...walk(def.left), ...walk(def.right)];
    case "pipe":
      return [...walk(def.in), ...walk(def.out)];
    case "optional":
    case "nullable":
    case "default":
    case "prefault":
    case "nonoptional":
    case "readonly":
    case "catch":
      return walk(def.innerType);
    default:
      return [];
  }
}

/** Returns the files of the product that read a form, relative to `app`. */
function filesWithForms(): string[] {
  return globSync("**/*.{ts,tsx}", { cwd: APP })
    .filter((file) => !file.includes(".test.") && !READERS.includes(file))
    .filter((file) => READS.test(read(file)))
    .sort();
}

const SUBMITS =
  /\bsubmit(?:(?:Guarded)?Form\(\s*(?:request|\{ context, request \}),|(?:Own|Guarded)\()\s*((?:[^,()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))+),/g;
const PARSES = /\b([A-Z]\w+)\.safeParse\(/g;

/** Returns the text fields of the forms that a file reads. @throws when a schema is not found: name it so that this test can read it */
async function fieldsOfFile(file: string): Promise<string[]> {
  const source = read(file);
  const expressions = [...source.matchAll(SUBMITS), ...(source.includes("readForm(") ? source.matchAll(PARSES) : [])].map((match) =>
    (match[1] ?? "").trim(),
  );
  if (!expressions.length) throw new Error(`${file}: no schema was found`);
  const fields = await Promise.all(expressions.map((expression) => fieldsOfExpression(file, source, expression)));
  return [...new Set(fields.flat())].sort();
}

async function fieldsOfExpression(file: string, source: string, expression: string): Promise<string[]> {
  if (expression.startsWith("z.")) return stringsIn(expression);
  // A wrapper like birthDateFirst(JoinFormSchema) has the fields of its schema.
  const name = (/^[a-z]\w*\(([A-Z]\w*)/.exec(expression)?.[1] || /^\w+/.exec(expression)?.[0]) ?? "";
  const imported = new RegExp(`import \\{[^}]*\\b${name}\\b[^}]*\\} from "#app/([^"]+)"`).exec(source)?.[1];
  if (imported) {
    const module = (await import(/* @vite-ignore */ join(APP, imported))) as Record<string, unknown>;
    const found = module[name];
    const schema = typeof found === "function" ? (found as (today: string) => unknown)(todayInIndia(new Date())) : found;
    // A schema of one value reads a URL, not a form: it has no name.
    return textPaths(schema as z.core.$ZodType).filter(Boolean);
  }
  const local = new RegExp(`const ${name} = z[\\s\\S]*?;\\n`).exec(source)?.[0];
  if (!local) throw new Error(`${file}: the schema ${expression} was not found`);
  return stringsIn(local);
}
/** Returns the names of the strings of a schema that is written out in a route. */
const stringsIn = (source: string) => [...source.matchAll(/(\w+):\s*z\s*\.\s*string\(/g)].map((match) => match[1] ?? "");

/** Routes with an action that reads no form, neither directly nor by a helper. */
export async function actionsWithoutForm(): Promise<string[]> {
  const helpers = filesWithForms().filter((file) => file.endsWith(".server.ts"));
  return [...new Set(ROUTES.flatMap(({ files }) => files))]
    .filter((file) => /export (async function|const|function) action\b|export \{[^}]*\baction\b/.test(read(file)))
    .filter((file) => {
      const source = read(file);
      const calls = READS.test(source);
      return !calls && !helpers.some((helper) => source.includes(`/${basename(helper)}"`));
    })
    .sort();
}

/** Returns every form by the file that reads it, and every call of the API as `api name`, with the text fields. */
export async function textFields(): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (const file of filesWithForms()) found.set(file, await fieldsOfFile(file));
  for (const [name, entry] of Object.entries(ENDPOINTS)) {
    const { body, query, params } = entry as { body?: z.ZodType; query?: z.ZodType; params?: z.ZodType };
    const paths = [body, query, params].flatMap((schema) => (schema ? textPaths(schema) : []));
    found.set(`api ${name}`, [...new Set(paths)].sort());
  }
  return new Map([...found].filter(([, fields]) => fields.length));
}
