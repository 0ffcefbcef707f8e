import { findRedFlag } from "#app/domains/guidance/triage/red-flags.ts";
import { seconds } from "#app/lib/durations.ts";
import { BASE_LANGUAGE, LANGUAGES } from "#app/lib/language.ts";
import type { Step } from "./conversation.state.ts";
import type { Ask, At, Incoming, Option, Question, Room, State } from "./conversation.ts";
import { hasWords, mayBeName, readLanguage, readNumber, readPerson, readWord, scriptOf, type Word, wordsIn } from "./incoming-words.ts";
import { isIllnessForName } from "./names-illness.ts";
import { afterCommand } from "./outcomes.ts";
import { answered, ask, askReminder, firstName, openQuestion, type Reduced, run, say, startAt, withDoctor } from "./steps.ts";

/** The clock of a provider has whole seconds. */
const SLACK = seconds(1);

/** Returns what a conversation does with a message, the outcome of a command, or a message of the product. Pure. */
export function reduce(state: State, incoming: Incoming, room: Room): Reduced {
  switch (incoming.kind) {
    case "result":
      return afterCommand(state, incoming, room);
    case "push":
      return pushed(state, incoming.ask, incoming.at);
    case "call":
      return called(state, incoming.key, incoming.at, room);
    case "text":
      return received(state, incoming, room);
  }
}

/** The keys of an IVR menu. */
const KEYS: Record<string, Word> = { 1: "greet", 2: "when", 3: "token", 4: "address", 9: "stop" };
function called(state: State, key: string | undefined, at: number, room: Room): Reduced {
  const word = key === undefined ? undefined : KEYS[key];
  return word ? BY_WORD[word](state, "", at, room) : say(state, { say: "menu" });
}

/** Sends a reminder or an offer. The offer's question stays after its end, so that a late answer is told so. */
function pushed(state: State, question: Ask<"reminder"> | Ask<"offer">, at: number): Reduced {
  if (state.stopped) return say(state);
  const seen = withDoctor(state, (question.step === "reminder" ? question.appointment : question.offer).doctor);
  if (question.step === "reminder") return askReminder(seen, question, "reminder", at);
  const { offer } = question;
  const options: Option[] = [{ word: "take" }, offer.instead ? { word: "keep", at: offer.instead } : { word: "pass" }];
  return ask(seen, "offer", question, { say: "offer", doctor: offer.doctor, at: offer.at, other: offer.until, options }, at);
}
type Text = Extract<Incoming, { kind: "text" }>;

function received(before: State, message: Text, room: Room): Reduced {
  const { text, at, keyword, isDanger = findRedFlag(text) !== null } = message;
  // Before every other rule.
  if (isDanger) return run({ ...before, language: before.language ?? scriptOf(text) }, { do: "find-danger" });
  const named = readLanguage(text);
  const script = scriptOf(text);
  const state = named ? { ...before, language: named } : script && before.language === null ? { ...before, language: script } : before;
  const found = readWord(text);
  if (found && (found.word === "stop" || found.word === "start")) return BY_WORD[found.word](state, "", at, room);
  const question = questionOf(state, message);
  // A member of the clinic answers everything else, except what a reminder or an offer asked.
  const isPushed = (question?.step === "reminder" || question?.step === "offer") && choiceOf(message) !== null;
  if (state.answerer === "clinic" && !isPushed) return say(state);
  if (question && (named === null || question.step === "language")) {
    const reply = answer(state, question, message, room);
    if (reply) return reply;
  }
  if (keyword && (!found || found.word === "greet")) return startAt(state, keyword, room);
  if (found) return BY_WORD[found.word](state, found.rest, at, room);
  if (named) return greet(state, "", at, room);
  // A clinic cannot answer a picture or a voice message that it does not get.
  if (readNumber(text) !== null || message.pressed !== undefined || !hasWords(text))
    return say(state, { say: openQuestion(state, at) ? "choose" : "menu" });
  return run(state, { do: "pass-on" });
}

/** What each word does. */
const BY_WORD: Record<Word, (state: State, rest: string, at: number, room: Room) => Reduced> = {
  greet,
  stop: (state) => run({ ...state, stopped: true }, { do: "stop" }),
  start: (state) => run({ ...state, stopped: false }, { do: "start" }),
  token: (state) => run(state, { do: "find-token" }),
  when: (state) => run(state, { do: "find-next" }),
  address: (state) => run(state, { do: "find-address" }),
  menu: (state) => say(state, { say: "menu" }),
};

/** Asks for the language once, then for a doctor or an illness. `rest`: what the greeting named already. */
function greet(state: State, rest: string, at: number, room: Room): Reduced {
  if (state.language === null) {
    const options: Option[] = [{ language: "en" }, { language: "te" }, { language: "hi" }];
    return ask(state, "ask-language", { step: "language", search: rest }, { say: "language", options }, at);
  }
  if (rest) return run(state, { do: "find-doctors", text: rest, most: room.doctors });
  return ask(state, "ask-doctor", { step: "doctor" }, { say: "ask-doctor" }, at);
}

/**
 * Returns the question that a message answers: the one whose button was pressed, or the newest that was asked before it was sent. A message
 * that came late belongs to an earlier question.
 */
function questionOf(state: State, { at, pressed }: Text): Question | null {
  const wanted = pressed === undefined ? undefined : Number(pressed.split(":")[0]);
  const own = state.questions.find((question) => (wanted === undefined ? question.since <= at + SLACK : question.n === wanted));
  return own && at < own.until ? own : null;
}

/** Returns the chosen number of a message: of its button, or typed. */
const choiceOf = ({ text, pressed }: Text): number | null => (pressed === undefined ? readNumber(text) : Number(pressed.split(":")[1]));

