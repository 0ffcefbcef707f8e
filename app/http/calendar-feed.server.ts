/** Loader and action of the pages of a private calendar address, of patients and doctors. */
import { href, type RouterContextProvider } from "react-router";
import { z } from "zod";
import { endFeed, getFeedKey, replaceFeedKey } from "#app/domains/booking/calendar-feed/feed-address.server.ts";
import { m } from "#app/paraglide/messages.js";
import { env } from "#app/runtime/env.server.ts";
import { actorCtxOf } from "./context.ts";
import { redirectWithToast } from "./redirects.server.ts";
import { submitForm } from "./submit-form.server.ts";

type Args = { context: Readonly<RouterContextProvider>; request: Request };

export async function loadCalendarFeed({ context }: Pick<Args, "context">): Promise<{ url: string | null }> {
  const key = await getFeedKey(actorCtxOf(context));
  return { url: key && `${env().appUrl.origin}/calendar/${key}.ics` };
}

const FeedSchema = z.object({ intent: z.enum(["replace", "end"]) });

export function submitCalendarFeed({ context, request }: Args) {
  const ctx = actorCtxOf(context);
  const here = ctx.actor.role === "doctor" ? href("/doctor/settings/calendar") : href("/patient/settings/calendar");
  return submitForm(request, FeedSchema, async ({ intent }) => {
    await (intent === "end" ? endFeed : replaceFeedKey)(ctx);
    return redirectWithToast(here, intent === "end" ? m.feed_ended() : m.feed_made());
  });
}
