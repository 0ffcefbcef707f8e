import { z } from "zod";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { changeVisitEntry, changeWalkIn, VISIT_PRESSES } from "#app/domains/waiting-room/queue/change-visit-entry.server.ts";
import { entryStateWord } from "#app/domains/waiting-room/queue/words.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { submitForm } from "#app/http/submit-form.server.ts";
import { m } from "#app/paraglide/messages.js";

const intent = z.enum(VISIT_PRESSES);
/** `entry`: of a patient without an appointment. */
const PressSchema = z.union([z.object({ intent, visit: z.uuid() }), z.object({ intent, entry: z.uuid() })]);

/** Handles the presses of a page with rows of a day (`DayStep`), and shows the same page again. */
export function submitVisitPress(ctx: Ctx<Actor>, { request, url }: { request: Request; url: URL }) {
  return submitForm(request, PressSchema, async ({ intent: action, ...row }) => {
    const { number, state } = await ("visit" in row
      ? changeVisitEntry(ctx, { appointmentId: row.visit, action })
      : changeWalkIn(ctx, { entryId: row.entry, action }));
    const { pathname, search } = url;
    return redirectWithToast(pathname + search, m.queue_entry_done_now({ number, state: entryStateWord(state) }));
  });
}
