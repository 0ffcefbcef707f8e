/** Data of the chat pages, from queries.server.ts. */
import type { Answerer, AnswerState, Source } from "#app/db/schema/index.ts";
import { m } from "#app/paraglide/messages.js";

/** A chat in the side bar. */
export type ChatLink = { id: string; title: string; at: string };
export type ChatFile = { id: string; name: string; image: boolean };
/** A doctor to book, with current data. */
export type ChatDoctor = {
  id: string;
  name: string;
  specialization: string;
  /** Paise; null: not mentioned. */
  fee: number | null;
  area: string;
  city: string;
  photo: string | null;
  nextFree: { date: string; time: string } | null;
};
export type ChatLine = {
  id: string;
  role: "user" | "assistant";
  /** The transcript of a voice message. */
  content: string;
  voice: boolean;
  file: ChatFile | null;
  /** Of answers only. */
  state: AnswerState | null;
  by: Answerer | null;
  sources: Source[];
  doctors: ChatDoctor[];
  createdAt: Date;
};

/** Selects the error texts: spec 001 §8 for patients, spec 000 §8 for doctors. */
export type Reader = "patient" | "doctor";

export function failureWord(reader: Reader, state: "unreachable" | "empty", voice: boolean): string {
  if (state === "empty") return voice ? m.assistant_voice_empty() : m.assistant_empty();
  if (reader === "doctor") return m.assistant_doctor_unreachable();
  return voice ? m.assistant_voice_failed() : m.assistant_unreachable();
}
