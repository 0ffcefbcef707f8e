import { homeOf } from "#app/areas.ts";
import { ConfirmIdentitySchema } from "#app/domains/platform/accounts/accounts.schema.ts";
import { CodeUsedUp, CodeWait, refreshAfterCode } from "#app/domains/platform/accounts/components/code-wait.tsx";
import { PasskeyConfirm } from "#app/domains/platform/accounts/components/passkey-login.tsx";
import { findCodeProof, getProofPhone, proveByCode, startCodeProof } from "#app/domains/platform/accounts/confirm-identity.server.ts";
import { listPasskeys, proveByPasskey } from "#app/domains/platform/accounts/passkeys.server.ts";
import { LIMITS } from "#app/domains/platform/limits/limits.ts";
import { challengeCookie, challengeIdOf, clearChallengeCookie } from "#app/http/challenge-cookie.server.ts";
import { actorCtxOf, sessionHashOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { clearPasskeyCookie, havePasskeys, passkeyTokenOf } from "#app/http/passkeys.server.ts";
import { confirmPath, isProven } from "#app/http/proof.server.ts";
import { redirectTo, redirectWithToast, safePath } from "#app/http/redirects.server.ts";
import { submitForm } from "#app/http/submit-form.server.ts";
import { m } from "#app/paraglide/messages.js";
import type { PageHandle } from "#app/ui/document.tsx";
import { Form, OtpField, SubmitButton, useNadiForm } from "#app/ui/form.tsx";
import { SplitPage } from "#app/ui/split-page.tsx";
import type { Route } from "./+types/confirm-identity.ts";

export const handle = {
  refresh: (loaderData) => {
    const { code } = loaderData as { code: { left: number } | null };
    return code && refreshAfterCode(code);
  },
} satisfies PageHandle;

type Args = Pick<Route.LoaderArgs, "context" | "request">;

/** Returns the next page; never another site or this page. */
function nextOf({ context, request }: Args): string {
  const home = homeOf(actorCtxOf(context).actor.role);
  const next = safePath(new URL(request.url).searchParams.get("next"), home);
  return /^\/confirm-identity(\.data)?([/?#]|$)/.test(next) ? home : next;
}

export const loader = load(async (args: Route.LoaderArgs) => {
  const { context, request } = args;
  const ctx = actorCtxOf(context);
  const next = nextOf(args);
  if (isProven(context)) throw redirectTo(next);
  const challenge = await findCodeProof(ctx, sessionHashOf(context), challengeIdOf(request, "confirm"));
  const secondsTo = (at: number) => Math.max(0, Math.ceil((at - ctx.now.getTime()) / 1000));
  const code = challenge && {
    left: secondsTo(challenge.expiresAt.getTime()),
    usedUp: challenge.usedUp,
    resendIn: secondsTo(challenge.sentAt.getTime() + LIMITS["proof-send-gap"].per),
  };
  const passkeys = havePasskeys(request) && (await listPasskeys(ctx)).length > 0;
  return { phone: await getProofPhone(ctx), code, passkeys, home: homeOf(ctx.actor.role) };
});

export async function action(args: Route.ActionArgs) {
  const { context, request } = args;
  const ctx = actorCtxOf(context);
  const next = nextOf(args);
  const sessionHash = sessionHashOf(context);
  return submitForm(
    request,
    ConfirmIdentitySchema,
    async (input) => {
      switch (input.intent) {
        case "send":
        case "resend": {
          const { challengeId } = await startCodeProof(ctx, sessionHash);
          return redirectWithToast(confirmPath(next), m.accounts_otp_sent(), { cookies: [challengeCookie("confirm", challengeId)] });
        }
        case "verify":
          await proveByCode(ctx, { sessionHash, challengeId: challengeIdOf(request, "confirm"), code: input.otp });
          return redirectWithToast(next, m.proof_done(), { cookies: [clearChallengeCookie("confirm")] });
        case "passkey":
          await proveByPasskey(ctx, { token: passkeyTokenOf(request), sessionHash, credential: input.credential });
          return redirectWithToast(next, m.proof_done(), { cookies: [clearPasskeyCookie(), clearChallengeCookie("confirm")] });
        case "cancel":
          return redirectTo(homeOf(ctx.actor.role), { cookies: [clearChallengeCookie("confirm")] });
      }
    },
    { hide: ["credential"] },
  );
}

export default function ConfirmIdentity({ loaderData, actionData }: Route.ComponentProps) {
  const { phone, code, passkeys, home } = loaderData;
  const result = actionData?.result;
  const detail: unknown = actionData?.detail;
  // After a refused post the loader's data may be those of before.
  const isUsedUp = code?.usedUp === true || (typeof detail === "object" && detail !== null && "usedUp" in detail);
  return (
    <SplitPage drawing="care" tagline={m.accounts_doctor_tagline()} lean back={{ to: home }}>
      <h1>{m.proof_title()}</h1>
      <p className="text-ink-soft">{m.proof_text()}</p>
      {passkeys && <PasskeyConfirm />}
      {code === null ? <Send phone={phone} result={result} /> : <Code phone={phone ?? ""} {...code} usedUp={isUsedUp} result={result} />}
    </SplitPage>
  );
}

type Result = NonNullable<Route.ComponentProps["actionData"]>["result"] | undefined;

function Send({ phone, result }: { phone: string | null; result: Result }) {
  const [form] = useNadiForm({ id: "send", lastResult: result });
  return (
    <Form form={form} className="mt-6">
      {phone ? (
        <SubmitButton name="intent" value="send" size="lg" full iconEnd="arrow-right" pendingText={m.accounts_otp_sending()}>
          {m.proof_send({ phone })}
        </SubmitButton>
      ) : (
        <p>{m.proof_no_phone()}</p>
      )}
    </Form>
  );
}

type CodeProps = { phone: string; left: number; resendIn: number; usedUp: boolean; result: Result };
function Code({ phone, left, resendIn, usedUp, result }: CodeProps) {
  const [form, fields] = useNadiForm<{ otp: string }>({ id: "code", lastResult: result });
  return (
    <>
      <p className="mt-2">{m.proof_sent_to({ phone })}</p>
      {usedUp && <CodeUsedUp errors={fields.otp.errors} />}
      <Form form={form} className="mt-6">
        <OtpField field={fields.otp} label={m.accounts_code_label()} hint={m.accounts_code_hint()} autoFocus />
        <SubmitButton name="intent" value="verify" size="lg" full disabled={left === 0 || usedUp} pendingText={m.accounts_otp_verifying()}>
          {m.proof_confirm()}
        </SubmitButton>
      </Form>
      <CodeWait left={left} resendIn={resendIn} other={{ intent: "cancel", label: m.proof_cancel() }} />
    </>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.proof_title() }) }];
