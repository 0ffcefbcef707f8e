import type { AppointmentRef, Ask, Command, Incoming, Option, Outcome, Room, Say, State } from "./conversation.ts";
import { answered, ask, askReminder, firstName, type Reduced, run, say, startAt, withDoctor } from "./steps.ts";

type Result = Extract<Incoming, { kind: "result" }>;
type Does<D extends Command["do"]> = Extract<Command, { do: D }>;
type Handler<D extends Command["do"]> = (state: State, of: Does<D>, outcome: Outcome, at: number, room: Room) => Reduced;

/** Returns what is said and asked after a command. */
export const afterCommand = (state: State, { of, outcome, at }: Result, room: Room): Reduced =>
  (AFTER[of.do] as Handler<Command["do"]>)(state, of as never, outcome, at, room);

/** For an outcome that a command does not have. */
const unexpected = (of: Command, outcome: Outcome): never => {
  throw new Error(`${of.do} does not end as ${outcome.is}`);
};

/** What follows from the outcome of each command. */
const AFTER: { [D in Command["do"]]: Handler<D> } = {
  "find-danger"(state, of, outcome) {
    if (outcome.is !== "danger") return unexpected(of, outcome);
    const { hospital } = outcome;
    return say(state, hospital ? { say: "danger-near", name: hospital.name, phone: hospital.phone } : { say: "danger" });
  },
  "find-doctors"(state, of, outcome, at, room) {
    if (outcome.is !== "doctors") return unexpected(of, outcome);
    const [only, second] = outcome.doctors;
    if (!only) return ask(state, "ask-doctor", { step: "doctor" }, { say: "no-doctor" }, at);
    if (!second) return startAt(answered(state), only, room);
    const options = outcome.doctors.slice(0, room.doctors);
    const shown = options.map((doctor) => ({ doctor }));
    return ask(answered(state), "show-doctors", { step: "doctors", options }, { say: "doctors", options: shown }, at);
  },
  "find-times"(state, of, outcome, at) {
    const { doctor, move, taken } = of;
    if (outcome.is === "too-late") return tooLate(state, outcome.phone);
    if (outcome.is === "gone") return say(state, { say: "gone" });
    if (outcome.is === "prepaid") return say(state, { say: "prepaid", doctor });
    if (outcome.is !== "times") return unexpected(of, outcome);
    const { times } = outcome;
    if (!times.length) return say(state, { say: "full", doctor });
    const options: Option[] = [...times.map((time) => ({ at: time })), { word: "more" }];
    const words: Say = taken
      ? { say: "taken", options }
      : move
        ? { say: "move-times", at: move.at, options }
        : { say: doctor.fee === null ? "times-no-fee" : "times", doctor, options };
    return ask(state, "show-times", { step: "times", doctor, options: times, move }, words, at);
  },
  "find-days"(state, of, outcome, at) {
    const { doctor, move } = of;
    if (outcome.is !== "days") return unexpected(of, outcome);
    const { days } = outcome;
    if (!days.length) return say(state, { say: "full", doctor });
    const options: Option[] = [...days.map((day) => ({ day })), { word: "more" }];
    return ask(state, "show-days", { step: "days", doctor, options: days, move }, { say: "days", doctor, options }, at);
  },
  book(state, of, outcome, at, room) {
    const { doctor, name } = of;
    switch (outcome.is) {
      case "appointment":
        return outcome.appointment ? booked(state, "book", outcome.appointment, firstName(name), at) : unexpected(of, outcome);
      case "unknown-patient": {
        const question: Ask<"details"> = { step: "details", doctor, at: of.at, name };
        return ask(answered(state), "ask-details", question, { say: "ask-details", name: firstName(name), doctor, at: of.at }, at);
      }
      case "taken":
        return run(answered(state), { do: "find-times", doctor, day: null, most: room.times, move: null, taken: true });
      case "gone":
        return say(answered(state), { say: "not-booked" });
      case "limit":
      case "prepaid":
        return say(answered(state), { say: outcome.is, doctor });
      default:
        return unexpected(of, outcome);
    }
  },
  cancel(state, of, outcome) {
    const { doctor, at } = of.appointment;
    if (outcome.is === "done") return say(state, { say: "cancelled", at, doctor });
    return outcome.is === "too-late" ? tooLate(state, outcome.phone) : say(state, { say: "gone" });
  },
  move(state, of, outcome, at, room) {
    const { appointment } = of;
    if (outcome.is === "appointment" && outcome.appointment) return booked(state, "move", outcome.appointment, undefined, at);
    if (outcome.is === "too-late") return tooLate(state, outcome.phone);
    if (outcome.is === "gone") return say(state, { say: "gone" });
    return run(state, { do: "find-times", doctor: appointment.doctor, day: null, most: room.times, move: appointment, taken: true });
  },
  "take-offer"(state, of, outcome) {
    const { at, doctor, instead } = of.offer;
    if (outcome.is !== "done") return say(state, { say: outcome.is === "gone" ? "offer-ended" : "offer-over" });
    return say(state, instead ? { say: "offer-moved", at, doctor, other: instead } : { say: "offer-taken", at, doctor });
  },
  "pass-offer": (state, _, outcome) =>
    say(state, { say: outcome.is === "done" ? "passed" : outcome.is === "gone" ? "offer-ended" : "offer-over" }),
  confirm(state, { appointment: asked }, outcome, at) {
    if (outcome.is !== "appointment") return say(state, { say: "gone" });
    const { appointment } = outcome;
    if (!appointment) return say(state, { say: "gone" });
    const { doctor, at: time } = appointment;
    const isSame = time.date === asked.at.date && time.time === asked.at.time;
    // It was moved meanwhile: the new time is asked about.
    return isSame ? say(state, { say: "comes", doctor, at: time }) : askReminder(state, { step: "reminder", appointment }, "next", at);
  },
  "find-next"(state, of, outcome, at) {
    if (outcome.is !== "appointment") return unexpected(of, outcome);
    const { appointment } = outcome;
    if (!appointment) return say(state, { say: "nothing-booked" });
    return askReminder(withDoctor(state, appointment.doctor), { step: "reminder", appointment }, "next", at);
  },
  "find-token"(state, of, outcome) {
    if (outcome.is !== "token") return unexpected(of, outcome);
    const { token } = outcome;
    if (!token) return say(state, { say: "no-token" });
    const { number, seeing, expected, doctor: text } = token;
    if (expected === null) return say(state, { say: "token-waiting", number, text });
    const timed = { number, text, time: expected };
    return say(state, seeing === null ? { say: "token-first", ...timed } : { say: "token", ...timed, seeing });
  },
  "find-address"(state, of, outcome) {
    if (outcome.is !== "address") return unexpected(of, outcome);
    const { place } = outcome;
    return say(state, place ? { say: "address", name: place.name, slug: place.slug } : { say: "nothing-booked" });
  },
  stop: (state) => say(state, { say: "stopped" }),
  start: (state) => say(state, { say: "started" }),
  "pass-on"(state, of, outcome) {
    if (outcome.is !== "place") return unexpected(of, outcome);
    const known = state.hospitalId === null && outcome.doctor ? withDoctor(state, outcome.doctor) : state;
    // Where no member can answer, the user calls. Without a clinic the menu says how to reach one.
    if (!outcome.reachable) return say(state, outcome.phone ? { say: "call-clinic", phone: outcome.phone } : { say: "menu" });
    // Once: further messages are added to the inbox.
    if (state.answerer === "waiting") return say(known);
    const inbox = known.hospitalId === null ? null : { hospitalId: known.hospitalId, doctorId: known.doctorId };
    return say({ ...known, inbox, answerer: "waiting" }, { say: "to-clinic" });
  },
};

function booked(state: State, action: "book" | "move", appointment: AppointmentRef, name: string | undefined, at: number): Reduced {
  const { doctor, at: time } = appointment;
  const words: Say = {
    say: wordsOf(action, state.stopped, doctor.fee),
    ...(name !== undefined && { name }),
    ...{ doctor, at: time, options: [{ word: "address" }, { word: "cancel" }] },
  };
  return ask(withDoctor(answered(state), doctor), action, { step: "booked", appointment }, words, at);
}
function wordsOf(action: "book" | "move", stopped: boolean, fee: number | null): Say["say"] {
  if (action === "move") return stopped ? "moved-stopped" : "moved";
  if (stopped) return "booked-stopped";
  return fee === null ? "booked-no-fee" : "booked";
}
const tooLate = (state: State, phone: string | null): Reduced =>
  say(state, phone === null ? { say: "too-late" } : { say: "too-late-call", phone });
