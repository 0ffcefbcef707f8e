/** Not in the specification: tokens and the queue of a day (app/domains/waiting-room). */
import { z } from "zod";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { callPatient } from "#app/domains/waiting-room/queue/change-entry.server.ts";
import { getQueuePage, planQueue } from "#app/domains/waiting-room/queue/queue-page.server.ts";
import type { QueueRow } from "#app/domains/waiting-room/queue/queue-view.ts";
import { entryStateWord } from "#app/domains/waiting-room/queue/words.ts";
import { listOwnTokens, pressOwnToken } from "#app/domains/waiting-room/token-page/own-tokens.server.ts";
import { getSnapshot } from "#app/domains/waiting-room/token-page/snapshot.server.ts";
import { viewToken } from "#app/domains/waiting-room/token-page/token-view.ts";
import { endpoint } from "#app/http/api/endpoint.ts";
import { clockTime, timeInIndia } from "#app/lib/dates.ts";
import { QUEUE_ENTRY_STATES, QUEUE_SESSION_STATES } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { Day, Done, done, Id, IdParam, Span, spanOf, Time } from "./wire.ts";

const group = "Queue";
const sentences = { failed: () => m.api_queue_failed() };
const SessionState = z.enum(QUEUE_SESSION_STATES);
const EntryState = z.enum(QUEUE_ENTRY_STATES);
const Part = z.enum(["morning", "afternoon", "evening"]);

export const listOwnTokensCall = endpoint({
  method: "GET",
  path: "/api/queue",
  group,
  summary: "Lists the patient's tokens of today, with the position and the expected wait.",
  about:
    "Not in the specification. `range` is in minutes from now; half of the patients are called by `low`, four of five by `high`. Null where nothing can be said: before the doctor is announced as late, in a pause, or when it is the patient's turn. `page` shows the same without a login.",
  who: ["patient"],
  answer: z.object({
    success: z.literal(true),
    tokens: z.array(
      z.object({
        id: Id,
        number: z.number(),
        state: EntryState,
        doctorName: z.string(),
        place: z.string().nullable(),
        due: Time.meta({ description: "The booked time, or when a patient without a booking took the token." }),
        session: SessionState,
        nowSeeing: z.number().nullable(),
        ahead: z.number().meta({ description: "Patients who are called before this one." }),
        range: z.object({ low: z.number(), high: z.number() }).nullable(),
        expected: Span.nullable().meta({ description: "`range` as times of the clock: what the pages show." }),
        early: z.boolean().meta({ description: "No patient has checked in yet, so the range is wide." }),
        leaveAt: Time.nullable().meta({ description: "When to leave home, with 20 minutes to the clinic." }),
        lateMinutes: z.number().meta({ description: "How late the doctor is, as announced or begun." }),
        doctorAt: Time.nullable().meta({ description: "When a late doctor is expected, as announced, or came. Null: not late." }),
        may: z.object({ arrive: z.boolean(), return: z.boolean(), leave: z.boolean() }),
        page: z.string(),
      }),
    ),
  }),
  sentences,
  async run({ ctx }) {
    const own = await listOwnTokens(ctx);
    const tokens = await Promise.all(
      own.map(async ({ id, sessionId, number, code, state, doctor, place, due }) => {
        const view = viewToken(await getSnapshot(ctx, sessionId), id, ctx.now);
        if (!view) return [];
        const { session, nowSeeing, ahead, range, expected, early, leaveAt, lateMinutes, doctorAt, may } = view;
        return [
          {
            ...{ id, number, state, doctorName: doctor, place, due: clockTime(due), session, nowSeeing, ahead, range, lateMinutes, may },
            leaveAt: leaveAt && clockTime(leaveAt),
            expected: expected && spanOf({ from: timeInIndia(expected.from), until: timeInIndia(expected.until) }),
            early,
            doctorAt: doctorAt && clockTime(doctorAt),
            page: `/q/${code}`,
          },
        ];
      }),
    );
    return { success: true as const, tokens: tokens.flat() };
  },
});

const press = <const P extends string>(
  action: "arrive" | "return" | "leave",
  path: P,
  summary: string,
  about: string,
  said: () => string,
) =>
  endpoint({
    method: "POST",
    path,
    group,
    summary,
    about: `Not in the specification. ${about} A repeated call changes nothing.`,
    who: ["patient"],
    params: IdParam,
    answer: Done,
    sentences,
    async run({ ctx, params }) {
      await pressOwnToken(ctx, params.id, action);
      return done(said());
    },
  });

