import { href } from "react-router";
import { z } from "zod";
import { changePlaceDoctor } from "#app/domains/places/members/place-doctors.server.ts";
import { getPlaceDoctor } from "#app/domains/places/members/queries.server.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { submitOwn } from "#app/http/submit-form.server.ts";
import { m } from "#app/paraglide/messages.js";
import { ConfirmPage } from "#app/ui/yes-no.tsx";
import type { Route } from "./+types/doctor-remove.ts";

export const loader = loadOwn(async (ctx, { params }: Route.LoaderArgs) => {
  const { name, place } = await getPlaceDoctor(ctx, params.id, params.doctorId);
  return { name, place };
});

export const action = submitOwn(z.object({}), async (ctx, _, { params }: Route.ActionArgs) => {
  await changePlaceDoctor(ctx, { hospitalId: params.id, doctorId: params.doctorId, action: "end" });
  return redirectWithToast(href("/clinic/:id/doctors", { id: params.id }), m.clinic_doctor_removed());
});

export default function RemoveDoctor({ loaderData, actionData, params }: Route.ComponentProps) {
  const { name, place } = loaderData;
  const back = href("/clinic/:id/doctors", { id: params.id });
  return (
    <ConfirmPage
      title={m.clinic_doctors()}
      back={{ to: back, label: m.clinic_doctors() }}
      icon="users"
      question={m.clinic_doctor_remove_title({ doctor: name, place })}
      text={m.clinic_doctor_remove_text()}
      answer={actionData}
    />
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.clinic_doctors() }) }];
