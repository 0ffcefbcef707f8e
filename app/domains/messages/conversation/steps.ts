import { hours } from "#app/lib/durations.ts";
import { leadsFrom } from "#app/lib/state-table.ts";
import { CONVERSATION_ACTIONS, type ConversationAction } from "./conversation.state.ts";
import type { Ask, Command, DoctorRef, Option, Question, Room, Say, State } from "./conversation.ts";
import { namesIllness } from "./names-illness.ts";

/** What a message leads to. `command`: its outcome is the next input. */
export type Reduced = { state: State; replies: Say[]; command: Command | null };

/** An unanswered question ends after this long. */
const QUESTION_LIFE = hours(24);
/** How many earlier questions a late message may answer. */
const REMEMBERED = 4;

/** Returns the question that waits for an answer now. */
export const openQuestion = (state: State, at: number): Question | null => {
  const newest = state.questions[0];
  return newest && !newest.answered && at < newest.until ? newest : null;
};

/** Asks a question: its reply carries its number. @throws Error for a step that the state table does not allow */
export function ask(state: State, action: ConversationAction, question: Ask, say: Say, at: number, until = at + QUESTION_LIFE): Reduced {
  const rule = CONVERSATION_ACTIONS[action];
  // The step of the question that was just answered counts, so that a choice leads on from its list.
  const from = state.questions[0]?.step ?? "idle";
  if (!leadsFrom(rule, from) || rule.to !== question.step) throw new Error(`${action} from ${from}`);
  const n = state.asked + 1;
  const questions = [{ ...question, n, since: at, until } as Question, ...state.questions].slice(0, REMEMBERED);
  return { state: { ...state, questions, asked: n }, replies: [{ ...say, n }], command: null };
}
/** Ends the newest question. */
export const answered = (state: State): State => ({
  ...state,
  questions: state.questions.map((question, i) => (i === 0 ? { ...question, answered: true } : question)),
});
export const say = (state: State, ...replies: Say[]): Reduced => ({ state, replies, command: null });
export const run = (state: State, command: Command): Reduced => ({ state, replies: [], command });

/**
 * Asks what the user wants with an appointment: as a reminder, or after WHEN. After the last minute for cancelling it can be moved no more either:
 * neither is offered, and who sends 2 or 3 all the same is told to call the clinic.
 */
export function askReminder(state: State, question: Ask<"reminder">, as: "reminder" | "next", at: number): Reduced {
  const { doctor, at: booked, cancelUntil } = question.appointment;
  const options: Option[] = [
    { word: "come" },
    ...(cancelUntil ? [{ word: "cancel", until: cancelUntil } as const, { word: "move" } as const] : []),
  ];
  return ask(state, "remind", question, { say: as, doctor, at: booked, options }, at);
}

/** Shows the next free times of a doctor. */
export const startAt = (state: State, doctor: DoctorRef, room: Room): Reduced =>
  run(withDoctor(state, doctor), { do: "find-times", doctor, day: null, most: room.times, move: null });

/** Returns the first name that was typed, without initials: a message names no more of a patient, and no illness. */
export const firstName = (name: string): string =>
  name.split(" ").find((word) => word.replace(".", "").length > 1 && !namesIllness(word)) ?? (namesIllness(name) ? "-" : name);

/** Notes the last doctor of a conversation, and the clinic. */
export const withDoctor = (state: State, { doctorId, hospitalId }: DoctorRef): State => ({ ...state, doctorId, hospitalId });

/**
 * Returns a conversation with a question that was asked in another one of the same user, and whom it was about unless a clinic is asked already.
 * `n`: its number there.
 */
export function carryQuestion(from: State, n: number | undefined, to: State): State {
  const { doctorId, hospitalId } = to.hospitalId === null && to.answerer === "nadi" ? from : to;
  const about = { ...to, language: to.language ?? from.language, doctorId, hospitalId };
  const question = from.questions.find((one) => one.n === n);
  const open = to.questions[0];
  // An open choice is answered first: its numbers mean something else.
  if (!question || (open && !open.answered && open.step !== "booked" && open.step !== "reminder")) return about;
  const asked = to.asked + 1;
  return { ...about, asked, questions: [{ ...question, n: asked }, ...to.questions].slice(0, REMEMBERED) };
}
