/** The `webhooks` section of the OpenAPI document: a schema for each type of message that a place's endpoints receive. */
import { MESSAGE_TYPES, TEST_KIND } from "#app/domains/places/webhooks/message.ts";
import type { JsonSchema } from "./openapi.server.ts";

const text = (description: string, more: JsonSchema = {}): JsonSchema => ({ type: "string", description, ...more });
const uuid = (description: string) => text(description, { format: "uuid" });
const object = (properties: Record<string, JsonSchema>, required: string[]): JsonSchema => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});

function dataOf(type: string): JsonSchema {
  const place = uuid("The place whose endpoint this is.");
  if (type === TEST_KIND) return object({ place }, ["place"]);
  const [subject] = type.split(".");
  const ofAppointment = subject === "appointment";
  return object(
    {
      id: uuid(`The id of what changed: a ${subject}.`),
      place,
      doctor: uuid("The doctor whose practice it is. Missing for members of staff."),
      reference: text("The reference of the appointment. Missing where there is none."),
      to: text("The new state."),
      ...(ofAppointment || subject === "waitlist"
        ? { date: text("The day of the appointment.", { format: "date" }), time: text("HH:MM, in India.") }
        : {}),
      ...(subject === "membership" ? { role: text("The role of the member.") } : {}),
    },
    ["id", "place", ...(subject === "membership" ? [] : ["doctor"])],
  );
}

const HEADERS: Record<string, string> = {
  "webhook-id": "The id of the message: the same for each attempt.",
  "webhook-timestamp": "Seconds since 1970, of this attempt.",
  "webhook-signature":
    "`v1,` and the HMAC-SHA256 of id, timestamp and body, joined by dots (standardwebhooks.com). Two while a secret is replaced.",
};

/** Returns the section, by type. */
export const webhooksOf = (): Record<string, { post: JsonSchema }> =>
  Object.fromEntries(
    [...MESSAGE_TYPES, TEST_KIND].map((type) => [
      type,
      {
        post: {
          operationId: `webhook.${type}`,
          summary: type === TEST_KIND ? "A test message, sent from the page of the endpoint." : `Sent after ${type.replace(".", ": ")}.`,
          parameters: Object.entries(HEADERS).map(([name, description]) => ({
            name,
            in: "header",
            required: true,
            description,
            schema: { type: "string" },
          })),
          requestBody: {
            required: true,
            content: {
              "application/json": {
                schema: object(
                  { type: { const: type }, timestamp: text("When it happened.", { format: "date-time" }), data: dataOf(type) },
                  ["type", "timestamp", "data"],
                ),
              },
            },
          },
          responses: {
            "2XX": {
              description: "The message is accepted. Any other answer, and none within eight seconds, is repeated over three days.",
            },
            410: { description: "Disables the endpoint." },
          },
        },
      },
    ]),
  );