/** Questions that are answered by a text. */
const FREE: readonly Step[] = ["language", "doctor", "name", "details"];

/** Returns what an answer leads to; null when the message does not answer the question. */
function answer(state: State, question: Question, message: Text, room: Room): Reduced | null {
  const isNewest = question.n === state.questions[0]?.n;
  const choice = choiceOf(message);
  // A question is for the clinic: neither a name nor an illness.
  if (choice === null && message.text.includes("?")) return null;
  const free = FREE.includes(question.step);
  if (question.answered || !isNewest) {
    // An earlier question that is answered already is not answered twice. The newest one stays open.
    if (choice === null && (question.answered || !free)) return null;
    if (question.answered) return say(state);
    // It becomes the newest again.
    return answer({ ...state, questions: [question, ...state.questions.filter(({ n }) => n !== question.n)] }, question, message, room);
  }
  if (choice === null && free && readWord(message.text)) return null;
  return (ANSWERS[question.step] as Answer<Step>)(state, question as never, { choice, message, room });
}

type Input = { choice: number | null; message: Text; room: Room };
type Answer<S extends Step> = (state: State, question: Ask<S> & Question, input: Input) => Reduced | null;
/** What the answers to each question lead to. null: the message is none. */
const ANSWERS: { [S in Exclude<Step, "idle">]: Answer<S> } = {
  language(state, { search }, { choice, message, room }) {
    if (message.keyword) return null;
    // Another text is what the user looks for.
    if (choice === null && !readLanguage(message.text)) {
      const language = state.language ?? BASE_LANGUAGE;
      return run(answered({ ...state, language }), { do: "find-doctors", text: message.text, most: room.doctors });
    }
    const language = choice === null ? readLanguage(message.text) : LANGUAGES[choice - 1];
    if (!language) return say(state, { say: "choose" });
    return greet(answered({ ...state, language }), search, message.at, room);
  },
  doctor(state, _, { choice, message, room }) {
    if (choice !== null) return say(state, { say: "ask-doctor" });
    if (message.keyword) return startAt(answered(state), message.keyword, room);
    return run(state, { do: "find-doctors", text: message.text, most: room.doctors });
  },
  doctors(state, { options }, { choice, room }) {
    const doctor = choice === null ? undefined : options[choice - 1];
    return doctor ? startAt(answered(state), doctor, room) : null;
  },
  times(state, { doctor, options, move }, { choice, message, room }) {
    if (choice === 0) return run(answered(state), { do: "find-days", doctor, after: lastDay(options), most: room.times, move });
    const at = choice === null ? undefined : options[choice - 1];
    if (!at) return null;
    if (move) return run(answered(state), { do: "move", appointment: move, to: at });
    return ask(answered(state), "ask-name", { step: "name", doctor, at }, { say: "ask-name", doctor, at }, message.at);
  },
  days(state, { doctor, options, move }, { choice, room }) {
    if (choice === 0) return run(answered(state), { do: "find-days", doctor, after: options.at(-1)!, most: room.times, move });
    const day = choice === null ? undefined : options[choice - 1];
    return day ? run(answered(state), { do: "find-times", doctor, day, most: room.times, move }) : null;
  },
  name(state, question, { message }) {
    if (isKeyword(message) || !mayBeName(message.text)) return null;
    const person = readPerson(message.text);
    // An illness is neither stored as a name nor repeated.
    const isName = person.name && !isIllnessForName(person.name);
    return isName ? book(state, question, person) : say(state, { say: "ask-name", doctor: question.doctor, at: question.at });
  },
  details(state, question, { message }) {
    if (isKeyword(message)) return null;
    const { age, gender } = readPerson(message.text);
    const { name, doctor, at } = question;
    return age && gender
      ? book(state, question, { name, age, gender })
      : say(state, { say: "ask-details", name: firstName(name), doctor, at });
  },
  booked(state, { appointment }, { choice }) {
    if (choice === 1) return run(state, { do: "find-address", hospitalId: appointment.doctor.hospitalId });
    return choice === 2 ? run(answered(state), { do: "cancel", appointment }) : null;
  },
  reminder(state, { appointment }, { choice, room }) {
    const { doctor } = appointment;
    if (choice === 1) return run(state, { do: "confirm", appointment });
    if (choice === 2) return run(answered(state), { do: "cancel", appointment });
    return choice === 3 ? run(answered(state), { do: "find-times", doctor, day: null, most: room.times, move: appointment }) : null;
  },
  offer(state, { offer }, { choice }) {
    if (choice !== 1 && choice !== 2) return null;
    return run(answered(state), { do: choice === 1 ? "take-offer" : "pass-offer", offer });
  },
};

/**
 * True for a doctor's keyword alone, letter by letter: it begins again. With more words it may be a patient's name, and so may one word of another
 * script that only sounds like it.
 */
const isKeyword = ({ text, keyword }: Text): boolean =>
  keyword?.keyword != null && wordsIn(text).join(" ") === keyword.keyword.toLowerCase();
const lastDay = (options: At[]) => options.at(-1)!.date;

/** `key`: one booking for each question, however often its answer arrives. */
function book(state: State, { n, doctor, at }: Question & (Ask<"name"> | Ask<"details">), person: ReturnType<typeof readPerson>): Reduced {
  // The newest: an earlier one of the same time was booked already.
  const asked = state.questions.find(
    (question) => question.step === "name" && question.at.date === at.date && question.at.time === at.time,
  );
  return run(state, { do: "book", doctor, at, ...person, key: String(asked?.n ?? n) });
}
