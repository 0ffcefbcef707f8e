/** Loader and action of /account/security. */

import type { RouterContextProvider } from "react-router";
import { href } from "react-router";
import { getOwnConsent } from "#app/domains/platform/accounts/consent.server.ts";
import { listOwnApps, revokeOwnApp } from "#app/domains/platform/accounts/own-apps.server.ts";
import { endOtherSessions } from "#app/domains/platform/accounts/own-sessions.server.ts";
import { endOwnSession, listSessionDevices } from "#app/domains/platform/accounts/session-devices.server.ts";
import { SecurityFormSchema } from "#app/domains/platform/settings/settings.schema.ts";
import { m } from "#app/paraglide/messages.js";
import { actorCtxOf, sessionContext } from "./context.ts";
import { readOwnPasskeys } from "./passkeys.server.ts";
import { redirectWithToast } from "./redirects.server.ts";
import { submitForm } from "./submit-form.server.ts";

const HERE = href("/account/security");
type Context = Readonly<RouterContextProvider>;
const tokenHashOf = (context: Context) => context.get(sessionContext)?.tokenHash ?? "";

export async function readOwnSecurity(context: Context, request: Request) {
  const ctx = actorCtxOf(context);
  const [sessions, apps, passkeys, consent] = await Promise.all([
    listSessionDevices(ctx, tokenHashOf(context)),
    listOwnApps(ctx),
    readOwnPasskeys(context, request),
    getOwnConsent(ctx),
  ]);
  return { sessions, apps, passkeys, consent, role: ctx.actor.role };
}

export function submitOwnSecurity(request: Request, context: Context) {
  const ctx = actorCtxOf(context);
  return submitForm(request, SecurityFormSchema, async (input) => {
    switch (input.intent) {
      case "end-others":
        await endOtherSessions(ctx, tokenHashOf(context));
        return redirectWithToast(HERE, m.settings_sessions_ended());
      case "end-session":
        await endOwnSession(ctx, { id: input.session, tokenHash: tokenHashOf(context) });
        return redirectWithToast(HERE, m.settings_session_ended());
      case "revoke-app":
        await revokeOwnApp(ctx, input.app);
        return redirectWithToast(HERE, m.api_app_revoked());
    }
  });
}
