import { href } from "react-router";
import { acceptInvitation, getInvitation } from "#app/domains/credentials/hospitals/accept-invitation.server.ts";
import { InvitationAcceptSchema } from "#app/domains/credentials/hospitals/hospitals.schema.ts";
import { ctxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { submitForm } from "#app/http/submit-form.server.ts";
import { MAX_LINE } from "#app/lib/text-limits.ts";
import { m } from "#app/paraglide/messages.js";
import type { PageHandle } from "#app/ui/document.tsx";
import { Form, PasswordField, PhoneField, SubmitButton, TextField, useNadiForm } from "#app/ui/form.tsx";
import { SplitPage } from "#app/ui/split-page.tsx";
import type { Route } from "./+types/invitation.ts";

export const handle = { secret: "token" } satisfies PageHandle;

/** Opening the link changes nothing, because mail programs may open it before the user does. */
export const loader = load(async ({ context, params }: Route.LoaderArgs) => getInvitation(ctxOf(context), params.token));

/** The URL contains a secret: never cached, and never sent to other sites (the referrer policy of every response). */
export const headers: Route.HeadersFunction = () => ({ "Cache-Control": "no-store" });

export async function action({ context, params, request }: Route.ActionArgs) {
  const ctx = ctxOf(context);
  return submitForm(
    request,
    InvitationAcceptSchema,
    async (input) => {
      const { hospitalName } = await getInvitation(ctx, params.token);
      const account = input.intent === "make" ? { name: input.name, phone: input.phone, password: input.password } : undefined;
      await acceptInvitation(ctx, { token: params.token, account });
      return redirectWithToast(href("/dual-doctor"), m.admin_invitation_done({ hospital: hospitalName }), { stays: true });
    },
    { hide: ["password"] },
  );
}

export default function Invitation({ loaderData, actionData }: Route.ComponentProps) {
  const { hospitalName, address, email, hasAccount, name } = loaderData;
  const [form, fields] = useNadiForm<{ name: string; phone: string; password: string }>({
    id: "invitation",
    lastResult: actionData?.result ?? null,
    defaultValue: { name },
  });
  return (
    <SplitPage drawing="care" tagline={m.admin_invitation_tagline()} lean>
      <h1>{m.admin_invitation_title({ hospital: hospitalName })}</h1>
      <p className="text-ink-soft">{address}</p>
      <p className="mt-2">{hasAccount ? m.admin_invitation_text_known({ email }) : m.admin_invitation_text({ email })}</p>
      <Form form={form} className="mt-6">
        {!hasAccount && (
          <>
            <TextField field={fields.name} label={m.admin_invitation_name()} autoComplete="name" maxLength={MAX_LINE} />
            <PhoneField field={fields.phone} label={m.accounts_mobile_label()} hint={m.accounts_mobile_hint()} />
            <PasswordField
              field={fields.password}
              label={m.accounts_password_label()}
              hint={m.accounts_password_hint_staff()}
              autoComplete="new-password"
            />
          </>
        )}
        <SubmitButton name="intent" value={hasAccount ? "accept" : "make"} size="lg" full pendingText={m.admin_invitation_making()}>
          {hasAccount ? m.admin_invitation_accept() : m.admin_invitation_make()}
        </SubmitButton>
      </Form>
    </SplitPage>
  );
}

export const meta: Route.MetaFunction = () => [
  { title: m.ui_title({ page: m.admin_invite_title() }) },
  { name: "robots", content: "noindex" },
];
