import { href } from "react-router";
import { z } from "zod";
import { type BookedSlots, setDaySlots } from "#app/domains/booking/availability/change-slots.server.ts";
import { BookedNote } from "#app/domains/booking/availability/components/booked-note.tsx";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { submitOwn } from "#app/http/submit-form.server.ts";
import { formatDate, isDateKey, todayInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";
import { ConfirmPage } from "#app/ui/yes-no.tsx";
import type { Route } from "./+types/delete.ts";

export const loader = loadOwn(async (ctx, { params }: Route.LoaderArgs) => {
  if (!isDateKey(params.date) || params.date < todayInIndia(ctx.now)) throw new DomainError("not-found");
  return { date: params.date };
});

export const action = submitOwn(z.object({}), async (ctx, _, { params }: Route.ActionArgs) => {
  await setDaySlots(ctx, { date: params.date, slots: [] });
  return redirectWithToast(href("/doctor/availability"), m.availability_deleted());
});

export default function AvailabilityDelete({ loaderData, actionData }: Route.ComponentProps) {
  const detail = actionData?.detail as BookedSlots | undefined;
  return (
    <ConfirmPage
      title={m.availability_delete()}
      back={{ to: href("/doctor/availability"), label: m.availability_title() }}
      icon="calendar-x"
      question={m.availability_delete_question({ date: formatDate(loaderData.date) })}
      answer={actionData}
      pendingText={m.availability_deleting()}
    >
      {detail?.booked && <BookedNote booked={detail.booked} />}
    </ConfirmPage>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.availability_delete() }) }];
