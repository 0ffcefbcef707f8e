import { href, Link } from "react-router";
import { homeOf } from "#app/areas.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { getRegistrationStatus } from "#app/domains/directory/doctors/queries.server.ts";
import { SupportLinks } from "#app/domains/guidance/help/components/support-links.tsx";
import { getSupport } from "#app/domains/guidance/help/support.server.ts";
import { DoctorAuthSchema, DoctorCredentialsSchema } from "#app/domains/platform/accounts/accounts.schema.ts";
import { CodeUsedUp, CodeWait, refreshAfterCode } from "#app/domains/platform/accounts/components/code-wait.tsx";
import { PasskeyLogin } from "#app/domains/platform/accounts/components/passkey-login.tsx";
import { PrivacyNotice, ShownNotice } from "#app/domains/platform/accounts/components/privacy-notice.tsx";
import { SendWait, waitSecondsOf } from "#app/domains/platform/accounts/components/send-wait.tsx";
import {
  type DoctorAuthMode,
  type DoctorAuthPayload,
  type DoctorAuthRefusal,
  finishDoctorAuth,
  restartDoctorAuth,
  startDoctorAuth,
  verifyDoctorCode,
} from "#app/domains/platform/accounts/doctor-auth.server.ts";
import { endChallenge, findChallenge } from "#app/domains/platform/accounts/otp.server.ts";
import type { NOTICE } from "#app/domains/platform/accounts/privacy-notice.ts";
import {
  challengeCookie,
  challengeIdOf,
  clearChallengeCookie,
  clearTypedCookie,
  readTyped,
  typedCookie,
} from "#app/http/challenge-cookie.server.ts";
import { ctxOf, sessionContext } from "#app/http/context.ts";
import { clearWaitCookie, deviceCookie, waitTicketOf, withWaitCookie } from "#app/http/device-cookie.server.ts";
import { load } from "#app/http/load.server.ts";
import { havePasskeys } from "#app/http/passkeys.server.ts";
import { shareTags } from "#app/http/public-page.ts";
import { redirectTo, redirectWithToast } from "#app/http/redirects.server.ts";
import { replaceSession } from "#app/http/session.server.ts";
import { submitForm } from "#app/http/submit-form.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { hashToken } from "#app/lib/ids.server.ts";
import { formatPhone } from "#app/lib/phone.ts";
import { m } from "#app/paraglide/messages.js";
import { env } from "#app/runtime/env.server.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { useCheckedForm } from "#app/ui/checked-form.ts";
import { NextSheet, type PageHandle } from "#app/ui/document.tsx";
import { Form, OtpField, PasswordField, PhoneField, SubmitButton, TextField, useNadiForm } from "#app/ui/form.tsx";
import { Facts, Note } from "#app/ui/pieces.tsx";
import { SplitPage } from "#app/ui/split-page.tsx";
import { Tabs } from "#app/ui/tabs.tsx";
import { validateWith } from "#app/ui/validate.ts";
import type { Route } from "./+types/dual-doctor.ts";

export const handle = { refresh: refreshAfterCode } satisfies PageHandle;

const PURPOSES = ["doctor-login", "doctor-register"] as const;

/** "Resend" is enabled this long after a code was sent, or immediately when wrong codes have ended it. */
const RESEND_SECONDS = 30;
const pageOf = (mode: DoctorAuthMode) => `${href("/dual-doctor")}${mode === "register" ? "?mode=register" : ""}`;

