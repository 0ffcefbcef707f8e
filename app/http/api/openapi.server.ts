/** The OpenAPI 3.1 document, made of the table of endpoints and the schemas that judge their calls. */
import { z } from "zod";
import type { AnyEndpoint, EndpointTable } from "./endpoint.ts";

export type JsonSchema = { [key: string]: unknown };
type Side = "input" | "output";
/** Set by routes/api/endpoints/wire.ts on what travels as JSON text within a form. */
const JSON_TEXT = "x-json-text";

/** The JSON schema of a zod schema, as it is sent (`input`) or answered (`output`). */
function jsonSchemaOf(schema: z.ZodType, side: Side): JsonSchema {
  const made = z.toJSONSchema(schema, {
    io: side,
    unrepresentable: "any",
    reused: "inline",
    override({ zodSchema, jsonSchema }) {
      const def = zodSchema._zod.def as { type: string; in?: z.ZodType; out?: z.ZodType };
      // What is put into form before it is judged is described by what judges it.
      if (side === "input" && def.type === "pipe" && def.in?._zod.def.type === "transform" && def.out) {
        const { $schema: _, ...judged } = jsonSchemaOf(def.out, "input");
        Object.assign(jsonSchema, judged);
      }
    },
  }) as JsonSchema;
  const { $schema: _, ...plain } = made;
  return plain;
}

const asText = (property: JsonSchema): JsonSchema => {
  if (property[JSON_TEXT] !== true) return property;
  const { [JSON_TEXT]: _, ...content } = property;
  return { type: "string", contentMediaType: "application/json", contentSchema: content };
};
const plainly = (property: JsonSchema): JsonSchema => {
  const { [JSON_TEXT]: _, ...content } = property;
  return content;
};

const mapProperties = (schema: JsonSchema, change: (property: JsonSchema, name: string) => JsonSchema): JsonSchema => ({
  ...schema,
  ...(schema.properties
    ? {
        properties: Object.fromEntries(
          Object.entries(schema.properties as Record<string, JsonSchema>).map(([name, property]) => [name, change(property, name)]),
        ),
      }
    : {}),
});

function bodyOf(entry: AnyEndpoint): JsonSchema | undefined {
  if (!entry.body) return undefined;
  const schema = jsonSchemaOf(entry.body, "input");
  const { files } = entry;
  const json = { schema: mapProperties(schema, plainly) };
  if (!files) return { required: true, content: { "application/json": json } };
  const file = { type: "string", contentMediaType: files.media ?? "image/*" };
  const form = mapProperties(schema, (property, name) => {
    if (!files.names.includes(name)) return asText(property);
    return files.many.includes(name) ? { type: "array", items: file } : file;
  });
  return { required: true, content: { "multipart/form-data": { schema: form } } };
}

function parametersOf(entry: AnyEndpoint): JsonSchema[] {
  const of = (schema: z.ZodObject | undefined, place: "path" | "query"): JsonSchema[] => {
    if (!schema) return [];
    const json = jsonSchemaOf(schema, "input");
    const required = (json.required as string[] | undefined) ?? [];
    return Object.entries((json.properties ?? {}) as Record<string, JsonSchema>).map(([name, property]) => ({
      name,
      in: place,
      required: place === "path" || required.includes(name),
      schema: property,
    }));
  };
  const list = entry.list
    ? [
        { name: "limit", in: "query", required: false, schema: { type: "integer", minimum: 1, maximum: entry.list.max } },
        { name: "cursor", in: "query", required: false, schema: { type: "string" } },
      ]
    : [];
  const key = entry.creates
    ? [{ name: "Idempotency-Key", in: "header", required: false, schema: { type: "string", minLength: 8, maxLength: 100 } }]
    : [];
  const etag = entry.etag ? [{ name: "If-None-Match", in: "header", required: false, schema: { type: "string" } }] : [];
  return [...of(entry.params, "path"), ...of(entry.query, "query"), ...list, ...key, ...etag];
}

/** The statuses a call may be refused with. */
function refusalsOf(entry: AnyEndpoint): number[] {
  const body = entry.body ? [400, 413, 415] : entry.query || entry.params || entry.list ? [400] : [];
  const login = entry.who === "everybody" ? [401] : [401, 403];
  const state = entry.method !== "GET" ? [409] : [];
  return [...new Set([...body, ...login, ...(entry.params ? [404] : []), ...state, 429, 500, 503])].sort((a, b) => a - b);
}

export type OpenApi = {
  openapi: "3.1.0";
  info: { title: string; version: string; description: string };
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: JsonSchema;
};
export type Operation = {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  security: JsonSchema[];
  parameters?: JsonSchema[];
  requestBody?: JsonSchema;
  responses: Record<string, JsonSchema>;
};

/** @param origin where the server is reached */
export function openApiOf(table: EndpointTable, info: OpenApi["info"], origin: string): OpenApi {
  const paths: OpenApi["paths"] = {};
  for (const [name, entry] of Object.entries(table)) {
    const requestBody = bodyOf(entry);
    const parameters = parametersOf(entry);
    const good: JsonSchema =
      entry.answer === "file"
        ? { description: "The picture.", content: { "image/jpeg": { schema: {} } } }
        : { description: "Done.", content: { "application/json": { schema: jsonSchemaOf(entry.answer, "output") } } };
    const operation: Operation = {
      operationId: name,
      summary: entry.summary,
      ...(entry.about ? { description: entry.about } : {}),
      tags: [entry.group],
      security: entry.who === "everybody" ? [{}, { bearer: [] }] : [{ bearer: [...entry.who] }],
      ...(parameters.length ? { parameters } : {}),
      ...(requestBody ? { requestBody } : {}),
      responses: {
        [String(entry.status ?? 200)]: good,
        ...(entry.etag ? { 304: { description: "As it was." } } : {}),
        ...Object.fromEntries(refusalsOf(entry).map((status) => [status, { $ref: "#/components/responses/Refusal" }])),
      },
    };
    const at = paths[entry.path] ?? {};
    at[entry.method.toLowerCase()] = operation;
    paths[entry.path] = at;
  }
  return {
    openapi: "3.1.0",
    info,
    servers: [{ url: origin }],
    paths,
    components: {
      securitySchemes: { bearer: { type: "http", scheme: "bearer" } },
      responses: {
        Refusal: { description: "Refused.", content: { "application/json": { schema: { $ref: "#/components/schemas/Refusal" } } } },
      },
      schemas: {
        Refusal: {
          type: "object",
          properties: {
            success: { const: false },
            message: { type: "string" },
            errors: { type: "object", additionalProperties: { type: "array", items: { type: "string" } } },
            retryTicket: { type: "string" },
          },
          required: ["success", "message"],
        },
      },
    },
  };
}
