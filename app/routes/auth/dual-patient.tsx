import { href, Link } from "react-router";
import { findDoctorOfSlot } from "#app/domains/booking/availability/places.server.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { findBookableDoctor } from "#app/domains/directory/doctors/queries.server.ts";
import { addFavourite } from "#app/domains/directory/favourites/change-favourites.server.ts";
import { PatientLoginSchema } from "#app/domains/platform/accounts/accounts.schema.ts";
import { CodeUsedUp, CodeWait, refreshAfterCode } from "#app/domains/platform/accounts/components/code-wait.tsx";
import { PrivacyNotice, ShownNotice } from "#app/domains/platform/accounts/components/privacy-notice.tsx";
import { SendWait, waitSecondsOf } from "#app/domains/platform/accounts/components/send-wait.tsx";
import { endChallenge, findChallenge, startChallenge } from "#app/domains/platform/accounts/otp.server.ts";
import { verifyPatientLogin } from "#app/domains/platform/accounts/verify-patient-login.server.ts";
import { getOwnPlace, placeAgain, savePlace } from "#app/domains/platform/location/choose-place.server.ts";
import { challengeCookie, challengeIdOf, clearChallengeCookie } from "#app/http/challenge-cookie.server.ts";
import { ctxOf, sessionContext } from "#app/http/context.ts";
import { clearWaitCookie, deviceCookie, waitTicketOf, withWaitCookie } from "#app/http/device-cookie.server.ts";
import { load } from "#app/http/load.server.ts";
import { clearPlaceCookie, readPlaceCookie } from "#app/http/place.server.ts";
import { shareTags } from "#app/http/public-page.ts";
import { redirectTo, redirectWithToast, safePath } from "#app/http/redirects.server.ts";
import { replaceSession } from "#app/http/session.server.ts";
import { submitForm } from "#app/http/submit-form.server.ts";
import { bookingOfPath, clearWaitingBookingCookie, doctorOfPath, waitingBooking } from "#app/http/waiting-booking.server.ts";
import { clearWaitingFavouriteCookie, waitingFavourite } from "#app/http/waiting-favourite.server.ts";
import { bookingPath } from "#app/lib/booking-paths.ts";
import { formatDayShort, formatTime } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { hashToken } from "#app/lib/ids.server.ts";
import { formatRupees } from "#app/lib/money.ts";
import { formatPhone } from "#app/lib/phone.ts";
import { m } from "#app/paraglide/messages.js";
import { env } from "#app/runtime/env.server.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { NextSheet, type PageHandle } from "#app/ui/document.tsx";
import { Form, OtpField, PhoneField, SubmitButton, useNadiForm } from "#app/ui/form.tsx";
import { Note } from "#app/ui/pieces.tsx";
import { SplitPage } from "#app/ui/split-page.tsx";
import type { Route } from "./+types/dual-patient.ts";

export const handle = { refresh: refreshAfterCode } satisfies PageHandle;

const HOME = href("/patient-dashboard");

export const loader = load(async ({ context, request }: Route.LoaderArgs) => {
  const ctx = ctxOf(context);
  const booking = waitingBooking(request);
  const back = safePath(new URL(request.url).searchParams.get("redirectTo"), "") || (booking ? bookingPath(booking) : "");
  if (context.get(sessionContext)?.role === "patient") throw redirectTo(back || HOME);
  const challenge = await findChallenge(ctx, challengeIdOf(request, "patient"), "patient-login");
  const phone = challenge ? formatPhone(challenge.phone) : "";
  const left = challenge ? Math.max(0, Math.ceil((challenge.expiresAt.getTime() - ctx.now.getTime()) / 1000)) : 0;
  const chosen = bookingOfPath(back);
  const doctor = chosen ? await findDoctorOfSlot(ctx, chosen) : await findBookableDoctor(ctx, doctorOfPath(back));
  return {
    back,
    chosen: doctor && {
      doctor: { id: doctor.id, name: doctor.name, hospitalName: doctor.hospitalName, fee: doctor.fee },
      slot: chosen && { date: chosen.date, time: chosen.time },
    },
    phone,
    left,
    demo: env().demo,
    origin: env().appUrl.origin,
    step: challenge?.state === "waiting" ? ("code" as const) : ("phone" as const),
    usedUp: challenge?.usedUp === true,
    expired: challenge?.state === "expired",
  };
});

