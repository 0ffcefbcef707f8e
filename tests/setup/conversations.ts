/**
 * Scripted conversations, and a small product that answers their commands. A line of a script is what a user writes: words in capitals are
 * written in the language of the conversation. "@missed", "@key 1": a call. "@remind", "@offer": the product writes. "@late 2": "2", sent
 * before the newest question. "@press 2": the second button. "@clinic": a member answers from now on.
 */
import type {
  AppointmentRef,
  Ask,
  Command,
  DoctorRef,
  Incoming,
  OfferRef,
  Outcome,
  Room,
  Say,
  State,
} from "#app/domains/messages/conversation/conversation.ts";
import { NEW } from "#app/domains/messages/conversation/conversation.ts";
import { reduce } from "#app/domains/messages/conversation/reduce.ts";
import { minutes } from "#app/lib/durations.ts";
import type { Language } from "#app/lib/language.ts";

export const SCRIPTS: Record<string, string> = {
  "books with a keyword in six messages": "RAO | 2 | NAME 34 F",
  "greets with the keyword": "HI RAO | 1 | NAME 34 F",
  "writes the keyword in its own script": "RAO-OWN | 1 | NAME 34 F",
  "chooses a language once": "HI | 1 | DENTIST | 1 | 1 | NAME 34 F",
  "does not ask for the language again": "HI | 1 | DENTIST | HI | DENTIST | 2",
  "names the language": "TELUGU | DENTIST | 1",
  "changes the language later": "RAO | HINDI | RAO",
  "searches with the greeting": "HI DENTIST | 1 | 1 | 3 | NAME 40 M",
  "finds one doctor only": "HI | 1 | SKIN | 1 | NAME 8 F",
  "finds no doctor": "HI | 1 | NOBODY | DENTIST | 1 | 1 | NAME 34 F",
  "answers with its own digits": "RAO | OWN-2 | NAME 34 F",
  "answers with a dot": "RAO | 2. | NAME 34 F",
  "asks for other days": "RAO | 0 | 2 | 1 | NAME 34 F",
  "asks for other days twice": "RAO | 0 | 0 | 1 | 3 | NAME 34 F",
  "gives the age later": "RAO | 1 | NAME | 34 F",
  "gives the age in two messages": "RAO | 1 | NAME | 34 | 34 F",
  "writes the keyword again instead of the name": "RAO | 1 | RAO | 2 | NAME | RAO | 1 | NAME 34 F",
  "has a name that begins with the keyword": "RAO | 1 | RAO NAME 34 F",
  "has a name that sounds like the keyword": "RAO | 1 | RAO-LIKE | 34 M",
  "writes the keyword instead of the age": "RAO | 1 | NAME | RAO | 1 | RAO-LIKE 34 M",
  "is known by name": "RAO | 1 | KNOWN",
  "has an initial": "RAO | 1 | M NAME 34 F",
  "meets a time that was taken": "RAO | 3 | NAME 34 F | 1 | NAME 34 F",
  "meets a doctor without free times": "FULL",
  "meets a doctor who takes payment online only": "PREPAID",
  "meets a doctor without a fee": "NOFEE | 1 | NAME 34 F",
  "books too often": "RAO | 2 | LIMIT 34 F",
  "cancels what was just booked": "RAO | 2 | NAME 34 F | 2",
  "asks for the address after booking": "RAO | 2 | NAME 34 F | 1",
  "sends the choice twice": "RAO | 2 | 2 | NAME 34 F",
  "sends the name twice": "RAO | 2 | NAME 34 F | NAME 34 F",
  "sends a late choice": "RAO | 2 | @late 1 | NAME 34 F",
  "presses a button twice": "RAO | @press 1 | @press 1 | NAME 34 F",
  "presses a button of an earlier list": "RAO | DENTIST-GREET | @old 1 | NAME 34 F",
  "chooses a number that is not there": "RAO | 7 | 1 | NAME 34 F",
  "writes another word instead": "RAO | WHEN | 1",
  "starts with another doctor instead": "RAO | 1 | HI | SKIN",
  comes: "@remind | 1",
  "cancels after a reminder": "@remind | 2",
  "cancels twice": "@remind | 2 | 2",
  "comes, then cancels": "@remind | 1 | 2",
  "cancels too late": "@remind late | 2",
  "moves after a reminder": "@remind | 3 | 1",
  "moves to another day": "@remind | 3 | 0 | 1 | 2",
  "moves too late": "@remind late | 3",
  "moves to a time that was taken": "@remind | 3 | 3 | 1",
  "books the same time again after cancelling": "RAO | 2 | NAME 34 F | 2 | RAO | 2 | NAME 34 F",
  "books again after cancelling": "@remind | 2 | RAO | 2 | NAME 34 F",
  "gets a reminder while choosing": "RAO | @remind | 2",
  "answers the list before the reminder": "RAO | @remind | @late 2 | NAME 34 F",
  "takes an offer": "@offer | 1",
  "moves to an offer": "@offer instead | 1",
  "passes an offer": "@offer | 2",
  "keeps the own time": "@offer instead | 2",
  "answers an offer that is over": "@offer over | 1",
  "presses keys in a call": "@key 1 | 1 | DENTIST | 1 | 1 | NAME 34 F",
  "presses the other keys in calls": "@key 2 | @key 3 | @key 4 | @key 7 | @key 9",
  "asks for the token": "TOKEN",
  "asks for a token and has none": "@none | TOKEN",
  "asks when": "WHEN",
  "cancels by word": "CANCEL | 2",
  "asks for the address": "ADDRESS",
  "stops and starts": "STOP | RAO | START",
  "books and moves after stopping": "STOP | RAO | 2 | NAME 34 F | WHEN | 3 | 1",
  "describes an emergency": "DANGER | RAO",
  "describes an emergency in a booking": "RAO | 1 | DANGER | NAME 34 F",
  "asks the clinic": "RAO | QUESTION | QUESTION | 1",
  "asks the clinic instead of giving the name": "RAO | 1 | QUESTION | NAME 34 F",
  "is answered by the clinic": "RAO | QUESTION | @clinic | QUESTION | RAO | DANGER | STOP",
  "writes without a clinic": "QUESTION | MENU | 5",
};

