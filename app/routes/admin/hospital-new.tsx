import { href } from "react-router";
import { HospitalForm } from "#app/domains/credentials/hospitals/components/hospital-form.tsx";
import { createHospital } from "#app/domains/credentials/hospitals/create-hospital.server.ts";
import { HospitalSchema } from "#app/domains/credentials/hospitals/hospitals.schema.ts";
import { listStates } from "#app/domains/credentials/hospitals/queries.server.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { submitOwn } from "#app/http/submit-form.server.ts";
import { m } from "#app/paraglide/messages.js";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/hospital-new.ts";

export const loader = loadOwn(async (ctx) => ({ states: await listStates(ctx) }));

export const action = submitOwn(HospitalSchema, async (ctx, input) => {
  const { id } = await createHospital(ctx, input);
  return redirectWithToast(href("/admin/hospitals/:id", { id }), m.admin_hospital_created({ hospital: input.name }));
});

export default function NewHospital({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <Page title={m.admin_hospital_add_title()} back={{ to: href("/admin/hospitals"), label: m.admin_back_to_hospitals() }}>
      <HospitalForm seen="" states={loaderData.states} result={actionData?.result} button={m.admin_hospitals_add()} />
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.admin_hospital_add_title() }) }];