export const loader = load(async ({ context, request }: Route.LoaderArgs) => {
  const ctx = ctxOf(context);
  const session = context.get(sessionContext);
  // Spec 000 §2: a verified doctor goes to the dashboard, others to /doctor-verify (which redirects verified ones).
  if (session?.role === "doctor")
    throw redirectTo((await getRegistrationStatus(ctx)) === "verified" ? homeOf("doctor") : href("/doctor-verify"));
  if (session && session.role !== "patient") throw redirectTo(homeOf(session.role));
  const challenge = await findChallenge(ctx, challengeIdOf(request, "doctor"), PURPOSES);
  const query = new URL(request.url).searchParams;
  const closed = query.has("closed") ? getSupport() : null;
  const none = { left: 0, resendIn: 0, usedUp: false, ask: false, closed, passkeys: havePasskeys(request), origin: env().appUrl.origin };
  if (!challenge) {
    const { email = "", mobile = "" } = readTyped(request) ?? {};
    const asked: DoctorAuthMode = query.get("mode") === "register" ? "register" : "login";
    return { step: "details" as const, mode: asked, email, mobile, ...none };
  }
  const { mode, email, newPasswordHash } = challenge.payload as DoctorAuthPayload;
  const mobile = formatPhone(challenge.phone);
  const secondsTo = (at: number) => Math.max(0, Math.ceil((at - ctx.now.getTime()) / 1000));
  const left = secondsTo(challenge.expiresAt.getTime());
  if (challenge.state === "verified") {
    const ask = mode === "register" ? newPasswordHash === null : challenge.passwordTries > 0;
    return { step: "verified" as const, mode, email, mobile, ...none, ask };
  }
  const resendIn = challenge.usedUp ? 0 : Math.min(left, secondsTo(challenge.sentAt.getTime() + RESEND_SECONDS * 1000));
  return { step: "code" as const, mode, email, mobile, ...none, left, resendIn, usedUp: challenge.usedUp };
});

export async function action({ context, request }: Route.ActionArgs) {
  const ctx = ctxOf(context);
  const challengeId = challengeIdOf(request, "doctor");
  const ticket = waitTicketOf(request);
  const answer = await submitForm(
    request,
    DoctorAuthSchema,
    async (input) => {
      const sent = (id: string) =>
        redirectWithToast(href("/dual-doctor"), m.accounts_otp_sent(), {
          cookies: [challengeCookie("doctor", id), clearTypedCookie(), ...(ticket ? [clearWaitCookie()] : [])],
        });
      switch (input.intent) {
        case "send-otp":
          return sent((await startDoctorAuth(ctx, { ...input, replaces: challengeId, ticket })).challengeId);
        case "resend": {
          const again = challengeId ? await restartDoctorAuth(ctx, challengeId, ticket) : null;
          return again ? sent(again.challengeId) : redirectTo(href("/dual-doctor"), { cookies: [clearChallengeCookie("doctor")] });
        }
        case "edit": {
          const challenge = await findChallenge(ctx, challengeId, PURPOSES);
          if (challengeId) await endChallenge(ctx, challengeId);
          const payload = challenge?.payload as DoctorAuthPayload | undefined;
          const typed = challenge && payload ? [typedCookie({ email: payload.email, mobile: formatPhone(challenge.phone) })] : [];
          return redirectTo(pageOf(payload?.mode ?? "login"), { cookies: [clearChallengeCookie("doctor"), ...typed] });
        }
        case "verify-otp":
          if (!challengeId)
            throw new DomainError("invalid", m.accounts_otp_expired_doctor(), { fields: { otp: [m.accounts_otp_expired_doctor()] } });
          await verifyDoctorCode(ctx, { idHash: hashToken(challengeId), code: input.otp });
          return redirectWithToast(href("/dual-doctor"), m.accounts_otp_verified());
        case "continue": {
          if (!challengeId) throw new DomainError("invalid", m.accounts_otp_first());
          return finishLogin({ ...input, ctx, request, id: challengeId });
        }
      }
    },
    { hide: ["password"] },
  );
  return withWaitCookie(answer);
}