const WORDS: Record<Language, Record<string, string>> = {
  en: {
    HI: "HI",
    "RAO-OWN": "rao",
    "RAO-LIKE": "Raoul",
    DENTIST: "dentist",
    SKIN: "skin",
    NAME: "Lakshmi Devi",
    "OWN-2": "2",
    QUESTION: "Can I bring my mother too",
    DANGER: "He has severe chest pain",
    "DENTIST-GREET": "hello dentist",
  },
  te: {
    HI: "నమస్తే",
    "RAO-OWN": "రావు",
    "RAO-LIKE": "రావు",
    DENTIST: "దంతాలు",
    SKIN: "చర్మం",
    NAME: "లక్ష్మీ దేవి",
    "OWN-2": "౨",
    TOKEN: "టోకెన్",
    WHEN: "ఎప్పుడు",
    CANCEL: "రద్దు",
    ADDRESS: "అడ్రస్",
    STOP: "ఆపండి",
    MENU: "సహాయం",
    QUESTION: "డాక్టర్ గారు ఈరోజు ఉన్నారా",
    DANGER: "ఛాతీలో నొప్పి వస్తోంది",
    "DENTIST-GREET": "నమస్తే దంతాలు",
  },
  hi: {
    HI: "नमस्ते",
    "RAO-OWN": "राव",
    "RAO-LIKE": "राव",
    DENTIST: "दाँत",
    SKIN: "त्वचा",
    NAME: "लक्ष्मी देवी",
    "OWN-2": "२",
    TOKEN: "टोकन",
    WHEN: "कब",
    CANCEL: "रद्द",
    ADDRESS: "पता",
    STOP: "बंद",
    MENU: "मदद",
    QUESTION: "क्या माँ को भी ला सकते हैं",
    DANGER: "सीने में तेज दर्द हो रहा है",
    "DENTIST-GREET": "नमस्ते दाँत",
  },
};
const wordIn = (language: Language, word: string) => WORDS[language][word] ?? WORDS.en[word] ?? word;

