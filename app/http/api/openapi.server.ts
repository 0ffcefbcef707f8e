/** Creates the OpenAPI 3.1 document from the table of endpoints and the schemas that validate their calls. */
import { z } from "zod";
import { type AnyEndpoint, type EndpointTable, IDEMPOTENCY_KEY } from "./endpoint.ts";
import { webhooksOf } from "./webhook-document.ts";

export type JsonSchema = { [key: string]: unknown };
type Side = "input" | "output";
/** Set by routes/api/endpoints/wire.ts on JSON text in a form field. */
const JSON_TEXT = "x-json-text";

/** Returns the JSON schema of a zod schema, of a request (`input`) or a response (`output`). */
function jsonSchemaOf(schema: z.ZodType, side: Side): JsonSchema {
  const made = z.toJSONSchema(schema, {
    io: side,
    unrepresentable: "any",
    reused: "inline",
    override({ zodSchema, jsonSchema }) {
      const def = zodSchema._zod.def as { type: string; in?: z.ZodType; out?: z.ZodType };
      // A preprocessed value is described by the schema that validates it.
      if (side === "input" && def.type === "pipe" && def.in?._zod.def.type === "transform" && def.out) {
        const { $schema: _, ...validated } = jsonSchemaOf(def.out, "input");
        Object.assign(jsonSchema, validated);
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
    return Object.entries((json.properties ?? {}) as Record<string, JsonSchema>).map(([name, { description, ...property }]) => ({
      name,
      in: place,
      required: place === "path" || required.includes(name),
      ...(description ? { description } : {}),
      schema: property,
    }));
  };
  const list = entry.list
    ? [
        {
          name: "limit",
          in: "query",
          required: false,
          description: "Number of entries per page.",
          schema: { type: "integer", minimum: 1, maximum: entry.list.max },
        },
        {
          name: "cursor",
          in: "query",
          required: false,
          description: "Start of the page. Take it from the Link header of the previous page.",
          schema: { type: "string" },
        },
      ]
    : [];
  const shared = [...(entry.creates ? ["IdempotencyKey"] : []), ...(entry.etag ? ["IfNoneMatch"] : [])];
  return [
    ...of(entry.params, "path"),
    ...of(entry.query, "query"),
    ...list,
    ...shared.map((name) => ({ $ref: `#/components/parameters/${name}` })),
  ];
}

const PARAMETERS = {
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    required: false,
    description:
      "A key that the client makes for each new request, such as a UUID. A repeated request with the same key and body within 24 hours is not carried out again: it gets the first answer, with the header Idempotency-Replayed. The same key with another body is refused with 409.",
    schema: { type: "string", pattern: IDEMPOTENCY_KEY.source, examples: ["3f1c9a1e-6b0e-4a53-9a55-2f6f0a6a5f10"] },
  },
  IfNoneMatch: {
    name: "If-None-Match",
    in: "header",
    required: false,
    description: "The ETag of an earlier answer. When nothing has changed, the answer is 304 without a body.",
    schema: { type: "string" },
  },
} satisfies Record<string, JsonSchema>;

const HEADERS = {
  "Retry-After": {
    required: true,
    description: "Seconds to wait before the request is sent again.",
    schema: { type: "integer", minimum: 1 },
  },
  "WWW-Authenticate": { required: true, description: "The authentication scheme.", schema: { const: "Bearer" } },
  Link: { description: 'The address of the next page, with rel="next". Missing on the last page.', schema: { type: "string" } },
  ETag: { required: true, description: "The version of this answer.", schema: { type: "string" } },
  "Idempotency-Replayed": {
    description: "`true` when this is the answer to an earlier request with the same key.",
    schema: { const: "true" },
  },
} satisfies Record<string, JsonSchema>;
const headersOf = (...names: (keyof typeof HEADERS)[]) =>
  names.length ? { headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])) } : {};

/** The error statuses of calls with their descriptions. */
const REFUSALS: Record<number, { name: string; description: string; schema?: string; headers?: (keyof typeof HEADERS)[] }> = {
  400: {
    name: "Invalid",
    description: "The request is malformed or a value is not accepted. `errors` names the fields.",
    schema: "InvalidRefusal",
  },
  401: {
    name: "Unauthenticated",
    description: "The token is missing, unknown or has expired. Log in again.",
    headers: ["WWW-Authenticate"],
  },
  403: {
    name: "Forbidden",
    description:
      "The caller has no permission: another role or owner, an account that is closed or not verified, a password that must be changed first, or a sensitive change without a recent proof of identity.",
  },
  404: { name: "NotFound", description: "The record does not exist, or the caller has no permission to read it." },
  409: { name: "Conflict", description: "The state of the record does not allow this, or the slot was just taken." },
  413: { name: "TooLarge", description: "The body or one of its files is too large." },
  415: { name: "UnsupportedType", description: "The type of the body or of one of its files is not accepted." },
  429: {
    name: "TooMany",
    description: "Too many requests. Wait for Retry-After seconds. If the answer has a `retryTicket`, send it with the same request.",
    schema: "TooManyRefusal",
    headers: ["Retry-After"],
  },
  500: { name: "Failed", description: "An unexpected error. The server has logged it." },
  503: { name: "Unavailable", description: "A part of the service is unavailable. Nothing was changed.", headers: ["Retry-After"] },
};

