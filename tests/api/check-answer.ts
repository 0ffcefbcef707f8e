/** Validates responses of the API against its OpenAPI document, each status with its schema and headers. */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { JsonSchema, OpenApi, Operation } from "#app/http/api/openapi.server.ts";

type Checker = (operation: Operation, answer: { status: number; headers: Headers; body: unknown }) => string[];
type Response = { headers?: Record<string, JsonSchema>; content?: Record<string, { schema?: JsonSchema }> };
const ROOT = "openapi.json";
const checkers = new WeakMap<OpenApi, Checker>();

/** Returns the differences between a response and the document, or an empty list. */
export function checkerOf(document: OpenApi): Checker {
  const known = checkers.get(document);
  if (known) return known;
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
  addFormats.default(ajv);
  // Makes `#/components/…` of a schema resolve from every position.
  ajv.addSchema({ $id: ROOT, components: document.components } as never, ROOT);
  ajv.addVocabulary(["components"]);
  const compiled = new Map<JsonSchema, ValidateFunction>();
  const validate = (schema: JsonSchema, value: unknown): string[] => {
    const run = compiled.get(schema) ?? ajv.compile(inRoot(schema));
    compiled.set(schema, run);
    return run(value)
      ? []
      : (run.errors ?? []).map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`);
  };
  const found = <T>(part: JsonSchema): T => {
    const path = typeof part.$ref === "string" ? part.$ref.split("/").slice(1) : null;
    return (path ? path.reduce((at, key) => (at as JsonSchema)[key] as JsonSchema, document as unknown as JsonSchema) : part) as T;
  };
  const check: Checker = ({ operationId, responses }, { status, headers, body }) => {
    const declared = responses[String(status)];
    if (!declared) return [`${operationId}: ${status} is not in the document`];
    const { content = {}, headers: named = {} } = found<Response>(declared);
    const problems: string[] = [];
    const type = headers.get("content-type")?.split(";")[0] ?? null;
    const types = Object.keys(content);
    const matching = types.find((one) => one === type || (one.endsWith("/*") && type?.startsWith(one.slice(0, -1))));
    if (types.length ? !matching : body !== null) problems.push(`the type ${type} is not in the document`);
    const schema = matching === undefined ? undefined : content[matching]?.schema;
    if (schema) problems.push(...validate(schema, body));
    for (const [name, header] of Object.entries(named)) {
      const { required, schema: form } = found<{ required?: boolean; schema: JsonSchema }>(header);
      const value = headers.get(name);
      if (value === null && required) problems.push(`the header ${name} is missing`);
      if (value !== null) problems.push(...validate(form, form.type === "integer" ? Number(value) : value));
    }
    return problems.map((problem) => `${operationId} ${status}: ${problem}`);
  };
  checkers.set(document, check);
  return check;
}

const inRoot = (schema: JsonSchema): JsonSchema =>
  JSON.parse(
    JSON.stringify(schema, (key, value: unknown) =>
      key === "$ref" && typeof value === "string" ? value.replace(/^#/, `${ROOT}#`) : value,
    ),
  ) as JsonSchema;
