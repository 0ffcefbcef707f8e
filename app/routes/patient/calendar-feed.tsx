import { loadCalendarFeed, submitCalendarFeed } from "#app/http/calendar-feed.server.ts";
import { load } from "#app/http/load.server.ts";
import { m } from "#app/paraglide/messages.js";
import { CalendarFeedPage } from "../shared/calendar-feed-page.tsx";
import type { Route } from "./+types/calendar-feed.ts";

export const loader = load(loadCalendarFeed);

export const action = submitCalendarFeed;

export default function CalendarFeed({ loaderData }: Route.ComponentProps) {
  return <CalendarFeedPage url={loaderData.url} />;
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.feed_title() }) }];