type Finish = { ctx: Ctx; request: Request; id: string; password?: string | undefined; notice?: typeof NOTICE | undefined };
/** Logs the doctor in after the code, or registers. */
async function finishLogin({ ctx, request, id, password, notice }: Finish) {
  const challenge = await findChallenge(ctx, id, PURPOSES);
  if (challenge?.state !== "verified") throw new DomainError("invalid", m.accounts_otp_first());
  const { mode, email } = challenge.payload as DoctorAuthPayload;
  try {
    const userAgent = request.headers.get("user-agent") ?? "";
    const done = await finishDoctorAuth(ctx, { idHash: hashToken(id), userAgent, password, notice });
    const cookies = [...(await replaceSession(ctx, request, done.token)), deviceCookie(done.device), clearChallengeCookie("doctor")];
    if (done.isNewlyRegistered) return redirectTo(`${href("/hospital-form")}?registered=1`, { cookies });
    if (done.isPasswordWeak) return redirectTo(href("/account/password"), { cookies });
    if (done.role !== "doctor" || done.registrationStatus === "verified") return redirectTo(homeOf(done.role), { cookies });
    // /doctor-verify shows the status of the application and links to its next step.
    if (done.registrationStatus === "under review by hospital" || done.registrationStatus === "pending admin approval")
      return redirectWithToast(href("/doctor-verify"), m.accounts_under_review(), { type: "info", cookies });
    return redirectTo(href("/doctor-verify"), { cookies });
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const { moved, over } = (error.detail ?? {}) as DoctorAuthRefusal;
    const sentence = error.sentence ?? m.accounts_login_failed();
    // Spec 000 §8: the matching page continues with the verified phone and the typed values.
    if (moved) return redirectWithToast(pageOf(moved), sentence, { type: "error" });
    if (!over) throw error;
    const cookies = [clearChallengeCookie("doctor"), typedCookie({ email, mobile: formatPhone(challenge.phone) })];
    if (error.code === "forbidden") return redirectWithToast(`${href("/dual-doctor")}?closed=1`, sentence, { type: "error", cookies });
    return redirectWithToast(pageOf(mode), sentence, { type: "error", cookies });
  }
}

export default function DualDoctor({ loaderData, actionData }: Route.ComponentProps) {
  const { step, mode } = loaderData;
  const result = actionData?.result;
  const detail = actionData?.detail;
  return (
    <SplitPage drawing="time" tagline={m.accounts_doctor_tagline()} lean back={{ to: href("/choose-role") }}>
      <NextSheet of="staff" />
      <h1>{mode === "register" ? m.accounts_doctor_register_title() : m.accounts_doctor_login_title()}</h1>
      {step === "details" && <Details key={mode} {...loaderData} result={result} detail={detail} />}
      {step === "code" && <Code {...loaderData} result={result} detail={detail} />}
      {step === "verified" && <Verified {...loaderData} result={result} detail={detail} />}
    </SplitPage>
  );
}

type Result = NonNullable<Route.ComponentProps["actionData"]>["result"] | undefined;
type Data = Route.ComponentProps["loaderData"];
type Step = Data & { result: Result; detail: unknown };
/** Reads a flag of the error's detail: after a refused post the loader's data may be stale. */
const hasFlag = (detail: unknown, name: "usedUp" | "ask") => typeof detail === "object" && detail !== null && name in detail;

const validateDetails = validateWith(DoctorCredentialsSchema);

function Details({ mode, email, mobile, closed, passkeys, result, detail }: Step) {
  const [form, fields] = useCheckedForm<{ email: string; password: string; mobile: string }>({
    id: "doctor",
    lastResult: result,
    defaultValue: { email, mobile: mobile.replace(/^\+91 /, "") },
    validate: validateDetails,
  });
  return (
    <>
      {closed && <Closed support={closed} />}
      <Tabs
        label={m.accounts_doctor_tabs()}
        tabs={[
          { to: href("/dual-doctor"), label: m.accounts_login(), current: mode === "login" },
          { to: `${href("/dual-doctor")}?mode=register`, label: m.accounts_register(), current: mode === "register" },
        ]}
      />
      <Form form={form} className="mt-6">
        <input type="hidden" name="mode" value={mode} />
        <TextField field={fields.email} label={m.accounts_email_label()} type="email" autoComplete="username" spellCheck={false} />
        <PasswordField
          field={fields.password}
          label={m.accounts_password_label()}
          autoComplete={mode === "register" ? "new-password" : "current-password"}
          hint={mode === "register" ? m.accounts_password_hint() : undefined}
        />
        <PhoneField field={fields.mobile} label={m.accounts_mobile_label()} hint={m.accounts_mobile_hint()} />
        {mode === "login" && <ForgotPassword />}
        <SendWait wait={waitSecondsOf(detail)} answer={result}>
          <SubmitButton name="intent" value="send-otp" size="lg" full iconEnd="arrow-right" pendingText={m.accounts_otp_sending()}>
            {m.accounts_send_otp()}
          </SubmitButton>
        </SendWait>
      </Form>
      {passkeys && mode === "login" && <PasskeyLogin emailField={fields.email.id} />}
      <PrivacyNotice reader="staff" />
      <p className="mt-5 text-sm text-ink-soft">
        {m.accounts_patient_instead()} <Link to={href("/dual-patient")}>{m.accounts_patient_title()}</Link>
      </p>
    </>
  );
}

