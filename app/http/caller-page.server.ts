import { BookCallerSchema } from "#app/domains/booking/appointments/appointments.schema.ts";
import {
  bookForCaller,
  type CallerDesk,
  findKnownCallers,
  listTimesForCaller,
} from "#app/domains/booking/appointments/book-for-caller.server.ts";
import { type CallerView, viewTimes } from "#app/domains/booking/appointments/caller-times.ts";
import { whenWord } from "#app/domains/booking/appointments/proposal-times.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { readKnown } from "#app/domains/waiting-room/queue/known-person.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import { randomToken } from "#app/lib/ids.server.ts";
import { m } from "#app/paraglide/messages.js";
import { redirectWithToast } from "./redirects.server.ts";
import { submitForm } from "./submit-form.server.ts";

/** Loads the form for a caller: the free times of one doctor at a day of the URL, otherwise at the first free one. */
export async function loadCallerPage(ctx: Ctx<Actor>, desk: CallerDesk, day: string | null): Promise<CallerView & { formKey: string }> {
  return { ...viewTimes(await listTimesForCaller(ctx, desk), todayInIndia(ctx.now), day), formKey: randomToken() };
}

/**
 * Books for a caller, or lists known patients of the phone.
 * @param desk `doctorIds`: the doctors whose patients the actor sees
 * @param agenda returns the page of a day
 */
export function submitCallerForm(
  ctx: Ctx<Actor>,
  request: Request,
  desk: { hospitalId: string | null; doctorIds: string[]; agenda: (day: string) => string },
) {
  const { hospitalId, doctorIds, agenda } = desk;
  return submitForm(
    request,
    BookCallerSchema,
    async (input, _, again) => {
      if (input.intent === "find") return again({ people: await findKnownCallers(ctx, { hospitalId, doctorIds, phone: input.phone }) });
      const { intent: _intent, ...booking } = input;
      await bookForCaller(ctx, { ...booking, hospitalId });
      return redirectWithToast(agenda(input.at.date), m.caller_booked({ when: whenWord(input.at) }));
    },
    { prepare: async (formData) => fillInKnown(formData) },
  );
}

/** Fills in name, age or birth date, and gender of a chosen known patient. */
function fillInKnown(formData: FormData): void {
  const person = readKnown(String(formData.get("who") ?? ""));
  if (!person || formData.get("intent") !== "book") return;
  const { name, age, birthDate, gender } = person;
  for (const [field, value] of Object.entries({ name, age, dateOfBirth: birthDate ?? "", gender })) formData.set(field, String(value));
}
