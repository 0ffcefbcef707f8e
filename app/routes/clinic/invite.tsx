import { href } from "react-router";
import { MemberFields } from "#app/domains/places/members/components/member-fields.tsx";
import { inviteMember } from "#app/domains/places/members/invite-member.server.ts";
import { InviteMemberSchema } from "#app/domains/places/members/members.schema.ts";
import { listDoctorChoices } from "#app/domains/places/members/queries.server.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { requireFreshProof, submitGuarded, unsentForm } from "#app/http/proof.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { LANGUAGE_NAMES, LANGUAGES, language } from "#app/lib/language.ts";
import { MAX_EMAIL, MAX_LINE } from "#app/lib/text-limits.ts";
import { m } from "#app/paraglide/messages.js";
import { Form, SelectField, SubmitButton, TextField, useNadiForm } from "#app/ui/form.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/invite.ts";

export const middleware = [requireFreshProof("invite-member")];

export const loader = loadOwn(async (ctx, { context, params, request }: Route.LoaderArgs) => ({
  ...(await listDoctorChoices(ctx, params.id)),
  unsent: await unsentForm({ context, request }),
}));

export const action = submitGuarded(InviteMemberSchema, async (ctx, input, { params }: Route.ActionArgs) => {
  await inviteMember(ctx, { ...input, hospitalId: params.id });
  return redirectWithToast(href("/clinic/:id", { id: params.id }), m.clinic_invite_sent({ email: input.email }), { stays: true });
});

export default function Invite({ loaderData, actionData, params }: Route.ComponentProps) {
  const { place, doctors, unsent } = loaderData;
  const [form, fields] = useNadiForm<{ email: string; name: string; role: string; doctorIds: string[]; language: string }>({
    id: "invite",
    lastResult: actionData?.result ?? unsent,
    defaultValue: { role: "reception", language: language() },
  });
  return (
    <Page title={m.clinic_invite()} back={{ to: href("/clinic/:id", { id: params.id }), label: place }}>
      <p className="text-ink-soft mb-3">{m.clinic_invite_text()}</p>
      <Form form={form} className="card">
        <TextField
          field={fields.email}
          label={m.accounts_email_label()}
          type="email"
          autoComplete="off"
          spellCheck={false}
          maxLength={MAX_EMAIL}
        />
        <TextField field={fields.name} label={m.admin_invite_name()} optional autoComplete="off" maxLength={MAX_LINE} />
        <MemberFields role={fields.role} doctorIds={fields.doctorIds} doctors={doctors} />
        <SelectField
          field={fields.language}
          label={m.admin_invite_language()}
          options={LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value], lang: value }))}
        />
        <SubmitButton full className="mt-3" pendingText={m.admin_invite_sending()}>
          {m.admin_invite_button()}
        </SubmitButton>
      </Form>
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.clinic_invite() }) }];