export const arriveCall = press(
  "arrive",
  "/api/queue/tokens/{id}/arrive",
  "Reports that the patient is at the clinic.",
  "From two hours before the booked time. 409: too early, or called already.",
  () => entryStateWord("arrived"),
);
export const returnCall = press(
  "return",
  "/api/queue/tokens/{id}/return",
  "Puts a skipped patient who is back into the queue again.",
  "409: the token was not skipped, or the queue is closed.",
  () => entryStateWord("arrived"),
);
export const leaveQueueCall = press(
  "leave",
  "/api/queue/tokens/{id}/leave",
  "Takes the patient out of the queue.",
  "The appointment stays booked. 409: the patient is called, or the queue is closed.",
  () => m.token_left(),
);

const Entry = z.object({
  id: Id,
  number: z.number(),
  name: z.string(),
  state: EntryState,
  emergency: z.boolean(),
  due: Time,
});
const entryOf = ({ id, number, name, state, emergency, due }: QueueRow) => ({ id, number, name, state, emergency, due: clockTime(due) });
const pageOf = (ctx: Ctx<Actor>, session: string | null) => getQueuePage(ctx, ctx.actor.role === "doctor" ? "doctor" : "member", session);

export const listQueues = endpoint({
  method: "GET",
  path: "/api/queue/sessions",
  group,
  summary: "Lists today's queues that the caller runs: a doctor's own, or those of a place for its staff.",
  about: "Not in the specification. An evening that is still open after midnight is in the list.",
  who: ["doctor", "staff"],
  answer: z.object({
    success: z.literal(true),
    sessions: z.array(z.object({ id: Id, doctorName: z.string(), date: Day, part: Part, state: SessionState, waiting: z.number() })),
  }),
  sentences,
  async run({ ctx }) {
    const { tabs } = await pageOf(ctx, null);
    return { success: true as const, sessions: tabs.map(({ doctor, ...tab }) => ({ ...tab, doctorName: doctor })) };
  },
});

export const getQueue = endpoint({
  method: "GET",
  path: "/api/queue/sessions/{id}",
  group,
  summary: "Reads a queue: who is inside, who is next, who waits.",
  about:
    "Not in the specification. `waiting` is in the order of the calls, so its first entry is the next patient. Apps receive `queueChanged` over the live connection and read again.",
  who: ["doctor", "staff"],
  params: IdParam,
  answer: z.object({
    success: z.literal(true),
    id: Id,
    doctorName: z.string(),
    state: SessionState,
    lateMinutes: z.number(),
    doctorExpected: Time.nullable().meta({ description: "Before the doctor is in: the announced time, otherwise the planned start." }),
    current: Entry.nullable(),
    next: Entry.nullable(),
    waiting: z.array(Entry),
    expected: z.array(Entry),
    skipped: z.array(Entry),
  }),
  sentences,
  async run({ ctx, params }) {
    const { session } = await pageOf(ctx, params.id);
    // A chosen session is there, or the page was refused.
    const { id, doctor, state, lateMinutes, start, current, waiting, expected, skipped } = session!;
    const rows = { waiting: waiting.map(entryOf), expected: expected.map(entryOf), skipped: skipped.map(entryOf) };
    return {
      success: true as const,
      ...{ id, doctorName: doctor, state, lateMinutes, ...rows },
      doctorExpected: start && clockTime(start.expected),
      current: current && entryOf(current),
      next: rows.waiting[0] ?? null,
    };
  },
});

export const callNext = endpoint({
  method: "POST",
  path: "/api/queue/sessions/{id}/next",
  group,
  summary: "Calls the next patient. The visit under way is done.",
  about:
    "Not in the specification. `entryId` names the patient whom the caller sees as next, so that of two calls at once one calls and the other gets 409. 409 also: the queue is not open, or the order has changed. Send an Idempotency-Key to repeat a call after a lost answer.",
  who: ["doctor", "staff"],
  params: IdParam,
  body: z.object({ entryId: z.uuid() }),
  answer: Done.extend({ number: z.number() }),
  creates: true,
  sentences,
  async run({ ctx, params, body }) {
    await planQueue(ctx, params.id);
    const { number } = await callPatient(ctx, { sessionId: params.id, entryId: body.entryId });
    return { ...done(m.queue_called_now()), number };
  },
});
