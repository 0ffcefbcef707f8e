import { href } from "react-router";
import { HospitalForm } from "#app/domains/credentials/hospitals/components/hospital-form.tsx";
import { editHospital } from "#app/domains/credentials/hospitals/edit-hospital.server.ts";
import { HospitalSchema } from "#app/domains/credentials/hospitals/hospitals.schema.ts";
import { getHospital, listStates } from "#app/domains/credentials/hospitals/queries.server.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { submitOwn } from "#app/http/submit-form.server.ts";
import { formatPhone } from "#app/lib/phone.ts";
import { m } from "#app/paraglide/messages.js";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/hospital-edit.ts";

export const loader = loadOwn(async (ctx, { params }: Route.LoaderArgs) => {
  const [h, states] = await Promise.all([getHospital(ctx, params.id), listStates(ctx)]);
  return {
    id: h.id,
    seen: h.updatedAt.toISOString(),
    // A state that a doctor entered may be unknown. Then the administrator has to choose one.
    states,
    defaults: {
      name: h.name,
      category: h.category,
      address: h.address,
      area: h.area,
      city: h.city,
      state: states.includes(h.state) ? h.state : "",
      pinCode: h.pinCode ?? "",
      phone: h.phone ? formatPhone(h.phone) : "",
      email: h.email ?? "",
      workingHours: h.workingHours,
      about: h.about,
      access: h.access,
    },
  };
});

export const action = submitOwn(HospitalSchema, async (ctx, input, { params }: Route.ActionArgs) => {
  await editHospital(ctx, { ...input, id: params.id });
  return redirectWithToast(href("/admin/hospitals/:id", { id: params.id }), m.admin_hospital_saved());
});

export default function EditHospital({ loaderData, actionData }: Route.ComponentProps) {
  const { id, seen, states, defaults } = loaderData;
  return (
    <Page title={m.admin_hospital_edit_title()} back={{ to: href("/admin/hospitals/:id", { id }), label: m.admin_back_to_hospitals() }}>
      <HospitalForm
        key={seen}
        seen={seen}
        states={states}
        defaults={defaults}
        result={actionData?.result}
        button={m.admin_hospital_save()}
      />
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.admin_hospital_edit_title() }) }];
