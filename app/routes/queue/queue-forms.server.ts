import { z } from "zod";
import { closeQueue } from "#app/domains/booking/appointments/close-queue.server.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { addWalkIn, findKnownPeople } from "#app/domains/waiting-room/queue/add-walk-in.server.ts";
import { callPatient, changeEntry, setPriority } from "#app/domains/waiting-room/queue/change-entry.server.ts";
import { changeSession, expectDoctor } from "#app/domains/waiting-room/queue/change-session.server.ts";
import { ANOTHER, readKnown, refuseChoice, TWIN, typedOf } from "#app/domains/waiting-room/queue/known-person.ts";
import { QueueFormSchema } from "#app/domains/waiting-room/queue/queue.schema.ts";
import { planQueue } from "#app/domains/waiting-room/queue/queue-page.server.ts";
import { startSession } from "#app/domains/waiting-room/queue/start-session.server.ts";
import { undoCall } from "#app/domains/waiting-room/queue/undo-call.server.ts";
import { entryStateWord } from "#app/domains/waiting-room/queue/words.ts";
import { redirectTo, redirectWithToast } from "#app/http/redirects.server.ts";
import { submitForm } from "#app/http/submit-form.server.ts";
import { m } from "#app/paraglide/messages.js";

/** Handles all forms of a queue's page. `path`: the page. */
export function submitQueueForm(ctx: Ctx<Actor>, request: Request, path: string) {
  return submitForm(
    request,
    QueueFormSchema,
    async (input, _, again) => {
      if (input.intent === "start") {
        const { id, closed } = await startSession(ctx, input.practiceId);
        const started = `${path}?session=${id}`;
        return closed ? redirectWithToast(started, m.queue_closed_start()) : redirectTo(started);
      }
      const { sessionId } = input;
      await planQueue(ctx, sessionId);
      const here = `${path}?session=${sessionId}`;
      switch (input.intent) {
        case "find":
          return again({ people: await findKnownPeople(ctx, { sessionId, ...typedOf(input) }) });
        case "add":
        case "add-emergency": {
          const { phone, formKey, age, dateOfBirth } = input;
          const isTyped = !input.who || input.who === ANOTHER || input.who === TWIN;
          const person = { age, dateOfBirth, ...(isTyped ? { name: input.name ?? "" } : personOf(input.who ?? "")) };
          const choice = input.who === TWIN ? ("another" as const) : isTyped ? undefined : ("same" as const);
          const priority = input.intent === "add-emergency" ? "emergency" : "normal";
          const given = await addWalkIn(ctx, { sessionId, phone, formKey, priority, ...person, ...(choice && { choice }) });
          return redirectTo(`${here}&given=${given.id}${given.sms ? "&sms=on" : ""}`);
        }
        case "open":
        case "pause":
        case "resume":
        case "reopen":
          await changeSession(ctx, { sessionId, action: input.intent });
          return redirectTo(here);
        case "expect": {
          const { notified } = await expectDoctor(ctx, { sessionId, at: input.at });
          return redirectWithToast(here, notified ? m.queue_expected_done({ count: notified }) : m.queue_expected_shown());
        }
        case "call":
        case "call-now": {
          const { number } = await callPatient(ctx, { sessionId, entryId: input.entryId, now: input.intent === "call-now" });
          return redirectWithToast(here, m.queue_called_done({ number }));
        }
        case "undo-call": {
          const { number } = await undoCall(ctx, { sessionId, entryId: input.entryId });
          return redirectWithToast(here, m.queue_entry_done_now({ number, state: entryStateWord("arrived") }));
        }
        case "emergency":
        case "normal":
          await setPriority(ctx, { sessionId, entryId: input.entryId, priority: input.intent });
          return redirectTo(here);
        default: {
          const { number, state } = await changeEntry(ctx, { sessionId, entryId: input.entryId, action: input.intent });
          return redirectWithToast(here, m.queue_entry_done_now({ number, state: entryStateWord(state) }));
        }
      }
    },
    { prepare: async (form) => choosePhone(form) },
  );
}

/** Fills in the phone of a patient who was found by the name and gets a token. Returns why the choice is not clear. */
function choosePhone(form: FormData) {
  if (!["add", "add-emergency"].includes(String(form.get("intent")))) return undefined;
  const { phone } = readKnown(String(form.get("who") ?? "")) ?? {};
  const refused = refuseChoice(form);
  if (phone && !refused) form.set("phone", phone);
  return refused;
}

/** Reads the value of a known patient's choice. */
function personOf(who: string) {
  const known = readKnown(who);
  if (!known) return { name: who.split("|")[0] ?? "" };
  const { birthDate: dateOfBirth, phone: _, ...person } = known;
  return { ...person, dateOfBirth };
}

/** `unseen`: the numbers of the patients that the page showed as not seen, "12 13". */
const CloseSchema = z.object({
  sms: z.literal("on").optional(),
  unseen: z
    .string()
    .max(5_000)
    .transform((text) => text.split(" ").filter(Boolean).map(Number))
    .optional(),
});

/** Closes a queue. */
export function submitQueueClose(ctx: Ctx<Actor>, request: Request, sessionId: string, path: string) {
  return submitForm(request, CloseSchema, async ({ sms, unseen }) => {
    await planQueue(ctx, sessionId);
    const sent = await closeQueue(ctx, { sessionId, sms: sms === "on", unseen });
    const done = sent.sms ? m.queue_close_done_sms({ count: String(sent.sms) }) : m.queue_close_done();
    return redirectWithToast(`${path}?session=${sessionId}`, done);
  });
}
