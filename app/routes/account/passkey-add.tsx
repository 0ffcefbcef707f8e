import { type FormEvent, useState } from "react";
import { href, useSubmit } from "react-router";
import { NeedsScript, whyNot } from "#app/domains/platform/accounts/components/passkey-section.tsx";
import { usePasskey } from "#app/domains/platform/accounts/components/use-passkey.tsx";
import { PasskeyAddSchema } from "#app/domains/platform/accounts/passkey.schema.ts";
import { addPasskey } from "#app/domains/platform/accounts/passkeys.server.ts";
import { deviceOf } from "#app/domains/platform/users/device.ts";
import { actorCtxOf, sessionHashOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { clearPasskeyCookie, passkeySupportAt, passkeyTokenOf } from "#app/http/passkeys.server.ts";
import { requireFreshProof, submitGuardedForm } from "#app/http/proof.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { m } from "#app/paraglide/messages.js";
import { Form, SubmitButton, TextField, useNadiForm } from "#app/ui/form.tsx";
import { Note } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/passkey-add.ts";

const LIST = href("/account/security/passkeys");
export const middleware = [requireFreshProof("add-passkey")];

export const loader = load(({ request }: Route.LoaderArgs) => {
  const { browser, system } = deviceOf(request.headers.get("user-agent"));
  const device = browser && system ? m.settings_device({ browser, system }) : (browser ?? system ?? "");
  return { support: passkeySupportAt(request), device };
});

export async function action({ context, request }: Route.ActionArgs) {
  return submitGuardedForm(
    { context, request },
    PasskeyAddSchema,
    async ({ name, credential }) => {
      const token = passkeyTokenOf(request);
      await addPasskey(actorCtxOf(context), { token, sessionHash: sessionHashOf(context), name, credential });
      return redirectWithToast(LIST, m.passkeys_added(), { cookies: [clearPasskeyCookie()] });
    },
    { hide: ["credential"] },
  );
}

export default function AddPasskey({ loaderData: { support, device }, actionData }: Route.ComponentProps) {
  return (
    <Page title={m.passkeys_add()} back={{ to: LIST, label: m.passkeys_back_to_list() }}>
      {support.state === "yes" ? <Add device={device} result={actionData?.result} /> : <Note>{whyNot(support)}</Note>}
    </Page>
  );
}

type Result = NonNullable<Route.ComponentProps["actionData"]>["result"] | undefined;

function Add({ device, result }: { device: string; result: Result }) {
  const [form, fields] = useNadiForm<{ name: string }>({ id: "passkey", lastResult: result, defaultValue: { name: device } });
  const { hydrated, ready, busy, problem, ask } = usePasskey("add");
  const [unnamed, setUnnamed] = useState(false);
  const submit = useSubmit();
  // Only the script sends the form, with the browser's response.
  const press = async (event: FormEvent) => {
    event.preventDefault();
    const name = String(new FormData(event.target as HTMLFormElement).get("name") ?? "").trim();
    setUnnamed(!name);
    if (!name || busy) return;
    const credential = await ask();
    if (credential) await submit({ name, credential }, { method: "post" });
  };
  return (
    <section className="card">
      <NeedsScript />
      {hydrated && !ready && <Note tone="warn">{m.passkeys_no_browser()}</Note>}
      {ready && (
        <>
          <p className="text-ink-soft mb-3">{m.passkeys_add_text()}</p>
          <div onSubmitCapture={press}>
            <Form form={form}>
              <TextField field={fields.name} label={m.passkeys_name()} hint={m.passkeys_name_hint()} maxLength={60} autoComplete="off" />
              <SubmitButton full icon="plus" pending={busy} pendingText={m.passkeys_adding()}>
                {m.passkeys_add()}
              </SubmitButton>
            </Form>
          </div>
          {(problem || unnamed) && (
            <Note tone="warn" role="status" className="mt-5">
              {unnamed ? m.passkeys_name_required() : problem}
            </Note>
          )}
        </>
      )}
    </section>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.passkeys_add() }) }];