export async function action({ context, request }: Route.ActionArgs) {
  const ctx = ctxOf(context);
  const challengeId = challengeIdOf(request, "patient");
  const answer = await submitForm(request, PatientLoginSchema, async (input) => {
    if (input.intent === "forget") return redirectTo(href("/dual-patient"), { cookies: [clearWaitingBookingCookie()] });
    const back = safePath(input.redirectTo, "");
    const here = `${href("/dual-patient")}${back ? `?redirectTo=${encodeURIComponent(back)}` : ""}`;
    const send = async (phone: string) => {
      const ticket = waitTicketOf(request);
      const { challengeId: id } = await startChallenge(ctx, { purpose: "patient-login", phone, replaces: challengeId, ticket });
      const cookies = [challengeCookie("patient", id), ...(ticket ? [clearWaitCookie()] : [])];
      return redirectWithToast(here, m.accounts_otp_sent(), { cookies });
    };
    switch (input.intent) {
      case "send":
        return send(input.phoneNumber);
      case "resend": {
        const challenge = await findChallenge(ctx, challengeId, "patient-login");
        return challenge ? send(challenge.phone) : redirectTo(here, { cookies: [clearChallengeCookie("patient")] });
      }
      case "change":
        if (challengeId) await endChallenge(ctx, challengeId);
        return redirectTo(here, { cookies: [clearChallengeCookie("patient")] });
      case "verify": {
        if (!challengeId)
          throw new DomainError("invalid", m.accounts_otp_expired_patient(), { fields: { otp: [m.accounts_otp_expired_patient()] } });
        const { token, patientId, device, claimed } = await verifyPatientLogin(ctx, {
          idHash: hashToken(challengeId),
          code: input.otp,
          notice: input.notice,
          userAgent: request.headers.get("user-agent") ?? "",
        });
        const cookies = await replaceSession(ctx, request, token);
        cookies.push(...(await bringAlong({ ...ctx, actor: { userId: patientId, role: "patient" } }, request)));
        cookies.push(deviceCookie(device), clearChallengeCookie("patient"), clearWaitingBookingCookie());
        const next = claimed ? `${href("/patient/data/notice")}${back ? `?next=${encodeURIComponent(back)}` : ""}` : back || HOME;
        return redirectWithToast(next, m.accounts_otp_verified(), { cookies });
      }
    }
  });
  return withWaitCookie(answer);
}

/**
 * Transfers a visitor's choices to the patient at login: a favourite, and the place if the patient has none. Ignores entries that
 * were deleted meanwhile.
 */
async function bringAlong(ctx: Ctx<Actor>, request: Request): Promise<string[]> {
  const favourite = waitingFavourite(request);
  const cookie = readPlaceCookie(request.headers.get("cookie"));
  try {
    if (favourite) await addFavourite(ctx, favourite);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
  }
  const place = cookie && (await getOwnPlace(ctx)).source === null ? await placeAgain(ctx, cookie) : null;
  if (place) await savePlace(ctx, place);
  return [...(favourite ? [clearWaitingFavouriteCookie()] : []), ...(cookie ? [clearPlaceCookie()] : [])];
}

export default function DualPatient({ loaderData, actionData }: Route.ComponentProps) {
  const code = loaderData.step === "code";
  return (
    <SplitPage drawing="records" tagline={m.accounts_patient_tagline()} lean back={{ to: href("/choose-role") }}>
      <NextSheet of="patients" />
      {loaderData.chosen ? <ChosenTime {...loaderData.chosen} /> : <DoctorFirst />}
      {code ? (
        <CodeStep key={loaderData.phone} {...loaderData} result={actionData?.result} detail={actionData?.detail} />
      ) : (
        <PhoneStep {...loaderData} result={actionData?.result} wait={waitSecondsOf(actionData?.detail)} />
      )}
    </SplitPage>
  );
}

/** The doctor, and the time where one is chosen, that the visitor books after the login. Perhaps another user of the phone chose them. */
function ChosenTime({ doctor, slot }: NonNullable<Route.ComponentProps["loaderData"]["chosen"]>) {
  const [form] = useNadiForm({ id: "chosen" });
  return (
    <section className="card mb-5" aria-labelledby="to-book">
      <p className="text-sm text-ink-soft">{m.front_to_book()}</p>
      <p id="to-book" className="text-lg font-bold">
        {slot ? `${doctor.name}, ${formatDayShort(slot.date)}, ${formatTime(slot.time)}` : doctor.name}
      </p>
      <p className="text-sm">{[doctor.hospitalName, doctor.fee !== null && formatRupees(doctor.fee)].filter(Boolean).join(", ")}</p>
      {slot && (
        <>
          <p className="mt-2 text-sm text-ink-soft">
            {m.front_kept()} <Link to={href("/details/doctor/:id", { id: doctor.id })}>{m.front_change_time()}</Link>
          </p>
          <Form form={form}>
            <SubmitButton name="intent" value="forget" variant="quiet" size="sm" className="pl-0">
              {m.front_not_this()}
            </SubmitButton>
          </Form>
        </>
      )}
    </section>
  );
}

