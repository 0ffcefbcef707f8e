import { href } from "react-router";
import { z } from "zod";
import { getPasskey, removePasskey } from "#app/domains/platform/accounts/passkeys.server.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { requireFreshProof, submitGuarded } from "#app/http/proof.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { m } from "#app/paraglide/messages.js";
import { ConfirmPage } from "#app/ui/yes-no.tsx";
import type { Route } from "./+types/passkey-remove.ts";

const LIST = href("/account/security/passkeys");
export const middleware = [requireFreshProof("remove-passkey")];

export const loader = loadOwn(async (ctx, { params }: Route.LoaderArgs) => getPasskey(ctx, params.id));

export const action = submitGuarded(z.object({}), async (ctx, _, { params }: Route.ActionArgs) => {
  await removePasskey(ctx, params.id);
  return redirectWithToast(LIST, m.passkeys_removed());
});

export default function RemovePasskey({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <ConfirmPage
      title={m.passkeys_title()}
      back={{ to: LIST, label: m.passkeys_back_to_list() }}
      icon="lock"
      question={m.passkeys_remove_title({ name: loaderData.name })}
      text={`${m.passkeys_remove_text()} ${m.passkeys_stays()}`}
      answer={actionData}
      yes={m.passkeys_remove()}
      no={m.proof_cancel()}
    />
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.passkeys_title() }) }];
