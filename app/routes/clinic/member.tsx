import { href } from "react-router";
import { changeMember, editMember } from "#app/domains/places/members/change-member.server.ts";
import { MemberBadge } from "#app/domains/places/members/components/member-badge.tsx";
import { MemberFields } from "#app/domains/places/members/components/member-fields.tsx";
import { resendInvitation } from "#app/domains/places/members/invite-member.server.ts";
import { MemberPageSchema } from "#app/domains/places/members/members.schema.ts";
import { canMember } from "#app/domains/places/members/membership.state.ts";
import { getMember } from "#app/domains/places/members/queries.server.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { submitGuarded, unsentForm } from "#app/http/proof.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { formatInstant } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { ErrorSummary, Form, SubmitButton, useNadiForm } from "#app/ui/form.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/member.ts";

export const loader = loadOwn(async (ctx, { context, params, request }: Route.LoaderArgs) => {
  const { doctorIds, ...member } = await getMember(ctx, params.id, params.memberId);
  return { ...member, doctorIds, now: ctx.now, unsent: await unsentForm({ context, request }) };
});

export const action = submitGuarded(MemberPageSchema, async (ctx, input, { params }: Route.ActionArgs) => {
  const which = { hospitalId: params.id, id: params.memberId };
  const here = href("/clinic/:id/staff/:memberId", params);
  if (input.intent === "resend") {
    const { email } = await resendInvitation(ctx, which);
    return redirectWithToast(here, m.clinic_invite_sent({ email }), { stays: true });
  }
  if (input.intent === "save") await editMember(ctx, { ...which, ...input });
  else await changeMember(ctx, { ...which, action: input.intent });
  const done = { save: m.clinic_member_saved, suspend: m.clinic_member_suspended, resume: m.clinic_member_resumed }[input.intent];
  return redirectWithToast(here, done());
});

export default function Member({ loaderData, actionData, params }: Route.ComponentProps) {
  const { name, email, state, role, doctorIds, doctors, place, expiresAt, own, now, unsent } = loaderData;
  const result = actionData?.result ?? unsent;
  const saves = result?.initialValue?.intent === "save";
  const [refused] = useNadiForm({ id: "refused", lastResult: saves ? null : result });
  const [change] = useNadiForm({ id: "change" });
  const [form, fields] = useNadiForm<{ role: string; doctorIds: string[] }>({
    id: "member",
    lastResult: saves ? result : null,
    defaultValue: { role, doctorIds },
  });
  const title = name || email || m.clinic_staff();
  return (
    <Page title={title} back={{ to: href("/clinic/:id", { id: params.id }), label: place }}>
      <p className="row flex-wrap mb-3">
        <MemberBadge state={state} />
        {name && <span className="text-ink-soft">{email}</span>}
      </p>
      {state === "invited" && expiresAt && (
        <p className="text-sm text-ink-soft mb-3">
          {expiresAt > now ? m.clinic_invited_until({ date: formatInstant(expiresAt) }) : m.clinic_invite_expired()}
        </p>
      )}
      <ErrorSummary form={refused} />
      <Form form={form} className="card">
        <MemberFields role={fields.role} doctorIds={fields.doctorIds} doctors={doctors} />
        <SubmitButton name="intent" value="save" full className="mt-3">
          {m.clinic_member_save()}
        </SubmitButton>
      </Form>
      {!own && (
        <Form form={change} className="mt-7 space-y-4">
          {state === "invited" && (
            <SubmitButton name="intent" value="resend" variant="second" full>
              {m.clinic_resend()}
            </SubmitButton>
          )}
          {canMember("suspend", state, "owner") && (
            <SubmitButton name="intent" value="suspend" variant="second" full>
              {m.clinic_suspend()}
            </SubmitButton>
          )}
          {canMember("resume", state, "owner") && (
            <SubmitButton name="intent" value="resume" variant="second" full>
              {m.clinic_resume()}
            </SubmitButton>
          )}
          <LinkButton to={href("/clinic/:id/staff/:memberId/end", params)} variant="danger" full>
            {state === "invited" ? m.clinic_revoke() : m.clinic_remove_member()}
          </LinkButton>
        </Form>
      )}
    </Page>
  );
}

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: m.ui_title({ page: loaderData?.name || loaderData?.email || m.clinic_staff() }) },
];
