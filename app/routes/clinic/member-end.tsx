import { href } from "react-router";
import { z } from "zod";
import { changeMember } from "#app/domains/places/members/change-member.server.ts";
import { getMember } from "#app/domains/places/members/queries.server.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { submitOwn } from "#app/http/submit-form.server.ts";
import { m } from "#app/paraglide/messages.js";
import { ConfirmPage } from "#app/ui/yes-no.tsx";
import type { Route } from "./+types/member-end.ts";

export const loader = loadOwn(async (ctx, { params }: Route.LoaderArgs) => {
  const { name, email, state, place } = await getMember(ctx, params.id, params.memberId);
  return { name: name || email || "", invited: state === "invited", place };
});

export const action = submitOwn(z.object({}), async (ctx, _, { params }: Route.ActionArgs) => {
  await changeMember(ctx, { hospitalId: params.id, id: params.memberId, action: "end" });
  return redirectWithToast(href("/clinic/:id", { id: params.id }), m.clinic_member_removed());
});

export default function EndMember({ loaderData, actionData, params }: Route.ComponentProps) {
  const { name, invited, place } = loaderData;
  const back = href("/clinic/:id/staff/:memberId", params);
  return (
    <ConfirmPage
      title={m.clinic_staff()}
      back={{ to: back, label: name }}
      icon="users"
      question={invited ? m.clinic_revoke_title({ name }) : m.clinic_remove_title({ name })}
      text={invited ? m.clinic_revoke_text() : m.clinic_remove_text({ place })}
      answer={actionData}
    />
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.clinic_staff() }) }];
