import { WaitlistTable } from "#app/domains/booking/waitlist/components/waitlist-table.tsx";
import { listWaitlistOf } from "#app/domains/booking/waitlist/queries.server.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/waitlist.ts";

export const loader = load(async ({ context }: Route.LoaderArgs) => {
  const ctx = actorCtxOf(context);
  return { entries: await listWaitlistOf(ctx, [ctx.actor.userId]), today: todayInIndia(ctx.now) };
});

export default function DoctorWaitlist({ loaderData }: Route.ComponentProps) {
  return (
    <Page wide title={m.waitlist_title()}>
      <WaitlistTable {...loaderData} />
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.waitlist_title() }) }];
