import { data, href } from "react-router";
import { z } from "zod";
import { confirmNotificationEmail, getEmailLink } from "#app/domains/platform/settings/notification-email.server.ts";
import { ctxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { orRefuse } from "#app/http/refusals.server.ts";
import { submitForm } from "#app/http/submit-form.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import type { PageHandle } from "#app/ui/document.tsx";
import { Form, SubmitButton, useNadiForm } from "#app/ui/form.tsx";
import { Note } from "#app/ui/pieces.tsx";
import { SplitPage } from "#app/ui/split-page.tsx";
import type { Route } from "./+types/confirm-email.ts";

export const handle = { secret: "token" } satisfies PageHandle;

/** Opening the link changes nothing, because mail programs may open it before the user does. */
export const loader = load(async ({ context, params }: Route.LoaderArgs) => {
  try {
    return data(await getEmailLink(ctxOf(context), params.token));
  } catch (error) {
    if (error instanceof DomainError && error.code === "not-found") return data({ email: null }, { status: 404 });
    throw error;
  }
});

/** The URL contains a secret, so it must not be cached. */
export const headers: Route.HeadersFunction = () => ({ "Cache-Control": "no-store" });

export async function action({ context, params, request }: Route.ActionArgs) {
  return submitForm(request, z.object({}), async () => {
    await orRefuse(() => confirmNotificationEmail(ctxOf(context), { token: params.token }));
    return redirectWithToast(href("/patient/settings"), m.email_confirmed());
  });
}

/** The page of the emailed link: one button. */
export default function ConfirmEmail({ loaderData: { email }, actionData }: Route.ComponentProps) {
  const [form] = useNadiForm({ id: "confirm", lastResult: actionData?.result ?? null });
  return (
    <SplitPage drawing="care" tagline={m.email_tagline()} lean>
      <h1>{email ? m.email_confirm_title() : m.email_link_over_title()}</h1>
      {email ? (
        <>
          <p className="text-ink-soft">{m.email_confirm_text({ email })}</p>
          <Form form={form} className="mt-6">
            <SubmitButton size="lg" full pendingText={m.email_confirming()}>
              {m.email_confirm()}
            </SubmitButton>
          </Form>
        </>
      ) : (
        <>
          <Note tone="warn" className="mt-5">
            {m.email_link_over()}
          </Note>
          <LinkButton to={href("/patient/settings/email")} size="lg" full className="mt-6">
            {m.email_new_link()}
          </LinkButton>
        </>
      )}
    </SplitPage>
  );
}

export const meta: Route.MetaFunction = () => [
  { title: m.ui_title({ page: m.email_confirm_title() }) },
  { name: "robots", content: "noindex" },
];
