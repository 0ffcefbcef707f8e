import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { type ChatLine, failureWord, type Reader } from "#app/domains/guidance/assistant/chat-line.ts";
import { deleteChats } from "#app/domains/guidance/assistant/delete-chats.server.ts";
import { getChat, getDoctorChat } from "#app/domains/guidance/assistant/queries.server.ts";
import { MAX_MESSAGE } from "#app/domains/guidance/assistant/talk.ts";
import { storeVoice } from "#app/domains/platform/files/store-chat-file.server.ts";
import { MAX_CHAT_BYTES } from "#app/domains/platform/files/upload-limits.ts";
import { endpoint, Page } from "#app/http/api/endpoint.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";
import { askAndWait } from "../../assistant/ask-assistant.server.ts";
import { Done, done, Id, Instant } from "./wire.ts";

const group = "Assistant";
const notice =
  "Before the first call, the app must inform the user where questions go: to Google Gemini, without name, phone or files, when the server uses it and the user has not switched it off. The first question counts as consent. `answeredBy` names what answered; it is never a doctor.";

const Message = z
  .string({ error: () => m.api_chat_message() })
  .trim()
  .min(1, { error: () => m.api_chat_message() })
  .max(MAX_MESSAGE, { error: () => m.assistant_message_long({ max: String(MAX_MESSAGE) }) });
const Sources = z.array(z.string()).meta({ description: "The sources of the answer: each a URL, or the name of a page of Nadi." });
/** What an answer has beside its words. */
const AnswerDetails = {
  sources: Sources,
  emergency: z.boolean().meta({ description: "The message contains a danger sign: the answer names the emergency numbers." }),
  answeredBy: z.enum(["model", "helper"]).nullable(),
};
const Answer = z.object({
  success: z.literal(true),
  answer: z.string(),
  ...AnswerDetails,
  doctors: z.array(z.object({ doctorId: Id, fullName: z.string(), specialization: z.string() })),
  conversationId: Id,
});

const sourcesOf = ({ sources }: ChatLine) => sources.map(({ label, to }) => (to && /^https?:/.test(to) ? to : label));

/** Returns the text of a line, with the words that the pages have for danger and for answers that failed. Null: it is still on its way. */
function wordsOf(line: ChatLine, reader: Reader, voice: boolean): string | null {
  if (line.role === "user") return line.content || (line.voice ? m.assistant_voice_message() : (line.file?.name ?? ""));
  if (line.state === "waiting") return null;
  if (line.state === "emergency") return [m.assistant_emergency(), m.assistant_call_108(), m.assistant_call_112()].join("\n");
  return line.state === "unreachable" || line.state === "empty" ? failureWord(reader, line.state, voice) : line.content;
}

type Conversation = { conversation?: string; latest?: boolean };
const ConversationId = z.union([z.uuid(), z.literal("new")]).optional();
/** Returns where a question goes: into the named conversation, into a new one, or else into the one used last. */
const conversationOf = (id: z.output<typeof ConversationId>): Conversation =>
  id === undefined ? { latest: true } : id === "new" ? {} : { conversation: id };
const where = "Without `conversationId` the question continues the latest conversation. With `new` it starts a new one.";

/** Asks and gives the answer with its question. @throws DomainError("unavailable" no answer came | as `addQuestion`) */
async function ask(
  ctx: Ctx<Actor>,
  { reader, signal, ...question }: { reader: Reader; signal: AbortSignal; message?: string; voice?: string } & Conversation,
) {
  // A repeated call is known by its Idempotency-Key before it comes here.
  const key = randomUUID();
  const { answered, answerId, conversationId } = await askAndWait(ctx, { key, message: "", ...question }, signal);
  if (!answered) throw new DomainError("unavailable");
  const lines = reader === "doctor" ? await getDoctorChat(ctx) : (await getChat(ctx, conversationId)).lines;
  const at = lines.findIndex(({ id }) => id === answerId);
  const line = lines[at];
  const words = line && wordsOf(line, reader, question.voice !== undefined);
  // Deleted meanwhile, or still on its way.
  if (!line || words == null) throw new DomainError("unavailable");
  const doctors = line.doctors.map(({ id, name, specialization }) => ({ doctorId: id, fullName: name, specialization }));
  // The helper's words lead to the cards of the page; an app that shows the answer alone has them below it.
  const named = line.by === "helper" ? doctors.map(({ fullName, specialization }) => `- ${fullName}, ${specialization}`) : [];
  return {
    words: [words, ...named].join("\n"),
    details: { sources: sourcesOf(line), emergency: line.state === "emergency", answeredBy: line.by },
    doctors,
    heard: lines[at - 1]?.content || null,
    conversationId,
  };
}

