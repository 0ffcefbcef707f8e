/** The data of a conversation: its state, what arrives, what is said, and what the product is asked to do. */
import type { ReplyName } from "#app/integrations/sms/reply-templates.ts";
import type { DateKey, TimeKey } from "#app/lib/dates.ts";
import type { Language } from "#app/lib/language.ts";
import type { Answerer, Gender } from "#app/lib/vocabulary.ts";
import type { Step } from "./conversation.state.ts";

export type At = { date: DateKey; time: TimeKey };
/** A doctor at one place. `keyword`: the word that starts a booking, chosen by the clinic. `fee`: in paise. */
export type DoctorRef = {
  doctorId: string;
  practiceId: string;
  hospitalId: string | null;
  name: string;
  place: string;
  keyword: string | null;
  fee: number | null;
};
/** An appointment of the sender. `cancelUntil`: the last minute at which they may cancel; null: they no longer can. */
export type AppointmentRef = { id: string; doctor: DoctorRef; at: At; cancelUntil: At | null };
/** An offered time. `instead`: the appointment that it replaces. */
export type OfferRef = { id: string; doctor: DoctorRef; at: At; until: At; instead: At | null };

/** The steps that wait for an answer, with what its numbers mean. */
type Asked =
  | { step: "language"; search: string }
  | { step: "doctor" }
  | { step: "doctors"; options: DoctorRef[] }
  | { step: "times"; doctor: DoctorRef; options: At[]; move: AppointmentRef | null }
  | { step: "days"; doctor: DoctorRef; options: DateKey[]; move: AppointmentRef | null }
  | { step: "name"; doctor: DoctorRef; at: At }
  | { step: "details"; doctor: DoctorRef; at: At; name: string }
  | { step: "booked"; appointment: AppointmentRef }
  | { step: "reminder"; appointment: AppointmentRef }
  | { step: "offer"; offer: OfferRef };
export type Ask<S extends Step = Step> = Extract<Asked, { step: S }>;
/** `n`: its number in the conversation, which buttons carry. `since`, `until`: milliseconds. A question ends when it is answered. */
export type Question = Asked & { n: number; since: number; until: number; answered?: true };

export type State = {
  language: Language | null;
  /** The user wrote STOP: only codes, and answers to their own messages. */
  stopped: boolean;
  answerer: Answerer;
  /** The last doctor, and the clinic. */
  doctorId: string | null;
  hospitalId: string | null;
  /** The clinic that was asked what Nadi does not understand, about this doctor. It stays the same until the question is answered. */
  inbox: { hospitalId: string; doctorId: string | null } | null;
  /** The newest questions, newest first: a late answer belongs to an earlier one. */
  questions: Question[];
  /** How many questions were asked. */
  asked: number;
};
export const NEW: State = {
  language: null,
  stopped: false,
  answerer: "nadi",
  doctorId: null,
  hospitalId: null,
  inbox: null,
  questions: [],
  asked: 0,
};

/** How many times and doctors a channel can show at once. */
export type Room = { times: number; doctors: number };

export type Incoming =
  /**
   * `keyword`: the doctor whose keyword is the first word, or the word after a greeting. `pressed`: the value of a button. `isDanger`: whether it has
   * danger words, where that is known already.
   */
  | { kind: "text"; text: string; at: number; keyword: DoctorRef | null; pressed?: string; isDanger?: boolean }
  /** A missed call, or a key pressed in a call. */
  | { kind: "call"; at: number; key?: string }
  /** A reminder or an offer of the product. */
  | { kind: "push"; at: number; ask: Ask<"reminder"> | Ask<"offer"> }
  | { kind: "result"; at: number; of: Command; outcome: Outcome };

export type Command =
  | { do: "find-danger" }
  | { do: "find-doctors"; text: string; most: number }
  | { do: "find-times"; doctor: DoctorRef; day: DateKey | null; most: number; move: AppointmentRef | null; taken?: true }
  | { do: "find-days"; doctor: DoctorRef; after: DateKey; most: number; move: AppointmentRef | null }
  | { do: "book"; doctor: DoctorRef; at: At; name: string; age: number | null; gender: Gender | null; key: string }
  | { do: "cancel"; appointment: AppointmentRef }
  | { do: "move"; appointment: AppointmentRef; to: At }
  | { do: "take-offer"; offer: OfferRef }
  | { do: "pass-offer"; offer: OfferRef }
  | { do: "find-next" }
  | { do: "find-token" }
  | { do: "find-address"; hospitalId?: string | null }
  | { do: "confirm"; appointment: AppointmentRef }
  | { do: "stop" }
  | { do: "start" }
  | { do: "pass-on" };

/** What came of a command. Each command lists its own. */
export type Outcome =
  | { is: "danger"; hospital: { name: string; phone: string } | null }
  | { is: "doctors"; doctors: DoctorRef[] }
  | { is: "times"; times: At[] }
  | { is: "days"; days: DateKey[] }
  | { is: "appointment"; appointment: AppointmentRef | null }
  | { is: "token"; token: { number: number; seeing: number | null; expected: TimeKey | null; doctor: string } | null }
  | { is: "address"; place: { name: string; slug: string } | null }
  | { is: "done" }
  /** `doctor`: of the next appointment. `reachable`: a member of the clinic can answer. `phone`: of the clinic. */
  | { is: "place"; doctor: DoctorRef | null; reachable: boolean; phone: string | null }
  /** The booking needs the age and the gender of this patient. */
  | { is: "unknown-patient" }
  | { is: "prepaid" | "taken" | "over" | "gone" | "limit" }
  | { is: "too-late"; phone: string | null };

/** A text of reply-templates.ts with its variables, in the language of the conversation. */
export type Say = {
  say: ReplyName;
  doctor?: DoctorRef;
  at?: At;
  /** A second time: the one that is given up, or until when an offer is open. */
  other?: At;
  text?: string;
  number?: number;
  seeing?: number;
  time?: TimeKey;
  phone?: string;
  name?: string;
  slug?: string;
  /** What numbers or buttons answer. */
  options?: Option[];
  /** The number of the question, for the values of buttons. */
  n?: number;
};
export type Option =
  | { at: At }
  | { day: DateKey }
  | { doctor: DoctorRef }
  | { language: Language }
  | { word: "more" | "come" | "move" | "take" | "pass" | "address" }
  /** `until`: until when it costs nothing. */
  | { word: "cancel"; until?: At }
  | { word: "keep"; at: At };