const ForgotPassword = () => (
  <LinkButton to={href("/forgot-password")} variant="quiet" size="sm" className="pl-0">
    {m.accounts_forgot_password()}
  </LinkButton>
);

/** Next steps of a doctor whose account is disabled. */
function Closed({ support }: { support: NonNullable<Data["closed"]> }) {
  return (
    <Note tone="bad" className="mt-6">
      <p>{m.accounts_disabled()}</p>
      <SupportLinks support={support} />
    </Note>
  );
}

/** The input, read-only. Edit Details enables it again. Without the password. */
function Locked({ email, mobile, open = false }: Pick<Data, "email" | "mobile"> & { open?: boolean }) {
  return (
    <Facts
      className="mt-6"
      items={[
        [m.accounts_email_label(), email],
        ...(open ? [] : [[m.accounts_password_label(), "••••••••"] as const]),
        [
          m.accounts_mobile_label(),
          <span key="m" className="num">
            {mobile}
          </span>,
        ],
      ]}
    />
  );
}

function Code({ email, mobile, left, resendIn, usedUp, result, detail }: Step) {
  const over = usedUp || hasFlag(detail, "usedUp");
  const [form, fields] = useNadiForm<{ otp: string }>({ id: "code", lastResult: result });
  const expired = left === 0;
  return (
    <>
      <Locked email={email} mobile={mobile} />
      {expired && (
        <Note tone="warn" role="status" className="mt-5">
          {m.accounts_otp_expired_doctor()}
        </Note>
      )}
      {over && <CodeUsedUp errors={fields.otp.errors} />}
      <Form form={form} className="mt-6">
        <OtpField field={fields.otp} label={m.accounts_code_label()} />
        <SubmitButton name="intent" value="verify-otp" size="lg" full disabled={expired || over} pendingText={m.accounts_otp_verifying()}>
          {m.accounts_verify_otp()}
        </SubmitButton>
      </Form>
      <CodeWait left={left} resendIn={over ? 0 : resendIn} other={{ intent: "edit", label: m.accounts_edit_details() }} />
    </>
  );
}

function Verified({ mode, email, mobile, ask, result, detail }: Step) {
  const [form, fields] = useNadiForm<{ password: string }>({ id: "continue", lastResult: result });
  const asks = ask || hasFlag(detail, "ask");
  return (
    <>
      <Locked email={email} mobile={mobile} open={asks} />
      <Note tone="ok" className="mt-5">
        {m.accounts_mobile_verified()}
      </Note>
      <Form form={form} className="mt-6">
        <ShownNotice />
        {asks && (
          <>
            <PasswordField
              field={fields.password}
              label={m.accounts_password_label()}
              autoComplete={mode === "register" ? "new-password" : "current-password"}
            />
            {mode === "login" && <ForgotPassword />}
          </>
        )}
        <SubmitButton name="intent" value="continue" size="lg" full iconEnd="arrow-right">
          {m.accounts_continue()}
        </SubmitButton>
        <SubmitButton name="intent" value="edit" variant="quiet" size="sm" className="pl-0">
          {m.accounts_edit_details()}
        </SubmitButton>
      </Form>
      <PrivacyNotice reader="staff" />
    </>
  );
}

export const meta: Route.MetaFunction = ({ loaderData }) => {
  const title = loaderData?.mode === "register" ? m.accounts_doctor_register_title() : m.accounts_doctor_login_title();
  const description = m.accounts_doctor_tagline();
  return [
    { title: m.ui_title({ page: title }) },
    { name: "description", content: description },
    ...(loaderData ? shareTags({ title, description, origin: loaderData.origin }) : []),
  ];
};
