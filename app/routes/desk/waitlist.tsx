import { data } from "react-router";
import { WaitlistTable } from "#app/domains/booking/waitlist/components/waitlist-table.tsx";
import { listWaitlistOf } from "#app/domains/booking/waitlist/queries.server.ts";
import { deskOf } from "#app/http/desk.server.ts";
import { load } from "#app/http/load.server.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/waitlist.ts";

export const loader = load(async ({ context, request }: Route.LoaderArgs) => {
  const { ctx, headers, place, doctors } = await deskOf(context, request);
  const ids = doctors.map(({ id }) => id);
  return data({ entries: await listWaitlistOf(ctx, ids, place.id), today: todayInIndia(ctx.now) }, { headers });
});

/** Who waits for an earlier time with the doctors of a place. */
export default function DeskWaitlist({ loaderData }: Route.ComponentProps) {
  return (
    <Page wide title={m.waitlist_title()} className="desktop:max-w-desk">
      <WaitlistTable {...loaderData} withDoctor />
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.waitlist_title() }) }];
