import { href } from "react-router";
import { acceptMembership, declineMembership, getMembershipInvitation } from "#app/domains/places/members/accept-membership.server.ts";
import { JoinSchema } from "#app/domains/places/members/members.schema.ts";
import { memberRoleWord } from "#app/domains/places/members/words.ts";
import { ctxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { submitForm } from "#app/http/submit-form.server.ts";
import { MAX_LINE } from "#app/lib/text-limits.ts";
import { m } from "#app/paraglide/messages.js";
import type { PageHandle } from "#app/ui/document.tsx";
import { Form, PasswordField, PhoneField, SubmitButton, TextField, useNadiForm } from "#app/ui/form.tsx";
import { SplitPage } from "#app/ui/split-page.tsx";
import type { Route } from "./+types/join.ts";

export const handle = { secret: "token" } satisfies PageHandle;

/** Opening the link changes nothing, because mail programs may open it before the user does. */
export const loader = load(async ({ context, params }: Route.LoaderArgs) => {
  const { hospitalId: _, ...shown } = await getMembershipInvitation(ctxOf(context), params.token);
  return shown;
});

/** The URL contains a secret: never cached, and never sent to other sites (the referrer policy of every response). */
export const headers: Route.HeadersFunction = () => ({ "Cache-Control": "no-store" });

export async function action({ context, params, request }: Route.ActionArgs) {
  const ctx = ctxOf(context);
  return submitForm(
    request,
    JoinSchema,
    async (input) => {
      const { place } = await getMembershipInvitation(ctx, params.token);
      if (input.intent === "decline") {
        await declineMembership(ctx, params.token);
        return redirectWithToast(href("/"), m.clinic_join_declined({ place }), { stays: true });
      }
      const account = input.intent === "make" ? { name: input.name, phone: input.phone, password: input.password } : undefined;
      await acceptMembership(ctx, { token: params.token, account });
      return redirectWithToast(href("/dual-doctor"), m.clinic_join_done({ place }), { stays: true });
    },
    { hide: ["password"] },
  );
}

export default function Join({ loaderData, actionData }: Route.ComponentProps) {
  const { place, address, email, hasAccount, name, memberRole } = loaderData;
  const [form, fields] = useNadiForm<{ name: string; phone: string; password: string }>({
    id: "join",
    lastResult: actionData?.result ?? null,
    defaultValue: { name },
  });
  const [decline] = useNadiForm({ id: "decline" });
  return (
    <SplitPage drawing="care" tagline={m.clinic_join_tagline()} lean>
      <h1>{m.clinic_join_title({ place })}</h1>
      <p className="text-ink-soft">{address}</p>
      <p className="mt-2">{m.clinic_join_role({ role: memberRoleWord(memberRole) })}</p>
      <p className="mt-2">{hasAccount ? m.clinic_join_text_known({ email }) : m.clinic_join_text({ email })}</p>
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
        <SubmitButton name="intent" value={hasAccount ? "accept" : "make"} size="lg" full>
          {hasAccount ? m.clinic_join_accept() : m.clinic_join_make()}
        </SubmitButton>
      </Form>
      <Form form={decline} className="mt-2">
        <SubmitButton name="intent" value="decline" variant="quiet" full>
          {m.clinic_join_decline()}
        </SubmitButton>
      </Form>
    </SplitPage>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.clinic_title() }) }, { name: "robots", content: "noindex" }];