const own = (sentence: () => string) => z.string({ error: sentence }).min(1, { error: sentence });
const refuseOther = (ctx: Ctx<Actor>, id: string, sentence: () => string) => {
  if (id.toLowerCase() !== ctx.actor.userId) throw new DomainError("forbidden", sentence());
};
const pleaseLogin = () => m.assistant_please_login();
const patientSentences = { noToken: pleaseLogin, badToken: pleaseLogin, wrongRole: pleaseLogin };

/** The API does not stream, and the model has 20 seconds (docs/decisions/021). */
const ANSWER_SECONDS = 30;

export const askAssistant = endpoint({
  method: "POST",
  path: "/api/chat",
  group,
  summary: "Asks the assistant as a patient. The call waits up to 30 seconds for the answer.",
  about: `${notice} ${where}`,
  who: ["patient"],
  body: z.object({ patientId: own(pleaseLogin), message: Message, conversationId: ConversationId }),
  deadline: ANSWER_SECONDS,
  answer: Answer,
  creates: true,
  sentences: { ...patientSentences, failed: () => m.assistant_unreachable() },
  async run({ ctx, body: { patientId, message, conversationId: conversation }, signal }) {
    refuseOther(ctx, patientId, pleaseLogin);
    const { words, details, doctors, conversationId } = await ask(ctx, {
      reader: "patient",
      signal,
      message,
      ...conversationOf(conversation),
    });
    return { success: true as const, answer: words, ...details, doctors, conversationId };
  },
});

const noSound = () => m.assistant_sound_only();
/** Distinguishes an upload from a text that a client sends under the file's name. */
const RECEIVED = `${randomUUID()} `;
export const askByVoice = endpoint({
  method: "POST",
  path: "/api/chat/voice",
  group,
  summary:
    "Asks the assistant with a recording (webm with Opus, mp4 with AAC, ogg, mp3, wav, aac, aiff or flac, at most 60 seconds and 10 MB).",
  about: `${notice} ${where}`,
  who: ["patient"],
  body: z.object({
    patientId: own(pleaseLogin),
    audio: z.string({ error: noSound }).startsWith(RECEIVED, { error: noSound }),
    conversationId: ConversationId,
  }),
  uploadMb: 12,
  deadline: ANSWER_SECONDS,
  files: {
    names: ["audio"],
    many: [],
    media: "audio/*",
    rules: () => ({
      field: "audio",
      maxFiles: 1,
      tooMany: () => m.assistant_one_file(),
      // A little more than is stored, so that a file that is just too large is refused beside its field.
      maxFileSize: MAX_CHAT_BYTES + 1024 * 1024,
      // Stored only when it is known whose it is: patientId may come after it.
      onFile: async ({ bytes }) => RECEIVED + Buffer.from(bytes).toString("base64"),
    }),
  },
  answer: Answer.extend({ heard: z.string().nullable() }),
  creates: true,
  sentences: { ...patientSentences, failed: () => m.assistant_voice_failed() },
  async run({ ctx, body: { patientId, audio, conversationId: conversation }, signal }) {
    refuseOther(ctx, patientId, pleaseLogin);
    const { id: voice } = await storeVoice(ctx, { bytes: Buffer.from(audio.slice(RECEIVED.length), "base64") });
    const asked = await ask(ctx, { reader: "patient", signal, voice, ...conversationOf(conversation) });
    const { words, details, doctors, heard, conversationId } = asked;
    return { success: true as const, answer: words, ...details, heard, doctors, conversationId };
  },
});

