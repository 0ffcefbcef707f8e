import { href } from "react-router";
import { PasskeyNameSchema } from "#app/domains/platform/accounts/passkey.schema.ts";
import { getPasskey, renamePasskey } from "#app/domains/platform/accounts/passkeys.server.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { submitOwn } from "#app/http/submit-form.server.ts";
import { m } from "#app/paraglide/messages.js";
import { Form, SubmitButton, TextField, useNadiForm } from "#app/ui/form.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/passkey-rename.ts";

const LIST = href("/account/security/passkeys");

export const loader = loadOwn(async (ctx, { params }: Route.LoaderArgs) => getPasskey(ctx, params.id));

export const action = submitOwn(PasskeyNameSchema, async (ctx, { name }, { params }: Route.ActionArgs) => {
  await renamePasskey(ctx, { id: params.id, name });
  return redirectWithToast(LIST, m.passkeys_renamed());
});

export default function RenamePasskey({ loaderData, actionData }: Route.ComponentProps) {
  const [form, fields] = useNadiForm<{ name: string }>({
    id: "rename",
    lastResult: actionData?.result,
    defaultValue: { name: loaderData.name },
  });
  return (
    <Page title={m.passkeys_rename_of({ name: loaderData.name })} back={{ to: LIST, label: m.passkeys_back_to_list() }}>
      <section className="card">
        <Form form={form}>
          <TextField field={fields.name} label={m.passkeys_name()} hint={m.passkeys_name_hint()} maxLength={60} autoComplete="off" />
          <SubmitButton full>{m.passkeys_save()}</SubmitButton>
        </Form>
      </section>
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.passkeys_title() }) }];
