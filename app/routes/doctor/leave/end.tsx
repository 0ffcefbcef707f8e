import { href } from "react-router";
import { z } from "zod";
import { endLeave, listLeaves } from "#app/domains/clinic/practices/leave.server.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { submitOwn } from "#app/http/submit-form.server.ts";
import { formatDay } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";
import { ConfirmPage } from "#app/ui/yes-no.tsx";
import type { Route } from "./+types/end.ts";

export const handle = { bar: false };

export const loader = loadOwn(async (ctx, { params }: Route.LoaderArgs) => {
  const leave = (await listLeaves(ctx)).find(({ id }) => id === params.id);
  if (!leave) throw new DomainError("not-found");
  return { from: leave.from, until: leave.until };
});

export const action = submitOwn(z.object({}), async (ctx, _, { params }: Route.ActionArgs) => {
  await endLeave(ctx, params.id);
  return redirectWithToast(href("/doctor/practices"), m.practices_leave_ended());
});

export default function LeaveEnd({ loaderData, actionData }: Route.ComponentProps) {
  const { from, until } = loaderData;
  return (
    <ConfirmPage
      title={m.practices_leave_end()}
      back={{ to: href("/doctor/practices"), label: m.practices_title() }}
      icon="calendar-days"
      question={m.practices_leave_end_question({ from: formatDay(from), until: formatDay(until) })}
      answer={actionData}
      mild
      yes={m.practices_leave_end_yes()}
      no={m.ui_back()}
    >
      <p className="text-ink-soft">{m.practices_leave_end_text()}</p>
    </ConfirmPage>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.practices_leave_end() }) }];
