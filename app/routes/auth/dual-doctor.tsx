import { Link } from "react-router";
import { DoctorAuthSchema, DoctorCredentialsSchema } from "#app/domains/accounts/accounts.schema.ts";
import { CodeWait, refreshAfterCode } from "#app/domains/accounts/components/code-wait.tsx";
import {
  type DoctorAuthMode,
  type DoctorAuthPayload,
  finishDoctorAuth,
  restartDoctorAuth,
  startDoctorAuth,
  verifyDoctorCode,
} from "#app/domains/accounts/doctor-auth.server.ts";
import { endChallenge, findChallenge } from "#app/domains/accounts/otp.server.ts";
import { getRegistrationStatus } from "#app/domains/doctors/queries.server.ts";
import { challengeCookie, challengeIdOf, clearChallengeCookie } from "#app/http/challenge-cookie.server.ts";
import { ctxOf, sessionContext } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { homeOf } from "#app/http/middleware.server.ts";
import { redirectTo, redirectWithToast } from "#app/http/redirects.server.ts";
import { replaceSession } from "#app/http/session.server.ts";
import { submitForm } from "#app/http/submit-form.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { hashToken } from "#app/lib/ids.server.ts";
import { formatPhone } from "#app/lib/phone.ts";
import { m } from "#app/paraglide/messages.js";
import type { PageHandle } from "#app/ui/document.tsx";
import { Form, OtpField, PasswordField, PhoneField, SubmitButton, TextField, useNadiForm } from "#app/ui/form.tsx";
import { Tabs } from "#app/ui/nav.tsx";
import { Facts, Note } from "#app/ui/pieces.tsx";
import { SplitPage } from "#app/ui/shell.tsx";
import { validateWith } from "#app/ui/validate.ts";
import type { Route } from "./+types/dual-doctor.ts";

export const handle = { more: true, refresh: refreshAfterCode } satisfies PageHandle;

const PURPOSES = ["doctor-login", "doctor-register"] as const;

export const loader = load(async ({ context, request }: Route.LoaderArgs) => {
  const ctx = ctxOf(context);
  const session = context.get(sessionContext);
  // Spec 000 §2: a verified doctor goes to the dashboard, any other to /doctor-verify (which sends on a verified one).
  if (session?.role === "doctor") throw redirectTo((await getRegistrationStatus(ctx)) === "verified" ? homeOf("doctor") : "/doctor-verify");
  if (session && session.role !== "patient") throw redirectTo(homeOf(session.role));
  const challenge = await findChallenge(ctx, challengeIdOf(request, "doctor"), PURPOSES);
  const asked = new URL(request.url).searchParams.get("mode") === "register" ? "register" : "login";
  if (!challenge) return { step: "details" as const, mode: asked as DoctorAuthMode, email: "", mobile: "", left: 0 };
  const { mode, email } = challenge.payload as DoctorAuthPayload;
  const left = Math.max(0, Math.ceil((challenge.expiresAt.getTime() - ctx.now.getTime()) / 1000));
  const step = challenge.state === "verified" ? ("verified" as const) : ("code" as const);
  return { step, mode, email, mobile: formatPhone(challenge.phone), left };
});

export async function action({ context, request }: Route.ActionArgs) {
  const ctx = ctxOf(context);
  const challengeId = challengeIdOf(request, "doctor");
  return submitForm(
    request,
    DoctorAuthSchema,
    async (input) => {
      const sent = (id: string) => redirectWithToast("/dual-doctor", m.accounts_otp_sent(), { cookies: [challengeCookie("doctor", id)] });
      switch (input.intent) {
        case "send-otp":
          return sent((await startDoctorAuth(ctx, input)).challengeId);
        case "resend": {
          const again = challengeId ? await restartDoctorAuth(ctx, challengeId) : null;
          return again ? sent(again.challengeId) : redirectTo("/dual-doctor", { cookies: [clearChallengeCookie("doctor")] });
        }
        case "edit": {
          const challenge = await findChallenge(ctx, challengeId, PURPOSES);
          if (challengeId) await endChallenge(ctx, challengeId);
          const register = (challenge?.payload as DoctorAuthPayload | undefined)?.mode === "register";
          return redirectTo(`/dual-doctor${register ? "?mode=register" : ""}`, { cookies: [clearChallengeCookie("doctor")] });
        }
        case "verify-otp":
          if (!challengeId)
            throw new DomainError("invalid", m.accounts_otp_expired_doctor(), { fields: { otp: [m.accounts_otp_expired_doctor()] } });
          await verifyDoctorCode(ctx, { idHash: hashToken(challengeId), code: input.otp });
          return redirectWithToast("/dual-doctor", m.accounts_otp_verified());
        case "continue": {
          if (!challengeId) throw new DomainError("invalid", m.accounts_otp_first());
          return finish(challengeId);
        }
      }
    },
    { hide: ["password"] },
  );

  async function finish(id: string) {
    const challenge = await findChallenge(ctx, id, PURPOSES);
    if (challenge?.state !== "verified") throw new DomainError("invalid", m.accounts_otp_first());
    const { mode } = challenge.payload as DoctorAuthPayload;
    try {
      const done = await finishDoctorAuth(ctx, { idHash: hashToken(id), userAgent: request.headers.get("user-agent") ?? "" });
      const cookies = [...(await replaceSession(ctx, request, done.token)), clearChallengeCookie("doctor")];
      if (done.isNewlyRegistered) return redirectTo("/hospital-form?registered=1", { cookies });
      if (done.isPasswordWeak) return redirectTo("/account/password", { cookies });
      // /doctor-verify knows how far each application is, and leads on to its next step.
      if (done.role === "doctor" && done.registrationStatus === "draft") return redirectTo("/doctor-verify", { cookies });
      if (done.role === "doctor" && done.registrationStatus !== "verified")
        return redirectWithToast("/doctor-verify", m.accounts_under_review(), { type: "info", cookies });
      return redirectTo(homeOf(done.role), { cookies });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      // The challenge is spent: the person begins again, on the page that fits what went wrong (spec 000 §8).
      const exists = error.code === "conflict";
      const unknown = error.sentence === m.accounts_no_account();
      const next: DoctorAuthMode = exists ? "login" : unknown ? "register" : mode;
      return redirectWithToast(`/dual-doctor${next === "register" ? "?mode=register" : ""}`, error.sentence ?? m.accounts_login_failed(), {
        type: "error",
        cookies: [clearChallengeCookie("doctor")],
      });
    }
  }
}

