import { href } from "react-router";
import { z } from "zod";
import { getHospital } from "#app/domains/credentials/hospitals/queries.server.ts";
import { removeOwner } from "#app/domains/places/members/change-member.server.ts";
import { MemberBadge } from "#app/domains/places/members/components/member-badge.tsx";
import { inviteOwner } from "#app/domains/places/members/invite-member.server.ts";
import { InviteOwnerSchema } from "#app/domains/places/members/members.schema.ts";
import { listOwners } from "#app/domains/places/members/queries.server.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { requireFreshProof, submitGuarded, unsentForm } from "#app/http/proof.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { LANGUAGE_NAMES, LANGUAGES, language } from "#app/lib/language.ts";
import { MAX_EMAIL, MAX_LINE } from "#app/lib/text-limits.ts";
import { m } from "#app/paraglide/messages.js";
import { ErrorSummary, Form, SelectField, SubmitButton, TextField, useNadiForm } from "#app/ui/form.tsx";
import { Note } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import { DividedList } from "#app/ui/staff/divided-list.tsx";
import type { Route } from "./+types/hospital-owners.ts";

export const middleware = [requireFreshProof("invite-member")];

export const loader = loadOwn(async (ctx, { context, params, request }: Route.LoaderArgs) => {
  const { id, name, status } = await getHospital(ctx, params.id);
  return { id, name, active: status === "active", owners: await listOwners(ctx, id), unsent: await unsentForm({ context, request }) };
});

const OwnersPageSchema = z.discriminatedUnion("intent", [
  InviteOwnerSchema.extend({ intent: z.literal("invite") }),
  z.object({ intent: z.literal("remove"), id: z.uuid() }),
]);

export const action = submitGuarded(OwnersPageSchema, async (ctx, input, { params }: Route.ActionArgs) => {
  const here = href("/admin/hospitals/:id/owners", { id: params.id });
  if (input.intent === "remove") {
    await removeOwner(ctx, { hospitalId: params.id, id: input.id });
    return redirectWithToast(here, m.clinic_owner_removed());
  }
  await inviteOwner(ctx, { ...input, hospitalId: params.id });
  return redirectWithToast(here, m.clinic_invite_sent({ email: input.email }), { stays: true });
});

export default function Owners({ loaderData, actionData }: Route.ComponentProps) {
  const { id, name, active, owners, unsent } = loaderData;
  const result = actionData?.result ?? unsent;
  const invites = result?.initialValue?.intent === "invite";
  const [refused] = useNadiForm({ id: "refused", lastResult: invites ? null : result });
  const [form, fields] = useNadiForm<{ email: string; name: string; language: string }>({
    id: "invite",
    lastResult: invites ? result : null,
    defaultValue: { language: language() },
  });
  return (
    <Page title={m.clinic_owners()} back={{ to: href("/admin/hospitals/:id", { id }), label: name }}>
      <ErrorSummary form={refused} />
      <p className="text-ink-soft mb-3">{m.clinic_owners_text()}</p>
      {owners.length > 0 && (
        <DividedList className="card">
          {owners.map((owner) => (
            <Owner key={owner.id} {...owner} name={owner.name || owner.email || ""} />
          ))}
        </DividedList>
      )}
      {active ? (
        <Form form={form} className="card mt-7">
          <h2>{m.clinic_owner_invite()}</h2>
          <TextField
            field={fields.email}
            label={m.accounts_email_label()}
            type="email"
            autoComplete="off"
            spellCheck={false}
            maxLength={MAX_EMAIL}
          />
          <TextField field={fields.name} label={m.admin_invite_name()} optional autoComplete="off" maxLength={MAX_LINE} />
          <SelectField
            field={fields.language}
            label={m.admin_invite_language()}
            options={LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value], lang: value }))}
          />
          <SubmitButton name="intent" value="invite" full className="mt-3" pendingText={m.admin_invite_sending()}>
            {m.admin_invite_button()}
          </SubmitButton>
        </Form>
      ) : (
        <Note>{m.clinic_owners_inactive()}</Note>
      )}
    </Page>
  );
}

type OwnerProps = { id: string; name: string; email: string | null; state: Parameters<typeof MemberBadge>[0]["state"] };
function Owner({ id, name, email, state }: OwnerProps) {
  const [form] = useNadiForm({ id: `remove-${id}` });
  return (
    <li className="row flex-wrap">
      <div className="grow">
        <p>{name}</p>
        <p className="text-sm text-ink-soft">{email}</p>
      </div>
      <MemberBadge state={state} />
      <Form form={form}>
        <input type="hidden" name="id" value={id} />
        <SubmitButton name="intent" value="remove" variant="quiet" size="sm" aria-label={m.clinic_owner_remove_of({ name })}>
          {m.clinic_owner_remove()}
        </SubmitButton>
      </Form>
    </li>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.clinic_owners() }) }];