/** Returns the possible error statuses of a call. */
function refusalsOf(entry: AnyEndpoint): number[] {
  const takes = Boolean(entry.body || entry.query || entry.params || entry.list || entry.creates);
  const changes = entry.method !== "GET";
  const statuses = [
    ...(takes ? [400] : []),
    401,
    ...(entry.who === "everybody" && !changes ? [] : [403]),
    ...(entry.params || entry.verified || changes ? [404] : []),
    ...(changes ? [409] : []),
    ...(entry.body ? [413, 415] : []),
    429,
    500,
    503,
  ];
  return [...new Set(statuses)].sort((a, b) => a - b);
}

const MESSAGES = { type: "array", items: { type: "string" }, minItems: 1 };
const refusal = (description: string, more: JsonSchema = {}, required: string[] = []): JsonSchema => ({
  description,
  type: "object",
  properties: {
    success: { const: false },
    message: { type: "string", minLength: 1, description: "A sentence for the user, in the language of the account." },
    errors: { type: "object", additionalProperties: MESSAGES, description: "Sentences by field, such as `patientInfo.phone`." },
    ...more,
  },
  required: ["success", "message", ...required],
  additionalProperties: false,
});
const SCHEMAS = {
  Refusal: refusal("The answer to every request that is not carried out."),
  InvalidRefusal: refusal("The answer to a request that is not valid."),
  TooManyRefusal: refusal("The answer to a request that comes too soon.", {
    retryTicket: { type: "string", description: "Send it with the same request after Retry-After seconds. It is valid once." },
  }),
} satisfies Record<string, JsonSchema>;

const jsonContent = (schema: JsonSchema) => ({ content: { "application/json": { schema } } });

export type OpenApi = {
  openapi: "3.1.0";
  info: {
    title: string;
    version: string;
    summary: string;
    description: string;
    termsOfService: string;
    contact: { name: string; url: string };
    license: { name: string; url: string };
  };
  servers: { url: string; description: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: JsonSchema }>;
  components: JsonSchema;
};
export type Operation = {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters?: JsonSchema[];
  requestBody?: JsonSchema;
  responses: Record<string, JsonSchema>;
};
/** Description of the whole API. `groups`: the tags with their descriptions, in the order of the document. */
export type ApiInfo = { info: OpenApi["info"]; groups: Readonly<Record<string, string>> };

/** Adds to the description what the rest of the operation does not show. */
function descriptionOf(entry: AnyEndpoint): string {
  const { about, verified, list } = entry;
  return [
    about,
    ...(verified ? ["Doctors can call it once they are verified."] : []),
    ...(list ? [`Without \`limit\` the answer has at most ${list.bound} entries.`] : []),
  ].join(" ");
}

function goodAnswerOf(entry: AnyEndpoint): JsonSchema {
  const headers = headersOf(
    ...(entry.list ? (["Link"] as const) : []),
    ...(entry.etag ? (["ETag"] as const) : []),
    ...(entry.creates ? (["Idempotency-Replayed"] as const) : []),
  );
  if (entry.answer === "file") {
    const content = { "image/jpeg": {}, "audio/*": {}, "application/*": {}, "text/csv": {} };
    return { description: "The bytes of the file.", ...headers, content };
  }
  return { description: "The call succeeded.", ...headers, ...jsonContent(jsonSchemaOf(entry.answer, "output")) };
}

/** @param origin public origin of the server */
export function openApiOf(table: EndpointTable, { info, groups }: ApiInfo, origin: string): OpenApi {
  const paths: OpenApi["paths"] = {};
  for (const [name, entry] of Object.entries(table)) {
    const requestBody = bodyOf(entry);
    const parameters = parametersOf(entry);
    const operation: Operation = {
      operationId: name,
      summary: entry.summary,
      description: descriptionOf(entry),
      tags: [entry.group],
      // Alternatives: one of these roles is enough.
      security: entry.who === "everybody" ? [{}, { bearer: [] }] : (entry.who as string[]).map((role) => ({ bearer: [role] })),
      ...(parameters.length ? { parameters } : {}),
      ...(requestBody ? { requestBody } : {}),
      responses: {
        [String(entry.status ?? 200)]: goodAnswerOf(entry),
        ...(entry.etag ? { 304: { description: "Nothing has changed since the ETag that was sent.", ...headersOf("ETag") } } : {}),
        ...Object.fromEntries(refusalsOf(entry).map((status) => [status, { $ref: `#/components/responses/${REFUSALS[status]?.name}` }])),
      },
    };
    const at = paths[entry.path] ?? {};
    at[entry.method.toLowerCase()] = operation;
    paths[entry.path] = at;
  }
  return {
    openapi: "3.1.0",
    info,
    servers: [{ url: origin, description: "This server." }],
    tags: Object.entries(groups).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: webhooksOf(),
    components: {
      securitySchemes: {
        bearer: {
          type: "http",
          scheme: "bearer",
          description:
            "The token that a login returns. It is valid for 30 days. `security` lists the roles that may call: one of them is enough.",
        },
      },
      parameters: PARAMETERS,
      headers: HEADERS,
      responses: Object.fromEntries(
        Object.values(REFUSALS).map(({ name, description, schema = "Refusal", headers = [] }) => [
          name,
          { description, ...headersOf(...headers), ...jsonContent({ $ref: `#/components/schemas/${schema}` }) },
        ]),
      ),
      schemas: SCHEMAS,
    },
  };
}
