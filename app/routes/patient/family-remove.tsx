import { href } from "react-router";
import { z } from "zod";
import { endEntriesOfMember } from "#app/domains/booking/waitlist/end-entries.server.ts";
import { getFamilyMember } from "#app/domains/patients/family/queries.server.ts";
import { removeFamilyMember } from "#app/domains/patients/family/save-family.server.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { orRefuse } from "#app/http/refusals.server.ts";
import { submitOwn } from "#app/http/submit-form.server.ts";
import { m } from "#app/paraglide/messages.js";
import { ConfirmPage } from "#app/ui/yes-no.tsx";
import type { Route } from "./+types/family-remove.ts";

export const loader = loadOwn(async (ctx, { params }: Route.LoaderArgs) => ({
  person: await getFamilyMember(ctx, params.id),
}));

export const action = submitOwn(z.object({}), async (ctx, _, { params }: Route.ActionArgs) => {
  const { name } = await orRefuse(() => removeFamilyMember(ctx, params.id, endEntriesOfMember));
  return redirectWithToast(href("/patient/family"), m.family_removed({ name }));
});

export default function FamilyRemove({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <ConfirmPage
      title={m.family_remove_title()}
      back={{ to: href("/patient/family"), label: m.family_back() }}
      icon="trash-2"
      question={m.family_remove_question({ name: loaderData.person.name })}
      text={m.family_remove_text()}
      answer={actionData}
      yes={m.family_remove_yes()}
      no={m.family_remove_no()}
    />
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.family_remove_title() }) }];
