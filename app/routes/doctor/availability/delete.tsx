import { href } from "react-router";
import { z } from "zod";
import { type BookedSlots, setDaySlots } from "#app/domains/booking/availability/change-slots.server.ts";
import { BookedNote } from "#app/domains/booking/availability/components/booked-note.tsx";
import { actorCtxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { submitForm } from "#app/http/submit-form.server.ts";
import { formatDate, isDateKey, todayInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";
import { useNadiForm } from "#app/ui/form.tsx";
import { Page } from "#app/ui/shell.tsx";
import { ConfirmCard } from "#app/ui/states.tsx";
import { YesNo } from "#app/ui/yes-no.tsx";
import type { Route } from "./+types/delete.ts";

export const loader = load(async ({ context, params }: Route.LoaderArgs) => {
  if (!isDateKey(params.date) || params.date < todayInIndia(actorCtxOf(context).now)) throw new DomainError("not-found");
  return { date: params.date };
});

export async function action({ context, params, request }: Route.ActionArgs) {
  return submitForm(request, z.object({}), async () => {
    await setDaySlots(actorCtxOf(context), { date: params.date, slots: [] });
    return redirectWithToast(href("/doctor/availability"), m.availability_deleted());
  });
}

export default function AvailabilityDelete({ loaderData, actionData }: Route.ComponentProps) {
  const [form] = useNadiForm({ id: "delete", lastResult: actionData?.result });
  const detail = actionData?.detail as BookedSlots | undefined;
  return (
    <Page title={m.availability_delete()} titleAs="p" back={{ to: href("/doctor/availability"), label: m.availability_title() }}>
      <ConfirmCard
        icon="calendar-x"
        title={m.availability_delete_question({ date: formatDate(loaderData.date) })}
        actions={<YesNo form={form} back={href("/doctor/availability")} pendingText={m.availability_deleting()} />}
      >
        {detail?.booked && <BookedNote booked={detail.booked} />}
      </ConfirmCard>
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.availability_delete() }) }];
