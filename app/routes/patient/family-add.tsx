import { href } from "react-router";
import { FamilyForm } from "#app/domains/patients/family/components/family-form.tsx";
import { familyFormOn } from "#app/domains/patients/family/family.schema.ts";
import { addFamilyMember } from "#app/domains/patients/family/save-family.server.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { submitForm } from "#app/http/submit-form.server.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import type { PageHandle } from "#app/ui/document.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/family-add.ts";

export const handle = { bar: false } satisfies PageHandle;

export const loader = loadOwn((ctx) => ({ today: todayInIndia(ctx.now) }));

export async function action({ context, request }: Route.ActionArgs) {
  const ctx = actorCtxOf(context);
  return submitForm(request, familyFormOn(todayInIndia(ctx.now)), async (input) => {
    await addFamilyMember(ctx, input);
    return redirectWithToast(href("/patient/family"), m.family_added({ name: input.name }));
  });
}

export default function FamilyAdd({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <Page wizard title={m.family_add_title()} back={{ to: href("/patient/family"), label: m.family_back() }}>
      <FamilyForm today={loaderData.today} result={actionData?.result} />
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.family_add_title() }) }];