const doctor = (id: string, name: string, place: string, keyword: string | null, fee: number | null): DoctorRef => ({
  doctorId: `doctor-${id}`,
  practiceId: `practice-${id}`,
  hospitalId: `hospital-${id}`,
  ...{ name, place, keyword, fee },
});
export const RAO = doctor("rao", "Dr. Venkat Rao", "Labbipet Neuro Clinic", "RAO", 70_000);
const DENTISTS = [
  doctor("teeth", "Dr. Padma Kumari", "Smile Dental", null, 30_000),
  doctor("gums", "Dr. Ravi Teja Chowdary", "Benz Circle Dental Care", null, 40_000),
];
const SKIN = doctor("skin", "Dr. Asha Reddy", "Skin Clinic", "ASHA", 50_000);
const KEYWORDS: Record<string, DoctorRef> = {
  rao: RAO,
  రావు: RAO,
  राव: RAO,
  full: doctor("full", "Dr. Full", "Busy Clinic", "FULL", 10_000),
  prepaid: doctor("prepaid", "Dr. Anjali Vemuri", "Krishna Heart Centre", "PREPAID", 50_000),
  nofee: doctor("nofee", "Dr. Free", "Trust Hospital", "NOFEE", null),
};
const FOUND: Record<string, DoctorRef[]> = { dentist: DENTISTS, దంతాలు: DENTISTS, दाँत: DENTISTS, skin: [SKIN], చర్మం: [SKIN], त्वचा: [SKIN] };

const DAYS = ["2026-11-28", "2026-11-30", "2026-12-01", "2026-12-02", "2026-12-03", "2026-12-04"];
const TIMES = ["10:00", "11:30", "17:30"];
export const BOOKED: AppointmentRef = {
  id: "visit",
  doctor: RAO,
  at: { date: "2026-11-28", time: "11:30" },
  cancelUntil: { date: "2026-11-27", time: "11:30" },
};
const LATE: AppointmentRef = { ...BOOKED, cancelUntil: null };
export const OFFER: OfferRef = {
  id: "offer",
  doctor: RAO,
  at: { date: "2026-11-28", time: "11:30" },
  until: { date: "2026-11-27", time: "09:34" },
  instead: null,
};

/** Answers a command as the product would. */
export function outcomeOf(of: Command, taken: Set<string>, hospitalId: string | null): Outcome {
  switch (of.do) {
    case "find-danger":
      return { is: "danger", hospital: { name: "Aayush Hospitals", phone: "0866 247 4301" } };
    case "find-doctors":
      return { is: "doctors", doctors: FOUND[of.text.toLowerCase()] ?? [] };
    case "find-times": {
      if (of.move && !of.move.cancelUntil) return { is: "too-late", phone: "0866 400 0191" };
      if (of.doctor.keyword === "PREPAID") return { is: "prepaid" };
      const day = of.day ?? DAYS[of.move ? 2 : 0]!;
      return {
        is: "times",
        times:
          of.doctor.keyword === "FULL"
            ? []
            : TIMES.slice(0, of.most)
                .filter((time) => !taken.has(time))
                .map((time) => ({ date: day, time })),
      };
    }
    case "find-days":
      return { is: "days", days: DAYS.filter((day) => day > of.after).slice(0, of.most) };
    case "book":
      if (of.name === "LIMIT") return { is: "limit" };
      if (of.age === null && of.name !== "KNOWN") return { is: "unknown-patient" };
      if (of.at.time === "17:30" && of.at.date === DAYS[0]) {
        taken.add("17:30");
        return { is: "taken" };
      }
      return { is: "appointment", appointment: { ...BOOKED, doctor: of.doctor, at: of.at } };
    case "cancel":
      return of.appointment.cancelUntil ? { is: "done" } : { is: "too-late", phone: "0866 400 0191" };
    case "move":
      if (of.to.time === "17:30" && of.to.date === DAYS[2]) {
        taken.add("17:30");
        return { is: "taken" };
      }
      return { is: "appointment", appointment: { ...of.appointment, at: of.to } };
    case "take-offer":
    case "pass-offer":
      return of.offer.id === "over" ? { is: "over" } : { is: "done" };
    case "confirm":
      return { is: "appointment", appointment: of.appointment };
    case "find-next":
      return { is: "appointment", appointment: BOOKED };
    case "find-token":
      if (taken.has("token")) return { is: "token", token: null };
      return { is: "token", token: { number: 14, seeing: 9, expected: "18:30", doctor: "Dr. Anjali Vemuri" } };
    case "find-address":
      return { is: "address", place: { name: "Labbipet Neuro Clinic", slug: "labbipet-neuro-clinic" } };
    case "stop":
    case "start":
      return { is: "done" };
    case "pass-on":
      return { is: "place", doctor: null, reachable: hospitalId !== null, phone: null };
  }
}

