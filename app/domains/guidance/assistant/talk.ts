/** Separate from assistant.schema.ts, so that the browser does not load zod. */
import { seconds } from "#app/lib/durations.ts";

/** Most characters of a message. */
export const MAX_MESSAGE = 2000;
/** Spec 001 §9: a recording stops automatically. */
export const MAX_RECORDING = seconds(60);

/** An event of a streamed answer: one JSON object a line. After `end` the page reloads its data. */
export type StreamEvent =
  | { type: "start"; conversation: string }
  | { type: "text"; text: string }
  | { type: "end"; emergency: boolean; answered: boolean };
