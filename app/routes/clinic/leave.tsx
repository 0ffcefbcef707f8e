import { href } from "react-router";
import { z } from "zod";
import { homeOf } from "#app/areas.ts";
import { leavePlace } from "#app/domains/places/members/change-member.server.ts";
import { getPlace } from "#app/domains/places/members/queries.server.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { submitOwn } from "#app/http/submit-form.server.ts";
import { m } from "#app/paraglide/messages.js";
import { ConfirmPage } from "#app/ui/yes-no.tsx";
import type { Route } from "./+types/leave.ts";

export const loader = loadOwn(async (ctx, { params }: Route.LoaderArgs) => {
  const { place } = await getPlace(ctx, params.id);
  return { name: place.name };
});

export const action = submitOwn(z.object({}), async (ctx, _, { params }: Route.ActionArgs) => {
  await leavePlace(ctx, params.id);
  return redirectWithToast(homeOf(ctx.actor.role), m.clinic_left(), { stays: true });
});

export default function Leave({ loaderData, actionData, params }: Route.ComponentProps) {
  const back = href("/clinic/:id", { id: params.id });
  return (
    <ConfirmPage
      title={loaderData.name}
      back={{ to: back, label: loaderData.name }}
      icon="log-out"
      question={m.clinic_leave_title({ place: loaderData.name })}
      text={m.clinic_leave_text()}
      answer={actionData}
    />
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.clinic_leave() }) }];