/** One line of a script, with what the user wrote and what was said. */
export type Turn = { wrote: string | null; said: Say[]; language: Language | null };
export type Told = { turns: Turn[]; state: State; commands: Command[] };

/** Plays a script. Minutes pass between its lines. */
export function play(script: string, { language, room, call = false }: { language: Language; room: Room; call?: boolean }): Told {
  let state: State = language === "en" ? NEW : { ...NEW, language: script.includes("HI |") ? null : language };
  let at = Date.parse("2026-11-26T03:42:00Z");
  const turns: Turn[] = [];
  const commands: Command[] = [];
  const taken = new Set<string>();
  const take = (incoming: Incoming): Say[] => {
    const { state: next, replies, command } = reduce(state, incoming, room);
    state = next;
    if (!command) return replies;
    commands.push(command);
    return [...replies, ...take({ kind: "result", at, of: command, outcome: outcomeOf(command, taken, state.hospitalId) })];
  };
  const note = (wrote: string | null, said: Say[]): void => void turns.push({ wrote, said, language: state.language });
  for (const line of [...(call ? ["@missed"] : []), ...script.split(" | ")]) {
    at += minutes(1);
    const [word = "", value = ""] = line.split(" ");
    const question = state.questions[0];
    const text = (typed: string, more: { at?: number; pressed?: string } = {}): void => {
      const keyword =
        typed
          .toLowerCase()
          .split(" ")
          .map((one) => KEYWORDS[one])
          .find(Boolean) ?? null;
      note(typed, take({ kind: "text", text: typed, at, keyword, ...more }));
    };
    const push = (ask: Ask<"reminder"> | Ask<"offer">): void => void note(null, take({ kind: "push", at, ask }));
    if (word === "@missed" || word === "@key") note(`(${line.slice(1)})`, take({ kind: "call", at, ...(value && { key: value }) }));
    else if (word === "@remind") push({ step: "reminder", appointment: value ? LATE : BOOKED });
    else if (word === "@offer")
      push({
        step: "offer",
        offer: {
          ...OFFER,
          ...(value === "instead" && { instead: { date: "2026-12-01", time: "10:00" } }),
          ...(value === "over" && { id: "over" }),
        },
      });
    else if (word === "@late") text(value, { at: question!.since - minutes(0.5) });
    else if (word === "@press") text("", { pressed: `${question!.n}:${value}` });
    else if (word === "@old") text("", { pressed: `1:${value}` });
    else if (word === "@none") taken.add("token");
    else if (word === "@clinic") state = { ...state, answerer: "clinic" };
    else
      text(
        line
          .split(" ")
          .map((one) => wordIn(language, one))
          .join(" "),
      );
  }
  return { turns, state, commands };
}
