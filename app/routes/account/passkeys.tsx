import { href } from "react-router";
import { PasskeySection } from "#app/domains/platform/accounts/components/passkey-section.tsx";
import { load } from "#app/http/load.server.ts";
import { readOwnPasskeys } from "#app/http/passkeys.server.ts";
import { m } from "#app/paraglide/messages.js";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/passkeys.ts";

export const loader = load(({ context, request }: Route.LoaderArgs) => readOwnPasskeys(context, request));

export default function Passkeys({ loaderData }: Route.ComponentProps) {
  return (
    <Page title={m.accounts_security_title()} back={{ to: href("/account/security"), label: m.passkeys_back() }}>
      <PasskeySection {...loaderData} />
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.passkeys_title() }) }];