export default function DualDoctor({ loaderData, actionData }: Route.ComponentProps) {
  const { step, mode } = loaderData;
  const result = actionData?.result;
  return (
    <SplitPage drawing="time" tagline={m.accounts_doctor_tagline()} lean back={{ to: "/choose-role" }}>
      <h1>{mode === "register" ? m.accounts_doctor_register_title() : m.accounts_doctor_login_title()}</h1>
      {step === "details" && <Details key={mode} mode={mode} result={result} />}
      {step === "code" && <Code {...loaderData} result={result} />}
      {step === "verified" && <Verified {...loaderData} result={result} />}
    </SplitPage>
  );
}

type Result = NonNullable<Route.ComponentProps["actionData"]>["result"] | undefined;
type Data = Route.ComponentProps["loaderData"];

const validateDetails = validateWith(DoctorCredentialsSchema);

function Details({ mode, result }: { mode: DoctorAuthMode; result: Result }) {
  const [form, fields] = useNadiForm<{ email: string; password: string; mobile: string }>({
    id: "doctor",
    lastResult: result,
    validate: validateDetails,
  });
  return (
    <>
      <Tabs
        label={m.accounts_doctor_tabs()}
        tabs={[
          { to: "/dual-doctor", label: m.accounts_login(), current: mode === "login" },
          { to: "/dual-doctor?mode=register", label: m.accounts_register(), current: mode === "register" },
        ]}
      />
      <Form form={form} className="code">
        <input type="hidden" name="mode" value={mode} />
        <TextField field={fields.email} label={m.accounts_email_label()} type="email" autoComplete="username" spellCheck={false} />
        <PasswordField
          field={fields.password}
          label={m.accounts_password_label()}
          autoComplete={mode === "register" ? "new-password" : "current-password"}
          hint={mode === "register" ? m.accounts_password_hint() : undefined}
        />
        <PhoneField field={fields.mobile} label={m.accounts_mobile_label()} hint={m.accounts_mobile_hint()} maxLength={16} />
        <SubmitButton name="intent" value="send-otp" size="lg" full iconEnd="arrow-right" pendingText={m.accounts_otp_sending()}>
          {m.accounts_send_otp()}
        </SubmitButton>
      </Form>
      <p className="wait small soft">
        {m.accounts_patient_instead()} <Link to="/dual-patient">{m.accounts_patient_title()}</Link>
      </p>
    </>
  );
}

/** What was given, locked; Edit Details opens it again. The password is not shown and not carried. */
function Locked({ email, mobile }: Pick<Data, "email" | "mobile">) {
  return (
    <Facts
      className="code"
      items={[
        [m.accounts_email_label(), email],
        [m.accounts_password_label(), "••••••••"],
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

function Code({ email, mobile, left, result }: Data & { result: Result }) {
  const [form, fields] = useNadiForm<{ otp: string }>({ id: "code", lastResult: result });
  const expired = left === 0;
  return (
    <>
      <Locked email={email} mobile={mobile} />
      {expired && (
        <Note tone="warn" role="status" className="quiet-note">
          {m.accounts_otp_expired_doctor()}
        </Note>
      )}
      <Form form={form} className="code">
        <OtpField field={fields.otp} label={m.accounts_code_label()} />
        <SubmitButton name="intent" value="verify-otp" size="lg" full disabled={expired} pendingText={m.accounts_otp_verifying()}>
          {m.accounts_verify_otp()}
        </SubmitButton>
      </Form>
      <CodeWait left={left} other={{ intent: "edit", label: m.accounts_edit_details() }} />
    </>
  );
}

function Verified({ email, mobile, result }: Data & { result: Result }) {
  const [form] = useNadiForm({ id: "continue", lastResult: result });
  return (
    <>
      <Locked email={email} mobile={mobile} />
      <Note tone="ok" className="quiet-note">
        {m.accounts_mobile_verified()}
      </Note>
      <Form form={form} className="code">
        <SubmitButton name="intent" value="continue" size="lg" full iconEnd="arrow-right">
          {m.accounts_continue()}
        </SubmitButton>
        <SubmitButton name="intent" value="edit" variant="quiet" size="sm" className="flush">
          {m.accounts_edit_details()}
        </SubmitButton>
      </Form>
    </>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.accounts_doctor_login_title() }) }];
