/** Conversations in any order, with repeats and delays. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { minutes } from "#app/lib/durations.ts";
import { DANGER_FORMS } from "../../../../tests/factories/danger-phrases.ts";
import { DANGER } from "../../../../tests/factories/danger-sentences.ts";
import { BOOKED, OFFER, outcomeOf, RAO } from "../../../../tests/setup/conversations.ts";
import { type Command, type Incoming, NEW, type Say, type State } from "./conversation.ts";
import { reduce } from "./reduce.ts";

const ROOM = { times: 3, doctors: 3 };
const START = Date.parse("2026-11-26T03:42:00Z");

/** Takes an input with the commands that it leads to. */
function take(before: State, first: Incoming, at: number, taken: Set<string>) {
  let state = before;
  let incoming = first;
  const said: Say[] = [];
  const done: Command[] = [];
  for (let n = 0; n < 6; n++) {
    const next = reduce(state, incoming, ROOM);
    state = next.state;
    said.push(...next.replies);
    if (!next.command) return { state, said, done };
    done.push(next.command);
    incoming = { kind: "result", at, of: next.command, outcome: outcomeOf(next.command, taken, state.hospitalId) };
  }
  throw new Error("a chain of commands does not end");
}

const texts = [
  ...[
    "RAO",
    "HI",
    "HI dentist",
    "dentist",
    "0",
    "1",
    "2",
    "3",
    "7",
    "Lakshmi Devi 34 F",
    "Ravi",
    "34 F",
    "TOKEN",
    "WHEN",
    "ADDRESS",
    "STOP",
    "START",
  ],
  ...["నమస్తే", "TELUGU", "CANCEL", "HELP", "Can I bring my mother too", "", " ", "🙂", "x".repeat(1000)],
];
/** `late`: minutes since it was sent. `again`: how often it arrives. */
const anyStep = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant("text" as const),
      text: fc.constantFrom(...texts),
      late: fc.nat(15),
      again: fc.constantFrom(1, 1, 1, 2, 10),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("press" as const), n: fc.nat(8), choice: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("call" as const), key: fc.constantFrom(undefined, "1", "2", "9", "5") }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom("reminder" as const, "offer" as const) }) },
);
type Step = typeof anyStep extends fc.Arbitrary<infer S> ? S : never;

const textOf = (text: string, at: number): Incoming => ({ kind: "text", text, at, keyword: /^(hi )?rao$/i.test(text) ? RAO : null });
function inputs(step: Step, at: number): Incoming[] {
  if (step.kind === "text") return Array.from({ length: step.again }, () => textOf(step.text, at - minutes(step.late)));
  if (step.kind === "press") return [{ kind: "text", text: "", at, keyword: null, pressed: `${step.n}:${step.choice}` }];
  if (step.kind === "call") return [{ kind: "call", at, ...(step.key && { key: step.key }) }];
  const ask = step.kind === "offer" ? ({ step: "offer", offer: OFFER } as const) : ({ step: "reminder", appointment: BOOKED } as const);
  return [{ kind: "push", at, ask }];
}

/** Plays steps, one each minute. Returns the state and what was done. */
function playAll(steps: Step[]) {
  const taken = new Set<string>();
  let state = NEW;
  let at = START;
  const booked: string[] = [];
  for (const step of steps) {
    at += minutes(1);
    for (const incoming of inputs(step, at)) {
      const next = take(state, incoming, at, taken);
      // A booking is known by its question.
      for (const one of next.done) if (one.do === "book" && next.said.some(({ say }) => say.startsWith("booked"))) booked.push(one.key);
      state = next.state;
    }
  }
  return { state, booked, at, taken };
}

describe("in any order, with repeats and delays", () => {
  it("a question never books twice", () =>
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 40 }), (steps) => {
        const { booked } = playAll(steps);
        expect(booked.length).toBe(new Set(booked).size);
      }),
      { numRuns: 300 },
    ));
  it("a person can be reached from every state, and danger words are answered first", () =>
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 30 }), (steps) => {
        const { state, at, taken } = playAll(steps);
        const danger = take(state, textOf("He has severe chest pain", at + 1), at + 1, taken);
        expect(danger.said[0]?.say).toBe("danger-near");
        const near = take(state, textOf("RAO", at + minutes(1)), at + minutes(1), taken).state;
        const asked = take(near, textOf("Can somebody call me?", at + minutes(2)), at + minutes(2), taken);
        expect(asked.state.answerer).not.toBe("nadi");
      }),
      { numRuns: 300 },
    ));
  it("STOP stops at once, and a reminder or an offer is not sent until START", () =>
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 20 }), (steps) => {
        const { state, at, taken } = playAll(steps);
        const stopped = take(state, textOf("STOP", at + 1), at + 1, taken);
        expect(stopped.said).toEqual([{ say: "stopped" }]);
        const push = reduce(stopped.state, { kind: "push", at: at + 2, ask: { step: "offer", offer: OFFER } }, ROOM);
        expect(push.replies).toEqual([]);
      }),
      { numRuns: 100 },
    ));
});

it("answers danger in the language of the message", () => {
  const { state } = take(NEW, textOf("ఛాతీలో నొప్పి వస్తోంది", START), START, new Set());
  expect(state.language).toBe("te");
});

it("books the time that was cancelled again as another booking", () => {
  let [state, at] = [NEW, START];
  const keys: string[] = [];
  for (const text of ["RAO", "1", "Lakshmi Devi 34 F", "2", "RAO", "1", "Lakshmi Devi 34 F"]) {
    at += minutes(1);
    const next = take(state, textOf(text, at), at, new Set());
    state = next.state;
    keys.push(...next.done.flatMap((one) => (one.do === "book" ? [one.key] : [])));
  }
  expect(new Set(keys).size).toBe(2);
});

it("lets a reminder be answered while a member of the clinic answers", () => {
  const withMember: State = { ...take(NEW, textOf("RAO", START), START, new Set()).state, answerer: "clinic" };
  const reminded = reduce(withMember, { kind: "push", at: START + 1, ask: { step: "reminder", appointment: BOOKED } }, ROOM).state;
  expect(reduce(reminded, textOf("2", START + 5000), ROOM).command?.do).toBe("cancel");
  expect(reduce(reminded, textOf("Thank you", START + 5000), ROOM)).toMatchObject({ command: null, replies: [] });
});

it("answers every danger phrase with 108 and 112 before anything else", () => {
  const phrases = [...Object.values(DANGER).flat(), ...DANGER_FORMS];
  expect(phrases.length).toBeGreaterThan(400);
  const inName = take(take(NEW, textOf("RAO", START), START, new Set()).state, textOf("1", START + 5000), START + 5000, new Set()).state;
  for (const state of [NEW, inName, { ...NEW, answerer: "clinic" as const, stopped: true }])
    for (const phrase of phrases) expect(reduce(state, textOf(phrase, START + 9000), ROOM).command, phrase).toEqual({ do: "find-danger" });
});