const noPatient = () => m.assistant_no_patient();
export const deleteAllChats = endpoint({
  method: "DELETE",
  path: "/api/chat/all/{patientId}",
  group,
  summary: "Deletes all chats of the patient with their recordings and files.",
  about: "They cannot be restored.",
  who: ["patient"],
  params: z.object({ patientId: z.uuid() }),
  answer: Done,
  sentences: { noToken: noPatient, badToken: noPatient, wrongRole: noPatient },
  async run({ ctx, params }) {
    refuseOther(ctx, params.patientId, noPatient);
    await deleteChats(ctx);
    return done(m.assistant_deleted());
  },
});

const doctorLogin = () => m.assistant_doctor_login();
const doctorSentences = { noToken: doctorLogin, badToken: doctorLogin, wrongRole: doctorLogin };
const DoctorParam = z.object({ doctorId: z.uuid() });

export const getDoctorMessages = endpoint({
  method: "GET",
  path: "/api/chat/doctor/{doctorId}",
  group,
  summary: "Lists the last 200 messages of the doctor's chat with the assistant, oldest first.",
  about: "The path has the id of the doctor, who must be the caller.",
  who: ["doctor"],
  verified: true,
  params: DoctorParam,
  answer: z.array(
    z.object({ _id: Id, id: Id, message: z.string(), role: z.enum(["doctor", "assistant"]), createdAt: Instant, sources: Sources }),
  ),
  list: { bound: 200, max: 200 },
  sentences: { ...doctorSentences, failed: () => m.assistant_doctor_history_failed() },
  async run({ ctx, params, paging }) {
    refuseOther(ctx, params.doctorId, doctorLogin);
    const messages = (await getDoctorChat(ctx)).flatMap((line) => {
      const message = wordsOf(line, "doctor", false);
      const { id, createdAt } = line;
      const role = line.role === "user" ? ("doctor" as const) : ("assistant" as const);
      return message === null ? [] : [{ _id: id, id, message, role, createdAt: createdAt.toISOString(), sources: sourcesOf(line) }];
    });
    const end = paging.offset + paging.limit;
    return new Page(messages.slice(paging.offset, end), messages.length > end);
  },
});

export const askAsDoctor = endpoint({
  method: "POST",
  path: "/api/chat/doctor",
  group,
  summary: "Asks the assistant as a doctor. The call waits up to 30 seconds for the answer.",
  about: notice,
  who: ["doctor"],
  verified: true,
  body: z.object({ message: Message, doctorId: own(doctorLogin) }),
  deadline: ANSWER_SECONDS,
  answer: z.object({ success: z.literal(true), message: z.string(), ...AnswerDetails }),
  creates: true,
  sentences: { ...doctorSentences, failed: () => m.assistant_doctor_send_failed() },
  async run({ ctx, body, signal }) {
    refuseOther(ctx, body.doctorId, doctorLogin);
    const { words, details } = await ask(ctx, { reader: "doctor", signal, message: body.message });
    return { success: true as const, message: words, ...details };
  },
});

export const clearDoctorMessages = endpoint({
  method: "DELETE",
  path: "/api/chat/doctor/{doctorId}",
  group,
  summary: "Deletes the doctor's chat with the assistant.",
  about: "It cannot be restored.",
  who: ["doctor"],
  verified: true,
  params: DoctorParam,
  answer: Done,
  sentences: { ...doctorSentences, failed: () => m.assistant_doctor_clear_failed() },
  async run({ ctx, params }) {
    refuseOther(ctx, params.doctorId, doctorLogin);
    await deleteChats(ctx);
    return done(m.assistant_doctor_cleared());
  },
});