/** The second way: search before the login. */
const DoctorFirst = () => (
  <p className="mb-5">
    <LinkButton to={href("/find-a-doctor")} variant="quiet" size="sm" icon="search" className="pl-0">
      {m.front_first()}
    </LinkButton>
  </p>
);

type StepProps = Route.ComponentProps["loaderData"] & { result: NonNullable<Route.ComponentProps["actionData"]>["result"] | undefined };

function PhoneStep({ phone, expired, back, chosen, result, wait }: StepProps & { wait: number }) {
  const [form, fields] = useNadiForm<{ phoneNumber: string }>({
    id: "phone",
    lastResult: result,
    defaultValue: { phoneNumber: phone.replace(/^\+91 /, "") },
  });
  return (
    <>
      <h1>{m.accounts_patient_title()}</h1>
      <p className="text-ink-soft">{m.accounts_patient_prompt()}</p>
      {expired && !result && (
        <Note tone="warn" role="status" className="mt-5">
          {m.accounts_otp_expired_patient()}
        </Note>
      )}
      <Form form={form} className="mt-6">
        <input type="hidden" name="redirectTo" value={back} />
        <PhoneField field={fields.phoneNumber} label={m.accounts_mobile_label()} hint={m.accounts_mobile_hint()} required />
        <SendWait wait={wait} answer={result}>
          <SubmitButton name="intent" value="send" size="lg" full iconEnd="arrow-right" pendingText={m.accounts_otp_sending()}>
            {m.accounts_send_code()}
          </SubmitButton>
        </SendWait>
      </Form>
      {chosen && <p className="mt-3 text-sm text-ink-soft">{m.front_next()}</p>}
      <PrivacyNotice reader="patient" />
    </>
  );
}

function CodeStep({ phone, left, usedUp, back, demo, result, detail }: StepProps & { detail: unknown }) {
  // After a refused post the loader's data may be stale.
  const over = usedUp || (typeof detail === "object" && detail !== null && "usedUp" in detail);
  const [form, fields] = useNadiForm<{ otp: string }>({ id: "code", lastResult: result });
  return (
    <>
      <h1>{m.accounts_code_title()}</h1>
      <p className="text-ink-soft">
        {m.accounts_code_sent_to()} <b className="num text-ink">{phone}</b>
      </p>
      {over && <CodeUsedUp errors={fields.otp.errors} />}
      <Form form={form} className="mt-6">
        <input type="hidden" name="redirectTo" value={back} />
        <ShownNotice />
        <OtpField field={fields.otp} label={m.accounts_code_label()} hint={m.accounts_code_hint()} autoFocus={!fields.otp.errors} />
        <SubmitButton
          name="intent"
          value="verify"
          size="lg"
          full
          iconEnd="arrow-right"
          disabled={over}
          pendingText={m.accounts_otp_verifying()}
        >
          {m.accounts_verify()}
        </SubmitButton>
      </Form>
      {demo && (
        <p className="text-sm mt-2">
          <a href={href("/dev/outbox")} target="_blank" rel="noopener">
            {m.accounts_demo_code()}
          </a>
        </p>
      )}
      <CodeWait left={left} resendIn={over ? 0 : left} other={{ intent: "change", label: m.accounts_other_number() }}>
        <input type="hidden" name="redirectTo" value={back} />
      </CodeWait>
      <Note icon="lock" className="mt-5">
        <span className="text-sm">{m.accounts_code_secret()}</span>
      </Note>
      <PrivacyNotice reader="patient" />
    </>
  );
}

export const meta: Route.MetaFunction = ({ loaderData }) => {
  const page = { title: m.accounts_patient_title(), description: m.accounts_patient_prompt() };
  return [
    { title: m.ui_title({ page: page.title }) },
    { name: "description", content: page.description },
    ...(loaderData ? shareTags({ ...page, origin: loaderData.origin }) : []),
  ];
};
