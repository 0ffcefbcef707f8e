import { href } from "react-router";
import { PasskeyOptionsSchema } from "#app/domains/platform/accounts/passkey.schema.ts";
import { startPasskeyAdd, startPasskeyLogin, startPasskeyProof } from "#app/domains/platform/accounts/passkeys.server.ts";
import { actorCtxOf, ctxOf, sessionContext, sessionHashOf } from "#app/http/context.ts";
import { passkeyCookie } from "#app/http/passkeys.server.ts";
import { redirectTo } from "#app/http/redirects.server.ts";
import { asRefusal, refusalHeaders, refusalOf, refusals } from "#app/http/refusals.server.ts";
import { readForm } from "#app/http/submit-form.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import type { Route } from "./+types/passkey-options.ts";

export const loader = () => redirectTo(href("/dual-doctor/passkey"));

/**
 * Starts a WebAuthn ceremony for a page's script: returns the options as JSON, and sets the cookie that binds the challenge to
 * this browser.
 */
export async function action({ context, request }: Route.ActionArgs) {
  try {
    const { formData } = await readForm(request);
    const asked = PasskeyOptionsSchema.safeParse(Object.fromEntries(formData));
    if (!asked.success) throw new DomainError("invalid");
    const { token, options } = await start(asked.data.purpose);
    return Response.json({ options }, { headers: { "Set-Cookie": passkeyCookie(token), "Cache-Control": "no-store" } });
  } catch (error) {
    const refusal = asRefusal(error);
    if (!(refusal instanceof DomainError)) throw refusal;
    const { message } = refusalOf(refusal);
    return Response.json({ message }, { status: refusals[refusal.code].status, headers: refusalHeaders(refusal) });
  }

  function start(purpose: "add" | "login" | "confirm") {
    if (purpose === "login") return startPasskeyLogin(ctxOf(context));
    if (!context.get(sessionContext)) throw new DomainError("unauthenticated");
    return (purpose === "add" ? startPasskeyAdd : startPasskeyProof)(actorCtxOf(context), sessionHashOf(context));
  }
}
