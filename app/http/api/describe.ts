import type { JsonSchema, OpenApi, Operation } from "./openapi.server.ts";

export type Field = { name: string; form: string; required: boolean };
export type CallSheet = {
  id: string;
  method: string;
  path: string;
  summary: string;
  about: string;
  /** Null: everyone. */
  who: string[] | null;
  sends: Field[];
  status: string;
  answers: Field[];
};
export type Sheets = { group: string; calls: CallSheet[] }[];

/** Describes the type of a value: "list of text", "one of a, b", "number from 1". */
function formOf(schema: JsonSchema): string {
  const any = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined;
  if (any) return [...new Set(any.map(formOf))].join(" or ");
  if (schema.const !== undefined) return String(schema.const);
  if (Array.isArray(schema.enum)) return `one of ${schema.enum.join(", ")}`;
  if (schema.contentMediaType === "image/*") return "picture";
  if (schema.contentMediaType === "application/octet-stream") return "file";
  if (schema.contentMediaType === "audio/*") return "recording";
  if (schema.contentSchema) return `JSON text: ${formOf(schema.contentSchema as JsonSchema)}`;
  if (schema.type === "array") return `list of ${formOf((schema.items ?? {}) as JsonSchema)}`;
  if (schema.type === "object") return "object";
  if (schema.type === "null") return "null";
  if (schema.type === "boolean") return "true or false";
  if (schema.type === "number" || schema.type === "integer") return "number";
  if (schema.format === "uuid") return "id";
  if (schema.format === "date") return "date";
  if (schema.format === "date-time") return "instant";
  return "text";
}

const MOST_DEPTH = 3;
/** Returns the fields of an object, nested ones as "object.field" and "list[].field". */
function fieldsOf(schema: JsonSchema, before = "", depth = 0): Field[] {
  const inner = innerOf(schema);
  if (!inner) return before ? [] : [{ name: "", form: formOf(schema), required: true }];
  const prefix = schema.type === "array" ? `${before}[].` : before ? `${before}.` : "";
  const required = new Set((inner.required as string[] | undefined) ?? []);
  return Object.entries((inner.properties ?? {}) as Record<string, JsonSchema>).flatMap(([name, property]) => {
    const description = typeof property.description === "string" ? `. ${property.description}` : "";
    const own = { name: prefix + name, form: formOf(property) + description, required: required.has(name) };
    return depth < MOST_DEPTH && innerOf(property) ? [own, ...fieldsOf(property, prefix + name, depth + 1)] : [own];
  });
}
/** Returns the object schema of a value, a list item or an alternative. */
function innerOf(schema: JsonSchema): JsonSchema | null {
  if (schema.contentSchema) return innerOf(schema.contentSchema as JsonSchema);
  if (schema.type === "array") return innerOf((schema.items ?? {}) as JsonSchema);
  const any = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined;
  if (any) return any.map(innerOf).find((found) => found !== null) ?? null;
  return schema.properties ? schema : null;
}

function sheetOf(document: OpenApi, path: string, method: string, operation: Operation): CallSheet {
  const named = document.components.parameters as Record<string, JsonSchema>;
  const parameters = (operation.parameters ?? []).map((p) => named[String(p.$ref).split("/").at(-1) ?? ""] ?? p);
  const sends = parameters.map((p) => ({
    name: p.in === "path" ? `{${p.name}}` : p.in === "header" ? `${p.name}:` : `?${p.name}`,
    form: formOf(p.schema as JsonSchema),
    required: p.required === true,
  }));
  const bodies = Object.values((operation.requestBody?.content ?? {}) as Record<string, { schema: JsonSchema }>);
  const [status = "200", good] = Object.entries(operation.responses)[0] ?? [];
  const answer = Object.values((good?.content ?? {}) as Record<string, { schema: JsonSchema }>)[0]?.schema;
  const roles = operation.security.flatMap(({ bearer = [] }) => bearer);
  return {
    id: operation.operationId,
    method: method.toUpperCase(),
    path,
    summary: operation.summary,
    about: operation.description.replaceAll("`", ""),
    who: roles.length ? roles : null,
    sends: [...sends, ...bodies.flatMap(({ schema }) => fieldsOf(schema))],
    status,
    answers: answer ? fieldsOf(answer) : [],
  };
}

/** Returns all calls in their groups, in the order of the document. */
export function sheetsOf(document: OpenApi): Sheets {
  const groups = new Map<string, CallSheet[]>();
  for (const [path, operations] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(operations)) {
      const group = operation.tags[0] ?? "";
      groups.set(group, [...(groups.get(group) ?? []), sheetOf(document, path, method, operation)]);
    }
  return [...groups].map(([group, calls]) => ({ group, calls }));
}
