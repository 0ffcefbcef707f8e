import { z } from "zod";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { changeVisitEntry, VISIT_PRESSES } from "#app/domains/waiting-room/queue/change-visit-entry.server.ts";
import { entryStateWord } from "#app/domains/waiting-room/queue/words.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { submitForm } from "#app/http/submit-form.server.ts";
import { m } from "#app/paraglide/messages.js";

const PressSchema = z.object({ intent: z.enum(VISIT_PRESSES), visit: z.uuid() });

/** Handles the presses of a page with rows of a day (`DayStep`), and shows the same page again. */
export function submitVisitPress(ctx: Ctx<Actor>, { request, url }: { request: Request; url: URL }) {
  return submitForm(request, PressSchema, async ({ intent, visit }) => {
    const { number, state } = await changeVisitEntry(ctx, { appointmentId: visit, action: intent });
    const { pathname, search } = url;
    return redirectWithToast(pathname + search, m.queue_entry_done_now({ number, state: entryStateWord(state) }));
  });
}
