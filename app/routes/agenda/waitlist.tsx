import { data } from "react-router";
import { WaitlistTable } from "#app/domains/booking/waitlist/components/waitlist-table.tsx";
import { listWaitlistOf } from "#app/domains/booking/waitlist/queries.server.ts";
import { areaIn } from "#app/http/context.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/waitlist.ts";
import { deskOf } from "./desk.server.ts";

export const loader = loadOwn(async (ctx, { context, request }: Route.LoaderArgs) => {
  const own = areaIn(context, "doctor", "desk") === "doctor";
  const today = todayInIndia(ctx.now);
  if (own) return data({ own, entries: await listWaitlistOf(ctx, [ctx.actor.userId]), today });
  const { headers, place, doctors } = await deskOf(context, request);
  const ids = doctors.map(({ id }) => id);
  return data({ own, entries: await listWaitlistOf(ctx, ids, place.id), today }, { headers });
});

/** Who waits for an earlier time with the doctor, or with the doctors of a place. */
export default function Waitlist({ loaderData: { own, ...waitlist } }: Route.ComponentProps) {
  return (
    <Page wide={own || "desk"} title={m.waitlist_title()}>
      <WaitlistTable {...waitlist} withDoctor={!own} />
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.waitlist_title() }) }];
