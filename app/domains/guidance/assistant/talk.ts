/** Apart from assistant.schema.ts, so that zod does not come to the browser. */
import { seconds } from "#app/lib/durations.ts";

/** Characters of one message. */
export const MAX_MESSAGE = 2000;
/** Spec 001 §9: a recording ends by itself. */
export const MAX_RECORDING = seconds(60);

/** What a script hears while its question is answered: one JSON object a line. After `end` the page is asked for anew. */
export type StreamEvent =
  | { type: "start"; conversation: string }
  | { type: "text"; text: string }
  | { type: "end"; emergency: boolean; answered: boolean };
